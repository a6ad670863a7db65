#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "docstrings.hpp"
#include "tactus/tactus.hpp"

namespace tactus::python {

namespace py = pybind11;

/// An array of doubles of this many dimensions, contiguous, as it lies in memory: no copies.
/// Throws InvalidInput (`name`) for another element type, shape or order.
inline py::array_t<double> doubles(const py::handle& value, const char* name, int dimensions) {
  if (!py::isinstance<py::array>(value))
    throw InvalidInput(name, "must be an array of float64");
  const auto array = py::reinterpret_borrow<py::array>(value);
  if (!py::isinstance<py::array_t<double>>(value))
    throw InvalidInput(name, "must be of float64, not " + std::string(py::str(array.dtype())));
  if (array.ndim() != dimensions)
    throw InvalidInput(name, "must have " + std::to_string(dimensions) + " dimensions, not " +
                                 std::to_string(array.ndim()));
  if ((array.flags() & py::array::c_style) == 0)
    throw InvalidInput(name, "must be contiguous (numpy.ascontiguousarray makes it so)");
  return py::reinterpret_borrow<py::array_t<double>>(value);
}

/// A number of a vector: an int or a float, of Python or numpy, but no bool and no text.
inline bool read_number(PyObject* object, double& out) {
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

/// Reads `count` numbers from a list, a tuple or an array of one dimension.
inline bool read_numbers(const py::handle& from, double* out, py::ssize_t count) {
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
  const char kind = array.dtype().kind();
  if (array.ndim() != 1 || array.size() != count || (kind != 'f' && kind != 'i' && kind != 'u'))
    return false;
  const auto numbers = py::array_t<double, py::array::c_style | py::array::forcecast>::ensure(from);
  if (!numbers) {
    PyErr_Clear();
    return false;
  }
  for (py::ssize_t i = 0; i < count; ++i) out[i] = numbers.data()[i];
  return true;
}

inline py::array_t<double> to_array(const double* numbers, py::ssize_t count) {
  py::array_t<double> array(count);
  std::copy(numbers, numbers + count, array.mutable_data());
  return array;
}

inline py::array_t<double> to_array(std::span<const Vec3> points) {
  py::array_t<double> array({static_cast<py::ssize_t>(points.size()), py::ssize_t{3}});
  double* out = array.mutable_data();
  for (const Vec3& p : points) {
    *out++ = p.x;
    *out++ = p.y;
    *out++ = p.z;
  }
  return array;
}

/// Points of an array (n, 3); a list of points will do as well.
std::vector<Vec3> points_from(const py::handle& value, const char* name);
/// Indices of an array of integers (n, columns).
template <std::size_t Columns>
std::vector<std::array<std::uint32_t, Columns>> indices_from(const py::handle& value,
                                                             const char* name) {
  const auto array =
      py::array_t<std::int64_t, py::array::c_style | py::array::forcecast>::ensure(value);
  if (!array || (py::isinstance<py::array>(value) &&
                 py::reinterpret_borrow<py::array>(value).dtype().kind() == 'f')) {
    PyErr_Clear();
    throw InvalidInput(name, "must be an array of integers");
  }
  if (array.size() == 0) return {};
  if (array.ndim() != 2 || array.shape(1) != static_cast<py::ssize_t>(Columns))
    throw InvalidInput(name, "must have " + std::to_string(Columns) + " columns");
  std::vector<std::array<std::uint32_t, Columns>> out(static_cast<std::size_t>(array.shape(0)));
  const std::int64_t* from = array.data();
  for (std::size_t i = 0; i < out.size(); ++i) {
    for (std::uint32_t& index : out[i]) {
      if (*from < 0 || *from > std::numeric_limits<std::uint32_t>::max())
        throw InvalidInput(std::string(name) + "[" + std::to_string(i) + "]", "is out of range");
      index = static_cast<std::uint32_t>(*from++);
    }
  }
  return out;
}

/// A pose as Python may write it: a Pose, None (no motion), a matrix (4, 4), or a pair of position
/// and rotation, which is a quaternion (w, x, y, z), a matrix (3, 3), or a Rotation of scipy.
/// Throws InvalidInput (`name`).
Pose pose_from(const py::handle& value, const char* name);
struct PoseArgument {
  Pose pose;
};
/// A shape as Python may write it: a Shape, one of the geometries, or a mesh: anything with
/// `vertices` and `faces` (or `triangles`). Throws InvalidInput (`name`).
Shape shape_from(const py::handle& value, const char* name);
/// The Shape itself, where it is one; else null.
const Shape* known_shape(const py::handle& value);
struct ShapeArgument {
  const Shape* known = nullptr;
  std::optional<Shape> made;
  const Shape& get() const { return known != nullptr ? *known : *made; }
};
TriangleMesh mesh_from(const py::handle& value, const char* name);

/// An enumeration with its names in files: `Method("gjk")`, `str(Method.gjk)`; functions take the
/// name as well.
template <class E>
void add_enum(py::module_& m, const char* name) {
  const char* const text = find_doc(name);
  py::enum_<E> type(m, name, text != nullptr ? text : "");
  for (std::underlying_type_t<E> i = 0;; ++i) {
    std::string value(to_string(static_cast<E>(i)));
    if (value.empty()) break;
    std::replace(value.begin(), value.end(), '-', '_');
    std::replace(value.begin(), value.end(), ' ', '_');
    type.value(value.c_str(), static_cast<E>(i));
  }
  type.def(py::init([name](const std::string& text) {
    if (const std::optional<E> value = from_string<E>(text)) return *value;
    throw InvalidInput(name, "there is none called " + text);
  }));
  type.attr("__str__") =
      py::cpp_function([](E value) { return std::string(to_string(value)); }, py::is_method(type));
  py::implicitly_convertible<std::string, E>();
}

void add_math(py::module_& m);
void add_shapes(py::module_& m);
void add_meshes(py::module_& m);
void add_queries(py::module_& m);
void add_batches(py::module_& m);
void add_worlds(py::module_& m);
void add_scenes(py::module_& m);

}  // namespace tactus::python

namespace pybind11::detail {

/// Vectors are arrays of three numbers.
template <>
struct type_caster<tactus::Vec3> {
  PYBIND11_TYPE_CASTER(tactus::Vec3, const_name("numpy.ndarray[3]"));
  bool load(handle from, bool) {
    double n[3];
    if (!tactus::python::read_numbers(from, n, 3)) return false;
    value = {n[0], n[1], n[2]};
    return true;
  }
  static handle cast(const tactus::Vec3& v, return_value_policy, handle) {
    const double n[3] = {v.x, v.y, v.z};
    return tactus::python::to_array(n, 3).release();
  }
};

template <>
struct type_caster<tactus::Quat> {
  PYBIND11_TYPE_CASTER(tactus::Quat, const_name("numpy.ndarray[4]"));
  bool load(handle from, bool) {
    double n[4];
    if (!tactus::python::read_numbers(from, n, 4)) return false;
    value = {n[0], n[1], n[2], n[3]};
    return true;
  }
  static handle cast(const tactus::Quat& q, return_value_policy, handle) {
    const double n[4] = {q.w, q.x, q.y, q.z};
    return tactus::python::to_array(n, 4).release();
  }
};

template <>
struct type_caster<tactus::Mat3> {
  PYBIND11_TYPE_CASTER(tactus::Mat3, const_name("numpy.ndarray[3, 3]"));
  bool load(handle from, bool) {
    const auto array =
        tactus::python::py::array_t<double, array::c_style | array::forcecast>::ensure(from);
    if (!array) {
      PyErr_Clear();
      return false;
    }
    if (array.ndim() != 2 || array.shape(0) != 3 || array.shape(1) != 3) return false;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) value(i, j) = array.at(i, j);
    return true;
  }
  static handle cast(const tactus::Mat3& m, return_value_policy, handle) {
    tactus::python::py::array_t<double> array({3, 3});
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) array.mutable_at(i, j) = m(i, j);
    return array.release();
  }
};

template <>
struct type_caster<tactus::python::PoseArgument> {
  PYBIND11_TYPE_CASTER(tactus::python::PoseArgument, const_name("Pose"));
  bool load(handle from, bool) {
    value.pose = tactus::python::pose_from(from, "pose");
    return true;
  }
};

template <>
struct type_caster<tactus::python::ShapeArgument> {
  PYBIND11_TYPE_CASTER(tactus::python::ShapeArgument, const_name("Shape"));
  bool load(handle from, bool) {
    value.known = tactus::python::known_shape(from);
    if (value.known == nullptr) value.made = tactus::python::shape_from(from, "shape");
    return true;
  }
};

}  // namespace pybind11::detail
