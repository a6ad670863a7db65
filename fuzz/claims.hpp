#pragma once

#include <string>

#include "tactus/io/json/query_line.hpp"

namespace tactus::detail::fuzz {

/// Result of the examination of one query.
struct Examination {
  DistanceResult answer;  ///< of a cast or impact, its status and iterations only
  std::string failure;    ///< the first claim that does not hold, in fixed words; empty when all do
  std::string detail;     ///< the numbers of that failure
  bool unanswered = false;  ///< an unbounded bracket, where that is allowed
  bool unproved = false;    ///< the checker could not prove all of an answer, where that is allowed
};

/// Asks one query in every way that the library offers and tests all that it claims, without
/// knowing the right answer:
/// - the checker accepts every result with its certificate; numbers are finite, normals unit,
///   brackets in order and, where converged, as narrow as asked; caps are kept
/// - the brackets of the answers forth and back, with and without certificate, from an empty, its
///   own and a misleading cache, of overlap and of contacts all hold the same truth
/// - a small cap of the work widens brackets and makes none false; two meshes answer the same bits
///   in either order; an open one has no sign
/// - contacts exist exactly within the threshold, lie on their shapes, and none is deeper than the
///   pair
/// - an unbounded bracket only for pairs and methods without an answer, or where lengths leave the
///   range in which their squares are numbers
/// - of casts and impacts: what `examine_motion` tests
/// Never throws. Cost: some nine queries and eight runs of the checker.
Examination examine(const io::Query& query);

}  // namespace tactus::detail::fuzz
