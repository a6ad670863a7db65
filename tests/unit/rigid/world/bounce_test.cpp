// Velocity after an impact, against the impulses of a rigid ball.
#include <gtest/gtest.h>

#include "tests/support/dynamics_scene.hpp"

namespace tactus::detail {
namespace {

struct AfterBounce {
  Vec3 velocity, spin;
};

/// A ball without gravity that hits the ground at `speed` down and `along` sideways.
AfterBounce bounce(double friction, double restitution, double speed, double along) {
  WorldSettings settings;
  settings.gravity = {};
  World world(settings);
  Material material;
  material.friction = friction;
  material.restitution = restitution;
  test::add_ground(world, material);
  const BodyId id = test::add_body(world, Sphere(0.5), {0, 0, 0.75}, material, {along, 0, -speed});
  test::run(world, 1.0);
  return {world.body(id).linear_velocity(), world.body(id).angular_velocity()};
}

// The ball slides all through the impact: friction is mu times the whole normal impulse, that of
// the approach and that of the restitution, which is m (1 + e) v.
TEST(FrictionOfBounces, SlidingIsMuTimesTheWholeImpulse) {
  for (const double restitution : {0.25, 0.5, 1.0}) {
    for (const double friction : {0.05, 0.1, 0.2}) {
      const AfterBounce after = bounce(friction, restitution, 2.0, 3.0);
      const double lost = friction * (1.0 + restitution) * 2.0;
      EXPECT_NEAR(after.velocity.x, 3.0 - lost, 1e-4) << friction << " " << restitution;
      EXPECT_NEAR(after.velocity.z, 2.0 * restitution, 3e-14);
      // The friction impulse at the arm r gives the spin, over the inertia 0.4 m r^2.
      EXPECT_NEAR(after.spin.y, lost / (0.4 * 0.5), 6e-14);
      EXPECT_NEAR(after.velocity.y, 0.0, 1e-9);
    }
  }
}

// With friction enough the contact stops sliding: two sevenths of the sideways speed go into spin.
TEST(FrictionOfBounces, StickingLeavesFiveSevenths) {
  for (const double restitution : {0.5, 1.0}) {
    const AfterBounce after = bounce(2.0, restitution, 2.0, 3.0);
    EXPECT_NEAR(after.velocity.x, 3.0 * 5.0 / 7.0, 1e-4);
    EXPECT_NEAR(after.spin.y * 0.5, after.velocity.x, 1e-4);
    EXPECT_NEAR(after.velocity.z, 2.0 * restitution, 3e-14);
  }
  // Just below what it takes for the whole impulse, yet more than the approach alone could give.
  const double enough = 3.0 * 2.0 / 7.0 / (2.0 * 2.0);
  EXPECT_NEAR(bounce(1.01 * enough, 1.0, 2.0, 3.0).velocity.x, 3.0 * 5.0 / 7.0, 3e-14);
  EXPECT_NEAR(bounce(0.9 * enough, 1.0, 2.0, 3.0).velocity.x, 3.0 - 0.9 * 3.0 * 2.0 / 7.0, 1e-3);
}

// A ball slower than the threshold (0.1 by default) stays; a faster one bounces in full.
TEST(BounceThreshold, SlowImpactsDoNotBounce) {
  EXPECT_NEAR(bounce(0.0, 0.5, 0.29, 0.0).velocity.z, 0.145, 2e-15);
  WorldSettings settings;
  settings.gravity = {};
  for (const double speed : {0.09, 0.11}) {
    World world(settings);
    Material material;
    material.restitution = 0.5;
    test::add_ground(world, material);
    const BodyId id = test::add_body(world, Sphere(0.5), {0, 0, 0.52}, material, {0, 0, -speed});
    test::run(world, 1.0);
    EXPECT_NEAR(world.body(id).linear_velocity().z, speed > 0.1 ? 0.5 * speed : 0.0, 2e-15);
  }
}

// A plate on elastic ground stops the ball within the substep in which it would have come to the
// ground: it leaves with what the plate's restitution gives.
TEST(BounceThreshold, ImpactsThatAnotherOnePreventsDoNotCount) {
  WorldSettings settings;
  settings.gravity = {};
  World world(settings);
  Material elastic, dull;
  elastic.restitution = 0.9;
  dull.restitution = 0.2;
  test::add_ground(world, elastic);
  BodyDefinition plate{Box({4, 4, 0.05}), Pose::translation({0, 0, 0.025})};
  plate.type = BodyType::fixed;
  plate.material = dull;
  world.add(plate);
  Material plain;
  plain.restitution = 0.0;
  const BodyId id = test::add_body(world, Sphere(0.5), {0, 0, 1.0}, plain, {0, 0, -60.0});
  test::run(world, 0.1);
  EXPECT_NEAR(world.body(id).linear_velocity().z, 0.2 * 60.0, 1e-3);
}

}  // namespace
}  // namespace tactus::detail
