#include "tactus/mesh/hull/hull_points.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <utility>

#include "tactus/core.hpp"
#include "tactus/math/expansion.hpp"
#include "tactus/math/predicates.hpp"
#include "tactus/mesh/hull/hull_surface.hpp"

namespace tactus::detail {
namespace {

using Index = std::uint32_t;

// A triangulated hull has up to twice as many triangles as points, and six times as many corners of
// them, which all have 32-bit numbers.
constexpr std::size_t kMostPoints = kNoIndex / 6;
constexpr double kNegligible = 0x1p-250;

// The point with the largest value, if it passes the exact test; else the first that does; else
// kNoIndex.
template <class Value, class Test>
Index farthest(std::span<const Vec3> points, Value value, Test independent) {
  Index best = 0;
  double best_value = -1.0;
  for (Index i = 0; i < points.size(); ++i) {
    const double v = value(points[i]);
    if (v > best_value) {
      best_value = v;
      best = i;
    }
  }
  if (independent(points[best])) return best;
  for (Index i = 0; i < points.size(); ++i) {
    if (independent(points[i])) return i;
  }
  return kNoIndex;
}

}  // namespace

void check_points(std::span<const Vec3> points) {
  if (points.empty()) throw InvalidInput("vertices", "must not be empty");
  if (points.size() > kMostPoints) throw InvalidInput("vertices", "too many points");
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!is_finite(points[i])) {
      throw InvalidInput("vertices[" + std::to_string(i) + "]", "must be finite");
    }
  }
}

std::vector<Vec3> rescaled(std::span<const Vec3> points) {
  double largest = 0.0;
  for (const Vec3& p : points) largest = std::max(largest, max_abs(p));
  int exponent = 0;
  std::frexp(largest, &exponent);
  // Products with a power of two are exact, and fast; at the ends of the range there is no such
  // power.
  const bool in_range = std::abs(exponent) < 1000;
  const double factor = in_range ? std::ldexp(1.0, -exponent) : 1.0;
  const auto rescale = [&](double x) {
    const double scaled = in_range ? x * factor : std::ldexp(x, -exponent);
    return std::fabs(scaled) < kNegligible ? 0.0 : scaled;
  };
  std::vector<Vec3> result;
  result.reserve(points.size());
  for (const Vec3& p : points) result.push_back({rescale(p.x), rescale(p.y), rescale(p.z)});
  return result;
}

void fatten(std::vector<Vec3>& points) {
  for (int axis = 0; axis < 3; ++axis) {
    double low = points[0][axis], high = low;
    for (const Vec3& p : points) {
      low = std::min(low, p[axis]);
      high = std::max(high, p[axis]);
    }
    const auto shifts_exactly = [&](const Vec3& p) {
      return two_difference(p[axis], low).low == 0.0;
    };
    if (high == low || !std::all_of(points.begin(), points.end(), shifts_exactly)) continue;
    int exponent = 0;
    std::frexp(high - low, &exponent);
    for (Vec3& p : points) p[axis] = std::ldexp(p[axis] - low, -exponent);
  }
}

StartSimplex find_simplex(std::span<const Vec3> points) {
  StartSimplex simplex;
  const auto [low, high] = std::minmax_element(points.begin(), points.end(), lexicographic);
  const Vec3 a = *low;
  // minmax_element gives the last of the largest; equal points are to be represented by the first.
  const Vec3 b = *std::find(points.begin(), points.end(), *high);
  simplex.point[0] = static_cast<Index>(low - points.begin());
  if (a == b) return simplex;
  simplex.dimension = 1;
  simplex.point[1] =
      static_cast<Index>(std::find(points.begin(), points.end(), b) - points.begin());

  const Index third = farthest(
      points, [&](const Vec3& p) { return squared_norm(cross(b - a, p - a)); },
      [&](const Vec3& p) { return !collinear(a, b, p); });
  if (third == kNoIndex) return simplex;
  simplex.dimension = 2;
  simplex.point[2] = third;

  const Vec3 c = points[third];
  const Vec3 normal = cross(b - a, c - a);
  const Index fourth = farthest(
      points, [&](const Vec3& p) { return std::fabs(dot(normal, p - a)); },
      [&](const Vec3& p) { return orient3d(a, b, c, p) != 0; });
  if (fourth == kNoIndex) return simplex;
  simplex.dimension = 3;
  simplex.point[3] = fourth;
  if (orient3d(a, b, c, points[fourth]) > 0) std::swap(simplex.point[0], simplex.point[1]);
  return simplex;
}

}  // namespace tactus::detail
