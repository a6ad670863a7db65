#pragma once

#include "tactus/narrow/difference/critical.hpp"

namespace tactus::detail {

/// Second-order finish of a search for a minimum of f on the direction sphere, the same for
/// separated (f < 0), touching and overlapping (f > 0) cores.
///
/// Near the optimum, f is the largest of a few smooth pieces f_i(n) = n.s_i(n) (pairs of vertices,
/// rims, smooth surfaces). Solved by Newton's method is the stationarity  sum w_i s_i(n) = f(n) n,
/// n.s_i(n) equal for all i,  |n| = 1,  sum w_i = 1: for polytopes this reproduces the exact face
/// normal, edge pair or vertex direction, for smooth cores it converges quadratically. `simplex`
/// holds the active points (up to three are used) and weights. The best direction seen is returned,
/// the start included, so that the result is never worse than the input. Pieces that come out on
/// top join, pieces whose weight turns negative leave; at most twenty steps, as a rule three to
/// five. Source: design: one decision path; nocedal2006 (SQP with an active set, chapter 18).
Critical polish(const Cso& cso, const Simplex& simplex, const Vec3& n);

/// Takes `simplex` for the witnesses if its weighted sum comes nearer to value * n than the present
/// one. True when it does.
bool take_nearer(const Simplex& simplex, Critical& critical);

/// Witnesses that agree with a direction. The foot of the origin on the supporting plane lies
/// somewhere in the facet of A - B there, not always in the triangle that gave the normal: the
/// pieces of `candidates`, seen along n, that are level with the plane are its corners, and the
/// triangle of them that comes nearest to value * n holds the witnesses. Nothing is done while the
/// present ones are right to a few roundings.
void choose_witness(const Cso& cso, const SupportPoint* candidates, int count, Critical& critical);

/// The point of A - B that the pieces of `p` support in direction n: `p` itself where they do not
/// move.
SupportPoint at_direction(const Cso& cso, const SupportPoint& p, const Vec3& n);

}  // namespace tactus::detail
