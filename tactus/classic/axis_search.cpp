#include "tactus/classic/axis_search.hpp"

#include <algorithm>
#include <limits>

namespace tactus::detail {
namespace {

// Axes closer than this (radians) are one.
constexpr double kSameAxis = 1e-6;

}  // namespace

void AxisSearch::consider(const Vec3& n, const Vec3& w) {
  if (-dot(n, w) < best_.separation - cso_.error_bound) return;
  const double separation = -cso_.value(n);
  ++evaluations_;
  if (observer_ != nullptr) {
    const double least = std::max(separation, best_.separation);
    const double endless = std::numeric_limits<double>::infinity();
    observer_->plane(
        {{stage_, evaluations_, least, endless, cso_.a.radius + cso_.b.radius}, n, -separation});
  }
  if (separation < best_.separation - cso_.error_bound) return;
  if (separation > best_.separation + cso_.error_bound) {
    best_.unique = true;
  } else if (norm(n - best_.n) > kSameAxis) {
    best_.unique = false;
  }
  if (separation > best_.separation) {
    best_.separation = separation;
    best_.n = n;
  }
}

}  // namespace tactus::detail
