#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "tactus/bvh/volumes.hpp"
#include "tactus/core.hpp"
#include "tactus/mesh.hpp"

namespace tactus::detail::bvh {

/// Where a range of triangles is split, along the longest axis of its surface.
enum class SplitRule : std::uint8_t {
  mean,    ///< at the mean of the triangles' middles, weighted by area
  median,  ///< half of the triangles on either side
  middle   ///< in the middle between the outermost triangles
};
constexpr std::string_view to_string(SplitRule rule) {
  constexpr std::string_view kNames[] = {"mean", "median", "middle"};
  return name_in(kNames, rule);
}

/// A binary tree of bounding volumes over the triangles of a mesh, one triangle per leaf.
///
/// Nodes lie in depth-first order: the left child of an inner node follows it, `link` names the
/// right one. The tree depends on the mesh and the rule alone, not on the number of threads. It
/// refers to the mesh by index only; who asks passes the same mesh again. Source: lennerz2002
/// (binary, top-down, coherent order), gottschalk1996obbtree (axes from the surface's second
/// moments).
template <class Volume>
class Hierarchy {
 public:
  static constexpr std::uint32_t kLeaf = 0x80000000u;

  /// The mesh must be valid and have at most 2^30 triangles. Cost: some 0.5 microseconds per
  /// triangle, on all processors.
  explicit Hierarchy(const TriangleMesh& mesh, SplitRule rule = SplitRule::mean);

  /// A tree that was built before, of the `nodes()` that it had. Throws InvalidInput where these
  /// are no such tree over as many triangles (`nodes`, `nodes[i]`). That each volume holds its
  /// triangles is taken on trust. Cost: some tenth of a build.
  Hierarchy(const TriangleMesh& mesh, std::vector<Volume> nodes);

  /// Fits the volumes to moved vertices; the tree, and so which triangles lie together, stays.
  /// Cost: some half of a build.
  void refit(const TriangleMesh& mesh);

  const std::vector<Volume>& nodes() const { return nodes_; }
  static bool is_leaf(const Volume& node) { return (node.link & kLeaf) != 0; }
  static std::uint32_t triangle(const Volume& leaf) { return leaf.link & ~kLeaf; }

  /// Volumes are about this point, in the mesh's frame.
  const Vec3& middle() const { return middle_; }
  /// Largest distance of a vertex from the middle.
  double reach() const { return reach_; }
  std::size_t bytes() const { return nodes_.size() * sizeof(Volume); }
  /// Differs, but for a chance of 2^-64, where the vertices, the triangles or the tree differ.
  std::uint64_t fingerprint() const { return fingerprint_; }

 private:
  void find_middle(const TriangleMesh& mesh);
  void take_fingerprint(const TriangleMesh& mesh);

  Vec3 middle_;
  double reach_ = 0.0;
  std::uint64_t fingerprint_ = 0;
  std::vector<Volume> nodes_;
  std::vector<std::uint32_t> items_;  ///< triangles in the order of the leaves
};

extern template class Hierarchy<OrientedBox>;
extern template class Hierarchy<AlignedBox>;
extern template class Hierarchy<Ball>;
extern template class Hierarchy<Dop14>;
extern template class Hierarchy<SweptRectangle>;

}  // namespace tactus::detail::bvh
