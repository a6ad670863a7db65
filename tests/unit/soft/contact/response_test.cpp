#include "tactus/soft/contact/response.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tactus/core/random.hpp"
#include "tactus/query.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/refusal.hpp"

namespace tactus::detail {
namespace {

using test::effort;

constexpr double kNever = std::numeric_limits<double>::infinity();

Vec3 anywhere(Random& random, double reach) {
  const double x = random.uniform(-reach, reach);
  const double y = random.uniform(-reach, reach);
  const double z = random.uniform(-reach, reach);
  return {x, y, z};
}

/// Two to five small boxes and balls, apart from each other, that fly towards one place, up to a
/// thousand sizes in a step.
std::vector<DeformableDefinition> flock(Random& random) {
  std::vector<DeformableDefinition> bodies;
  const int count = 2 + static_cast<int>(random.uniform(0.0, 4.0));
  for (int k = 0; k < count; ++k) {
    const TetrahedralMesh mesh =
        tetrahedral_box({0.2, 0.15, 0.1}, {2, 1, 1}, random.uniform(0.0, 0.6));
    DeformableDefinition d;
    d.vertices = mesh.vertices;
    d.tetrahedra = mesh.tetrahedra;
    d.material.young = 1e5;
    const Vec3 place = anywhere(random, 0.1) + Vec3{0.5 * k, 0.0, 0.0};
    d.pose = unchecked_pose(place, rotation_by(anywhere(random, 2.0)));
    const double speed = std::pow(10.0, random.uniform(0.0, 4.0));
    d.linear_velocity = (Vec3{1.0, 0.0, 0.0} - place) * speed;
    bodies.push_back(std::move(d));
  }
  return bodies;
}

struct Flock {
  explicit Flock(Random& random) : definitions(flock(random)), world(without_contacts()) {
    for (const DeformableDefinition& d : definitions) {
      world.add(d);
      tetrahedra.emplace_back(d.tetrahedra);
    }
  }
  static DeformableSettings without_contacts() {
    DeformableSettings settings;
    settings.contacts = false;
    return settings;
  }
  std::vector<PointPenetration> inside() const {
    return points_in_tetrahedra(bodies_at(places_of(world), tetrahedra, world));
  }

  /// Distance of the surface of one body to the nearest of the others.
  double gap_about(std::size_t body) const {
    const Places places = places_of(world);
    const auto mesh_of = [&](std::size_t b) {
      const auto faces = world.surface(static_cast<DeformableId>(b));
      return Mesh(TriangleMesh{places[b], {faces.begin(), faces.end()}});
    };
    const Shape one = mesh_of(body);
    double least = kNever;
    for (std::size_t b = 0; b < places.size(); ++b) {
      if (b == body) continue;
      least = std::fmin(least, distance(one, Pose(), mesh_of(b), Pose()).distance);
    }
    return least;
  }

  std::vector<DeformableDefinition> definitions;
  DeformableWorld world;
  TetrahedraLists tetrahedra;
};

// Bodies that touch within a step stop where they touch: whatever the speed, no body is ever inside
// another one, and stopped bodies do not move again.
TEST(Responses, BodiesThatTouchOnTheWayStandApart) {
  int frozen = 0;
  for (int i = 0; i < effort(60); ++i) {
    Random random(i, 3);
    Flock flock(random);
    for (int k = 0; k < 8; ++k) {
      const Places start = places_of(flock.world);
      const DeformableState before = flock.world.save();
      flock.world.step();
      const std::vector<double> times =
          first_contacts(flock.world, start, places_of(flock.world), 1);
      freeze(flock.world, start, times);
      EXPECT_TRUE(flock.world.crossings().empty()) << i << " " << k;
      for (std::size_t b = 0; b < start.size(); ++b) {
        // A body stops where it touches, not before.
        if (times[b] <= 1.0) {
          EXPECT_LT(flock.gap_about(b), 1e-9) << i << " " << k;
        }
      }
      for (const PointPenetration& p : flock.inside()) EXPECT_LT(p.depth, 1e-12) << i << " " << k;
      const DeformableState after = flock.world.save();
      std::size_t first = 0;
      for (std::size_t b = 0; b < start.size(); first += start[b].size(), ++b) {
        if (!is_frozen(before, first, start[b].size())) continue;
        EXPECT_EQ(places_of(flock.world)[b], start[b]) << i << " " << k;
        EXPECT_TRUE(is_frozen(after, first, start[b].size()));
      }
    }
    frozen += static_cast<int>(frozen_bodies(flock.world));
  }
  EXPECT_GT(frozen, effort(60));
}

// By the discrete test, bodies stop at the end of the step in which one is in the other, and no
// other bodies do.
TEST(Responses, TheDiscreteTestKnowsTheEndAlone) {
  for (int i = 0; i < effort(60); ++i) {
    Random random(i, 4);
    Flock flock(random);
    for (int k = 0; k < 8; ++k) {
      const Places start = places_of(flock.world);
      flock.world.step();
      const Places end = places_of(flock.world);
      const std::vector<PointPenetration> inside = flock.inside();
      const std::vector<double> times = contacts_at_end(inside, end.size());
      for (std::size_t b = 0; b < end.size(); ++b) {
        bool named = false;
        for (const PointPenetration& p : inside) named = named || p.body == b || p.other == b;
        EXPECT_EQ(times[b], named ? 1.0 : kNever);
      }
      freeze(flock.world, start, times);
      for (std::size_t b = 0; b < end.size(); ++b) {
        for (std::size_t v = 0; v < end[b].size(); ++v)
          EXPECT_LE(norm(places_of(flock.world)[b][v] - end[b][v]),
                    1e-12 * (1.0 + norm(end[b][v])));
      }
    }
  }
}

// Vertices leave by their depth, lose their velocity against that way and no other, and what is
// held or lies free stays.
TEST(Responses, VerticesLeaveByTheirDepth) {
  std::size_t moved = 0;
  for (int i = 0; i < effort(60); ++i) {
    Random random(i, 5);
    Flock flock(random);
    const Floor floor{{0.0, 0.0, 1.0}, random.uniform(-0.2, 0.05)};
    for (int k = 0; k < 8; ++k) {
      flock.world.step();
      const Places before = places_of(flock.world);
      const DeformableState fast = flock.world.save();
      const std::vector<PointPenetration> inside = flock.inside();
      const std::size_t count = push_out(flock.world, flock.tetrahedra, {});
      const DeformableState after = flock.world.save();
      std::vector<Vec3> wanted = fast.positions;
      std::vector<std::uint8_t> named(wanted.size(), 0);
      std::vector<std::size_t> first(1, 0);
      for (const auto& x : before) first.push_back(first.back() + x.size());
      for (const PointPenetration& p : inside) {
        const std::size_t v = first[p.body] + p.vertex;
        wanted[v] += p.direction * p.depth;
        named[v] = 1;
        EXPECT_LE(norm(after.velocities[v]), norm(fast.velocities[v]) * (1.0 + 1e-14));
      }
      EXPECT_EQ(after.positions, wanted);
      EXPECT_EQ(count, static_cast<std::size_t>(std::count(named.begin(), named.end(), 1)));
      for (std::size_t v = 0; v < wanted.size(); ++v) {
        if (named[v] == 0) {
          EXPECT_EQ(after.velocities[v], fast.velocities[v]);
        }
      }
      moved += count;
      push_out(flock.world, flock.tetrahedra, std::span(&floor, 1));
      for (const auto& x : places_of(flock.world)) {
        for (const Vec3& v : x) EXPECT_GE(v.z, floor.offset - 1e-12 * (1.0 + norm(v)));
      }
    }
  }
  EXPECT_GT(moved, 0u);
}

// A rounded box lies within the box and holds as many tetrahedra, all turned as they were.
TEST(TetrahedralBox, IsRoundedAsFarAsAsked) {
  for (int i = 0; i < effort(40); ++i) {
    Random random(i, 6);
    const Vec3 size{random.uniform(0.1, 3.0), random.uniform(0.1, 3.0), random.uniform(0.1, 3.0)};
    std::array<int, 3> cells{};
    for (int& n : cells) n = 1 + static_cast<int>(random.uniform(0.0, 9.0));
    const double round = i % 4 == 0 ? 0.9 : random.uniform(0.0, 0.9);
    const TetrahedralMesh plain = tetrahedral_box(size, cells),
                          made = tetrahedral_box(size, cells, round);
    EXPECT_EQ(made.tetrahedra, plain.tetrahedra);
    EXPECT_NO_THROW(validate(made)) << i;
    for (std::size_t v = 0; v < plain.vertices.size(); ++v) {
      const Vec3 &from = plain.vertices[v], &to = made.vertices[v];
      double out = 0.0;
      for (int k = 0; k < 3; ++k) {
        EXPECT_LE(std::fabs(to[k]), std::fabs(from[k]) * (1.0 + 1e-15));
        out = std::fmax(out, std::fabs(2.0 * from[k] / size[k]));
      }
      // All the way, the surface of a cube of that size becomes a ball of it.
      const Vec3 whole = from + (to - from) * (round > 0.0 ? 1.0 / round : 0.0);
      const Vec3 unit{2.0 * whole.x / size.x, 2.0 * whole.y / size.y, 2.0 * whole.z / size.z};
      if (round > 0.1 && out > 1.0 - 1e-12) {
        EXPECT_NEAR(norm(unit), 1.0, 1e-13);
      }
    }
  }
  EXPECT_EQ(test::refusal([] { tetrahedral_box({1, 1, 1}, {1, 1, 1}, 0.95); }),
            "roundness: must lie in [0, 0.9]");
}

}  // namespace
}  // namespace tactus::detail
