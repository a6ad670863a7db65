#pragma once

#include <cstddef>

#include "tactus/fit/box/hull_widths.hpp"

namespace tactus::detail::fit {

struct BoxSearch {
  Turn best;
  double lower = 0.0;     ///< no box about the body has less volume
  std::size_t cells = 0;  ///< sets of rotations looked at
};

/// Branch and bound over all rotations, from `start`, until the volume found is proved to be at
/// most 1.000001 times the least one, or 1.0009 times where that takes too long (`lower` says how
/// far it came). The bound of a cell of rotations holds for every body and counts rounding. The
/// same bits for any number of threads. Lengths are those of the hull's own frame. Cost: 0.01 to 1
/// s, more the rounder the body, hardly more with more corners. Source: ours;
/// docs/algorithms/oriented-boxes.md.
BoxSearch search_rotations(const HullWidths& hull, const Turn& start);

}  // namespace tactus::detail::fit
