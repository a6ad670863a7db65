#pragma once

#include <span>

#include "tactus/query.hpp"
#include "tactus/rigid/event/flight.hpp"
#include "tactus/rigid/event/pieces.hpp"

namespace tactus::detail {

/// Two bodies in flight, seen at one moment.
struct PairLook {
  bool arrived = false;  ///< the gap is `touching_gap` or less
  double gap = 0.0;      ///< lower bound of the distance; negative in overlap
  /// Proved: until then the gap stays positive, or, of bodies that were `leaving`, does not fall
  /// below what it is now.
  double next = 0.0;
};

/// Gap that counts as contact: some roundings of a place for bodies that are convex, more for
/// others, whose distance takes a search over many triangles.
double touching_gap(const Body& a, const Body& b);

/// Looks at the pair at `time`, which both flights have reached, and proves them apart for as long
/// as it can, at most until `end`. With `leaving`, bodies that touch are followed out of the
/// contact. `cache` belongs to the pair.
///
/// Conservative advancement: along a direction n in which two convex pieces are apart, every point
/// of both has a second derivative of at most c + R in time, where c = n . (g_b - g_a) comes from
/// gravity, exactly, and R from the turning. So the separation less (c + R) t^2 / 2 is concave, and
/// its values at two times bound it in between by a parabola: what flies without turning towards a
/// plane is answered in one step, everything else as by Newton's method. Of surfaces, the pairs of
/// triangles within a reach are followed in this way; those beyond it cannot touch before the
/// bodies have moved that far. Source: mirtich1996thesis (bounds of ballistic motion),
/// docs/algorithms/impulse-dynamics.md.
PairLook look(const Flight& a, std::span<const BodyPart> parts_a, const Flight& b,
              std::span<const BodyPart> parts_b, double time, double end, bool leaving,
              QueryCache& cache);

}  // namespace tactus::detail
