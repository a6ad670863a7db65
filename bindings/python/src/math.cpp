#include <pybind11/operators.h>

#include <cstdio>

#include "classes.hpp"

namespace tactus::python {
namespace {

/// One point, or each of an array (n, 3).
template <class Map>
py::object map_points(const py::handle& points, const Map& map) {
  double n[3];
  if (read_numbers(points, n, 3)) return py::cast(map(Vec3{n[0], n[1], n[2]}));
  std::vector<Vec3> all = points_from(points, "points");
  for (Vec3& p : all) p = map(p);
  return py::cast(all);
}

py::array_t<double> matrix_of(const Pose& pose) {
  py::array_t<double> m({4, 4});
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) m.mutable_at(i, j) = pose.rotation()(i, j);
    m.mutable_at(i, 3) = pose.position()[i];
    m.mutable_at(3, i) = 0.0;
  }
  m.mutable_at(3, 3) = 1.0;
  return m;
}

std::string text_of(const Pose& pose) {
  const Vec3& p = pose.position();
  const Quat q = to_quaternion(pose.rotation());
  char text[256];
  std::snprintf(text, sizeof text, "Pose((%.6g, %.6g, %.6g), (%.6g, %.6g, %.6g, %.6g))", p.x, p.y,
                p.z, q.w, q.x, q.y, q.z);
  return text;
}

void add_pose() {
  class_of<Pose>()
      .def(py::init<>())
      .def(py::init([](const PoseLike& from) { return pose_from(from, "pose"); }), py::arg("pose"),
           "From anything that stands for a pose.")
      .def(
          py::init([](const Vec3& position, const py::object& rotation) {
            return pose_from(py::make_tuple(py::cast(position), rotation), "pose");
          }),
          py::arg("position"), py::arg("rotation"),
          "Position and rotation: a quaternion (w, x, y, z), a matrix (3, 3), or a scipy Rotation.")
      .def_static("from_matrix", &Pose::from_matrix, py::arg("position"), py::arg("rotation"),
                  doc("Pose::from_matrix"))
      .def_static("from_axis_angle", &Pose::from_axis_angle, py::arg("position"), py::arg("axis"),
                  py::arg("angle"), doc("Pose::from_axis_angle"))
      .def_static("along", &Pose::along, py::arg("start"), py::arg("end"), doc("Pose::along"))
      .def_static("translation", &Pose::translation, py::arg("position"), "A pose that only moves.")
      .def_property_readonly("position", &Pose::position)
      .def_property_readonly("rotation", &Pose::rotation, "The rotation as a matrix (3, 3).")
      .def_property_readonly(
          "quaternion", [](const Pose& p) { return to_quaternion(p.rotation()); },
          "The rotation as a quaternion (w, x, y, z), w >= 0.")
      .def_property_readonly("matrix", &matrix_of, "A matrix (4, 4).")
      .def("__array__",
           [](const Pose& p, const py::args&, const py::kwargs&) { return matrix_of(p); })
      .def(
          "to_world",
          [](const Pose& p, const ArrayLike& local) {
            return map_points(local, [&](const Vec3& v) { return p.to_world(v); });
          },
          py::arg("points"), "A point, or each of an array (n, 3), from the frame to the world.")
      .def(
          "to_local",
          [](const Pose& p, const ArrayLike& world) {
            return map_points(world, [&](const Vec3& v) { return p.to_local(v); });
          },
          py::arg("points"), "A point, or each of an array (n, 3), from the world to the frame.")
      .def("direction_to_world", &Pose::direction_to_world, py::arg("direction"))
      .def("direction_to_local", &Pose::direction_to_local, py::arg("direction"))
      .def(py::self * py::self)
      .def("__matmul__", [](const Pose& outer, const Pose& inner) { return outer * inner; })
      .def("inverse", [](const Pose& p) { return inverse(p); })
      .def(py::self == py::self)
      .def("__repr__", &text_of)
      .def(py::pickle([](const Pose& p) { return py::make_tuple(p.position(), p.rotation()); },
                      [](const py::tuple& state) {
                        const auto position = state[0].cast<Vec3>();
                        const auto rotation = state[1].cast<Mat3>();
                        // As it was, to the bit; what is no rotation is refused.
                        Pose::from_matrix(position, rotation);
                        return detail::unchecked_pose(position, rotation);
                      }));
}

}  // namespace

void add_math(py::module_& m) {
  add_pose();
  m.def(
      "relative",
      [](const PoseLike& a, const PoseLike& b) {
        return relative(pose_from(a, "a"), pose_from(b, "b"));
      },
      py::arg("a"), py::arg("b"), doc("relative"));
  m.def(
      "inverse", [](const PoseLike& pose) { return inverse(pose_from(pose, "pose")); },
      py::arg("pose"));
  m.def(
      "pose_at",
      [](const PoseLike& start, const RigidMotion& motion, double t) {
        return pose_at(pose_from(start, "start"), motion, t);
      },
      py::arg("start"), py::arg("motion"), py::arg("t"), doc("pose_at"));
  m.def("velocity_at", &velocity_at, py::arg("motion"), py::arg("offset"), doc("velocity_at"));
  m.def("rotation_by", &rotation_by, py::arg("vector"), doc("rotation_by"));
  m.def("nearest_rotation", &nearest_rotation, py::arg("m"), doc("nearest_rotation"));
  m.def("to_matrix", &to_matrix, py::arg("q"), doc("to_matrix"));
  m.def("to_quaternion", &to_quaternion, py::arg("m"), doc("to_quaternion"));
  m.def("any_perpendicular", &any_perpendicular, py::arg("unit"), doc("any_perpendicular"));
  m.def("conjugate", &conjugate, py::arg("q"), "The quaternion of the inverse rotation.");
}

}  // namespace tactus::python
