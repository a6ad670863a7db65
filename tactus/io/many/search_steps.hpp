#pragma once

#include <nlohmann/json_fwd.hpp>

#include "tactus/math.hpp"
#include "tactus/shape.hpp"

namespace tactus::io {

/// Triangles of both meshes of which steps are told, at most.
inline constexpr std::size_t kMostSearchSteps = 2000;

/// The distance of two meshes by branch and bound over their trees of boxes, and the steps that
/// lead to it: `distance`, `lower`, `upper`, `point_a`, `point_b`, `triangle_a`, `triangle_b` as
/// `distance` of the bare surfaces answers (`"signed":false`), `trees` (`a` and `b`: nodes with
/// `center`, `axes`, `half` in the world, and their `children` or their `triangle`), and `steps`:
/// `begun`, `split` (with `children`), `left_out`, `spared`, `measured`, and `approached` of meshes
/// far apart. Each has the `nodes` that it is about, [a, b, bound], the bracket so far and the
/// number of pairs that are `open`. Throws InvalidInput (`a`, `b`) for other shapes and for more
/// than `kMostSearchSteps`.
nlohmann::ordered_json search_steps(const Shape& a, const Pose& pose_a, const Shape& b,
                                    const Pose& pose_b);

}  // namespace tactus::io
