#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tactus/planar.hpp"
#include "tactus/shape.hpp"

namespace tactus::detail {

/// The box of a shape in its own frame without the ball that it is grown by. Cost: constant, but
/// for custom bodies, whose support function it asks.
struct LocalBox {
  Vec3 center, half;  ///< half edges; infinite for a half-space
  double ball = 0.0;
};
LocalBox local_box(const Shape& shape);

/// A binary tree of boxes in the compound's frame, one part to a leaf.
struct PartNode {
  static constexpr std::uint32_t kLeaf = 0x80000000u;
  Vec3 center, half;       ///< half edges; infinite where a half-space is below
  std::uint32_t link = 0;  ///< the second child, the first one being next; or kLeaf and the part
  bool is_leaf() const { return (link & kLeaf) != 0; }
  std::uint32_t part() const { return link & ~kLeaf; }
};

/// A region between two planes across z, as far below the origin as above it.
struct Prism {
  planar::Region region;
  double height = 0.0;
};

/// The parts of a compound, and what is known of them once and for all.
struct CompoundData {
  /// Nodes that wait in a walk of the tree, at most.
  static constexpr int kDepth = 40;

  explicit CompoundData(std::vector<Compound::Part> list);

  std::vector<Compound::Part> parts;
  std::vector<PartNode> nodes;  ///< the root first; depth at most 33
  double reach = 0.0;           ///< at least the distance of any point from the origin
  double length = 0.0;          ///< the same for `length_of`, in which half-spaces are finite
  bool open = false;            ///< a part is an open mesh
  std::optional<Prism> prism;   ///< what the parts are, where it is known
};

/// The compound of the parts of a prism.
Compound as_prism(std::vector<Compound::Part> parts, Prism prism);
/// The prism that a shape was made as; null for others.
const Prism* prism_of(const Shape& shape);

}  // namespace tactus::detail
