#pragma once

#include <pybind11/functional.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <exception>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "docstrings.hpp"
#include "running.hpp"
#include "tactus/tactus.hpp"

namespace tactus::python {

namespace py = pybind11;

/// How an element of a list lies in an array: numbers of one type, in so many columns (0: in a row
/// of its own, as the list has one dimension).
template <class T>
struct Row {
  static constexpr bool known = false;
};
template <class T>
  requires(std::is_arithmetic_v<T> && !std::is_same_v<T, bool>)
struct Row<T> {
  static constexpr bool known = true;
  using Number = T;
  static constexpr py::ssize_t columns = 0;
};
template <class T, std::size_t N>
  requires std::is_arithmetic_v<T>
struct Row<std::array<T, N>> {
  static constexpr bool known = true;
  using Number = T;
  static constexpr py::ssize_t columns = static_cast<py::ssize_t>(N);
};
template <py::ssize_t Columns>
struct RowOfDoubles {
  static constexpr bool known = true;
  using Number = double;
  static constexpr py::ssize_t columns = Columns;
};
template <>
struct Row<Vec3> : RowOfDoubles<3> {};
template <>
struct Row<planar::Vec2> : RowOfDoubles<2> {};
template <>
struct Row<Quat> : RowOfDoubles<4> {};

/// An array that is contiguous and of this element type, as it lies in memory. Throws InvalidInput
/// (`name`) for another type, number of dimensions or order.
py::array plain_array(const py::handle& value, const char* name, const py::dtype& type,
                      int dimensions);
/// The list in an array's memory, without a copy: of exactly the type of its numbers. The array
/// must outlive it. Throws InvalidInput (`name`).
template <class T>
std::span<const T> view_of(const py::handle& value, const char* name) {
  using Number = typename Row<T>::Number;
  constexpr py::ssize_t columns = Row<T>::columns;
  static_assert(sizeof(T) == sizeof(Number) * static_cast<std::size_t>(columns == 0 ? 1 : columns));
  const py::array array = plain_array(value, name, py::dtype::of<Number>(), columns == 0 ? 1 : 2);
  if (columns != 0 && array.shape(1) != columns)
    throw InvalidInput(name, "must have " + std::to_string(columns) + " columns, not " +
                                 std::to_string(array.shape(1)));
  return {static_cast<const T*>(array.data()), static_cast<std::size_t>(array.shape(0))};
}

/// Reads `count` numbers from a list, a tuple or an array of one dimension.
bool read_numbers(const py::handle& from, double* out, py::ssize_t count);
/// Numbers of lists and arrays, as an array that is contiguous: no text, no bool, and of integers
/// none with a fraction. Empty where they are none.
std::optional<py::array_t<double>> floats_from(const py::handle& value);
std::optional<py::array_t<std::int64_t>> integers_from(const py::handle& value);

/// A list from numbers in an array or in lists; false where they are none, do not fit, or have
/// another shape.
template <class T>
bool read_list(const py::handle& from, std::vector<T>& out) {
  using Number = typename Row<T>::Number;
  constexpr py::ssize_t columns = Row<T>::columns;
  const auto copy = [&](const auto& array) {
    if (array.size() == 0) return true;
    if (array.ndim() != (columns == 0 ? 1 : 2)) return false;
    if (columns != 0 && array.shape(1) != columns) return false;
    out.resize(static_cast<std::size_t>(array.shape(0)));
    auto* to = reinterpret_cast<Number*>(out.data());
    const auto* numbers = array.data();
    for (py::ssize_t i = 0; i < array.size(); ++i) {
      to[i] = static_cast<Number>(numbers[i]);
      if constexpr (std::is_integral_v<Number>)
        if (static_cast<std::int64_t>(to[i]) != numbers[i] ||
            (std::is_unsigned_v<Number> && numbers[i] < 0))
          return false;
    }
    return true;
  };
  out.clear();
  if (!py::isinstance<py::array>(from) && !py::isinstance<py::sequence>(from) &&
      !py::hasattr(from, "__array__"))
    return false;
  if constexpr (std::is_integral_v<Number>) {
    const auto array = integers_from(from);
    return array && copy(*array);
  } else {
    const auto array = floats_from(from);
    return array && copy(*array);
  }
}

inline py::array_t<double> to_array(const double* numbers, py::ssize_t count) {
  py::array_t<double> array(count);
  std::copy(numbers, numbers + count, array.mutable_data());
  return array;
}
/// A copy of a list as an array.
template <class T>
py::array_t<typename Row<T>::Number> list_array(std::span<const T> list) {
  using Number = typename Row<T>::Number;
  std::vector<py::ssize_t> shape{static_cast<py::ssize_t>(list.size())};
  if (Row<T>::columns != 0) shape.push_back(Row<T>::columns);
  py::array_t<Number> array(shape);
  const auto* from = reinterpret_cast<const Number*>(list.data());
  std::copy(from, from + array.size(), array.mutable_data());
  return array;
}
template <class T>
py::array_t<typename Row<T>::Number> list_array(const std::vector<T>& list) {
  return list_array(std::span<const T>(list));
}

/// A list from numbers. Throws InvalidInput (`name`).
template <class T>
std::vector<T> list_from(const py::handle& value, const char* name) {
  std::vector<T> list;
  if (read_list(value, list)) return list;
  constexpr bool integers = std::is_integral_v<typename Row<T>::Number>;
  throw InvalidInput(
      name, std::string("must be ") +
                (Row<T>::columns == 0 ? "a list"
                                      : "an array (n, " + std::to_string(Row<T>::columns) + ")") +
                (integers ? " of integers in range" : " of numbers"));
}
inline std::vector<Vec3> points_from(const py::handle& value, const char* name) {
  return list_from<Vec3>(value, name);
}

/// The Python type of a class. No guard of C++ about it: while Python looks for the type, another
/// thread may come here.
template <class T>
PyTypeObject* type_of() {
  static PyTypeObject* type = nullptr;
  if (type == nullptr) type = reinterpret_cast<PyTypeObject*>(py::type::of<T>().ptr());
  return type;
}
/// The value that a Python object of this class, or of one derived from it, holds; null of others.
/// Some nanoseconds, where a cast of pybind11 looks into tables.
template <class T>
T* held(const py::handle& value) {
  PyObject* const object = value.ptr();
  if (Py_TYPE(object) == type_of<T>()) {
    auto* const instance = reinterpret_cast<py::detail::instance*>(object);
    if (instance->simple_layout) return static_cast<T*>(instance->simple_value_holder[0]);
  }
  return py::isinstance<T>(value) ? value.cast<T*>() : nullptr;
}
/// A Python object with a copy of the value.
template <class T>
py::object new_object(const T& value) {
  static const py::detail::type_info* info = nullptr;
  if (info == nullptr) info = py::detail::get_type_info(type_of<T>());
  auto made = py::reinterpret_steal<py::object>(py::detail::make_new_instance(type_of<T>()));
  auto* const instance = reinterpret_cast<py::detail::instance*>(made.ptr());
  instance->simple_value_holder[0] = new T(value);
  info->init_instance(instance, nullptr);
  return made;
}

/// A pose as Python may write it: a Pose, None (no motion), a matrix (4, 4), or a pair of position
/// and rotation, which is a quaternion (w, x, y, z), a matrix (3, 3), or a Rotation of scipy.
/// Throws InvalidInput (`name`).
Pose pose_from(const py::handle& value, const char* name);
/// A pose of the plane: a Pose2, None, a position, or a pair of position and angle.
planar::Pose2 planar_pose_from(const py::handle& value, const char* name);
/// A shape as Python may write it: a Shape, one of the geometries, or a mesh: anything with
/// `vertices` and `faces` (or `triangles`). Throws InvalidInput (`name`).
Shape shape_from(const py::handle& value, const char* name);
/// The Shape itself, where it is one; else null.
const Shape* known_shape(const py::handle& value);
TriangleMesh mesh_from(const py::handle& value, const char* name);

/// Objects of Python that stand for a value: the types tell readers and type checkers so.
#define TACTUS_LIKE(Name)                          \
  class Name : public py::object {                 \
   public:                                         \
    static bool any(PyObject*) { return true; }    \
    PYBIND11_OBJECT_DEFAULT(Name, py::object, any) \
  }
TACTUS_LIKE(PoseLike);
TACTUS_LIKE(PlanarPoseLike);
TACTUS_LIKE(ShapeLike);
TACTUS_LIKE(MeshLike);
TACTUS_LIKE(ArrayLike);
#undef TACTUS_LIKE

/// A pose or shape that a caller gave: his own, or one made of what he gave.
class PoseArgument {
 public:
  PoseArgument(const py::handle& value, const char* name) {
    known_ = held<Pose>(value);
    if (known_ == nullptr) made_ = pose_from(value, name);
  }
  const Pose& get() const { return known_ != nullptr ? *known_ : made_; }

 private:
  Pose made_;
  const Pose* known_ = nullptr;
};
class ShapeArgument {
 public:
  ShapeArgument(const py::handle& value, const char* name) : known_(known_shape(value)) {
    if (known_ == nullptr) made_ = shape_from(value, name);
  }
  const Shape& get() const { return known_ != nullptr ? *known_ : *made_; }

 private:
  const Shape* known_;
  std::optional<Shape> made_;
};

/// Makes the error the one that Python sees next.
void set_error(const InvalidInput& error);
/// As `set_error`, for whatever has been thrown, in functions that the interpreter calls itself.
void set_error_of(std::exception_ptr error);
/// Errors of Python code that the library called: the library goes on, and the function that Python
/// called raises the first one in the end. With the interpreter held.
void keep_error(py::error_already_set& error);
void keep_refusal(const char* field, const char* reason);
/// Raises what has been kept, and gives the value otherwise.
template <class T>
T checked(T value) {
  raise_kept_error();
  return value;
}
template <class E>
struct EnumRow {
  const char* name;
  E value;
  const char* doc;
};
/// An enumeration, also by its names in files: `Method("gjk")`, `str(Method.gjk)`; functions take
/// the names as well.
template <class E>
void add_enum(const py::handle& scope, const char* name, const char* text,
              std::initializer_list<EnumRow<E>> rows) {
  py::enum_<E> type(scope, name, text);
  for (const EnumRow<E>& row : rows) type.value(row.name, row.value, row.doc);
  type.def(py::init([name, list = std::vector<EnumRow<E>>(rows)](const std::string& given) {
    for (const EnumRow<E>& row : list)
      if (given == row.name || given == to_string(row.value)) return row.value;
    throw InvalidInput(name, "there is none called " + given);
  }));
  type.attr("__str__") =
      py::cpp_function([](E value) { return std::string(to_string(value)); }, py::is_method(type));
  py::implicitly_convertible<std::string, E>();
}

}  // namespace tactus::python

namespace pybind11::detail {

template <class T, ssize_t Count>
struct numbers_caster {
  PYBIND11_TYPE_CASTER(T, const_name("numpy.ndarray"));
  bool load(handle from, bool) {
    double n[Count];
    if (!tactus::python::read_numbers(from, n, Count)) return false;
    if constexpr (Count == 4) {
      value = T{n[0], n[1], n[2], n[3]};
    } else if constexpr (Count == 3) {
      value = T{n[0], n[1], n[2]};
    } else {
      value = T{n[0], n[1]};
    }
    return true;
  }
  static handle cast(const T& v, return_value_policy, handle) {
    static_assert(sizeof(T) == Count * sizeof(double));
    return tactus::python::to_array(reinterpret_cast<const double*>(&v), Count).release();
  }
};
template <>
struct type_caster<tactus::Vec3> : numbers_caster<tactus::Vec3, 3> {};
template <>
struct type_caster<tactus::Quat> : numbers_caster<tactus::Quat, 4> {};
template <>
struct type_caster<tactus::planar::Vec2> : numbers_caster<tactus::planar::Vec2, 2> {};

template <>
struct type_caster<tactus::Mat3> {
  PYBIND11_TYPE_CASTER(tactus::Mat3, const_name("numpy.ndarray"));
  bool load(handle from, bool) {
    std::vector<tactus::Vec3> rows;
    if (!tactus::python::read_list(from, rows) || rows.size() != 3) return false;
    for (int i = 0; i < 3; ++i) value.row[i] = rows[static_cast<std::size_t>(i)];
    return true;
  }
  static handle cast(const tactus::Mat3& m, return_value_policy, handle) {
    return tactus::python::list_array(std::span<const tactus::Vec3>(m.row)).release();
  }
};

/// Lists of numbers are arrays, and arrays or lists are taken for them.
template <class T>
  requires(tactus::python::Row<T>::known)
struct type_caster<std::vector<T>> {
  PYBIND11_TYPE_CASTER(std::vector<T>, const_name("numpy.ndarray"));
  bool load(handle from, bool) { return tactus::python::read_list(from, value); }
  static handle cast(const std::vector<T>& list, return_value_policy, handle) {
    return tactus::python::list_array(std::span<const T>(list)).release();
  }
};
/// Out only.
template <class T>
  requires(tactus::python::Row<std::remove_const_t<T>>::known)
struct type_caster<std::span<T>> {
  using Type = std::span<T>;
  static constexpr auto name = const_name("numpy.ndarray");
  static handle cast(const Type& list, return_value_policy, handle) {
    return tactus::python::list_array(std::span<const std::remove_const_t<T>>(list)).release();
  }
};
template <class T, std::size_t N>
  requires(std::is_arithmetic_v<T> && !std::is_same_v<T, bool>)
struct type_caster<std::array<T, N>> {
  using Type = std::array<T, N>;
  PYBIND11_TYPE_CASTER(Type, const_name("numpy.ndarray"));
  bool load(handle from, bool) {
    std::vector<T> list;
    if (!tactus::python::read_list(from, list) || list.size() != N) return false;
    std::copy(list.begin(), list.end(), value.begin());
    return true;
  }
  static handle cast(const Type& list, return_value_policy, handle) {
    return tactus::python::list_array(std::span<const T>(list)).release();
  }
};

/// A thing of the plane: one of its three classes, none of which can be made of nothing.
template <>
struct type_caster<tactus::planar::PlanarShape> {
  using Type = tactus::planar::PlanarShape;
  static constexpr auto name = const_name("PlanarShape");
  template <class G>
  bool take(handle from) {
    if (!isinstance<G>(from)) return false;
    value.emplace(from.cast<const G&>());
    return true;
  }
  bool load(handle from, bool) {
    return take<tactus::planar::Circle>(from) || take<tactus::planar::Contour>(from) ||
           take<tactus::planar::Region>(from);
  }
  template <class T>
  using cast_op_type = pybind11::detail::cast_op_type<T>;
  operator Type*() { return &*value; }
  operator Type&() { return *value; }
  std::optional<Type> value;
};

template <>
struct handle_type_name<tactus::python::PoseLike> {
  static constexpr auto name = const_name("PoseLike");
};
template <>
struct handle_type_name<tactus::python::PlanarPoseLike> {
  static constexpr auto name = const_name("PlanarPoseLike");
};
template <>
struct handle_type_name<tactus::python::ShapeLike> {
  static constexpr auto name = const_name("ShapeLike");
};
template <>
struct handle_type_name<tactus::python::MeshLike> {
  static constexpr auto name = const_name("MeshLike");
};
template <>
struct handle_type_name<tactus::python::ArrayLike> {
  static constexpr auto name = const_name("ArrayLike");
};

}  // namespace pybind11::detail
