#pragma once

#include "tactus/bvh/mesh_distance.hpp"
#include "tactus/narrow/difference/moving_cso.hpp"

namespace tactus::detail {

/// A point that moves this near to a surface touches it, in units of 2^-53 of the lengths of the
/// pair: less than any claim of touch is allowed (docs/guide/proofs.md).
inline constexpr double kRayTouches = 16.0;

/// Where a point that moves along a straight line first meets a bare surface.
struct MeshRay {
  CastOutcome outcome = CastOutcome::miss;
  double time = std::numeric_limits<double>::infinity();
  double time_upper = std::numeric_limits<double>::infinity();
  Vec3 normal;  ///< unit, on the side the ray comes from
  Vec3 point;   ///< of the surface, the one nearest to where the ray is at `time`
  std::uint32_t triangle = bvh::MeshPairCache::kNone;
};

/// First triangle that origin + t * direction meets, 0 <= t <= `last` (may be infinite). Never
/// undecided.
///
/// On which side of an edge the ray passes is decided exactly and the same for both triangles of
/// the edge, so that no ray slips between them; edges and corners belong to their triangles. A ray
/// that passes a triangle by no more than rounding (kRayTouches) touches it: it slides along a
/// face, or grazes an outer edge. Times are found exactly for the given origin and direction, but
/// for the last places. Cost: some microseconds. Source: moeller1997triangle; woop2013.
MeshRay cast_ray(const bvh::MeshView& mesh, const Vec3& origin, const Vec3& direction, double last);

}  // namespace tactus::detail
