#include "tactus/dynamics/contact/impact.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace tactus::detail {
namespace {

constexpr int kMaxSweeps = 200;
/// Change of speed, relative to the approach, that ends the sweeps.
constexpr double kEnough = 1e-12;

constexpr double kNoCreep[2] = {};

using Point = ContactConstraint::Point;

/// The points of a patch that touch, with the impulses of one phase of the impact.
struct Touching {
  std::array<Point, Manifold::kCapacity> points;
  std::array<Vec3, Manifold::kCapacity> start;  ///< relative velocities before the phase
  int count = 0;

  template <class F>
  void each(F&& f) {
    for (int k = 0; k < count; ++k)
      f(points[static_cast<std::size_t>(k)], start[static_cast<std::size_t>(k)]);
  }
};

Vec3 impulse(const ContactConstraint& c, const Point& p) {
  return c.normal * p.normal_impulse +
         (c.tangent[0] * p.friction_impulse[0] + c.tangent[1] * p.friction_impulse[1]);
}

Touching touching_points(const ContactConstraint& c, const SolverBody& a, const SolverBody& b) {
  Touching touching;
  const PairPlaces places{a, b};
  const PairMobility pair{a, b};
  for (int k = 0; k < c.count; ++k) {
    const Point& p = c.points[k];
    if (c.gap(p, places) > kOpenGap * c.size) continue;
    Point& q = touching.points[static_cast<std::size_t>(touching.count++)];
    q = p;
    c.set_masses(q, q.arm, pair);
    q.normal_impulse = q.friction_impulse[0] = q.friction_impulse[1] = 0.0;
  }
  return touching;
}

/// The impulse that stops a single point altogether, if friction can hold it.
bool stick(const ContactConstraint& c, Point& p, PairVelocities& v) {
  Mat3 k;
  const Vec3 axes[] = {c.normal, c.tangent[0], c.tangent[1]};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) k(i, j) = v.mobility.at(p.arm, axes[i], axes[j]);
  }
  const Vec3 u = v.between(p.arm);
  const Vec3 wanted = inverse(k) * Vec3{-dot(axes[0], u), -dot(axes[1], u), -dot(axes[2], u)};
  const double limit = c.surface.friction * wanted.x;
  if (!(wanted.x >= 0.0) || !(wanted.y * wanted.y + wanted.z * wanted.z <= limit * limit))
    return false;
  p.normal_impulse = wanted.x;
  p.friction_impulse[0] = wanted.y;
  p.friction_impulse[1] = wanted.z;
  v.apply(p.arm, impulse(c, p));
  return true;
}

void stop_approach(const ContactConstraint& c, Touching& touching, double approach,
                   PairVelocities& v) {
  if (touching.count == 1 && stick(c, touching.points[0], v)) return;
  for (int sweep = 0; sweep < kMaxSweeps; ++sweep) {
    double change = 0.0;
    touching.each([&](Point& p, const Vec3&) {
      const double old = p.normal_impulse;
      p.normal_impulse = std::max(old - p.normal_mass * dot(c.normal, v.between(p.arm)), 0.0);
      v.apply(p.arm, c.normal * (p.normal_impulse - old));
      change = std::max(change, std::fabs(p.normal_impulse - old) / p.normal_mass);
      solve_friction(c, p, p.arm, c.surface.friction * p.normal_impulse, kNoCreep, v);
    });
    if (change <= kEnough * approach) return;
  }
}

/// Work of the normal impulses and of all impulses of a phase, on the way from the velocities at
/// its start to the present ones.
struct Work {
  double normal = 0.0, all = 0.0;
};
Work work(const ContactConstraint& c, Touching& touching, const PairVelocities& v) {
  Work w;
  touching.each([&](const Point& p, const Vec3& start) {
    const Vec3 mean = (start + v.between(p.arm)) * 0.5;
    w.normal += p.normal_impulse * dot(c.normal, mean);
    w.all += dot(impulse(c, p), mean);
  });
  return w;
}

/// The impulses of the first phase, `restitution` times, with friction of their own.
void push_apart(const ContactConstraint& c, Touching& touching, double restitution, double approach,
                PairVelocities& v) {
  touching.each([&](Point& p, const Vec3&) {
    p.normal_impulse *= restitution;
    p.friction_impulse[0] = p.friction_impulse[1] = 0.0;
    v.apply(p.arm, c.normal * p.normal_impulse);
  });
  for (int sweep = 0; sweep < kMaxSweeps; ++sweep) {
    double change = 0.0;
    touching.each([&](Point& p, const Vec3&) {
      const Vec3 old = impulse(c, p);
      solve_friction(c, p, p.arm, c.surface.friction * p.normal_impulse, kNoCreep, v);
      change = std::max(change, norm(impulse(c, p) - old) / p.normal_mass);
    });
    if (change <= kEnough * approach) return;
  }
}

}  // namespace

double approach_speed(const ContactConstraint& c, const SolverBody& a, const SolverBody& b) {
  const PairVelocities v{a, b};
  const PairPlaces places{a, b};
  double fastest = -1.0;
  for (int k = 0; k < c.count; ++k) {
    const Point& p = c.points[k];
    if (c.gap(p, places) <= kOpenGap * c.size)
      fastest = std::max(fastest, -dot(c.normal, v.between(p.arm)));
  }
  return fastest;
}

void collide(const ContactConstraint& c, SolverBody& a, SolverBody& b, double restitution) {
  Touching touching = touching_points(c, a, b);
  const double approach = approach_speed(c, a, b);
  PairVelocities v{a, b};
  const auto begin_phase = [&] {
    touching.each([&](const Point& p, Vec3& start) { start = v.between(p.arm); });
  };
  begin_phase();
  stop_approach(c, touching, approach, v);
  if (restitution > 0.0) {
    const Work taken = work(c, touching, v);
    const double most =
        restitution * restitution * std::max(std::min(-taken.normal, -taken.all), 0.0);
    const PairVelocities stopped = v;
    begin_phase();
    push_apart(c, touching, restitution, approach, v);
    // The work of s times these impulses is s * linear + s^2 * square.
    double linear = 0.0;
    touching.each([&](const Point& p, const Vec3& start) { linear += dot(impulse(c, p), start); });
    const double square = work(c, touching, v).all - linear;
    if (linear + square > most && square > 0.0) {
      const double root = std::sqrt(std::max(linear * linear + 4.0 * square * most, 0.0));
      const double s = std::clamp((root - linear) / (2.0 * square), 0.0, 1.0);
      v.linear = stopped.linear + (v.linear - stopped.linear) * s;
      v.angular = stopped.angular + (v.angular - stopped.angular) * s;
    }
  }
  v.store(a, b);
}

}  // namespace tactus::detail
