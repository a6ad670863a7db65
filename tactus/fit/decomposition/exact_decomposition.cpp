#include "tactus/fit/decomposition/exact_decomposition.hpp"

#include <cmath>
#include <utility>

#include "tactus/fit/decomposition/mesh_split.hpp"
#include "tactus/fit/plain/plain_body.hpp"
#include "tactus/fit/plain/plain_cuts.hpp"
#include "tactus/mesh/surface/clean_mesh.hpp"
#include "tactus/mesh/surface/topology.hpp"

namespace tactus::detail::fit {
namespace {

using GoOn = std::function<bool()>;

// Thickness, of the unit, of the plates that stand for sheets while these are cut.
constexpr double kPlate = 0.25;

void append(TriangleMesh& to, const TriangleMesh& from) {
  const auto first = static_cast<std::uint32_t>(to.vertices.size());
  to.vertices.insert(to.vertices.end(), from.vertices.begin(), from.vertices.end());
  for (const auto& [a, b, c] : from.triangles)
    to.triangles.push_back({first + a, first + b, first + c});
}

// The lower sides of a plate's parts; the upper ones are a copy.
bool add_sheet(PlainBody plate, const TriangleMesh& mesh, const Plane& plane, double unit,
               const GoOn& go_on, std::vector<ConvexHull>& out) {
  const auto parts = exact_parts(std::move(plate), mesh, go_on);
  if (!parts) return false;
  for (const ConvexHull& part : *parts) {
    std::vector<Vec3> points;
    for (const Vec3& v : part.vertices) {
      if (std::fabs(dot(plane.normal, v) - plane.offset) < 0.5 * kPlate * unit) points.push_back(v);
    }
    if (points.size() > 2) out.push_back(convex_hull(points));
  }
  return true;
}

bool add_sheets(const TriangleMesh& mesh, double unit, const GoOn& go_on,
                std::vector<ConvexHull>& out) {
  auto plates = plain_sheets(mesh, unit, kPlate * unit, go_on);
  if (!plates) return false;
  for (Plate& plate : *plates) {
    if (!add_sheet(std::move(plate.body), mesh, plate.plane, unit, go_on, out)) return false;
  }
  return true;
}

// False when the mesh is not plain; `out` stays as it is when it bounds no volume.
bool add_solid(const TriangleMesh& mesh, double unit, const IsInside& inside, const GoOn& go_on,
               std::vector<ConvexHull>& out) {
  auto plain = plain_solid(mesh, unit, inside, go_on);
  if (!plain) return false;
  if (plain->body.cells.empty()) return true;
  auto parts = exact_parts(std::move(*plain), mesh, go_on);
  if (!parts) return false;
  out.insert(out.end(), std::make_move_iterator(parts->begin()),
             std::make_move_iterator(parts->end()));
  return true;
}

}  // namespace

std::optional<std::vector<ConvexHull>> exact_decomposition(const Solid& solid, const GoOn& go_on) {
  std::vector<ConvexHull> parts;
  const double unit = solid.unit();
  if (solid.closed()) {
    const auto inside = [&](const Vec3& p) { return solid.inside(p); };
    if (!add_solid(solid.mesh(), unit, inside, go_on, parts)) return std::nullopt;
    if (!parts.empty()) return parts;
    if (!add_sheets(solid.mesh(), unit, go_on, parts)) return std::nullopt;
    return parts;
  }
  TriangleMesh closed, open;
  for (TriangleMesh& component : connected_parts(solid.mesh())) {
    orient_mesh(component);
    append(make_topology(component).has_winding() ? closed : open, component);
  }
  if (!closed.triangles.empty()) {
    const Solid bodies(closed);
    const auto inside = [&](const Vec3& p) { return bodies.inside(p); };
    if (!add_solid(closed, unit, inside, go_on, parts)) return std::nullopt;
    if (parts.empty() && !add_sheets(closed, unit, go_on, parts)) return std::nullopt;
  }
  if (!open.triangles.empty() && !add_sheets(open, unit, go_on, parts)) return std::nullopt;
  return parts;
}

}  // namespace tactus::detail::fit
