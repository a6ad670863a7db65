#pragma once

#include <limits>

namespace tactus::detail {

/// Error bound of the checker's own evaluations of supports, heights and memberships, in units of
/// 2^-53 times (size + offset): a rotation of a unit vector and a product take 8, the rotation of a
/// part in its compound as many again.
inline constexpr double kEvaluation = 16.0;
/// A claim is proved when its inequality holds up to as many: together with the evaluation's error
/// nothing is proved that is false by more than 48, and 64 are stated (docs/guide/proofs.md).
inline constexpr double kAllowed = 32.0;

}  // namespace tactus::detail
