#include "tactus/query/plan/lone_minimum.hpp"

#include <algorithm>
#include <cmath>

#include "tactus/core/constants.hpp"

namespace tactus::detail {
namespace {

// Part of the larger body's size by which the bodies are moved to see whether the minimum stays.
constexpr double kStep = 1e-6;
// At least so many roundings, which leaves all but angles of 1e-2 to be told from none.
constexpr double kLeastSteps = 1e4;
// Roundings of the witnesses along the normal that a search leaves.
constexpr double kNoise = 4.0;
// Rounding of a point in the world, relative to its place.
constexpr double kPlace = 8.0;
// Minima that differ by more than so many circles are two.
constexpr double kTwo = 4.0;

// Wanted width of the narrowest bracket, relative to the size.
constexpr double kNarrowest = 1e-14;

double finite(double x) { return std::isfinite(x) ? x : 0.0; }

}  // namespace

MinimumScale::MinimumScale(double extent_a, double extent_b, double rounding) {
  const double a = finite(extent_a), b = finite(extent_b);
  const double larger = std::max(a, b), smaller = std::min(a, b);
  noise = kNoise * rounding;
  circle = std::max(kOnePlace * (smaller > 0.0 ? smaller : larger), kLeastSteps * rounding);
  step = std::max(kStep * larger, kLeastSteps * rounding);
  size = larger;
}

QueryOptions narrowed(const QueryOptions& options) {
  QueryOptions narrow;
  narrow.method = options.method;
  narrow.max_iterations = options.max_iterations;
  narrow.tolerance = std::min(options.tolerance, kNarrowest);
  return narrow;
}

double rounding_in_world(const Placed& a, const Placed& b, double rounding) {
  return rounding + kPlace * kUnit * (norm(a.pose.position()) + norm(b.pose.position()));
}

bool has_one_place(const Placed& a, const Placed& b, const DistanceResult& r,
                   const MinimumScale& scale) {
  FreeDirections free(r.normal, scale.circle, scale.noise);
  const auto stay_on = [&](const Placed& body, const Vec3& outward, const Vec3& point) {
    if (!body.shape.is_convex_body()) return;
    const Core& core = core_of(body.shape);
    free.stay_on(core, body.pose.rotation(), outward,
                 body.pose.to_local(point - outward * core.radius));
  };
  stay_on(a, r.normal, r.point_a);
  stay_on(b, -r.normal, r.point_b);
  return free.none();
}

Rivalry compare_minima(const DistanceResult& best, const DistanceResult& other, double excess,
                       const MinimumScale& scale) {
  const double difference =
      norm(best.normal - other.normal) * scale.size +
      (norm(best.point_a - other.point_a) + norm(best.point_b - other.point_b));
  if (difference <= kTwo * scale.circle) return Rivalry::same;
  return excess * scale.size > scale.step * difference + scale.noise * scale.size ? Rivalry::farther
                                                                                  : Rivalry::rival;
}

bool stays_deepest(const DistanceResult& r, const DistanceResult& deeper, double way,
                   const MinimumScale& scale) {
  const double open = (r.upper - r.lower) + (deeper.upper - deeper.lower) + scale.noise;
  if (!(open <= kOpenPart * scale.step)) return false;
  if (deeper.distance <= r.distance - way + open) return true;
  // Along its normal the other minimum has become deeper by the way's part.
  const double excess = (r.distance - deeper.distance) - way * dot(r.normal, deeper.normal);
  return compare_minima(r, deeper, excess - open, scale) == Rivalry::farther;
}

}  // namespace tactus::detail
