// Sensors: what they see of bodies of all types, and of what passes within a step.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/support/dynamics_scene.hpp"
#include "tests/support/effort.hpp"

namespace tactus::detail {
namespace {

BodyId add(World& world, const Shape& shape, const Vec3& place, BodyType type, bool sensor,
           const Vec3& velocity = {}) {
  BodyDefinition body{shape, Pose::translation(place), velocity};
  body.type = type;
  body.sensor = sensor;
  return world.add(body);
}

bool touches(const World& world, BodyId a, BodyId b) {
  const TouchingPair pair{std::min(a, b), std::max(a, b)};
  const auto all = world.touching();
  return std::find(all.begin(), all.end(), pair) != all.end();
}

TEST(Sensor, SeesBodiesOfAllTypes) {
  World world;
  const BodyId zone = add(world, Box({2, 2, 2}), {0, 0, 0}, BodyType::fixed, true);
  const BodyId wall = add(world, Box({1, 1, 1}), {1, 0, 0}, BodyType::fixed, false);
  const BodyId far = add(world, Box({1, 1, 1}), {9, 0, 0}, BodyType::fixed, false);
  const BodyId cart = add(world, Sphere(0.3), {-3, 0, 0}, BodyType::kinematic, false, {2, 0, 0});
  const BodyId probe = add(world, Sphere(0.2), {0, -3, 0}, BodyType::kinematic, true, {0, 2, 0});
  int came = 0, went = 0;
  for (int i = 0; i < 240; ++i) {
    require_done(world.step());
    EXPECT_TRUE(touches(world, zone, wall));
    EXPECT_FALSE(touches(world, zone, far));
    EXPECT_FALSE(touches(world, zone, probe)) << "both are sensors";
    const double x = world.body(cart).center_of_mass().x;
    if (std::fabs(std::fabs(x) - 1.3) > 1e-6) {
      EXPECT_EQ(touches(world, zone, cart), std::fabs(x) < 1.3) << x;
    }
    for (const TouchingPair& pair : world.touches_begun()) came += pair.body_b == cart ? 1 : 0;
    for (const TouchingPair& pair : world.touches_ended()) went += pair.body_b == cart ? 1 : 0;
  }
  EXPECT_EQ(came, 1);
  EXPECT_EQ(went, 1);
  // Bodies that push nothing move nothing.
  EXPECT_EQ(world.body(cart).linear_velocity(), (Vec3{2, 0, 0}));
}

TEST(Sensor, SeesWhatPassesWithinAStep) {
  Random random(7);
  int seen = 0, missed = 0;
  for (int i = 0; i < test::effort(60); ++i) {
    WorldSettings settings;
    settings.gravity = {};
    World world(settings);
    const BodyId gate = add(world, Box({0.02, 1, 1}), {0, 0, 0},
                            i % 2 == 0 ? BodyType::fixed : BodyType::kinematic, true);
    const double y = random.uniform(-1.5, 1.5), speed = random.uniform(100.0, 900.0);
    const BodyId shot =
        add(world, Sphere(0.05), {random.uniform(-0.9, -0.6), y, 0},
            i % 3 == 0 ? BodyType::kinematic : BodyType::dynamic_body, false, {speed, 0, 0});
    int begun = 0, ended = 0;
    for (int k = 0; k < 4; ++k) {
      require_done(world.step());
      // A touch ends after it has begun.
      for (const TouchingPair& pair : world.touches_ended())
        ended += pair == TouchingPair{gate, shot} && begun == 1 ? 1 : 0;
      begun += static_cast<int>(world.touches_begun().size());
    }
    const bool hits = std::fabs(y) < 0.5;
    if (std::fabs(std::fabs(y) - 0.525) < 0.03) continue;
    EXPECT_EQ(begun, hits ? 1 : 0) << i << " " << y;
    EXPECT_EQ(ended, hits ? 1 : 0) << i;
    (hits ? seen : missed) += 1;
  }
  EXPECT_GT(seen, 0);
  EXPECT_GT(missed, 0);
}

TEST(Sensor, ThatPassesItselfSeesWhatStands) {
  World world;
  const BodyId post = add(world, Cylinder(0.05, 2.0), {0, 0, 0}, BodyType::fixed, false);
  const BodyId beam = add(world, Box({6, 0.02, 0.02}), {0, 0, 0}, BodyType::kinematic, true);
  world.set_pose(beam, Pose::translation({2.9, 1.0, 0}));
  // Half a turn about its middle within a step, past the post and back beside it.
  world.set_pose(beam, Pose::from_axis_angle({1.5, 0, 0}, {0, 0, 1}, 0.5));
  world.set_velocity(beam, {}, {0, 0, 60.0 * 2.0});
  require_done(world.step());
  EXPECT_FALSE(touches(world, post, beam)) << "it turns from 0.5 to 2.5";
  require_done(world.step());
  EXPECT_TRUE(touches(world, post, beam)) << "it turns from 2.5 to 4.5, past pi";
}

}  // namespace
}  // namespace tactus::detail
