#pragma once

#include "tactus/narrow/formula/sat.hpp"
#include "tactus/observer.hpp"

namespace tactus::detail {

/// Keeps the direction of the largest separation among those tried: f(n) over all vertices, so that
/// every one is a proof by itself.
class AxisSearch {
 public:
  /// The search is over once a separation exceeds `enough`, or `most` directions were evaluated.
  /// `observer`, if any, is told of each under the name `stage`.
  AxisSearch(const Cso& cso, double enough, int most, const char* stage, Observer* observer)
      : cso_(cso), enough_(enough), most_(most), stage_(stage), observer_(observer) {}

  bool done() const { return best_.separation > enough_ || evaluations_ >= most_; }
  /// Have all directions been tried that count?
  bool complete() const { return evaluations_ < most_; }
  const BoxAxes& best() const { return best_; }
  int evaluations() const { return evaluations_; }

  /// A direction from elsewhere, such as the answer of the query before; none if zero.
  void consider_first(const Vec3& n) {
    if (!(n == Vec3{})) consider(n, cso_.support(n).w);
  }
  /// `w`: any point of A - B. n.w <= f(n) shows without an evaluation that most axes gain nothing.
  void consider(const Vec3& n, const Vec3& w);

 private:
  const Cso& cso_;
  double enough_;
  int most_;
  const char* stage_;
  Observer* observer_;
  BoxAxes best_;
  int evaluations_ = 0;
};

}  // namespace tactus::detail
