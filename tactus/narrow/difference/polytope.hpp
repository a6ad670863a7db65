#pragma once

#include "tactus/narrow/difference/core.hpp"

namespace tactus::detail {

/// Vertices, edges and faces of a polytope core, local frame: a hull as it is, a point, segment or
/// box as a scaled unit body (corners numbered like the pieces of the core). A flat hull has two
/// faces, one per side. A view: refers to the core's hull.
class Polytope {
 public:
  /// `core.is_polytope()`
  explicit Polytope(const Core& core);

  int dimension() const { return hull_->dimension; }
  std::uint32_t vertex_count() const { return static_cast<std::uint32_t>(hull_->vertices.size()); }
  std::uint32_t edge_count() const { return static_cast<std::uint32_t>(hull_->edges.size()); }
  std::uint32_t face_count() const {
    return dimension() == 2 ? 2u : static_cast<std::uint32_t>(hull_->faces.size());
  }

  Vec3 vertex(std::uint32_t i) const { return component_product(hull_->vertices[i], scale_); }
  /// Outward unit normal.
  Vec3 normal(std::uint32_t face) const {
    return face < hull_->faces.size() ? hull_->faces[face].normal : -hull_->faces[0].normal;
  }
  /// Corners, counter-clockwise about the normal of the hull's face (of side 0 where it is flat).
  std::span<const std::uint32_t> corners(std::uint32_t face) const {
    return hull_->corners(hull_->faces[face < hull_->faces.size() ? face : 0]);
  }
  const ConvexHull::Edge& edge(std::uint32_t i) const { return hull_->edges[i]; }
  /// Faces on either side of an edge; a polytope of dimension 1 has none.
  std::uint32_t left(std::uint32_t edge) const { return hull_->edges[edge].left; }
  std::uint32_t right(std::uint32_t edge) const {
    return dimension() == 2 ? 1u : hull_->edges[edge].right;
  }
  std::span<const std::uint32_t> neighbors(std::uint32_t vertex) const {
    return hull_->neighbors_of(vertex);
  }

 private:
  const ConvexHull* hull_;
  Vec3 scale_{1.0, 1.0, 1.0};
};

}  // namespace tactus::detail
