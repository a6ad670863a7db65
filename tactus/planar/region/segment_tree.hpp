#pragma once

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "tactus/core/constants.hpp"
#include "tactus/planar.hpp"
#include "tactus/simd/two_doubles.hpp"

namespace tactus::detail {

/// An axis-aligned box; empty at first.
struct Box2 {
  Vec2 low{std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  Vec2 high{-std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};

  void add(const Vec2& p) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y)};
  }
  void add(const Box2& b) {
    low = {std::min(low.x, b.low.x), std::min(low.y, b.low.y)};
    high = {std::max(high.x, b.high.x), std::max(high.y, b.high.y)};
  }
  bool meets(const Box2& b) const {
    return low.x <= b.high.x && b.low.x <= high.x && low.y <= b.high.y && b.low.y <= high.y;
  }
  double girth() const { return (high.x - low.x) + (high.y - low.y); }
  /// Squared distance from another box; errs by some roundings of itself.
  double squared_distance(const Box2& b) const {
    const double x = std::max(0.0, std::max(low.x - b.high.x, b.low.x - high.x));
    const double y = std::max(0.0, std::max(low.y - b.high.y, b.low.y - high.y));
    return x * x + y * y;
  }
};

inline Box2 box_of(const Vec2& a, const Vec2& b) {
  Box2 box;
  box.add(a);
  box.add(b);
  return box;
}

/// Boxes over runs of consecutive segments: a complete binary tree, so that a node's children need
/// no links.
class SegmentTree {
 public:
  static constexpr std::size_t kLeaf = 4;

  /// `segment(i)` gives the box of segment i.
  template <class BoxOf>
  SegmentTree(std::size_t count, BoxOf&& segment) : count_(count) {
    while (leaves_ * kLeaf < count) {
      leaves_ *= 2;
      even_ = !even_;
    }
    boxes_.resize(2 * leaves_ - 1);
    for (std::size_t i = 0; i < count; ++i) boxes_[leaves_ - 1 + i / kLeaf].add(segment(i));
    for (std::size_t i = leaves_ - 1; i-- > 0;) {
      boxes_[i].add(boxes_[2 * i + 1]);
      boxes_[i].add(boxes_[2 * i + 2]);
    }
  }

  const Box2& box() const { return boxes_.front(); }

  /// Calls `leaf(i)` for the segments of all runs whose boxes pass `wanted`, in order, until one
  /// call returns true; tells whether one did.
  template <class Wanted, class Leaf>
  bool visit(Wanted&& wanted, Leaf&& leaf) const {
    // A path down pushes one node per level, and there are fewer levels than bits.
    std::size_t stack[64];
    int size = 0;
    stack[size++] = 0;
    while (size > 0) {
      const std::size_t node = stack[--size];
      if (!wanted(boxes_[node])) continue;
      if (node < leaves_ - 1) {
        stack[size++] = 2 * node + 2;
        stack[size++] = 2 * node + 1;
        continue;
      }
      const std::size_t first = (node - (leaves_ - 1)) * kLeaf;
      for (std::size_t i = first; i < first + kLeaf && i < count_; ++i) {
        if (leaf(i)) return true;
      }
    }
    return false;
  }

  /// Calls `leaf(first, end)` for all runs whose boxes come as near to `p` as `reach` along both
  /// axes, in order.
  template <class Leaf>
  void visit_near(const Vec2& p, double reach, Leaf&& leaf) const {
    using namespace two_doubles;
    // Sums round by less than this.
    const double wide = reach + 4.0 * kRounding * (std::fabs(p.x) + std::fabs(p.y) + reach);
    const Lanes from{p.x - wide, p.y - wide}, to{p.x + wide, p.y + wide};
    const auto near = [&](std::size_t node) {
      const Lanes low = load(&boxes_[node].low.x), high = load(&boxes_[node].high.x);
      return bits_of(at_most(low, to) & at_most(from, high)) == 3U;
    };
    // Below a node on every second level lie four in a row.
    std::size_t stack[128];
    int size = 0;
    if (even_) {
      stack[size++] = 0;
    } else {
      for (const std::size_t child : {2, 1}) {
        if (near(child)) stack[size++] = child;
      }
    }
    while (size > 0) {
      const std::size_t node = stack[--size];
      if (node >= leaves_ - 1) {
        const std::size_t first = (node - (leaves_ - 1)) * kLeaf;
        if (first < count_) leaf(first, std::min(first + kLeaf, count_));
        continue;
      }
      for (std::size_t child = 4 * node + 6; child >= 4 * node + 3; --child) {
        stack[size] = child;
        size += near(child) ? 1 : 0;
      }
    }
  }

  /// Calls `leaf(first, end, first_other, end_other)` for all pairs of runs whose boxes meet, those
  /// of the other tree as `moved(box)` places them, until one call returns true; tells whether one
  /// did.
  template <class Moved, class Leaf>
  bool visit_pairs(const SegmentTree& other, Moved&& moved, Leaf&& leaf) const {
    // Without members that would set all entries to zero at each call.
    struct Entry {
      std::size_t node, other;
      double low_x, low_y, high_x, high_y;
    };
    // Each step down leaves at most one pair behind, and both trees have fewer levels than bits.
    Entry stack[128];
    int size = 0;
    const auto push = [&](std::size_t node, std::size_t other_node, const Box2& box) {
      if (!boxes_[node].meets(box)) return;
      stack[size++] = {node, other_node, box.low.x, box.low.y, box.high.x, box.high.y};
    };
    push(0, 0, moved(other.boxes_.front()));
    while (size > 0) {
      const Entry e = stack[--size];
      const Box2 box{{e.low_x, e.low_y}, {e.high_x, e.high_y}};
      const bool down = e.node < leaves_ - 1, other_down = e.other < other.leaves_ - 1;
      if (!down && !other_down) {
        const std::size_t i = (e.node - (leaves_ - 1)) * kLeaf;
        const std::size_t j = (e.other - (other.leaves_ - 1)) * kLeaf;
        if (leaf(i, std::min(i + kLeaf, count_), j, std::min(j + kLeaf, other.count_))) return true;
      } else if (down && (!other_down || boxes_[e.node].girth() >= box.girth())) {
        push(2 * e.node + 2, e.other, box);
        push(2 * e.node + 1, e.other, box);
      } else {
        for (const std::size_t child : {2 * e.other + 2, 2 * e.other + 1}) {
          push(e.node, child, moved(other.boxes_[child]));
        }
      }
    }
    return false;
  }

  /// Calls `leaf(first, end, first_other, end_other)` for pairs of runs whose boxes, those of the
  /// other tree as `moved(box)` places them, are nearer to each other, squared, than `limit()`, the
  /// best so far; nearer pairs first.
  template <class Moved, class Limit, class Leaf>
  void search_pairs(const SegmentTree& other, Moved&& moved, Limit&& limit, Leaf&& leaf) const {
    struct Entry {
      std::size_t node, other;
      double bound;
    };
    // Each step down leaves at most one pair behind, and both trees have fewer levels than bits.
    Entry stack[128];
    int size = 0;
    const auto entry = [&](std::size_t node, std::size_t other_node) {
      return Entry{node, other_node,
                   boxes_[node].squared_distance(moved(other.boxes_[other_node]))};
    };
    stack[size++] = entry(0, 0);
    while (size > 0) {
      const Entry e = stack[--size];
      if (!(e.bound < limit())) continue;
      const bool down = e.node < leaves_ - 1, other_down = e.other < other.leaves_ - 1;
      if (!down && !other_down) {
        const std::size_t i = (e.node - (leaves_ - 1)) * kLeaf;
        const std::size_t j = (e.other - (other.leaves_ - 1)) * kLeaf;
        leaf(i, std::min(i + kLeaf, count_), j, std::min(j + kLeaf, other.count_));
        continue;
      }
      const bool split =
          down && (!other_down || boxes_[e.node].girth() >= other.boxes_[e.other].girth());
      Entry near = split ? entry(2 * e.node + 1, e.other) : entry(e.node, 2 * e.other + 1);
      Entry far = split ? entry(2 * e.node + 2, e.other) : entry(e.node, 2 * e.other + 2);
      if (far.bound < near.bound) std::swap(near, far);
      stack[size++] = far;
      stack[size++] = near;
    }
  }

  /// Calls `leaf(i)` for the segments of runs whose `bound(box)`, a lower bound of what is searched
  /// for, is below `limit()`, the best so far; nearer children first.
  template <class Bound, class Limit, class Leaf>
  void search(Bound&& bound, Limit&& limit, Leaf&& leaf) const {
    struct Entry {
      std::size_t node;
      double bound;
    };
    Entry stack[64];
    int size = 0;
    stack[size++] = {0, bound(boxes_.front())};
    while (size > 0) {
      const Entry top = stack[--size];
      if (!(top.bound < limit())) continue;
      if (top.node < leaves_ - 1) {
        const std::size_t left = 2 * top.node + 1;
        const double first = bound(boxes_[left]), second = bound(boxes_[left + 1]);
        const bool swap = second < first;
        stack[size++] = swap ? Entry{left, first} : Entry{left + 1, second};
        stack[size++] = swap ? Entry{left + 1, second} : Entry{left, first};
        continue;
      }
      const std::size_t first = (top.node - (leaves_ - 1)) * kLeaf;
      for (std::size_t i = first; i < first + kLeaf && i < count_; ++i) leaf(i);
    }
  }

 private:
  static constexpr double kRounding = kUnit;

  std::size_t count_, leaves_ = 1;
  bool even_ = true;  ///< the number of levels below the root
  std::vector<Box2> boxes_;
};

}  // namespace tactus::detail
