#pragma once

#include <vector>

#include "tactus/planar/depth/deep_inside.hpp"

namespace tactus::detail {

/// Proves that the interiors of two regions meet wherever in a neighbourhood one of them is moved
/// to: a corner or an inner point of one lies deeper in the other than any of these ways moves it,
/// edges cross by more, or some point of the plane is that deep in both. Points that have covered
/// are asked first, the last one before all; then crossings of edges, then what lies in the box of
/// the other, of small regions all points before the edges. The verdict does not depend on that
/// order.
class Covered {
 public:
  /// `scale`: the largest coordinate of either region, and of the way between them.
  Covered(const Boundary& a, const Boundary& b, double scale);

  /// B moved by any vector within `error` of `total`. Cost: O(log n) where a point that covered
  /// lately does so again or edges cross, else O(n log n).
  bool operator()(const Vec2& total, double error);
  /// Points that have been asked so far.
  std::size_t work() const { return work_; }

 private:
  /// A corner, or a point inside, of one body.
  struct Inner {
    Vec2 point;
    bool of_a;
  };

  bool covers(const Inner& p, const Vec2& total, double margin);
  bool first_cover(std::size_t first, const Vec2& total, double margin);
  bool corners_cover(const Vec2& total, double margin);
  bool middles_cover(const Vec2& total, double margin);
  void remember(const Inner& p);
  void add_all_middles(std::vector<Inner>& to);
  void add_middles(const Boundary& boundary, const DeepInside& inside, bool of_a,
                   std::vector<Inner>& to) const;
  double way_through(const Boundary& boundary, std::size_t edge, const Vec2& middle,
                     const Vec2& inwards) const;
  bool edges_cross(const Vec2& total, double margin) const;
  bool common_probe(const Vec2& total, double margin) const;

  const Boundary& a_;
  const Boundary& b_;
  DeepInside inside_a_, inside_b_;
  double scale_;
  /// In the order in which they are asked: all corners and middles of small regions, else a few.
  std::vector<Inner> asked_first_;
  std::vector<Inner> middles_;  ///< of larger ones
  bool is_small_ = false, has_middles_ = false;
  std::size_t work_ = 0;
};

}  // namespace tactus::detail
