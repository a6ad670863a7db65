// A hover pad lifts boxes that enter its sensor, on a floor of ice and rubber.
#include <algorithm>
#include <cstdint>
#include <cstdio>

#include "tactus/world.hpp"

using namespace tactus;

int main() {
  enum Kind : std::uint32_t { ice = 1, rubber = 2 };
  World world;
  // By the rule, one slippery surface makes a slippery pair; this pair of surfaces is known better.
  SurfacePair known;
  known.friction = 0.02;
  world.set_surface_pair(ice, rubber, known);

  BodyDefinition floor{HalfSpace({0, 0, 1}, 0.0)};
  floor.type = BodyType::fixed;
  floor.material.kind = ice;
  world.add(floor);

  BodyDefinition zone{Box({1.0, 2.0, 4.0}), Pose::translation({3, 0, 2})};
  zone.type = BodyType::fixed;
  zone.sensor = true;
  const BodyId pad = world.add(zone);

  BodyDefinition box{Box({0.4, 0.4, 0.4}), Pose::translation({0, 0, 0.2})};
  box.linear_velocity = {2.0, 0, 0};
  box.material.kind = rubber;
  const BodyId puck = world.add(box);

  bool lifted = false;
  double highest = 0.0;
  for (int i = 0; i < 240; ++i) {
    for (const TouchingPair& pair : world.touching()) {
      if (pair != TouchingPair{pad, puck}) continue;
      // For the next step, half as much again as it weighs.
      world.apply_force(puck, {0, 0, 1.5 * 9.81 * world.body(puck).mass().mass});
      lifted = true;
    }
    world.step();
    for (const TouchingPair& pair : world.touches_begun()) {
      std::printf("%.2f s: %llu and %llu touch\n", world.time(),
                  static_cast<unsigned long long>(pair.body_a),
                  static_cast<unsigned long long>(pair.body_b));
    }
    for (const TouchingPair& pair : world.touches_ended()) {
      std::printf("%.2f s: %llu and %llu part\n", world.time(),
                  static_cast<unsigned long long>(pair.body_a),
                  static_cast<unsigned long long>(pair.body_b));
    }
    highest = std::max(highest, world.body(puck).center_of_mass().z);
  }
  std::printf("the box rose to %.3f\n", highest);
  return lifted && highest > 0.5 ? 0 : 1;
}
