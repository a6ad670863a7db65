#pragma once

#include "tests/oracle/body.hpp"

namespace tactus::detail::oracle {

/// How much work the reference may do.
struct Effort {
  int evaluations = 600000;  ///< of f(n) on the sphere of directions, per pair of convex bodies
  int levels = 66;           ///< of subdivision: the angle then is below the last bit
};

/// The truth about a pair: lower <= signed distance <= upper is proved, rounding included.
struct Reference {
  Real distance = 0;  ///< the end of the bracket that was reached by a direction
  Real lower = 0, upper = 0;
  Point normal;  ///< unit, from A to B
  int evaluations = 0;
};

/// Signed distance in extended precision, from the numbers of the input alone; shares no code with
/// the library's searches.
///
/// With f(n) = max of n.x over A - B, minus the signed distance is the least f over the unit
/// sphere, for bodies apart and for overlapping ones alike. Two independent proofs, of which the
/// tighter one counts on either side:
/// - branch and bound over spherical triangles. For n in a triangle with corners n_j, and s any
/// point of A - B,
///   f(n) >= n.s, and n = sum(l_j n_j) / |sum(l_j n_j)| with l_j >= 0, sum 1; so n.s is at least m
///   = min over j of n_j.s when m >= 0, and at least m / c when m < 0, where c^2 = 1 - e^2 / 3
///   bounds |sum(l_j n_j)|^2 from below (e: longest edge). The corners' own support points serve as
///   s.
/// - for bodies apart: the least distance of convex combinations of support points from the origin
/// (upper bound) against
///   -f at the direction found (lower bound).
/// Bodies are treated as core + radius: the radii shift the cores' answer exactly. A compound gives
/// the least over its pairs of parts.
Reference reference(const Pair& pair, const Effort& effort = {});

}  // namespace tactus::detail::oracle
