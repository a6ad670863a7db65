#pragma once

#include "tactus/narrow/proof/cap.hpp"

namespace tactus::detail {

/// Level, caps and remaining budget of the proofs of a surface's triangles.
struct FaceProof {
  double level = 0.0;         ///< f is to stay above it
  const Cap* caps = nullptr;  ///< parts of the sphere that are proved already
  int cap_count = 0;
  int budget = 0;  ///< pieces of the sphere that may yet be looked at, in all triangles together
  /// The least bound of the caps that were relied upon.
  double lower = std::numeric_limits<double>::infinity();
};

/// Proves f >= min(level, bounds of the caps) for all directions that meet the triangle `corner`
/// (three points of A - B, the origin inside), from the formulas of f instead of support points.
///
/// The spherical triangle is halved until every piece of it lies in a cap, is held above the level
/// by one of the three points, or obeys a bound of second order about its centre c: for m = c + x,
/// x tangential, from the curvature H_i that each norm |M_i m| of f has at c,
///   f(m) - level |m|  >=  f(c) - level + p.x + (sum s_i x.H_i x - (level + shrink) |x|^2) / 2
/// with s_i = 2 |M c| / max (|M m| + M c.M m / |M c|), the maximum over the corners of the piece
/// (the bracket is convex). The least value of a quadratic function on a triangle is known in
/// closed form.
///
/// False when the claim is wrong at a centre, or when it takes too many pieces: by the budget, or
/// by what one triangle may use, after which half of the budget is gone too. Cost: some 400
/// operations a piece, at most 128 pieces. Source: docs/algorithms/proof-of-depth.md.
bool prove_face(const Cso& cso, const Vec3* const corner[3], FaceProof& proof);

/// Does such a bound about its middle hold f >= level in the spherical triangle between three unit
/// directions?
bool holds_to_second_order(const Cso& cso, const Vec3 corner[3], double level);

}  // namespace tactus::detail
