#include <algorithm>
#include <array>
#include <cmath>

#include "tactus/fit.hpp"
#include "tactus/fit/box/box_search.hpp"
#include "tactus/fit/box/calipers.hpp"
#include "tactus/mesh/hull/hull_lists.hpp"

namespace tactus::fit {
using namespace detail;
using namespace detail::fit;
namespace {

// Thinner bodies are flat: their volume is that of roundings.
constexpr double kThin = 1e-9;

// Normal of the hull's largest face; a flat hull has only one.
Vec3 flattest_normal(const ConvexHull& hull, const HullWidths& widths) {
  Vec3 normal{0.0, 0.0, 1.0};
  double largest = -1.0;
  for (const ConvexHull::Face& face : hull.faces) {
    const auto corners = hull.corners(face);
    double area = 0.0;
    for (std::size_t i = 2; i < corners.size(); ++i) {
      const Vec3& a = widths.vertices()[corners[0]];
      area += norm(cross(widths.vertices()[corners[i - 1]] - a, widths.vertices()[corners[i]] - a));
    }
    if (area > largest) {
      largest = area;
      normal = face.normal;
    }
  }
  return normal;
}

OrientedBox smaller(const OrientedBox& x, const OrientedBox& y) {
  return y.volume() < x.volume() ? y : x;
}

MinimumBox flat_box(std::span<const Vec3> points, const ConvexHull& hull,
                    const HullWidths& widths) {
  if (hull.dimension < 2) return {box_of_hull_surface(points, hull), 0.0};
  const Mat3 axes = flush_rectangle(hull, widths, flattest_normal(hull, widths));
  MinimumBox result{box_along(points, axes), 0.0};
  result.box.method = BoxMethod::calipers;
  return result;
}

}  // namespace

MinimumBox minimum_box(std::span<const Vec3> points, const ConvexHull& hull) {
  require_lists(hull);
  const HullWidths widths(hull);
  if (hull.dimension < 3) return flat_box(points, hull, widths);
  OrientedBox box = smaller(smaller(box_of_points(points), box_of_hull_vertices(points, hull)),
                            box_of_hull_surface(points, hull));
  if (box.half.z <= kThin * box.half.x) return flat_box(points, hull, widths);

  const BoxSearch search = search_rotations(widths, widths.turn(box.axes));
  OrientedBox found;
  double lower = search.lower;
  if (hull.vertices.size() <= kMostCalipersVertices) {
    const FlushSearch flush = search_flush(hull, widths, search.best);
    found = box_along(points, flush.best.axes);
    found.method = BoxMethod::calipers;
    lower = std::fmax(lower, flush.lower);
  } else {
    found = box_along(points, search.best.axes);
    found.method = BoxMethod::search;
  }
  // The others win by rounding alone.
  if (found.volume() <= box.volume()) box = found;
  return {box, std::fmin(std::ldexp(lower, 3 * widths.frame().exponent), box.volume())};
}

MinimumBox minimum_box(std::span<const Vec3> points) {
  return minimum_box(points, convex_hull(points));
}

}  // namespace tactus::fit
