#pragma once

#include "tactus/fit/contour/outlines.hpp"

namespace tactus::detail::contour {

/// How well the place of a point is known.
enum class PointKind : std::uint8_t {
  crossing,  ///< where the grey values pass the threshold
  edge,      ///< from the coverage of a whole column or row: exact for a straight edge
  corner     ///< where the fitted sides meet
};

struct TracePoint {
  Vec2 at;
  std::size_t crack = 0;  ///< the crack of the outline that it stands for
  PointKind kind = PointKind::crossing;
};

/// The points of an outline, in the order of its cracks.
using Trace = std::vector<TracePoint>;

/// Points from coverage. Across an edge the coverage of a column (a row where the edge is steep)
/// sums to the mean height of the edge over the column's width: for a straight edge, whatever its
/// slope, the exact height in the middle. The column ends where pixels are wholly inside and wholly
/// outside. Where it does not, at corners and strokes of few pixels, the crossing stays.
/// Source: hirt1981vof (the heights of an interface from volume fractions).
Trace trace_coverage(const Picture& picture, const Outline& outline);

/// Points of an outline without grey pixels along it: the middles of the cracks, smoothed by
/// parabolas over neighbourhoods as long as the steps of the staircase, and never farther than half
/// a pixel from the cracks, so that all pixel centres stay on their side. Corners are kept: turns
/// between runs of several cracks, and those of the ends of strips.
Trace trace_staircase(const Picture& picture, const Outline& outline);

/// The corners of the cracks alone: the outline of the pixels. Where it meets itself or another
/// outline in a point, it cuts the corner, a 64th of a pixel from the point on both sides.
Trace trace_pixels(const Picture& picture, const Outline& outline);

/// True for an outline of less than twelve pixels in width and height: too small to tell a curve
/// from pixels.
bool is_small(const Outline& outline);

/// True when so few of the cracks lie beside grey pixels that there is no coverage to use.
bool is_binary(const Picture& picture, const std::vector<Outline>& outlines);
/// True when none of the outline's cracks lies beside a grey pixel.
bool is_sharp(const Picture& picture, const Outline& outline);

/// Replaces rounded corners by the points where the sides meet that are fitted beyond the rounding.
/// A corner is taken where it explains the coverage of the pixels around it better than the trace.
void refit_corners(const Picture& picture, const Outline& outline, Trace& trace);

}  // namespace tactus::detail::contour
