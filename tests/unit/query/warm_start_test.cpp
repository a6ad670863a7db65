// Queries that start where the one before ended.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "tactus/check.hpp"
#include "tactus/query.hpp"
#include "tactus/query/plan/pair_state.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/random_shapes.hpp"

namespace tactus::detail {
namespace {

constexpr double kDegree = 3.14159265358979324 / 180.0;

/// Two bodies in steady relative motion, placed apart or in overlap again by each step.
struct Motion {
  Shape a, b;
  Pose pose_a, pose_b;
  Vec3 slide, axis;
  double turn = 0.5 * kDegree;

  void step(double separation) {
    const Vec3 half = axis * (0.5 * turn);
    const Quat q = normalized(Quat{1.0, half.x, half.y, half.z});
    pose_b = detail::unchecked_pose(pose_b.position() + slide, to_matrix(q) * pose_b.rotation());
    const DistanceResult d = distance(a, pose_a, b, pose_b);
    pose_b = detail::unchecked_pose(pose_b.position() - d.normal * (d.distance - separation),
                                    pose_b.rotation());
  }
};

Vec3 random_unit(Random& random) {
  return normalized(random_pose(random, 1.0).position(), {1.0, 0.0, 0.0});
}

Motion random_motion(Random& random, const Shape& a, const Shape& b) {
  const Pose pose_a = random_pose(random, 1.0);
  const Pose pose_b(pose_a.position() + random_unit(random) * 0.4, random_rotation(random));
  return {a, b, pose_a, pose_b, random_unit(random) * 0.004, random_unit(random)};
}

/// A true bracket, whose proof holds, about the same distance as the cold one.
void expect_sound(const Motion& m, const DistanceResult& warm, const Certificate& certificate) {
  const DistanceResult cold = distance(m.a, m.pose_a, m.b, m.pose_b);
  EXPECT_LE(warm.lower, cold.upper);
  EXPECT_GE(warm.upper, cold.lower);
  const CheckReport report = check(m.a, m.pose_a, m.b, m.pose_b, warm, &certificate);
  const bool custom = m.a.type() == ShapeType::custom || m.b.type() == ShapeType::custom;
  EXPECT_TRUE(custom ? !report.refuted() : report.ok) << report.failure;
}

DistanceResult ask(const Motion& m, Certificate& certificate, QueryCache* cache) {
  QueryOptions options;
  options.certificate = &certificate;
  return distance(m.a, m.pose_a, m.b, m.pose_b, options, cache);
}

TEST(WarmStart, WalksOfAllPairsGiveTheBracketsAndBitsOfTheirTruth) {
  Random random(41);
  const std::vector<Shape> shapes = every_convex_shape(random);
  Certificate certificate;
  for (const Shape& a : shapes) {
    for (const Shape& b : shapes) {
      SCOPED_TRACE(std::string(to_string(a.type())) + " " + std::string(to_string(b.type())));
      for (int walk = 0; walk < test::effort(2); ++walk) {
        Motion m = random_motion(random, a, b);
        QueryCache cache, twin;
        const double separation = random.uniform(-0.15, 0.05);
        for (int n = 0; n < 12; ++n) {
          // Across the touch and far away, so that every start is wrong once.
          m.step(n == 6 ? -separation : n == 9 ? 2.0 : separation);
          const DistanceResult warm = ask(m, certificate, &cache);
          expect_sound(m, warm, certificate);
          const DistanceResult again = ask(m, certificate, &twin);
          EXPECT_EQ(warm.lower, again.lower);
          EXPECT_EQ(warm.normal, again.normal);
          EXPECT_EQ(cache, twin);
        }
      }
    }
  }
}

// Mean of the support evaluations of steps that were made from a cache, over those from none.
double effort_of_warm_steps(Random& random, const Shape& a, const Shape& b, double separation) {
  long cold = 0, warm = 0;
  for (int walk = 0; walk < 10; ++walk) {
    Motion m = random_motion(random, a, b);
    QueryCache cache;
    for (int n = 0; n < 30; ++n) {
      m.step(separation);
      const int steps = distance(m.a, m.pose_a, m.b, m.pose_b, {}, &cache).iterations;
      if (n == 0) continue;
      warm += steps;
      cold += distance(m.a, m.pose_a, m.b, m.pose_b).iterations;
    }
  }
  return static_cast<double>(warm) / static_cast<double>(cold);
}

// Curved bodies that overlap gain the search, not the proof, which begins anew.
TEST(WarmStart, StepsOfAMotionCostLess) {
  Random random(42);
  const Shape hull = random_hull(random, 40), cylinder = Cylinder(0.3, 0.7), cone = Cone(0.4, 0.8),
              ellipsoid = Ellipsoid({0.5, 0.2, 0.4}), box = Box({0.8, 0.5, 0.6});
  for (const double separation : {-0.05, 0.1}) {
    EXPECT_LT(effort_of_warm_steps(random, hull, hull, separation), 0.35);
    EXPECT_LT(effort_of_warm_steps(random, hull, box, separation), 0.35);
    EXPECT_LT(effort_of_warm_steps(random, cylinder, cylinder, separation), 0.85);
    EXPECT_LT(effort_of_warm_steps(random, cone, box, separation), 0.85);
    EXPECT_LT(effort_of_warm_steps(random, ellipsoid, ellipsoid, separation), 0.6);
  }
}

// Support evaluations in the mean, without a cache and with that of another placement.
struct Effort {
  double cold = 0.0, stale = 0.0;
};

Effort effort_of_stale_caches(Random& random, const Shape& a, const Shape& b, bool sign) {
  constexpr int kPlacements = 300;
  Effort sum;
  QueryCache cache;
  for (int i = 0; i < kPlacements; ++i) {
    Motion m = random_motion(random, a, b);
    m.step(random.uniform(0.01, 0.5));
    const auto steps = [&](QueryCache* given) {
      return sign ? overlap(m.a, m.pose_a, m.b, m.pose_b, {}, given).proof.iterations
                  : distance(m.a, m.pose_a, m.b, m.pose_b, {}, given).iterations;
    };
    sum.cold += steps(nullptr);
    sum.stale += steps(&cache);
  }
  return {sum.cold / kPlacements, sum.stale / kPlacements};
}

TEST(WarmStart, StaleCachesAreNoticed) {
  Random random(44);
  const Shape hull = random_hull(random, 300), cylinder = Cylinder(0.3, 0.7), cone = Cone(0.4, 0.8),
              ellipsoid = Ellipsoid({0.5, 0.2, 0.4}), box = Box({0.8, 0.5, 0.6});
  for (const auto& [a, b] : {std::pair{&cylinder, &cylinder}, std::pair{&cone, &box},
                             std::pair{&ellipsoid, &ellipsoid}, std::pair{&hull, &hull}}) {
    SCOPED_TRACE(to_string(a->type()));
    const Effort distances = effort_of_stale_caches(random, *a, *b, false);
    EXPECT_LT(distances.stale, 1.2 * distances.cold);
    // Signs take one or two evaluations: here the first one tells.
    const Effort signs = effort_of_stale_caches(random, *a, *b, true);
    EXPECT_LT(signs.stale, signs.cold + 1.0);
  }
}

TEST(WarmStart, SurfacesAreKeptWhileHullsOverlap) {
  Random random(43);
  Motion m = random_motion(random, random_hull(random, 30), random_hull(random, 30));
  QueryCache cache;
  m.step(-0.1);
  distance(m.a, m.pose_a, m.b, m.pose_b, {}, &cache);
  EXPECT_TRUE(warm_start(cache).overlapping);
  const KeptSurface* const kept = warm_start(cache).surface.kept();
  ASSERT_NE(kept, nullptr);
  EXPECT_EQ(kept->face_count, 2 * kept->vertex_count - 4);
  // At unchanged poses the kept surface is the proof: one support point confirms it.
  QueryCache before = cache;
  EXPECT_EQ(distance(m.a, m.pose_a, m.b, m.pose_b, {}, &cache).iterations, 1);
  EXPECT_EQ(warm_start(cache).surface, warm_start(before).surface);
  m.step(0.1);
  distance(m.a, m.pose_a, m.b, m.pose_b, {}, &cache);
  EXPECT_FALSE(warm_start(cache).overlapping);
  EXPECT_EQ(warm_start(cache).surface.kept(), nullptr);
}

// A cache that belongs to another pair, or to none.
QueryCache damaged(Random& random, const QueryCache& good) {
  QueryCache bad = good;
  KeptSurface& s = warm_start(bad).surface.place();
  const auto any = [&](std::uint32_t below) { return random.below(below); };
  const std::uint32_t face = any(KeptSurface::kMaxFaces), corner = any(3);
  switch (any(10)) {
    case 0:  // too many
      for (auto& v : s.vertices) v = {static_cast<std::uint16_t>(any(40)), 0, {1, 0, 0}};
      for (auto& f : s.faces) f = {{0, 1, 2}, {1, 2, 3}};
      s.vertex_count = s.face_count = 60000;
      break;
    case 1:
      s.face_count = static_cast<std::uint16_t>(any(s.face_count + 1u));
      break;
    case 2:
      s.vertex_count = static_cast<std::uint16_t>(any(s.vertex_count + 1u));
      break;
    case 3:
      s.nearest = static_cast<std::uint16_t>(any(70));
      break;
    case 4:
      if (face < s.face_count) s.faces[face].neighbor[corner] = static_cast<std::uint8_t>(any(256));
      break;
    case 5:
      if (face < s.face_count) s.faces[face].vertex[corner] = static_cast<std::uint8_t>(any(256));
      break;
    case 6:  // one vertex for another
      for (std::uint32_t i = 0; i < s.vertex_count; ++i)
        if (any(4) == 0) s.vertices[i] = s.vertices[any(s.vertex_count)];
      break;
    case 7:
      for (std::uint32_t i = 0; i < s.vertex_count; ++i) {
        s.vertices[i].piece_a = static_cast<std::uint16_t>(any(30));
        s.vertices[i].direction = {static_cast<std::int16_t>(any(60000)), 0, -32768};
      }
      break;
    case 8:  // a face less, its neighbours joined
      if (face < s.face_count) s.faces[face] = s.faces[any(s.face_count)];
      break;
    default:
      warm_start(bad).direction = random_unit(random);
      warm_start(bad).turn = random_unit(random) * random.uniform(0.0, 0.2);
      warm_start(bad).count = static_cast<std::int32_t>(any(5));
      for (std::uint32_t& piece : warm_start(bad).piece_a) piece = any(1000);
      warm_start(bad).overlapping = !warm_start(bad).overlapping;
  }
  return bad;
}

TEST(WarmStart, WrongCachesNeverChangeTheTruth) {
  Random random(44);
  std::vector<Shape> shapes = every_convex_shape(random);
  shapes.push_back(random_hull(random, 8));
  shapes.push_back(random_hull(random, 300));
  const auto count = static_cast<std::uint32_t>(shapes.size());
  Certificate certificate;
  for (int n = 0; n < test::effort(3000); ++n) {
    Motion m = random_motion(random, shapes[random.below(count)], shapes[random.below(count)]);
    m.step(random.uniform(-0.2, 0.02));
    QueryCache cache;
    distance(m.a, m.pose_a, m.b, m.pose_b, {}, &cache);
    if (n % 4 == 0) {
      // Swapped, or of other shapes in the same place.
      if (n % 8 == 0) {
        std::swap(m.a, m.b);
        std::swap(m.pose_a, m.pose_b);
      } else {
        m.a = shapes[random.below(count)];
        m.b = shapes[random.below(count)];
      }
    } else {
      cache = damaged(random, cache);
    }
    if (n % 3 != 0) m.step(random.uniform(-0.2, 0.02));
    QueryCache copy = cache;
    const OverlapResult o = overlap(m.a, m.pose_a, m.b, m.pose_b, {}, &copy);
    const DistanceResult warm = ask(m, certificate, &cache);
    expect_sound(m, warm, certificate);
    if (o.overlap == Overlap::yes) {
      EXPECT_LE(warm.lower, 0.0);
    }
    if (o.overlap == Overlap::no) {
      EXPECT_GE(warm.upper, 0.0);
    }
    if (testing::Test::HasFailure()) FAIL() << n;
  }
}

}  // namespace
}  // namespace tactus::detail
