#include "tactus/narrow/difference/swept_hull.hpp"

#include <algorithm>
#include <cmath>

#include "tactus/core/constants.hpp"
#include "tactus/shape.hpp"

namespace tactus::detail {
namespace {

constexpr double kHalfPiRoundedUp = 1.5707963267948968;  // rounded up
// Covers the roundings of the angle and of the bounding radius.
constexpr double kMargin = 1.0 + 64.0 * kEpsilon;

// Half the angle between two rotations, from above: |R - S| (Frobenius) = sqrt(8) sin(angle / 2).
double half_angle(const Mat3& r, const Mat3& s) {
  double squared = 0.0;
  for (int i = 0; i < 3; ++i) squared += squared_norm(r.column(i) - s.column(i));
  const double sine = std::min(std::sqrt(squared / 8.0), 1.0);
  const double cosine = std::sqrt((1.0 - sine) * (1.0 + sine));
  const double wide = kHalfPiRoundedUp * sine;
  return cosine > 0.0 ? std::min(sine / cosine, wide) : wide;
}

}  // namespace

SweptHull::SweptHull(const Shape& shape, const Pose& start, const Pose& end)
    : shape_(shape), start_(start), end_(end) {
  // A point on a circle of radius r leaves the evenly run chord of an angle by at most
  // r angle^2 / 8: the error of linear interpolation.
  const double half = half_angle(start.rotation(), end.rotation());
  bulge_ = 0.5 * bounding_radius(shape) * half * half * kMargin;
}

Vec3 SweptHull::support(const Vec3& direction) const noexcept {
  const auto farthest = [&](const Pose& pose) {
    return pose.to_world(tactus::support(shape_, pose.direction_to_local(direction)));
  };
  const Vec3 first = farthest(start_);
  const Vec3 last = farthest(end_);
  return dot(direction, last - first) > 0.0 ? last : first;
}

Core SweptHull::core() const {
  Vec3 low, high;
  for (int i = 0; i < 3; ++i) {
    Vec3 axis;
    axis[i] = 1.0;
    high[i] = support(axis)[i];
    low[i] = support(-axis)[i];
  }
  const Vec3 reach = component_max(component_abs(low), component_abs(high));
  Core c;
  c.kind = CoreKind::custom;
  c.custom = this;
  c.radius = bulge_;
  c.center = low * 0.5 + high * 0.5;
  c.reach = (reach.x + reach.y) + reach.z;
  c.extent = max_abs(high - low) + 2.0 * bulge_;
  return c;
}

}  // namespace tactus::detail
