#pragma once

#include "tactus/planar.hpp"

namespace tactus::detail {

/// Positions farther apart than this count as not finite: squares of distances would overflow.
inline constexpr double kFarthestApart = 1e150;

/// Whether two things can be placed: both positions, and the way between them, are finite.
inline bool can_place(const Pose2& a, const Pose2& b) {
  const Vec2 way = b.position() - a.position();
  return is_finite(a.position()) && is_finite(b.position()) && std::fabs(way.x) <= kFarthestApart &&
         std::fabs(way.y) <= kFarthestApart;
}

/// A result to be filled in.
inline PlanarResult planar_answer() {
  PlanarResult r;
  r.status = Status::converged;
  r.distance = r.lower = r.upper = 0.0;
  return r;
}
/// The answer for poses that are not finite.
inline PlanarResult invalid_planar() {
  PlanarResult r;
  r.status = Status::invalid_input;
  return r;
}
inline PlanarOverlap planar_verdict(bool meet) {
  return {meet ? PlanarHit::yes : PlanarHit::no, Status::converged};
}
inline PlanarOverlap invalid_overlap() { return {PlanarHit::undecided, Status::invalid_input}; }

}  // namespace tactus::detail
