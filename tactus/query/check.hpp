#pragma once

#include <string>

#include "tactus/query/result.hpp"
#include "tactus/shape/shape.hpp"

namespace tactus {

/// What an independent re-computation found; lengths are absolute.
struct CheckReport {
  bool ok = false;  ///< every claim below holds within rounding
  bool upper_only =
      false;  ///< the lower bound of a depth came without a certificate, and was not judged
  double direction_residual = 0.0;  ///< |f(n) + distance|
  double witness_residual = 0.0;    ///< |point_b - point_a - distance * normal|
  double membership_a = 0.0,
         membership_b = 0.0;  ///< how far the witnesses lie outside their shapes
  std::string failure;        ///< first claim that failed, empty when ok
};

/// Re-proves a result from the shapes alone, without the search: f(n) at the result's normal, the
/// witnesses' membership and consistency, and the lower bound of a depth from `certificate`.
CheckReport check(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                  const DistanceResult& result, const Certificate* certificate = nullptr);

}  // namespace tactus
