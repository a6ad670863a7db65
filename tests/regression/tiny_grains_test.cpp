// The spring of a contact gives back a part of its load in every substep; with the speed limit of
// `max_push_speed`, which is relative to the size, grains of 10 um could not carry their own weight
// and sank through the ground by 20 sizes.
#include <gtest/gtest.h>

#include "tactus/world.hpp"

namespace tactus::detail {
namespace {

TEST(TinyGrains, RestAtTheDefaultStep) {
  constexpr double kSize = 1e-5;
  World world;
  BodyDefinition ground{HalfSpace({0, 0, 1}, 0.0)};
  ground.type = BodyType::fixed;
  world.add(ground);
  for (int i = 0; i < 4; ++i) {
    const double place = (1.5 * i - 2.0) * kSize;
    world.add({Sphere(0.5 * kSize), Pose::translation({place, 0, 0.6 * kSize})});
    world.add({Box({kSize, kSize, kSize}), Pose::translation({place, 3.0 * kSize, 0.6 * kSize})});
  }
  for (int i = 0; i < 60; ++i) world.step();
  EXPECT_LT(world.statistics().rms_relative_speed, 1e-3);
  EXPECT_LT(world.statistics().deepest_relative_penetration, 0.03);
}

}  // namespace
}  // namespace tactus::detail
