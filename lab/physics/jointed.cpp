#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "lab/physics/trials.hpp"

// Trials of joints: pendulums, a chain under load, motors, springs.

namespace tactus::detail::lab::physics {
namespace {

constexpr double kGravity = 9.81;

BodyId add_anchor(World& world) { return add_fixed(world, Sphere(0.01), Pose(), {}); }

/// Largest distance of two anchors that a ball joint or a hinge holds together.
double gap(const World& world) {
  double most = 0.0;
  for (const Joint& joint : world.joints()) {
    const JointDefinition& d = joint.definition;
    const Vec3 a = world.body(d.body_a).pose().to_world(d.frame_a.position());
    const Vec3 b = world.body(d.body_b).pose().to_world(d.frame_b.position());
    most = std::max(most, norm(b - a));
  }
  return most;
}

/// Largest deviations over a run: energy from its start, and anchors of a joint from each other.
struct Watch {
  const World& world;
  double first = energy(world), energy_off = 0.0, apart = 0.0;

  void look() {
    energy_off = std::max(energy_off, std::fabs(energy(world) - first));
    apart = std::max(apart, gap(world));
  }
};

/// Mean time between passages of zero in one direction; `x` is asked after every step.
template <class X>
double period(World& world, double seconds, X&& x) {
  double before = x(), first = 0.0, last = 0.0;
  int count = -1;
  while (world.time() < seconds) {
    require_done(world.step());
    const double now = x();
    if ((before < 0.0) != (now < 0.0)) {
      last = world.time() - now / (now - before) * world.settings().time_step;
      if (++count == 0) first = last;
    }
    before = now;
  }
  return 2.0 * (last - first) / count;
}

/// Mean of a and b between which arithmetic and geometric mean meet.
double agm(double a, double b) {
  for (int i = 0; i < 6; ++i) {
    const double mean = 0.5 * (a + b);
    b = std::sqrt(a * b);
    a = mean;
  }
  return a;
}

std::vector<Finding> pendulum(const Conditions& conditions) {
  World world(conditions.settings);
  const BodyId anchor = add_anchor(world);
  const Vec3 place{std::sin(1.0), 0.0, -std::cos(1.0)};
  const BodyId bob = add_moving(world, Sphere(0.1), Pose::translation(place), {});
  world.add_joint(joint_at(JointType::hinge, world.body(anchor), world.body(bob), {}, {0, 1, 0}));
  const double theory =
      2.0 * kPi * std::sqrt((1.0 + 0.4 * 0.01) / kGravity) / agm(1.0, std::cos(0.5));
  Watch watch{world};
  const double measured = period(world, 60.0, [&] {
    watch.look();
    return world.body(bob).center_of_mass().x;
  });
  const double scale = world.body(bob).mass().mass * kGravity;
  return {compare("pendulum on a hinge, 1 rad, 60 s: period", "s", theory, measured, 2e-6),
          at_most("pendulum on a hinge, 1 rad, 60 s: energy off", "m g l", watch.energy_off / scale,
                  1e-5),
          at_most("pendulum on a hinge, 1 rad, 60 s: joint apart", "m", watch.apart, 1e-10)};
}

/// Links of length 1 from an anchor along x, on ball joints; nothing touches.
std::vector<BodyId> add_chain(World& world, int count) {
  std::vector<BodyId> bodies{add_anchor(world)};
  for (int i = 0; i < count; ++i) {
    BodyDefinition link{Capsule(0.05, 0.8), Pose::along({1.0 * i, 0, 0}, {i + 1.0, 0, 0})};
    link.filter.mask = 0;
    bodies.push_back(world.add(link));
    world.add_joint(joint_at(JointType::ball, world.body(bodies[bodies.size() - 2]),
                             world.body(bodies.back()), {1.0 * i, 0, 0}));
  }
  return bodies;
}

std::vector<Finding> double_pendulum(const Conditions& conditions) {
  World world(conditions.settings);
  const std::vector<BodyId> bodies = add_chain(world, 2);
  Watch watch{world};
  while (world.time() < 60.0) {
    require_done(world.step());
    watch.look();
  }
  const double scale = 2.0 * world.body(bodies.back()).mass().mass * kGravity;
  return {at_most("double pendulum from the horizontal, 60 s: energy off", "m g l",
                  watch.energy_off / scale, 5e-4),
          at_most("double pendulum from the horizontal, 60 s: joints apart", "links", watch.apart,
                  1e-9)};
}

std::vector<Finding> loaded_chain(const Conditions& conditions) {
  World world(conditions.settings);
  const std::vector<BodyId> bodies = add_chain(world, 20);
  BodyDefinition load{Sphere(0.5), Pose::translation({20.5, 0, 0})};
  const double mass = 1000.0 * world.body(bodies.back()).mass().mass;
  load.material.density = mass / (kPi / 6.0);
  load.filter.mask = 0;
  const BodyId ball = world.add(load);
  world.add_joint(
      joint_at(JointType::ball, world.body(bodies.back()), world.body(ball), {20, 0, 0}));
  Watch watch{world};
  while (world.time() < 10.0) {
    require_done(world.step());
    watch.look();
  }
  return {at_most("chain of 20 swings 1000 times a link, 10 s: joints apart", "links", watch.apart,
                  2e-3),
          at_most("chain of 20 swings 1000 times a link, 10 s: energy off", "m g l",
                  watch.energy_off / (mass * kGravity * 20.0), 5e-3)};
}

std::vector<Finding> motor(const Conditions& conditions) {
  World world(conditions.settings);
  const BodyId anchor = add_anchor(world);
  const BodyId wheel = add_moving(world, Cylinder(0.5, 0.2), Pose(), {});
  JointDefinition joint = joint_at(JointType::hinge, world.body(anchor), world.body(wheel), {});
  joint.motor = JointMotor{10.0, 5.0 * world.body(wheel).mass().inertia(2, 2)};
  world.add_joint(joint);
  run(world, 1.0);
  const double halfway = world.body(wheel).angular_velocity().z;
  run(world, 2.0);
  const double end = world.body(wheel).angular_velocity().z;
  return {
      compare("motor of a wheel: speed while its torque is the bound", "1/s", 5.0, halfway, 1e-9),
      compare("motor of a wheel: speed reached", "1/s", 10.0, end, 1e-9)};
}

std::vector<Finding> spring(const Conditions& conditions) {
  World world(conditions.settings);
  const BodyId anchor = add_anchor(world);
  const BodyId bob = add_moving(world, Sphere(0.1), Pose::translation({0, 0, -1.2}), {});
  JointDefinition joint = distance_joint(world.body(anchor), world.body(bob), {}, {0, 0, -1.2});
  joint.length = 1.0;
  joint.spring = JointSpring{2.0, 0.0};
  const JointId id = world.add_joint(joint);
  const double w = 4.0 * kPi, sag = kGravity / (w * w), mass = world.body(bob).mass().mass;
  const auto stored = [&] {
    const double pulled = world.joint(id).position - 1.0;
    return energy(world) + 0.5 * mass * w * w * pulled * pulled;
  };
  const double first = stored();
  double off = 0.0;
  const double measured = period(world, 60.0, [&] {
    off = std::max(off, std::fabs(stored() - first));
    return world.joint(id).position - (1.0 + sag);
  });
  return {compare("spring of 2 Hz under a ball, 60 s: period", "s", 0.5, measured, 5e-5),
          at_most("spring of 2 Hz under a ball, 60 s: energy off", "m g l", off / (mass * kGravity),
                  1e-9)};
}

std::vector<Finding> cantilever(const Conditions& conditions) {
  World world(conditions.settings);
  const BodyId wall = add_anchor(world);
  BodyId last = wall;
  JointId root = kNoJoint;
  for (int i = 0; i < 2; ++i) {
    const BodyId next =
        add_moving(world, Box({0.98, 0.2, 0.2}), Pose::translation({0.5 + i, 0, 0}), {});
    const JointId joint = world.add_joint(
        joint_at(JointType::fixed, world.body(last), world.body(next), {1.0 * i, 0, 0}));
    if (i == 0) root = joint;
    last = next;
  }
  run(world, 10.0);
  const double weight = world.body(last).mass().mass * kGravity;
  return {at_most("cantilever of two boxes, 10 s: sinks", "m", -world.body(last).center_of_mass().z,
                  1e-9),
          compare("cantilever of two boxes: moment at the wall", "m g l", 2.0,
                  -world.joint(root).torque.y / weight, 1e-6)};
}

}  // namespace

std::vector<Trial> jointed() {
  return {{"pendulum", pendulum},
          {"double pendulum", double_pendulum},
          {"loaded chain", loaded_chain},
          {"motor", motor},
          {"spring", spring},
          {"cantilever", cantilever}};
}

}  // namespace tactus::detail::lab::physics
