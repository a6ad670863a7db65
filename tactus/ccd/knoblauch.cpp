#include "tactus/ccd/knoblauch.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tactus/ccd/moving_primitives.hpp"

namespace tactus::detail {
namespace {

// By how much the source lowers the end of its interval, and how narrow it makes it.
constexpr double kStep = 0.1;
constexpr double kNarrowest = 1e-10;
// Below this part of the largest coefficient, the leading one is none.
constexpr double kNothing = 1e-14;

double volume_at(const MovingPrimitives& pair, double t) {
  const PairVectors p = pair.at(t);
  return dot(p.corner[0], cross(p.u, p.v));
}

// Is the vertex, in the plane of the face at this time, inside it?
bool is_inside(const PairVectors& p) {
  const double uu = squared_norm(p.u), vv = squared_norm(p.v), uv = dot(p.u, p.v);
  const Vec3 from = -p.corner[0];
  const double determinant = uu * vv - uv * uv;
  const double first = (vv * dot(from, p.u) - uv * dot(from, p.v)) / determinant;
  const double second = (uu * dot(from, p.v) - uv * dot(from, p.u)) / determinant;
  return first >= 0.0 && second >= 0.0 && first + second <= 1.0;
}

CcdResult hit_at(const MovingPrimitives& pair, double t) {
  CcdResult r;
  const PairVectors p = pair.at(t);
  r.hit = true;
  r.time = r.time_upper = t;
  r.weights = nearest_weights(p, 3);
  r.normal = normalized(cross(p.u, p.v), {0.0, 0.0, 1.0});
  return r;
}

int sign_of(double x) { return x > 0.0 ? 1 : (x < 0.0 ? -1 : 0); }

CcdResult by_bisection(const MovingPrimitives& pair) {
  double low = 0.0, high = 1.0;
  const int first = sign_of(volume_at(pair, low));
  while (high > 0.0 && sign_of(volume_at(pair, high)) == first) high -= kStep;
  if (!(high > 0.0)) return {};
  while (high - low > kNarrowest) {
    const double middle = 0.5 * (low + high);
    (sign_of(volume_at(pair, middle)) == first ? low : high) = middle;
  }
  return is_inside(pair.at(high)) ? hit_at(pair, high) : CcdResult{};
}

// Roots of a t^2 + b t + c.
int quadratic(double a, double b, double c, double* root) {
  if (a == 0.0) {
    if (b == 0.0) return 0;
    root[0] = -c / b;
    return 1;
  }
  const double d = b * b - 4.0 * a * c;
  if (d < 0.0) return 0;
  root[0] = (-b + std::sqrt(d)) / (2.0 * a);
  root[1] = (-b - std::sqrt(d)) / (2.0 * a);
  return 2;
}

// Roots of the cubic a t^3 + b t^2 + c t + d.
int cubic(double a, double b, double c, double d, double* root) {
  const double largest = std::max({std::fabs(b), std::fabs(c), std::fabs(d)});
  if (!(std::fabs(a) > kNothing * largest)) return quadratic(b, c, d, root);
  const double shift = b / (3.0 * a);
  const double p = c / (3.0 * a) - shift * shift;
  const double q = shift * shift * shift + (d / a - shift * (c / a)) / 2.0;
  const double discriminant = q * q + p * p * p;
  if (discriminant >= 0.0) {
    const double u = std::cbrt(-q + std::sqrt(discriminant));
    const double v = std::cbrt(-q - std::sqrt(discriminant));
    root[0] = u + v - shift;
    root[1] = -0.5 * (u + v) - shift;
    return discriminant == 0.0 ? 2 : 1;
  }
  const double radius = 2.0 * std::sqrt(-p);
  const double angle = std::acos(std::clamp(-q / std::sqrt(-p * p * p), -1.0, 1.0)) / 3.0;
  for (int k = 0; k < 3; ++k)
    root[k] = radius * std::cos(angle + 2.0 * std::numbers::pi * k / 3.0) - shift;
  return 3;
}

CcdResult by_formula(const MovingPrimitives& pair) {
  const Volume v = volume_between(pair.t0, pair.t1);
  const double* b = v.b;
  double root[3];
  const int count = cubic(b[3] - 3.0 * b[2] + 3.0 * b[1] - b[0], 3.0 * (b[2] - 2.0 * b[1] + b[0]),
                          3.0 * (b[1] - b[0]), b[0], root);
  std::sort(root, root + count);
  for (int i = 0; i < count; ++i) {
    if (root[i] >= 0.0 && root[i] <= 1.0 && is_inside(pair.at(root[i])))
      return hit_at(pair, root[i]);
  }
  return {};
}

}  // namespace

CcdResult knoblauch(const MovingVertexFace& motion, const CcdOptions& options) {
  const MovingPrimitives pair = MovingPrimitives::of(motion);
  if (!pair.is_finite()) {
    CcdResult r;
    r.status = Status::invalid_input;
    return r;
  }
  return options.method == CcdMethod::bisection ? by_bisection(pair) : by_formula(pair);
}

CcdResult knoblauch(const MovingEdges&, const CcdOptions&) {
  CcdResult r;
  r.status = Status::unsupported;
  return r;
}

}  // namespace tactus::detail
