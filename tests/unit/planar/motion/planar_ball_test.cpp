#include <gtest/gtest.h>

#include "tactus/planar.hpp"
#include "tests/support/effort.hpp"

namespace {

using namespace tactus;
using namespace tactus::planar;

const BallSettings kNoGravity{{0.0, 0.0}, 1.0, 64};

TEST(Ball, IsReflectedAtTheNormal) {
  const Contour floor({{-10, 0}, {10, 0}}, false), slope({{-10, -10}, {10, 10}}, false);
  const PlacedContour on_floor[] = {{&floor, {}}}, on_slope[] = {{&slope, {}}};
  Ball ball{0.5, {0, 1.5}, {3, -4}};
  std::vector<Bounce> bounces;
  EXPECT_EQ(advance(ball, on_floor, 0.5, kNoGravity, &bounces), Status::converged);
  // At the floor after 1/4, then up again for as long.
  ASSERT_EQ(bounces.size(), 1U);
  EXPECT_NEAR(bounces[0].time, 0.25, 1e-12);
  EXPECT_NEAR(bounces[0].point.x, 0.75, 1e-12);
  EXPECT_NEAR(ball.position.x, 1.5, 1e-12);
  EXPECT_NEAR(ball.position.y, 1.5, 1e-12);
  EXPECT_NEAR(ball.velocity.y, 4.0, 1e-12);
  // Half of the speed along the normal.
  ball = {0.5, {0, 1.5}, {3, -4}};
  advance(ball, on_floor, 0.5, {{0, 0}, 0.5, 64});
  EXPECT_NEAR(ball.velocity.y, 2.0, 1e-12);
  EXPECT_NEAR(ball.velocity.x, 3.0, 1e-12);
  // Down onto a slope of 45 degrees: to the left.
  ball = {0.5, {0, 3}, {0, -4}};
  advance(ball, on_slope, 1.0, kNoGravity);
  EXPECT_NEAR(ball.velocity.x, -4.0, 1e-12);
  EXPECT_NEAR(ball.velocity.y, 0.0, 1e-12);
}

TEST(Ball, FliesAParabola) {
  Ball ball{1.0, {0, 0}, {2, 3}};
  for (int k = 0; k < 100; ++k) advance(ball, {}, 0.01);
  EXPECT_NEAR(ball.position.x, 2.0, 1e-13);
  EXPECT_NEAR(ball.position.y, 3.0 - 0.5 * 9.81, 4e-14);
}

TEST(Ball, ComesToRest) {
  const Contour bowl({{-5, 5}, {-1, 0}, {1, 0}, {5, 5}}, false);
  const PlacedContour walls[] = {{&bowl, {}}};
  Ball ball{0.5, {-2.5, 4}, {0, 0}};
  const BallSettings settings{{0.0, -9.81}, 0.5, 64};
  for (int k = 0; k < 2000; ++k) advance(ball, walls, 0.01, settings);
  EXPECT_NEAR(ball.position.y, 0.5, 6e-12);
  EXPECT_LE(std::fabs(ball.velocity.y), 0.2);
}

TEST(Ball, RefusesWhatIsNoBall) {
  Ball ball{-1.0, {}, {}};
  EXPECT_THROW(advance(ball, {}, 0.1), InvalidInput);
  ball = {1.0, {}, {std::nan(""), 0}};
  EXPECT_THROW(advance(ball, {}, 0.1), InvalidInput);
  ball.velocity = {};
  EXPECT_THROW(advance(ball, {}, -0.1), InvalidInput);
  EXPECT_THROW(advance(ball, {}, 0.1, {{0, 0}, 1.5, 64}), InvalidInput);
}

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed * 2862933555777941757ULL + 3037000493ULL) {}
  double between(double low, double high) {
    state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
    return low + (high - low) * static_cast<double>(state_ >> 33) / 2147483648.0;
  }

 private:
  std::uint64_t state_;
};

std::vector<Vec2> star(Random& random, int count, double inner) {
  std::vector<Vec2> points;
  for (int k = 0; k < count; ++k) {
    const double angle = 6.283185307179586 * k / count, r = random.between(inner, 1.0);
    points.push_back({r * std::cos(angle), r * std::sin(angle)});
  }
  return points;
}

// Fast small balls in jagged rooms: never through a wall, never nearer than the radius; without
// gravity and losses the speed stays.
TEST(Ball, NeverPassesAContour) {
  long bounced = 0;
  for (int k = 0; k < detail::test::effort(200); ++k) {
    Random random(k);
    const Contour room(star(random, 5 + k % 30, 0.3)), pillar(star(random, 7, 0.5));
    const Pose2 pose_room({5, -3}, 0.3), pose_pillar({5.0, -3.0}, 1.0);
    const Region inside(std::vector<Vec2>(room.points().begin(), room.points().end()));
    std::vector<Vec2> small;
    for (const Vec2& p : pillar.points()) small.push_back(p * 0.1);
    const Contour post(small);
    const PlacedContour walls[] = {{&room, pose_room}, {&post, pose_pillar}};
    const double radius = k % 3 == 0 ? 1e-6 : 0.02;
    Ball ball{radius, {5.15, -3.0}, {}};
    if (distance(Circle(radius), Pose2(ball.position, 0), post, pose_pillar).distance <= 0)
      continue;
    if (distance(Circle(radius), Pose2(ball.position, 0), room, pose_room).distance <= 0) continue;
    const double way = random.between(-3, 3), speed = k % 2 == 0 ? 300.0 : 3.0;
    ball.velocity = Vec2{std::cos(way), std::sin(way)} * speed;
    const BallSettings settings = k % 4 < 2 ? kNoGravity : BallSettings{{0, -9.81}, 0.7, 64};
    std::vector<Bounce> bounces;
    for (int step = 0; step < 100; ++step) {
      advance(ball, walls, 1.0 / 60.0, settings, &bounces);
      bounced += static_cast<long>(bounces.size());
      ASSERT_TRUE(overlap(Circle(0.0), Pose2(ball.position, 0), inside, pose_room))
          << k << ' ' << step;
      for (const PlacedContour& w : walls) {
        ASSERT_GE(distance(Circle(radius), Pose2(ball.position, 0), *w.contour, w.pose).lower,
                  -1e-13)
            << k << ' ' << step;
      }
      if (k % 4 < 2) {
        ASSERT_NEAR(norm(ball.velocity), speed, speed * 1e-11) << k;
      }
    }
  }
  EXPECT_GT(bounced, 1000);
}

}  // namespace
