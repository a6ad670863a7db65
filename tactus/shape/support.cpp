#include <cmath>
#include <limits>
#include <span>
#include <variant>

#include "tactus/math/length.hpp"
#include "tactus/shape.hpp"

namespace tactus {
using namespace detail;
namespace {

double length_xy(const Vec3& v) { return std::sqrt(v.x * v.x + v.y * v.y); }

// Farthest point along n of the circle of the given radius about the z axis at the given height.
Vec3 rim_point(double radius, double height, const Vec3& n) {
  const double across = length_xy(n);
  if (!(across > 0.0)) return {radius, 0.0, height};
  return {radius * (n.x / across), radius * (n.y / across), height};
}

Vec3 farthest_vertex(std::span<const Vec3> vertices, const Vec3& n) {
  Vec3 best = vertices[0];
  for (const Vec3& v : vertices) {
    if (dot(v, n) > dot(best, n)) best = v;
  }
  return best;
}

// Farthest points of the cores, without rounding. n is a unit vector.
struct SupportPoint {
  Vec3 n;

  Vec3 operator()(const Sphere& s) const { return n * s.radius(); }
  Vec3 operator()(const Box& s) const {
    const Vec3 half = s.half();
    return {n.x >= 0.0 ? half.x : -half.x, n.y >= 0.0 ? half.y : -half.y,
            n.z >= 0.0 ? half.z : -half.z};
  }
  Vec3 operator()(const Capsule& s) const {
    return Vec3{0.0, 0.0, n.z >= 0.0 ? 0.5 * s.length() : -0.5 * s.length()} + n * s.radius();
  }
  Vec3 operator()(const Cylinder& s) const {
    return rim_point(s.radius(), n.z >= 0.0 ? 0.5 * s.length() : -0.5 * s.length(), n);
  }
  Vec3 operator()(const Cone& s) const {
    const bool apex = s.length() * n.z >= s.radius() * length_xy(n);
    return apex ? Vec3{0.0, 0.0, 0.5 * s.length()} : rim_point(s.radius(), -0.5 * s.length(), n);
  }
  Vec3 operator()(const Ellipsoid& s) const {
    const Vec3 scaled = component_product(s.radii(), n);
    return component_product(s.radii(), normalized(scaled));
  }
  Vec3 operator()(const Convex& s) const { return farthest_vertex(s.hull().vertices, n); }
  Vec3 operator()(const Mesh& s) const { return farthest_vertex(s.mesh().vertices, n); }
  Vec3 operator()(const HalfSpace& s) const { return s.normal() * s.offset(); }
  Vec3 operator()(const Compound& s) const {
    Vec3 best;
    double best_value = -std::numeric_limits<double>::infinity();
    for (const Compound::Part& part : s.parts()) {
      const Vec3 point = part.pose.to_world(support(part.shape, part.pose.direction_to_local(n)));
      if (dot(point, n) > best_value) {
        best_value = dot(point, n);
        best = point;
      }
    }
    return best;
  }
  Vec3 operator()(const CustomConvex& s) const { return s.function().support(n); }
};

// Values of the support functions of the cores. n is a unit vector.
struct SupportValue {
  Vec3 n;

  double operator()(const Sphere& s) const { return s.radius(); }
  double operator()(const Box& s) const { return dot(s.half(), component_abs(n)); }
  double operator()(const Capsule& s) const {
    return 0.5 * s.length() * std::fabs(n.z) + s.radius();
  }
  double operator()(const Cylinder& s) const {
    return 0.5 * s.length() * std::fabs(n.z) + s.radius() * length_xy(n);
  }
  double operator()(const Cone& s) const {
    const double apex = 0.5 * s.length() * n.z;
    return std::fmax(apex, s.radius() * length_xy(n) - apex);
  }
  double operator()(const Ellipsoid& s) const { return safe_norm(component_product(s.radii(), n)); }
  double operator()(const HalfSpace& s) const {
    return n == s.normal() ? s.offset() : std::numeric_limits<double>::infinity();
  }
  double operator()(const Compound& s) const {
    double best = -std::numeric_limits<double>::infinity();
    for (const Compound::Part& part : s.parts()) {
      const double value =
          dot(part.pose.position(), n) + support_value(part.shape, part.pose.direction_to_local(n));
      best = std::fmax(best, value);
    }
    return best;
  }
  template <class Other>
  double operator()(const Other& s) const {
    return dot(SupportPoint{n}(s), n);
  }
};

}  // namespace

Vec3 support(const Shape& shape, const Vec3& direction) {
  const Vec3 n = normalized(direction);
  return std::visit(SupportPoint{n}, shape.geometry()) + n * shape.rounding_radius();
}

double support_value(const Shape& shape, const Vec3& unit_direction) {
  return std::visit(SupportValue{unit_direction}, shape.geometry()) + shape.rounding_radius();
}

}  // namespace tactus
