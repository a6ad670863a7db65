#include "tactus/math/symmetric_eigen.hpp"

#include <array>
#include <utility>

namespace tactus::detail {
namespace {

// Convergence is quadratic: 3x3 matrices need 4 to 6 sweeps, whatever their entries.
constexpr int kMaxSweeps = 20;

// Rotates the axes p and q so that the entry (p, q) vanishes.
void rotate(Mat3& a, Mat3& vectors, int p, int q) {
  const double tau = (a(q, q) - a(p, p)) / (2.0 * a(p, q));
  // Tangent of the smaller of the two angles; 1 / (2 tau) where tau^2 overflows.
  const double t = 1.0 / (std::fabs(tau) + std::sqrt(1.0 + tau * tau));
  const double tangent = tau < 0.0 ? -t : t;
  const double c = 1.0 / std::sqrt(1.0 + tangent * tangent);
  const double s = tangent * c;

  const int r = 3 - p - q;
  const double shift = tangent * a(p, q);
  a(p, p) -= shift;
  a(q, q) += shift;
  a(p, q) = a(q, p) = 0.0;
  const double rp = a(r, p), rq = a(r, q);
  a(r, p) = a(p, r) = c * rp - s * rq;
  a(r, q) = a(q, r) = s * rp + c * rq;
  for (Vec3& row : vectors.row) {
    const double vp = row[p], vq = row[q];
    row[p] = c * vp - s * vq;
    row[q] = s * vp + c * vq;
  }
}

Vec3 with_positive_largest(const Vec3& v) {
  const double largest = max_abs(v);
  for (int i = 0; i < 3; ++i) {
    if (std::fabs(v[i]) == largest) return v[i] < 0.0 ? -v : v;
  }
  return v;
}

}  // namespace

SymmetricEigen symmetric_eigen(const Mat3& matrix) {
  // Scaled to entries near 1, so that no square overflows.
  double scale = 0.0;
  for (int r = 0; r < 3; ++r) {
    for (int c = r; c < 3; ++c) scale = std::fmax(scale, std::fabs(matrix(r, c)));
  }
  if (!(scale > 0.0)) return {};
  int exponent = 0;
  std::frexp(scale, &exponent);
  Mat3 a;
  for (int r = 0; r < 3; ++r) {
    for (int c = r; c < 3; ++c) a(r, c) = a(c, r) = std::ldexp(matrix(r, c), -exponent);
  }

  Mat3 vectors;
  constexpr std::array<std::pair<int, int>, 3> kOffDiagonal = {{{0, 1}, {0, 2}, {1, 2}}};
  bool diagonal = false;
  for (int sweep = 0; sweep < kMaxSweeps && !diagonal; ++sweep) {
    diagonal = true;
    for (const auto& [p, q] : kOffDiagonal) {
      // Below an ulp of both diagonal entries the rotation would change nothing.
      const double entry = std::fabs(a(p, q));
      if (std::fabs(a(p, p)) + entry == std::fabs(a(p, p)) &&
          std::fabs(a(q, q)) + entry == std::fabs(a(q, q))) {
        continue;
      }
      rotate(a, vectors, p, q);
      diagonal = false;
    }
  }

  std::array<int, 3> order = {0, 1, 2};
  for (const auto& [i, j] : kOffDiagonal) {
    const auto x = static_cast<std::size_t>(i), y = static_cast<std::size_t>(j);
    if (a(order[y], order[y]) < a(order[x], order[x])) std::swap(order[x], order[y]);
  }
  const Vec3 first = with_positive_largest(vectors.column(order[0]));
  const Vec3 second = with_positive_largest(vectors.column(order[1]));
  SymmetricEigen result;
  for (int i = 0; i < 3; ++i) {
    const int from = order[static_cast<std::size_t>(i)];
    result.values[i] = std::ldexp(a(from, from), exponent);
  }
  result.vectors = Mat3::from_columns(first, second, cross(first, second));
  return result;
}

}  // namespace tactus::detail
