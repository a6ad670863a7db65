#pragma once

#include <cstdint>
#include <vector>

#include "tactus/mesh.hpp"

namespace tactus::detail::fit {

/// Refuses bodies without volume: each is joined to the one with which it adds the least, or left
/// out where it lies in one. Nothing changes when none has a volume. Cost: a hull for each pair of
/// a flat body and another one whose boxes meet.
void join_flat_hulls(std::vector<ConvexHull>& hulls);

/// Bodies with at most `most` vertices (at least 4) that hold those given: of the vertices the
/// outermost ones are kept, and moved away from their middle until all others are inside. A flat
/// body is divided instead.
void limit_vertices(std::vector<ConvexHull>& hulls, std::uint32_t most);

}  // namespace tactus::detail::fit
