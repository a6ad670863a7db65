#include "tactus/rigid/event/collision.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "tactus/rigid/event/impulse_integration.hpp"

namespace tactus::detail {
namespace {

constexpr int kMaxSweeps = 400;
// Change of speed, relative to the approach, that ends the sweeps.
constexpr double kEnough = 1e-13;
// Approach relative to the speed of micro-collisions that is none.
constexpr double kStill = 1e-6;

/// A point in its own axes: two tangents, and the normal last.
struct Local {
  BothVec3 arm;
  Mat3 axes;      ///< columns: tangents and normal, in the world
  Mat3 mobility;  ///< in these axes
  Mat3 stop;      ///< its inverse
  double slip_step = 0.0;
  Vec3 impulse;        ///< on B, in these axes
  Vec3 before, after;  ///< relative velocities of a phase

  Vec3 world(const Vec3& v) const { return axes * v; }
};

class Patch {
 public:
  Patch(std::span<const ImpactPoint> points, double friction, const SolverBody& a,
        const SolverBody& b)
      : friction_(friction), v_{a, b} {
    for (const ImpactPoint& point : points) {
      Local p;
      p.arm = point.arm;
      const Vec3 t = any_perpendicular(point.normal);
      p.axes = Mat3::from_columns(t, cross(point.normal, t), point.normal);
      for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j)
          p.mobility(i, j) = v_.mobility.at(p.arm, p.axes.column(i), p.axes.column(j));
      }
      p.stop = inverse(p.mobility);
      const double x = p.mobility(0, 0), y = p.mobility(1, 1), xy = p.mobility(0, 1);
      p.slip_step = 1.0 / (0.5 * (x + y) + std::sqrt(0.25 * (x - y) * (x - y) + xy * xy));
      p.before = p.after = velocity(p);
      points_.push_back(p);
    }
  }

  double approach() const {
    double fastest = 0.0;
    for (const Local& p : points_) fastest = std::max(fastest, -velocity(p).z);
    return fastest;
  }

  /// Stops the approach of all points.
  void stop(double approach) {
    for (int sweep = 0; sweep < kMaxSweeps; ++sweep) {
      double change = 0.0;
      for (Local& p : points_) change = std::max(change, stop_point(p));
      if (change <= kEnough * approach) break;
    }
    note_velocities();
  }

  /// The impulse of one point, by integration; the gain of energy.
  double integrate(double restitution) {
    Local& p = points_[0];
    const PointImpulse r = integrate_impact({p.mobility, p.before, friction_, restitution});
    p.impulse = r.impulse;
    apply(p, p.impulse);
    note_velocities();
    return gain();
  }

  /// Gain of energy by the impulses, from the velocities before to those after them.
  double gain() const {
    double sum = 0.0;
    for (const Local& p : points_) sum += 0.5 * dot(p.impulse, p.before + p.after);
    return sum;
  }

  /// The impulses act `factor` times once more.
  void repeat(double factor) {
    v_.linear += (v_.linear - start_.linear) * factor;
    v_.angular += (v_.angular - start_.angular) * factor;
    for (Local& p : points_) p.impulse = p.impulse * (1.0 + factor);
  }
  /// p . v, and p . (v - u).
  double along_after() const {
    double sum = 0.0;
    for (const Local& p : points_) sum += dot(p.impulse, p.after);
    return sum;
  }
  double along_change() const {
    double sum = 0.0;
    for (const Local& p : points_) sum += dot(p.impulse, p.after - p.before);
    return sum;
  }

  double restore(double restitution, double approach);

  CollisionReport report() const {
    CollisionReport r;
    for (const Local& p : points_) {
      r.impulse += p.world(p.impulse);
      r.normal_impulse += p.impulse.z;
    }
    return r;
  }
  void store(SolverBody& a, SolverBody& b) const { v_.store(a, b); }

 private:
  Vec3 velocity(const Local& p) const { return transpose_times(p.axes, v_.between(p.arm)); }
  void apply(const Local& p, const Vec3& impulse) { v_.apply(p.arm, p.world(impulse)); }
  void note_velocities() {
    for (Local& p : points_) p.after = velocity(p);
  }

  Vec3 within_cone(const Vec3& impulse) const {
    const double limit = friction_ * impulse.z;
    const double slip = std::sqrt(impulse.x * impulse.x + impulse.y * impulse.y);
    if (!(slip > limit)) return impulse;
    const double scale = slip > 0.0 ? limit / slip : 0.0;
    return {impulse.x * scale, impulse.y * scale, impulse.z};
  }

  /// The impulse that stops the point, or the part of it that its cone allows; the change of its
  /// speed.
  double stop_point(Local& p) {
    const Vec3 u = velocity(p);
    const Vec3 wanted = p.impulse - p.stop * u;
    Vec3 next = wanted;
    const double limit = friction_ * wanted.z;
    if (!(wanted.z >= 0.0) || wanted.x * wanted.x + wanted.y * wanted.y > limit * limit) {
      next = p.impulse;
      next.z = std::max(p.impulse.z - u.z / p.mobility(2, 2), 0.0);
      next.x -= u.x * p.slip_step;
      next.y -= u.y * p.slip_step;
      next = within_cone(next);
    }
    const Vec3 change = next - p.impulse;
    apply(p, change);
    p.impulse = next;
    return norm(p.mobility * change);
  }

  double friction_;
  PairVelocities v_, start_{v_};
  std::vector<Local> points_;
};

/// After `stop`: the normal impulses once more, with friction of their own, and no more energy than
/// restitution^2 of what was taken. Returns the gain of the whole collision.
double Patch::restore(double restitution, double approach) {
  const double taken = gain();
  const PairVelocities stopped = v_;
  std::vector<Vec3> first(points_.size());
  for (std::size_t i = 0; i < points_.size(); ++i) {
    Local& p = points_[i];
    first[i] = p.impulse;
    p.before = p.after;
    p.impulse = {0.0, 0.0, p.impulse.z * restitution};
    apply(p, p.impulse);
  }
  for (int sweep = 0; sweep < kMaxSweeps; ++sweep) {
    double change = 0.0;
    for (Local& p : points_) {
      const Vec3 u = velocity(p);
      const Vec3 next = within_cone(
          {p.impulse.x - u.x * p.slip_step, p.impulse.y - u.y * p.slip_step, p.impulse.z});
      change = std::max(change, norm(p.mobility * (next - p.impulse)));
      apply(p, next - p.impulse);
      p.impulse = next;
    }
    if (change <= kEnough * approach) break;
  }
  note_velocities();
  // The work of s times these impulses is s * linear + s^2 * square.
  double linear = 0.0;
  for (const Local& p : points_) linear += dot(p.impulse, p.before);
  const double square = gain() - linear;
  const double most = restitution * restitution * std::max(-taken, 0.0);
  double s = 1.0;
  if (linear + square > most && square > 0.0) {
    const double root = std::sqrt(std::max(linear * linear + 4.0 * square * most, 0.0));
    s = std::clamp((root - linear) / (2.0 * square), 0.0, 1.0);
    v_.linear = stopped.linear + (v_.linear - stopped.linear) * s;
    v_.angular = stopped.angular + (v_.angular - stopped.angular) * s;
  }
  for (std::size_t i = 0; i < points_.size(); ++i)
    points_[i].impulse = first[i] + points_[i].impulse * s;
  return taken + s * (linear + s * square);
}

/// The factor with which the impulses of the stop act once more: as wanted, or what is paid for.
double affordable(double wanted, double along_after, double along_change, double reserve) {
  if (!(along_change > 0.0)) return std::min(wanted, 1.0);
  // (1 + s) after - (1 - s^2) / 2 change = reserve
  const double square =
      along_after * along_after - 2.0 * along_change * (along_after - 0.5 * along_change - reserve);
  const double most = (std::sqrt(std::max(square, 0.0)) - along_after) / along_change;
  return std::max(std::min(wanted, most), 0.0);
}

}  // namespace

CollisionReport collide(std::span<const ImpactPoint> points, const CollisionLaw& law, SolverBody& a,
                        SolverBody& b, double& reserve) {
  Patch patch(points, law.friction, a, b);
  const double approach = patch.approach();
  if (!(approach > kStill * law.micro_speed) || points.empty()) return {};
  double gain = 0.0;
  const bool micro = law.restitution * approach < law.micro_speed;
  if (micro) {
    patch.stop(approach);
    const double after = patch.along_after(), change = patch.along_change();
    const double s = affordable(law.micro_speed / approach, after, change, reserve);
    patch.repeat(s);
    gain = (1.0 + s) * after - 0.5 * (1.0 - s * s) * change;
  } else if (points.size() == 1) {
    gain = patch.integrate(law.restitution);
  } else {
    patch.stop(approach);
    gain = patch.restore(law.restitution, approach);
  }
  reserve = std::clamp(reserve - gain, 0.0, law.most_reserve);
  patch.store(a, b);
  CollisionReport report = patch.report();
  report.approach = approach;
  report.energy = gain;
  report.micro = micro;
  return report;
}

}  // namespace tactus::detail
