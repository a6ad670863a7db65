#pragma once

#include "tactus/narrow/difference/kink_model.hpp"
#include "tactus/narrow/proof/sphere_proof.hpp"
#include "tactus/narrow/search/sign_search.hpp"
#include "tactus/observer.hpp"

namespace tactus::detail {

/// A critical direction of f with its witnesses: a - b = value * n to a fraction of rounding.
struct SmoothCritical {
  Vec3 n;                                 ///< unit
  double value = 0.0;                     ///< f(n)
  Vec3 a, b;                              ///< points of the cores
  SphereProof proof = SphereProof::open;  ///< of value > 0: is it the depth?
  Vec3 lower;                             ///< a direction of smaller f, if one was met
  int iterations = 0;                     ///< support evaluations of A - B
};

/// Newton's search on the direction sphere for a minimum of f, from any direction and without a
/// simplex, for pairs of smooth cores. The model of each step (`KinkModel`) has
/// the kinks of f as they are, so that faces, edges and generators are found and left like active
/// constraints; a step that does not lead downhill is damped. A disc is tried as soon as the
/// direction comes near its axis.
///
/// Separated cores have no other minimum with f < 0: the answer proves itself. Of overlapping ones
/// `proof` says whether it is the depth: by a ball that touches from inside at the contact, or by
/// `prove_on_sphere`. Cores proved farther apart than `max_distance` are left as they are seen.
/// `max_iterations` is the most support evaluations. `observer` is told of every direction. False
/// when the steps have not converged; `out` is then without meaning but for the iterations. Cost:
/// 500 to 900 instructions a step. Source: nocedal2006, chapters 3 and 18;
/// docs/algorithms/decision-path.md.
bool search_critical(const Cso& cso, const Vec3& start, double max_distance, int max_iterations,
                     SmoothCritical& out, Observer* observer = nullptr);

/// The sign alone, by the same steps: f < 0 separates, and as soon as a witness lies inside the
/// other body, or half way between the two inside both, they overlap. B's frame in A's: `rotation`
/// and `translation`; `start` as for `search_sign`, `out` likewise. False when a few steps have not
/// decided.
bool search_smooth_sign(const Core& a, const Core& b, const Mat3& rotation, const Vec3& translation,
                        const Vec3& start, int max_iterations, SignAnswer& out);

}  // namespace tactus::detail
