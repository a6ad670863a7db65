// A world of two dimensions: a key of one piece, not convex, falls into its notch, and a drive
// turns a bolt over it, until what holds the bolt breaks.
#include <cmath>
#include <cstdio>

#include "tactus/fit.hpp"
#include "tactus/planar.hpp"
#include "tactus/world.hpp"

using namespace tactus;

int main() {
  WorldSettings settings;
  settings.plane = MotionPlane::xy;
  settings.gravity = {0, -9.81, 0};
  World world(settings);

  const planar::Region notch({{-1, -0.5},
                              {1, -0.5},
                              {1, 0},
                              {0.101, 0},
                              {0.101, -0.3},
                              {-0.101, -0.3},
                              {-0.101, 0},
                              {-1, 0}});
  const planar::Region key({{-0.1, -0.25},
                            {0.1, -0.25},
                            {0.1, 0},
                            {0.4, 0},
                            {0.4, 0.2},
                            {-0.4, 0.2},
                            {-0.4, 0},
                            {-0.1, 0}});
  BodyDefinition lock{fit::extruded(notch, 0.1)};
  lock.type = BodyType::fixed;
  const BodyId base = world.add(lock);
  const BodyId fallen = world.add({fit::extruded(key, 0.1), Pose::translation({0, 0.3, 0})});

  // It can move along x alone.
  BodyDefinition rider{Box({0.2, 0.1, 0.1}), Pose::translation({-0.8, 1.5, 0}), {0.5, 0, 0}};
  rider.lock.linear = {false, true, false};
  rider.lock.angular = {false, false, true};
  const BodyId sledge = world.add(rider);

  // From upright to the left, by a spring and damper that pull with 20 at most.
  BodyDefinition lever{Box({0.1, 0.6, 0.1}), Pose::translation({0.7, 0.35, 0})};
  const BodyId bolt = world.add(lever);
  JointDefinition hinge =
      joint_at(JointType::hinge, world.body(base), world.body(bolt), {0.7, 0.1, 0}, {0, 0, 1});
  hinge.drive = JointDrive{1.2, 200.0, 20.0, 20.0};
  hinge.break_force = 500.0;
  const JointId joint = world.add_joint(hinge);

  for (int i = 0; i < 180; ++i) world.step();
  std::printf("key at %.4f, lever at %.4f radians\n", world.body(fallen).pose().position().y,
              world.joint(joint).position);
  std::printf("sledge at (%.3f, %.3f)\n", world.body(sledge).center_of_mass().x,
              world.body(sledge).center_of_mass().y);

  // A pull of twice what the hinge holds.
  world.apply_force(bolt, {1000, 0, 0});
  world.step();
  for (const Joint& broken : world.broken_joints())
    std::printf("joint %llu broke\n", static_cast<unsigned long long>(broken.definition.id));
  const bool seated = std::fabs(world.body(fallen).pose().position().y) < 1e-3;
  return seated && world.joints().empty() ? 0 : 1;
}
