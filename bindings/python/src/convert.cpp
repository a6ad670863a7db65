#include "convert.hpp"

namespace tactus::python {
namespace {

/// A matrix of this many rows and columns, whatever kind of numbers it holds.
std::optional<py::array_t<double>> matrix(const py::handle& value, py::ssize_t rows,
                                          py::ssize_t columns) {
  if (!py::isinstance<py::array>(value) && !py::isinstance<py::sequence>(value)) return {};
  auto array = py::array_t<double, py::array::c_style | py::array::forcecast>::ensure(value);
  if (!array) {
    PyErr_Clear();
    return {};
  }
  if (array.ndim() != 2 || array.shape(0) != rows || array.shape(1) != columns) return {};
  return array;
}

Mat3 rotation_of(const py::array_t<double>& m) {
  Mat3 rotation;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) rotation(i, j) = m.at(i, j);
  return rotation;
}

Pose pose_of(const Vec3& position, const py::handle& rotation, const std::string& name) {
  double q[4];
  if (read_numbers(rotation, q, 4)) return Pose(position, Quat{q[0], q[1], q[2], q[3]});
  if (const auto m = matrix(rotation, 3, 3)) return Pose::from_matrix(position, rotation_of(*m));
  // scipy.spatial.transform.Rotation, which puts the real part last.
  if (py::hasattr(rotation, "as_quat") && read_numbers(rotation.attr("as_quat")(), q, 4))
    return Pose(position, Quat{q[3], q[0], q[1], q[2]});
  throw InvalidInput(name, "its rotation must be a quaternion (w, x, y, z), a matrix (3, 3) or a "
                           "scipy Rotation");
}

template <class G>
bool take(const py::handle& value, std::optional<Shape>& out) {
  if (!py::isinstance<G>(value)) return false;
  out.emplace(value.cast<const G&>());
  return true;
}

template <class... Gs>
std::optional<Shape> geometry(const py::handle& value) {
  std::optional<Shape> shape;
  (take<Gs>(value, shape) || ...);
  return shape;
}

}  // namespace

std::vector<Vec3> points_from(const py::handle& value, const char* name) {
  const auto array = py::array_t<double, py::array::c_style | py::array::forcecast>::ensure(value);
  if (!array) PyErr_Clear();
  if (!array || (array.size() != 0 && (array.ndim() != 2 || array.shape(1) != 3)))
    throw InvalidInput(name, "must be points: an array (n, 3) of numbers");
  std::vector<Vec3> points(static_cast<std::size_t>(array.size() / 3));
  const double* from = array.data();
  for (Vec3& p : points) {
    p = {from[0], from[1], from[2]};
    from += 3;
  }
  return points;
}

Pose pose_from(const py::handle& value, const char* name) {
  if (py::isinstance<Pose>(value)) return value.cast<const Pose&>();
  if (value.is_none()) return {};
  if (const auto m = matrix(value, 4, 4)) {
    if (m->at(3, 0) != 0.0 || m->at(3, 1) != 0.0 || m->at(3, 2) != 0.0 || m->at(3, 3) != 1.0)
      throw InvalidInput(name, "its last row must be 0 0 0 1");
    return Pose::from_matrix({m->at(0, 3), m->at(1, 3), m->at(2, 3)}, rotation_of(*m));
  }
  double n[3];
  if (read_numbers(value, n, 3)) return Pose::translation({n[0], n[1], n[2]});
  if ((py::isinstance<py::tuple>(value) || py::isinstance<py::list>(value)) &&
      py::len(value) == 2) {
    const auto pair = py::reinterpret_borrow<py::sequence>(value);
    if (read_numbers(pair[0], n, 3)) return pose_of({n[0], n[1], n[2]}, pair[1], name);
  }
  throw InvalidInput(name, "must be a Pose, a position, a matrix (4, 4), or a pair of position and "
                           "rotation");
}

const Shape* known_shape(const py::handle& value) {
  return py::isinstance<Shape>(value) ? value.cast<const Shape*>() : nullptr;
}

TriangleMesh mesh_from(const py::handle& value, const char* name) {
  const char* const faces = py::hasattr(value, "faces") ? "faces" : "triangles";
  if (!py::hasattr(value, "vertices") || !py::hasattr(value, faces))
    throw InvalidInput(name, "must have vertices and faces");
  return {points_from(value.attr("vertices"), "vertices"),
          indices_from<3>(value.attr(faces), faces)};
}

Shape shape_from(const py::handle& value, const char* name) {
  if (const Shape* const shape = known_shape(value)) return *shape;
  if (auto shape = geometry<Sphere, Box, Capsule, Cylinder, Cone, Ellipsoid, Convex, Mesh, HalfSpace,
                            Compound, CustomConvex>(value))
    return *shape;
  if (py::hasattr(value, "vertices")) return Mesh(mesh_from(value, name));
  throw InvalidInput(name, "must be a Shape, or a mesh with vertices and faces");
}

}  // namespace tactus::python
