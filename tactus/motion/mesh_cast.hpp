#pragma once

#include "tactus/narrow/pair/convex_cast.hpp"
#include "tactus/query.hpp"
#include "tactus/shape.hpp"

namespace tactus::detail {

/// First contact of a bare surface, A, that moves without turning, with B.
struct MeshCast {
  CastOutcome outcome = CastOutcome::miss;
  double time = std::numeric_limits<double>::infinity();
  double time_upper = std::numeric_limits<double>::infinity();
  double distance = 0.0;          ///< of the first triangle, at `time`
  Vec3 normal, point_a, point_b;  ///< axes of the mesh; points at `time` from B's first origin, as
                                  ///< A sees them, which moves
  bool unique = true;
  bool capped = false;  ///< ended by the cap: distance, normal and points are of no time
  std::int32_t iterations = 0;
};

/// One of the two; axes and origin of its own frame.
struct CastBody {
  const Shape& shape;
  const Pose& pose;
  const Vec3& motion;  ///< world, during the unit of time
};

/// Branch and bound by the times at which boxes begin to overlap; triangles by `cast_convex_pair`,
/// so that no time is late. Pairs of boxes and triangles are looked at 2,000 times as many as
/// `options.max_iterations`; what is left then may touch from its first time on. B is a mesh or
/// convex. `slack`: error of the given positions, a length.
MeshCast cast_surface(const CastBody& a, const CastBody& b, double last, double slack,
                      const QueryOptions& options);

}  // namespace tactus::detail
