// A ball that bounces by exact collisions, until it rests in hops too small to see.
#include "tactus/impulse_world.hpp"

#include <cstdio>

#include "tactus/world.hpp"

using namespace tactus;

int main() {
  ImpulseWorld world;
  BodyDefinition ground{.shape = HalfSpace({0.0, 0.0, 1.0}, 0.0)};
  ground.type = BodyType::fixed;
  world.add(ground);
  BodyDefinition ball{.shape = Sphere(0.5)};
  ball.pose = Pose::translation({0.0, 0.0, 1.5});
  ball.material.restitution = 0.7;
  world.add(ball);
  while (world.time() < 2.0) {
    world.advance_to_next_impact();
    for (const Impact& impact : world.impacts()) {
      if (!impact.micro)
        std::printf("%.9f s: met the ground at %.6f m/s\n", impact.time, impact.approach);
    }
  }
  return 0;
}
