#pragma once

#include <cstdint>
#include <vector>

#include "tactus/robot/collision_data.hpp"

namespace tactus::detail {

/// Values of a segment at a part of its time.
void values_at(const PathSegment& segment, double s, std::vector<double>& values);

/// Bounds of |value(s)| over the segment, of each coordinate.
std::vector<double> farthest_values(const PathSegment& segment);

/// Most that |value(s) - value(middle)| is for s in [begin, end], of each coordinate: the largest
/// coefficient of the derivative in Bernstein form times half the width.
void most_changes(const PathSegment& segment, double begin, double end,
                  std::vector<double>& changes);

/// How far points of a pair come nearer to each other, at most, while each coordinate changes by no
/// more than `changes` from a configuration.
class MotionBound {
 public:
  explicit MotionBound(const CollisionData& data) : data_(data) {}

  /// `at` and `changes` must stay until the next call.
  void start(const PlacedRobot& at, const std::vector<double>& changes);

  /// The joints between A and B are shared out: those next to A by what they move of A, the others
  /// by what they move of B. Of all places to part them the best counts. What a joint moves is no
  /// farther from its axis than in the configuration, and than the joints between the two add.
  double between(const ItemPair& pair);

 private:
  double reach(std::uint32_t item, std::uint32_t frame);

  const CollisionData& data_;
  const PlacedRobot* at_ = nullptr;
  const std::vector<double>* changes_ = nullptr;
  std::vector<std::uint32_t> joints_;  ///< from A to B
  std::vector<double> from_a_;
};

}  // namespace tactus::detail
