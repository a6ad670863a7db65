// The lattice of columns in which bodies stand.
#include "tactus/rigid/solver/columns.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tactus/core/random.hpp"
#include "tests/support/effort.hpp"

namespace tactus::detail {
namespace {

Body ball(const Vec3& center, double radius = 0.3) {
  return Body({Sphere(radius), Pose::translation(center)});
}

Vec3 place_in(Random& random, double size) {
  const double x = random.uniform(-size, size), y = random.uniform(-size, size);
  return {x, y, random.uniform(-size, size)};
}

std::vector<Body> balls(Random& random, std::size_t count, double size) {
  std::vector<Body> bodies;
  for (std::size_t i = 0; i < count; ++i) bodies.push_back(ball(place_in(random, size)));
  return bodies;
}

bool same(const Columns::Column& a, const Columns::Column& b) { return a.x == b.x && a.y == b.y; }

TEST(Columns, AreFixedInSpaceWhateverElseIsThere) {
  Random random(1);
  std::vector<Body> bodies = balls(random, 50, 5.0);
  Columns alone, among;
  alone.place(bodies, {});
  const std::size_t known = bodies.size();
  for (const Body& other : balls(random, 500, 1000.0)) bodies.push_back(other);
  bodies.push_back(Body({.shape = Box({90.0, 90.0, 1.0}), .type = BodyType::fixed}));
  among.place(bodies, {});
  for (std::uint32_t i = 0; i < known; ++i) EXPECT_TRUE(same(alone.of(i), among.of(i)));
}

TEST(Columns, BodiesThatTouchStandInNeighbours) {
  Random random(2);
  for (const double radius : {1e-3, 0.3, 0.5, 7.0, 1e5}) {
    std::vector<Body> bodies;
    for (int pair = 0; pair < test::effort(300); ++pair) {
      const Vec3 first = place_in(random, 40.0 * radius);
      bodies.push_back(ball(first, radius));
      bodies.push_back(ball(first + normalized(place_in(random, 1.0)) * (2.0 * radius), radius));
    }
    Columns columns;
    columns.place(bodies, {});
    int apart = 0;
    for (std::uint32_t i = 0; i < bodies.size(); i += 2) {
      const Columns::Column a = columns.of(i), b = columns.of(i + 1);
      EXPECT_LE(std::max(std::abs(a.x - b.x), std::abs(a.y - b.y)), 1);
      apart += same(a, b) ? 0 : 1;
    }
    EXPECT_GT(apart, 0);
  }
}

TEST(Columns, HoldWhatStandsAboveOneAnother) {
  const Vec3 up[] = {{0.0, 0.0, 1.0}, {0.0, 1.0, 0.0}, {1.0, 0.0, 0.0}};
  for (const Vec3& direction : up) {
    WorldSettings settings;
    settings.gravity = direction * -9.81;
    std::vector<Body> bodies;
    // At a round place, a little aside now and then.
    for (int i = 0; i < 20; ++i) {
      const double aside = i % 2 == 0 ? 1e-9 : -1e-9;
      bodies.push_back(ball(direction * (0.6 * i) + Vec3{aside, aside, aside}));
    }
    Columns columns;
    columns.place(bodies, settings);
    for (std::uint32_t i = 1; i < bodies.size(); ++i)
      EXPECT_TRUE(same(columns.of(i), columns.of(0)));
  }
}

TEST(Columns, OfImagesAreWholePeriodsBeside) {
  Random random(3);
  WorldSettings settings;
  settings.periodic[0] = PeriodicAxis{-3.0, 4.1};
  settings.periodic[1] = PeriodicAxis{0.1, 6.0};
  const PeriodicBox space(settings.periodic);
  for (int run = 0; run < test::effort(200); ++run) {
    std::vector<Body> bodies = balls(random, 20, 8.0);
    Columns columns;
    columns.place(bodies, settings);
    for (std::uint32_t i = 0; i < bodies.size(); ++i) {
      const std::int32_t x = static_cast<std::int32_t>(random.below(7)) - 3;
      const Columns::Column image = columns.of_image(i, space.shift({x, 2 * x, 0}));
      const Columns::Column own = columns.of(i);
      EXPECT_TRUE(same(columns.wrapped(image, 0), columns.wrapped(own, 0)));
      // Balls of 0.6 ask for a width of 1: four columns fit into either period.
      EXPECT_EQ(image.x - own.x, 4 * x);
      EXPECT_EQ(image.y - own.y, 4 * 2 * x);
    }
  }
}

TEST(Columns, StayWholeNumbersFarOutAndForAnySize) {
  for (const double radius : {1e-20, 1e-12, 1e12, 1e20}) {
    Columns columns;
    columns.place(std::vector{ball({1e300, -1e300, 0.0}, radius), ball({}, radius)}, {});
    EXPECT_GE(columns.of(0).x, columns.of(1).x);
    EXPECT_LE(columns.of(0).y, columns.of(1).y);
  }
}

}  // namespace
}  // namespace tactus::detail
