#include "tactus/fit/box/local_frame.hpp"

#include <algorithm>
#include <cmath>

namespace tactus::detail::fit {

Vec3 times_power(const Vec3& v, int exponent) {
  return {std::ldexp(v.x, exponent), std::ldexp(v.y, exponent), std::ldexp(v.z, exponent)};
}

LocalFrame::LocalFrame(std::span<const Vec3> points) {
  Vec3 low = points[0], high = points[0];
  for (const Vec3& p : points) {
    low = component_min(low, p);
    high = component_max(high, p);
  }
  middle = low * 0.5 + high * 0.5;
  const double reach = std::max(max_abs(high - middle), max_abs(low - middle));
  if (reach > 0.0) std::frexp(reach, &exponent);
}

Vec3 LocalFrame::local(const Vec3& p) const { return times_power(p - middle, -exponent); }

Mat3 orthonormal(const Mat3& m) {
  const Vec3 x = normalized(m.row[0]);
  const Vec3 z = normalized(cross(x, m.row[1]), any_perpendicular(x));
  const Vec3 y = normalized(cross(z, x));
  return {{x, y, z}};
}

}  // namespace tactus::detail::fit
