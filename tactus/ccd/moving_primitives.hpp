#pragma once

#include <array>

#include "tactus/ccd.hpp"
#include "tactus/core/constants.hpp"

namespace tactus::detail {

/// The vectors of two primitives at one moment. The pair is in contact where the origin is in the
/// hull of `corner`: of a vertex and a face the face's corners seen from the vertex, of two edges
/// the four differences of their ends (a parallelogram: 0 and 3, 1 and 2 are opposite).
struct PairVectors {
  Vec3 corner[4];
  Vec3 u, v;  ///< edges that span the plane: of the face, or one of each edge
};

/// Motion of a pair: both ends, and bounds of what they consist of.
struct MovingPrimitives {
  static MovingPrimitives of(const MovingVertexFace& motion);
  static MovingPrimitives of(const MovingEdges& motion);
  PairVectors t0, t1;
  int corners = 3;  ///< 3: vertex and face, 4: two edges
  double reach;     ///< largest coordinate of the corners, over both ends
  double reach_u = 0.0, reach_v = 0.0;

  bool is_finite() const;
  /// The vectors at time t, each off by at most kMovingPlaceError times its reach per coordinate.
  PairVectors at(double t) const;

 private:
  void place(const MovingVertexFace& motion);
  void place(const MovingEdges& motion);
  void complete(const MovingVertexFace& motion);
  void complete(const MovingEdges& motion);
  bool has_finite_corners() const;
  void span(const std::array<Vec3, 2>& at_0, const std::array<Vec3, 2>& at_1);
};

/// Differences of coordinates are off by one rounding of themselves, their combination
/// (1 - t) x0 + t x1 by another three.
inline constexpr double kMovingPlaceError = 5.0 * kUnit;
/// A product n . x of a given vector n: the error of x, three products and two sums.
inline constexpr double kAlongError = kMovingPlaceError + 4.0 * kUnit;
/// Each of the six terms of a determinant: three vectors, two products, three sums, the weighted
/// sum of the Bernstein form with its division (4).
inline constexpr double kVolumeError = 6.0 * (3.0 * kMovingPlaceError + 9.0 * kUnit) * 1.01;

/// The volume corner[0] . (u x v) while both ends move along straight lines: a cubic in Bernstein
/// form. It vanishes when the pair is coplanar.
struct Volume {
  double b[4];
  /// Largest length of u x v on the way, from above.
  double widest;
};
Volume volume_between(const PairVectors& s, const PairVectors& e);

/// The corners' point nearest to the origin, up to rounding, as weights of the face's corners or of
/// the second ends of both edges (and 0).
Vec3 nearest_weights(const PairVectors& p, int corners);
/// The point of these weights.
Vec3 point_of(const PairVectors& p, int corners, const Vec3& weights);

}  // namespace tactus::detail
