// A pile in a World: settle, look, shoot a ray, push, save, and continue with the same bits.
#include "tactus/world.hpp"

#include <cstdio>

#include "tactus/body.hpp"

using namespace tactus;

int main() {
  WorldSettings settings;
  settings.time_step = 1.0 / 60.0;
  World world(settings);

  BodyDefinition floor{HalfSpace({0, 0, 1}, 0.0)};
  floor.type = BodyType::fixed;
  world.add(floor);
  BodyId top = kNoBody;
  for (int i = 0; i < 5; ++i) {
    BodyDefinition box{Box({0.5, 0.5, 0.5}), Pose::translation({0, 0, 0.25 + 0.5 * i})};
    box.material.friction = 0.6;
    top = world.add(box);
  }
  for (int i = 0; i < 60; ++i) world.step();
  const StepStatistics& at = world.statistics();
  std::printf("%d bodies, %d contact points, %.1e of a body deep, %.1e bodies per second\n",
              at.bodies, at.contact_points, at.deepest_relative_penetration, at.max_relative_speed);

  // Find the body that a ray from above meets, and print the contacts of the top box.
  const auto hit = world.ray_cast({0, 0, 10}, {0, 0, -1}, 100.0);
  if (!hit || hit->body != top) return 1;
  for (const Contact& c : world.contacts()) {
    if (c.body_b == top) {
      std::printf("on the top box at (%.3f, %.3f, %.3f): %.3f newton seconds\n", c.point.x,
                  c.point.y, c.point.z, c.normal_impulse);
    }
  }

  // Apply the same impulse twice from the same state: both runs end in the same bits.
  const WorldState before = world.save();
  std::uint64_t hashes[2] = {};
  for (std::uint64_t& end : hashes) {
    world.restore(before);
    world.apply_impulse(top, {300, 0, 0}, hit->point);
    for (int i = 0; i < 30; ++i) world.step();
    end = world.state_hash();
  }
  std::printf("the top box moved to x = %.3f\n", world.body(top).center_of_mass().x);
  return hashes[0] == hashes[1] ? 0 : 1;
}
