// A character climbs stairs, is carried over a gap by a platform, and pushes a crate.
#include "tactus/character.hpp"

#include <cstdio>
#include <string>

#include "tactus/world.hpp"

using namespace tactus;

int main() {
  World world;
  BodyDefinition floor{HalfSpace({0, 0, 1}, 0.0)};
  floor.type = BodyType::fixed;
  world.add(floor);
  for (int i = 0; i < 4; ++i) {
    BodyDefinition stair{Box({0.4, 2, 0.25 * (i + 1)}),
                         Pose::translation({2.2 + 0.4 * i, 0, 0.125 * (i + 1)})};
    stair.type = BodyType::fixed;
    world.add(stair);
  }
  BodyDefinition lift{Box({1.6, 2, 0.2}), Pose::translation({4.45, 0, 0.9})};
  lift.type = BodyType::kinematic;
  const BodyId platform = world.add(lift);

  BodyDefinition person{Capsule(0.3, 1.2), Pose::translation({0, 0, 0.92})};
  person.type = BodyType::kinematic;
  CharacterSettings settings;
  settings.step_height = 0.3;
  settings.max_force = 300.0;
  CharacterController walker(world, world.add(person), settings);

  for (int i = 0; i < 360; ++i) {
    const double x = world.body(walker.body()).center_of_mass().x;
    if (i == 240) world.move_to(platform, Pose::translation({4.45, 0, 2.9}), 2.0);
    walker.update({{x < 4.4 ? 1.5 : 0.0, 0, 0}});
    world.step();
  }
  const Vec3& end = world.body(walker.body()).center_of_mass();
  std::printf("at (%.3f, %.3f, %.3f), on %s\n", end.x, end.y, end.z,
              std::string(to_string(walker.report().support)).c_str());
  return walker.report().ground == platform && end.z > 3.85 ? 0 : 1;
}
