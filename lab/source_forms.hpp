#pragma once

#include <cstdint>
#include <limits>

#include "tactus/bvh/hierarchy.hpp"

namespace tactus::detail::lab {

/// The forms of branch and bound of lennerz2002 as they are written there: both nodes of a pair are
/// split, into four pairs of children; no bound but that of the volumes.
enum class SourceForm : std::uint8_t {
  depth_first,      ///< children in their order
  representatives,  ///< the same, and a point of either node bounds the distance from above
  greedy,           ///< with representatives; the four pairs of children by their distances
  sorted            ///< with representatives; best-first from a sorted sequence
};

struct SourceCounts {
  double distance = std::numeric_limits<double>::infinity();
  std::int64_t elementary = 0;  ///< distances of two triangles, the source's elementary tests
  std::int64_t bounds = 0;      ///< distances of two volumes
};

/// Distance of two surfaces that do not meet. Source: lennerz2002.
template <class Volume>
SourceCounts source_distance(const TriangleMesh& mesh_a, const bvh::Hierarchy<Volume>& tree_a,
                             const Pose& pose_a, const TriangleMesh& mesh_b,
                             const bvh::Hierarchy<Volume>& tree_b, const Pose& pose_b,
                             SourceForm form);

}  // namespace tactus::detail::lab
