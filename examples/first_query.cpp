// How far are a cone and a box apart, where, and how do we know?
#include <cstdio>

#include "tactus/check.hpp"
#include "tactus/query.hpp"

int main() {
  using namespace tactus;
  const Shape cone = Cone(0.5, 1.2);
  const Shape box = Shape(Box({1.0, 0.6, 0.4}), 0.05);  // edges rounded by 0.05
  const Pose here, there(Vec3{0.7, 0.1, 0.5}, Quat{0.96, 0.0, 0.28, 0.0});
  const DistanceResult r = distance(cone, here, box, there);
  std::printf("distance %.15g, proved within [%.15g, %.15g]\n", r.distance, r.lower, r.upper);
  std::printf("touching direction (%g, %g, %g)\n", r.normal.x, r.normal.y, r.normal.z);
  return check(cone, here, box, there, r).ok ? 0 : 1;  // re-proved without the search
}
