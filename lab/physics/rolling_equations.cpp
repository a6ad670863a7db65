#include "lab/physics/rolling_equations.hpp"

#include <algorithm>
#include <cmath>

namespace tactus::detail::lab::physics {
namespace {

/// Angle within which the change of the arm is measured: its square and rounding over it are small.
constexpr double kAngle = 1e-4;

struct Rates {
  Vec3 center;
  Quat turn;
  Vec3 spin;
};

/// Rate of an orientation, without unit length.
Quat rate(const Quat& turn, const Vec3& spin) {
  const Quat q = Quat{0.0, spin.x, spin.y, spin.z} * turn;
  return {0.5 * q.w, 0.5 * q.x, 0.5 * q.y, 0.5 * q.z};
}

RollerState moved(const RollerState& s, const Rates& rates, double time) {
  const Quat& q = s.turn;
  const Quat& d = rates.turn;
  return {s.center + rates.center * time,
          normalized(Quat{q.w + d.w * time, q.x + d.x * time, q.y + d.y * time, q.z + d.z * time}),
          s.spin + rates.spin * time};
}

Vec3 inertia_times(const Roller& roller, const Mat3& axes, const Vec3& v) {
  return axes * (roller.mass.inertia * transpose_times(axes, v));
}

Vec3 arm(const Roller& roller, const Vec3& center, const Quat& turn) {
  const Mat3 axes = to_matrix(turn);
  Vec3 down{0.0, 0.0, -1.0};
  if (roller.base > 0.0) down = -normalized(center - axes * roller.mass.center);
  return axes * (roller.farthest(transpose_times(axes, down)) - roller.mass.center);
}

Rates rates_of(const Roller& roller, const RollerState& s) {
  const Vec3 r = arm(roller, s.center, s.turn);
  const Vec3 speed = cross(r, s.spin);
  const Rates steady{speed, rate(s.turn, s.spin), {}};
  const double time = kAngle / std::max(1.0, norm(s.spin));
  const RollerState after = moved(s, steady, time), before = moved(s, steady, -time);
  const Vec3 change =
      (arm(roller, after.center, after.turn) - arm(roller, before.center, before.turn)) *
      (0.5 / time);
  const double mass = roller.mass.mass;
  const Mat3 axes = to_matrix(s.turn);
  Mat3 inertia = Mat3::zero();  // about the place of contact
  for (int j = 0; j < 3; ++j) {
    Vec3 unit;
    unit[j] = 1.0;
    const Vec3 column = inertia_times(roller, axes, unit) + cross(r, cross(unit, r)) * mass;
    for (int i = 0; i < 3; ++i) inertia(i, j) = column[i];
  }
  const Vec3 load{0.0, 0.0, roller.gravity * mass};
  const Vec3 torque = cross(r, cross(change, s.spin) * mass + load) -
                      cross(s.spin, inertia_times(roller, axes, s.spin));
  return {speed, steady.turn, inverse(inertia) * torque};
}

Quat sum(const Rates (&k)[4]) {
  const auto add = [&](double Quat::* part) {
    return (k[0].turn.*part + k[3].turn.*part) + 2.0 * (k[1].turn.*part + k[2].turn.*part);
  };
  return {add(&Quat::w), add(&Quat::x), add(&Quat::y), add(&Quat::z)};
}

}  // namespace

RollerState start(const Roller& roller) {
  const Mat3 axes = to_matrix(roller.turn);
  if (roller.base > 0.0) {
    const double radius = norm(roller.farthest({0.0, 0.0, 1.0}));
    return {Vec3{0.0, 0.0, roller.base + radius} + axes * roller.mass.center, roller.turn,
            roller.spin};
  }
  return {{0.0, 0.0, -arm(roller, {}, roller.turn).z}, roller.turn, roller.spin};
}

RollerState advance(const Roller& roller, const RollerState& state, double time) {
  Rates k[4];
  k[0] = rates_of(roller, state);
  k[1] = rates_of(roller, moved(state, k[0], 0.5 * time));
  k[2] = rates_of(roller, moved(state, k[1], 0.5 * time));
  k[3] = rates_of(roller, moved(state, k[2], time));
  const Rates mean{(k[0].center + k[3].center) + (k[1].center + k[2].center) * 2.0, sum(k),
                   (k[0].spin + k[3].spin) + (k[1].spin + k[2].spin) * 2.0};
  RollerState result = moved(state, mean, time / 6.0);
  if (roller.level) {
    result.center.y = 0.0;
    result.spin = {0.0, result.spin.y, 0.0};
  }
  return result;
}

Vec3 velocity(const Roller& roller, const RollerState& state) {
  return cross(arm(roller, state.center, state.turn), state.spin);
}

double kinetic_energy(const Roller& roller, const RollerState& state) {
  const Mat3 axes = to_matrix(state.turn);
  return 0.5 * (roller.mass.mass * squared_norm(velocity(roller, state)) +
                dot(state.spin, inertia_times(roller, axes, state.spin)));
}

double energy(const Roller& roller, const RollerState& state) {
  return kinetic_energy(roller, state) + roller.mass.mass * roller.gravity * state.center.z;
}

}  // namespace tactus::detail::lab::physics
