// Bodies that move over neighbours that share a surface move as over one body: no seam is felt.
#include <gtest/gtest.h>

#include <cmath>

#include "tactus/core/random.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/tiles.hpp"

namespace tactus::detail {
namespace {

using test::Floor;
using test::Ride;
using test::Way;

/// Part of the way that a body without friction may be ahead or behind.
constexpr double kSameWay = 1e-3;
/// Way beside it, for bodies of about one unit that stop within a time step.
constexpr double kSameEnd = 1e-4;
/// Height, for bodies of about one unit: what is none on a seam.
constexpr double kSameHeight = 1e-4;
/// Part of the speed: points of contact that lie elsewhere share an impact otherwise.
constexpr double kSameHit = 0.05;

/// A body that lies on the tiles near the first one's middle, thrown along them and a little aside.
void expect_as_on_a_slab(Random& random, const test::Lying& lying) {
  Floor floor;
  floor.length = random.uniform(0.25, 1.2);
  const double speed = 0.5 * std::pow(40.0, random.uniform());
  const Vec3 velocity{speed, random.uniform(-0.2, 0.2), 0.0};
  Ride ride{lying.shape, test::lying_pose(lying, 0.1, 0.13), velocity, 0.0, 0};
  ride.steps = static_cast<int>(std::min(30.0, 60.0 * (floor.length * 40.0 - 1.0) / speed));
  const Way slab = run_over(floor, ride);
  const double way = norm(slab.end - ride.pose.position());
  ASSERT_GT(way, 0.9 * ride.steps / 60.0 * speed);
  floor.make = test::kMakes[random.below(5)];
  const Way tiles = run_over(floor, ride);
  EXPECT_LE(norm(tiles.end - slab.end), kSameWay * way)
      << lying.name << " on make " << static_cast<int>(floor.make) << " of tiles of "
      << floor.length << " at " << speed;
  EXPECT_LE(std::max(tiles.most - slab.most, slab.least - tiles.least), kSameHeight)
      << lying.name << " on make " << static_cast<int>(floor.make) << " of tiles of "
      << floor.length << " at " << speed;
}

TEST(Seams, BodiesSlideOverTilesAsOverASlab) {
  Random random(20261);
  for (const test::Lying& lying : test::lying_bodies()) {
    for (int k = test::effort(6); k > 0; --k) expect_as_on_a_slab(random, lying);
  }
}

/// A body that lies on the tiles, thrown along them and stopped by friction: where, by theory and
/// on a slab.
void expect_stops_as_on_a_slab(Random& random, const test::Lying& lying) {
  Floor floor;
  floor.length = random.uniform(0.25, 1.2);
  const double friction = random.uniform(0.3, 0.6), g = 9.81;
  const double speed = std::min(0.5 * std::pow(40.0, random.uniform()),
                                std::sqrt(2.0 * friction * g * 38.0 * floor.length));
  const double theory = speed * speed / (2.0 * friction * g);
  const double turn = random.uniform(-0.5, 0.5);
  Ride ride{lying.shape,
            test::lying_pose(lying, 0.3, random.uniform(-0.2, 0.2)) *
                Pose::from_axis_angle({}, {0.0, 0.0, 1.0}, turn),
            {speed, 0.0, 0.0},
            friction,
            static_cast<int>(60.0 * speed / (friction * g)) + 20};
  floor.make = random.uniform() < 0.2 ? test::Make::slab : test::kMakes[random.below(5)];
  const Way tiles = run_over(floor, ride);
  const double way = norm(tiles.end - ride.pose.position());
  EXPECT_LE(std::fabs(way - theory), kSameWay * theory + kSameEnd)
      << lying.name << " on make " << static_cast<int>(floor.make) << " of tiles of "
      << floor.length << " at " << speed << " with friction " << friction;
  EXPECT_LE(std::max(tiles.most - lying.height, lying.height - tiles.least), kSameHeight);
}

TEST(Seams, FrictionStopsBodiesOnTilesAsOnASlab) {
  Random random(20263);
  for (const test::Lying& lying : test::lying_bodies()) {
    const bool rolls = lying.turned || lying.shape.type() == ShapeType::sphere;
    for (int k = rolls ? 0 : test::effort(4); k > 0; --k) expect_stops_as_on_a_slab(random, lying);
  }
}

/// A body that slides over a floor against a step of this height, and its velocity after each time
/// step.
std::vector<Vec3> velocities_at_a_step(const Floor& floor, const Ride& ride, double face,
                                       double height) {
  World world;
  test::add_floor(world, floor, 0.0);
  test::add_fixed(world, Box({2.0, 8.0, 1.0 + height}), {face + 1.0, 0.0, 0.5 * height - 0.5}, 0.0);
  BodyDefinition body{ride.body, ride.pose, ride.velocity};
  body.material.friction = 0.0;
  const BodyId id = world.add(body);
  std::vector<Vec3> result;
  for (int i = 0; i < ride.steps; ++i) {
    world.step();
    result.push_back(world.body(id).linear_velocity());
  }
  return result;
}

TEST(Seams, AStepOnTilesIsHitAsOnASlab) {
  Random random(20262);
  const std::vector<test::Lying> bodies = test::lying_bodies();
  for (int k = test::effort(20); k > 0; --k) {
    // With an upright side, and from a millimetre on: ten times what is none.
    const test::Lying& lying = bodies[random.below(3)];
    const double height = 1e-3 * std::pow(500.0, random.uniform());
    Floor floor;
    const double face = floor.length * (3 + random.below(4)) - 0.5 * floor.length;
    const double speed = 0.5 * std::pow(10.0, random.uniform());
    const Ride ride{lying.shape,
                    test::lying_pose(lying, -0.1, 0.1),
                    {speed, 0.0, 0.0},
                    0.0,
                    static_cast<int>(60.0 * (face + 1.0) / speed)};
    const std::vector<Vec3> slab = velocities_at_a_step(floor, ride, face, height);
    floor.make = test::kMakes[random.below(5)];
    const std::vector<Vec3> tiles = velocities_at_a_step(floor, ride, face, height);
    std::size_t hit = 0;
    while (hit + 1 < slab.size() && slab[hit].x > 0.999 * speed) ++hit;
    ASSERT_LT(slab[hit].x, 0.8 * speed) << lying.name << " at a step of " << height;
    EXPECT_GT(tiles[hit - 1].x, 0.999 * speed);
    EXPECT_LE(norm(tiles[hit] - slab[hit]), kSameHit * speed)
        << lying.name << " on make " << static_cast<int>(floor.make) << " at a step of " << height;
  }
}

}  // namespace
}  // namespace tactus::detail
