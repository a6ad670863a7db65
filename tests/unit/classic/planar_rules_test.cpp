#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tactus/classic.hpp"
#include "tactus/core/random.hpp"
#include "tests/support/effort.hpp"

// Each counter-example of docs/algorithms/planar-rules.md.
namespace {

using namespace tactus;
using namespace tactus::planar;
using detail::Random;

std::vector<Vec2> rectangle(double x0, double y0, double x1, double y1) {
  return {{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}};
}

LiteralVerdict verdict(const Region& a, const Pose2& pose_a, const Region& b, const Pose2& pose_b,
                       const LiteralRules& rules = {}) {
  const LiteralBody bodies[] = {{&a, pose_a}, {&b, pose_b}};
  return literal_collision(bodies, rules);
}

TEST(LiteralTouch, AgreesAboveASegment) {
  const Contour line({{0, 0}, {4, 0}}, false);
  const LiteralTouch t = literal_touch(Circle(1.0), Pose2({1, 0.75}, 0), line, {});
  EXPECT_TRUE(t.touching);
  EXPECT_EQ(t.segment, 0U);
  EXPECT_EQ(t.part, 1.0);
  EXPECT_EQ(t.distance, 0.75);
  EXPECT_EQ(t.point, (Vec2{1, 0}));
  EXPECT_NEAR(t.angle, 1.5707963267948966, 1e-15);
}

TEST(LiteralTouch, MissesACorner) {
  const Contour square(rectangle(0, 0, 4, 4));
  const Circle ball(1.0);
  const Pose2 pose({4.5, 4.5}, 0);
  std::vector<Touch> right;
  touches(ball, pose, square, {}, right);
  ASSERT_EQ(right.size(), 1U);
  EXPECT_EQ(right[0].kind, TouchKind::convex);
  EXPECT_FALSE(literal_touch(ball, pose, square, {}).found);
  const LiteralTouch with = literal_touch(ball, pose, square, {}, true);
  EXPECT_TRUE(with.touching && with.corner);
  EXPECT_NEAR(with.distance, std::sqrt(0.5), 1e-15);
}

// The nearest place alone, without what the source says of corners.
TEST(LiteralTouch, TheNearestPlaceIsOneOfTwoAtAConcaveCorner) {
  const Contour corner({{0, 4}, {0, 0}, {4, 0}}, false);
  const Circle ball(1.0);
  const Pose2 pose({0.75, 0.5}, 0);
  std::vector<Touch> right;
  touches(ball, pose, corner, {}, right);
  ASSERT_EQ(right.size(), 2U);
  const LiteralTouch one = literal_touch(ball, pose, corner, {}, true);
  EXPECT_TRUE(one.touching);
  EXPECT_EQ(one.segment, 1U);
  // The whole rule names both, the lower segment first.
  std::vector<LiteralTouch> both;
  literal_touches(ball, pose, corner, {}, both);
  ASSERT_EQ(both.size(), 2U);
  EXPECT_EQ(both[0].segment, 0U);
  EXPECT_EQ(both[0].point, (Vec2{0, 0.5}));
  EXPECT_EQ(both[0].distance, 0.75);
  EXPECT_EQ(both[1].segment, 1U);
  EXPECT_EQ(both[1].point, (Vec2{0.75, 0}));
}

// By its own rules for corners and ends the source's rule names the touches, wherever the circle
// lies.
TEST(LiteralTouches, AreTheTouches) {
  Random random(5);
  const int cases = detail::test::effort(4000);
  int touching = 0, several = 0;
  for (int k = 0; k < cases; ++k) {
    std::vector<Vec2> points;
    for (int i = 0; i < 7; ++i)
      points.push_back({random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0)});
    const Contour contour(points, random.uniform(0.0, 1.0) < 0.5, Crossings::accept);
    const Circle ball(random.uniform(0.02, 0.5));
    const double x = random.uniform(-1.2, 1.2), y = random.uniform(-1.2, 1.2);
    const Pose2 at({x, y}, 0), pose({0.25, -0.5}, random.uniform(0.0, 6.0));
    std::vector<Touch> right;
    touches(ball, at, contour, pose, right);
    std::vector<LiteralTouch> said;
    literal_touches(ball, at, contour, pose, said);
    ASSERT_EQ(said.size(), right.size()) << k;
    touching += right.empty() ? 0 : 1;
    several += right.size() > 1 ? 1 : 0;
    for (std::size_t i = 0; i < right.size(); ++i) {
      EXPECT_EQ(said[i].segment, right[i].segment) << k;
      EXPECT_NEAR(norm(said[i].point - right[i].point), 0.0, 1e-14) << k;
      EXPECT_NEAR(ball.radius() - said[i].distance, right[i].depth, 1e-14) << k;
      // The angle may be that of the other side.
      const double off = std::remainder(said[i].angle - right[i].angle, 3.14159265358979323846);
      EXPECT_NEAR(off * said[i].distance, 0.0, 1e-14) << k;
    }
  }
  EXPECT_GT(touching, cases / 5);
  EXPECT_GT(several, cases / 10);
}

TEST(LiteralTouch, TheAngleIsTheSameFromBothSides) {
  const Contour wall({{0, -4}, {0, 4}}, false);
  const Circle ball(1.0);
  const double right = literal_touch(ball, Pose2({0.5, 0}, 0), wall, {}).angle;
  const double left = literal_touch(ball, Pose2({-0.5, 0}, 0), wall, {}).angle;
  EXPECT_EQ(right, left);
  std::vector<Touch> a, b;
  touches(ball, Pose2({0.5, 0}, 0), wall, {}, a);
  touches(ball, Pose2({-0.5, 0}, 0), wall, {}, b);
  EXPECT_NEAR(std::fabs(a[0].angle - b[0].angle), 3.141592653589793, 1e-15);
}

TEST(LiteralTouch, SkipsSegmentsOfNoLengthByAccident) {
  const Contour line({{0, 0}, {0, 0}, {4, 0}}, false);
  const LiteralTouch t = literal_touch(Circle(1.0), Pose2({1, 0.75}, 0), line, {}, true);
  EXPECT_EQ(t.segment, 1U);
}

TEST(LiteralCollision, AgreesOnBoxes) {
  const Region a(rectangle(-1, -1, 1, 1));
  const LiteralVerdict hit = verdict(a, {}, a, Pose2({1.5, 0.75}, 0));
  EXPECT_TRUE(hit.collision);
  for (const LiteralRay& r : hit.hits) {
    EXPECT_GE(r.mu, 0.0);
    EXPECT_LE(r.mu, 1.0);
    EXPECT_NEAR(norm((r.from + (r.to - r.from) * r.mu) - r.place), 0.0, 1e-15);
  }
  EXPECT_FALSE(verdict(a, {}, a, Pose2({2.5, 0.5}, 0)).collision);
  EXPECT_EQ(hit.tests_all, 32U);
  EXPECT_EQ(hit.tests_after_circles, 32U);
  EXPECT_LT(hit.tests_made, 32U);
  const LiteralVerdict far = verdict(a, {}, a, Pose2({9, 0}, 0));
  EXPECT_EQ(far.tests_after_circles, 0U);
  EXPECT_TRUE(far.active.empty());
}

// A body inside another: no ray crosses a segment.
TEST(LiteralCollision, MissesWhatLiesInside) {
  const Region big(rectangle(-10, -10, 10, 10)), small(rectangle(-0.5, -0.5, 0.5, 0.5));
  const Pose2 pose({6, 1}, 0);
  EXPECT_TRUE(overlap(big, {}, small, pose));
  EXPECT_FALSE(verdict(big, {}, small, pose).collision);
}

// The centroid of a C lies in its mouth: its rays cross what stands there without touching.
TEST(LiteralCollision, SeesThroughTheMouthOfAC) {
  const Region c({{0, 0}, {6, 0}, {6, 1}, {1, 1}, {1, 5}, {6, 5}, {6, 6}, {0, 6}});
  const Region peg(rectangle(3, 2, 4, 4));
  EXPECT_FALSE(overlap(c, {}, peg, {}));
  EXPECT_GT(distance(c, {}, peg, {}).distance, 0.9);
  EXPECT_TRUE(verdict(c, {}, peg, {}).collision);
}

// A needle passes over the foot of an L and meets its far post, behind the L's centroid.
TEST(LiteralCollision, CullingDropsWhatTouches) {
  const Region post({{0, -3}, {10, -3}, {10, 1}, {9, 1}, {9, -2}, {0, -2}});
  const Region needle(rectangle(-10, -0.125, 9.5, 0.125));
  EXPECT_TRUE(overlap(needle, {}, post, {}));
  EXPECT_FALSE(verdict(needle, {}, post, {}).collision);
  LiteralRules without;
  without.culling = false;
  EXPECT_TRUE(verdict(needle, {}, post, {}, without).collision);
}

// Only as initiator does a body tell: one role misses what the other finds.
TEST(LiteralCollision, OneRoleIsNotEnough) {
  const Region floor(rectangle(-10, -1, 10, 0)), tip({{0, 0}, {1, 3}, {-1, 3}});
  const Pose2 pose({0, -0.25}, 0);
  LiteralRules one;
  one.both = false;
  EXPECT_TRUE(overlap(floor, {}, tip, pose));
  EXPECT_FALSE(verdict(floor, {}, tip, pose, one).collision);
  EXPECT_TRUE(verdict(tip, pose, floor, {}, one).collision);
  EXPECT_TRUE(verdict(floor, {}, tip, pose).collision);
}

TEST(LiteralCollision, OfMoreThanTwoBodies) {
  const Region box(rectangle(-1, -1, 1, 1));
  const LiteralBody bodies[] = {
      {&box, {}}, {&box, Pose2({1.5, 0.75}, 0)}, {&box, Pose2({9, 0}, 0)}};
  const LiteralVerdict v = literal_collision(bodies);
  EXPECT_TRUE(v.collision);
  EXPECT_EQ(v.tests_all, 3U * 2U * 16U);
  EXPECT_EQ(v.tests_after_circles, 2U * 16U);
  for (const LiteralRay& r : v.hits) EXPECT_LT(r.initiator + r.opponent, 2U);
}

}  // namespace
