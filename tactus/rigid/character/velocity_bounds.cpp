#include "tactus/rigid/character/velocity_bounds.hpp"

#include <algorithm>
#include <cmath>

namespace tactus::detail {
namespace {

/// Rounding of a velocity on a bound, relative to the speeds.
constexpr double kRounding = 1e-12;
/// Bounds whose normals span less than this area, or volume, count as parallel.
constexpr double kParallel = 1e-9;

struct Best {
  const Vec3& wanted;
  std::span<const VelocityBound> bounds;
  double rounding;
  Vec3 velocity;
  double broken = 0.0, distance = 0.0;
  bool any = false;

  void look_at(const Vec3& v) {
    if (!is_finite(v)) return;
    const double breaks = std::max(worst_break(v, bounds) - rounding, 0.0);
    const double away = squared_norm(v - wanted);
    if (any && !(breaks < broken || (breaks == broken && away < distance))) return;
    any = true;
    velocity = v;
    broken = breaks;
    distance = away;
  }
};

/// The nearest velocity on two bounds.
void on_crease(const VelocityBound& a, const VelocityBound& b, Best& best) {
  const double between = dot(a.normal, b.normal), area = 1.0 - between * between;
  if (!(area > kParallel)) return;
  const double lack_a = a.least - dot(a.normal, best.wanted);
  const double lack_b = b.least - dot(b.normal, best.wanted);
  best.look_at(best.wanted + a.normal * ((lack_a - between * lack_b) / area) +
               b.normal * ((lack_b - between * lack_a) / area));
}

/// The velocity on three bounds.
void in_corner(const VelocityBound& a, const VelocityBound& b, const VelocityBound& c, Best& best) {
  const Vec3 bc = cross(b.normal, c.normal);
  const double volume = dot(a.normal, bc);
  if (!(std::fabs(volume) > kParallel)) return;
  best.look_at(
      (bc * a.least + cross(c.normal, a.normal) * b.least + cross(a.normal, b.normal) * c.least) *
      (1.0 / volume));
}

}  // namespace

double worst_break(const Vec3& velocity, std::span<const VelocityBound> bounds) {
  double worst = 0.0;
  for (const VelocityBound& bound : bounds)
    worst = std::max(worst, bound.least - dot(bound.normal, velocity));
  return worst;
}

Vec3 nearest_velocity(const Vec3& wanted, std::span<const VelocityBound> bounds) {
  double speed = max_abs(wanted);
  for (const VelocityBound& bound : bounds) speed = std::max(speed, std::fabs(bound.least));
  Best best{wanted, bounds, kRounding * speed, {}};
  best.look_at(wanted);
  if (best.broken == 0.0) return wanted;
  for (std::size_t i = 0; i < bounds.size(); ++i) {
    const VelocityBound& a = bounds[i];
    best.look_at(wanted + a.normal * (a.least - dot(a.normal, wanted)));
    for (std::size_t j = i + 1; j < bounds.size(); ++j) {
      on_crease(a, bounds[j], best);
      for (std::size_t k = j + 1; k < bounds.size(); ++k) in_corner(a, bounds[j], bounds[k], best);
    }
  }
  return best.velocity;
}

}  // namespace tactus::detail
