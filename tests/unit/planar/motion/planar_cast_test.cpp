#include <gtest/gtest.h>

#include "tactus/planar.hpp"
#include "tests/support/effort.hpp"

namespace {

using namespace tactus;
using namespace tactus::planar;

std::vector<Vec2> rectangle(double x0, double y0, double x1, double y1) {
  return {{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}};
}

void expect_time(const PlanarCast& r, double time, double width = 1e-12) {
  EXPECT_EQ(r.hit, PlanarHit::yes);
  EXPECT_LE(r.time, time);
  EXPECT_GE(r.time_upper, time);
  EXPECT_LE(r.time_upper - r.time, width);
  EXPECT_EQ(r.status, Status::converged);
}

TEST(PlanarCast, OfACircleAgainstACurve) {
  const Contour line({{0, 0}, {4, 0}}, false);
  const Circle ball(0.5);
  // From height 2, by 3 downwards: at height 1/2 after half of the way.
  const PlanarCast down = cast(ball, Pose2({1, 2}, 0), {{0, -3}, 0}, line, {}, {});
  expect_time(down, 0.5);
  EXPECT_NEAR(down.point_b.x, 1.0, 1e-13);
  EXPECT_NEAR(down.normal.y, -1.0, 1e-15);
  EXPECT_NEAR(down.distance, 0.0, 1e-12);
  // From below, the line moving.
  expect_time(cast(ball, Pose2({1, -2}, 0), {}, line, {}, {{0, -3}, 0}), 0.5);
  // On the end, from the right.
  const PlanarCast end = cast(ball, Pose2({6, 0}, 0), {{-3, 0}, 0}, line, {}, {});
  expect_time(end, 0.5);
  EXPECT_NEAR(end.normal.x, -1.0, 1e-15);
  // Past the end, and away.
  EXPECT_EQ(cast(ball, Pose2({5, 2}, 0), {{0, -3}, 0}, line, {}, {}).hit, PlanarHit::no);
  EXPECT_EQ(cast(ball, Pose2({1, 2}, 0), {{0, 3}, 0}, line, {}, {}).hit, PlanarHit::no);
  EXPECT_EQ(cast(ball, Pose2({1, 2}, 0), {{0, -1.25}, 0}, line, {}, {}).hit, PlanarHit::no);
}

TEST(PlanarCast, GrazingIsUndecided) {
  const Contour line({{0, 0}, {4, 0}}, false);
  const PlanarCast grazing = cast(Circle(0.5), Pose2({-2, 0.5}, 0), {{8, 0}, 0}, line, {}, {});
  EXPECT_EQ(grazing.hit, PlanarHit::undecided);
  EXPECT_LE(grazing.time, 0.25);
  EXPECT_GE(grazing.time, 0.1);
  // Leaving a touch.
  const PlanarCast leaving = cast(Circle(0.5), Pose2({2, 0.5}, 0), {{0, 1}, 0}, line, {}, {});
  EXPECT_EQ(leaving.hit, PlanarHit::undecided);
  EXPECT_EQ(leaving.time, 0.0);
}

TEST(PlanarCast, OfRegions) {
  const Region square(rectangle(0, 0, 1, 1)), wide(rectangle(-5, -1, 5, 0));
  expect_time(cast(wide, {}, {}, square, Pose2({0, 2}, 0), {{1, -4}, 0}), 0.5);
  // Corner on edge, both bodies moving.
  const Region tip({{0, 0}, {1, 2}, {-1, 2}});
  const PlanarCast r = cast(tip, Pose2({3, 3}, 0), {{0, -1}, 0}, wide, {}, {{0, 1}, 0});
  EXPECT_EQ(r.hit, PlanarHit::no);
  const PlanarCast meet = cast(tip, Pose2({3, 3}, 0), {{0, -4}, 0}, wide, {}, {{0, 2}, 0});
  expect_time(meet, 0.5);
  EXPECT_NEAR(meet.normal.y, -1.0, 1e-15);
  // Overlapping from the start.
  const PlanarCast inside = cast(square, {}, {}, wide, Pose2({0, 0.5}, 0), {{0, 9}, 0});
  EXPECT_EQ(inside.hit, PlanarHit::yes);
  EXPECT_EQ(inside.time_upper, 0.0);
  EXPECT_NEAR(inside.distance, -0.5, 1e-12);
}

TEST(PlanarCast, ABulletDoesNotPassAThinWall) {
  const Region wall(rectangle(0, -1, 1e-3, 1));
  expect_time(cast(Circle(0.05), Pose2({-500.05, 0.5}, 0), {{1000, 0}, 0}, wall, {}, {}), 0.5);
  const Contour curve({{0, -1}, {0, 1}}, false);
  expect_time(cast(Circle(0.0), Pose2({-250, 0.5}, 0), {{1000, 0}, 0}, wall, {}, {}), 0.25);
  EXPECT_NE(cast(Circle(0.0), Pose2({-250, 0.5}, 0), {{1000, 0}, 0}, curve, {}, {}).hit,
            PlanarHit::no);
}

TEST(PlanarCast, ATurningBarMeetsAPost) {
  // A bar of length 2 along x turns a quarter; its upper right corner comes to the post's lower
  // side.
  const Region bar(rectangle(-1, -0.01, 1, 0.01));
  const double h = 0.5;
  const Region post(rectangle(h, h, 1, 1));
  const double quarter = 1.57079632679489661923;
  const PlanarCast r = cast(bar, {}, {{0, 0}, quarter}, post, {}, {});
  EXPECT_EQ(r.hit, PlanarHit::yes);
  const double angle = std::asin(h / std::hypot(1.0, 0.01)) - std::atan(0.01);
  EXPECT_LE(r.time, angle / quarter);
  EXPECT_GE(r.time, angle / quarter - 1e-8);
  EXPECT_GE(r.time_upper, angle / quarter);
  EXPECT_LE(r.time_upper, angle / quarter + 1e-8);
  EXPECT_EQ(cast(bar, {}, {{0, 0}, -0.9 * quarter}, post, {}, {}).hit, PlanarHit::no);
}

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed * 2862933555777941757ULL + 3037000493ULL) {}
  double between(double low, double high) {
    state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
    return low + (high - low) * static_cast<double>(state_ >> 33) / 2147483648.0;
  }
  Vec2 in_square(double half) {
    const double x = between(-half, half), y = between(-half, half);
    return {x, y};
  }

 private:
  std::uint64_t state_;
};

std::vector<Vec2> star(Random& random, int count) {
  std::vector<Vec2> points;
  for (int k = 0; k < count; ++k) {
    const double angle = 6.283185307179586 * k / count, r = random.between(0.2, 1.0);
    points.push_back({r * std::cos(angle), r * std::sin(angle)});
  }
  return points;
}

// Apart at all sampled times before `time`, meeting at `time_upper`.
template <class A, class B>
void expect_never_late(const A& a, const B& b, Random& random, double turn, int seed, int* hits) {
  const Pose2 pose_a(random.in_square(2), random.between(-3, 3));
  const Pose2 pose_b(random.in_square(2), random.between(-3, 3));
  const PlanarMotion ma{random.in_square(3), random.between(-turn, turn)};
  const PlanarMotion mb{random.in_square(3), random.between(-turn, turn)};
  const PlanarCast r = cast(a, pose_a, ma, b, pose_b, mb);
  if (overlap(a, pose_a, b, pose_b)) {
    ASSERT_EQ(r.time_upper, 0.0) << seed;
    return;
  }
  const double until = r.hit == PlanarHit::no ? 1.0 : r.time;
  for (int k = 0; k <= 40; ++k) {
    const double t = until * k / 40;
    ASSERT_FALSE(overlap(a, pose_at(pose_a, ma, t), b, pose_at(pose_b, mb, t))) << seed;
  }
  if (r.hit != PlanarHit::yes) return;
  ++hits[0];
  ASSERT_TRUE(overlap(a, pose_at(pose_a, ma, r.time_upper), b, pose_at(pose_b, mb, r.time_upper)))
      << seed;
  hits[1] += r.time_upper - r.time <= 1e-9 ? 1 : 0;
}

TEST(PlanarCast, IsNeverLateAndNarrow) {
  int hits[2] = {0, 0}, turning[2] = {0, 0};
  const int count = detail::test::effort(1500);
  for (int k = 0; k < count; ++k) {
    Random random(k);
    const Region a(star(random, 5 + k % 20)), b(star(random, 5 + k % 13));
    const Contour curve(star(random, 5 + k % 11), k % 2 == 0);
    const Circle circle(random.between(0.0, 0.7)), other(0.5);
    for (const double turn : {0.0, 2.0}) {
      int* const counts = turn == 0.0 ? hits : turning;
      expect_never_late(circle, curve, random, turn, k, counts);
      expect_never_late(circle, a, random, turn, k, counts);
      expect_never_late(circle, other, random, turn, k, counts);
      if (turn == 0.0 || k % 10 == 0) expect_never_late(a, b, random, turn, k, counts);
      if (turn == 0.0 || k % 10 == 0) expect_never_late(curve, a, random, turn, k, counts);
    }
  }
  EXPECT_GT(hits[0], count / 2);
  EXPECT_GE(hits[1], hits[0] * 99 / 100);
  EXPECT_GT(turning[0], count / 4);
  EXPECT_GE(turning[1], turning[0] * 8 / 10);
}

}  // namespace
