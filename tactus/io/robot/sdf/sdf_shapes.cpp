#ifdef TACTUS_WITH_SDFORMAT

#include "tactus/io/robot/sdf/sdf_shapes.hpp"

#include <algorithm>

namespace tactus::io {
namespace {

/// Extents, all at least 0.
Vec3 extents_of(const SdfElement& element) {
  const Vec3 v = element.vector();
  if (!(v.x >= 0.0 && v.y >= 0.0 && v.z >= 0.0)) element.fail("must be at least 0");
  if (v.x * v.y * v.z == 0.0) element.note("is flat");
  return v;
}

std::optional<Shape> mesh_of(const SdfElement& mesh, RobotShapes& shapes) {
  if (const SdfElement part = mesh.child("submesh"))
    part.fail("is not read: a mesh is taken as a whole");
  const SdfElement uri = mesh.required("uri");
  // libsdformat puts this in the place of a name that is missing.
  if (uri.text() == "__default__") mesh.fail("has no <uri>");
  Vec3 scale{1.0, 1.0, 1.0};
  if (const SdfElement given = mesh.child("scale")) scale = given.vector();
  const auto folder = mesh.included_folder();
  return folder ? shapes.mesh(uri, uri.text(), scale, *folder)
                : shapes.mesh(uri, uri.text(), scale);
}

}  // namespace

std::optional<Shape> sdf_shape(const SdfElement& geometry, RobotShapes& shapes, bool visual) {
  const std::vector<SdfElement> kinds = geometry.children();
  if (kinds.empty()) geometry.fail("holds no shape");
  if (kinds.size() > 1) kinds[1].fail("is a second shape of one geometry");
  const SdfElement& kind = kinds.front();
  if (kind.name() == "empty") return std::nullopt;
  if (kind.name() == "mesh") return mesh_of(kind, shapes);
  if (kind.name() == "box") {
    const Vec3 size = extents_of(kind.required("size"));
    return shape_of(kind, [&] { return Box(size); });
  }
  if (kind.name() == "ellipsoid") {
    const Vec3 radii = extents_of(kind.required("radii"));
    return shape_of(kind, [&] { return Ellipsoid(radii); });
  }
  if (kind.name() == "plane") {
    if (visual) {
      kind.note("is left out: a visible plane has an end, a half space has none");
      return std::nullopt;
    }
    const SdfElement normal = kind.required("normal");
    const Vec3 n = normal.vector();
    if (!(max_abs(n) > 0.0)) normal.fail("must not be zero");
    return shape_of(kind, [&] { return HalfSpace(n, 0.0); });
  }
  if (kind.name() != "sphere" && kind.name() != "cylinder" && kind.name() != "capsule")
    kind.fail("is no shape (box, sphere, cylinder, capsule, ellipsoid, plane, mesh)");
  const double radius = kind.not_negative("radius");
  if (kind.name() == "sphere") return shape_of(kind, [&] { return Sphere(radius); });
  const double length = kind.not_negative("length");
  if (kind.name() == "cylinder") return shape_of(kind, [&] { return Cylinder(radius, length); });
  return shape_of(kind, [&] { return Capsule(radius, length); });
}

}  // namespace tactus::io

#endif
