#pragma once

#include <cmath>

#include "tactus/ccd.hpp"
#include "tactus/ccd/end_corners.hpp"

namespace tactus::detail {

/// First contact of a pair, by intervals of time from the first one on, halved where they cannot be
/// excluded. An interval is excluded when the volume of the pair (`Volume`) keeps its sign on it,
/// or when one fixed direction separates the pair at both of its ends, and so between them: all
/// points move along straight lines. The volume's Bernstein form also cuts off what lies before and
/// behind its roots. What is left at an interval on which nothing moves by more than rounding is a
/// hit. What doubles leave as a mere possibility is looked at again with twice their
/// digits, from there on. `options.method` does not count. `Motion`: MovingVertexFace or
/// MovingEdges. First the end positions alone are asked (`EndCorners`).
template <class Motion>
CcdResult first_contact(const Motion& motion, const CcdOptions& options);
/// As `first_contact`, for a pair whose end positions alone do not exclude a contact.
template <class Motion>
CcdResult search_contact(const Motion& motion, const CcdOptions& options);

template <class Motion>
CcdResult first_contact(const Motion& motion, const CcdOptions& options) {
  const bool asks = options.min_separation >= 0.0 && !std::isnan(options.until);
  if (asks && EndCorners(motion).are_apart(options.min_separation)) return {};
  return search_contact(motion, options);
}

}  // namespace tactus::detail
