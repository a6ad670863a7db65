#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tactus/math.hpp"
#include "tactus/simd/two_doubles.hpp"

namespace tactus::detail {

/// A box with its lower and upper corner.
struct SweptBox {
  Vec3 lower, upper;
  void add(const Vec3& p) {
    lower = component_min(lower, p);
    upper = component_max(upper, p);
  }
  void add(const SweptBox& b) {
    lower = component_min(lower, b.lower);
    upper = component_max(upper, b.upper);
  }
};
inline bool meet(const SweptBox& a, const SweptBox& b) {
  // Which of the six fails is not foreseeable: no branches.
  return (a.lower.x <= b.upper.x) & (b.lower.x <= a.upper.x) & (a.lower.y <= b.upper.y) &
         (b.lower.y <= a.upper.y) & (a.lower.z <= b.upper.z) & (b.lower.z <= a.upper.z);
}

/// The lower corner of a box, and the negated upper one: of the box around two boxes each number is
/// the lesser of both.
struct BoxSides {
  double v[6];
  explicit BoxSides(const SweptBox& b)
      : v{b.lower.x, b.lower.y, b.lower.z, -b.upper.x, -b.upper.y, -b.upper.z} {}
  void add(const BoxSides& b) {
    for (int i = 0; i < 6; ++i) v[i] = b.v[i] < v[i] ? b.v[i] : v[i];
  }
};
/// Upper limits of the `BoxSides` of every box that meets this one.
class BoxLimits {
 public:
  explicit BoxLimits(const BoxSides& b)
      : first_{-b.v[3], -b.v[4]}, middle_{-b.v[5], -b.v[0]}, last_{-b.v[1], -b.v[2]} {}
  bool meet(const BoxSides& b) const {
    using namespace two_doubles;
    return bits_of(at_most(load(b.v), first_) & at_most(load(b.v + 2), middle_) &
                   at_most(load(b.v + 4), last_)) == 3U;
  }

 private:
  two_doubles::Lanes first_, middle_, last_;
};

/// A binary tree over boxes: halves of equal number, along the axis on which their middles lie
/// farthest apart.
/// Which box stands where follows from the boxes and their numbers alone.
class BoxTree {
 public:
  explicit BoxTree(std::span<const SweptBox> boxes);

  /// Calls `take(i)` for each box that meets `box`, in the order of the tree.
  template <class Take>
  void find(const SweptBox& box, const Take& take) const {
    const BoxLimits limits{BoxSides(box)};
    each_leaf(limits, 0, [&](const Node& node) {
      for (std::uint32_t i = node.first; i < node.first + node.count; ++i) {
        if (limits.meet(boxes_[i])) take(order_[i]);
      }
    });
  }

  std::size_t leaves() const { return leaves_.size(); }
  /// Calls `take(i, k)` for each box i of the leaf and each box k of `other` that meet: one way
  /// through the tree for all boxes of a leaf.
  template <class Take>
  void find_of_leaf(std::size_t leaf, const BoxTree& other, const Take& take) const {
    const Node& own = nodes_[leaves_[leaf]];
    other.each_leaf(BoxLimits(own.box), 0, [&](const Node& node) {
      for (std::uint32_t i = own.first; i < own.first + own.count; ++i)
        other.take_of(node, node.first, boxes_[i], order_[i], take);
    });
  }
  /// Calls `take(i, k)` for each box i of the leaf and each box k behind it in this tree that meet:
  /// over all leaves, each pair once.
  template <class Take>
  void find_pairs_of_leaf(std::size_t leaf, const Take& take) const {
    const Node& own = nodes_[leaves_[leaf]];
    each_leaf(BoxLimits(own.box), own.first, [&](const Node& node) {
      const bool same = node.first == own.first;
      for (std::uint32_t i = own.first; i < own.first + own.count; ++i)
        take_of(node, same ? i + 1 : node.first, boxes_[i], order_[i], take);
    });
  }

 private:
  struct Node {
    BoxSides box;
    /// Leaf: its first box. Inner node: its second child (the first one follows the node).
    std::uint32_t first = 0;
    std::uint32_t count = 0;  ///< boxes of a leaf; 0: an inner node
    std::uint32_t end = 0;    ///< behind its last box
  };
  /// All leaves that meet the box and hold one at `from` or behind it.
  template <class Visit>
  void each_leaf(const BoxLimits& limits, std::uint32_t from, const Visit& visit) const {
    if (nodes_.empty()) return;
    std::uint32_t stack[64];
    int size = 0;
    stack[size++] = 0;
    while (size > 0) {
      const Node& node = nodes_[stack[--size]];
      if (node.end <= from || !limits.meet(node.box)) continue;
      if (node.count > 0) {
        visit(node);
        continue;
      }
      stack[size++] = node.first;
      stack[size++] = static_cast<std::uint32_t>(&node - nodes_.data()) + 1;
    }
  }
  template <class Take>
  void take_of(const Node& node, std::uint32_t from, const BoxSides& box, std::uint32_t number,
               const Take& take) const {
    const BoxLimits limits(box);
    if (!limits.meet(node.box)) return;
    for (std::uint32_t k = from; k < node.end; ++k) {
      if (limits.meet(boxes_[k])) take(number, order_[k]);
    }
  }
  /// Sort key of a box.
  struct Item {
    Vec3 middle;  ///< twice the middle of the box
    std::uint32_t number = 0;
  };
  void build(std::span<const SweptBox> boxes, std::span<Item> items, std::uint32_t first);

  std::vector<Node> nodes_;
  std::vector<std::uint32_t> leaves_;  ///< nodes
  std::vector<std::uint32_t> order_;
  std::vector<BoxSides> boxes_;  ///< in the order of the leaves
};

}  // namespace tactus::detail
