#pragma once

#include <cstdint>
#include <span>

#include "tactus/math.hpp"

namespace tactus::detail {

/// All x with n.x >= offset; n is unit.
struct Beyond {
  Vec3 n;
  double offset = 0.0;
};

/// The shortest vector within several half-spaces.
struct ShortestWithin {
  enum class Outcome : std::uint8_t {
    found,    ///< `x` is it, up to rounding
    none,     ///< proved: no vector as short as the limit lies within all of them
    unsolved  ///< neither; `bound` holds
  };
  Outcome outcome = Outcome::found;
  Vec3 x;
  /// No vector within all of them is shorter, by weights of the half-spaces that hold it.
  double bound = 0.0;
};

/// `clear`: the offsets are taken longer by it for `x`; `bound` is that of the offsets themselves.
/// `limit`: vectors longer than that are of no interest. Dual active set: planes that are violated
/// come in one at a time, at most three hold the point. Cost: some ten solutions of three planes.
ShortestWithin shortest_within(std::span<const Beyond> planes, double clear, double limit);

}  // namespace tactus::detail
