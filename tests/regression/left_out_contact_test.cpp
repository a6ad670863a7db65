// Contacts that are left out of the solver's sweeps push nothing.
#include <gtest/gtest.h>

#include "tests/support/dynamics_scene.hpp"

namespace tactus::detail {
namespace {

// Friction is solved before the normal load, so that of a body which leaves the ground outlives the
// load, and is remembered. Left out of the sweeps of the next step, as what cannot touch, it would
// push the body through all of it.
TEST(LeftOutContact, FrictionEndsWithTheLoad) {
  World world;
  const Material rough{.friction = 0.5};
  test::add_ground(world, rough);
  const BodyId ball = test::add_body(world, Sphere(0.5), {0.0, 0.0, 0.5}, rough, {0.01, 0.0, 0.0});
  test::run(world, 0.1);
  WorldState state = world.save();
  ASSERT_EQ(state.points.size(), 1u);
  state.points[0].normal_impulse = 0.0;
  state.points[0].friction_impulse = {1.0, 0.0, 0.0};
  for (BodyMotion& motion : state.bodies) {
    if (motion.id == ball) motion.position.z += 0.009;
  }
  world.restore(state);
  const Vec3 before = world.body(ball).linear_velocity();
  world.step();
  EXPECT_LT(world.body(ball).linear_velocity().z, -0.1);  // it falls
  EXPECT_NEAR(world.body(ball).linear_velocity().x, before.x, 1e-13);
}

}  // namespace
}  // namespace tactus::detail
