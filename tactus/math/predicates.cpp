#include "tactus/math/predicates.hpp"

#include <cmath>

#include "tactus/math/expansion.hpp"

namespace tactus::detail {
namespace {

using detail::Expansion;
using detail::TwoTerms;

Expansion<2> difference(double a, double b) { return Expansion<2>(detail::two_difference(a, b)); }

// u1 * v2 - u2 * v1
Expansion<16> minor(const Expansion<2>& u1, const Expansion<2>& u2, const Expansion<2>& v1,
                    const Expansion<2>& v2) {
  return u1 * v2 - u2 * v1;
}

struct ExactVec3 {
  Expansion<2> x, y, z;
  ExactVec3(const Vec3& to, const Vec3& from)
      : x(difference(to.x, from.x)), y(difference(to.y, from.y)), z(difference(to.z, from.z)) {}
};

struct ExactCross {
  Expansion<16> x, y, z;
  ExactCross(const ExactVec3& u, const ExactVec3& v)
      : x(minor(u.y, u.z, v.y, v.z)), y(minor(u.z, u.x, v.z, v.x)), z(minor(u.x, u.y, v.x, v.y)) {}
};

// Pairs of doubles as numbers of some 106 bits: sum and product err by less than 2^-102 of the same
// with all terms made positive. Source: dekker1971.
TwoTerms add(const TwoTerms& x, const TwoTerms& y) {
  const TwoTerms sum = detail::two_sum(x.high, y.high);
  return detail::two_sum(sum.high, sum.low + (x.low + y.low));
}
TwoTerms multiply(const TwoTerms& x, const TwoTerms& y) {
  const TwoTerms product = detail::two_product(x.high, y.high);
  return detail::two_sum(product.high, product.low + (x.high * y.low + x.low * y.high));
}
TwoTerms minor(const TwoTerms& u1, const TwoTerms& u2, const TwoTerms& v1, const TwoTerms& v2) {
  const TwoTerms left = multiply(u1, v2), right = multiply(u2, v1);
  return add(left, {-right.high, -right.low});
}

// Error bound of the determinant of three differences in pairs of doubles, relative to the sum of
// its six terms made positive: a term takes two products and three sums.
constexpr double kPairError = 1.0 / 1267650600228229401496703205376.0;  // 2^-100

struct PairVec3 {
  TwoTerms x, y, z;
  PairVec3(const Vec3& to, const Vec3& from)
      : x(detail::two_difference(to.x, from.x)),
        y(detail::two_difference(to.y, from.y)),
        z(detail::two_difference(to.z, from.z)) {}
};

double magnitude(const TwoTerms& u1, const TwoTerms& u2, const TwoTerms& v1, const TwoTerms& v2) {
  return std::fabs(u1.high * v2.high) + std::fabs(u2.high * v1.high);
}

/// The difference of two points.
struct Difference {
  const Vec3& to;
  const Vec3& from;
};

// Sign of the determinant of three differences.
int sign_of_volume(const Difference& du, const Difference& dv, const Difference& dw) {
  const PairVec3 u(du.to, du.from), v(dv.to, dv.from), w(dw.to, dw.from);
  const auto level = [](const TwoTerms& x, const TwoTerms& y, const TwoTerms& z) {
    return x.high == 0.0 && y.high == 0.0 && z.high == 0.0;
  };
  if (level(u.x, v.x, w.x) || level(u.y, v.y, w.y) || level(u.z, v.z, w.z)) return 0;
  const TwoTerms volume =
      add(add(multiply(minor(u.y, u.z, v.y, v.z), w.x), multiply(minor(u.z, u.x, v.z, v.x), w.y)),
          multiply(minor(u.x, u.y, v.x, v.y), w.z));
  const double error = kPairError * ((magnitude(u.y, u.z, v.y, v.z) * std::fabs(w.x.high) +
                                      magnitude(u.z, u.x, v.z, v.x) * std::fabs(w.y.high)) +
                                     magnitude(u.x, u.y, v.x, v.y) * std::fabs(w.z.high));
  if (volume.high > error) return 1;
  if (volume.high < -error) return -1;
  const ExactCross normal(ExactVec3(du.to, du.from), ExactVec3(dv.to, dv.from));
  const ExactVec3 exact_w(dw.to, dw.from);
  return ((normal.x * exact_w.x + normal.y * exact_w.y) + normal.z * exact_w.z).sign();
}

}  // namespace

int orient3d_exact(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  return sign_of_volume({b, a}, {c, a}, {d, a});
}

int orient_line_exact(const Vec3& origin, const Vec3& direction, const Vec3& p, const Vec3& q) {
  return sign_of_volume({p, origin}, {q, origin}, {direction, {}});
}

double plane_crossing(const Vec3& origin, const Vec3& direction, const Vec3& a, const Vec3& b,
                      const Vec3& c) {
  const ExactCross normal(ExactVec3(b, a), ExactVec3(c, a));
  const auto along = [&](const ExactVec3& w) {
    return ((normal.x * w.x + normal.y * w.y) + normal.z * w.z).estimate();
  };
  return along(ExactVec3(a, origin)) / along(ExactVec3(direction, {}));
}

int orient2d_exact(double ax, double ay, double bx, double by, double cx, double cy) {
  return minor(difference(ax, cx), difference(ay, cy), difference(bx, cx), difference(by, cy))
      .sign();
}

Vec3 accurate_cross(const Vec3& a, const Vec3& b, const Vec3& c) {
  const ExactCross normal(ExactVec3(b, a), ExactVec3(c, a));
  return {normal.x.estimate(), normal.y.estimate(), normal.z.estimate()};
}

}  // namespace tactus::detail
