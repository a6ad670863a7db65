#pragma once

#include "tactus/planar/region/edges.hpp"

namespace tactus::detail {

/// The nearest place to which a disc that meets edges can be moved so that its interior is clear.
struct FreeCentre {
  double lower = 0.0, upper = 0.0;  ///< bracket of the way's length
  Vec2 place;                       ///< the disc's centre there: proved to be clear
};

/// Signed distance of a point: negative inside a region. `limit`: beyond it only that it is beyond
/// is told, by an infinite distance.
double clearance(const Edges& edges, const Vec2& p, double limit = kInfinity);

/// Nearest clear place for a disc of `radius` about `centre`, in the frame of the edges. Best first
/// over the edges moved aside by the radius, the circles about corners, and the crossings of both.
/// Cost: O(n log n + k^2) for the k of them nearer than the answer.
FreeCentre free_centre(const Edges& edges, const Vec2& centre, double radius);

}  // namespace tactus::detail
