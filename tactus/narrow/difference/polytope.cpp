#include "tactus/narrow/difference/polytope.hpp"

#include <array>

namespace tactus::detail {
namespace {

// Unit bodies, made at their first use.
const ConvexHull& unit_point() {
  static const ConvexHull kHull = convex_hull(std::array<Vec3, 1>{});
  return kHull;
}
const ConvexHull& unit_segment() {
  static const ConvexHull kHull =
      convex_hull(std::array<Vec3, 2>{{{0.0, 0.0, 1.0}, {0.0, 0.0, -1.0}}});
  return kHull;
}
const ConvexHull& unit_box() {
  static const ConvexHull kHull = [] {
    std::array<Vec3, 8> corner;
    for (std::size_t i = 0; i < corner.size(); ++i) {
      corner[i] = {(i & 1u) != 0 ? -1.0 : 1.0, (i & 2u) != 0 ? -1.0 : 1.0,
                   (i & 4u) != 0 ? -1.0 : 1.0};
    }
    return convex_hull(corner);
  }();
  return kHull;
}

}  // namespace

Polytope::Polytope(const Core& core) : hull_(core.hull) {
  if (core.kind == CoreKind::polytope) return;
  scale_ = core.half;
  hull_ = core.kind == CoreKind::box       ? &unit_box()
          : core.kind == CoreKind::segment ? &unit_segment()
                                           : &unit_point();
}

}  // namespace tactus::detail
