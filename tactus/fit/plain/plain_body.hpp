#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "tactus/fit/plain/convex_cell.hpp"
#include "tactus/mesh.hpp"

namespace tactus::detail::fit {

/// A straight edge at which the body fills more than half a turn: no convex part holds it inside.
struct Notch {
  Vec3 tail, head;
  std::vector<std::size_t> planes;  ///< of the walls that meet there
};

/// A body bounded by few planes, as convex cells that fill it exactly, and its notches.
struct PlainBody {
  PlaneTable planes{0.0};
  CellBody body;
  std::vector<Notch> notches;
};

/// Whether a point is in the body that is taken apart.
using IsInside = std::function<bool(const Vec3&)>;

/// The body that a closed surface bounds, cut into cells by the planes of its own triangles (binary
/// space partition). None when the surface has more than some hundred planes, or needs thousands of
/// cells; empty cells when it bounds no volume. `unit` is the length of which the tolerance is some
/// 1e-6; `go_on` may end it. Cost: milliseconds to a second.
/// Source: fuchs1980bsp.
std::optional<PlainBody> plain_solid(const TriangleMesh& mesh, double unit, const IsInside& inside,
                                     const std::function<bool()>& go_on);

/// A sheet in a plane, as a plate that begins at the plane.
struct Plate {
  Plane plane;
  PlainBody body;
};

/// Each plane of a surface that bounds nothing, as a plate above the plane, `thickness` thick. The
/// limits are those of `plain_solid`.
std::optional<std::vector<Plate>> plain_sheets(const TriangleMesh& mesh, double unit,
                                               double thickness,
                                               const std::function<bool()>& go_on);

/// Fills in `notches`: every edge of the cells is looked at in all directions around it.
void find_notches(PlainBody& plain, double unit, const IsInside& inside);

}  // namespace tactus::detail::fit
