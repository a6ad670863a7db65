#pragma once

#include "tactus/narrow/formula/sat.hpp"

namespace tactus::detail {

/// Keeps the direction of the largest separation among those tried: f(n) over all vertices, so that
/// every one is a proof by itself.
class AxisSearch {
 public:
  /// The search is over once a separation exceeds `enough`, or `most` directions were evaluated.
  AxisSearch(const Cso& cso, double enough, int most) : cso_(cso), enough_(enough), most_(most) {}

  bool done() const { return best_.separation > enough_ || evaluations_ >= most_; }
  /// Have all directions been tried that count?
  bool complete() const { return evaluations_ < most_; }
  const BoxAxes& best() const { return best_; }
  int evaluations() const { return evaluations_; }

  /// `w`: any point of A - B. n.w <= f(n) shows without an evaluation that most axes gain nothing.
  void consider(const Vec3& n, const Vec3& w);

 private:
  const Cso& cso_;
  double enough_;
  int most_;
  BoxAxes best_;
  int evaluations_ = 0;
};

}  // namespace tactus::detail
