#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tactus/math.hpp"

namespace tactus::detail {

/// How far points reach along any direction, without a pass over all of them: boxes about blocks of
/// points, in double precision, and about these in a binary tree.
///
/// A coordinate along a direction is the same sum of the same three products for a corner of a box
/// as for a point, and rounding is monotonic: no point of a box is computed to be higher than the
/// corner. So boxes as high as the best point so far are left out, and what is flat costs no more
/// than what is round.
class PointBoxes {
 public:
  PointBoxes() = default;
  /// `order` names each point once; points that follow each other should be near each other.
  PointBoxes(std::span<const Vec3> points, std::vector<std::uint32_t> order);

  /// The largest n . p, with the bits of a pass over the points, which are those of the constructor
  /// again. -infinity for none. `looked`: counts the boxes looked at. Cost: some hundred boxes.
  double highest(std::span<const Vec3> points, const Vec3& n, std::int64_t* looked = nullptr) const;

  /// The point with that coordinate, the lowest index among equals, as a pass over the points would
  /// find it. There must be a point.
  std::uint32_t farthest(std::span<const Vec3> points, const Vec3& n) const;

  std::size_t size() const { return order_.size(); }
  std::size_t bytes() const {
    return order_.size() * sizeof(order_[0]) + nodes_.size() * sizeof(Node);
  }

  /// Largest absolute coordinate, and largest norm of a point.
  double largest() const { return largest_; }
  double radius() const { return radius_; }

 private:
  /// A box over a range of blocks. The left half of an inner one follows it.
  struct Node {
    Vec3 lower, upper;
    std::uint32_t first = 0, count = 0;  ///< blocks
    std::uint32_t lowest = 0;            ///< the least index of a point
  };
  struct Bounded {
    double bound;
    std::size_t node;
  };

  Bounded bounded(std::size_t node, const Vec3& n) const;
  template <class Skip, class Take>
  void walk(const Vec3& n, const Skip& skip, const Take& take) const;

  std::vector<std::uint32_t> order_;
  std::vector<Node> nodes_;
  double largest_ = 0.0, radius_ = 0.0;
};

/// The points, each near those that follow it: halves of a set on either side of its middle, along
/// its longest side. Cost: n log n.
std::vector<std::uint32_t> order_by_place(std::span<const Vec3> points);

}  // namespace tactus::detail
