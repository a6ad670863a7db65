#pragma once

#include <cmath>
#include <memory>
#include <vector>

#include "tactus/core/random.hpp"
#include "tactus/shape.hpp"

namespace tactus::detail {

inline Quat random_rotation(Random& random) {
  return normalized(Quat{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1),
                         random.uniform(-1, 1)});
}

inline Pose random_pose(Random& random, double reach) {
  const Vec3 position{random.uniform(-reach, reach), random.uniform(-reach, reach),
                      random.uniform(-reach, reach)};
  return {position, random_rotation(random)};
}

inline Shape random_hull(Random& random, int count) {
  std::vector<Vec3> points;
  for (int i = 0; i < count; ++i) {
    points.push_back(
        {random.uniform(-0.6, 0.6), random.uniform(-0.4, 0.4), random.uniform(-0.5, 0.5)});
  }
  return Convex(points);
}

// An ellipsoid known by its support function only.
class RoundThing : public SupportFunction {
 public:
  Vec3 support(const Vec3& d) const noexcept override {
    const Vec3 scaled{0.5 * d.x, 0.4 * d.y, 0.3 * d.z};
    const double length = norm(scaled);
    return {0.5 * scaled.x / length, 0.4 * scaled.y / length, 0.3 * scaled.z / length};
  }
};

/// One of each convex kind, some with rounding, one flat hull.
inline std::vector<Shape> every_convex_shape(Random& random) {
  return {Sphere(0.4),
          Box({0.8, 0.5, 0.6}),
          Capsule(0.2, 0.6),
          Cylinder(0.3, 0.7),
          Cone(0.4, 0.8),
          Ellipsoid({0.5, 0.3, 0.4}),
          random_hull(random, 20),
          CustomConvex(std::make_shared<RoundThing>()),
          Shape(Box({0.5, 0.4, 0.3}), 0.1),
          Shape(Cylinder(0.3, 0.4), 0.05),
          Shape(Convex(std::vector<Vec3>{{0, 0, 0}, {0.7, 0, 0}, {0, 0.5, 0}}), 0.1)};
}

}  // namespace tactus::detail
