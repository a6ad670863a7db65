#include <cmath>
#include <cstring>

#include "classes.hpp"

namespace tactus::python {
namespace {

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

/// A geometry that its numbers make: printed and pickled by them.
template <class G, class... Numbers>
void add_reduced(const char* name, Numbers (G::*... numbers)() const noexcept) {
  class_of<G>()
      .def("__repr__",
           [=](const G& g) {
             std::string text;
             ((text += (text.empty() ? "" : ", ") +
                       std::string(py::str(py::cast((g.*numbers)()).attr("__repr__")()))),
              ...);
             return std::string(name) + "(" + text + ")";
           })
      .def("__reduce__", [=](const G& g) {
        return py::make_tuple(py::type::of<G>(), py::make_tuple((g.*numbers)()...));
      });
}

std::string text_of(const Vec3& v) {
  char text[128];
  std::snprintf(text, sizeof text, "[%.9g, %.9g, %.9g]", v.x, v.y, v.z);
  return text;
}

void add_round_shapes() {
  class_of<Sphere>()
      .def(py::init<double>(), py::arg("radius"))
      .def_property_readonly("radius", &Sphere::radius);
  add_reduced<Sphere>("Sphere", &Sphere::radius);
  class_of<Capsule>()
      .def(py::init<double, double>(), py::arg("radius"), py::arg("length"))
      .def_property_readonly("radius", &Capsule::radius)
      .def_property_readonly("length", &Capsule::length);
  add_reduced<Capsule>("Capsule", &Capsule::radius, &Capsule::length);
  class_of<Cylinder>()
      .def(py::init<double, double>(), py::arg("radius"), py::arg("length"))
      .def_property_readonly("radius", &Cylinder::radius)
      .def_property_readonly("length", &Cylinder::length);
  add_reduced<Cylinder>("Cylinder", &Cylinder::radius, &Cylinder::length);
  class_of<Cone>()
      .def(py::init<double, double>(), py::arg("radius"), py::arg("length"))
      .def_property_readonly("radius", &Cone::radius)
      .def_property_readonly("length", &Cone::length);
  add_reduced<Cone>("Cone", &Cone::radius, &Cone::length);
  class_of<Ellipsoid>()
      .def(py::init<Vec3>(), py::arg("radii"))
      .def_property_readonly("radii", &Ellipsoid::radii)
      .def("__repr__", [](const Ellipsoid& e) { return "Ellipsoid(" + text_of(e.radii()) + ")"; })
      .def("__reduce__", [](const Ellipsoid& e) {
        return py::make_tuple(py::type::of<Ellipsoid>(), py::make_tuple(e.radii()));
      });
}

/// A half-space as it was, to the bit: its constructor divides by the length of the normal anew.
HalfSpace half_space_as_it_was(const Vec3& normal, double offset) {
  static_assert(std::is_trivially_copyable_v<HalfSpace> && sizeof(HalfSpace) == 4 * sizeof(double));
  HalfSpace made(normal, offset);
  if (std::fabs(norm(normal) - 1.0) > 1e-15) return made;
  const double numbers[4] = {normal.x, normal.y, normal.z, offset};
  std::memcpy(static_cast<void*>(&made), numbers, sizeof made);
  return made;
}

void add_flat_shapes() {
  class_of<Box>()
      .def(py::init<Vec3>(), py::arg("size"))
      .def_property_readonly("size", &Box::size)
      .def_property_readonly("half", &Box::half)
      .def("__repr__", [](const Box& b) { return "Box(" + text_of(b.size()) + ")"; })
      .def("__reduce__", [](const Box& b) {
        return py::make_tuple(py::type::of<Box>(), py::make_tuple(b.size()));
      });
  class_of<HalfSpace>()
      .def(py::init<Vec3, double>(), py::arg("normal"), py::arg("offset"))
      .def_property_readonly("normal", &HalfSpace::normal)
      .def_property_readonly("offset", &HalfSpace::offset)
      .def("__repr__",
           [](const HalfSpace& h) {
             return "HalfSpace(" + text_of(h.normal()) + ", " +
                    std::string(py::str(py::float_(h.offset()))) + ")";
           })
      .def(py::pickle([](const HalfSpace& h) { return py::make_tuple(h.normal(), h.offset()); },
                      [](const py::tuple& state) {
                        return half_space_as_it_was(state[0].cast<Vec3>(), state[1].cast<double>());
                      }));
  class_of<Convex>()
      .def(py::init([](const ConvexHull& hull) { return Convex(hull); }), py::arg("hull"),
           "A hull as `convex_hull` makes it.")
      .def(py::init([](const ArrayLike& points) {
             const auto list = points_from(points, "vertices");
             return heard([&] { return Convex(list); });
           }),
           py::arg("vertices"), "The convex hull of points, an array (n, 3).")
      .def_property_readonly("hull", &Convex::hull, py::return_value_policy::copy)
      .def_property_readonly("vertices", [](const Convex& c) { return c.hull().vertices; })
      .def_property_readonly("lower", &Convex::lower)
      .def_property_readonly("upper", &Convex::upper)
      .def("__repr__",
           [](const Convex& c) {
             return "Convex(" + std::to_string(c.hull().vertices.size()) + " vertices)";
           })
      .def("__reduce__", [](const Convex& c) {
        return py::make_tuple(py::type::of<Convex>(), py::make_tuple(c.hull()));
      });
}

void add_mesh() {
  class_of<Mesh>()
      .def(py::init([](const ArrayLike& vertices, const ArrayLike& triangles) {
             TriangleMesh surface{points_from(vertices, "vertices"),
                                  list_from<std::array<std::uint32_t, 3>>(triangles, "triangles")};
             return released([&] { return Mesh(std::move(surface)); });
           }),
           py::arg("vertices"), py::arg("triangles"),
           "From arrays of points (n, 3) and of indices (m, 3).")
      .def(py::init([](const MeshLike& mesh) {
             TriangleMesh surface = mesh_from(mesh, "mesh");
             return released([&] { return Mesh(std::move(surface)); });
           }),
           py::arg("mesh"),
           "From anything with `vertices` and `faces`: trimesh, Open3D, pyvista, meshio.")
      .def(
          "moved",
          [](const Mesh& mesh, const ArrayLike& vertices) {
            return mesh.moved(points_from(vertices, "vertices"));
          },
          py::arg("vertices"), doc("Mesh::moved"))
      .def("bare", &Mesh::bare, doc("Mesh::bare"))
      .def_property_readonly("closed", &Mesh::closed, doc("Mesh::closed"))
      .def_property_readonly("inward", &Mesh::inward, doc("Mesh::inward"))
      .def_property_readonly("component_vertices", &Mesh::component_vertices,
                             doc("Mesh::component_vertices"))
      .def_property_readonly("hull", &Mesh::hull, py::return_value_policy::copy, doc("Mesh::hull"))
      .def_property_readonly("mesh", &Mesh::mesh, py::return_value_policy::copy)
      .def("holds", &Mesh::holds, py::arg("point"), doc("Mesh::holds"))
      .def_property_readonly("vertices", [](const Mesh& mesh) { return mesh.mesh().vertices; })
      .def_property_readonly("triangles", [](const Mesh& mesh) { return mesh.mesh().triangles; })
      .def_property_readonly("faces", [](const Mesh& mesh) { return mesh.mesh().triangles; })
      .def("__repr__",
           [](const Mesh& mesh) {
             return "Mesh(" + std::to_string(mesh.mesh().vertices.size()) + " vertices, " +
                    std::to_string(mesh.mesh().triangles.size()) + " triangles" +
                    (mesh.closed() ? ")" : ", open)");
           })
      .def(py::pickle(
          [](const Mesh& mesh) {
            // A bare one of a closed surface has forgotten that it is.
            const bool bare = !mesh.closed() && Mesh(mesh.mesh()).closed();
            return py::make_tuple(mesh.mesh().vertices, mesh.mesh().triangles, bare);
          },
          [](const py::tuple& state) {
            const Mesh mesh({points_from(state[0], "vertices"),
                             list_from<std::array<std::uint32_t, 3>>(state[1], "triangles")});
            return state[2].cast<bool>() ? mesh.bare() : mesh;
          }));
}

/// A support function that is a plain function of Python.
class CalledSupport : public SupportFunction {
 public:
  explicit CalledSupport(py::function function) : function_(std::move(function)) {}
  CalledSupport(const CalledSupport&) = delete;
  CalledSupport& operator=(const CalledSupport&) = delete;
  ~CalledSupport() override {
    const py::gil_scoped_acquire hold;
    function_.release().dec_ref();
  }
  Vec3 support(const Vec3& direction) const noexcept override {
    const py::gil_scoped_acquire hold;
    try {
      return function_(direction).cast<Vec3>();
    } catch (py::error_already_set& error) {
      keep_error(error);
    } catch (const py::cast_error&) {
      keep_refusal("support", "must give three numbers");
    }
    return {};
  }
  const py::function& function() const { return function_; }

 private:
  py::function function_;
};

void add_custom_shapes() {
  class_of<SupportFunction, PythonSupport, std::shared_ptr<SupportFunction>>()
      .def(py::init<>())
      .def("support", &SupportFunction::support, py::arg("direction"),
           doc("SupportFunction::support"));
  class_of<CustomConvex>()
      .def(py::init([](const py::object& support) {
             if (py::isinstance<SupportFunction>(support)) {
               // The Python object must live as long as the shape asks it.
               const std::shared_ptr<py::object> held(new py::object(support), [](py::object* o) {
                 const py::gil_scoped_acquire hold;
                 delete o;
               });
               return CustomConvex(std::shared_ptr<const SupportFunction>(
                   held, support.cast<const SupportFunction*>()));
             }
             if (!py::isinstance<py::function>(support) && !PyCallable_Check(support.ptr()))
               throw InvalidInput("support", "must be a function or a SupportFunction");
             return CustomConvex(
                 std::make_shared<CalledSupport>(py::reinterpret_borrow<py::function>(support)));
           }),
           py::arg("support"),
           "From a function that gives the farthest point in a direction, both in the body's "
           "frame,\n"
           "or from a SupportFunction. Errors of its own are raised by the query that called it.")
      .def_property_readonly("function", &CustomConvex::function,
                             py::return_value_policy::reference);
  class_of<Compound>()
      .def(py::init([](const py::sequence& parts) {
             std::vector<Compound::Part> list;
             for (std::size_t i = 0; i < parts.size(); ++i) {
               const std::string name = "parts[" + std::to_string(i) + "]";
               const py::object part = parts[i];
               if (py::isinstance<Compound::Part>(part)) {
                 list.push_back(part.cast<const Compound::Part&>());
                 continue;
               }
               if (!py::isinstance<py::tuple>(part) || py::len(part) != 2)
                 throw InvalidInput(name, "must be a pair of shape and pose");
               const auto pair = py::reinterpret_borrow<py::tuple>(part);
               list.push_back({shape_from(pair[0], (name + ".shape").c_str()),
                               pose_from(pair[1], (name + ".pose").c_str())});
             }
             return Compound(std::move(list));
           }),
           py::arg("parts"), "A union of pairs (shape, pose).")
      .def("__len__", [](const Compound& c) { return c.parts().size(); })
      .def_property_readonly(
          "parts",
          [](const Compound& c) {
            py::list parts;
            for (const Compound::Part& part : c.parts())
              parts.append(py::make_tuple(part.shape, part.pose));
            return parts;
          },
          "Pairs (shape, pose).")
      .def("__repr__",
           [](const Compound& c) {
             return "Compound(" + std::to_string(c.parts().size()) + " parts)";
           })
      .def("__reduce__", [](const py::object& c) {
        return py::make_tuple(py::type::of<Compound>(), py::make_tuple(c.attr("parts")));
      });
}

void add_shape() {
  class_of<Shape>()
      .def(py::init([](const ShapeLike& geometry, double rounding) {
             const Shape shape = shape_from(geometry, "geometry");
             if (rounding == 0.0) return shape;
             return std::visit([&](const auto& g) { return Shape(g, rounding); }, shape.geometry());
           }),
           py::arg("geometry"), py::arg("rounding") = 0.0)
      .def_property_readonly("type", &Shape::type)
      .def_property_readonly("geometry", &Shape::geometry, py::return_value_policy::copy)
      .def_property_readonly("rounding_radius", &Shape::rounding_radius)
      .def_property_readonly("is_convex_body", &Shape::is_convex_body,
                             "Neither mesh, half-space nor compound.")
      .def("__repr__", py::overload_cast<const Shape&>(&text_of))
      .def("__reduce__", [](const Shape& s) {
        return py::make_tuple(py::type::of<Shape>(),
                              py::make_tuple(py::cast(s.geometry()), s.rounding_radius()));
      });
}

}  // namespace

Vec3 PythonSupport::support(const Vec3& direction) const noexcept {
  const py::gil_scoped_acquire hold;
  try {
    const py::function function =
        py::get_override(static_cast<const SupportFunction*>(this), "support");
    if (function) return function(direction).cast<Vec3>();
    keep_refusal("support", "is not written");
  } catch (py::error_already_set& error) {
    keep_error(error);
  } catch (const py::cast_error&) {
    keep_refusal("support", "must give three numbers");
  }
  return {};
}

void add_shapes(py::module_& m) {
  add_round_shapes();
  add_flat_shapes();
  add_mesh();
  add_custom_shapes();
  add_shape();
  m.attr("kShapeTypes") = kShapeTypes;
  method<Aabb>("__iter__",
               [](const Aabb& box) { return py::iter(py::make_tuple(box.lower, box.upper)); });
  const auto shape = py::arg("shape");
  m.def(
      "bounding_box",
      [](const ShapeLike& s, const PoseLike& pose) {
        return checked(bounding_box(ShapeArgument(s, "shape").get(), pose_from(pose, "pose")));
      },
      shape, py::arg("pose") = py::none(), doc("bounding_box"));
  m.def("overlaps", py::overload_cast<const Aabb&, const Aabb&>(&overlaps), py::arg("a"),
        py::arg("b"), "Whether two boxes share a point.");
  m.def("merge", &merge, py::arg("a"), py::arg("b"), "The least box that holds both.");
  const auto measure = [&](const char* name, double (*function)(const Shape&)) {
    m.def(
        name,
        [=](const ShapeLike& s) { return checked(function(ShapeArgument(s, "shape").get())); },
        shape, doc(name));
  };
  measure("extent", &extent);
  measure("bounding_radius", &bounding_radius);
  m.def(
      "bare", [](const ShapeLike& s) { return bare(ShapeArgument(s, "shape").get()); }, shape,
      doc("bare"));
  m.def(
      "scaled",
      [](const ShapeLike& s, double factor) {
        return scaled(ShapeArgument(s, "shape").get(), factor);
      },
      shape, py::arg("factor"), doc("scaled"));
  m.def(
      "support",
      [](const ShapeLike& s, const Vec3& direction) {
        return checked(support(ShapeArgument(s, "shape").get(), direction));
      },
      shape, py::arg("direction"), doc("support"));
  m.def(
      "support_value",
      [](const ShapeLike& s, const Vec3& direction) {
        return checked(support_value(ShapeArgument(s, "shape").get(), direction));
      },
      shape, py::arg("unit_direction"), doc("support_value"));
}

}  // namespace tactus::python
