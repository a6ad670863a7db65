#include "tactus/math/expansion.hpp"
#include "tactus/planar/depth/free_centre.hpp"
#include "tactus/planar/region/access.hpp"
#include "tactus/planar/region/placed_pair.hpp"

namespace tactus::planar {
namespace {

using detail::Edges;
using detail::Foot;
using detail::largest;

// Fourth powers of lengths below this underflow, and signs with them.
constexpr double kTiny = 1e-60;

// Sign of the distance of p from the segment less the radius, exactly.
int beyond(const Vec2& p, const Vec2& q0, const Vec2& q1, double radius) {
  using detail::Expansion;
  using detail::two_difference;
  using detail::two_product;
  const double all = std::fmax(std::fmax(largest(p), radius), std::fmax(largest(q0), largest(q1)));
  if (all > 0.0 && all < kTiny) {
    // By a power of two, which rounds nothing.
    const double up = 0x1p200;
    return beyond(p * up, q0 * up, q1 * up, radius * up);
  }
  const auto difference = [](double u, double v) { return Expansion<2>(two_difference(u, v)); };
  const Expansion<4> square = Expansion<2>(two_product(radius, 1.0)) * radius;
  const bool past = detail::dot_sign({q0, p}, {q0, q1}) > 0;
  const bool before = detail::dot_sign({q1, p}, {q1, q0}) > 0;
  if (past && before) {
    const auto ox = difference(p.x, q0.x), oy = difference(p.y, q0.y);
    const auto sx = difference(q1.x, q0.x), sy = difference(q1.y, q0.y);
    const Expansion<16> area = ox * sy - oy * sx;
    return (area * area - (sx * sx + sy * sy) * square).sign();
  }
  const Vec2& end = past ? q1 : q0;
  const auto dx = difference(p.x, end.x), dy = difference(p.y, end.y);
  return ((dx * dx + dy * dy) - square).sign();
}

// The disc's interior meets an edge, or lies in the region.
bool meets(const Edges& edges, const Vec2& centre, double radius) {
  if (edges.region() != nullptr && detail::location(centre, *edges.region(), {}) > 0) return true;
  const detail::Box2 at = detail::box_of(centre, centre);
  return edges.tree().visit(
      [&](const detail::Box2& box) {
        return box.squared_distance(at) <= radius * radius * (1.0 + 16.0 * detail::kPlanarUnit);
      },
      [&](std::size_t i) {
        const Vec2 &p = edges.start(i), &q = edges.end(i);
        if (detail::box_of(p, q).squared_distance(at) > radius * radius * 1.0000001) return false;
        return beyond(centre, p, q, radius) < 0;
      });
}

// The unit vector from the centre to its foot: near to an edge that it lies within, its normal.
Vec2 towards(const Edges& edges, const Vec2& centre, const Foot& foot, double size) {
  const Vec2 from = edges.start(foot.edge), to = edges.end(foot.edge), way = foot.place - centre;
  const Vec2 left = detail::unit_along({from.y - to.y, to.x - from.x});
  if (way == Vec2{}) return left;
  const bool within = !(foot.place == from) && !(foot.place == to);
  if (!within || foot.squared > detail::kNearPair * detail::kNearPair * size * size)
    return detail::unit_along(way);
  return edges.region() != nullptr || dot(left, way) >= 0.0 ? left : -left;
}

PlanarOverlap overlap_of_circle(const Circle& circle, const Pose2& pose_circle, const Edges& edges,
                                const Pose2& pose) {
  if (!detail::can_place(pose_circle, pose)) return detail::invalid_overlap();
  const Vec2 centre = pose.to_local(pose_circle.position());
  return detail::planar_verdict(meets(edges, centre, circle.radius()));
}

PlanarResult of_circle(const Circle& circle, const Pose2& pose_circle, const Edges& edges,
                       const Pose2& pose) {
  if (!detail::can_place(pose_circle, pose)) return detail::invalid_planar();
  const Vec2 centre = pose.to_local(pose_circle.position());
  const double radius = circle.radius();
  const double size = std::fmax(largest(edges.tree().box()), radius);
  const double turning =
      pose.turned() || !(pose.position() == Vec2{}) ? detail::kTurnError * largest(centre) : 0.0;
  const double error = detail::kPlanarDistanceError * (size + largest(centre)) + turning;
  PlanarResult r = detail::planar_answer();
  if (meets(edges, centre, radius)) {
    const detail::FreeCentre free = detail::free_centre(edges, centre, radius);
    const Vec2 way = free.place - centre;
    const double depth = norm(way);
    r.distance = -depth;
    r.lower = -(free.upper + turning);
    r.upper = std::fmin(0.0, turning - free.lower);
    if (depth > 0.0) r.normal = -detail::unit_along(way);
    // The place is clear by some roundings more than it takes, which both points share.
    const Vec2 foot = edges.nearest(free.place).place;
    const double clear = norm(foot - free.place);
    const double half = clear > 0.0 ? 0.5 * (clear - radius) / clear : 0.0;
    r.point_b = foot - (foot - free.place) * half;
    r.point_a = r.point_b + r.normal * depth;
  } else {
    const Foot foot = edges.nearest(centre);
    const double length = std::sqrt(foot.squared);
    r.distance = std::fmax(0.0, length - radius);
    r.lower = std::fmax(0.0, r.distance - error);
    r.upper = r.distance + error;
    r.normal = towards(edges, centre, foot, size);
    r.point_b = foot.place;
    r.point_a = foot.place - r.normal * r.distance;
  }
  return detail::placed_result(r, pose, size);
}

}  // namespace

PlanarResult distance(const Circle& a, const Pose2& pose_a, const Contour& b, const Pose2& pose_b) {
  return of_circle(a, pose_a, Edges(b), pose_b);
}

PlanarResult distance(const Circle& a, const Pose2& pose_a, const Region& b, const Pose2& pose_b) {
  return of_circle(a, pose_a, Edges(detail::PlanarAccess::boundary(b)), pose_b);
}

PlanarOverlap overlap(const Circle& a, const Pose2& pose_a, const Contour& b, const Pose2& pose_b) {
  return overlap_of_circle(a, pose_a, Edges(b), pose_b);
}

PlanarOverlap overlap(const Circle& a, const Pose2& pose_a, const Region& b, const Pose2& pose_b) {
  return overlap_of_circle(a, pose_a, Edges(detail::PlanarAccess::boundary(b)), pose_b);
}

PlanarOverlap overlap(const Circle& a, const Pose2& pose_a, const Circle& b, const Pose2& pose_b) {
  if (!detail::can_place(pose_a, pose_b)) return detail::invalid_overlap();
  const Vec2 centre = pose_b.to_local(pose_a.position());
  const double radii = a.radius() + b.radius();
  return detail::planar_verdict(beyond(centre, {}, {}, radii) < 0);
}

PlanarResult distance(const Circle& a, const Pose2& pose_a, const Circle& b, const Pose2& pose_b) {
  if (!detail::can_place(pose_a, pose_b)) return detail::invalid_planar();
  const Vec2 between = pose_b.position() - pose_a.position();
  const double length = norm(between);
  PlanarResult r = detail::planar_answer();
  r.distance = (length - a.radius()) - b.radius();
  // The difference, the root of its squares and two subtractions: below 8 roundings of the terms.
  const double error = 8.0 * detail::kPlanarUnit * ((length + a.radius()) + b.radius());
  r.lower = r.distance - error;
  r.upper = r.distance + error;
  if (length > 0.0) r.normal = detail::unit_along(between);
  r.point_a = pose_a.position() + r.normal * a.radius();
  r.point_b = pose_b.position() - r.normal * b.radius();
  return r;
}

PlanarResult swapped(const PlanarResult& r) {
  return {r.status, r.distance, r.lower, r.upper, -r.normal, r.point_b, r.point_a};
}

}  // namespace tactus::planar
