#include "tactus/math/angle.hpp"

#include "tactus/core/constants.hpp"

namespace tactus::detail {
namespace {

// Taylor terms of atan up to x^27: for x below tan(pi / 16), where it is used, the rest is below
// 2e-21.
constexpr int kTerms = 14;

// atan(x) for 0 <= x <= 1: halving the angle twice, then the Taylor series.
double arc_tangent(double x) {
  for (int i = 0; i < 2; ++i) x = x / (1.0 + std::sqrt(1.0 + x * x));
  const double square = x * x;
  double sum = 0.0;
  for (int k = kTerms - 1; k >= 0; --k) sum = 1.0 / (2.0 * k + 1.0) - square * sum;
  return 4.0 * (x * sum);
}

}  // namespace

double angle_between(const Vec3& a, const Vec3& b) {
  const Vec3 u = normalized(a), v = normalized(b);
  const double sine = norm(cross(u, v));
  const double cosine = dot(u, v);
  const double magnitude = std::fabs(cosine);
  const double acute =
      sine <= magnitude ? arc_tangent(sine / magnitude) : kHalfPi - arc_tangent(magnitude / sine);
  return cosine < 0.0 ? 2.0 * kHalfPi - acute : acute;
}

Vec3 rotation_between(const Mat3& from, const Mat3& to) {
  const Quat q = to_quaternion(to * transpose(from));
  const Vec3 axis = q.w < 0.0 ? Vec3{-q.x, -q.y, -q.z} : Vec3{q.x, q.y, q.z};
  const double sine = norm(axis);
  if (!(sine > 0.0)) return {};
  const double half = angle_between({1.0, 0.0, 0.0}, {std::fabs(q.w), sine, 0.0});
  return axis * (2.0 * half / sine);
}

Mat3 shortest_turn_of_z(const Vec3& unit) {
  const Vec3 across{unit.x, unit.y, 0.0};
  if (!(max_abs(across) > 0.0)) return unit.z > 0.0 ? Mat3() : Mat3::diagonal({1.0, -1.0, -1.0});
  // The axis is (-s, c, 0), the angle's cosine z. The form with 1 / (1 + z) cancels next to -z.
  const Vec3 way = normalized(across);
  const double c = way.x, s = way.y, rest = 1.0 - unit.z;
  const double mixed = -rest * (c * s);
  return {{{1.0 - rest * (c * c), mixed, unit.x},
           {mixed, 1.0 - rest * (s * s), unit.y},
           {-unit.x, -unit.y, unit.z}}};
}

}  // namespace tactus::detail
