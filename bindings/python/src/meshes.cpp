#include "classes.hpp"

namespace tactus::python {
namespace {

// Python can write anything into the lists.
std::span<const std::uint32_t> corners_of(const ConvexHull& hull, const ConvexHull::Face& face) {
  if (std::uint64_t{face.first} + face.count > hull.face_vertices.size())
    throw InvalidInput("face", "is of another hull");
  return hull.corners(face);
}

std::vector<std::array<std::uint32_t, 3>> triangles_of(const ConvexHull& hull) {
  std::vector<std::array<std::uint32_t, 3>> fan;
  for (const ConvexHull::Face& face : hull.faces) {
    const auto corners = corners_of(hull, face);
    for (std::size_t k = 2; k < corners.size(); ++k)
      fan.push_back({corners[0], corners[k - 1], corners[k]});
  }
  return fan;
}

void add_hulls(py::module_& m) {
  method<ConvexHull>("corners", &corners_of, py::arg("face"),
                     "Vertices of a face, counter-clockwise seen from outside.");
  method<ConvexHull>(
      "neighbors_of",
      [](const ConvexHull& h, std::uint32_t vertex) {
        if (vertex >= h.vertices.size() || h.neighbor_first.size() != h.vertices.size() + 1)
          throw InvalidInput("vertex", "is out of range");
        if (h.neighbor_first[vertex] > h.neighbor_first[vertex + 1] ||
            h.neighbor_first[vertex + 1] > h.neighbors.size())
          throw InvalidInput("neighbor_first", "does not fit neighbors");
        return h.neighbors_of(vertex);
      },
      py::arg("vertex"), "Vertices that an edge leads to.");
  property<ConvexHull>("triangles", &triangles_of,
                       "The faces, cut into triangles: an array (n, 3).");
  method<ConvexHull>("__repr__", [](const ConvexHull& h) {
    return "ConvexHull(" + std::to_string(h.vertices.size()) + " vertices, " +
           std::to_string(h.faces.size()) + " faces)";
  });
  m.def(
      "convex_hull",
      [](const ArrayLike& points, HullMethod method, int max_threads) {
        const std::vector<Vec3> list = points_from(points, "points");
        return released([&] { return convex_hull(list, {method, max_threads}); });
      },
      py::arg("points"), py::kw_only(), py::arg("method") = HullMethod::quickhull,
      py::arg("max_threads") = 0, doc("convex_hull"));
  m.def(
      "limited_hull",
      [](const ArrayLike& points, std::uint32_t max_vertices) {
        const std::vector<Vec3> list = points_from(points, "points");
        return released([&] { return limited_hull(list, max_vertices); });
      },
      py::arg("points"), py::arg("max_vertices"), doc("limited_hull"));
  property<HullCheck>("ok", &HullCheck::ok, "Nothing is wrong.");
  method<HullCheck>("__bool__", &HullCheck::ok);
  m.def(
      "check_hull",
      [](const ArrayLike& points, const ConvexHull& hull, int max_threads) {
        const std::vector<Vec3> list = points_from(points, "points");
        return released([&] { return check_hull(list, hull, max_threads); });
      },
      py::arg("points"), py::arg("hull"), py::arg("max_threads") = 0, doc("check_hull"));
}

}  // namespace

void add_meshes(py::module_& m) {
  property<TriangleMesh>(
      "faces", [](const TriangleMesh& mesh) { return mesh.triangles; },
      "The triangles, as other libraries call them.");
  method<TriangleMesh>("__repr__", [](const TriangleMesh& mesh) {
    return "TriangleMesh(" + std::to_string(mesh.vertices.size()) + " vertices, " +
           std::to_string(mesh.triangles.size()) + " triangles)";
  });
  add_hulls(m);
  m.def(
      "mass_properties", [](const ConvexHull& hull) { return mass_properties(hull); },
      py::arg("hull"));
  m.def(
      "mass_properties",
      [](const TriangleMesh& mesh) {
        validate(mesh);
        return mass_properties(mesh);
      },
      py::arg("mesh"));
  m.def(
      "mass_properties",
      [](const ShapeLike& s) { return mass_properties(ShapeArgument(s, "shape").get()); },
      py::arg("shape"), doc("mass_properties"));
  m.def("validate", py::overload_cast<const TriangleMesh&>(&validate), py::arg("mesh"),
        doc("validate"));
  m.def("version", [] { return std::string(version()); }, doc("version"));
}

}  // namespace tactus::python
