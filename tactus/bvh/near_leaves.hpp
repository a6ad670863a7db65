#pragma once

#include <compare>
#include <cstdint>
#include <limits>
#include <vector>

#include "tactus/bvh/hierarchy.hpp"
#include "tactus/core/cancellation.hpp"

namespace tactus::detail::bvh {

/// A triangle of each of two meshes.
struct TrianglePair {
  std::uint32_t a = 0, b = 0;
  friend auto operator<=>(const TrianglePair&, const TrianglePair&) = default;
};

/// Visits the pairs of triangles whose boxes are not proved to be more than `within` apart, until
/// `visit(TrianglePair)` returns false. Depth first, the longer box taken apart. False where
/// `most` pairs of nodes were not enough, or the work was cancelled. Allocates the list of pairs
/// that wait.
template <class Visit>
bool visit_near_leaves(const Hierarchy<OrientedBox>& tree_a, const Hierarchy<OrientedBox>& tree_b,
                       const Placement& placement, double within, Visit&& visit,
                       std::int64_t most = std::numeric_limits<std::int64_t>::max()) {
  using Tree = Hierarchy<OrientedBox>;
  const OrientedBox* const nodes_a = tree_a.nodes().data();
  const OrientedBox* const nodes_b = tree_b.nodes().data();
  // Pairs of nodes that are near each other.
  std::vector<TrianglePair> open;
  if (!(lower_bound(nodes_a[0], nodes_b[0], placement) > within)) open.push_back({0, 0});
  for (std::int64_t visited = 0; !open.empty(); ++visited) {
    if (visited >= most || (visited % kVisitsUnasked == 0 && is_work_cancelled())) return false;
    const TrianglePair pair = open.back();
    open.pop_back();
    const OrientedBox& u = nodes_a[pair.a];
    const OrientedBox& v = nodes_b[pair.b];
    const bool leaf_a = Tree::is_leaf(u), leaf_b = Tree::is_leaf(v);
    if (leaf_a && leaf_b) {
      if (!visit(TrianglePair{Tree::triangle(u), Tree::triangle(v)})) return true;
      continue;
    }
    const bool split_a = leaf_b || (!leaf_a && u.length() >= v.length());
    const TrianglePair second =
        split_a ? TrianglePair{u.link, pair.b} : TrianglePair{pair.a, v.link};
    const TrianglePair first =
        split_a ? TrianglePair{pair.a + 1, pair.b} : TrianglePair{pair.a, pair.b + 1};
    const OrientedBox* const of_a[2] = {nodes_a + second.a, nodes_a + first.a};
    const OrientedBox* const of_b[2] = {nodes_b + second.b, nodes_b + first.b};
    double bound[2];
    lower_bounds(of_a, of_b, placement, bound);
    if (!(bound[0] > within)) open.push_back(second);
    if (!(bound[1] > within)) open.push_back(first);
  }
  return true;
}

}  // namespace tactus::detail::bvh
