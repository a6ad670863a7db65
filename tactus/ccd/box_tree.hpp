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
};
inline bool meet(const SweptBox& a, const SweptBox& b) {
  return a.lower.x <= b.upper.x && b.lower.x <= a.upper.x && a.lower.y <= b.upper.y &&
         b.lower.y <= a.upper.y && a.lower.z <= b.upper.z && b.lower.z <= a.upper.z;
}

/// A binary tree over boxes: halves of equal number on either side of the longest side's middle.
/// Which box stands where follows from the boxes and their numbers alone.
class BoxTree {
 public:
  explicit BoxTree(std::span<const SweptBox> boxes);

  /// Calls `take(i)` for each box that meets `box`, in the order of the tree.
  template <class Take>
  void find(const SweptBox& box, const Take& take) const {
    if (nodes_.empty()) return;
    std::uint32_t stack[64];
    int size = 0;
    stack[size++] = 0;
    while (size > 0) {
      const Node& node = nodes_[stack[--size]];
      if (!meet(node.box, box)) continue;
      if (node.count > 0) {
        for (std::uint32_t i = node.first; i < node.first + node.count; ++i) {
          if (meet(boxes_[i], box)) take(order_[i]);
        }
        continue;
      }
      stack[size++] = node.first;
      stack[size++] = static_cast<std::uint32_t>(&node - nodes_.data()) + 1;
    }
  }

 private:
  struct Node {
    SweptBox box;
    std::uint32_t first =
        0;  ///< of a leaf: its first box; else the second child (the first one follows)
    std::uint32_t count = 0;  ///< of a leaf: how many
  };
  void build(std::span<const SweptBox> boxes, std::uint32_t first, std::uint32_t last);

  std::vector<Node> nodes_;
  std::vector<std::uint32_t> order_;
  std::vector<SweptBox> boxes_;  ///< in the order of the leaves
};

}  // namespace tactus::detail
