#include <atomic>

#include "convert.hpp"

namespace tactus::python {
namespace {

py::array_t<std::uint32_t> triangles_of(const ConvexHull& hull) {
  std::vector<std::uint32_t> fan;
  for (const ConvexHull::Face& face : hull.faces) {
    const auto corners = hull.corners(face);
    for (std::size_t k = 2; k < corners.size(); ++k)
      fan.insert(fan.end(), {corners[0], corners[k - 1], corners[k]});
  }
  py::array_t<std::uint32_t> array({static_cast<py::ssize_t>(fan.size() / 3), py::ssize_t{3}});
  std::copy(fan.begin(), fan.end(), array.mutable_data());
  return array;
}

/// Ends early when the user interrupts it.
fit::ConvexDecomposition decompose_mesh(const py::object& mesh, double concavity,
                                        std::uint32_t max_parts, std::uint32_t max_vertices,
                                        int max_threads) {
  const TriangleMesh surface = mesh_from(mesh, "mesh");
  std::atomic<bool> cancel = false;
  fit::DecomposeOptions options;
  options.concavity = concavity;
  options.max_parts = max_parts;
  options.max_vertices = max_vertices;
  options.max_threads = max_threads;
  options.cancel = &cancel;
  options.progress = [&cancel](std::uint32_t, double) {
    const py::gil_scoped_acquire hold;
    if (PyErr_CheckSignals() != 0) cancel = true;
  };
  fit::ConvexDecomposition found;
  {
    const py::gil_scoped_release run;
    found = fit::decompose(surface, options);
  }
  if (PyErr_Occurred() != nullptr) throw py::error_already_set();
  return found;
}

}  // namespace

void add_meshes(py::module_& m) {
  add_enum<HullMethod>(m, "HullMethod");
  py::class_<ConvexHull>(m, "ConvexHull", doc("ConvexHull"))
      .def_readonly("dimension", &ConvexHull::dimension)
      .def_property_readonly("vertices", [](const ConvexHull& h) { return to_array(h.vertices); })
      .def_property_readonly("source",
                             [](const ConvexHull& h) {
                               return py::array_t<std::uint32_t>(
                                   static_cast<py::ssize_t>(h.source.size()), h.source.data());
                             },
                             "Place of each vertex among the points.")
      .def_property_readonly("faces",
                             [](const ConvexHull& h) {
                               py::list faces;
                               for (const ConvexHull::Face& face : h.faces) {
                                 const auto corners = h.corners(face);
                                 faces.append(std::vector<std::uint32_t>(corners.begin(),
                                                                         corners.end()));
                               }
                               return faces;
                             },
                             "Corners of each face, counter-clockwise from outside.")
      .def_property_readonly("triangles", &triangles_of, "The faces, cut into triangles.")
      .def("__repr__", [](const ConvexHull& h) {
        return "ConvexHull(" + std::to_string(h.vertices.size()) + " vertices, " +
               std::to_string(h.faces.size()) + " faces)";
      });
  m.def("convex_hull",
        [](const py::object& points, HullMethod method, int max_threads) {
          const std::vector<Vec3> list = points_from(points, "points");
          const py::gil_scoped_release run;
          return convex_hull(list, {method, max_threads});
        },
        py::arg("points"), py::kw_only(), py::arg("method") = HullMethod::quickhull,
        py::arg("max_threads") = 0, doc("convex_hull"));
  py::class_<MassProperties>(m, "MassProperties", doc("MassProperties"))
      .def_readonly("volume", &MassProperties::volume)
      .def_property_readonly("center", [](const MassProperties& p) { return p.center; })
      .def_property_readonly("inertia", [](const MassProperties& p) { return p.inertia; });
  m.def("mass_properties", [](const ShapeArgument& s) { return mass_properties(s.get()); },
        py::arg("shape"), "Volume, centre of mass and inertia of unit density.");

  py::class_<fit::OrientedBox>(m, "OrientedBox", doc("fit::OrientedBox"))
      .def_property_readonly("center", [](const fit::OrientedBox& b) { return b.center; })
      .def_property_readonly("axes", [](const fit::OrientedBox& b) { return b.axes; })
      .def_property_readonly("half", [](const fit::OrientedBox& b) { return b.half; })
      .def_property_readonly("pose", &fit::OrientedBox::pose);
  m.def("minimum_box",
        [](const py::object& points) {
          const std::vector<Vec3> list = points_from(points, "points");
          const py::gil_scoped_release run;
          return fit::minimum_box(list).box;
        },
        py::arg("points"), doc("fit::minimum_box"));
  py::class_<fit::ConvexDecomposition>(m, "ConvexDecomposition", doc("fit::ConvexDecomposition"))
      .def_readonly("parts", &fit::ConvexDecomposition::parts)
      .def_readonly("closed", &fit::ConvexDecomposition::closed)
      .def_readonly("parts_volume", &fit::ConvexDecomposition::parts_volume)
      .def_readonly("surface_volume", &fit::ConvexDecomposition::surface_volume)
      .def_property_readonly("status",
                             [](const fit::ConvexDecomposition& d) {
                               return std::string(to_string(d.status));
                             })
      .def_property_readonly("concavity_lower", &fit::ConvexDecomposition::concavity_lower)
      .def_property_readonly("concavity_upper", &fit::ConvexDecomposition::concavity_upper)
      .def("compound", &fit::ConvexDecomposition::compound)
      .def("__repr__", [](const fit::ConvexDecomposition& d) {
        return "ConvexDecomposition(" + std::to_string(d.parts.size()) + " parts)";
      });
  m.def("decompose", &decompose_mesh, py::arg("mesh"), py::kw_only(),
        py::arg("concavity") = fit::DecomposeOptions().concavity,
        py::arg("max_parts") = fit::DecomposeOptions().max_parts,
        py::arg("max_vertices") = fit::DecomposeOptions().max_vertices, py::arg("max_threads") = 0,
        doc("fit::decompose"));
}

}  // namespace tactus::python
