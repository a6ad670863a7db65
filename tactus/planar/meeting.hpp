#pragma once

#include <optional>

#include "tactus/planar/region/edges.hpp"
#include "tactus/planar/touch/place_corners.hpp"

namespace tactus::detail {

/// Two boundaries in one frame: A at rest, B turned and moved; a small one at once, others point by
/// point when they are asked for.
class MovedPair {
 public:
  static constexpr std::size_t kSmall = kSmallConvex;

  MovedPair(const Boundary& a, const Boundary& b, const Pose2& pose)
      : a_(a), b_(b), pose_(pose), turned_(pose.turned()), small_(b.size() <= kSmall) {
    if (!small_) return;
    if (b.small_convex) {
      place_corners(b.corners, pose, x_, y_);
      return;
    }
    for (std::size_t k = 0; k < b.size(); ++k) {
      const Vec2 p = moved(b.points[k]);
      x_[k] = p.x;
      y_[k] = p.y;
    }
  }

  const Boundary& a() const { return a_; }
  const Boundary& b() const { return b_; }
  const Pose2& pose() const { return pose_; }
  Vec2 point_b(std::size_t k) const { return small_ ? Vec2{x_[k], y_[k]} : moved(b_.points[k]); }
  Vec2 end_b(std::size_t edge) const { return point_b(b_.next[edge]); }
  /// Placed points of B, coordinate by coordinate; only a small B has them.
  const double* x_of_b() const { return x_; }
  const double* y_of_b() const { return y_; }
  /// Holds the moved places of all points of the box, grown by `margin`.
  Box2 moved(const Box2& box, double margin) const;

 private:
  Vec2 moved(const Vec2& p) const { return turned_ ? pose_.to_world(p) : p + pose_.position(); }

  const Boundary& a_;
  const Boundary& b_;
  Pose2 pose_;
  bool turned_, small_;
  double x_[kSmall], y_[kSmall];  ///< of a small B
};

/// A place where the boundaries cross. B counts as moved by less than any number, so that nothing
/// touches: crossings lie inside edges, and each contour leaves as often as it enters.
struct BoundaryCrossing {
  std::uint32_t edge_a = 0, edge_b = 0;
  double part_a = 0.0, part_b = 0.0;  ///< fractions of the edges
  bool a_enters = false;              ///< A's boundary leads into B there, and B's out of A
};

/// A corner of one that stands before an edge of the other, at most the threshold away.
struct NearCorner {
  std::uint32_t edge_a = 0, edge_b = 0;  ///< the corner is the start of one of them
  bool corner_of_a = false;
  Vec2 corner, foot;
  double gap = 0.0;
};

/// Corner `corner` of edge i of A (`of_a`) or j of B, between the corners `before` and `after`, if
/// it stands before the edge from `from` to `to` of the other, at most `threshold` away.
void add_near_corner(std::uint32_t i, std::uint32_t j, bool of_a, const Vec2& corner,
                     const Vec2& before, const Vec2& after, const Vec2& from, const Vec2& to,
                     double threshold, std::vector<NearCorner>& out);

struct Meeting {
  std::vector<BoundaryCrossing> crossings;
  std::vector<NearCorner> near;
};

/// All places where the boundaries cross or come as near as `threshold`. `out` keeps its room.
/// Cost: O(log n + k) for k pairs of edges whose boxes are so near.
void find_meeting(const MovedPair& pair, double threshold, Meeting& out);

/// Whether the interiors meet where the boundaries neither cross nor come near to each other: then
/// one body lies in the other; exact. None where a point lies on the other's boundary. Cost: O(log
/// n) for short segments.
std::optional<bool> one_inside(const MovedPair& pair);

}  // namespace tactus::detail
