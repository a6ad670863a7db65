#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tactus/check.hpp"
#include "tactus/query.hpp"
#include "tactus/shape.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/meshes.hpp"
#include "tests/support/random_shapes.hpp"

// Laws of every time of impact, whatever the answer is; judged by `distance` on the way.
namespace tactus::detail {
namespace {

constexpr double kRounding = 1e-12;  // of a length of about 1, turned by some radians

struct Case {
  Shape a;
  Pose pose_a;
  RigidMotion motion_a;
  Shape b;
  Pose pose_b;
  RigidMotion motion_b;

  CastResult ask(const QueryOptions& options = {}) const {
    return impact(a, pose_a, motion_a, b, pose_b, motion_b, options);
  }
  DistanceResult at(double t) const {
    return distance(a, pose_at(pose_a, motion_a, t), b, pose_at(pose_b, motion_b, t));
  }
  bool has_mesh() const { return a.type() == ShapeType::mesh || b.type() == ShapeType::mesh; }
  bool is_custom() const { return a.type() == ShapeType::custom || b.type() == ShapeType::custom; }
};

Vec3 random_vec(Random& random, double reach) {
  const double x = random.uniform(-reach, reach);
  const double y = random.uniform(-reach, reach);
  const double z = random.uniform(-reach, reach);
  return {x, y, z};
}

// Bodies of every kind that start some sizes apart; half of them fly at each other.
Case random_case(Random& random, double turn) {
  std::vector<Shape> shapes = every_convex_shape(random);
  shapes.push_back(Compound(
      {{Sphere(0.3), random_pose(random, 0.4)}, {Box({0.4, 0.3, 0.6}), random_pose(random, 0.4)}}));
  shapes.push_back(Mesh(test::bumpy_mesh(1, 0.3, random)));
  shapes.push_back(HalfSpace(normalized(random_vec(random, 1.0)), -0.5));
  const auto pick = [&] { return random.below(static_cast<std::uint32_t>(shapes.size())); };
  const std::uint32_t a = pick();
  std::uint32_t b = pick();
  while (shapes[b].type() == ShapeType::halfspace) b = pick();
  const auto pose = [&] { return random_pose(random, 1.5); };
  const auto motion = [&] {
    const Vec3 linear = random_vec(random, 1.0);
    return RigidMotion{linear, random_vec(random, turn)};
  };
  const Pose pose_a = pose(), pose_b = pose();
  const RigidMotion motion_a = motion(), motion_b = motion();
  Case c{shapes[a], pose_a, motion_a, shapes[b], pose_b, motion_b};
  if (random.below(2) == 0) {
    const Vec3 between = c.pose_b.position() - c.pose_a.position();
    c.motion_a.linear = c.motion_b.linear + between + random_vec(random, 0.5);
  }
  return c;
}

template <class Body>
void for_cases(std::uint64_t seed, int count, double turn, Body body) {
  for (int i = 0; i < test::effort(count); ++i) {
    Random random(seed * 1000003 + static_cast<std::uint64_t>(i));
    const Case c = random_case(random, turn);
    SCOPED_TRACE(testing::Message() << "seed " << seed << " case " << i << " "
                                    << to_string(c.a.type()) << " " << to_string(c.b.type()));
    body(c, random);
    if (testing::Test::HasFailure()) return;
  }
}

// Two brackets of the same time.
void expect_same_truth(const CastResult& x, const CastResult& y, double slack) {
  if (x.hit == Overlap::undecided || y.hit == Overlap::undecided) return;
  EXPECT_EQ(x.hit, y.hit);
  if (x.hit != Overlap::yes || y.hit != Overlap::yes) return;
  EXPECT_LE(x.time, y.time_upper + slack);
  EXPECT_LE(y.time, x.time_upper + slack);
}

// Poses that went through a rotation carry its rounding, which a slow approach turns into time.
double time_slack(const Case& c, const CastResult& r) {
  if (r.hit == Overlap::no) return 1.0;
  const double t = std::min(r.time, 1.0);
  const Vec3 arm_a = r.point_a - pose_at(c.pose_a, c.motion_a, t).position();
  const Vec3 arm_b = r.point_b - pose_at(c.pose_b, c.motion_b, t).position();
  const double speed =
      dot(r.normal, velocity_at(c.motion_a, arm_a) - velocity_at(c.motion_b, arm_b));
  return speed > 1e-3 ? 100.0 * kRounding / speed : 1.0;
}

TEST(ImpactProperty, IsNeverLateAndTouchesAtItsUpperTime) {
  for (const double turn : {1.0, 6.0, 60.0}) {
    int hits = 0, misses = 0, undecided = 0, most = 0;
    for_cases(1, 500, turn, [&](const Case& c, Random& random) {
      Certificate certificate;
      QueryOptions options;
      options.certificate = &certificate;
      const CastResult r = c.ask(options);
      const double slack = kRounding * (1.0 + turn);
      const double end = std::min(r.time, 1.0);
      for (int k = 0; k < 40 && end > 0.0; ++k) {
        // Some denser towards the contact.
        const double u = random.uniform();
        EXPECT_GE(c.at(end * (k % 2 == 0 ? u : 1.0 - u * u * u)).upper, -slack);
      }
      hits += r.hit == Overlap::yes;
      misses += r.hit == Overlap::no;
      undecided += r.hit == Overlap::undecided;
      if (c.a.is_convex_body() && c.b.is_convex_body()) most = std::max(most, r.iterations);
      const CheckReport report =
          check(c.a, c.pose_a, c.motion_a, c.b, c.pose_b, c.motion_b, r, &certificate);
      EXPECT_FALSE(report.refuted()) << report.failure;
      if (c.is_custom()) return;
      if (r.hit != Overlap::no) {
        EXPECT_EQ(report[Claim::time], Proof::proved) << report.failure;
      } else {
        EXPECT_EQ(report[Claim::verdict], Proof::proved) << report.failure;
      }
      // Which triangles touch is not said, and where meshes overlap the points mark the place.
      EXPECT_TRUE(report.ok || c.has_mesh()) << report.failure;
      if (r.hit != Overlap::yes) return;
      EXPECT_LE(c.at(r.time_upper).lower, slack);
      if (r.time > 0.0 && !c.is_custom()) {
        EXPECT_LE(c.at(r.time).lower, slack);
      }
    });
    EXPECT_GT(hits, test::effort(500) / 5);
    EXPECT_GT(misses, test::effort(500) / 8);
    EXPECT_EQ(undecided, 0);
    EXPECT_LE(most, 400);
  }
}

TEST(ImpactProperty, WithoutTurningItIsACast) {
  for_cases(2, 500, 0.0, [](const Case& c, Random&) {
    const CastResult r = cast(c.a, c.pose_a, c.motion_a.linear, c.b, c.pose_b, c.motion_b.linear);
    if (r.status == Status::unsupported) return;
    expect_same_truth(c.ask(), r, time_slack(c, r));
  });
}

TEST(ImpactProperty, SwappingTheBodiesSwapsTheAnswer) {
  for_cases(3, 300, 4.0, [](const Case& c, Random&) {
    const CastResult r = c.ask();
    const CastResult s = impact(c.b, c.pose_b, c.motion_b, c.a, c.pose_a, c.motion_a);
    expect_same_truth(r, s, time_slack(c, r));
    if (r.hit == Overlap::yes && r.unique && s.unique && !c.is_custom() && r.time > 0.0) {
      EXPECT_LT(norm(r.point_a - s.point_b), 5e-11);
    }
  });
}

TEST(ImpactProperty, ARigidMotionOfAllChangesNothing) {
  for_cases(4, 300, 4.0, [](const Case& c, Random& random) {
    const Pose frame = random_pose(random, 3.0);
    const auto turned = [&](const RigidMotion& m) {
      return RigidMotion{frame.direction_to_world(m.linear), frame.direction_to_world(m.angular)};
    };
    Case moved = c;
    moved.pose_a = frame * c.pose_a;
    moved.pose_b = frame * c.pose_b;
    moved.motion_a = turned(c.motion_a);
    moved.motion_b = turned(c.motion_b);
    const CastResult r = c.ask();
    expect_same_truth(r, moved.ask(), time_slack(c, r));
  });
}

TEST(ImpactProperty, BothTurningAboutOnePointIsNotTurning) {
  // B goes round A's origin as A turns, which its own velocities cannot say unless both share their
  // origin; then nothing moves against each other.
  for_cases(5, 300, 4.0, [](const Case& c, Random& random) {
    if (c.a.type() == ShapeType::halfspace) return;
    const Vec3 spin = random_vec(random, 20.0);
    const Shape other = Compound({{Sphere(0.2), Pose::translation(random_vec(random, 1.0))}});
    const Pose at = detail::unchecked_pose(c.pose_a.position(), c.pose_b.rotation());
    const double apart = distance(c.a, c.pose_a, other, at).distance;
    const CastResult r = impact(c.a, c.pose_a, {{1, 2, 3}, spin}, other, at, {{1, 2, 3}, spin});
    if (apart > 1e-6) {
      EXPECT_EQ(r.hit, Overlap::no);
    } else if (apart < -1e-6) {
      EXPECT_EQ(r.hit, Overlap::yes);
      EXPECT_EQ(r.time, 0.0);
    }
  });
}

TEST(ImpactProperty, ScaledLengthsKeepTheTime) {
  for_cases(6, 300, 4.0, [](const Case& c, Random& random) {
    if (c.is_custom() || !c.a.is_convex_body() || !c.b.is_convex_body()) return;
    const double factor = std::ldexp(1.0, static_cast<int>(random.below(60)) - 30);
    const auto larger = [factor](const Pose& pose) {
      return detail::unchecked_pose(pose.position() * factor, pose.rotation());
    };
    const auto faster = [factor](const RigidMotion& m) {
      return RigidMotion{m.linear * factor, m.angular};
    };
    const Case other{scaled(c.a, factor), larger(c.pose_a), faster(c.motion_a),
                     scaled(c.b, factor), larger(c.pose_b), faster(c.motion_b)};
    const CastResult r = c.ask(), s = other.ask();
    EXPECT_EQ(r.hit, s.hit);
    EXPECT_EQ(r.time, s.time);
    EXPECT_EQ(r.time_upper, s.time_upper);
    EXPECT_EQ(r.normal, s.normal);
    EXPECT_EQ(r.iterations, s.iterations);
  });
}

TEST(ImpactProperty, HalfTheMotionTakesTwiceTheTime) {
  for_cases(7, 300, 4.0, [](const Case& c, Random&) {
    const CastResult r = c.ask();
    Case slower = c;
    for (RigidMotion* m : {&slower.motion_a, &slower.motion_b}) {
      m->linear *= 0.5;
      m->angular *= 0.5;
    }
    CastResult s = slower.ask();
    if (s.hit == Overlap::no) {
      EXPECT_TRUE(r.hit != Overlap::yes || r.time_upper >= 0.5);
      return;
    }
    s.time *= 0.5;
    s.time_upper *= 0.5;
    expect_same_truth(r, s, time_slack(c, r));
  });
}

TEST(ImpactProperty, AMeshOfAHullIsTheHull) {
  for_cases(8, 200, 4.0, [](const Case& c, Random& random) {
    TriangleMesh mesh = test::sphere_mesh(1);
    const Vec3 radii{random.uniform(0.2, 1.0), random.uniform(0.2, 1.0), random.uniform(0.2, 1.0)};
    for (Vec3& v : mesh.vertices) v = component_product(v, radii);
    Case hull = c, surface = c;
    hull.b = Convex(mesh.vertices);
    surface.b = Mesh(mesh);
    const CastResult r = hull.ask(), s = surface.ask();
    expect_same_truth(r, s, std::max(time_slack(hull, r), time_slack(surface, s)));
  });
}

}  // namespace
}  // namespace tactus::detail
