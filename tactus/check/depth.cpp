#include "tactus/check/depth.hpp"

#include <algorithm>
#include <cmath>

#include "tactus/check/axes_depth.hpp"
#include "tactus/check/cover_depth.hpp"
#include "tactus/check/depth_proof.hpp"
#include "tactus/check/piece.hpp"
#include "tactus/check/polytope_depth.hpp"
#include "tactus/core/constants.hpp"
#include "tactus/shape/membership.hpp"

namespace tactus::detail {
namespace {

// Each leaves two thirds of the interval.
constexpr int kBallSteps = 90;
// An ellipsoid's radius below this part of the pair's size is nothing that a double could hold
// beside it, but a point's coordinate divided by it leaves the range of double when squared.
constexpr double kThinnest = 1e-40;

// An ellipsoid thinner than `least` gets radii of at least that.
void thicken(Piece& piece, double least) {
  const auto* e = std::get_if<Ellipsoid>(&piece.shape.geometry());
  if (e == nullptr) return;
  const Vec3 r = component_max(e->radii(), {least, least, least});
  if (r != e->radii()) piece.shape = Shape(Ellipsoid(r), piece.shape.rounding_radius());
}

// Ellipsoids with equal radii and cores without extent are spheres, and proved as such.
Piece ball_as_sphere(const Piece& piece) {
  const double core = core_radius(piece.shape);
  double radius = 0.0;
  if (const auto* e = std::get_if<Ellipsoid>(&piece.shape.geometry())) {
    radius = e->radii().x;
    if (e->radii() != Vec3{radius, radius, radius}) return piece;
  } else if (piece.is(ShapeType::sphere) || !(piece.reach() <= core * (1.0 + kAllowed * kUnit))) {
    return piece;
  }
  return {Shape(Sphere(radius), core), piece.pose};
}

// Depth of a sphere in a sphere, capsule, cylinder, cone or ellipsoid: that of its centre, and the
// radii; +inf for other pairs.
double ball_depth(const Piece& ball, const Piece& other) {
  if (!ball.is(ShapeType::sphere)) return kInfinity;
  const Vec3 centre = other.pose.to_local(ball.pose.position());
  const bool thin = other.is(ShapeType::sphere) || other.is(ShapeType::capsule);
  const double depth = thin ? -distance_outside_core(other.shape, centre)
                            : depth_in_curved_core(other.shape, centre);
  return std::isfinite(depth) ? depth + core_radius(ball.shape) + core_radius(other.shape)
                              : kInfinity;
}

// Radius of a ball about a point (world) that lies inside the piece, or -inf.
double inner_radius(const Piece& piece, const Vec3& point) {
  const double depth = depth_in_curved_core(piece.shape, piece.pose.to_local(point));
  return depth >= 0.0 ? depth + core_radius(piece.shape) : -kInfinity;
}

// Depth that is proved by a ball in each of two cylinders, cones or ellipsoids, on the line between
// their origins and moved towards each other where that gains: the sum of the radii less the
// distance of the centres, concave along the line.
double depth_of_balls(const Piece& a, const Piece& b) {
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

// Outward, of a half-space in the world.
Vec3 plane_normal(const Piece& plane) {
  return normalized(
      plane.pose.direction_to_world(std::get<HalfSpace>(plane.shape.geometry()).normal()));
}

double depth_by_separation(const Piece& a, const Piece& b, const Certificate& c, double slack,
                           std::string& reason) {
  const double shrink_a = std::min(c.shrink_a, greatest_shrink(a.shape));
  const double shrink_b = std::min(c.shrink_b, greatest_shrink(b.shape));
  const double out_a = distance_outside_shrunk(a.shape, c.core_point_a, shrink_a);
  const double out_b = distance_outside_shrunk(b.shape, c.core_point_b, shrink_b);
  if (!(out_a <= slack) || !(out_b <= slack)) {
    reason = "a core point of the certificate is not in its core";
    return -kInfinity;
  }
  return (shrink_a + shrink_b) - norm(difference(a, c.core_point_a, b, c.core_point_b)) -
         (out_a + out_b);
}

// Proved depth of cores that are flat or apart by their corners, which no face's normal shows
// beyond rounding: the axes count where they show all of an overlap of the cores, else the core
// points do.
double depth_by_axes(const Piece& a, const Piece& b, const Certificate& c, double slack,
                     std::string& reason) {
  if (a.is(ShapeType::halfspace)) return pair_value(a, b, plane_normal(a));
  if (b.is(ShapeType::halfspace)) return pair_value(a, b, -plane_normal(b));
  const Piece x = ball_as_sphere(a), y = ball_as_sphere(b);
  if (const double depth = std::min(ball_depth(x, y), ball_depth(y, x)); std::isfinite(depth))
    return depth;
  const double depth = axes_depth(x, y);
  const double balls = core_radius(x.shape) + core_radius(y.shape);
  if (std::isfinite(depth) && depth >= balls + slack) return depth;
  return depth_by_separation(a, b, c, slack, reason);
}

double depth_by_ball(const Piece& a, const Piece& b, const Vec3& n, double wanted,
                     std::string& reason) {
  const Piece x = ball_as_sphere(a), y = ball_as_sphere(b);
  if (const double depth = std::min(ball_depth(x, y), ball_depth(y, x)); std::isfinite(depth))
    return depth;
  // Balls inside of both prove what no cutting of directions would: depths that are nearly the same
  // all round.
  if (const double depth = depth_of_balls(a, b); depth >= wanted) return depth;
  const bool unit = std::fabs(norm(n) - 1.0) <= kAllowed * kUnit;
  if (unit && wanted > 0.0 && proves_depth({a.shape, a.pose, b.shape, b.pose}, n, wanted))
    return wanted;
  reason = "the depth is not proved in all directions";
  return -kInfinity;
}

// A point of the inner body, with a ball about it, inside of a closed mesh.
double depth_inside(const Piece& inner, const Part& mesh, const Pose& pose, const Certificate& c,
                    const Vec3& world, std::string& reason) {
  const Vec3 point = c.inside_point - world;
  double radius = 0.0;
  if (c.inside_radius > 0.0) {
    radius =
        std::min(c.inside_radius, depth_inside_convex(inner.shape, inner.pose.to_local(point)));
  }
  const double outside = distance_outside(inner.shape, inner.pose.to_local(point));
  const double least = depth_in_mesh(mesh, pose, point);
  if (!(radius >= 0.0) || !(least > 0.0)) {
    reason = "the point of the certificate is not inside";
    return -kInfinity;
  }
  return least + radius - outside;
}

}  // namespace

double proved_depth(const Pair& pair, const std::vector<Part>& parts_a,
                    const std::vector<Part>& parts_b, const Certificate& c, const Vec3& world,
                    double wanted, bool of_unions, std::string& reason) {
  reason = "the certificate has no proof of the depth";
  const Part* part_a = find_part(parts_a, c.part_a);
  const Part* part_b = find_part(parts_b, c.part_b);
  if (part_a == nullptr || part_b == nullptr) {
    reason = "the certificate names a part that does not exist";
    return -kInfinity;
  }
  if (c.kind == CertificateKind::inside) {
    const Part* mesh = c.inside_of_a ? part_a : part_b;
    const Part* other = c.inside_of_a ? part_b : part_a;
    if (mesh->mesh == nullptr) return -kInfinity;
    const Pose& pose = c.inside_of_a ? pair.a : pair.b;
    const Pose& pose_other = c.inside_of_a ? pair.b : pair.a;
    const auto inner = piece_of(*other, pose_other, c.inside_of_a ? c.triangle_b : c.triangle_a);
    return inner != nullptr ? depth_inside(*inner, *mesh, pose, c, world, reason) : -kInfinity;
  }
  if (c.kind == CertificateKind::covered)
    return depth_by_cover(pair, parts_a, parts_b, c, world, wanted, of_unions, reason);
  const auto a = piece_of(*part_a, pair.a, c.triangle_a);
  const auto b = piece_of(*part_b, pair.b, c.triangle_b);
  if (a == nullptr || b == nullptr) {
    reason = "the certificate names a triangle that does not exist";
    return -kInfinity;
  }
  if (a->is(ShapeType::custom) || b->is(ShapeType::custom)) {
    reason = "points of a custom shape cannot be proved to be its own";
    return -kInfinity;
  }
  const double slack = kAllowed * kUnit * lengths(*a, *b);
  const double thinnest = kThinnest * lengths(*a, *b);
  thicken(*a, thinnest);
  thicken(*b, thinnest);
  switch (c.kind) {
    case CertificateKind::none:
    case CertificateKind::inside:
    case CertificateKind::covered:
      break;
    case CertificateKind::axes:
      return depth_by_axes(*a, *b, c, slack, reason);
    case CertificateKind::separation:
      return depth_by_separation(*a, *b, c, slack, reason);
    case CertificateKind::faces:
      return depth_by_faces(*a, *b, c, slack, reason);
    case CertificateKind::ball:
      return depth_by_ball(*a, *b, c.direction, wanted, reason);
  }
  return -kInfinity;
}

}  // namespace tactus::detail
