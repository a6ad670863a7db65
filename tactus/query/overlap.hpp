#pragma once

#include "tactus/query/result.hpp"
#include "tactus/shape/shape.hpp"

namespace tactus {

/// Do two placed shapes share a point? Same search as `distance`, stopped as soon as the sign is
/// proved. `undecided` only where zero lies inside the final bracket: touching within rounding,
/// ended by `max_iterations`, or a mesh whose depth nothing shows. An open mesh is its bare
/// surface. Allocation and errors: as `distance`.
OverlapResult overlap(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                      const QueryOptions& options = {}, QueryCache* cache = nullptr);

}  // namespace tactus
