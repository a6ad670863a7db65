#include "convert.hpp"

namespace tactus::python {
namespace {

/// A support function written in Python. Called with the interpreter held.
class PythonSupport : public SupportFunction {
 public:
  explicit PythonSupport(py::function function) : function_(std::move(function)) {}
  ~PythonSupport() override {
    py::gil_scoped_acquire hold;
    function_.release().dec_ref();
  }
  Vec3 support(const Vec3& direction) const noexcept override {
    const py::gil_scoped_acquire hold;
    return function_(direction).cast<Vec3>();
  }

 private:
  py::function function_;
};

std::string text_of(const Shape& shape) {
  std::string text = "Shape(" + std::string(to_string(shape.type()));
  if (const auto* hull = std::get_if<Convex>(&shape.geometry()))
    text += ", " + std::to_string(hull->hull().vertices.size()) + " vertices";
  if (const auto* mesh = std::get_if<Mesh>(&shape.geometry()))
    text += ", " + std::to_string(mesh->mesh().triangles.size()) + " triangles" +
            (mesh->closed() ? "" : ", open");
  if (const auto* compound = std::get_if<Compound>(&shape.geometry()))
    text += ", " + std::to_string(compound->parts().size()) + " parts";
  if (shape.rounding_radius() > 0.0)
    text += ", rounding=" + std::string(py::str(py::float_(shape.rounding_radius())));
  return text + ")";
}

void add_round_shapes(py::module_& m) {
  py::class_<Sphere>(m, "Sphere", doc("Sphere"))
      .def(py::init<double>(), py::arg("radius"))
      .def_property_readonly("radius", &Sphere::radius);
  py::class_<Capsule>(m, "Capsule", doc("Capsule"))
      .def(py::init<double, double>(), py::arg("radius"), py::arg("length"))
      .def_property_readonly("radius", &Capsule::radius)
      .def_property_readonly("length", &Capsule::length);
  py::class_<Cylinder>(m, "Cylinder", doc("Cylinder"))
      .def(py::init<double, double>(), py::arg("radius"), py::arg("length"))
      .def_property_readonly("radius", &Cylinder::radius)
      .def_property_readonly("length", &Cylinder::length);
  py::class_<Cone>(m, "Cone", doc("Cone"))
      .def(py::init<double, double>(), py::arg("radius"), py::arg("length"))
      .def_property_readonly("radius", &Cone::radius)
      .def_property_readonly("length", &Cone::length);
  py::class_<Ellipsoid>(m, "Ellipsoid", doc("Ellipsoid"))
      .def(py::init<Vec3>(), py::arg("radii"))
      .def_property_readonly("radii", &Ellipsoid::radii);
}

void add_flat_shapes(py::module_& m) {
  py::class_<Box>(m, "Box", doc("Box"))
      .def(py::init<Vec3>(), py::arg("size"))
      .def_property_readonly("size", &Box::size)
      .def_property_readonly("half", &Box::half);
  py::class_<HalfSpace>(m, "HalfSpace", doc("HalfSpace"))
      .def(py::init<Vec3, double>(), py::arg("normal"), py::arg("offset"))
      .def_property_readonly("normal", &HalfSpace::normal)
      .def_property_readonly("offset", &HalfSpace::offset);
  py::class_<Convex>(m, "Convex", doc("Convex"))
      .def(py::init([](const py::object& points) { return Convex(points_from(points, "vertices")); }),
           py::arg("vertices"), "The convex hull of points, an array (n, 3).")
      .def_property_readonly("vertices",
                             [](const Convex& c) { return to_array(c.hull().vertices); })
      .def_property_readonly("lower", &Convex::lower)
      .def_property_readonly("upper", &Convex::upper);
  py::class_<Mesh>(m, "Mesh", doc("Mesh"))
      .def(py::init([](const py::object& vertices, const py::object& faces) {
             return Mesh({points_from(vertices, "vertices"), indices_from<3>(faces, "triangles")});
           }),
           py::arg("vertices"), py::arg("triangles"),
           "From arrays of points (n, 3) and of indices (m, 3).")
      .def(py::init([](const py::object& mesh) { return Mesh(mesh_from(mesh, "mesh")); }),
           py::arg("mesh"), "From anything with `vertices` and `faces`: trimesh, Open3D, meshio.")
      .def("moved",
           [](const Mesh& mesh, const py::object& vertices) {
             return mesh.moved(points_from(vertices, "vertices"));
           },
           py::arg("vertices"), doc("Mesh::moved"))
      .def("bare", &Mesh::bare, doc("Mesh::bare"))
      .def_property_readonly("closed", &Mesh::closed, doc("Mesh::closed"))
      .def_property_readonly("inward", &Mesh::inward, doc("Mesh::inward"))
      .def("holds", &Mesh::holds, py::arg("point"), doc("Mesh::holds"))
      .def_property_readonly("vertices",
                             [](const Mesh& mesh) { return to_array(mesh.mesh().vertices); })
      .def_property_readonly("triangles", [](const Mesh& mesh) {
        const auto& list = mesh.mesh().triangles;
        py::array_t<std::uint32_t> array({static_cast<py::ssize_t>(list.size()), py::ssize_t{3}});
        if (!list.empty()) std::copy_n(list.front().data(), 3 * list.size(), array.mutable_data());
        return array;
      });
  py::class_<CustomConvex>(m, "CustomConvex", doc("CustomConvex"))
      .def(py::init([](py::function support) {
             return CustomConvex(std::make_shared<PythonSupport>(std::move(support)));
           }),
           py::arg("support"),
           "From a function that gives the farthest point in a direction, body's frame.");
}

}  // namespace

void add_shapes(py::module_& m) {
  add_enum<ShapeType>(m, "ShapeType");
  add_round_shapes(m);
  add_flat_shapes(m);
  py::class_<Compound>(m, "Compound", doc("Compound"))
      .def(py::init([](const py::list& parts) {
             std::vector<Compound::Part> list;
             for (std::size_t i = 0; i < parts.size(); ++i) {
               const std::string name = "parts[" + std::to_string(i) + "]";
               const py::object part = parts[i];
               if (!py::isinstance<py::tuple>(part) || py::len(part) != 2)
                 throw InvalidInput(name, "must be a pair of shape and pose");
               const auto pair = py::reinterpret_borrow<py::tuple>(part);
               list.push_back(
                   {shape_from(pair[0], name.c_str()), pose_from(pair[1], name.c_str())});
             }
             return Compound(std::move(list));
           }),
           py::arg("parts"), "A union of pairs (shape, pose).")
      .def("__len__", [](const Compound& c) { return c.parts().size(); })
      .def_property_readonly("parts", [](const Compound& c) {
        py::list parts;
        for (const Compound::Part& part : c.parts())
          parts.append(py::make_tuple(part.shape, part.pose));
        return parts;
      });
  py::class_<Shape>(m, "Shape", doc("Shape"))
      .def(py::init([](const py::object& geometry, double rounding) {
             const Shape shape = shape_from(geometry, "geometry");
             if (rounding == 0.0) return shape;
             return std::visit([&](const auto& g) { return Shape(g, rounding); }, shape.geometry());
           }),
           py::arg("geometry"), py::arg("rounding") = 0.0)
      .def_property_readonly("type", &Shape::type)
      .def_property_readonly("geometry", &Shape::geometry)
      .def_property_readonly("rounding_radius", &Shape::rounding_radius)
      .def_property_readonly("is_convex_body", &Shape::is_convex_body)
      .def("__repr__", &text_of);
  m.def("bounding_box",
        [](const ShapeArgument& shape, const PoseArgument& pose) {
          const Aabb box = bounding_box(shape.get(), pose.pose);
          return py::make_tuple(box.lower, box.upper);
        },
        py::arg("shape"), py::arg("pose") = py::none(), doc("bounding_box"));
  m.def("bounding_radius", [](const ShapeArgument& s) { return bounding_radius(s.get()); },
        py::arg("shape"), doc("bounding_radius"));
  m.def("bare", [](const ShapeArgument& s) { return bare(s.get()); }, py::arg("shape"),
        doc("bare"));
  m.def("scaled", [](const ShapeArgument& s, double factor) { return scaled(s.get(), factor); },
        py::arg("shape"), py::arg("factor"), doc("scaled"));
}

}  // namespace tactus::python
