#include "worlds.hpp"

namespace tactus::python {
namespace {

using soft::DeformableWorld;

void add_world_of_deformables() {
  class_of<DeformableWorld>()
      .def(py::init([](const py::args& given, const py::kwargs& named) {
             return DeformableWorld(value_from<soft::DeformableSettings>(given, named));
           }),
           "A world with the settings of a DeformableSettings, or its fields by keyword.")
      .def_property_readonly("settings", &DeformableWorld::settings, py::return_value_policy::copy)
      .def_property_readonly("contact_distance", &DeformableWorld::contact_distance,
                             doc("soft::DeformableWorld::contact_distance"))
      .def(
          "add",
          [](DeformableWorld& w, const py::args& given, const py::kwargs& named) {
            return w.add(value_from<soft::DeformableDefinition>(given, named));
          },
          "Adds a body and returns its id: a DeformableDefinition, or the fields of one by "
          "keyword.")
      .def(
          "add_obstacle",
          [](DeformableWorld& w, const World& world, BodyId body, double tolerance) {
            return w.add_obstacle(world, body, tolerance);
          },
          py::arg("world"), py::arg("body"), py::arg("tolerance") = 0.01,
          "A body of a rigid world as an obstacle, with its shape and friction.")
      .def(
          "add_obstacle",
          [](DeformableWorld& w, const py::args& given, const py::kwargs& named) {
            return w.add_obstacle(value_from<soft::ObstacleDefinition>(given, named));
          },
          "An obstacle that stands or moves as it is told: an ObstacleDefinition, or a shape and "
          "its fields.")
      .def_property_readonly("bodies", &DeformableWorld::bodies, "How many there are.")
      .def_property_readonly("obstacles", &DeformableWorld::obstacles, "How many there are.")
      .def("positions", &DeformableWorld::positions, py::arg("id"),
           "Where the vertices of a body are, (n, 3): a copy.")
      .def("velocities", &DeformableWorld::velocities, py::arg("id"))
      .def("surface", &DeformableWorld::surface, py::arg("id"),
           doc("soft::DeformableWorld::surface"))
      .def("strain_energy", &DeformableWorld::strain_energy, py::arg("id"),
           doc("soft::DeformableWorld::strain_energy"))
      .def("obstacle_pose", &DeformableWorld::obstacle_pose, py::arg("obstacle"),
           doc("soft::DeformableWorld::obstacle_pose"))
      .def("obstacle_surface", &DeformableWorld::obstacle_surface, py::arg("obstacle"),
           doc("soft::DeformableWorld::obstacle_surface"))
      .def("load", &DeformableWorld::load, py::arg("obstacle"), py::return_value_policy::copy,
           doc("soft::DeformableWorld::load"))
      .def_property_readonly(
          "contacts", [](const DeformableWorld& w) { return list_of(w.contacts()); },
          doc("soft::DeformableWorld::contacts"))
      .def("lead", &DeformableWorld::lead, py::arg("id"), py::arg("vertex"), py::arg("target"),
           doc("soft::DeformableWorld::lead"))
      .def("release", &DeformableWorld::release, py::arg("id"), py::arg("vertex"),
           doc("soft::DeformableWorld::release"))
      .def("set_velocity", &DeformableWorld::set_velocity, py::arg("id"), py::arg("velocity"))
      .def(
          "step",
          [](DeformableWorld& w, World& world, std::uint64_t steps) {
            const InUse lock(&world);
            run_steps(w, steps, [&]() -> decltype(auto) { return w.step(world); });
          },
          py::arg("world"), py::arg("steps") = 1,
          "Advances the deformables and the rigid world together.")
      .def(
          "step",
          [](DeformableWorld& w, std::uint64_t steps) {
            run_steps(w, steps, [&]() -> decltype(auto) { return w.step(); });
          },
          py::arg("steps") = 1,
          "Advances by so many time steps. Raises RuntimeError for one that cannot be done; Ctrl-C "
          "ends it\n"
          "after a whole step.")
      .def_property_readonly("statistics", &DeformableWorld::statistics,
                             py::return_value_policy::copy)
      .def_property_readonly("time", &DeformableWorld::time)
      .def_property_readonly("step_count", &DeformableWorld::step_count)
      .def("crossings", &DeformableWorld::crossings, doc("soft::DeformableWorld::crossings"))
      .def("save", &DeformableWorld::save)
      .def("restore", &DeformableWorld::restore, py::arg("state"),
           doc("soft::DeformableWorld::restore"))
      .def("state_hash", &DeformableWorld::state_hash)
      .def("__repr__", [](const DeformableWorld& w) {
        return "DeformableWorld(" + std::to_string(w.bodies()) + " bodies, " +
               std::to_string(w.obstacles()) + " obstacles, step " +
               std::to_string(w.step_count()) + ")";
      });
}

void add_tetrahedra(py::module_& m) {
  m.def("validate", py::overload_cast<const soft::TetrahedralMesh&>(&soft::validate),
        py::arg("mesh"), doc("soft::validate"));
  m.def("validate", py::overload_cast<const soft::DeformableMaterial&>(&soft::validate),
        py::arg("material"));
  m.def("validate", py::overload_cast<const soft::DeformableSettings&>(&soft::validate),
        py::arg("settings"));
  m.def(
      "surface_of",
      [](const soft::TetrahedralMesh& mesh) {
        soft::validate(mesh);
        return soft::surface_of(mesh);
      },
      py::arg("mesh"), doc("soft::surface_of"));
  m.def(
      "quality",
      [](const soft::TetrahedralMesh& mesh) {
        soft::validate(mesh);
        return soft::quality(mesh);
      },
      py::arg("mesh"), doc("soft::quality"));
  m.def("tetrahedral_box", &soft::tetrahedral_box, py::arg("size"), py::arg("cells"),
        py::arg("roundness") = 0.0, doc("soft::tetrahedral_box"));
  m.def(
      "tetrahedral_sphere",
      [](double radius, double edge) {
        return released([&] { return soft::tetrahedral_sphere(radius, edge); });
      },
      py::arg("radius"), py::arg("edge"), doc("soft::tetrahedral_sphere"));
  m.def(
      "fill_with_tetrahedra",
      [](const MeshLike& surface, double edge) {
        const Mesh mesh = py::isinstance<Mesh>(surface) ? surface.cast<const Mesh&>()
                                                        : Mesh(mesh_from(surface, "surface"));
        return released([&] { return soft::fill_with_tetrahedra(mesh, edge); });
      },
      py::arg("surface"), py::arg("edge"), doc("soft::fill_with_tetrahedra"));
  m.def(
      "tessellate",
      [](const ShapeLike& shape, double tolerance) {
        return soft::tessellate(ShapeArgument(shape, "shape").get(), tolerance);
      },
      py::arg("shape"), py::arg("tolerance") = 0.01, doc("soft::tessellate"));
  m.def(
      "points_in_tetrahedra",
      [](const std::vector<soft::TetrahedralBody>& bodies) {
        return released([&] { return soft::points_in_tetrahedra(bodies); });
      },
      py::arg("bodies"), doc("soft::points_in_tetrahedra"));
  m.def("hash", py::overload_cast<const soft::DeformableState&>(&soft::hash), py::arg("state"),
        doc("soft::hash"));
}

}  // namespace

void add_deform(py::module_& m) {
  py::module_ soft = m.attr("soft");
  soft.doc() = "Soft solids, shells and cloth, their world; tetrahedra.";
  add_tetrahedra(soft);
  add_world_of_deformables();
  property<soft::DeformableStatistics>("energy", &soft::DeformableStatistics::energy,
                                       "Sum of all energies.");
}

}  // namespace tactus::python
