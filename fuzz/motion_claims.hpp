#pragma once

#include "fuzz/claims.hpp"

namespace tactus::detail::fuzz {

/// Asks one cast or impact in every way that the library offers and tests all that it claims:
/// - times are in order, the checker refutes nothing, and proves that there is no contact before
///   `time` where the search ended by itself
/// - the answers forth and back, with and without certificate, from an empty, its own and a
///   misleading cache, and with a small cap agree on one time of first contact, if there is any
/// - at times before `time` the distance shows no overlap; at none if nothing is hit; at
///   `time_upper` the bodies touch
/// Never throws. Cost: some six motions, as many runs of the checker, a dozen distances.
Examination examine_motion(const io::Query& query);

}  // namespace tactus::detail::fuzz
