#include "tactus/planar/convex_pair.hpp"
#include "tactus/planar/depth/depth.hpp"
#include "tactus/planar/placed_pair.hpp"

namespace tactus {
namespace {

using detail::Boundary;
using detail::Edges;
using detail::PlacedPair;

// Of places that coincide: away from the edge of A that the place lies on.
Vec2 touching_normal(const Boundary& a, const Vec2& p) {
  const detail::Foot foot = Edges(a).nearest(p);
  const Vec2 s = a.end(foot.edge) - a.start(foot.edge);
  return Vec2{s.y, -s.x} / norm(s);
}

bool small_convex_distance(const Region& a, const Pose2& pose_a, const Region& b,
                           const Pose2& pose_b, PlanarCache& near, PlanarResult& r) {
  const Boundary &one = a.boundary(), &other = b.boundary();
  const Pose2 pose = Pose2::relative(pose_a, pose_b);
  const double size_b = other.corners.extent;
  const double size = std::max(one.corners.extent, size_b);
  const double shift = detail::largest(pose.position());
  const double error = detail::kPlanarDistanceError * (size + shift);
  if (!convex_distance(one, other, pose, error, near, r)) return false;
  // What turning rounds is part of a distance; a depth is that of the corners as they are rounded.
  double placing = 0.0;
  if (pose_a.turned() || !(pose_a.position() == Vec2{})) placing = detail::kTurnError * shift;
  if (pose.turned()) placing += detail::kTurnError * size_b;
  if (r.distance > 0.0) {
    r.lower = std::max(0.0, r.lower - placing);
    r.upper += placing;
  }
  detail::place_result(r, pose_a, size);
  return true;
}

}  // namespace

bool overlap(const Region& a, const Pose2& pose_a, const Region& b, const Pose2& pose_b) {
  if (!is_finite(pose_a.position()) || !is_finite(pose_b.position())) return false;
  const PlacedPair pair(a, pose_a, b, pose_b);
  return detail::interiors_meet(*pair.a, *pair.b, pair.shift);
}

PlanarResult distance(const Region& a, const Pose2& pose_a, const Region& b, const Pose2& pose_b,
                      PlanarCache* cache) {
  if (!is_finite(pose_a.position()) || !is_finite(pose_b.position()))
    return detail::invalid_planar();
  PlanarResult r;
  PlanarCache unknown;
  PlanarCache& near = cache != nullptr ? *cache : unknown;
  if (a.boundary().small_convex && b.boundary().small_convex &&
      small_convex_distance(a, pose_a, b, pose_b, near, r)) {
    return r;
  }
  const PlacedPair pair(a, pose_a, b, pose_b);
  const double size = std::fmax(largest(pair.a->tree.box()), largest(pair.b->tree.box()));
  if (detail::interiors_meet(*pair.a, *pair.b, pair.shift)) {
    near = {};
    const detail::PlanarDepth d = detail::depth(*pair.a, *pair.b, pair.shift);
    r.distance = -norm(d.translation);
    r.lower = -d.upper;
    r.upper = -d.lower;
    const double length = norm(d.translation);
    if (length > 0.0) r.normal = d.translation / length;
    r.point_a = d.contact;
    r.point_b = d.contact - d.translation;
  } else {
    const detail::NearestPlaces n =
        detail::nearest_places(Edges(*pair.a), Edges(*pair.b), pair.shift, near);
    near = n.edges;
    const double error =
        detail::kPlanarDistanceError * (size + detail::largest(pair.shift)) + pair.error;
    r.distance = std::sqrt(n.squared);
    r.lower = std::fmax(0.0, r.distance - error);
    r.upper = r.distance + error;
    r.point_a = n.on_a;
    r.point_b = n.on_b;
    r.normal = r.distance > 0.0 ? (n.on_b - n.on_a) / r.distance : touching_normal(*pair.a, n.on_a);
  }
  return detail::placed_result(r, pose_a, size);
}

}  // namespace tactus
