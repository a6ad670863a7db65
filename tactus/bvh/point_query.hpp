#pragma once

#include "tactus/bvh/mesh_distance.hpp"

namespace tactus::detail::bvh {

/// How often a closed surface winds around a point: 1 inside of an outward surface, 0 outside.
struct Winding {
  int number = 0;
  bool on_surface = false;  ///< the point lies on a triangle; `number` is then without meaning
};

/// Winding number about the point `p` (mesh's frame). Exact: the triangles above the point are
/// counted by exact predicates, and a point below an edge or corner is moved aside by an
/// infinitesimal amount, the same for all triangles. Has a meaning for closed surfaces only
/// (MeshTopology::closed); overlapping components add up. Cost: some microseconds.
Winding winding_at(const MeshView& mesh, const Vec3& p);

/// Nearest point of the surface to `p` (mesh's frame).
struct SurfacePoint {
  double distance = std::numeric_limits<double>::infinity();
  Vec3 point;
  std::uint32_t triangle = MeshPairCache::kNone;
};
/// Within 1e-14 of the size. Nothing farther than `max_distance` is looked for. Cost: some
/// microseconds.
SurfacePoint nearest_point(const MeshView& mesh, const Vec3& p,
                           double max_distance = std::numeric_limits<double>::infinity());

}  // namespace tactus::detail::bvh
