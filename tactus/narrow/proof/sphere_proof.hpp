#pragma once

#include "tactus/narrow/difference/kink_model.hpp"
#include "tactus/observer.hpp"

namespace tactus::detail {

/// A depth from which f grows by less, relative to itself, is left to other proofs: that it is the
/// least could be claimed, but hardly be checked.
inline constexpr double kNearTie = 1e-4;

enum class SphereProof : std::uint8_t {
  proved,  ///< f >= f(n) in every direction
  lower,   ///< a direction with a smaller f was met
  open     ///< it takes too many triangles
};

/// Proves that a critical direction `frame.n` with f = `value` > 0 is the least one.
///
/// The growth proves a cap about n and, by sectors of tangent directions, as much of the half about
/// n as it is enough for; a ball inside A - B holds most of the other half. The rest is cut into
/// triangles with support points at their corners n_j. A triangle is done when the growth holds it,
/// or when a mixture q of the three support points has q.n_j >= value for all of them: every m in
/// the triangle is a positive mixture of the n_j of total weight at least one. Otherwise it is
/// halved across the edge along which the support points turn most; small triangles may be held by
/// a bound of second order instead.
/// `evaluations` counts support points; `lower`: the direction, where one was met; `observer` is
/// told of the cap. Cost: some 800 instructions, and 500 a triangle, at most 300. Source:
/// docs/algorithms/proof-of-depth.md.
SphereProof prove_on_sphere(const Cso& cso, const TangentFrame& frame, const Growth& growth,
                            double value, int max_evaluations, int& evaluations, Vec3& lower,
                            Observer* observer = nullptr);

}  // namespace tactus::detail
