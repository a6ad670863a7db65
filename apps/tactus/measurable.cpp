#include "apps/tactus/measurable.hpp"

#include <fmt/format.h>

#include <cmath>

#include "tactus/core.hpp"

namespace tactus::app {
namespace {

constexpr double kLeast = 1e-100;

}  // namespace

void require_measurable(const std::string& file, std::span<const Vec3> points) {
  Vec3 low = points.empty() ? Vec3{} : points[0], high = low;
  for (const Vec3& p : points) {
    low = component_min(low, p);
    high = component_max(high, p);
  }
  if (const double farthest = std::fmax(max_abs(low), max_abs(high)); farthest > kMostMeasured) {
    throw FileError(fmt::format("{}: has coordinates of {:.3g}; they may be up to {:g}: scale it",
                                file, farthest, kMostMeasured));
  }
  // Differences of halves do not overflow.
  const double extent = 2.0 * max_abs(high * 0.5 - low * 0.5);
  if (extent == 0.0 || (extent >= kLeast && extent <= kMostMeasured)) return;
  throw FileError(fmt::format(
      "{}: is {:.3g} long; results have a value for lengths from {:g} to {:g}: scale it", file,
      extent, kLeast, kMostMeasured));
}

}  // namespace tactus::app
