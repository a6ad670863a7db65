#include "tactus/shape/membership.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tactus/mesh/surface/triangle_distance.hpp"

namespace tactus::detail {
namespace {

NearestPoint to_segment(const Vec3& p, const Vec3& a, const Vec3& b) {
  const Vec3 ab = b - a;
  const double length = squared_norm(ab);
  const double t = length > 0.0 ? std::clamp(dot(p - a, ab) / length, 0.0, 1.0) : 0.0;
  const Vec3 on = a + ab * t;
  return {norm(p - on), on};
}

const NearestPoint& nearer(const NearestPoint& x, const NearestPoint& y) {
  return y.distance < x.distance ? y : x;
}

NearestPoint to_face(const ConvexHull& hull, const ConvexHull::Face& face, const Vec3& p) {
  const auto corners = hull.corners(face);
  const double height = dot(face.normal, p) - face.offset;
  bool inside = true;
  NearestPoint edges;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Vec3& a = hull.vertices[corners[i]];
    const Vec3& b = hull.vertices[corners[(i + 1) % corners.size()]];
    if (dot(cross(b - a, p - a), face.normal) < 0.0) inside = false;
    edges = nearer(edges, to_segment(p, a, b));
  }
  return inside ? NearestPoint{std::fabs(height), p - face.normal * height} : edges;
}

// Hulls with no coordinate above this are points: no square of an edge is a number.
constexpr double kSmallest = 1e-140;

bool is_point(const ConvexHull& hull) {
  return hull.dimension == 0 || std::all_of(hull.vertices.begin(), hull.vertices.end(),
                                            [](const Vec3& v) { return max_abs(v) < kSmallest; });
}

// Part of an ellipsoid's largest radius below which another one is nothing.
constexpr double kThinnest = 1e-70;
// From this many radii away an ellipsoid is a point.
constexpr double kFarAway = 1e40;

// Steps of Newton's method, each of which gains at least half of what is left.
constexpr int kMostSteps = 1100;

// The nearest point is r_i^2 p_i / (t + r_i^2) with the root t > 0 of sum (r_i p_i / (t + r_i^2))^2
// = 1, a convex function that falls: Newton's steps from 0 never pass the root.
double distance_outside_ellipsoid(const Vec3& radii, const Vec3& p) {
  double t = 0.0;
  for (int step = 0; step < kMostSteps; ++step) {
    double level = -1.0, slope = 0.0;
    for (int i = 0; i < 3; ++i) {
      const double below = t + radii[i] * radii[i];
      const double term = below > 0.0 ? radii[i] * p[i] / below : 0.0;
      level += term * term;
      slope += below > 0.0 ? 2.0 * term * term / below : 0.0;
    }
    const double next = t + level / slope;
    if (!(next > t)) break;
    t = next;
  }
  Vec3 from;
  for (int i = 0; i < 3; ++i) {
    const double below = t + radii[i] * radii[i];
    from[i] = below > 0.0 ? p[i] * (t / below) : p[i];
  }
  return norm(from);
}

struct Outside {
  const Vec3& p;

  double operator()(const Sphere&) const { return norm(p); }
  double operator()(const Box& s) const {
    const Vec3 out = component_max(component_abs(p) - s.half(), {});
    return norm(out);
  }
  double operator()(const Capsule& s) const {
    const Vec3 end{0.0, 0.0, 0.5 * s.length()};
    return to_segment(p, -end, end).distance;
  }
  double operator()(const Cylinder& s) const {
    const double radial = std::max(std::sqrt(p.x * p.x + p.y * p.y) - s.radius(), 0.0);
    const double axial = std::max(std::fabs(p.z) - 0.5 * s.length(), 0.0);
    return std::sqrt(radial * radial + axial * axial);
  }
  double operator()(const Cone& s) const {
    const double half = 0.5 * s.length();
    const Vec3 q{std::sqrt(p.x * p.x + p.y * p.y), p.z, 0.0};
    const Vec3 rim{s.radius(), -half, 0.0};
    const Vec3 apex{0.0, half, 0.0};
    // Inside: above the base and on the axis' side of the slanted line.
    const Vec3 slant = apex - rim;
    const bool within = q.y >= -half && q.y <= half && q.x <= s.radius();
    if (within && cross(slant, q - rim).z >= 0.0) return 0.0;
    return std::min(to_segment(q, {0.0, -half, 0.0}, rim).distance,
                    to_segment(q, rim, apex).distance);
  }
  double operator()(const Ellipsoid& s) const {
    const double size = max_abs(s.radii()), distance = norm(p);
    if (distance > kFarAway * size) return distance;
    // In units of the longest radius, thickened so little that nothing overflows and no distance
    // changes.
    const Vec3 r = component_max(s.radii() / size, {kThinnest, kThinnest, kThinnest});
    const Vec3 u{p.x / size / r.x, p.y / size / r.y, p.z / size / r.z};
    if (norm(u) <= 1.0) return 0.0;
    return distance_outside_ellipsoid(r, p / size) * size;
  }
  double operator()(const Convex& s) const { return nearest_in_hull(s.hull(), p).distance; }
  double operator()(const CustomConvex& s) const {
    double most = 0.0;
    for (int i = 0; i < 27; ++i) {
      const int digit[3] = {i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1};
      const Vec3 d{static_cast<double>(digit[0]), static_cast<double>(digit[1]),
                   static_cast<double>(digit[2])};
      if (d == Vec3{}) continue;
      const Vec3 n = normalized(d);
      most = std::max(most, dot(n, p - s.function().support(n)));
    }
    return most;
  }
  double operator()(const HalfSpace& s) const {
    return std::max(dot(s.normal(), p) - s.offset(), 0.0);
  }
  double operator()(const Mesh& s) const {
    if (s.holds(p)) return 0.0;
    double least = std::numeric_limits<double>::infinity();
    const auto& v = s.mesh().vertices;
    for (const auto& t : s.mesh().triangles)
      least = std::min(least, point_to_triangle(p, {{v[t[0]], v[t[1]], v[t[2]]}}).distance);
    return least;
  }
  // Not one body: the caller takes it apart.
  double operator()(const Compound&) const { return 0.0; }
};

// Halvings of a double's interval until nothing changes.
constexpr int kBisections = 1100;

}  // namespace

NearestPoint nearest_in_hull(const ConvexHull& hull, const Vec3& p) {
  if (is_point(hull)) return {norm(p - hull.vertices[0]), hull.vertices[0]};
  if (hull.dimension == 1) return to_segment(p, hull.vertices[0], hull.vertices[1]);
  if (hull.dimension == 3) {
    double most = -std::numeric_limits<double>::infinity();
    for (const ConvexHull::Face& face : hull.faces)
      most = std::max(most, dot(face.normal, p) - face.offset);
    if (most <= 0.0) return {0.0, p};
  }
  NearestPoint least;
  for (const ConvexHull::Face& face : hull.faces) least = nearer(least, to_face(hull, face, p));
  return least;
}

double depth_in_ellipsoid(const Vec3& radii, const Vec3& inner_point) {
  Vec3 point = inner_point;
  // The nearest surface point is r_i^2 p_i / (t + r_i^2) with the largest root t of sum (r_i p_i /
  // (t + r_i^2))^2 = 1.
  const Vec3 u{point.x / radii.x, point.y / radii.y, point.z / radii.z};
  if (squared_norm(u) > 1.0) return -Outside{point}(Ellipsoid(radii));
  const double least = std::min({radii.x, radii.y, radii.z});
  // Coordinates so small that they change no depth become 0: their products would underflow.
  for (int i = 0; i < 3; ++i) {
    if (std::fabs(point[i]) < kThinnest * least) point[i] = 0.0;
  }
  // t + r_i^2 from s = t + least^2, since both nearly cancel in an ellipsoid that is nearly a ball.
  const auto from = [&](double s, int i) { return s + (radii[i] - least) * (radii[i] + least); };
  const auto level = [&](double s) {
    double sum = 0.0;
    for (int i = 0; i < 3; ++i) {
      const double below = from(s, i);
      const double term = below > 0.0 ? radii[i] * point[i] / below : 0.0;
      sum += term * term;
    }
    return sum;
  };
  double low = 0.0;
  double high = least * least;
  for (int i = 0; i < kBisections; ++i) {
    const double middle = 0.5 * (low + high);
    if (middle <= low || middle >= high) break;
    (level(middle) > 1.0 ? low : high) = middle;
  }
  // Where the root is at t = -least^2 (a point on the plane across the shortest axis), the
  // components that vanish there take what the others leave of the level.
  const bool at_end = low == 0.0;
  double squared = 0.0;
  double rest = 1.0;
  bool free = false;
  for (int i = 0; i < 3; ++i) {
    const double below = from(high, i);
    if (point[i] == 0.0 || !(below > 0.0)) {
      free |= at_end && radii[i] == least;
      continue;
    }
    const double x = radii[i] * radii[i] * point[i] / below;
    squared += (x - point[i]) * (x - point[i]);
    rest -= (x / radii[i]) * (x / radii[i]);
  }
  return std::sqrt(squared + (free ? std::max(rest, 0.0) * least * least : 0.0));
}

double depth_in_curved_core(const Shape& shape, const Vec3& point) {
  const double outside = distance_outside_core(shape, point);
  if (outside > 0.0) return -outside;
  const double across = std::sqrt(point.x * point.x + point.y * point.y);
  if (const auto* s = std::get_if<Cylinder>(&shape.geometry()))
    return std::min(s->radius() - across, 0.5 * s->length() - std::fabs(point.z));
  if (const auto* s = std::get_if<Cone>(&shape.geometry())) {
    // Below the slanted line from apex to rim, and above the base.
    const double half = 0.5 * s->length();
    const Vec3 slant{s->radius(), -s->length(), 0.0};
    const double area = cross(Vec3{across, point.z - half, 0.0}, slant).z;
    return std::min(area / norm(slant), point.z + half);
  }
  if (const auto* s = std::get_if<Ellipsoid>(&shape.geometry()))
    return depth_in_ellipsoid(s->radii(), point);
  return -std::numeric_limits<double>::infinity();
}

double core_radius(const Shape& shape) {
  double radius = shape.rounding_radius();
  if (const auto* sphere = std::get_if<Sphere>(&shape.geometry())) radius += sphere->radius();
  if (const auto* capsule = std::get_if<Capsule>(&shape.geometry())) radius += capsule->radius();
  return radius;
}

double distance_outside_core(const Shape& shape, const Vec3& point) {
  return std::visit(Outside{point}, shape.geometry());
}

double distance_outside(const Shape& shape, const Vec3& point) {
  return std::max(distance_outside_core(shape, point) - core_radius(shape), 0.0);
}

double greatest_shrink(const Shape& shape) {
  const double own = core_radius(shape);
  const auto* e = std::get_if<Ellipsoid>(&shape.geometry());
  if (e == nullptr) return own;
  const Vec3& r = e->radii();
  const double least = std::min({r.x, r.y, r.z});
  return own + least * (least / std::max({r.x, r.y, r.z}));
}

double distance_outside_shrunk(const Shape& shape, const Vec3& point, double shrink) {
  const double own = core_radius(shape);
  if (const auto* e = std::get_if<Ellipsoid>(&shape.geometry()); e != nullptr && shrink > own)
    return std::max((shrink - own) - depth_in_ellipsoid(e->radii(), point), 0.0);
  return distance_outside_core(shape, point);
}

double depth_inside_convex(const Shape& shape, const Vec3& point) {
  const double radius = core_radius(shape);
  if (shape.type() == ShapeType::custom || shape.type() == ShapeType::mesh) return 0.0;
  if (const double outside = distance_outside_core(shape, point); outside > 0.0)
    return std::max(radius - outside, 0.0);
  if (const auto* box = std::get_if<Box>(&shape.geometry())) {
    const Vec3 depth = box->half() - component_abs(point);
    return std::min({depth.x, depth.y, depth.z}) + radius;
  }
  if (const auto* convex = std::get_if<Convex>(&shape.geometry())) {
    if (convex->hull().dimension < 3 || is_point(convex->hull())) return radius;
    double least = std::numeric_limits<double>::infinity();
    for (const ConvexHull::Face& face : convex->hull().faces)
      least = std::min(least, face.offset - dot(face.normal, point));
    return least + radius;
  }
  if (const auto* plane = std::get_if<HalfSpace>(&shape.geometry()))
    return plane->offset() - dot(plane->normal(), point);
  const double depth = depth_in_curved_core(shape, point);
  return std::isfinite(depth) ? depth + radius : radius;
}

double distance_to_surface(const Shape& shape, const Vec3& point) {
  double least = std::numeric_limits<double>::infinity();
  if (shape.type() == ShapeType::custom) return least;
  if (const auto* mesh = std::get_if<Mesh>(&shape.geometry())) {
    const auto& v = mesh->mesh().vertices;
    for (const auto& t : mesh->mesh().triangles)
      least = std::min(least, point_to_triangle(point, {{v[t[0]], v[t[1]], v[t[2]]}}).distance);
    return least;
  }
  const double outside = distance_outside(shape, point);
  return outside > 0.0 ? outside : depth_inside_convex(shape, point);
}

}  // namespace tactus::detail
