#include <gtest/gtest.h>

#include <cmath>

#include "tactus/check.hpp"
#include "tactus/query.hpp"
#include "tactus/query/plan/pair_state.hpp"
#include "tactus/shape.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/random_shapes.hpp"

// Laws of every cast, whatever the answer is; judged by `distance` along the motion.
namespace tactus::detail {
namespace {

constexpr double kRounding = 1e-13;  // of a length of about 1

struct Case {
  Shape a;
  Pose pose_a;
  Vec3 motion_a;
  Shape b;
  Pose pose_b;
  Vec3 motion_b;

  CastResult ask(const QueryOptions& options = {}) const {
    return cast(a, pose_a, motion_a, b, pose_b, motion_b, options);
  }
  DistanceResult at(double t) const {
    const auto moved = [t](const Pose& pose, const Vec3& motion) {
      return detail::unchecked_pose(pose.position() + motion * t, pose.rotation());
    };
    return distance(a, moved(pose_a, motion_a), b, moved(pose_b, motion_b));
  }
  bool is_custom() const { return a.type() == ShapeType::custom || b.type() == ShapeType::custom; }
};

Vec3 random_vec(Random& random, double reach) {
  const double x = random.uniform(-reach, reach);
  const double y = random.uniform(-reach, reach);
  const double z = random.uniform(-reach, reach);
  return {x, y, z};
}

// Bodies of every kind that start some sizes apart; half of them fly at each other.
Case random_case(Random& random) {
  std::vector<Shape> shapes = every_convex_shape(random);
  shapes.push_back(Compound(
      {{Sphere(0.3), random_pose(random, 0.4)}, {Box({0.4, 0.3, 0.6}), random_pose(random, 0.4)}}));
  shapes.push_back(HalfSpace(normalized(random_vec(random, 1.0)), -0.5));
  const auto pick = [&] { return random.below(static_cast<std::uint32_t>(shapes.size())); };
  const std::uint32_t a = pick();
  std::uint32_t b = pick();
  while (shapes[b].type() == ShapeType::halfspace) b = pick();
  Case c{shapes[a], random_pose(random, 1.5), random_vec(random, 1.0),
         shapes[b], random_pose(random, 1.5), random_vec(random, 1.0)};
  if (random.below(2) == 0) {
    const Vec3 between = c.pose_b.position() - c.pose_a.position();
    c.motion_a = c.motion_b + between + random_vec(random, 0.5);
  }
  return c;
}

template <class Body>
void for_cases(std::uint64_t seed, int count, Body body) {
  for (int i = 0; i < test::effort(count); ++i) {
    Random random(seed * 1000003 + static_cast<std::uint64_t>(i));
    const Case c = random_case(random);
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
  const double speed = dot(r.normal, c.motion_a - c.motion_b);
  return speed > 0.0 ? kRounding / speed : 1.0;
}

TEST(CastProperty, IsNeverLateAndTouchesAtItsUpperTime) {
  int hits = 0, misses = 0, undecided = 0, unshown = 0;
  double worst = 0.0;
  for_cases(1, 3000, [&](const Case& c, Random& random) {
    Certificate certificate;
    QueryOptions options;
    options.certificate = &certificate;
    const CastResult r = c.ask(options);
    const double end = std::min(r.time, 1.0);
    for (int k = 0; k < 12 && end > 0.0; ++k) {
      // Denser towards the contact.
      const double u = random.uniform();
      EXPECT_GE(c.at(end * (1.0 - u * u * u)).upper, -kRounding);
    }
    if (end > 0.0) {
      EXPECT_GE(c.at(end).upper, -kRounding);
    }
    hits += r.hit == Overlap::yes;
    misses += r.hit == Overlap::no;
    undecided += r.hit == Overlap::undecided;
    if (r.hit != Overlap::yes) return;
    EXPECT_LE(c.at(r.time_upper).lower, kRounding);
    // The width is what rounding makes of the position, seen along the direction of approach.
    const double approach = dot(r.normal, c.motion_a - c.motion_b);
    if (!c.is_custom() && r.time > 0.0) worst = std::max(worst, (r.time_upper - r.time) * approach);
    const CheckReport report =
        check(c.a, c.pose_a, c.motion_a, c.b, c.pose_b, c.motion_b, r, &certificate);
    if (c.is_custom() || !(r.time > 0.0)) return;
    EXPECT_FALSE(report.refuted()) << report.failure;
    EXPECT_EQ(report[Claim::time], Proof::proved) << report.failure;
    // A touch by roundings of curved bodies is not always shown by the points that are tried.
    unshown += report.ok ? 0 : 1;
  });
  EXPECT_LE(unshown, 1 + hits / 500);
  EXPECT_LT(worst, 3e-12);
  EXPECT_GT(hits, test::effort(3000) / 5);
  EXPECT_GT(misses, test::effort(3000) / 5);
  EXPECT_EQ(undecided, 0);
}

TEST(CastProperty, SwappingTheBodiesSwapsTheAnswer) {
  for_cases(2, 1000, [](const Case& c, Random&) {
    const CastResult r = c.ask();
    const CastResult s = cast(c.b, c.pose_b, c.motion_b, c.a, c.pose_a, c.motion_a);
    expect_same_truth(r, s, time_slack(c, r));
    EXPECT_EQ(r.part_a, s.part_b);
    if (r.hit == Overlap::yes && r.unique && s.unique && !c.is_custom() && r.time > 0.0) {
      EXPECT_LT(norm(r.normal + s.normal), 1e-6);
    }
  });
}

TEST(CastProperty, ARigidMotionOfAllChangesNothing) {
  for_cases(3, 1000, [](const Case& c, Random& random) {
    const Pose frame = random_pose(random, 3.0);
    Case moved = c;
    moved.pose_a = frame * c.pose_a;
    moved.pose_b = frame * c.pose_b;
    moved.motion_a = frame.direction_to_world(c.motion_a);
    moved.motion_b = frame.direction_to_world(c.motion_b);
    const CastResult r = c.ask();
    expect_same_truth(r, moved.ask(), 10.0 * time_slack(c, r));
  });
}

TEST(CastProperty, ACommonMotionChangesNothing) {
  for_cases(4, 1000, [](const Case& c, Random& random) {
    const Vec3 drift = random_vec(random, 2.0);
    Case drifting = c;
    drifting.motion_a = c.motion_a + drift;
    drifting.motion_b = c.motion_b + drift;
    const CastResult r = c.ask();
    expect_same_truth(r, drifting.ask(), 10.0 * time_slack(c, r));
  });
}

TEST(CastProperty, ScaledLengthsKeepTheTime) {
  for_cases(5, 1000, [](const Case& c, Random& random) {
    if (c.is_custom()) return;
    const double factor = std::ldexp(1.0, static_cast<int>(random.below(60)) - 30);
    const auto larger = [factor](const Pose& pose) {
      return detail::unchecked_pose(pose.position() * factor, pose.rotation());
    };
    const Case other{scaled(c.a, factor), larger(c.pose_a), c.motion_a * factor,
                     scaled(c.b, factor), larger(c.pose_b), c.motion_b * factor};
    const CastResult r = c.ask(), s = other.ask();
    EXPECT_EQ(r.hit, s.hit);
    // The normal of a half-space is normalised again.
    if (c.a.type() == ShapeType::halfspace) return expect_same_truth(r, s, 0.0);
    EXPECT_EQ(r.time, s.time);
    EXPECT_EQ(r.time_upper, s.time_upper);
    EXPECT_EQ(r.normal, s.normal);
  });
}

TEST(CastProperty, HalfTheMotionTakesTwiceTheTime) {
  for_cases(6, 1000, [](const Case& c, Random&) {
    const CastResult r = c.ask();
    Case slower = c;
    slower.motion_a = c.motion_a * 0.5;
    slower.motion_b = c.motion_b * 0.5;
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

TEST(CastProperty, BackwardsTheLastContactComesFirst) {
  // The times at which convex bodies overlap form an interval; run backwards it is entered at its
  // other end.
  for_cases(7, 1000, [](const Case& c, Random&) {
    if (!c.a.is_convex_body() || !c.b.is_convex_body()) return;
    const CastResult forth = c.ask();
    Case back = c;
    back.pose_a = detail::unchecked_pose(c.pose_a.position() + c.motion_a, c.pose_a.rotation());
    back.pose_b = detail::unchecked_pose(c.pose_b.position() + c.motion_b, c.pose_b.rotation());
    back.motion_a = -c.motion_a;
    back.motion_b = -c.motion_b;
    const CastResult r = back.ask();
    if (forth.hit == Overlap::undecided || r.hit == Overlap::undecided) return;
    EXPECT_EQ(forth.hit, r.hit);
    if (forth.hit != Overlap::yes) return;
    EXPECT_LE(forth.time, 1.0 - r.time + kRounding);
    const double middle = 0.5 * (forth.time_upper + (1.0 - r.time_upper));
    EXPECT_LE(c.at(middle).lower, kRounding);
  });
}

TEST(CastProperty, ACacheAndFewIterationsNeverChangeTheTruth) {
  for_cases(8, 500, [](const Case& c, Random& random) {
    const CastResult r = c.ask();
    QueryCache cache;
    warm_start(cache).direction = normalized(random_vec(random, 1.0));
    expect_same_truth(r, cast(c.a, c.pose_a, c.motion_a, c.b, c.pose_b, c.motion_b, {}, &cache),
                      0.0);
    QueryOptions few;
    few.max_iterations = 1 + static_cast<int>(random.below(6));
    expect_same_truth(r, c.ask(few), 0.0);
    QueryOptions searched;
    searched.method = Method::gjk;
    expect_same_truth(r, c.ask(searched), 0.0);
  });
}

TEST(CastProperty, RaysAreCastsOfAPoint) {
  Random random(12);
  for (int i = 0; i < test::effort(1000); ++i) {
    const Case c = random_case(random);
    const Vec3 origin = random_vec(random, 2.0);
    const Vec3 direction = c.pose_b.position() + random_vec(random, 0.4) - origin;
    const CastResult ray = ray_cast(c.b, c.pose_b, origin, direction, 1.0);
    const CastResult moved =
        cast(c.b, c.pose_b, {}, Sphere(0.0), Pose::translation(origin), direction);
    expect_same_truth(ray, moved, 0.0);
  }
}

}  // namespace
}  // namespace tactus::detail
