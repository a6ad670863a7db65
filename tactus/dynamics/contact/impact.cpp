#include "tactus/dynamics/contact/impact.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace tactus::detail {
namespace {

constexpr int kMaxSweeps = 200;
/// Change of speed, relative to the approach, that ends the sweeps: of one point, and of several,
/// whose loads share themselves out slowly.
constexpr double kEnough = 1e-12, kEnoughOfSeveral = 1e-8;

constexpr double kNoCreep[2] = {};

using Point = ContactConstraint::Point;

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

Vec3 between(const PatchVelocities& v, const Point& p) {
  return {v.along(p, 0), v.along(p, 1), v.along(p, 2)};
}

Touching touching_points(const ContactConstraint& c, const SolverBody& a, const SolverBody& b) {
  Touching touching;
  const PatchPlaces places(c, a, b);
  const BothMat3 inverse_inertia = both(a.inverse_inertia, b.inverse_inertia);
  for (int k = 0; k < c.count; ++k) {
    if (places.gap(c.points[k]) > kOpenGap * c.size) continue;
    Point& q = touching.points[static_cast<std::size_t>(touching.count++)];
    c.set_rows(q, c.arms[k], c.arms[k], inverse_inertia);
    ContactConstraint::set_masses(q, a.inverse_mass + b.inverse_mass);
  }
  return touching;
}

/// The impulse that stops a single point altogether, if friction can hold it.
bool stick(const ContactConstraint& c, Point& p, PatchVelocities& v) {
  Mat3 k;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) k(i, j) = ContactConstraint::mobility(p, v.inverse_mass, i, j);
  }
  const Vec3 wanted = inverse(k) * -between(v, p);
  const double limit = c.surface.friction * wanted.x;
  if (!(wanted.x >= 0.0) || !(wanted.y * wanted.y + wanted.z * wanted.z <= limit * limit))
    return false;
  p.normal_impulse = wanted.x;
  p.friction_impulse[0] = wanted.y;
  p.friction_impulse[1] = wanted.z;
  for (int axis = 0; axis < 3; ++axis) v.apply(p, axis, wanted[axis]);
  return true;
}

void stop_approach(const ContactConstraint& c, Touching& touching, double approach,
                   PatchVelocities& v) {
  if (touching.count == 1 && stick(c, touching.points[0], v)) return;
  for (int sweep = 0; sweep < kMaxSweeps; ++sweep) {
    double change = 0.0;
    touching.each([&](Point& p, const Vec3&) {
      const double old = p.normal_impulse;
      p.normal_impulse = std::max(old - p.normal_mass * v.along(p, 0), 0.0);
      v.apply(p, 0, p.normal_impulse - old);
      change = std::max(change, std::fabs(p.normal_impulse - old) / p.normal_mass);
      solve_friction(p, c.surface.friction * p.normal_impulse, kNoCreep, v);
    });
    if (change <= touching.enough() * approach) return;
  }
}

/// Work of the normal impulses and of all impulses of a phase, on the way from the velocities at
/// its start to the present ones.
struct Work {
  double normal = 0.0, all = 0.0;
};
Work work(Touching& touching, const PatchVelocities& v) {
  Work w;
  touching.each([&](const Point& p, const Vec3& start) {
    const Vec3 mean = (start + between(v, p)) * 0.5;
    w.normal += p.normal_impulse * mean.x;
    w.all += dot(impulse(p), mean);
  });
  return w;
}

PatchVelocities part_of_way(const PatchVelocities& from, const PatchVelocities& to, double part) {
  PatchVelocities result = from;
  result.angular += (to.angular - from.angular) * part;
  for (int axis = 0; axis < 3; ++axis)
    result.impulse[axis] += (to.impulse[axis] - from.impulse[axis]) * part;
  return result;
}

/// The impulses of the first phase, `restitution` times, with friction of their own.
void push_apart(const ContactConstraint& c, Touching& touching, double restitution, double approach,
                PatchVelocities& v) {
  touching.each([&](Point& p, const Vec3&) {
    p.normal_impulse *= restitution;
    p.friction_impulse[0] = p.friction_impulse[1] = 0.0;
    v.apply(p, 0, p.normal_impulse);
  });
  for (int sweep = 0; sweep < kMaxSweeps; ++sweep) {
    double change = 0.0;
    touching.each([&](Point& p, const Vec3&) {
      const Vec3 old = impulse(p);
      solve_friction(p, c.surface.friction * p.normal_impulse, kNoCreep, v);
      change = std::max(change, norm(impulse(p) - old) / p.normal_mass);
    });
    if (change <= touching.enough() * approach) return;
  }
}

}  // namespace

double approach_speed(const ContactConstraint& c, const SolverBody& a, const SolverBody& b) {
  const PatchVelocities v(c, a, b);
  const PatchPlaces places(c, a, b);
  double fastest = -1.0;
  for (int k = 0; k < c.count; ++k) {
    const Point& p = c.points[k];
    if (places.gap(p) <= kOpenGap * c.size) fastest = std::max(fastest, -v.along(p, 0));
  }
  return fastest;
}

void collide(const ContactConstraint& c, SolverBody& a, SolverBody& b, double restitution) {
  Touching touching = touching_points(c, a, b);
  const double approach = approach_speed(c, a, b);
  PatchVelocities v(c, a, b);
  const auto begin_phase = [&] {
    touching.each([&](const Point& p, Vec3& start) { start = between(v, p); });
  };
  begin_phase();
  stop_approach(c, touching, approach, v);
  if (restitution > 0.0) {
    const Work taken = work(touching, v);
    const double most =
        restitution * restitution * std::max(std::min(-taken.normal, -taken.all), 0.0);
    const PatchVelocities stopped = v;
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
