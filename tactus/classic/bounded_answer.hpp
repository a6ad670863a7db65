#pragma once

#include "tactus/narrow/pair/convex_pair.hpp"

namespace tactus::detail {

/// Radius of a ball about the origin that lies inside a simplex of four points; minus infinity
/// unless exact predicates show that these form a tetrahedron around the origin. A lower bound of
/// the radius up to the rounding of a dot product, however thin the tetrahedron is.
double enclosed_radius(const Simplex& simplex);

/// Bounds of the signed distance of the whole bodies (cores grown by their radii) that a method has
/// proved.
struct Bounds {
  Vec3 n;  ///< unit; the direction of the least f(n) met
  double value = std::numeric_limits<double>::infinity();    ///< that f(n)
  double inside = -std::numeric_limits<double>::infinity();  ///< `enclosed_radius`
  Vec3 a, b;           ///< points of the bodies: as near to each other as known, or of the contact
  int iterations = 0;  ///< support evaluations
  bool capped = false;
};

/// The answer that rests on the bounds alone: -f(n) <= signed distance, and signed distance <= |a -
/// b|, or minus the radius of the enclosed ball. `converged` only when these and the witness points
/// agree within the tolerance asked for, or the question asked was less than that and is decided.
ConvexAnswer bounded_answer(const Cso& cso, const ConvexOptions& options, const Bounds& bounds);

}  // namespace tactus::detail
