// A blow on a row of elastic balls: it runs through as a wave, and the last ball flies off.
#include <cstdio>

#include "tactus/world.hpp"

int main() {
  using namespace tactus;
  WorldSettings settings;
  settings.elastic = ElasticContacts{.young = 5e6, .poisson = 0.3};
  settings.gravity = {};
  World world(settings);  // balls that move, walls of any shape

  BodyDefinition ball{.shape = Sphere(0.05)};
  ball.material.restitution = 1.0;
  BodyId last = kNoBody;
  for (int i = 0; i < 20; ++i) {
    ball.pose = Pose::translation({0.1 * i, 0.0, 0.0});
    ball.linear_velocity = {i == 0 ? 1.0 : 0.0, 0.0, 0.0};
    last = world.add(ball);
  }
  double arrived = 0.0;
  while (world.time() < 1.0) {
    world.step();
    if (arrived == 0.0 && world.body(last).linear_velocity().x > 0.5) arrived = world.time();
  }
  std::printf("after %.2f s, in steps of %d, the last ball has %.2f m/s\n", arrived,
              world.statistics().substeps, world.body(last).linear_velocity().x);
  return arrived > 0.05 && world.body(last).linear_velocity().x > 0.9 ? 0 : 1;
}
