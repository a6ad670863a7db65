#pragma once

#include <cstdint>

#include "tactus/core/constants.hpp"
#include "tactus/query/plan/pair_context.hpp"
#include "tactus/shape/access.hpp"
#include "tactus/shape/compound_data.hpp"

namespace tactus::detail {

/// Roundings of a part's position in its compound: a rotated point, a sum and a difference, of
/// 2^-53 each, with a margin of two.
inline constexpr double kPartPlacing = 16.0 * kEpsilon;

/// One body of a pair by its parts: the tree of a compound, or a single node.
struct PartTree {
  const Placed& body;
  const Compound* compound;
  PartNode whole;

  explicit PartTree(const Placed& placed);

  const PartNode& node(std::uint32_t index) const {
    return compound != nullptr ? ShapeAccess::data(*compound).nodes[index] : whole;
  }
  const Compound::Part* part(std::int32_t index) const {
    return index >= 0 ? &compound->parts()[static_cast<std::size_t>(index)] : nullptr;
  }
  /// The index of a leaf in results: -1 for the body itself.
  std::int32_t index(const PartNode& leaf) const {
    return compound != nullptr ? static_cast<std::int32_t>(leaf.part()) : -1;
  }
  bool has(std::int32_t index) const {
    return compound != nullptr
               ? index >= 0 && static_cast<std::size_t>(index) < compound->parts().size()
               : index == -1;
  }
  bool open() const { return compound != nullptr && ShapeAccess::data(*compound).open; }
  const HalfSpace* plane() const { return std::get_if<HalfSpace>(&body.shape.geometry()); }
};

/// A part in the world, and how far its origin is from that of its body.
struct PlacedPart {
  const Shape& shape;
  Pose pose;
  double away;
};
PlacedPart placed_part(const PartTree& tree, std::int32_t index);

/// The pairs of parts of two bodies by the boxes that hold them.
class PartPairs {
 public:
  struct NodePair {
    double bound;
    std::uint32_t a, b;
  };
  /// Pairs of nodes that wait in a walk: one for each level of both trees.
  static constexpr int kStack = 80;

  PartPairs(const Placed& a, const Placed& b);

  const PartTree a, b;

  /// B's origin, in the frame of A.
  const Vec3& translation() const { return translation_; }
  /// How far two boxes are apart along the axes of both and `normal` (A's frame, may be null): a
  /// lower bound of the signed distance of what they hold, in overlap too.
  double bound(const PartNode& node_a, const PartNode& node_b, const Vec3* normal) const;
  NodePair root(const Vec3* normal) const { return {bound(a.node(0), b.node(0), normal), 0, 0}; }
  /// Puts both halves of the larger of two nodes with the other one on a stack, the nearer pair
  /// last.
  void push_halves(const NodePair& next, const Vec3* normal, NodePair* stack, int& size) const;

  /// Visits all pairs of parts whose boxes are not farther apart than `within`.
  template <class Visit>
  void for_near(double within, const Vec3* normal, const Visit& visit) const {
    NodePair stack[kStack];
    int size = 0;
    stack[size++] = root(normal);
    while (size > 0) {
      const NodePair next = stack[--size];
      if (next.bound > within) continue;
      const PartNode &x = a.node(next.a), &y = b.node(next.b);
      if (x.is_leaf() && y.is_leaf()) {
        visit(a.index(x), b.index(y));
      } else {
        push_halves(next, normal, stack, size);
      }
    }
  }

 private:
  double bound_to_plane(const HalfSpace& plane, const PartNode& node, bool of_a) const;

  Mat3 rotation_, absolute_;  // of B's frame in A's
  Vec3 translation_;
};

}  // namespace tactus::detail
