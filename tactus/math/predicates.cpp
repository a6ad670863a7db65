#include "tactus/math/predicates.hpp"

#include "tactus/math/expansion.hpp"

namespace tactus {
namespace {

using detail::Expansion;

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

}  // namespace

int detail::orient3d_exact(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const ExactCross normal(ExactVec3(b, a), ExactVec3(c, a));
  const ExactVec3 w(d, a);
  return ((normal.x * w.x + normal.y * w.y) + normal.z * w.z).sign();
}

int detail::orient2d_exact(double ax, double ay, double bx, double by, double cx, double cy) {
  return minor(difference(ax, cx), difference(ay, cy), difference(bx, cx), difference(by, cy))
      .sign();
}

Vec3 accurate_cross(const Vec3& a, const Vec3& b, const Vec3& c) {
  const ExactCross normal(ExactVec3(b, a), ExactVec3(c, a));
  return {normal.x.estimate(), normal.y.estimate(), normal.z.estimate()};
}

}  // namespace tactus
