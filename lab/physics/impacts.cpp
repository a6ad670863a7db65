#include <algorithm>
#include <cmath>
#include <vector>

#include "fuzz/random_values.hpp"
#include "lab/physics/trials.hpp"

// Trials of impacts: the motion afterwards, against the impulses of rigid bodies.

namespace tactus::detail::lab::physics {
namespace {

constexpr double kGravity = 9.81;

WorldSettings weightless(const Conditions& conditions) {
  WorldSettings settings = conditions.settings;
  settings.gravity = {};
  return settings;
}

/// The worst of five peaks of a ball dropped from 1 m.
std::vector<Finding> peaks(const Conditions& conditions) {
  World world(conditions.settings);
  Material material;
  material.restitution = 0.8;
  constexpr double kRadius = 0.1;
  add_fixed(world, HalfSpace({0, 0, 1}, 0.0), Pose(), material);
  const BodyId id =
      add_moving(world, Sphere(kRadius), Pose::translation({0, 0, 1.0 + kRadius}), material);
  double worst = 0.0, expected = 1.0;
  int found = 0;
  bool rising = false;
  for (int i = 0; i < 1000 && found < 5; ++i) {
    require_done(world.step());
    const double speed = world.body(id).linear_velocity().z;
    if (rising && speed <= 0.0) {
      const double height = world.body(id).center_of_mass().z - kRadius;
      expected *= 0.64;
      worst = std::max(worst, std::fabs((height + speed * speed / (2 * kGravity)) / expected - 1));
      ++found;
    }
    rising = speed > 0.0;
  }
  if (found < 5) worst = 1.0;
  return {at_most("bouncing ball, e 0.8: worst of five peaks", "of it", worst, 1e-3)};
}

/// A ball without weight that hits the ground turning: its motion along the ground afterwards.
std::vector<Finding> spinning_ball(const Conditions& conditions) {
  constexpr double kRadius = 0.5, kDown = 2.0, kAlong = 3.0, kSpin = 4.0, kRestitution = 0.5;
  std::vector<Finding> findings;
  for (const double friction : {0.1, 2.0}) {
    World world(weightless(conditions));
    Material material;
    material.friction = friction;
    material.restitution = kRestitution;
    add_fixed(world, HalfSpace({0, 0, 1}, 0.0), Pose(), material);
    const BodyId id = add_moving(world, Sphere(kRadius), Pose::translation({0, 0, 0.75}), material,
                                 {kAlong, 0, -kDown}, {0, -kSpin, 0});
    run(world, 0.5);
    // The contact point slides at v - w r; friction slows it by up to mu (1 + e) of the way down,
    // and the ball by two sevenths of the sliding at most.
    const double sliding = kAlong + kSpin * kRadius;
    const bool sticks = friction > 1.0;
    const double lost = sticks ? sliding * 2.0 / 7.0 : friction * (1.0 + kRestitution) * kDown;
    const std::string name = sticks ? "spinning ball, sticking: " : "spinning ball, sliding: ";
    const Body& ball = world.body(id);
    findings.push_back(
        compare(name + "along", "m/s", kAlong - lost, ball.linear_velocity().x, 1e-6));
    findings.push_back(
        compare(name + "up", "m/s", kRestitution * kDown, ball.linear_velocity().z, 1e-6));
    findings.push_back(compare(name + "spin", "1/s", -kSpin + lost / (0.4 * kRadius),
                               ball.angular_velocity().y, 1e-6));
  }
  return findings;
}

/// A body that hits the ground with one point, sticks there and does not bounce.
struct Stick {
  double energy = 0.0;  ///< E - v K^-1 v / 2, with the velocity of that point and its mobility K
  Vec3 spin;            ///< afterwards
};

Stick stick(const Body& body, const Vec3& velocity, const Vec3& arm) {
  const Mat3& axes = body.pose().rotation();
  const Mat3 inverse_inertia = axes * (body.inverse_inertia() * transpose(axes));
  Mat3 mobility = Mat3::identity() * body.inverse_mass();
  const Vec3 units[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int column = 0; column < 3; ++column) {
    const Vec3 moved = cross(inverse_inertia * cross(arm, units[column]), arm);
    mobility(0, column) += moved.x;
    mobility(1, column) += moved.y;
    mobility(2, column) += moved.z;
  }
  const Vec3 impulse = inverse(mobility) * velocity;
  return {body.kinetic_energy() - 0.5 * dot(velocity, impulse),
          inverse_inertia * cross(arm, impulse) * -1.0};
}

/// Does the body that turns about its lowest point keep all others above it for `time`?
bool stands_alone(const Shape& shape, const Quat& turn, const Vec3& spin, double time) {
  const double start = bounding_box(shape, Pose({0, 0, 0}, turn)).lower.z;
  const Vec3 low = support(shape, transpose_times(to_matrix(turn), Vec3{0, 0, -1}));
  for (int i = 1; i <= 10; ++i) {
    const Mat3 turned = rotation_by(spin * (time * i / 10)) * to_matrix(turn);
    const double lowest = bounding_box(shape, Pose({0, 0, 0}, to_quaternion(turned))).lower.z;
    if (lowest < dot(Vec3{0, 0, 1}, turned * low) - 1e-9) return false;
  }
  return start < 0.0;
}

/// The worst of many corner impacts of a body, thrown down without weight and turn.
Finding worst_corner(const Conditions& conditions, const char* name, const Shape& shape) {
  Finding finding{name, "of it", 0.0, 0.0, -1.0, 1e-3};
  Random random(conditions.seed, 77);
  for (int done = 0; done < 40;) {
    Material material;
    material.friction = 100.0;
    World world(weightless(conditions));
    add_fixed(world, HalfSpace({0, 0, 1}, 0.0), Pose(), material);
    const Quat turn = fuzz::rotation(random);
    const Pose turned({0, 0, 0}, turn);
    const Vec3 velocity{0.0, 0.0, -1.0};
    const double step = conditions.settings.time_step;
    const double lowest = bounding_box(shape, turned).lower.z;
    const Pose pose({0, 0, 0.3 * step - lowest}, turn);
    const BodyId id = add_moving(world, shape, pose, material, velocity);
    const Body before = world.body(id);
    const Vec3 low = support(shape, transpose_times(turned.rotation(), Vec3{0, 0, -1}));
    const Stick after = stick(before, velocity, turned.rotation() * (low - before.mass().center));
    if (!stands_alone(shape, turn, after.spin, step)) continue;
    ++done;
    require_done(world.step());
    const double expected = after.energy / before.kinetic_energy();
    const double kept = world.body(id).kinetic_energy() / before.kinetic_energy();
    if (!(std::fabs(kept - expected) > finding.deviation)) continue;
    finding.deviation = std::fabs(kept - expected);
    finding.theory = expected;
    finding.ours = kept;
  }
  return finding;
}

std::vector<Finding> corners(const Conditions& conditions) {
  std::vector<Finding> findings;
  const Vec3 points[] = {{0.2, 0.0, 0.0},    {-0.2, 0.05, 0.0}, {0.0, 0.2, 0.02},
                         {0.0, -0.2, 0.0},   {0.0, 0.0, 0.15},  {0.03, 0.0, -0.15},
                         {0.12, 0.12, 0.08}, {-0.1, -0.1, 0.1}};
  findings.push_back(worst_corner(conditions, "box on a corner, e 0, sticking: energy left",
                                  Box({0.4, 0.3, 0.2})));
  findings.push_back(
      worst_corner(conditions, "hull on a corner, e 0, sticking: energy left", Convex(points)));
  return findings;
}

}  // namespace

std::vector<Trial> impacts() {
  return {{"peaks", peaks}, {"spinning ball", spinning_ball}, {"corners", corners}};
}

}  // namespace tactus::detail::lab::physics
