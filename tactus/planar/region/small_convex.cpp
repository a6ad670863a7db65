#include "tactus/planar/region/small_convex.hpp"

#include <algorithm>

#include "tactus/planar/region/edges.hpp"

namespace tactus::detail {
namespace {

void note_normals(Corners& ring) {
  ring.shortest = kInfinity;
  for (std::size_t i = 0; i < kSmallConvex; ++i) {
    const std::size_t k = std::min(i, ring.size - 1);
    const Vec2 s = ring.outwards(k);
    const double length = norm(s);
    const Vec2 n = s / length;
    ring.shortest = std::min(ring.shortest, length);
    ring.normal_x[i] = n.x;
    ring.normal_y[i] = n.y;
    ring.height[i] = dot(n, ring.at(k));
  }
}

}  // namespace

void note_small_convex(Boundary& boundary) {
  const std::size_t n = boundary.size();
  if (boundary.rings.size() != 1 || n > kSmallConvex) return;
  for (std::size_t i = 0; i < n; ++i) {
    const Vec2& p = boundary.points[i];
    if (orientation(boundary.points[boundary.previous[i]], p, boundary.end(i)) <= 0) return;
  }
  boundary.small_convex = true;
  const Box2& box = boundary.tree.box();
  boundary.corners.size = n;
  boundary.corners.middle = (box.low + box.high) * 0.5;
  boundary.corners.extent = largest(box);
  for (std::size_t i = 0; i < kSmallConvex; ++i) {
    const Vec2& p = boundary.points[std::min(i, n - 1)];
    boundary.corners.x[i] = p.x;
    boundary.corners.y[i] = p.y;
  }
  note_normals(boundary.corners);
}

}  // namespace tactus::detail
