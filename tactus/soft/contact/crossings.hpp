#pragma once

#include <span>
#include <vector>

#include "tactus/soft/model/surface_set.hpp"

namespace tactus::detail {

/// An edge that meets a face, by vertices of the whole world; of a half-space `face` is its number
/// and the edge a vertex, twice.
struct RawCrossing {
  std::array<std::uint32_t, 2> edge;
  std::array<std::uint32_t, 3> face;
  bool floor = false;
};

/// All of them but those between two obstacles, by exact predicates.
std::vector<RawCrossing> find_crossings(const SurfaceSet& set, std::span<const Vec3> x);

}  // namespace tactus::detail
