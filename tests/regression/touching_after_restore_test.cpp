// A patch that took the place of one that had collided in an earlier step counted as collided, so
// that `touching` named pairs that were near, and a world that was restored did not.
#include <gtest/gtest.h>

#include <algorithm>

#include "tactus/world.hpp"

namespace tactus {
namespace {

TEST(TouchingAfterRestore, IsThatOfTheStepAlone) {
  const auto fill = [](World& world) {
    const Material bouncy{.restitution = 1.0};
    world.add({.shape = HalfSpace({0.0, 0.0, 1.0}, 0.0), .type = BodyType::fixed});
    world.add(
        {.shape = Sphere(0.5), .pose = Pose::translation({0.0, 0.0, 0.52}), .material = bouncy});
  };
  World whole;
  fill(whole);
  int apart = 0;
  for (int k = 0; k < 60; ++k) {
    World later;
    fill(later);
    later.restore(whole.save());
    whole.step();
    later.step();
    const auto a = whole.touching(), b = later.touching();
    EXPECT_TRUE(std::equal(a.begin(), a.end(), b.begin(), b.end())) << "step " << k;
    apart += a.empty() ? 1 : 0;
  }
  // It flies between its bounces.
  EXPECT_GT(apart, 40);
}

}  // namespace
}  // namespace tactus
