#pragma once

#include <span>
#include <vector>

#include "tactus/bvh/hierarchy.hpp"
#include "tactus/bvh/mesh_distance.hpp"
#include "tactus/mesh/support/point_boxes.hpp"
#include "tactus/mesh/surface/extreme_cones.hpp"
#include "tactus/shape.hpp"
#include "tactus/shape/access.hpp"

namespace tactus::detail {

/// A mesh with its hierarchy.
struct MeshData : MeshFacts {
  explicit MeshData(TriangleMesh surface);
  /// With the tree of the other, refitted.
  MeshData(TriangleMesh surface, bvh::Hierarchy<bvh::OrientedBox> known);

  bvh::Hierarchy<bvh::OrientedBox> tree;
  /// Cones of the triangles of a closed surface; empty for open ones, and for hulls.
  std::vector<ExtremeCone> cones;
  /// Boxes of all vertices, for farthest points; vertices of no triangle last.
  PointBoxes reach;

 private:
  void find_facts();
};

/// The surface as the floor of volumes sees it; lives as long as a copy of the mesh does.
inline bvh::MeshView view_of(const Mesh& mesh) {
  return {mesh.mesh(), static_cast<const MeshData&>(ShapeAccess::facts(mesh)).tree};
}

/// How far its vertices reach.
inline const PointBoxes& reach_of(const Mesh& mesh) {
  return static_cast<const MeshData&>(ShapeAccess::facts(mesh)).reach;
}

/// None of an open mesh.
inline std::span<const ExtremeCone> cones_of(const Mesh& mesh) {
  if (!mesh.closed()) return {};
  return static_cast<const MeshData&>(ShapeAccess::facts(mesh)).cones;
}

}  // namespace tactus::detail
