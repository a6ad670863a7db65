#pragma once

#include "tactus/narrow/kink_model.hpp"

namespace tactus {

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
/// A round cap about n is proved by the growth. The rest of the sphere is cut into triangles with
/// support points at their corners n_j. A triangle is done when it lies in the cap, when the
/// growth, which is monotonous in linear forms, holds it by its least values at the corners, or
/// when a mixture q of the three support points has q.n_j >= value for all of them: every m in the
/// triangle is a positive mixture of the n_j of total weight at least one. Otherwise it is halved
/// across the edge along which the support points turn most.
/// `evaluations` counts support points; `lower`: the direction, where one was met. Cost: some 500
/// instructions a triangle, at most 150. Source: docs/algorithms/proof-of-depth.md.
SphereProof prove_on_sphere(const Cso& cso, const TangentFrame& frame, const Growth& growth,
                            double value, int max_evaluations, int& evaluations, Vec3& lower);

}  // namespace tactus
