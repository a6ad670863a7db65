#pragma once

#include "tactus/fit/box/hull_widths.hpp"

namespace tactus::detail::fit {

struct FlushSearch {
  Turn best;
  double lower = 0.0;  ///< no box about the body has less volume, up to rounding
};

/// The turn of least volume among those with two adjacent faces on edges of the hull, and `start`.
/// A box of least volume is always among them, and they are searched to 1e-12 of it, or to what
/// rounding leaves for thin bodies. `hull` must have dimension 3; `widths` are its own. The same
/// bits for any number of threads. Cost: some 10 ns per pair of edges, and 0.3 us per pair that a
/// box can lie on, for n corners some n^1.5 of them. Source: orourke1985boxes (which boxes; the
/// search is ours).
FlushSearch search_flush(const ConvexHull& hull, const HullWidths& widths, const Turn& start);

/// Along `normal` and in the plane across it the rectangle of least area, with a side on the hull's
/// outline. Cost: some 0.2 us per edge of the hull. Source: freeman1975rectangle.
Mat3 flush_rectangle(const ConvexHull& hull, const HullWidths& widths, const Vec3& normal);

}  // namespace tactus::detail::fit
