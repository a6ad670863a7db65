// Joints in a World: a gate on a hinge with limits and a motor, a weight on a rope from its end.
#include <cmath>
#include <cstdio>

#include "tactus/world.hpp"

using namespace tactus;

int main() {
  World world;
  BodyDefinition post{Box({0.1, 0.1, 1.2}), Pose::translation({0, 0, 0.6})};
  post.type = BodyType::fixed;
  const BodyId pillar = world.add(post);
  const BodyId gate = world.add({Box({1.8, 0.05, 1.0}), Pose::translation({1.0, 0, 0.6})});

  // The gate turns about the post's edge, from closed to a right angle.
  JointDefinition hinge =
      joint_at(JointType::hinge, world.body(pillar), world.body(gate), {0.05, 0, 0.6}, {0, 0, 1});
  hinge.limits = JointLimits{0.0, 1.5};
  hinge.motor = JointMotor{0.5, 200.0};
  const JointId door = world.add_joint(hinge);

  // A weight hangs on a rope of half a metre: nearer is allowed, farther is not.
  const BodyId weight = world.add({Sphere(0.1), Pose::translation({1.9, 0, 0.7})});
  JointDefinition rope =
      distance_joint(world.body(gate), world.body(weight), {1.9, 0, 1.1}, {1.9, 0, 0.7});
  rope.limits = JointLimits{0.0, 0.5};
  const JointId line = world.add_joint(rope);

  for (int i = 0; i < 300; ++i) world.step();
  const Joint& open = world.joint(door);
  std::printf("open by %.6f of 1.5 radians, torque %.2f\n", open.position, open.torque.z);
  std::printf("rope %.6f long, pulls with %.2f\n", world.joint(line).position,
              norm(world.joint(line).force));

  // Back, and then free.
  world.set_motor(door, JointMotor{-0.5, 200.0});
  for (int i = 0; i < 300; ++i) world.step();
  const double closed = world.joint(door).position;
  world.set_motor(door, std::nullopt);
  world.remove_joint(line);
  world.step();
  std::printf("closed to %.6f\n", closed);
  return std::fabs(closed) < 1e-6 && world.joints().size() == 1 ? 0 : 1;
}
