#pragma once

#include "tactus/check/rounding.hpp"
#include "tactus/query.hpp"
#include "tactus/shape/parts.hpp"

namespace tactus::detail {

/// A lower bound of the signed distance of two parts during [0, time], as far as `apart` proves
/// one: minus infinity when it proves nothing.
///
/// The steps are walked through: each range of pieces must be apart along its direction. One
/// direction for all proves -f(n), whatever its sign. Where the pieces are cut, or B is shifted,
/// all pieces must be apart by more than the rounding of the evaluation, and no component of one
/// body may lie inside the other, a closed mesh. Then the distance is at least the least gap less
/// the length of the shift. Of a motion the same holds at all times, with what lies inside at its
/// beginning. `roundings`: of the evaluation, taken off each gap. Cost: a pass over the pieces of
/// each step.
double proved_separation(const Pair& pair, const Part& a, const Part& b,
                         const Certificate::Apart& apart, double time, double roundings = 0.0);

}  // namespace tactus::detail
