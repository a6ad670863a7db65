#pragma once

#include "tactus/planar/region/access.hpp"
#include "tactus/planar/region/edges.hpp"
#include "tactus/planar/region/poses.hpp"

namespace tactus::detail {

/// Rounding of turning B's points into A's frame, in units of the largest coordinate: two products,
/// their sum, the translation, and the entries of the relative rotation, which err by three
/// roundings each.
constexpr double kTurnError = 16.0 * kPlanarUnit;
/// Width of a bracket, relative to the size, up to which an answer counts as converged.
constexpr double kPlanarConverged = 1e-12;

/// Pairs whose size and distance are below `kTinyPair` lose digits, or all, of squared lengths:
/// their lengths err by `kLostLength`.
constexpr double kTinyPair = 1e-130, kLostLength = 1e-150;

/// A result in the frame of `pose`: in the world; its status by the width of its bracket.
inline void place_result(PlanarResult& r, const Pose2& pose, double size) {
  if (size + std::fabs(r.distance) < kTinyPair) {
    r.lower = std::fmin(r.lower, r.distance) - kLostLength;
    r.upper = std::fmax(r.upper, r.distance) + kLostLength;
  }
  // Far apart, rounding is that of the distance.
  if (!(r.upper - r.lower <= kPlanarConverged * (size + std::fabs(r.distance)))) {
    r.status = Status::precision_limit;
  }
  r.normal = pose.direction_to_world(r.normal);
  r.point_a = pose.to_world(r.point_a);
  r.point_b = pose.to_world(r.point_b);
}
inline PlanarResult placed_result(PlanarResult r, const Pose2& pose, double size) {
  place_result(r, pose, size);
  return r;
}

/// B in A's frame: turned points, and a translation that stays apart so that it adds no rounding.
struct PlacedPair {
  const Boundary* a;
  const Boundary* b;
  Boundary turned;
  Vec2 shift;
  double error = 0.0;  ///< of B's points

  PlacedPair(const Region& region_a, const Pose2& pose_a, const Region& region_b,
             const Pose2& pose_b)
      : a(&PlanarAccess::boundary(region_a)), b(&PlanarAccess::boundary(region_b)) {
    const Pose2 pose = Pose2::relative(pose_a, pose_b);
    shift = pose.position();
    if (pose_a.turned() || !(pose_a.position() == Vec2{})) error = kTurnError * largest(shift);
    if (!pose.turned()) return;
    turned = *b;
    for (Vec2& p : turned.points) p = pose.direction_to_world(p);
    turned.build_tree();
    error += kTurnError * largest(b->tree.box());
    b = &turned;
  }
};

}  // namespace tactus::detail
