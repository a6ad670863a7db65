// Capsules that spun at 83 rad/s in a corner were held for most of each substep, since looks at
// their contact ran back and forth in time, and sank in by up to 31 % of their radius.
#include <gtest/gtest.h>

#include <algorithm>

#include "tactus/world.hpp"

namespace tactus {
namespace {

TEST(SpinningCapsule, StaysOutOfTheCornerAndTurnsOn) {
  WorldSettings settings;
  settings.max_threads = 1;
  World world(settings);
  for (const Vec3& normal : {Vec3{0, 0, 1}, Vec3{1, 0, 0}}) {
    BodyDefinition wall{HalfSpace(normal, 0.0)};
    wall.type = BodyType::fixed;
    world.add(wall);
  }
  BodyDefinition body{Capsule(0.136, 0.617)};
  body.pose = Pose({0.44, 0.2, 0.2}, Quat{0.70711, 0.0, 0.70711, 0.0});
  body.angular_velocity = {20.0, -5.0, 80.0};
  const BodyId capsule = world.add(body);
  double deepest = 0.0, slowest = 1e9;
  for (int step = 0; step < 180; ++step) {
    const Vec3 before = world.body(capsule).pose().rotation() * Vec3{0, 0, 1};
    require_done(world.step());
    for (const BodyOverlap& overlap : world.overlaps(0.0))
      deepest = std::max(deepest, overlap.depth);
    const Vec3 after = world.body(capsule).pose().rotation() * Vec3{0, 0, 1};
    const Vec3 spin = world.body(capsule).angular_velocity();
    // The axis of a body that turns freely moves by about so much in a step.
    const double freely = norm(cross(spin, after)) * settings.time_step;
    if (norm(spin) > 50.0) slowest = std::min(slowest, norm(after - before) / freely);
  }
  EXPECT_LT(deepest / 0.136, 0.02);
  EXPECT_GT(slowest, 0.25);
}

}  // namespace
}  // namespace tactus
