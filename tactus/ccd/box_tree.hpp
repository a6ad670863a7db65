#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tactus/math.hpp"

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

/// A binary tree over boxes: halves of equal number, along the axis on which their middles lie
/// farthest apart.
/// Which box stands where follows from the boxes and their numbers alone.
class BoxTree {
 public:
  explicit BoxTree(std::span<const SweptBox> boxes);

  /// Calls `take(i)` for each box that meets `box`, in the order of the tree.
  template <class Take>
  void find(const SweptBox& box, const Take& take) const {
    each_leaf(box, 0, [&](const Node& node) {
      for (std::uint32_t i = node.first; i < node.first + node.count; ++i) {
        if (meet(boxes_[i], box)) take(order_[i]);
      }
    });
  }

  std::size_t leaves() const { return leaves_.size(); }
  /// Calls `take(i, k)` for each box i of the leaf and each box k of `other` that meet: one way
  /// through the tree for all boxes of a leaf.
  template <class Take>
  void find_of_leaf(std::size_t leaf, const BoxTree& other, const Take& take) const {
    const Node& own = nodes_[leaves_[leaf]];
    other.each_leaf(own.box, 0, [&](const Node& node) {
      for (std::uint32_t i = own.first; i < own.first + own.count; ++i) {
        if (meet(boxes_[i], node.box)) other.take_of(node, node.first, boxes_[i], order_[i], take);
      }
    });
  }
  /// Of this tree itself: each pair of boxes that meet once, over all leaves.
  template <class Take>
  void find_pairs_of_leaf(std::size_t leaf, const Take& take) const {
    const Node& own = nodes_[leaves_[leaf]];
    each_leaf(own.box, own.first, [&](const Node& node) {
      const bool same = node.first == own.first;
      for (std::uint32_t i = own.first; i < own.first + own.count; ++i) {
        if (same || meet(boxes_[i], node.box))
          take_of(node, same ? i + 1 : node.first, boxes_[i], order_[i], take);
      }
    });
  }

 private:
  struct Node {
    SweptBox box;
    std::uint32_t first =
        0;  ///< of a leaf: its first box; else the second child (the first one follows)
    std::uint32_t count = 0;  ///< of a leaf: how many
    std::uint32_t end = 0;    ///< behind its last box
  };
  /// All leaves that meet the box and hold one at `from` or behind it.
  template <class Visit>
  void each_leaf(const SweptBox& box, std::uint32_t from, const Visit& visit) const {
    if (nodes_.empty()) return;
    std::uint32_t stack[64];
    int size = 0;
    stack[size++] = 0;
    while (size > 0) {
      const Node& node = nodes_[stack[--size]];
      if (node.end <= from || !meet(node.box, box)) continue;
      if (node.count > 0) {
        visit(node);
        continue;
      }
      stack[size++] = node.first;
      stack[size++] = static_cast<std::uint32_t>(&node - nodes_.data()) + 1;
    }
  }
  template <class Take>
  void take_of(const Node& node, std::uint32_t from, const SweptBox& box, std::uint32_t number,
               const Take& take) const {
    for (std::uint32_t k = from; k < node.end; ++k) {
      if (meet(boxes_[k], box)) take(number, order_[k]);
    }
  }
  /// What a box is sorted by.
  struct Item {
    Vec3 middle;  ///< twice it
    std::uint32_t number = 0;
  };
  void build(std::span<const SweptBox> boxes, std::span<Item> items, std::uint32_t first);

  std::vector<Node> nodes_;
  std::vector<std::uint32_t> leaves_;  ///< nodes
  std::vector<std::uint32_t> order_;
  std::vector<SweptBox> boxes_;  ///< in the order of the leaves
};

}  // namespace tactus::detail
