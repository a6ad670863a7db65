#include "convert.hpp"

#include <cstring>

namespace tactus::python {
namespace {

/// A number of a vector: an int or a float, of Python or numpy, but no bool and no text.
bool read_number(PyObject* object, double& out) {
  if (PyFloat_CheckExact(object)) {
    out = PyFloat_AS_DOUBLE(object);
    return true;
  }
  if (PyBool_Check(object) || !PyNumber_Check(object)) return false;
  out = PyFloat_AsDouble(object);
  if (PyErr_Occurred() == nullptr) return true;
  PyErr_Clear();
  return false;
}

/// An array of these kinds of numbers, as it is or from lists.
std::optional<py::array> numbers_of(const py::handle& value, const char* kinds) {
  const py::array array = py::array::ensure(value);
  if (!array) {
    PyErr_Clear();
    return {};
  }
  if (array.size() != 0 && std::strchr(kinds, array.dtype().kind()) == nullptr) return {};
  return array;
}

Pose pose_of(const Vec3& position, const py::handle& rotation, const std::string& name) {
  double q[4];
  if (read_numbers(rotation, q, 4)) return Pose(position, Quat{q[0], q[1], q[2], q[3]});
  py::detail::make_caster<Mat3> matrix;
  if (matrix.load(rotation, true))
    return Pose::from_matrix(position, py::detail::cast_op<const Mat3&>(matrix));
  // scipy.spatial.transform.Rotation, which puts the real part last.
  if (py::hasattr(rotation, "as_quat") && read_numbers(rotation.attr("as_quat")(), q, 4))
    return Pose(position, Quat{q[3], q[0], q[1], q[2]});
  throw InvalidInput(name,
                     "its rotation must be a quaternion (w, x, y, z), a matrix (3, 3) or a scipy "
                     "Rotation");
}

/// A matrix (4, 4), of which the last row must be 0 0 0 1.
std::optional<Pose> pose_of_matrix(const py::handle& value, const char* name) {
  std::vector<std::array<double, 4>> m;
  if (!read_list(value, m) || m.size() != 4) return {};
  if (m[3] != std::array<double, 4>{0.0, 0.0, 0.0, 1.0})
    throw InvalidInput(name, "its last row must be 0 0 0 1");
  Mat3 rotation;
  for (int i = 0; i < 3; ++i) {
    const auto& row = m[static_cast<std::size_t>(i)];
    rotation.row[i] = {row[0], row[1], row[2]};
  }
  return Pose::from_matrix({m[0][3], m[1][3], m[2][3]}, rotation);
}

template <class G>
bool take(const py::handle& value, std::optional<Shape>& out) {
  const G* const known = held<G>(value);
  if (known != nullptr) out.emplace(*known);
  return known != nullptr;
}

template <class... Gs>
std::optional<Shape> geometry(const py::handle& value) {
  std::optional<Shape> shape;
  (take<Gs>(value, shape) || ...);
  return shape;
}

/// The first error of Python code that the library called, until it is raised.
py::object& kept_error() {
  static auto* const error = new py::object();
  return *error;
}

}  // namespace

py::array plain_array(const py::handle& value, const char* name, const py::dtype& type,
                      int dimensions) {
  const std::string wanted = py::str(py::object(type));
  if (!py::isinstance<py::array>(value)) throw InvalidInput(name, "must be an array of " + wanted);
  auto array = py::reinterpret_borrow<py::array>(value);
  if (!array.dtype().equal(type))
    throw InvalidInput(
        name, "must be of " + wanted + ", not " + std::string(py::str(py::object(array.dtype()))));
  if (array.ndim() != dimensions)
    throw InvalidInput(name, "must have " + std::to_string(dimensions) + " dimensions, not " +
                                 std::to_string(array.ndim()));
  if ((array.flags() & py::array::c_style) == 0 ||
      (array.flags() & py::detail::npy_api::NPY_ARRAY_ALIGNED_) == 0)
    throw InvalidInput(name, "must be contiguous (numpy.ascontiguousarray makes it so)");
  return array;
}

bool read_numbers(const py::handle& from, double* out, py::ssize_t count) {
  PyObject* const object = from.ptr();
  if (PyTuple_Check(object) || PyList_Check(object)) {
    if (PySequence_Fast_GET_SIZE(object) != count) return false;
    PyObject** const items = PySequence_Fast_ITEMS(object);
    for (py::ssize_t i = 0; i < count; ++i)
      if (!read_number(items[i], out[i])) return false;
    return true;
  }
  if (!py::isinstance<py::array>(from)) return false;
  const auto array = py::reinterpret_borrow<py::array>(from);
  if (array.ndim() != 1 || array.size() != count) return false;
  if (py::isinstance<py::array_t<double>>(from)) {
    for (py::ssize_t i = 0; i < count; ++i) std::memcpy(out + i, array.data(i), sizeof(double));
    return true;
  }
  const auto numbers = floats_from(from);
  if (numbers) std::copy_n(numbers->data(), count, out);
  return numbers.has_value();
}

std::optional<py::array_t<double>> floats_from(const py::handle& value) {
  const auto array = numbers_of(value, "fiu");
  if (!array) return {};
  return py::array_t < double, py::array::c_style | py::array::forcecast > (*array);
}

std::optional<py::array_t<std::int64_t>> integers_from(const py::handle& value) {
  const auto array = numbers_of(value, "iu");
  if (!array) return {};
  return py::array_t < std::int64_t, py::array::c_style | py::array::forcecast > (*array);
}

Pose pose_from(const py::handle& value, const char* name) {
  if (const Pose* const known = held<Pose>(value)) return *known;
  if (value.is_none()) return {};
  double n[3];
  if (read_numbers(value, n, 3)) {
    const Vec3 position{n[0], n[1], n[2]};
    if (!is_finite(position)) throw InvalidInput(std::string(name) + ".position", "must be finite");
    return Pose::translation(position);
  }
  try {
    if ((py::isinstance<py::tuple>(value) || py::isinstance<py::list>(value)) &&
        py::len(value) == 2) {
      const auto pair = py::reinterpret_borrow<py::sequence>(value);
      if (read_numbers(pair[0], n, 3)) return pose_of({n[0], n[1], n[2]}, pair[1], "");
    }
    if (const auto pose = pose_of_matrix(value, "")) return *pose;
  } catch (const InvalidInput& error) {
    throw error.within(name);
  }
  throw InvalidInput(name,
                     "must be a Pose, a position, a matrix (4, 4), or a pair of position and "
                     "rotation");
}

planar::Pose2 planar_pose_from(const py::handle& value, const char* name) {
  if (py::isinstance<planar::Pose2>(value)) return value.cast<const planar::Pose2&>();
  if (value.is_none()) return {};
  double n[2], angle = 0.0;
  if (read_numbers(value, n, 2)) return planar::Pose2({n[0], n[1]}, 0.0);
  if ((py::isinstance<py::tuple>(value) || py::isinstance<py::list>(value)) &&
      py::len(value) == 2) {
    const auto pair = py::reinterpret_borrow<py::sequence>(value);
    if (read_numbers(pair[0], n, 2) && read_number(py::object(pair[1]).ptr(), angle))
      return planar::Pose2({n[0], n[1]}, angle);
  }
  throw InvalidInput(name, "must be a Pose2, a position, or a pair of position and angle");
}

const Shape* known_shape(const py::handle& value) { return held<Shape>(value); }

TriangleMesh mesh_from(const py::handle& value, const char* name) {
  if (py::isinstance<TriangleMesh>(value)) return value.cast<const TriangleMesh&>();
  const char* const faces = py::hasattr(value, "faces") ? "faces" : "triangles";
  if (!py::hasattr(value, "vertices") || !py::hasattr(value, faces))
    throw InvalidInput(name, "must have vertices and faces");
  return {points_from(value.attr("vertices"), "vertices"),
          list_from<std::array<std::uint32_t, 3>>(value.attr(faces), faces)};
}

Shape shape_from(const py::handle& value, const char* name) {
  if (const Shape* const shape = known_shape(value)) return *shape;
  // One look where the type is exact; what is derived from one takes longer.
  if (auto shape = geometry<Sphere, Box, Capsule, Cylinder, Cone, Ellipsoid, Convex, Mesh,
                            HalfSpace, Compound, CustomConvex>(value))
    return *shape;
  if (py::hasattr(value, "vertices")) return Mesh(mesh_from(value, name));
  throw InvalidInput(name, "must be a Shape, or a mesh with vertices and faces");
}

void set_error_of(std::exception_ptr error) {
  try {
    std::rethrow_exception(std::move(error));
  } catch (py::error_already_set& e) {
    e.restore();
  } catch (const InvalidInput& e) {
    set_error(e);
  } catch (const std::exception& e) {
    PyErr_SetString(PyExc_RuntimeError, e.what());
  }
}

void keep_error(py::error_already_set& error) {
  py::object& kept = kept_error();
  if (!kept) kept = error.value();
}

void keep_refusal(const char* field, const char* reason) {
  set_error(InvalidInput(field, reason));
  py::error_already_set error;
  keep_error(error);
}

void raise_kept_error() {
  py::object& kept = kept_error();
  if (!kept) return;
  const py::object error = std::move(kept);
  kept = py::object();
  PyErr_SetObject(py::type::handle_of(error).ptr(), error.ptr());
  throw py::error_already_set();
}

}  // namespace tactus::python
