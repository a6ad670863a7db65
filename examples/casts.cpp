// A falling cone and a ray: when do they first touch a box, and where.
#include <cmath>
#include <cstdio>

#include "tactus/math.hpp"
#include "tactus/query.hpp"
#include "tactus/shape.hpp"

int main() {
  using namespace tactus;
  const Shape box = Box({2.0, 2.0, 0.5});
  const Shape cone = Cone(0.3, 1.0);
  const Pose here, above(Vec3{0.4, 0.2, 3.0}, Quat{0, 1, 0, 0});  // apex down
  const Vec3 still, fall{0, 0, -4.0};                             // over t in [0, 1]
  const CastResult c = cast(box, here, still, cone, above, fall);
  if (c.hit == Overlap::yes) {
    std::printf("no contact before t = %.15g, contact by t = %.15g\n", c.time, c.time_upper);
    std::printf("at (%g, %g, %g)\n", c.point_a.x, c.point_a.y, c.point_a.z);
  }
  const CastResult ray = ray_cast(box, here, {0, 0, 5}, {0, 0, -1}, 100.0);
  std::printf("the ray meets the box after %g\n", ray.time);
  return std::fabs(c.time - 2.25 / 4.0) < 1e-12 && std::fabs(ray.time - 4.75) < 1e-12 ? 0 : 1;
}
