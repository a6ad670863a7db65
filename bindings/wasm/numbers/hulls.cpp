// Convex hulls of points.
#include "bindings/wasm/numbers/hulls.hpp"

#include "bindings/wasm/numbers/number_reader.hpp"
#include "bindings/wasm/registry.hpp"

namespace tactus::wasm {

std::vector<std::uint32_t> triangles_of(const ConvexHull& hull) {
  std::vector<std::uint32_t> out;
  for (const ConvexHull::Face& face : hull.faces) {
    const std::span<const std::uint32_t> corners = hull.corners(face);
    for (std::size_t i = 2; i < corners.size(); ++i) {
      out.insert(out.end(), {corners[0], corners[i - 1], corners[i]});
    }
  }
  return out;
}

namespace {

std::vector<std::uint32_t>& last_triangles() {
  static std::vector<std::uint32_t> corners;
  return corners;
}

}  // namespace
}  // namespace tactus::wasm

using namespace tactus;
using namespace tactus::wasm;

// The hull of plain points: how many triangles its faces make, or -1. Its vertices lie at
// tactus_numbers(), three numbers each.
TACTUS_EXPORT int tactus_hull(const double* xyz, int count) {
  return guarded(-1, [&] {
    NumberReader numbers(xyz);
    std::vector<Vec3> points(static_cast<std::size_t>(count));
    for (Vec3& p : points) p = numbers.vector();
    const ConvexHull hull = convex_hull(points);
    last_numbers().clear();
    for (const Vec3& v : hull.vertices)
      last_numbers().insert(last_numbers().end(), {v.x, v.y, v.z});
    last_triangles() = triangles_of(hull);
    return static_cast<int>(last_triangles().size()) / 3;
  });
}

TACTUS_EXPORT const std::uint32_t* tactus_hull_triangles() { return last_triangles().data(); }
