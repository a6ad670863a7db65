#include "tactus/dynamics/ray_cast.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tactus/query/distance.hpp"
#include "tactus/shape/bounds.hpp"

namespace tactus {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
/// Distance, relative to the shape's size, at which plane steps count as arrived.
constexpr double kArrived = 1e-10;
/// Plane steps converge quadratically on smooth bodies and end on flat ones; a grazing ray may need
/// many.
constexpr int kMaxPlaneSteps = 64;

/// The part of a line inside a convex solid, cut down one constraint at a time. Frame: the shape's.
class LineInside {
 public:
  LineInside(const Vec3& origin, const Vec3& direction) : origin_(origin), direction_(direction) {}

  /// Keeps the points with normal . x <= offset.
  void cut_plane(const Vec3& normal, double offset) {
    const double room = offset - dot(normal, origin_);
    const double speed = dot(normal, direction_);
    if (speed == 0.0) {
      if (room < 0.0) leave_ = -kInfinity;
    } else if (speed < 0.0) {
      enter(room / speed, normal);
    } else {
      leave_ = std::min(leave_, room / speed);
    }
  }
  void cut_slab(const Vec3& normal, double half_width) {
    cut_plane(normal, half_width);
    cut_plane(-normal, half_width);
  }
  /// Keeps enter <= t <= leave.
  template <class Normal>
  void cut_interval(double first, double last, Normal&& normal_at) {
    if (!(first <= last)) {
      leave_ = -kInfinity;
      return;
    }
    leave_ = std::min(leave_, last);
    if (first > enter_) enter(first, normal_at(origin_ + direction_ * first));
  }

  /// The hit of the half-line that starts at the origin.
  std::optional<ShapeRayHit> hit() const {
    if (!(enter_ <= leave_) || leave_ < 0.0) return std::nullopt;
    if (enter_ <= 0.0) return ShapeRayHit{0.0, -direction_};
    return ShapeRayHit{enter_, normalized(normal_)};
  }

  const Vec3& origin() const { return origin_; }
  const Vec3& direction() const { return direction_; }

 private:
  void enter(double t, const Vec3& normal) {
    if (t <= enter_) return;
    enter_ = t;
    normal_ = normal;
  }

  Vec3 origin_, direction_, normal_;
  double enter_ = -kInfinity, leave_ = kInfinity;
};

constexpr Vec3 kAxis[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};

std::optional<ShapeRayHit> earlier(const std::optional<ShapeRayHit>& a,
                                   const std::optional<ShapeRayHit>& b) {
  return b && (!a || b->distance < a->distance) ? b : a;
}

std::optional<ShapeRayHit> cast_ball(const Vec3& center, double radius, const LineInside& line) {
  LineInside inside = line;
  const Vec3 from_center = line.origin() - center;
  const double along = dot(from_center, line.direction());
  // The perpendicular foot keeps its digits where |origin|^2 - radius^2 would lose them.
  const double half_squared =
      radius * radius - squared_norm(from_center - line.direction() * along);
  if (half_squared < 0.0) return std::nullopt;
  const double half = std::sqrt(half_squared);
  inside.cut_interval(-along - half, -along + half, [&](const Vec3& x) { return x - center; });
  return inside.hit();
}

void cut_round_wall(LineInside& line, double radius) {
  const Vec3 o = line.origin(), d = line.direction();
  const double a = d.x * d.x + d.y * d.y;
  const double b = o.x * d.x + o.y * d.y;
  const double lever = o.x * d.y - o.y * d.x;
  const double quarter = radius * radius * a - lever * lever;
  const auto outward = [](const Vec3& x) { return Vec3{x.x, x.y, 0.0}; };
  if (a == 0.0) {
    if (o.x * o.x + o.y * o.y > radius * radius) line.cut_interval(1.0, 0.0, outward);
  } else if (quarter < 0.0) {
    line.cut_interval(1.0, 0.0, outward);
  } else {
    const double root = std::sqrt(quarter);
    line.cut_interval((-b - root) / a, (-b + root) / a, outward);
  }
}

std::optional<ShapeRayHit> cast(const Sphere& sphere, double rounding, const LineInside& line) {
  return cast_ball({}, sphere.radius() + rounding, line);
}

std::optional<ShapeRayHit> cast(const Capsule& capsule, double rounding, const LineInside& line) {
  const double radius = capsule.radius() + rounding;
  const Vec3 end{0.0, 0.0, 0.5 * capsule.length()};
  LineInside trunk = line;
  trunk.cut_slab(kAxis[2], end.z);
  cut_round_wall(trunk, radius);
  return earlier(trunk.hit(), earlier(cast_ball(end, radius, line), cast_ball(-end, radius, line)));
}

std::optional<ShapeRayHit> cast(const Box& box, LineInside line) {
  for (int axis = 0; axis < 3; ++axis) line.cut_slab(kAxis[axis], box.half()[axis]);
  return line.hit();
}

std::optional<ShapeRayHit> cast(const Cylinder& cylinder, LineInside line) {
  line.cut_slab(kAxis[2], 0.5 * cylinder.length());
  cut_round_wall(line, cylinder.radius());
  return line.hit();
}

/// The slab leaves one nappe of the double cone x^2 + y^2 <= slope^2 w^2, where w is the depth
/// below the apex.
std::optional<ShapeRayHit> cast(const Cone& cone, LineInside line) {
  const double slope = cone.radius() / cone.length();
  line.cut_slab(kAxis[2], 0.5 * cone.length());
  const Vec3 o = line.origin(), d = line.direction();
  const double w = 0.5 * cone.length() - o.z;
  const double s = slope * slope;
  const double a = (d.x * d.x + d.y * d.y) - s * d.z * d.z;
  const double b = (o.x * d.x + o.y * d.y) + s * w * d.z;
  const double c = (o.x * o.x + o.y * o.y) - s * w * w;
  const double quarter = b * b - a * c;
  if (quarter < 0.0 && a > 0.0) return std::nullopt;
  const double q = -(b + std::copysign(std::sqrt(std::max(quarter, 0.0)), b));
  const double t0 = q != 0.0 ? c / q : 0.0;
  double first = t0, last = t0;
  if (a == 0.0) {
    // Parallel to the wall: one root, inside on the side to which 2 b t + c falls.
    if (b <= 0.0) last = kInfinity;
    if (b >= 0.0) first = -kInfinity;
  } else {
    const double t1 = q / a;
    first = std::min(t0, t1);
    last = std::max(t0, t1);
    if (a < 0.0) {
      // Steeper than the wall: in one nappe up to the first root, in the other from the second on.
      const bool towards_apex = d.z > 0.0;
      const double bound = towards_apex ? first : last;
      first = towards_apex ? -kInfinity : bound;
      last = towards_apex ? bound : kInfinity;
    }
  }
  line.cut_interval(first, last, [&](const Vec3& x) {
    const double below = 0.5 * cone.length() - x.z;
    return Vec3{x.x, x.y, s * below};
  });
  return line.hit();
}

std::optional<ShapeRayHit> cast(const Ellipsoid& ellipsoid, LineInside line) {
  const Vec3 r = ellipsoid.radii();
  const Vec3 o{line.origin().x / r.x, line.origin().y / r.y, line.origin().z / r.z};
  const Vec3 d{line.direction().x / r.x, line.direction().y / r.y, line.direction().z / r.z};
  const double a = squared_norm(d);
  const double quarter = a - squared_norm(cross(o, d));
  if (quarter < 0.0) return std::nullopt;
  const double root = std::sqrt(quarter), b = dot(o, d);
  line.cut_interval((-b - root) / a, (-b + root) / a, [&](const Vec3& x) {
    return Vec3{x.x / (r.x * r.x), x.y / (r.y * r.y), x.z / (r.z * r.z)};
  });
  return line.hit();
}

std::optional<ShapeRayHit> cast(const ConvexHull& hull, LineInside line) {
  for (const ConvexHull::Face& face : hull.faces) line.cut_plane(face.normal, face.offset);
  return line.hit();
}

std::optional<ShapeRayHit> cast(const HalfSpace& half_space, LineInside line) {
  line.cut_plane(half_space.normal(), half_space.offset());
  return line.hit();
}

/// Source: moeller1997triangle.
std::optional<ShapeRayHit> cast(const TriangleMesh& mesh, const LineInside& line) {
  std::optional<ShapeRayHit> first;
  for (const auto& triangle : mesh.triangles) {
    const Vec3& corner = mesh.vertices[triangle[0]];
    const Vec3 u = mesh.vertices[triangle[1]] - corner, v = mesh.vertices[triangle[2]] - corner;
    const Vec3 p = cross(line.direction(), v);
    const double volume = dot(u, p);
    if (volume == 0.0) continue;
    const Vec3 from_corner = line.origin() - corner;
    const double s = dot(from_corner, p) / volume;
    const Vec3 q = cross(from_corner, u);
    const double t = dot(line.direction(), q) / volume;
    const double distance = dot(v, q) / volume;
    if (s < 0.0 || t < 0.0 || s + t > 1.0 || distance < 0.0) continue;
    const Vec3 normal = normalized(cross(u, v));
    const bool from_behind = dot(normal, line.direction()) > 0.0;
    first = earlier(first, ShapeRayHit{distance, from_behind ? -normal : normal});
  }
  return first;
}

/// From outside, the plane through the nearest point separates: the body begins behind it, or is
/// never met.
std::optional<ShapeRayHit> cast_by_planes(const Shape& shape, const LineInside& line,
                                          double max_distance) {
  const Shape point = Sphere(0.0);
  const double arrived = kArrived * extent(shape);
  double t = 0.0;
  Vec3 normal = -line.direction();
  for (int step = 0; step < kMaxPlaneSteps; ++step) {
    const Vec3 x = line.origin() + line.direction() * t;
    const DistanceResult found = distance(point, Pose::translation(x), shape, Pose());
    if (found.status == Status::invalid_input || found.status == Status::unsupported)
      return std::nullopt;
    if (found.distance <= arrived) {
      // The normal at the last point outside is as good as it gets: at the surface itself it is
      // lost in rounding.
      return ShapeRayHit{t, step == 0 ? -line.direction() : normal};
    }
    normal = -found.normal;
    const double approach = dot(found.normal, line.direction());
    if (!(approach > 0.0)) return std::nullopt;
    t += found.distance / approach;
    if (!(t <= max_distance)) return std::nullopt;
  }
  return ShapeRayHit{t, normal};
}

std::optional<ShapeRayHit> cast_local(const Shape& shape, const LineInside& line,
                                      double max_distance);

std::optional<ShapeRayHit> cast(const Compound& compound, const LineInside& line,
                                double max_distance) {
  std::optional<ShapeRayHit> first;
  std::int32_t index = 0;
  for (const Compound::Part& part : compound.parts()) {
    const LineInside local(part.pose.to_local(line.origin()),
                           part.pose.direction_to_local(line.direction()));
    auto hit = cast_local(part.shape, local, max_distance);
    if (hit) {
      hit->normal = part.pose.direction_to_world(hit->normal);
      hit->part = index;
    }
    first = earlier(first, hit);
    ++index;
  }
  return first;
}

std::optional<ShapeRayHit> cast_local(const Shape& shape, const LineInside& line,
                                      double max_distance) {
  const Shape::Geometry& geometry = shape.geometry();
  const bool sharp = shape.rounding() == 0.0;
  switch (shape.type()) {
    case ShapeType::sphere:
      return cast(std::get<Sphere>(geometry), shape.rounding(), line);
    case ShapeType::capsule:
      return cast(std::get<Capsule>(geometry), shape.rounding(), line);
    case ShapeType::box:
      if (sharp) return cast(std::get<Box>(geometry), line);
      break;
    case ShapeType::cylinder:
      if (sharp) return cast(std::get<Cylinder>(geometry), line);
      break;
    case ShapeType::cone:
      if (sharp && std::get<Cone>(geometry).length() > 0.0)
        return cast(std::get<Cone>(geometry), line);
      break;
    case ShapeType::ellipsoid:
      if (sharp) return cast(std::get<Ellipsoid>(geometry), line);
      break;
    case ShapeType::convex: {
      const ConvexHull& hull = std::get<Convex>(geometry).hull();
      if (sharp && hull.dimension == 3) return cast(hull, line);
      break;
    }
    case ShapeType::mesh:
      return cast(std::get<Mesh>(geometry).mesh(), line);
    case ShapeType::halfspace:
      return cast(std::get<HalfSpace>(geometry), line);
    case ShapeType::compound:
      return cast(std::get<Compound>(geometry), line, max_distance);
    case ShapeType::custom:
      break;
  }
  return cast_by_planes(shape, line, max_distance);
}

}  // namespace

std::optional<ShapeRayHit> ray_cast(const Shape& shape, const Pose& pose, const Ray& ray) {
  const LineInside line(pose.to_local(ray.origin), pose.direction_to_local(ray.direction));
  auto hit = cast_local(shape, line, ray.max_distance);
  if (!hit || !(hit->distance <= ray.max_distance)) return std::nullopt;
  hit->normal = pose.direction_to_world(hit->normal);
  return hit;
}

}  // namespace tactus
