#pragma once

#include <cstdint>
#include <vector>

#include "tactus/bvh/near_leaves.hpp"
#include "tactus/mesh/surface/extreme_cones.hpp"
#include "tactus/shape.hpp"

namespace tactus::detail {

/// Two triangles, also by their places in the lists of `NearTriangles`.
struct ListedPair {
  bvh::TrianglePair triangles;
  std::uint32_t index_a = 0, index_b = 0;
};

/// Triangles of two meshes that are near each other.
struct NearTriangles {
  std::vector<std::uint32_t> of_a, of_b;  ///< each once, ascending
  std::vector<ListedPair> pairs;          ///< ascending
};

/// The cone of a triangle; any direction for an open mesh.
ExtremeCone cone_of(const Mesh& mesh, std::uint32_t triangle);

/// All triangles of two meshes that are within `within` of the other one. Pairs of them are left
/// out where their cones say that neither has an extreme point towards the other, and within
/// surfaces that are flat around both: what lies around these has points farther out. Where more
/// than 65,536 pairs are left, those within a quarter of `within`, and so on down to `least`.
/// `pose` is that of B in A's frame. Allocates.
NearTriangles near_pairs(const Mesh& a, const Mesh& b, const Pose& pose, double within,
                         double least);

}  // namespace tactus::detail
