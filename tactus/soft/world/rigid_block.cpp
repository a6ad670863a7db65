#include "tactus/soft/world/rigid_block.hpp"

#include <cmath>

#include "tactus/math/turned.hpp"

namespace tactus::detail {
namespace {

// How often a step of a body that does not lower the energy is halved; at last it is left out.
constexpr int kHalvings = 8;

/// Twice the tangent of half the angle between where the body is and where it wants to go, world
/// axes.
Vec3 turn_from_wanted(const RigidBlock& b, std::span<const Vec3> x) {
  return turn_after(b.turn_of(x), b.wanted[1] * (-1.0 / b.scale)) * 2.0;
}

/// How `turn_from_wanted` changes with a small further turn.
Mat3 change_of(const Vec3& twice) {
  const Vec3 g = twice * 0.5;
  return (Mat3::identity() - cross_matrix(g)) + outer(g, g);
}

/// The six equations of a body: `a` of the centre, `b` mixed, `d` of the turn.
struct SixEquations {
  Vec3 force, torque;
  Mat3 a = Mat3::zero(), b = Mat3::zero(), d = Mat3::zero();

  /// Derivatives by the place of a point at `arm` from the centre.
  void add(const LocalModel& m, const Vec3& arm) {
    const Mat3 by_turn = cross_matrix(-arm);
    const Mat3 mixed = m.hessian * by_turn;
    force += m.gradient;
    torque += cross(arm, m.gradient);
    a = a + m.hessian;
    b = b + mixed;
    d = d + transpose_times(by_turn, mixed);
  }
};

}  // namespace

Vec3 turn_after(const Vec3& second, const Vec3& first) {
  return (second + first + cross(second, first)) / (1.0 - dot(second, first));
}

Mat3 rotation_of(const Vec3& turn) { return to_matrix(Quat{1.0, turn.x, turn.y, turn.z}); }

RigidPlace between(const RigidPlace& from, const RigidPlace& to, double share) {
  if (share == 0.0) return from;
  if (share == 1.0) return to;
  return {from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share};
}

void RigidBlock::put(const RigidPlace& place, std::vector<Vec3>& x) const {
  x[unknown] = place[0];
  x[unknown + 1] = place[1];
  const Mat3 rotation = rotation_of(turn_of(x));
  for (std::size_t i = 0; i < arms.size(); ++i) x[first + i] = rotation * arms[i] + place[0];
}

double RigidBlock::energy(std::span<const Vec3> x, double time_step) const {
  if (led) return 0.0;
  const Vec3 off = x[unknown] - wanted[0], turned = turn_from_wanted(*this, x);
  const double inertial = mass * squared_norm(off) + dot(turned, inertia * turned);
  return 0.5 * inertial / (time_step * time_step) + (dot(force, off) + dot(torque, turned));
}

Vec3 RigidBlock::extra_force(std::span<const Vec3> x, double time_step) const {
  return (x[unknown] - wanted[0]) * (mass / (time_step * time_step));
}

Vec3 RigidBlock::extra_torque(std::span<const Vec3> x, double time_step) const {
  return inertia * turn_from_wanted(*this, x) / (time_step * time_step);
}

void RigidBlock::relax(const Contacts& contacts, std::span<const std::uint32_t> touching,
                       std::span<const Vec3> start_places, double time_step,
                       std::vector<Vec3>& x) const {
  if (touching.empty() && force == Vec3{} && torque == Vec3{}) {
    put(wanted, x);
    return;
  }
  const double inverse_square = 1.0 / (time_step * time_step);
  const Vec3 turned = turn_from_wanted(*this, x), center = x[unknown];
  const Mat3 change = change_of(turned);
  SixEquations s;
  s.force = (center - wanted[0]) * (mass * inverse_square) + force;
  s.torque = transpose_times(change, inertia * turned * inverse_square + torque);
  s.a = Mat3::identity() * (mass * inverse_square);
  s.d = transpose_times(change, inertia * change) * inverse_square;
  const auto count = static_cast<std::uint32_t>(arms.size());
  for (const std::uint32_t pair : touching) {
    for (const Contacts::Touch& t : contacts.touches(pair, first, first + count, x, start_places))
      s.add(t.model, t.point - center);
  }
  // The centre is eliminated; what is left for the turn is positive definite too.
  const Mat3 by_force = inverse(s.a);
  const Mat3 rest = s.d - transpose_times(s.b, by_force * s.b);
  const Vec3 turn = inverse(rest) * (s.torque - transpose_times(s.b, by_force * s.force));
  const Vec3 move = by_force * (s.force - s.b * turn);
  const RigidPlace from = at(x);
  const RigidPlace to{center - move, turn_after(turn * -0.5, turn_of(x)) * scale};
  if (!is_finite(to[0]) || !is_finite(to[1])) return;
  const auto energy_here = [&] {
    return energy(x, time_step) + contacts.energy_of(touching, x, start_places);
  };
  // The model leaves out how normals turn, and contacts that begin on the way.
  const double before = energy_here();
  double share = 1.0;
  put(to, x);
  for (int k = 0; k < kHalvings && !(energy_here() <= before); ++k) {
    share = k + 1 == kHalvings ? 0.0 : 0.5 * share;
    put(between(from, to, share), x);
  }
}

bool RigidBlock::keep_within(std::span<const double> bounds, std::span<const Vec3> reference,
                             std::vector<Vec3>& x) const {
  const auto excess = [&] {
    double most = 0.0;
    for (std::size_t v = first; v < first + arms.size(); ++v) {
      const double way = norm(x[v] - reference[v]);
      if (way > bounds[v]) most = std::fmax(most, way / bounds[v]);
    }
    return most;
  };
  double over = excess();
  if (over == 0.0) return false;
  const RigidPlace from = at(reference), to = at(x);
  double share = 1.0;
  for (int k = 0; k < 8 && over > 0.0; ++k) {
    // A little less, for the rounding of the sum; the vertices of a turn run along arcs.
    share *= (1.0 - 1e-9) / over;
    put(between(from, to, share), x);
    over = excess();
  }
  if (over > 0.0) put(from, x);
  return true;
}

}  // namespace tactus::detail
