#pragma once

#include <cstdint>
#include <vector>

#include "tactus/planar/region/segment_tree.hpp"

namespace tactus::detail {

/// Boxes that come one by one, and those of them that meet another: a tree of squares over the
/// plane, each box in a square that holds its middle and is no smaller than it. A square is cut
/// when it has more than a few. Cost: O(1) per box and per level, and for each box that is found.
class BoxIndex {
 public:
  /// For boxes whose coordinates are below `most` by their amount.
  explicit BoxIndex(double most) { squares_.push_back({{}, most}); }

  /// The boxes are numbered in the order in which they come.
  void add(const Box2& box);
  /// Calls `found(k)` for all boxes that meet another, and for some that do not, in any order.
  template <class Found>
  void visit(const Box2& box, Found&& found) const {
    // Squares that wait: at most three of each level.
    std::uint32_t stack[4 * kLevels];
    std::size_t size = 0;
    stack[size++] = 0;
    while (size > 0) {
      const Square& square = squares_[stack[--size]];
      for (std::uint32_t k = square.first; k != kNone; k = boxes_[k].next) {
        if (boxes_[k].box.meets(box)) found(k);
      }
      for (const std::uint32_t child : square.children) {
        if (child != kNone && reach(squares_[child]).meets(box)) stack[size++] = child;
      }
    }
  }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  static constexpr std::uint32_t kFew = 8;
  static constexpr std::uint32_t kLevels = 32;

  struct Square {
    Vec2 middle;
    double half;
    std::uint32_t level = 0, count = 0, first = kNone;
    std::uint32_t children[4] = {kNone, kNone, kNone, kNone};
    bool is_cut = false;
  };
  struct Entry {
    Box2 box;
    std::uint32_t next;
  };

  // The boxes in a square and below it reach half of it beyond, and some roundings.
  static Box2 reach(const Square& s) {
    const Vec2 wide{2.001 * s.half, 2.001 * s.half};
    return {s.middle - wide, s.middle + wide};
  }
  /// The child that a box belongs to, made where there is none; none for a box too large.
  std::uint32_t child_for(std::uint32_t square, const Box2& box);
  void cut(std::uint32_t square);

  std::vector<Square> squares_;
  std::vector<Entry> boxes_;
};

}  // namespace tactus::detail
