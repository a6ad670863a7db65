#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tactus/core/random.hpp"
#include "tactus/shape.hpp"

namespace tactus::detail::test {

/// A convex body beside a description that shares nothing with the library's formulas: how far a
/// point lies outside the core (not a distance, but zero on its surface and negative inside, of the
/// size of the distance near it).
struct Sample {
  std::string name;
  Shape shape;
  std::function<double(const Vec3&)> outside;
};

/// An octahedron with the given half diagonals: as a hull, and as a support function of a user's
/// own.
class OctahedronSupport : public SupportFunction {
 public:
  explicit OctahedronSupport(const Vec3& half) : half_(half) {}
  Vec3 support(const Vec3& direction) const noexcept override {
    const Vec3 reach = component_product(half_, component_abs(direction));
    const int axis = reach.x >= reach.y && reach.x >= reach.z ? 0 : (reach.y >= reach.z ? 1 : 2);
    Vec3 point;
    point[axis] = direction[axis] < 0.0 ? -half_[axis] : half_[axis];
    return point;
  }

 private:
  Vec3 half_;
};

inline std::vector<Sample> convex_samples(double rounding) {
  const Vec3 octahedron{1.0, 0.5, 2.0};
  std::vector<Vec3> corners;
  for (int i = 0; i < 3; ++i) {
    for (const double sign : {-1.0, 1.0}) {
      Vec3 corner;
      corner[i] = sign * octahedron[i];
      corners.push_back(corner);
    }
  }
  const auto outside_octahedron = [](const Vec3& p) {
    return std::fabs(p.x) + std::fabs(p.y) / 0.5 + std::fabs(p.z) / 2.0 - 1.0;
  };
  const auto outside_disc = [](const Vec3& p, double radius) {
    return std::sqrt(p.x * p.x + p.y * p.y) - radius;
  };
  return {
      {"sphere", {Sphere(0.7), rounding}, [](const Vec3& p) { return norm(p) - 0.7; }},
      {"box",
       {Box({1.0, 0.4, 2.0}), rounding},
       [](const Vec3& p) {
         return std::max({std::fabs(p.x) - 0.5, std::fabs(p.y) - 0.2, std::fabs(p.z) - 1.0});
       }},
      {"capsule",
       {Capsule(0.3, 1.0), rounding},
       [](const Vec3& p) {
         const double z = std::clamp(p.z, -0.5, 0.5);
         return norm(p - Vec3{0.0, 0.0, z}) - 0.3;
       }},
      {"cylinder",
       {Cylinder(0.6, 1.5), rounding},
       [=](const Vec3& p) { return std::max(outside_disc(p, 0.6), std::fabs(p.z) - 0.75); }},
      {"cone",
       {Cone(0.8, 1.2), rounding},
       [=](const Vec3& p) {
         return std::max(outside_disc(p, 0.8 * (0.6 - p.z) / 1.2), -0.6 - p.z);
       }},
      {"ellipsoid",
       {Ellipsoid({1.0, 0.3, 0.6}), rounding},
       [](const Vec3& p) { return norm(Vec3{p.x, p.y / 0.3, p.z / 0.6}) - 1.0; }},
      {"convex", {Convex(corners), rounding}, outside_octahedron},
      {"custom",
       {CustomConvex(std::make_shared<OctahedronSupport>(octahedron)), rounding},
       outside_octahedron},
  };
}

inline Vec3 random_direction(Random& random) {
  while (true) {
    const double x = random.uniform(-1, 1);
    const double y = random.uniform(-1, 1);
    const double z = random.uniform(-1, 1);
    const Vec3 v{x, y, z};
    if (norm(v) > 0.1 && norm(v) < 1.0) return normalized(v);
  }
}

inline Pose random_pose(Random& random, double distance) {
  const Vec3 position = random_direction(random) * distance;
  const Vec3 axis = random_direction(random);
  return {position, normalized(Quat{random.uniform(-1, 1), axis.x, axis.y, axis.z})};
}

/// Points of the core by rejection from a cube that holds all samples.
inline std::vector<Vec3> core_points(const Sample& sample, Random& random, int tries) {
  std::vector<Vec3> points;
  for (int i = 0; i < tries; ++i) {
    const double x = random.uniform(-1, 1);
    const double y = random.uniform(-1, 1);
    const double z = random.uniform(-2, 2);
    if (sample.outside({x, y, z}) <= 0.0) points.push_back({x, y, z});
  }
  return points;
}

}  // namespace tactus::detail::test
