#pragma once

#include "tactus/classic/bounded_answer.hpp"

namespace tactus::detail {

struct ChungWangOptions {
  Vec3 start;  ///< first direction, unit, A's frame: the separating vector of the query before
  int reflections = 1;  ///< in a row, before a step to the middle of the hemisphere; the papers
                        ///< make such a step only when a point comes again
  int max_iterations = 128;
  Observer* observer = nullptr;
};

enum class ChungWangOutcome : std::uint8_t {
  separated,    ///< a direction with f(n) < 0 beyond rounding was found
  overlapping,  ///< a tetrahedron of support points encloses a ball about the origin
  undecided     ///< touching within rounding, or the cap was reached first
};

struct ChungWangResult {
  ChungWangOutcome outcome = ChungWangOutcome::undecided;
  Bounds bounds;                 ///< of the whole bodies; bounds.n is worth keeping as a start
  int reflections = 0;           ///< steps by reflection
  int changes_of_direction = 0;  ///< steps to the middle of the hemisphere instead
};

/// Chung and Wang's search for a separating vector: where support points p, q of both bodies do not
/// show s to be separating, s is reflected in the plane perpendicular to p - q; the points seen so
/// far prove an overlap when no hemisphere holds them all.
///
/// A decision, not a distance: the bracket is that of the directions and points met. Ours: the
/// hemisphere test works on exact orientations instead of a projection, so that it names the
/// tetrahedron around the origin, and only that or f(s) < 0 decides. A point that comes again is no
/// proof; it makes the search go on in the middle of the hemisphere (docs/algorithms/chung-wang.md
/// has the counter-examples). Cost: 1..10 support evaluations as a rule, more next to touching; the
/// k-th one costs O(k). Source: chung1996separating; huotari2011, section 5.4;
/// vandenbergen2003collision (the convergence proof fails).
ChungWangResult chung_wang(const Cso& cso, const ChungWangOptions& options);

/// The bracket that `chung_wang` proves.
ConvexAnswer answer_by_chung_wang(const Cso& cso, const ConvexOptions& options);

}  // namespace tactus::detail
