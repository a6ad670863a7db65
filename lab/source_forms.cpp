#include "lab/source_forms.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "tactus/mesh/surface/triangle_distance.hpp"

namespace tactus::detail::lab {
namespace {

using bvh::Hierarchy;

struct NodePair {
  std::uint32_t a = 0, b = 0;
};

struct Children {
  std::array<NodePair, 4> pairs;
  std::array<double, 4> bounds;
  std::size_t count = 0;
};

template <class Volume>
class Search {
 public:
  Search(const TriangleMesh& mesh_a, const Hierarchy<Volume>& tree_a, const TriangleMesh& mesh_b,
         const Hierarchy<Volume>& tree_b, const Pose& pose, SourceForm form)
      : mesh_a_(mesh_a),
        mesh_b_(mesh_b),
        tree_a_(tree_a),
        tree_b_(tree_b),
        rotation_(pose.rotation()),
        translation_((pose.position() - tree_a.middle()) + pose.rotation() * tree_b.middle()),
        placement_(rotation_, translation_, tree_a.reach(), tree_b.reach()),
        form_(form) {}

  SourceCounts run() {
    if (form_ == SourceForm::sorted) {
      best_first();
    } else {
      visit({});
    }
    out_.distance = upper_;
    return out_;
  }

 private:
  static bool is_leaf(const Volume& node) { return Hierarchy<Volume>::is_leaf(node); }
  const Volume& node_a(const NodePair& p) const { return tree_a_.nodes()[p.a]; }
  const Volume& node_b(const NodePair& p) const { return tree_b_.nodes()[p.b]; }

  Vec3 corner_a(std::uint32_t triangle, std::size_t k) const {
    return mesh_a_.vertices[mesh_a_.triangles[triangle][k]] - tree_a_.middle();
  }
  Vec3 corner_b(std::uint32_t triangle, std::size_t k) const {
    const Vec3 local = mesh_b_.vertices[mesh_b_.triangles[triangle][k]] - tree_b_.middle();
    return rotation_ * local + translation_;
  }

  double bound(const NodePair& p) {
    ++out_.bounds;
    return lower_bound(node_a(p), node_b(p), placement_);
  }

  void measure(const NodePair& p) {
    ++out_.elementary;
    const std::uint32_t i = Hierarchy<Volume>::triangle(node_a(p));
    const std::uint32_t j = Hierarchy<Volume>::triangle(node_b(p));
    const Triangle a{{corner_a(i, 0), corner_a(i, 1), corner_a(i, 2)}};
    const Triangle b{{corner_b(j, 0), corner_b(j, 1), corner_b(j, 2)}};
    found_ = std::min(found_, triangle_to_triangle(a, b).distance);
    upper_ = std::min(upper_, found_);
  }

  // The distance of a corner of each node: of the first triangle on its right.
  void meet_representatives(const NodePair& p) {
    const auto first = [](const Hierarchy<Volume>& tree, std::uint32_t node) {
      if (!is_leaf(tree.nodes()[node])) node = tree.nodes()[node].link;
      while (!is_leaf(tree.nodes()[node])) ++node;
      return Hierarchy<Volume>::triangle(tree.nodes()[node]);
    };
    const double d = norm(corner_b(first(tree_b_, p.b), 0) - corner_a(first(tree_a_, p.a), 0));
    upper_ = std::min(upper_, d);
  }

  // All pairs of children with their bounds; a leaf stays whole while the other side descends.
  Children children_of(const NodePair& p) {
    const Volume &a = node_a(p), &b = node_b(p);
    const std::uint32_t of_a[2] = {is_leaf(a) ? p.a : p.a + 1, is_leaf(a) ? p.a : a.link};
    const std::uint32_t of_b[2] = {is_leaf(b) ? p.b : p.b + 1, is_leaf(b) ? p.b : b.link};
    Children all;
    for (std::size_t i = 0; i < (is_leaf(a) ? 1U : 2U); ++i) {
      for (std::size_t k = 0; k < (is_leaf(b) ? 1U : 2U); ++k) {
        all.pairs[all.count] = {of_a[i], of_b[k]};
        all.bounds[all.count] = bound(all.pairs[all.count]);
        ++all.count;
      }
    }
    return all;
  }

  // Depth-first, in the first three forms. The trees are some tens of levels deep.
  void visit(const NodePair& p) {
    if (form_ != SourceForm::depth_first) meet_representatives(p);
    if (is_leaf(node_a(p)) && is_leaf(node_b(p))) return measure(p);
    const Children all = children_of(p);
    std::array<std::size_t, 4> order{0, 1, 2, 3};
    if (form_ == SourceForm::greedy) {
      std::stable_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(all.count),
                       [&](std::size_t x, std::size_t y) { return all.bounds[x] < all.bounds[y]; });
    }
    for (std::size_t k = 0; k < all.count; ++k) {
      if (all.bounds[order[k]] < upper_) visit(all.pairs[order[k]]);
    }
  }

  void best_first() {
    std::multimap<double, NodePair> sequence;
    double lower = bound({});
    sequence.emplace(lower, NodePair{});
    while (!sequence.empty() && lower < upper_) {
      const NodePair p = sequence.begin()->second;
      sequence.erase(sequence.begin());
      meet_representatives(p);
      sequence.erase(sequence.upper_bound(upper_), sequence.end());
      if (is_leaf(node_a(p)) && is_leaf(node_b(p))) {
        measure(p);
      } else {
        const Children all = children_of(p);
        for (std::size_t k = 0; k < all.count; ++k) {
          if (all.bounds[k] <= upper_) sequence.emplace(all.bounds[k], all.pairs[k]);
        }
      }
      // The source does not say what an empty sequence leaves: the bounds have met.
      if (sequence.empty()) break;
      lower = std::max(lower, std::min(found_, sequence.begin()->first));
    }
  }

  const TriangleMesh &mesh_a_, &mesh_b_;
  const Hierarchy<Volume>&tree_a_, &tree_b_;
  Mat3 rotation_;
  Vec3 translation_;
  bvh::Placement placement_;
  SourceForm form_;
  SourceCounts out_;
  double found_ = std::numeric_limits<double>::infinity(), upper_ = found_;
};

}  // namespace

template <class Volume>
SourceCounts source_distance(const TriangleMesh& mesh_a, const Hierarchy<Volume>& tree_a,
                             const Pose& pose_a, const TriangleMesh& mesh_b,
                             const Hierarchy<Volume>& tree_b, const Pose& pose_b, SourceForm form) {
  return Search<Volume>(mesh_a, tree_a, mesh_b, tree_b, relative(pose_a, pose_b), form).run();
}

template SourceCounts source_distance(const TriangleMesh&, const Hierarchy<bvh::Dop14>&,
                                      const Pose&, const TriangleMesh&,
                                      const Hierarchy<bvh::Dop14>&, const Pose&, SourceForm);
template SourceCounts source_distance(const TriangleMesh&, const Hierarchy<bvh::Ball>&, const Pose&,
                                      const TriangleMesh&, const Hierarchy<bvh::Ball>&, const Pose&,
                                      SourceForm);

}  // namespace tactus::detail::lab
