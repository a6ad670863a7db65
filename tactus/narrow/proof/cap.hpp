#pragma once

#include "tactus/narrow/difference/critical.hpp"

namespace tactus::detail {

/// A round patch of the direction sphere about a critical direction on which f is proved to stay
/// above a bound.
struct Cap {
  Vec3 n;               ///< unit
  double cosine = 2.0;  ///< f(m) >= lower for every unit m with m . n >= cosine; above 1: nothing
  double lower = -std::numeric_limits<double>::infinity();
};

/// Proves that a critical direction is the least one around it, on a patch as wide as it can be
/// (at most kWidestCap).
///
/// With the active pieces f >= f_i, f_i(n) = c_i.n + sum |M n| - shrink, weights w_i that make the
/// gradient of sum w_i f_i point along n*, and t the unit tangent in which m lies at the angle
/// theta from n*, f(m) - f(n*) is at least
///   sin(theta) max_i p_i.t + (1 - mu) sum w_i R_i(m) - (f(n*) + shrink) (1 - cos(theta))
/// where p_i are the tangential parts of the support points, whose weighted sum is zero, and the
/// remainders of the convex functions |M n| obey exactly
///   R(m) = |M n* x M m|^2 / (|M n*| (|M n*||M m| + M n*.M m)) >= sin^2(theta)/2 t.H t |M n*|/|M m|
/// with their second derivative H at n*. Both are bounded by quadratic forms in t; the patch holds
/// where their least eigenvalue outweighs the last term. A disc seen along its axis adds
/// sin(theta) (radius - distance of the witness from the centre).
/// The remainder of a norm is Lagrange's identity. Source: docs/algorithms/proof-of-depth.md.
Cap prove_cap(const Cso& cso, const Critical& critical);

/// True when every direction that meets the triangle `corner` (counter-clockwise from outside, the
/// origin inside) and has corner[i] . m < level for all three corners lies in the cap. Then the
/// part of the sphere behind the triangle owes its bound to the cap.
bool covers(const Cap& cap, const Vec3* const corner[3], double level);

}  // namespace tactus::detail
