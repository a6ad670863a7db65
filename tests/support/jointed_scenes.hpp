#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "tactus/core/random.hpp"
#include "tests/support/dynamics_scene.hpp"
#include "tests/support/joint_scene.hpp"

namespace tactus::detail::test {

inline BodyId add_block(World& world, const Vec3& size, const Pose& pose, double mass,
                        BodyType type = BodyType::dynamic_body) {
  BodyDefinition block{Box(size), pose};
  block.type = type;
  block.material.friction = 0.6;
  block.material.density = mass / (size.x * size.y * size.z);
  return world.add(block);
}

/// A hinge about y whose friction is a motor that wants no speed.
inline void add_hinge(World& world, BodyId a, BodyId b, const Vec3& anchor, double friction) {
  JointDefinition hinge =
      joint_at(JointType::hinge, world.body(a), world.body(b), anchor, {0, 1, 0});
  if (friction > 0.0) hinge.motor = JointMotor{0.0, friction};
  world.add_joint(hinge);
}

struct BridgeForm {
  int planks = 4;
  double sag = 0.0;       ///< part of the length, of a parabola
  double load = 1.0;      ///< in masses of the bridge
  double friction = 0.0;  ///< torque of a hinge
};

/// Planks of 18 kg and 0.5 m between two fixed ends 3 m above the ground, hinged about y, and a box
/// in their middle. Returns the box.
inline BodyId add_bridge(World& world, const BridgeForm& form) {
  add_ground(world);
  const double length = 0.5, mass = 18.0;
  std::vector<Vec3> nodes{{0.0, 0.0, 3.0}};
  for (int i = 0; i < form.planks; ++i) {
    const auto height = [&](double part) {
      return -4.0 * form.sag * form.planks * length * part * (1.0 - part);
    };
    const double down =
        height((i + 1.0) / form.planks) - height(static_cast<double>(i) / form.planks);
    nodes.push_back(nodes.back() + Vec3{std::sqrt(length * length - down * down), 0.0, down});
  }
  const auto end = [&](double x) {
    return add_block(world, {0.4, 1.0, 0.1}, Pose::translation({x, 0.0, 3.0}), 1.0,
                     BodyType::fixed);
  };
  BodyId last = end(-0.25);
  for (std::size_t i = 0; i + 1 < nodes.size(); ++i) {
    const Vec3 along = nodes[i + 1] - nodes[i];
    const Pose pose = Pose::from_axis_angle((nodes[i] + nodes[i + 1]) * 0.5, {0, 1, 0},
                                            -std::atan2(along.z, along.x));
    const BodyId plank = add_block(world, {0.45, 1.0, 0.08}, pose, mass);
    add_hinge(world, last, plank, nodes[i], form.friction);
    last = plank;
  }
  add_hinge(world, last, end(nodes.back().x + 0.25), nodes.back(), form.friction);
  const Vec3 middle = nodes[static_cast<std::size_t>(form.planks / 2)];
  return add_block(world, {0.4, 0.4, 0.4}, Pose::translation(middle + Vec3{0.0, 0.0, 0.24}),
                   form.load * form.planks * mass);
}

/// A top of 50 kg on four legs by fixed joints, and a box on it of so many times its mass.
inline void add_table(World& world, Random& random, double load) {
  add_ground(world);
  const auto between = [&](double low, double high) { return random.uniform(low, high); };
  const BodyId top = add_block(world, {1.0, 1.0, 0.05}, Pose::translation({0.0, 0.0, 0.825}), 50.0);
  for (int i = 0; i < 4; ++i) {
    const double x = between(0.3, 0.45) * (i % 2 == 0 ? 1.0 : -1.0);
    const double y = between(0.3, 0.45) * (i / 2 == 0 ? 1.0 : -1.0);
    const BodyId leg =
        add_block(world, {0.06, 0.06, 0.8}, Pose::translation({x, y, 0.4}), between(1.0, 5.0));
    world.add_joint(joint_at(JointType::fixed, world.body(top), world.body(leg), {x, y, 0.8}));
  }
  const double x = between(-0.15, 0.15), y = between(-0.15, 0.15);
  if (load > 0.0) add_block(world, {0.3, 0.3, 0.3}, Pose::translation({x, y, 1.001}), 50.0 * load);
}

/// Eleven capsules on ball joints with cones and ranges and on hinges with limits, that fall on the
/// ground from any turn.
inline void add_ragdoll(World& world, Random& random) {
  add_ground(world);
  const Pose turn(Vec3{0.0, 0.0, 1.3}, test::random_rotation(random));
  const auto limb = [&](const Vec3& from, const Vec3& to, double radius) {
    BodyDefinition body{Capsule(radius, norm(to - from)),
                        Pose::along(turn.to_world(from), turn.to_world(to))};
    body.material.friction = 0.6;
    body.material.rolling_friction = 0.05;
    return world.add(body);
  };
  const auto join = [&](JointType type, BodyId a, BodyId b, const Vec3& at, const Vec3& axis) {
    JointDefinition joint =
        joint_at(type, world.body(a), world.body(b), turn.to_world(at), turn.rotation() * axis);
    if (type == JointType::ball) {
      joint.swing = 0.9;
      joint.twist = JointLimits{-0.6, 0.6};
    } else {
      joint.limits = JointLimits{-0.1, 1.8};
    }
    world.add_joint(joint);
  };
  const BodyId hips = limb({-0.1, 0, 0}, {0.1, 0, 0}, 0.1);
  const BodyId chest = limb({-0.12, 0, 0.3}, {0.12, 0, 0.3}, 0.12);
  const BodyId head = limb({0, 0, 0.57}, {0, 0, 0.63}, 0.09);
  join(JointType::ball, hips, chest, {0, 0, 0.15}, {0, 0, 1});
  join(JointType::ball, chest, head, {0, 0, 0.45}, {0, 0, 1});
  for (const double side : {-1.0, 1.0}) {
    const BodyId arm = limb({side * 0.3, 0, 0.3}, {side * 0.5, 0, 0.3}, 0.05);
    const BodyId hand = limb({side * 0.62, 0, 0.3}, {side * 0.82, 0, 0.3}, 0.045);
    join(JointType::ball, chest, arm, {side * 0.25, 0, 0.3}, {side, 0, 0});
    join(JointType::hinge, arm, hand, {side * 0.56, 0, 0.3}, {0, 0, 1});
    const BodyId thigh = limb({side * 0.1, 0, -0.2}, {side * 0.1, 0, -0.45}, 0.07);
    const BodyId shin = limb({side * 0.1, 0, -0.62}, {side * 0.1, 0, -0.9}, 0.06);
    join(JointType::ball, hips, thigh, {side * 0.1, 0, -0.12}, {0, 0, -1});
    join(JointType::hinge, thigh, shin, {side * 0.1, 0, -0.53}, {1, 0, 0});
  }
}

/// Most that was seen in a run, energies over the one at its start.
struct JointedRun {
  double apart = 0.0;  ///< of joints, in sizes of the smaller body
  double rise = 0.0;   ///< of the energy
  double speed = 0.0;  ///< at the end, of the fastest body in its sizes
  bool failed = false;
};

inline JointedRun run_jointed(World& world, double seconds) {
  JointedRun seen;
  const double first = energy(world);
  while (world.time() < seconds && !seen.failed) {
    seen.failed = world.step().failure.any();
    seen.rise = std::max(seen.rise, energy(world) - first);
    for (const Joint& joint : world.joints()) {
      const Body &a = world.body(joint.definition.body_a), &b = world.body(joint.definition.body_b);
      const Vec3 way = b.pose().to_world(joint.definition.frame_b.position()) -
                       a.pose().to_world(joint.definition.frame_a.position());
      seen.apart = std::max(seen.apart, norm(way) / std::min(a.size(), b.size()));
    }
  }
  seen.speed = world.statistics().max_relative_speed;
  return seen;
}

}  // namespace tactus::detail::test
