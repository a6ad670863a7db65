#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tactus/core/random.hpp"
#include "tactus/query.hpp"
#include "tactus/shape/access.hpp"
#include "tactus/world.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/meshes.hpp"
#include "tests/support/perturbation.hpp"
#include "tests/support/random_shapes.hpp"

// Laws of every patch: it stays the same for swapped bodies, for a moved pair and under noise.
namespace tactus::detail {
namespace {

struct Standing {
  Shape lower, upper;
  Pose pose;  ///< of the upper body
};

// Faces on faces, with random turns about the vertical and small tilts; discs lie level, as the
// deepest point of a tilted one is known no better than the search's tolerance.
Standing random_stack(Random& random) {
  const auto u = [&] { return random.uniform(0.4, 1.5); };
  const auto body = [&]() -> Shape {
    const double x = u(), y = u();
    switch (random.below(4)) {
      case 0:
        return Shape(Box({x, y, 1.0}), random.below(2) == 0 ? 0.0 : 0.1);
      case 1:
        return Cylinder(0.5 * x, 1.0);
      case 2: {
        std::vector<Vec3> corners;
        for (int i = 0; i < 7; ++i) {
          const Vec3 p{x * std::cos(0.9 * i), y * std::sin(0.9 * i), 0.5};
          corners.push_back(p);
          corners.push_back({p.x, p.y, -0.5});
        }
        return Convex(corners);
      }
      default:
        return Box({x, x, 1.0});
    }
  };
  const Shape lower = body(), upper = body();
  const auto rounding = [](const Shape& shape) { return core_of(shape).radius; };
  const bool disc = lower.type() == ShapeType::cylinder || upper.type() == ShapeType::cylinder;
  const double turn = random.uniform(0.0, 6.0), tilt = disc ? 0.0 : random.uniform(-0.01, 0.01);
  const double height = 1.0 + rounding(lower) + rounding(upper) - 0.01;
  const double x = random.uniform(-0.3, 0.3), y = random.uniform(-0.3, 0.3);
  const Quat about_z{std::cos(0.5 * turn), 0, 0, std::sin(0.5 * turn)};
  return {lower, upper, Pose(Vec3{x, y, height}, about_z * normalized(Quat{1, tilt, tilt, 0}))};
}

Manifold swapped(Manifold m) {
  for (ContactPoint& p : m.points) std::swap(p.point_a, p.point_b);
  return m;
}

TEST(ContactsProperty, SwappedBodiesHaveTheSamePoints) {
  Random random(41);
  for (int i = test::effort(400); i > 0; --i) {
    const Standing s = random_stack(random);
    const Manifold one = test::only_patch(s.lower, Pose(), s.upper, s.pose);
    const Manifold other = test::only_patch(s.upper, s.pose, s.lower, Pose());
    EXPECT_LE(test::farthest_move(one, swapped(other)), 2e-13);
  }
}

TEST(ContactsProperty, AMovedPairHasItsPointsMoved) {
  Random random(42);
  for (int i = test::effort(400); i > 0; --i) {
    const Standing s = random_stack(random);
    const auto v = [&] { return random.uniform(-1.0, 1.0); };
    const Vec3 place{v(), v(), v()};
    const Pose world(place, normalized(Quat{1.2, v(), v(), v()}));
    const Manifold here = test::only_patch(s.lower, Pose(), s.upper, s.pose);
    Manifold there = test::only_patch(s.lower, world, s.upper, world * s.pose);
    for (ContactPoint& p : there.points) {
      p.point_a = world.to_local(p.point_a);
      p.point_b = world.to_local(p.point_b);
    }
    EXPECT_LE(test::farthest_move(here, there), 2e-13);
  }
}

TEST(ContactsProperty, NoiseMovesNoPoint) {
  Random random(43);
  for (int i = test::effort(400); i > 0; --i) {
    Standing s = random_stack(random);
    const Vec3 level = s.pose.position();
    const double turn = 0.785398163397448309 * static_cast<double>(random.below(8));
    s.pose = Pose(level, Quat{std::cos(0.5 * turn), 0, 0, std::sin(0.5 * turn)});
    const Manifold still = test::only_patch(s.lower, Pose(), s.upper, s.pose);
    for (int k = 0; k < 5; ++k) {
      const Pose moved = test::perturbed(s.pose, 1e-9, random);
      EXPECT_LE(test::farthest_move(still, test::only_patch(s.lower, Pose(), s.upper, moved)),
                1e-6);
    }
  }
}

// A plate whose underside has many small bumps: three of them touch, and many are near.
TriangleMesh bumpy_plate() {
  constexpr std::uint32_t kCells = 12, kRow = kCells + 1;
  Random random(44);
  TriangleMesh mesh;
  for (const double z : {-0.15, 0.15}) {
    for (std::uint32_t i = 0; i < kRow * kRow; ++i) {
      const double bump = z < 0.0 ? random.uniform(0.0, 0.02) : 0.0;
      mesh.vertices.push_back(
          {1.0 * (i % kRow) / kCells - 0.5, 1.0 * (i / kRow) / kCells - 0.5, z + bump});
    }
  }
  const auto add = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
    mesh.triangles.push_back({a, b, c});
    mesh.triangles.push_back({a, c, d});
  };
  constexpr std::uint32_t kTop = kRow * kRow;
  for (std::uint32_t j = 0; j < kCells; ++j) {
    for (std::uint32_t i = 0; i < kCells; ++i) {
      const std::uint32_t a = j * kRow + i, b = a + 1, c = a + kRow + 1, d = a + kRow;
      add(a, d, c, b);
      add(a + kTop, b + kTop, c + kTop, d + kTop);
    }
    const std::uint32_t front = j, back = kCells * kRow + j, left = j * kRow,
                        right = j * kRow + kCells;
    add(front, front + 1, front + 1 + kTop, front + kTop);
    add(back + 1, back, back + kTop, back + 1 + kTop);
    add(left + kRow, left, left + kTop, left + kRow + kTop);
    add(right, right + kRow, right + kRow + kTop, right + kTop);
  }
  return mesh;
}

// Impulses at points that are not opposite each other would have a moment of their own: bodies with
// rounded corners that rolled over faces gained energy by it.
TEST(ContactsProperty, PointsLieOppositeEachOther) {
  Random random(47);
  for (int i = test::effort(3000); i > 0; --i) {
    std::vector<Shape> shapes = every_convex_shape(random);
    shapes.emplace_back(Box({4, 4, 1}));
    shapes.emplace_back(Convex(std::vector<Vec3>{{0, 0, 0}, {0.2, 0, 0}, {0, 0.2, 0}, {0, 0, 0.2}}),
                        0.2);
    const auto kinds = static_cast<std::uint32_t>(shapes.size());
    const Shape& a = shapes[random.below(kinds)];
    const Shape& b = shapes[random.below(kinds)];
    // Faces that lie on each other, to some degrees, in most.
    const double tilt = std::pow(10.0, random.uniform(-4.0, -1.0));
    const auto lean = [&] { return random.uniform(-tilt, tilt); };
    const Quat turn = random.below(3) == 0
                          ? random_rotation(random)
                          : normalized(Quat{1.0, lean(), lean(), random.uniform(-1.0, 1.0)});
    const Vec3 above{random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5), 2.5};
    const DistanceResult apart = distance(a, Pose(), b, Pose(above, turn));
    const double depth = random.uniform(-1e-3, 1e-3);
    const Pose pose(above - apart.normal * (apart.distance + depth), turn);
    const auto is_round = [](const Shape& shape) {
      return shape.type() == ShapeType::cylinder || shape.type() == ShapeType::cone;
    };
    // Polygons stand for discs.
    const double room = is_round(a) || is_round(b) ? 1e-3 : 1e-6;
    std::vector<Manifold> patches;
    contacts(a, Pose(), b, pose, patches);
    for (const Manifold& patch : patches) {
      for (int k = 0; k < patch.count; ++k) {
        const ContactPoint& p = patch.points[static_cast<std::size_t>(k)];
        EXPECT_LE(norm(p.point_a - p.point_b - patch.normal * p.depth), room)
            << to_string(a.type()) << " " << to_string(b.type()) << " " << i;
      }
    }
  }
}

TEST(ContactsProperty, ABumpyMeshComesToRest) {
  TriangleMesh floor;
  for (const auto& p : {Vec3{-3, -3, 0}, {3, -3, 0}, {3, 3, 0}, {-3, 3, 0}})
    floor.vertices.push_back(p);
  floor.triangles = {{0, 1, 2}, {0, 2, 3}};
  for (const Shape& ground : {Shape(HalfSpace({0, 0, 1}, 0.0)), Shape(Mesh(floor))}) {
    World world;
    BodyDefinition below{ground};
    below.type = BodyType::fixed;
    world.add(below);
    const Pose dropped(Vec3{0, 0, 0.5}, normalized(Quat{1, 0.1, 0.05, 0}));
    world.add(BodyDefinition{Mesh(bumpy_plate()), dropped});
    for (int step = 0; step < 300; ++step) world.step();
    for (int step = 0; step < 60; ++step) EXPECT_LT(world.step().rms_relative_speed, 8e-14);
  }
}

}  // namespace
}  // namespace tactus::detail
