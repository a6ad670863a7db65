#include <gtest/gtest.h>

#include <cmath>

#include "tactus/check.hpp"
#include "tactus/core/constants.hpp"
#include "tactus/query.hpp"
#include "tests/support/random_shapes.hpp"

namespace tactus::detail {
namespace {

const Vec3 kStill{};

void expect_hit(const CastResult& r, double time, const Vec3& normal, double width = 1e-12) {
  EXPECT_EQ(r.hit, Overlap::yes);
  EXPECT_EQ(r.status, Status::converged);
  EXPECT_LE(r.time, time + 1e-16);
  EXPECT_GE(r.time_upper, time - 1e-16);
  EXPECT_LE(r.time_upper - r.time, width);
  EXPECT_LT(norm(r.normal - normal), 2e-11);
}

void expect_miss(const CastResult& r) {
  EXPECT_EQ(r.hit, Overlap::no);
  EXPECT_EQ(r.status, Status::converged);
  EXPECT_EQ(r.time, kInfinity);
  EXPECT_EQ(r.time_upper, kInfinity);
}

TEST(Cast, SphereAgainstTheFaceEdgeAndCornerOfABox) {
  const Shape ball = Sphere(0.5);
  const Shape box = Box({2, 2, 2});
  const auto toward = [&](const Vec3& from, const Vec3& motion) {
    return cast(box, Pose(), kStill, ball, Pose::translation(from), motion);
  };
  expect_hit(toward({4, 0.3, 0.2}, {-5, 0, 0}), 0.5, {1, 0, 0});
  const double r = std::sqrt(0.5);
  expect_hit(toward({3, 3, 0.2}, {-4, -4, 0}), (2.0 - 0.5 * r) / 4.0, {r, r, 0});
  const double q = 1.0 / std::sqrt(3.0);
  expect_hit(toward({3, 3, 3}, {-4, -4, -4}), (2.0 - 0.5 * q) / 4.0, {q, q, q});
  // Past the corner within the radius of it, off its diagonal.
  const double h = std::sqrt(0.25 - 0.09 - 0.04);
  expect_hit(toward({1.3, 1.2, 5}, {0, 0, -8}), (4.0 - h) / 8.0, Vec3{0.3, 0.2, h} * 2.0);
  expect_miss(toward({1.4, 1.4, 5}, {0, 0, -8}));
  expect_miss(toward({4, 0, 0}, {-2.49, 0, 0}));
  expect_miss(toward({4, 0, 0}, {5, 0, 0}));
}

TEST(Cast, BothBodiesMove) {
  const Shape a = Box({1, 1, 1});
  const Shape b = Cylinder(0.5, 1.0);
  const CastResult r = cast(a, Pose(), {2, 7, 0}, b, Pose::translation({5, 0, 0}), {-6, 7, 0});
  expect_hit(r, 0.5, {1, 0, 0}, 1e-11);
  EXPECT_NEAR(r.point_a.x, 1.5, 1e-12);
  EXPECT_NEAR(r.point_b.x, 1.5, 1e-12);
  // The witnesses are those of the moved bodies: anywhere on the line along z that touches, and
  // beside it by the root of what the time may be early, 2 * 0.5 * 1e-11 at most.
  EXPECT_NEAR(r.point_b.y, 3.5, 5e-12);
  EXPECT_LE(std::fabs(r.point_b.z), 0.5);
}

TEST(Cast, PolytopesThatMeetAtCornersAndEdges) {
  const Shape box = Box({1, 1, 1});
  // Equal boxes in line: whole faces meet.
  expect_hit(cast(box, Pose(), {4, 0, 0}, box, Pose::translation({3, 0, 0}), kStill), 0.5,
             {1, 0, 0});
  // A corner exactly at a corner, coming along the diagonal.
  const CastResult corner = cast(box, Pose(), {4, 4, 4}, box, Pose::translation({3, 3, 3}), kStill);
  EXPECT_EQ(corner.hit, Overlap::yes);
  EXPECT_NEAR(corner.time, 0.5, 1e-12);
  EXPECT_GE(corner.time_upper, 0.5);
  EXPECT_LT(corner.time_upper - corner.time, 1e-12);
  // Edge across edge, both turned by 45 degrees.
  const double h = std::sqrt(0.5);
  const Pose up(Vec3{0, 0, 3}, normalized(Quat{1, 0, std::tan(std::atan(1.0) / 2), 0}));
  const Pose down(Vec3{}, normalized(Quat{1, std::tan(std::atan(1.0) / 2), 0, 0}));
  expect_hit(cast(box, down, kStill, box, up, {0, 0, -4}), (3.0 - 2.0 * h) / 4.0, {0, 0, 1});
}

TEST(Cast, OverlapAtTheStartIsAHitAtZeroWithTheDepth) {
  const Shape a = Box({2, 2, 2});
  const Shape b = Sphere(0.5);
  for (const Vec3& motion : {Vec3{1, 0, 0}, Vec3{-1, 0, 0}, Vec3{}}) {
    const CastResult r = cast(a, Pose(), kStill, b, Pose::translation({1.25, 0, 0}), motion);
    expect_hit(r, 0.0, {1, 0, 0}, 0.0);
    EXPECT_NEAR(r.distance, -0.25, 1e-15);
    EXPECT_NEAR(norm(r.point_b - r.point_a), 0.25, 1e-15);
  }
}

TEST(Cast, TouchAtTheStart) {
  // Going into each other it is a contact at 0; leaving and sliding come no nearer than rounding.
  const Shape bodies[] = {Box({2, 2, 2}), Sphere(1.0), Cylinder(1.0, 2.0), Capsule(1.0, 0.0)};
  for (const Shape& a : bodies) {
    for (const Shape& b : bodies) {
      const Pose beside = Pose::translation({2, 0, 0});
      const CastResult into = cast(a, Pose(), {1, 0, 0}, b, beside, kStill);
      EXPECT_EQ(into.hit, Overlap::yes);
      EXPECT_EQ(into.time, 0.0);
      EXPECT_LT(into.time_upper, 1e-12);
      EXPECT_LT(norm(into.normal - Vec3{1, 0, 0}), 2e-15);
      for (const Vec3& motion : {Vec3{-1, 0, 0}, Vec3{0, 0, 1}, Vec3{}}) {
        const CastResult r = cast(a, Pose(), motion, b, beside, kStill);
        EXPECT_NE(r.hit, Overlap::no) << to_string(a.type()) << " " << to_string(b.type());
        EXPECT_EQ(r.time, 0.0);
      }
      EXPECT_EQ(cast(a, Pose(), {-1, 0, 0}, b, beside, kStill).hit, Overlap::undecided);
    }
  }
}

TEST(Cast, GrazingEnds) {
  // Bodies that pass at no distance at all, at a hair's distance, and with a hair of overlap.
  const Shape bodies[] = {Sphere(0.5), Capsule(0.5, 1.0), Cylinder(0.5, 1.0),
                          Ellipsoid({0.5, 0.4, 0.3})};
  for (const Shape& a : bodies) {
    for (const double hair : {1e-9, -1e-9, 0.0}) {
      const double height = 0.5 + 0.5 + hair;
      const CastResult r = cast(a, Pose::translation({-2, 0, 0}), {4, 0, 0}, Box({1, 1, 1}),
                                Pose::translation({0, height, 0}), kStill);
      const bool round = a.type() != ShapeType::ellipsoid;
      if (hair > 0.0 || !round) expect_miss(r);
      if (hair < 0.0 && round) {
        EXPECT_EQ(r.hit, Overlap::yes) << to_string(a.type());
      }
      if (hair == 0.0 && round) {
        EXPECT_NE(r.hit, Overlap::no);
        EXPECT_LE(r.time, 0.5);
      }
      EXPECT_LT(r.iterations, 3000);
    }
  }
}

TEST(Cast, ThinPlatesAreNotTunnelledThrough) {
  const Shape plate = Box({10, 10, 1e-6});
  const Shape bullet = Capsule(0.01, 0.05);
  const CastResult r =
      cast(plate, Pose(), kStill, bullet, Pose::translation({0.3, 0.2, 50}), {0, 0, -1000});
  expect_hit(r, (50.0 - 0.035 - 0.5e-6) / 1000.0, {0, 0, 1});
}

TEST(Cast, HalfSpaces) {
  const Shape floor = HalfSpace({0, 0, 1}, 1.0);
  const Shape cone = Cone(0.5, 1.0);
  expect_hit(cast(floor, Pose(), kStill, cone, Pose::translation({0, 0, 5}), {3, 0, -7}), 0.5,
             {0, 0, 1});
  expect_hit(cast(cone, Pose::translation({0, 0, 5}), {3, 0, -7}, floor, Pose(), kStill), 0.5,
             {0, 0, -1});
  expect_miss(cast(floor, Pose(), kStill, cone, Pose::translation({0, 0, 5}), {3, 0, 0}));
  expect_hit(cast(floor, Pose(), kStill, cone, Pose::translation({0, 0, 1}), {3, 0, 9}), 0.0,
             {0, 0, 1}, 0.0);
}

TEST(Cast, CompoundsTouchWithTheirFirstParts) {
  const Compound dumbbell(
      {{Sphere(0.5), Pose::translation({-2, 0, 0})}, {Sphere(0.5), Pose::translation({2, 0, 0})}});
  const Shape box = Box({1, 1, 1});
  const CastResult r = cast(dumbbell, Pose(), {4, 0, 0}, box, Pose::translation({5, 0, 0}), kStill);
  expect_hit(r, 0.5, {1, 0, 0});
  EXPECT_EQ(r.part_a, 1);
  EXPECT_EQ(r.part_b, -1);
  const CastResult back =
      cast(box, Pose::translation({5, 0, 0}), kStill, dumbbell, Pose(), {4, 0, 0});
  EXPECT_EQ(back.part_b, 1);
  EXPECT_NEAR(back.time, r.time, 1e-13);
  const CastResult both =
      cast(dumbbell, Pose(), {4, 0, 0}, dumbbell, Pose::translation({7, 0, 0}), kStill);
  expect_hit(both, 0.5, {1, 0, 0});
  EXPECT_EQ(both.part_a, 1);
  EXPECT_EQ(both.part_b, 0);
  // Between the balls.
  expect_miss(cast(dumbbell, Pose(), {0, 8, 0}, box, Pose::translation({0, 4, 0}), kStill));
}

// The way through many parts meets the first of them, whichever boxes are looked at.
TEST(Cast, AtManyPartsIsTheEarliestOfAll) {
  Random random(8);
  for (int i = 0; i < 300; ++i) {
    std::vector<Compound::Part> parts;
    const int count = 1 + static_cast<int>(random.uniform(0.0, 60.0));
    for (int k = 0; k < count; ++k) {
      const Vec3 at = Vec3{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)} *
                      (i % 4 == 0 ? 20.0 : 3.0);
      parts.push_back(
          {k % 2 == 0 ? Shape(Sphere(0.2)) : Shape(Box({0.3, 0.1, 0.4})), Pose::translation(at)});
    }
    if (i % 10 == 0) parts.push_back({HalfSpace({0, 0.6, 0.8}, -4.0), Pose()});
    const Shape all = Compound(parts);
    const Pose pose = random_pose(random, 1.0);
    const Shape mover = i % 2 == 0 ? Shape(Capsule(0.1, 0.2)) : Shape(Sphere(0.0));
    const Pose start = random_pose(random, 6.0);
    // Some along an axis of the compound, through which boxes are only met along the others.
    Vec3 motion = -start.position() * 2.0;
    if (i % 3 == 0) motion = pose.rotation().column(i % 9 / 3) * 9.0;
    const CastResult met = cast(all, pose, {}, mover, start, motion);
    double time = std::numeric_limits<double>::infinity(), upper = time;
    for (const Compound::Part& part : parts) {
      const CastResult one = cast(part.shape, pose * part.pose, {}, mover, start, motion);
      if (one.hit == Overlap::no) continue;
      time = std::min(time, one.time);
      upper = std::min(upper, one.time_upper);
    }
    ASSERT_EQ(met.hit == Overlap::no, time > 1.0) << i;
    if (met.hit == Overlap::no) continue;
    EXPECT_LE(met.time, upper) << i;
    EXPECT_LE(time, met.time_upper) << i;
  }
}

TEST(Cast, MethodsAgree) {
  QueryOptions searched;
  searched.method = Method::gjk;
  const Shape a = Sphere(0.5), b = Sphere(0.7);
  const Pose there = Pose::translation({3, 1, 0.2});
  const CastResult one = cast(a, Pose(), {3, 0, 0}, b, there, kStill);
  const CastResult two = cast(a, Pose(), {3, 0, 0}, b, there, kStill, searched);
  EXPECT_EQ(one.method, Method::closed_form);
  EXPECT_EQ(two.method, Method::gjk);
  EXPECT_LE(one.time, two.time_upper);
  EXPECT_LE(two.time, one.time_upper);
  EXPECT_NEAR(one.time, two.time, 1e-12);
  QueryOptions formula;
  formula.method = Method::closed_form;
  EXPECT_EQ(cast(a, Pose(), kStill, b, there, kStill, formula).status, Status::converged);
  EXPECT_EQ(cast(Box({1, 1, 1}), Pose(), kStill, b, there, kStill, formula).status,
            Status::unsupported);
}

TEST(Cast, WhatIsNotAnswered) {
  const Shape ball = Sphere(0.5);
  const Shape floor = HalfSpace({0, 0, 1}, 1.0);
  const CastResult r = cast(floor, Pose(), kStill, floor, Pose(), kStill);
  EXPECT_EQ(r.status, Status::unsupported);
  EXPECT_EQ(r.hit, Overlap::undecided);
  EXPECT_EQ(r.time, 0.0);
  EXPECT_EQ(r.time_upper, kInfinity);
  const Vec3 bad{0, std::numeric_limits<double>::quiet_NaN(), 0};
  EXPECT_EQ(cast(ball, Pose(), bad, ball, Pose(), kStill).status, Status::invalid_input);
  EXPECT_EQ(cast(ball, Pose(), kStill, ball, detail::unchecked_pose(bad, Mat3::identity()), kStill)
                .status,
            Status::invalid_input);
}

TEST(Cast, HugeAndTinyNumbersEndWithATrueBracket) {
  const Shape box = Box({1, 1, 1});
  for (const double speed : {1e-300, 1e-30, 1e30, 1e150, 1e300}) {
    const CastResult r =
        cast(box, Pose(), {speed, 0, 0}, box, Pose::translation({3, 0.1, 0.2}), kStill);
    const double time = 2.0 / speed;
    EXPECT_FALSE(std::isnan(r.time));
    if (time > 1.0) {
      EXPECT_EQ(r.hit, Overlap::no) << speed;
    } else {
      EXPECT_NE(r.hit, Overlap::no) << speed;
      EXPECT_LE(r.time, time) << speed;
      EXPECT_GE(r.time_upper, time) << speed;
    }
  }
}

TEST(SweptOverlap, IsExactWithoutRotation) {
  Random random(8);
  const std::vector<Shape> shapes = every_convex_shape(random);
  const auto pick = [&]() -> const Shape& {
    return shapes[random.below(static_cast<std::uint32_t>(shapes.size()))];
  };
  int hits = 0, misses = 0;
  for (int i = 0; i < 500; ++i) {
    const Shape& a = pick();
    const Shape& b = pick();
    const Pose pa = random_pose(random, 1.0), pb = random_pose(random, 1.0);
    const Vec3 ma = random_pose(random, 1.5).position();
    const Vec3 mb = random_pose(random, 1.5).position();
    const auto end = [](const Pose& p, const Vec3& m) {
      return detail::unchecked_pose(p.position() + m, p.rotation());
    };
    const Overlap swept = swept_overlap(a, pa, end(pa, ma), b, pb, end(pb, mb));
    const Overlap hit = cast(a, pa, ma, b, pb, mb).hit;
    EXPECT_EQ(swept, hit) << i;
    hits += hit == Overlap::yes;
    misses += hit == Overlap::no;
  }
  EXPECT_GT(hits, 100);
  EXPECT_GT(misses, 100);
}

// Half-spaces have no hull of two poses, nor have poses that are no numbers.
TEST(SweptOverlap, DecidesNothingWithoutAHull) {
  const Shape floor = HalfSpace({0, 0, 1}, 0.0), ball = Sphere(1.0);
  const Pose away = Pose::translation({5, 0, 0});
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Pose nowhere = unchecked_pose({nan, 0, 0}, Mat3::identity());
  EXPECT_EQ(swept_overlap(floor, Pose(), Pose(), ball, away, away), Overlap::undecided);
  EXPECT_EQ(swept_overlap(ball, away, away, floor, Pose(), Pose()), Overlap::undecided);
  EXPECT_EQ(swept_overlap(ball, Pose(), Pose(), ball, away, nowhere), Overlap::undecided);
  EXPECT_EQ(swept_overlap(ball, nowhere, Pose(), ball, away, away), Overlap::undecided);
  EXPECT_EQ(swept_overlap(ball, Pose(), Pose(), ball, away, away), Overlap::no);
}

TEST(SweptOverlap, LeavesRoomForRotation) {
  // A rod that turns by half a turn ends where it began, and meets the ball beside it on the way.
  const Shape rod = Capsule(0.1, 2.0);
  const Pose half_turn(Vec3{}, Quat{0, 1, 0, 0});
  const Pose beside = Pose::translation({0, 0.9, 0});
  EXPECT_EQ(swept_overlap(rod, Pose(), half_turn, Sphere(0.1), beside, beside), Overlap::yes);
  EXPECT_EQ(swept_overlap(rod, Pose(), Pose(), Sphere(0.1), beside, beside), Overlap::no);
  const Shape floor = HalfSpace({0, 0, 1}, 0.0);
  EXPECT_EQ(swept_overlap(rod, Pose(), Pose(), floor, Pose(), Pose()), Overlap::undecided);
}

TEST(CheckCast, RefusesFalseClaims) {
  const Shape a = Box({1, 1, 1});
  const Shape b = Cone(0.5, 1.0);
  const Pose there(Vec3{2, 0.1, 0.2}, normalized(Quat{1, 0.4, 0.2, 0.3}));
  const Vec3 motion{3, 0, 0};
  Certificate certificate;
  QueryOptions options;
  options.certificate = &certificate;
  const CastResult right = cast(a, Pose(), motion, b, there, kStill, options);
  const auto verdict = [&](const CastResult& r) {
    return check(a, Pose(), motion, b, there, kStill, r, &certificate).ok;
  };
  ASSERT_EQ(right.hit, Overlap::yes);
  EXPECT_TRUE(verdict(right));
  CastResult wrong = right;
  wrong.time += 1e-3;
  wrong.time_upper += 1e-3;
  EXPECT_FALSE(verdict(wrong));
  wrong = right;
  wrong.time -= 1e-3;
  EXPECT_FALSE(verdict(wrong));
  wrong = right;
  wrong.normal = -wrong.normal;
  EXPECT_FALSE(verdict(wrong));
  wrong = right;
  wrong.point_b.z += 1e-3;
  EXPECT_FALSE(verdict(wrong));
  wrong = right;
  std::swap(wrong.time, wrong.time_upper);
  EXPECT_FALSE(verdict(wrong));
}

}  // namespace
}  // namespace tactus::detail
