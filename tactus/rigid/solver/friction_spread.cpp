#include "tactus/rigid/solver/friction_spread.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace tactus::detail {
namespace {

/// Squared sine of the tilt up to which a disc lies flat.
constexpr double kFlat = 1e-6;
/// Points within this part of the radius lie on the rim.
constexpr double kOnRim = 1e-3;

bool has_several_patches(const Shape& shape) {
  return shape.type() == ShapeType::mesh || shape.type() == ShapeType::compound;
}

/// Are the points of the patch on the rim of a flat side of this shape?
bool is_rim(const Manifold& manifold, const Shape& shape, const Pose& pose,
            Vec3 ContactPoint::* point) {
  double radius = 0.0;
  if (const auto* cylinder = std::get_if<Cylinder>(&shape.geometry())) radius = cylinder->radius();
  if (const auto* cone = std::get_if<Cone>(&shape.geometry())) radius = cone->radius();
  const Vec3 axis = pose.direction_to_world({0.0, 0.0, 1.0});
  if (radius == 0.0 || squared_norm(cross(axis, manifold.normal)) > kFlat) return false;
  const auto points = manifold.span();
  return std::all_of(points.begin(), points.end(), [&](const ContactPoint& p) {
    const Vec3 local = pose.to_local(p.*point);
    return std::fabs(std::sqrt(local.x * local.x + local.y * local.y) - radius) <= kOnRim * radius;
  });
}

/// A place in the plane of the patch, seen from the centre of its points.
struct Corner {
  double x = 0.0, y = 0.0, distance = 0.0;
  /// Grows with the angle, without trigonometry.
  double turn() const {
    if (distance == 0.0) return 0.0;
    const double t = x / (std::fabs(x) + std::fabs(y));
    return y < 0.0 ? t - 1.0 : 1.0 - t;
  }
};

/// Mean distance of the points of an edge by Simpson's rule on four quarters.
double mean_distance(const Corner& a, const Corner& b) {
  double sum = a.distance + b.distance;
  for (int i = 1; i < 8; ++i) {
    const double t = 0.125 * i;
    const double x = a.x + (b.x - a.x) * t, y = a.y + (b.y - a.y) * t;
    sum += (i % 2 == 0 ? 2.0 : 4.0) * std::sqrt(x * x + y * y);
  }
  return sum / 24.0;
}

}  // namespace

double friction_spread(const Manifold& manifold, const SpreadSide& a, const SpreadSide& b) {
  if (manifold.count < 2 || has_several_patches(a.size < b.size ? a.shape : b.shape)) return 1.0;
  if (manifold.count == 2) return 0.5;
  if (is_rim(manifold, a.shape, a.pose, &ContactPoint::point_a) ||
      is_rim(manifold, b.shape, b.pose, &ContactPoint::point_b))
    return 2.0 / 3.0;
  const auto count = static_cast<std::size_t>(manifold.count);
  Vec3 center;
  for (const ContactPoint& p : manifold.span()) center += p.point_a * (1.0 / manifold.count);
  const Vec3 u = any_perpendicular(manifold.normal), v = cross(manifold.normal, u);
  std::array<Corner, Manifold::kCapacity> corners;
  double at_corners = 0.0;
  for (std::size_t k = 0; k < count; ++k) {
    const Vec3 d = manifold.points[k].point_a - center;
    Corner& c = corners[k];
    c.x = dot(u, d);
    c.y = dot(v, d);
    c.distance = std::sqrt(c.x * c.x + c.y * c.y);
    at_corners += c.distance / manifold.count;
  }
  for (std::size_t k = 1; k < count; ++k) {
    for (std::size_t j = k; j > 0 && corners[j].turn() < corners[j - 1].turn(); --j)
      std::swap(corners[j], corners[j - 1]);
  }
  // The triangle from the centre over an edge holds two thirds of the edge's mean distance.
  double area = 0.0, distances = 0.0;
  for (std::size_t k = 0; k < count; ++k) {
    const Corner& c = corners[k];
    const Corner& next = corners[(k + 1) % count];
    const double twice = std::fabs(c.x * next.y - c.y * next.x);
    area += twice;
    distances += twice * (2.0 / 3.0) * mean_distance(c, next);
  }
  // Points in a row.
  if (!(area > 1e-6 * at_corners * at_corners)) return 0.5;
  return std::min(distances / (area * at_corners), 1.0);
}

}  // namespace tactus::detail
