#pragma once

#include "tactus/bvh/mesh_distance.hpp"
#include "tactus/narrow/difference/moving_cso.hpp"

namespace tactus::detail {

/// Where a point that moves along a straight line first meets a bare surface.
struct MeshRay {
  CastOutcome outcome = CastOutcome::miss;
  double time = std::numeric_limits<double>::infinity();
  double time_upper = std::numeric_limits<double>::infinity();
  Vec3 normal;  ///< unit, on the side the ray comes from
};

/// First triangle that origin + t * direction meets, 0 <= t <= `last` (may be infinite).
///
/// A ray that crosses a triangle farther from its edges than rounding is a hit; nearer it is
/// `undecided` from that time on, or a hit of the triangle on the other side of the edge.
/// Triangles seen edge-on are passed. Cost: some microseconds. Source: moeller1997triangle.
MeshRay cast_ray(const bvh::MeshView& mesh, const Vec3& origin, const Vec3& direction, double last);

}  // namespace tactus::detail
