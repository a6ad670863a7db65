#include "tactus/narrow/difference/start_direction.hpp"

#include <algorithm>
#include <cmath>

namespace tactus::detail {
namespace {

// With fewer vertices a hull has little of an ellipsoid, and its support points cost less than a
// step.
constexpr std::size_t kFewestVertices = 32;
// More exact guesses pay where support points wait for memory.
constexpr std::size_t kManyVertices = 128;
constexpr int kSteps = 1, kStepsOfMany = 3;
// Radius of the touching spheres over the ellipsoids' distances from centre to tangent plane: more
// than one, since the steps must not overshoot where the ellipsoids are flat.
constexpr double kRadius = 1.25;
// Squared lengths in this range have neither over- nor underflowed.
constexpr double kLeastSquare = 1e-200, kMostSquare = 1e200;

int steps_for(const Core& a, const Core& b) {
  if (a.kind != CoreKind::polytope || b.kind != CoreKind::polytope) return 0;
  const std::size_t vertices = std::min(a.hull->vertices.size(), b.hull->vertices.size());
  return vertices < kFewestVertices ? 0 : vertices <= kManyVertices ? kSteps : kStepsOfMany;
}

}  // namespace

bool has_start_direction(const Core& a, const Core& b) { return steps_for(a, b) > 0; }

StartDirection start_direction(const Core& a, const Core& b, const Mat3& rotation,
                               const Vec3& translation) {
  const Vec3 centers = rotation * b.center + translation - a.center;
  Vec3 n = centers;
  double separation = 0.0;
  const int steps = steps_for(a, b);
  for (int step = 0; step < steps; ++step) {
    const Vec3 of_a = a.hull->spread * n;
    const Vec3 of_b = rotation * (b.hull->spread * transpose_times(rotation, n));
    const double ahead_a = std::sqrt(dot(of_a, n)), ahead_b = std::sqrt(dot(of_b, n));
    const Vec3 gap = centers - of_a * (1.0 / ahead_a) - of_b * (1.0 / ahead_b);
    const Vec3 next = gap + n * (kRadius * (ahead_a + ahead_b) / squared_norm(n));
    const double square = squared_norm(next);
    if (!(square > kLeastSquare && square < kMostSquare)) return {centers, 0.0};
    separation = dot(gap, n) / (ahead_a + ahead_b);
    n = next;
  }
  return {n, separation};
}

}  // namespace tactus::detail
