// A puck on ice stops on a mat; a ball jumps through a platform that holds from above alone; a belt
// brings a crate along.
#include <cstdio>

#include "tactus/world.hpp"

using namespace tactus;

int main() {
  World world;
  BodyDefinition floor{HalfSpace({0, 0, 1}, 0.0)};
  floor.type = BodyType::fixed;
  world.add(floor);

  BodyDefinition slider{Box({0.3, 0.3, 0.1}), Pose::translation({0, 0, 0.05})};
  slider.linear_velocity = {2.0, 0, 0};
  const BodyId puck = world.add(slider);
  world.set_contact_rule([&](const FoundContact& contact, ContactTerms& terms) {
    // Ice, but where the puck is on the mat.
    if (contact.body_b.id() != puck) return;
    const double x = contact.manifold.points[0].point_a.x;
    terms.surface.friction = x > 2.0 && x < 3.0 ? 0.8 : 0.0;
  });

  BodyDefinition shelf{Box({1, 1, 0.1}), Pose::translation({0, 3, 1})};
  shelf.type = BodyType::fixed;
  shelf.one_way = Vec3{0, 0, 1};
  world.add(shelf);
  BodyDefinition thrown{Sphere(0.1), Pose::translation({0, 3, 0.1})};
  thrown.linear_velocity = {0, 0, 6};
  const BodyId ball = world.add(thrown);

  BodyDefinition belt{Box({6, 1, 0.2}), Pose::translation({0, -3, 0.1})};
  belt.type = BodyType::fixed;
  belt.surface_velocity.linear = {1, 0, 0};
  world.add(belt);
  const BodyId crate = world.add({Box({0.4, 0.4, 0.4}), Pose::translation({-2, -3, 0.4})});

  for (int i = 0; i < 180; ++i) world.step();
  const Vec3 &mat = world.body(puck).center_of_mass(), &up = world.body(ball).center_of_mass();
  const double speed = world.body(crate).linear_velocity().x;
  std::printf("puck at %.3f, ball at height %.3f, crate at %.3f per second\n", mat.x, up.z, speed);
  return mat.x > 2.0 && mat.x < 2.6 && up.z > 1.1 && speed > 0.999 ? 0 : 1;
}
