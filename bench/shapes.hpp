#pragma once

#include <cmath>
#include <vector>

#include "tactus/core/random.hpp"
#include "tactus/shape.hpp"

namespace tactus::detail::bench {

/// Uniform on the unit sphere.
inline Vec3 random_direction(Random& random) {
  for (;;) {
    const double x = random.uniform(-1.0, 1.0);
    const double y = random.uniform(-1.0, 1.0);
    const double z = random.uniform(-1.0, 1.0);
    const Vec3 v{x, y, z};
    const double square = squared_norm(v);
    if (square > 1e-4 && square < 1.0) return v / std::sqrt(square);
  }
}

/// Uniform over all rotations.
inline Quat random_rotation(Random& random) {
  for (;;) {
    const double w = random.uniform(-1.0, 1.0);
    const double x = random.uniform(-1.0, 1.0);
    const double y = random.uniform(-1.0, 1.0);
    const double z = random.uniform(-1.0, 1.0);
    const Quat q{w, x, y, z};
    if (norm(q) > 1e-2 && norm(q) < 1.0) return normalized(q);
  }
}

/// Each component uniform in [low, high).
inline Vec3 random_vector(Random& random, double low, double high) {
  const double x = random.uniform(low, high);
  const double y = random.uniform(low, high);
  const double z = random.uniform(low, high);
  return {x, y, z};
}

/// Hull of `count` points on an ellipsoid, all of them extreme.
inline Convex random_hull(Random& random, int count, const Vec3& radii) {
  std::vector<Vec3> points;
  for (int i = 0; i < count; ++i)
    points.push_back(component_product(random_direction(random), radii));
  return Convex(points);
}

/// Random shape of a type, dimensions in [0.3, 1); `vertices` of hulls.
inline Shape random_shape(Random& random, ShapeType type, int vertices = 64) {
  const Vec3 d = random_vector(random, 0.3, 1.0);
  switch (type) {
    case ShapeType::sphere:
      return Sphere(0.5 * d.x);
    case ShapeType::box:
      return Box(d);
    case ShapeType::capsule:
      return Capsule(0.5 * d.x, d.y);
    case ShapeType::cylinder:
      return Cylinder(0.5 * d.x, d.y);
    case ShapeType::cone:
      return Cone(0.5 * d.x, d.y);
    case ShapeType::ellipsoid:
      return Ellipsoid(d * 0.5);
    default:
      return random_hull(random, vertices, d * 0.5);
  }
}

}  // namespace tactus::detail::bench
