#include "tactus/query/check.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "tactus/mesh/convex_hull.hpp"
#include "tactus/query/check_mesh.hpp"
#include "tactus/query/depth_proof.hpp"
#include "tactus/query/membership.hpp"
#include "tactus/shape/bounds.hpp"
#include "tactus/shape/support.hpp"

namespace tactus {
namespace {

constexpr double kUnit = std::numeric_limits<double>::epsilon() / 2.0;
// Roundings that a re-computation of f(n) or of a witness accumulates, in units of 2^-53 times the
// coordinates involved: those of the query itself (see Cso::rounding), those of the checker, and
// the conversion of the points to world and back.
constexpr double kRoundings = 64.0;
// Largest product of the numbers of edges whose axes are all tried: two hulls of 80 to 90 vertices.
constexpr std::size_t kMostEdgePairs = 65536;
// A converged answer's witnesses agree with its distance to this fraction of the size; where there
// is no second-order finish, for a body known only by its support function and for the
// classical polytope, to about the square root of the tolerance.
constexpr double kConsistency = 1e-7;
constexpr double kConsistencyFirstOrder = 1e-3;

// Each leaves two thirds of the interval.
constexpr int kBallSteps = 90;

// An ellipsoid's radius below this part of the pair's size is nothing that a double could hold
// beside it, but a point's coordinate divided by it leaves the range of double when squared.
constexpr double kThinnest = 1e-40;

// One convex body or half-space, placed.
struct Body {
  const Shape* shape;
  Pose pose;
};

Body part_of(const Shape& shape, const Pose& pose, std::int32_t part) {
  if (shape.type() != ShapeType::compound || part < 0) return {&shape, pose};
  const auto& parts = std::get<Compound>(shape.geometry()).parts();
  if (static_cast<std::size_t>(part) >= parts.size()) return {&shape, pose};
  const auto& chosen = parts[static_cast<std::size_t>(part)];
  return {&chosen.shape, pose * chosen.pose};
}

double reach_of(const Body& body) {
  const double r = bounding_radius(*body.shape);
  return std::isfinite(r) ? r : std::fabs(std::get<HalfSpace>(body.shape->geometry()).offset());
}

// f(n) of the pair, relative to the difference of the translations.
double pair_value(const Body& a, const Body& b, const Vec3& n) {
  const auto value = [](const Body& body, const Vec3& direction) {
    const Vec3 local = body.pose.direction_to_local(direction);
    if (const auto* h = std::get_if<HalfSpace>(&body.shape->geometry())) {
      // Unbounded in every direction but the normal.
      return norm(local - h->normal()) <= 1e-12 ? h->offset()
                                                : std::numeric_limits<double>::infinity();
    }
    if (const auto* mesh = std::get_if<Mesh>(&body.shape->geometry())) {
      double most = -std::numeric_limits<double>::infinity();
      for (const Vec3& v : mesh->mesh().vertices) most = std::max(most, dot(local, v));
      return most;
    }
    return support_value(*body.shape, local);
  };
  return (value(a, n) + value(b, -n)) - dot(n, b.pose.position() - a.pose.position());
}

// The body itself, or an ellipsoid thinner than `least` with radii of at least that.
Body of_some_thickness(const Body& body, double least, Shape& thicker) {
  const auto* e = std::get_if<Ellipsoid>(&body.shape->geometry());
  if (e == nullptr) return body;
  const Vec3& r = e->radii();
  if (std::min({r.x, r.y, r.z}) >= least) return body;
  thicker = Shape(Ellipsoid({std::max(r.x, least), std::max(r.y, least), std::max(r.z, least)}),
                  body.shape->rounding());
  return {&thicker, body.pose};
}

// A mesh whose body is its hull is proved as that.
Body hull_of_mesh(const Body& body, Shape& hull) {
  const auto* mesh = std::get_if<Mesh>(&body.shape->geometry());
  if (mesh == nullptr || mesh->hull() == nullptr) return body;
  hull = Shape(*mesh->hull());
  return {&hull, body.pose};
}

bool is(const Body& body, ShapeType type) { return body.shape->type() == type; }

// The ball that an ellipsoid gives away to its core: its free rolling radius is an upper limit.
double rolling_radius(const Ellipsoid& e) {
  const Vec3& r = e.radii();
  const double least = std::min({r.x, r.y, r.z});
  return least * (least / std::max({r.x, r.y, r.z}));
}

// How far a point (local) lies outside a body shrunk by `shrink`.
double outside_shrunk(const Shape& shape, const Vec3& point, double shrink) {
  const double own = core_radius(shape);
  if (const auto* e = std::get_if<Ellipsoid>(&shape.geometry()); e != nullptr && shrink > own) {
    const double given = shrink - own;
    if (given > rolling_radius(*e) + kRoundings * kUnit * shrink)
      return std::numeric_limits<double>::infinity();
    return std::max(given - depth_in_ellipsoid(e->radii(), point), 0.0);
  }
  if (shrink > own + kRoundings * kUnit * own) return std::numeric_limits<double>::infinity();
  return distance_outside_core(shape, point);
}

// Face normals and edges of a polytope core, placed.
struct Axes {
  struct Edge {
    Vec3 point;  ///< some point of the body
    Vec3 along;
  };
  std::vector<Vec3> normals;
  std::vector<Edge> edges;
};

// False when the core is not a polytope.
bool find_axes(const Body& body, Axes& out) {
  const Pose& pose = body.pose;
  if (const auto* convex = std::get_if<Convex>(&body.shape->geometry())) {
    const ConvexHull& hull = convex->hull();
    for (const ConvexHull::Face& face : hull.faces)
      out.normals.push_back(pose.direction_to_world(face.normal));
    for (const ConvexHull::Edge& e : hull.edges) {
      const Vec3& tail = hull.vertices[e.tail];
      out.edges.push_back(
          {pose.to_world(tail), pose.direction_to_world(hull.vertices[e.head] - tail)});
    }
    return true;
  }
  const ShapeType type = body.shape->type();
  for (int i = 0; i < 3; ++i) {
    const Vec3 axis = pose.rotation().column(i);
    if (type == ShapeType::box) out.normals.push_back(axis);
    if (type == ShapeType::box || (type == ShapeType::capsule && i == 2))
      out.edges.push_back({pose.position(), axis});
  }
  return type == ShapeType::box || type == ShapeType::capsule || type == ShapeType::sphere;
}

// Least overlap over all face normals and all pairs of edges of two small polytopes, in both
// senses: those of the facets of A - B are among them. +inf when a core is not a polytope, or there
// are too many pairs.
double axes_depth(const Body& a, const Body& b) {
  double least = std::numeric_limits<double>::infinity();
  Axes axes_a, axes_b;
  if (!find_axes(a, axes_a) || !find_axes(b, axes_b) ||
      axes_a.edges.size() * axes_b.edges.size() > kMostEdgePairs)
    return least;
  for (const Axes* axes : {&axes_a, &axes_b}) {
    for (const Vec3& n : axes->normals)
      least = std::min({least, pair_value(a, b, n), pair_value(a, b, -n)});
  }
  for (const Axes::Edge& ea : axes_a.edges) {
    for (const Axes::Edge& eb : axes_b.edges) {
      const Vec3 normal = cross(ea.along, eb.along);
      if (!(max_abs(normal) > 0.0)) continue;
      const Vec3 n = normalized(normal);
      // A point of A - B shows that most axes gain nothing.
      const double known = dot(n, ea.point - eb.point);
      if (known < least) least = std::min(least, pair_value(a, b, n));
      if (-known < least) least = std::min(least, pair_value(a, b, -n));
    }
  }
  return least;
}

// Depth of a sphere in a sphere, capsule, cylinder, cone or ellipsoid: that of its centre, and the
// radii; +inf for other pairs.
double ball_depth(const Body& ball, const Body& other) {
  if (!is(ball, ShapeType::sphere)) return std::numeric_limits<double>::infinity();
  const Vec3 centre = other.pose.to_local(ball.pose.position());
  const bool thin = is(other, ShapeType::sphere) || is(other, ShapeType::capsule);
  const double depth = thin ? -distance_outside_core(*other.shape, centre)
                            : depth_in_curved_core(*other.shape, centre);
  return std::isfinite(depth) ? depth + core_radius(*ball.shape) + core_radius(*other.shape)
                              : std::numeric_limits<double>::infinity();
}

// Radius of a ball about a point (world) that lies inside the body, or -inf.
double inner_radius(const Body& body, const Vec3& point) {
  const double depth = depth_in_curved_core(*body.shape, body.pose.to_local(point));
  return depth >= 0.0 ? depth + core_radius(*body.shape) : -std::numeric_limits<double>::infinity();
}

// Depth that is proved by a ball in each of two cylinders, cones or ellipsoids, on the line between
// their origins and moved towards each other where that gains: the sum of the radii less the
// distance of the centres, concave along the line.
double depth_of_balls(const Body& a, const Body& b) {
  const Vec3 from = a.pose.position(), way = b.pose.position() - from;
  const auto depth = [&](double moved) {
    return inner_radius(a, from + way * moved) + inner_radius(b, from + way * (1.0 - moved)) -
           norm(way) * (1.0 - 2.0 * moved);
  };
  double low = 0.0, high = 0.5;
  for (int step = 0; step < kBallSteps; ++step) {
    const double third = (high - low) / 3.0;
    if (depth(low + third) < depth(high - third)) {
      low += third;
    } else {
      high -= third;
    }
  }
  return std::max(depth(0.0), depth(low));
}

// An ellipsoid with equal radii and a core without extent are spheres, and proved as such; other
// bodies stay.
Body ball_as_sphere(const Body& body, Shape& sphere) {
  const double core = core_radius(*body.shape);
  double radius = 0.0;
  if (const auto* e = std::get_if<Ellipsoid>(&body.shape->geometry())) {
    radius = e->radii().x;
    if (e->radii() != Vec3{radius, radius, radius}) return body;
  } else if (is(body, ShapeType::sphere) ||
             !(bounding_radius(*body.shape) <= core * (1.0 + kRoundings * kUnit))) {
    return body;
  }
  sphere = Shape(Sphere(radius), core);
  return {&sphere, body.pose};
}

// Proved lower bound of the depth of the grown bodies, which are placed relative to `origin`; minus
// infinity when the certificate proves nothing.
double proved_depth(const Body& a, const Body& b, const Certificate& c, double claimed,
                    const Vec3& origin, double slack, std::string& failure) {
  const double nothing = -std::numeric_limits<double>::infinity();
  const double radius = c.shrink_a + c.shrink_b;
  Shape sphere_a = Sphere(0.0), sphere_b = Sphere(0.0);
  const Body x = ball_as_sphere(a, sphere_a);
  const Body y = ball_as_sphere(b, sphere_b);
  switch (c.kind) {
    case CertificateKind::none:
      return nothing;
    case CertificateKind::axes: {
      const bool plane =
          a.shape->type() == ShapeType::halfspace || b.shape->type() == ShapeType::halfspace;
      const double depth = plane ? pair_value(a, b, c.direction)
                                 : std::min({axes_depth(x, y), ball_depth(x, y), ball_depth(y, x)});
      // Of cores that are apart, the axes tell a gap, which bounds the distance from below only.
      if (!std::isfinite(depth) || (!plane && depth < radius - slack)) return nothing;
      return depth;
    }
    case CertificateKind::separation: {
      const double out_a =
          outside_shrunk(*a.shape, a.pose.to_local(c.core_point_a - origin), c.shrink_a);
      const double out_b =
          outside_shrunk(*b.shape, b.pose.to_local(c.core_point_b - origin), c.shrink_b);
      if (out_a > slack || out_b > slack) {
        failure = "a core point of the certificate is not in its core";
        return nothing;
      }
      return radius - norm(c.core_point_b - c.core_point_a);
    }
    case CertificateKind::faces: {
      const Pose in_a = relative(a.pose, b.pose);
      std::vector<Vec3> points;
      points.reserve(static_cast<std::size_t>(c.count));
      for (int i = 0; i < c.count; ++i) {
        const Certificate::Support& s = c.supports[static_cast<std::size_t>(i)];
        const double out_a = outside_shrunk(*a.shape, s.point_a, c.shrink_a);
        const double out_b = outside_shrunk(*b.shape, s.point_b, c.shrink_b);
        if (out_a > slack || out_b > slack) {
          failure = "a support point of the certificate is not in its core";
          return nothing;
        }
        points.push_back(s.point_a - in_a.to_world(s.point_b));
      }
      if (points.empty()) return nothing;
      const ConvexHull hull = convex_hull(points);
      if (hull.dimension < 3) return radius;
      double least = std::numeric_limits<double>::infinity();
      for (const ConvexHull::Face& face : hull.faces) least = std::min(least, face.offset);
      return least + radius;
    }
    case CertificateKind::ball: {
      if (const double depth = std::min(ball_depth(x, y), ball_depth(y, x)); std::isfinite(depth))
        return depth;
      // Balls inside of both prove what no cutting of directions would: depths that are nearly the
      // same all round.
      if (const double depth = depth_of_balls(a, b); depth >= claimed - slack) return depth;
      return proves_depth({*a.shape, a.pose, *b.shape, b.pose}, c.direction, claimed - slack)
                 ? claimed
                 : nothing;
    }
  }
  return nothing;
}

}  // namespace

CheckReport check(const Shape& a, const Pose& world_a, const Shape& b, const Pose& world_b,
                  const DistanceResult& given, const Certificate* certificate) {
  CheckReport report;
  // Everything relative to A's position, so that parts of compounds far from the world's origin are
  // placed without loss.
  const Vec3 origin = world_a.position();
  const Pose pose_a = Pose::unchecked(world_a.rotation(), {});
  const Pose pose_b = Pose::unchecked(world_b.rotation(), world_b.position() - origin);
  DistanceResult result = given;
  result.point_a -= origin;
  result.point_b -= origin;
  const auto fail = [&](const char* what) {
    if (report.failure.empty()) report.failure = what;
  };
  if (result.status == Status::invalid_input || result.status == Status::unsupported) {
    if (std::isfinite(result.lower) || std::isfinite(result.upper))
      fail("an unanswered query has a bounded bracket");
    report.ok = report.failure.empty();
    return report;
  }
  Shape hull_a = Sphere(0.0), hull_b = Sphere(0.0);
  const Body part_a = hull_of_mesh(part_of(a, pose_a, result.part_a), hull_a);
  const Body part_b = hull_of_mesh(part_of(b, pose_b, result.part_b), hull_b);
  const double size = reach_of(part_a) + reach_of(part_b);
  const double thinnest =
      kThinnest * (size + norm(part_a.pose.position()) + norm(part_b.pose.position()));
  Shape thicker_a = Sphere(0.0), thicker_b = Sphere(0.0);
  const Body body_a = of_some_thickness(part_a, thinnest, thicker_a);
  const Body body_b = of_some_thickness(part_b, thinnest, thicker_b);
  const double world = max_abs(world_a.position()) + max_abs(world_b.position());
  const double slack =
      kRoundings * kUnit * (size + norm(body_a.pose.position()) + norm(body_b.pose.position()));
  const double world_slack = slack + 8.0 * kUnit * (world + size);

  const bool mesh = is(body_a, ShapeType::mesh) || is(body_b, ShapeType::mesh);
  if (mesh && !is(body_a, ShapeType::halfspace) && !is(body_b, ShapeType::halfspace)) {
    return detail::check_mesh(*body_a.shape, body_a.pose, *body_b.shape, body_b.pose, result,
                              world_slack);
  }
  if (!(result.lower <= result.distance && result.distance <= result.upper))
    fail("the distance is not in its bracket");
  if (!(std::fabs(norm(result.normal) - 1.0) <= 1e-14)) fail("the normal is not a unit vector");
  const double f = pair_value(body_a, body_b, result.normal);
  report.direction_residual = std::fabs(f + result.distance);
  if (!(result.lower <= -f + slack)) fail("the direction does not prove the lower bound");

  const bool stopped =
      result.part_a >= 0 || result.part_b >= 0;  // other parts enter the bracket of a union
  report.membership_a = distance_outside(*body_a.shape, body_a.pose.to_local(result.point_a));
  report.membership_b = distance_outside(*body_b.shape, body_b.pose.to_local(result.point_b));
  report.witness_residual = norm(result.point_b - result.point_a - result.normal * result.distance);
  const bool first_order = body_a.shape->type() == ShapeType::custom ||
                           body_b.shape->type() == ShapeType::custom ||
                           result.method == Method::epa_classic;
  // A bracket that is wide by wish (tolerance, early stop) ties points and direction together only
  // by its width: of the cores' witnesses c, with c.n >= l and |c| <= u,
  // |c - l n|^2 <= u^2 - l^2 = (u - l) (u + l), and u + l is that of the bodies and twice the radii
  // of the balls that they are grown by, which the size bounds.
  const double width = result.upper - result.lower;
  const double tie =
      width > kConsistency * size
          ? std::sqrt(width * (2.0 * size + std::fabs(result.lower) + std::fabs(result.upper)))
          : 0.0;
  const double tolerance =
      result.status == Status::converged
          ? (first_order ? kConsistencyFirstOrder : kConsistency) * size + world_slack + tie
          : std::numeric_limits<double>::infinity();
  if (!(report.membership_a <= tolerance)) fail("point_a is not on its shape");
  if (!(report.membership_b <= tolerance)) fail("point_b is not on its shape");
  if (!(report.witness_residual <= tolerance)) fail("point_b - point_a is not distance * normal");
  if (!(report.direction_residual <= tolerance) && !stopped) fail("f(normal) is not -distance");

  // The upper bound: any two points of the bodies bound the distance; a depth needs the
  // certificate.
  std::string reason;
  double proved = norm(result.point_b - result.point_a);
  if (certificate != nullptr && certificate->kind != CertificateKind::none) {
    proved = std::min(proved, -proved_depth(body_a, body_b, *certificate, -result.upper, origin,
                                            world_slack, reason));
    if (!reason.empty()) fail(reason.c_str());
  } else if (result.upper < 0.0) {
    report.upper_only = true;
  }
  if (!report.upper_only && !(result.upper >= proved - 2.0 * world_slack))
    fail("nothing proves the upper bound");
  report.ok = report.failure.empty();
  return report;
}

}  // namespace tactus
