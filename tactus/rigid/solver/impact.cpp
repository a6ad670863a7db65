#include "tactus/rigid/solver/impact.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "tactus/rigid/solver/point_rows.hpp"

namespace tactus::detail {
namespace {

constexpr int kMaxSweeps = 200;
/// Change of speed, relative to the approach, that ends the sweeps: of one point, and of several,
/// whose loads share themselves out slowly.
constexpr double kEnough = 1e-12, kEnoughOfSeveral = 1e-8;

/// Velocities of the bodies of a patch, held outside the bodies while their impact is solved. The
/// relative velocity of the centres and the impulses are along the axes of the patch, the normal
/// and both tangents: they are orthonormal, so that rows meet each other in the turning alone.
struct Velocities {
  Velocities(const ContactConstraint& c, const SolverBody& a, const SolverBody& b)
      : angular(both(a.angular, b.angular)), centers(c, a, b) {
    const Vec3 between = b.linear - a.linear + c.image_velocity;
    linear[0] = dot(c.normal, between);
    linear[1] = dot(c.tangent[0], between);
    linear[2] = dot(c.tangent[1], between);
  }

  BothVec3 angular;
  CenterMobility centers;
  double linear[3];
  double impulse[3] = {};  ///< on B, since the beginning

  /// Velocity of B relative to A at a point, along an axis: normal (0) or tangent (1, 2).
  double along(const PointRows& p, int axis) const {
    return linear[axis] + sum(dot(p.rows[axis].moment, angular));
  }
  void apply(const PointRows& p, int axis, double change) {
    angular += p.rows[axis].angular * change;
    if (centers.locked) {
      for (int i = 0; i < 3; ++i) linear[i] += centers.between[i][axis] * change;
    } else {
      linear[axis] += centers.free * change;
    }
    impulse[axis] += change;
  }
  void store(const ContactConstraint& c, SolverBody& a, SolverBody& b) const {
    const Vec3 total =
        c.normal * impulse[0] + (c.tangent[0] * impulse[1] + c.tangent[1] * impulse[2]);
    store_velocities(both(a.linear, b.linear) + both(pushed(a, -total), pushed(b, total)), angular,
                     a, b);
  }
};

/// A point with its impulses of one phase of the impact.
struct Point : PointRows {
  double normal_impulse = 0.0, friction_impulse[2] = {};
  double belt[2] = {};  ///< see ContactConstraint::find_belts
};

/// Changes the friction impulse of a point, kept within the disc of this radius, so that the
/// sliding stops or the friction is opposite to it.
void solve_friction(Point& p, double limit, Velocities& v) {
  // Stops the sliding when the disc allows it. Otherwise a projected step with one scalar for both
  // directions: at its fixed point the force is opposite to the sliding velocity, which scaling
  // back the first solution would miss.
  const double old0 = p.friction_impulse[0], old1 = p.friction_impulse[1];
  if (limit == 0.0 && old0 == 0.0 && old1 == 0.0) return;
  const double u0 = v.along(p, 1) + p.belt[0], u1 = v.along(p, 2) + p.belt[1];
  double new0 = old0 - (p.friction_inverse[0] * u0 + p.friction_inverse[1] * u1);
  double new1 = old1 - (p.friction_inverse[1] * u0 + p.friction_inverse[2] * u1);
  if (new0 * new0 + new1 * new1 > limit * limit) {
    new0 = old0 - p.friction_step * u0;
    new1 = old1 - p.friction_step * u1;
    const double size = std::sqrt(new0 * new0 + new1 * new1);
    const double scale = size > limit ? limit / size : 1.0;
    new0 *= scale;
    new1 *= scale;
  }
  p.friction_impulse[0] = new0;
  p.friction_impulse[1] = new1;
  v.apply(p, 1, new0 - old0);
  v.apply(p, 2, new1 - old1);
}

/// The points of a patch that touch, with the impulses of one phase of the impact. Vectors are
/// along the axes of the patch.
struct Touching {
  std::array<Point, Manifold::kCapacity> points;
  std::array<Vec3, Manifold::kCapacity> start;  ///< relative velocities before the phase
  int count = 0;

  double enough() const { return count == 1 ? kEnough : kEnoughOfSeveral; }
  template <class F>
  void each(F&& f) {
    for (int k = 0; k < count; ++k)
      f(points[static_cast<std::size_t>(k)], start[static_cast<std::size_t>(k)]);
  }
};

Vec3 impulse(const Point& p) {
  return {p.normal_impulse, p.friction_impulse[0], p.friction_impulse[1]};
}

/// Velocity of the surface of B relative to that of A: of the bodies and, where they run, of these.
Vec3 between(const Velocities& v, const Point& p) {
  return {v.along(p, 0), v.along(p, 1) + p.belt[0], v.along(p, 2) + p.belt[1]};
}

Touching touching_points(const ContactConstraint& c, const SolverBody& a, const SolverBody& b) {
  Touching touching;
  double belts[Manifold::kCapacity][2] = {};
  if (c.is_driven()) c.find_belts(false, belts);
  for (int k = 0; k < c.count; ++k) {
    const ContactConstraint::Point& p = c.points[k];
    if (c.gap(p, a, b) > kOpenGap * c.size) continue;
    Point& point = touching.points[static_cast<std::size_t>(touching.count++)];
    point = {PointRows(c, p.arm, p.arm, a, b)};
    for (int i = 0; i < 2; ++i) point.belt[i] = belts[k][i];
  }
  return touching;
}

/// Takes the axes out of the equations of a point, k * impulse = away, along which it cannot move,
/// or not on its own: their impulses are zero.
void leave_out_immovable(double free, Mat3& k, Vec3& away) {
  const auto leave_out = [&](int axis) {
    for (int i = 0; i < 3; ++i) k(axis, i) = k(i, axis) = axis == i ? 1.0 : 0.0;
    away[axis] = 0.0;
  };
  const double least = kImmovable * free;
  if (!(k(0, 0) > least)) leave_out(0);
  if (!(k(1, 1) - k(0, 1) * k(0, 1) / k(0, 0) > least)) leave_out(1);
  const double minor = k(0, 0) * k(1, 1) - k(0, 1) * k(0, 1);
  if (!(determinant(k) > least * minor)) leave_out(2);
}

/// The impulse that stops a single point altogether, if friction can hold it.
bool stick(const ContactConstraint& c, Point& p, Velocities& v) {
  Mat3 k;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) k(i, j) = p.mobility(v.centers, i, j);
  }
  Vec3 away = -between(v, p);
  if (v.centers.locked) leave_out_immovable(v.centers.free, k, away);
  const Vec3 wanted = inverse(k) * away;
  const double limit = c.surface.friction * wanted.x;
  if (!(wanted.x >= 0.0) || !(wanted.y * wanted.y + wanted.z * wanted.z <= limit * limit))
    return false;
  p.normal_impulse = wanted.x;
  p.friction_impulse[0] = wanted.y;
  p.friction_impulse[1] = wanted.z;
  for (int axis = 0; axis < 3; ++axis) v.apply(p, axis, wanted[axis]);
  return true;
}

void stop_approach(const ContactConstraint& c, Touching& touching, double approach, Velocities& v) {
  if (touching.count == 1 && stick(c, touching.points[0], v)) return;
  for (int sweep = 0; sweep < kMaxSweeps; ++sweep) {
    double change = 0.0;
    touching.each([&](Point& p, const Vec3&) {
      const double old = p.normal_impulse;
      p.normal_impulse = std::max(old - p.normal_mass * v.along(p, 0), 0.0);
      v.apply(p, 0, p.normal_impulse - old);
      change = std::max(change, std::fabs(p.normal_impulse - old) / p.normal_mass);
      solve_friction(p, c.surface.friction * p.normal_impulse, v);
    });
    if (change <= touching.enough() * approach) return;
  }
}

/// Work of the normal impulses and of all impulses of a phase, on the way from the velocities at
/// its start to the present ones.
struct Work {
  double normal = 0.0, all = 0.0;
};
Work work(Touching& touching, const Velocities& v) {
  Work w;
  touching.each([&](const Point& p, const Vec3& start) {
    const Vec3 mean = (start + between(v, p)) * 0.5;
    w.normal += p.normal_impulse * mean.x;
    w.all += dot(impulse(p), mean);
  });
  return w;
}

Velocities part_of_way(const Velocities& from, const Velocities& to, double part) {
  Velocities result = from;
  result.angular += (to.angular - from.angular) * part;
  for (int axis = 0; axis < 3; ++axis)
    result.impulse[axis] += (to.impulse[axis] - from.impulse[axis]) * part;
  return result;
}

/// The impulses of the first phase, `restitution` times, with friction of their own.
void push_apart(const ContactConstraint& c, Touching& touching, double restitution, double approach,
                Velocities& v) {
  touching.each([&](Point& p, const Vec3&) {
    p.normal_impulse *= restitution;
    p.friction_impulse[0] = p.friction_impulse[1] = 0.0;
    v.apply(p, 0, p.normal_impulse);
  });
  for (int sweep = 0; sweep < kMaxSweeps; ++sweep) {
    double change = 0.0;
    touching.each([&](Point& p, const Vec3&) {
      const Vec3 old = impulse(p);
      solve_friction(p, c.surface.friction * p.normal_impulse, v);
      change = std::max(change, norm(impulse(p) - old) / p.normal_mass);
    });
    if (change <= touching.enough() * approach) return;
  }
}

}  // namespace

double approach_speed(const ContactConstraint& c, const SolverBody& a, const SolverBody& b) {
  double fastest = -1.0;
  for (const ContactConstraint::Point& p : c.all_points())
    if (c.gap(p, a, b) <= kOpenGap * c.size) fastest = std::max(fastest, -c.speed(p, a, b));
  return fastest;
}

void collide(const ContactConstraint& c, SolverBody& a, SolverBody& b, double restitution) {
  Touching touching = touching_points(c, a, b);
  const double approach = approach_speed(c, a, b);
  Velocities v(c, a, b);
  const auto begin_phase = [&] {
    touching.each([&](const Point& p, Vec3& start) { start = between(v, p); });
  };
  begin_phase();
  stop_approach(c, touching, approach, v);
  if (restitution > 0.0) {
    const Work taken = work(touching, v);
    const double most =
        restitution * restitution * std::max(std::min(-taken.normal, -taken.all), 0.0);
    const Velocities stopped = v;
    begin_phase();
    push_apart(c, touching, restitution, approach, v);
    // The work of s times these impulses is s * linear + s^2 * square.
    double linear = 0.0;
    touching.each([&](const Point& p, const Vec3& start) { linear += dot(impulse(p), start); });
    const double square = work(touching, v).all - linear;
    if (linear + square > most && square > 0.0) {
      const double root = std::sqrt(std::max(linear * linear + 4.0 * square * most, 0.0));
      const double s = std::clamp((root - linear) / (2.0 * square), 0.0, 1.0);
      v = part_of_way(stopped, v, s);
    }
  }
  v.store(c, a, b);
}

}  // namespace tactus::detail
