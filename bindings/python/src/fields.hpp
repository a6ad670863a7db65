#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <type_traits>

#include "convert.hpp"
#include "tactus/io.hpp"

// Structures of the public headers as Python classes: tables of fields, which generate.py writes,
// and one way to read and write them all. A descriptor of the interpreter reads a field in some 30
// ns, and no code is made per field.
namespace tactus::python {

/// A field of a structure as Python sees it.
struct Field {
  const char* name;
  const char* doc;
  std::size_t offset;
  py::object (*read)(const void* at, const py::handle& owner);
  /// Null where it can only be read.
  void (*write)(void* at, const py::handle& value, const py::handle& owner, const char* name);
  bool kept;                ///< printed, pickled
  std::string (*format)();  ///< of the numbers in an array of structures; null of what is none
};

/// The fields of a structure, and the one that it is derived from.
struct FieldTable {
  const char* name = "";
  const Field* fields = nullptr;
  std::size_t count = 0;
  const FieldTable* base = nullptr;
  const char* required = "";                   ///< what must be given
  void* (*make)() = nullptr;                   ///< a new one; null where it cannot be copied
  void* (*copy)(const void* value) = nullptr;  ///< likewise
  bool (*equal)(const void* x, const void* y) = nullptr;
};

template <class T>
struct Fields {
  static constexpr Field* list = nullptr;
};

/// The structure as it is made by default. `required` names what must be given, of those that have
/// no value without it.
template <class T>
struct Blank {
  static constexpr const char* required = "";
  static T make() { return T(); }
};
template <>
struct Blank<BodyDefinition> {
  static constexpr const char* required = "shape";
  static BodyDefinition make() { return {Sphere(0.0)}; }
};
template <>
struct Blank<soft::ObstacleDefinition> {
  static constexpr const char* required = "shape";
  static soft::ObstacleDefinition make() { return {Sphere(0.0)}; }
};
template <>
struct Blank<Compound::Part> {
  static constexpr const char* required = "shape";
  static Compound::Part make() { return {Sphere(0.0), {}}; }
};
template <>
struct Blank<io::SceneShape> {
  static constexpr const char* required = "shape";
  static io::SceneShape make() { return {"", Sphere(0.0)}; }
};
template <>
struct Blank<io::SceneRegion> {
  static constexpr const char* required = "shape";
  static io::SceneRegion make() { return {"", Sphere(0.0), {}, false}; }
};
template <>
struct Blank<io::SceneBody> {
  static constexpr const char* required = "definition";
  static io::SceneBody make() { return {"", 0, 1.0, 0, {Sphere(0.0)}, {}}; }
};
template <>
struct Blank<RobotBody> {
  static constexpr const char* required = "shape";
  static RobotBody make() { return {Sphere(0.0)}; }
};
template <>
struct Blank<RobotPart> {
  static constexpr const char* required = "robot";
  static RobotPart make() { return {Robot("-", {{"-"}}, {})}; }
};
template <>
struct Blank<MovingObstacle> {
  static constexpr const char* required = "body";
  static MovingObstacle make() { return {Blank<RobotBody>::make()}; }
};
template <>
struct Blank<planar::PlacedCircle> {
  static constexpr const char* required = "circle";
  static planar::PlacedCircle make() { return {planar::Circle(0.0), {}}; }
};

template <class F>
struct IsSpan : std::false_type {};
template <class E>
struct IsSpan<std::span<const E>> : std::true_type {
  using Element = E;
};
/// Registered with pybind11, and not turned into arrays, lists or numbers.
template <class F>
inline constexpr bool kIsClass =
    std::is_base_of_v<py::detail::type_caster_generic, py::detail::make_caster<F>>;

template <class F>
py::object read_field(const void* at, const py::handle& owner) {
  const F& value = *static_cast<const F*>(at);
  if constexpr (std::is_same_v<F, double>) {
    return py::reinterpret_steal<py::object>(PyFloat_FromDouble(value));
  } else if constexpr (std::is_same_v<F, const char*>) {
    return py::str(value);
  } else if constexpr (std::is_pointer_v<F>) {
    return value == nullptr ? py::none() : py::cast(value, py::return_value_policy::reference);
  } else if constexpr (std::is_array_v<F>) {
    using E = std::remove_extent_t<F>;
    if constexpr (Row<E>::known) {
      return list_array(std::span<const E>(value));
    } else {
      return py::cast(std::vector<E>(std::begin(value), std::end(value)));
    }
  } else if constexpr (kIsClass<F> && std::is_aggregate_v<F>) {
    if (!owner || owner.is_none()) return py::cast(value, py::return_value_policy::copy);
    // A change in it is one in its owner.
    return py::cast(const_cast<F&>(value), py::return_value_policy::reference_internal, owner);
  } else {
    return py::cast(value, py::return_value_policy::copy);
  }
}

/// Throws InvalidInput: what the field must be, and what was given.
[[noreturn]] void refuse_value(const char* name, const py::handle& value,
                               const std::string& wanted);
/// Names of an enumeration's values, for messages.
std::string names_of_values(const py::handle& type);
std::string type_name_of(const std::type_info& type);

/// The values that a field takes, in words.
template <class F>
std::string wanted_of() {
  if constexpr (std::is_enum_v<F>) {
    return names_of_values(py::type::of<F>());
  } else if constexpr (std::is_same_v<F, bool>) {
    return "a bool";
  } else if constexpr (std::is_floating_point_v<F>) {
    return "a number";
  } else if constexpr (std::is_integral_v<F>) {
    return "an integer in range";
  } else if constexpr (std::is_same_v<F, std::string>) {
    return "a text";
  } else if constexpr (std::is_same_v<F, Mat3>) {
    return "a matrix (3, 3)";
  } else if constexpr (Row<F>::known) {
    return std::to_string(Row<F>::columns) + " numbers";
  } else if constexpr (kIsClass<F>) {
    return type_name_of(typeid(F));
  } else if constexpr (requires {
                         typename F::value_type;
                         typename F::iterator;
                       }) {
    return "a list, each " + wanted_of<typename F::value_type>();
  } else if constexpr (requires { typename F::value_type; }) {
    return wanted_of<typename F::value_type>() + " or None";
  } else {
    return "of another type";
  }
}

template <class F>
void write_pointer(void* at, const py::handle& value, const py::handle& owner, const char* name) {
  using P = std::remove_const_t<std::remove_pointer_t<F>>;
  F& place = *static_cast<F*>(at);
  if (value.is_none()) {
    place = nullptr;
    return;
  }
  py::object held = py::reinterpret_borrow<py::object>(value);
  if constexpr (std::is_same_v<P, Shape>)
    if (!py::isinstance<Shape>(held)) held = py::cast(shape_from(value, name));
  if (!py::isinstance<P>(held)) refuse_value(name, value, type_name_of(typeid(P)));
  place = held.cast<P*>();
  // It lives as long as what refers to it.
  py::detail::keep_alive_impl(owner, held);
}

template <class F>
void write_field(void* at, const py::handle& value, const py::handle& owner, const char* name) {
  if constexpr (std::is_pointer_v<F>) {
    write_pointer<F>(at, value, owner, name);
  } else if constexpr (IsSpan<F>::value) {
    using E = typename IsSpan<F>::Element;
    py::object held = py::reinterpret_borrow<py::object>(value);
    if (!py::isinstance<py::array>(held)) held = list_array(list_from<E>(value, name));
    *static_cast<F*>(at) = view_of<E>(held, name);
    py::detail::keep_alive_impl(owner, held);
  } else if constexpr (std::is_array_v<F>) {
    using E = std::remove_extent_t<F>;
    F& place = *static_cast<F*>(at);
    py::detail::make_caster<std::vector<E>> caster;
    if (!caster.load(value, true)) refuse_value(name, value, "a list");
    const auto& list = py::detail::cast_op<const std::vector<E>&>(caster);
    if (list.size() != std::extent_v<F>)
      refuse_value(name, value, std::to_string(std::extent_v<F>) + " of them");
    std::copy(list.begin(), list.end(), std::begin(place));
  } else if constexpr (std::is_same_v<F, Pose>) {
    *static_cast<Pose*>(at) = pose_from(value, name);
  } else if constexpr (std::is_same_v<F, planar::Pose2>) {
    *static_cast<planar::Pose2*>(at) = planar_pose_from(value, name);
  } else if constexpr (std::is_same_v<F, Shape>) {
    *static_cast<Shape*>(at) = shape_from(value, name);
  } else {
    py::detail::make_caster<F> caster;
    bool taken = false;
    try {
      // A bool is no number, and a number no bool.
      taken = caster.load(value, !std::is_same_v<F, bool>);
    } catch (const InvalidInput& error) {
      throw error.within(name);
    }
    if constexpr (kIsClass<F>) taken = taken && !value.is_none();
    if (taken) {
      *static_cast<F*>(at) = py::detail::cast_op<const F&>(caster);
      return;
    }
    refuse_value(name, value, wanted_of<F>());
  }
}

template <class N>
std::string number_format() {
  if constexpr (std::is_same_v<N, bool>) return "?";
  if constexpr (std::is_enum_v<N>) {
    return number_format<std::underlying_type_t<N>>();
  } else {
    const char kind = std::is_floating_point_v<N> ? 'f' : std::is_signed_v<N> ? 'i' : 'u';
    return kind + std::to_string(sizeof(N));
  }
}
/// As numpy writes it: "f8", "3f8".
template <class F>
std::string field_format() {
  if constexpr (std::is_same_v<F, Mat3>) return "(3,3)f8";
  if constexpr (std::is_arithmetic_v<F> || std::is_enum_v<F>) {
    return number_format<F>();
  } else if constexpr (Row<F>::known) {
    return std::to_string(Row<F>::columns) + number_format<typename Row<F>::Number>();
  } else {
    return "";
  }
}

template <class F>
constexpr Field field(const char* name, const char* doc, std::size_t offset) {
  // Text that somebody else keeps cannot be given.
  constexpr bool fixed = std::is_same_v<F, const char*> || std::is_same_v<F, std::string_view>;
  Field made{name, doc, offset, &read_field<F>, nullptr, false, &field_format<F>};
  if constexpr (!fixed) made.write = &write_field<F>;
  made.kept = !fixed && !std::is_pointer_v<F> && !IsSpan<F>::value;
  return made;
}
// NOLINTNEXTLINE(cppcoreguidelines-macro-usage): offsetof has no other form
#define TACTUS_FIELD(T, name, doc) field<decltype(T::name)>(#name, doc, offsetof(T, name))

/// The table of a class that `add_value` made; null of others.
const FieldTable* table_of(const py::handle& type);
/// Adds the descriptors of the fields, the constructor, what prints, compares, pickles and copies,
/// and remembers the table.
void define_value(const py::handle& type, const FieldTable& table);
/// Sets fields by their order and by their names. `owner`: the Python object of `value`, or none
/// where no field refers to what it is given. Throws InvalidInput: a name that there is not, a
/// value that does not fit, or that one is missing.
void fill_fields(void* value, const py::handle& owner, const FieldTable& table,
                 const py::args& given, const py::kwargs& named);
/// The type of an array of structures: those fields that are numbers.
py::dtype dtype_of(const FieldTable& table, std::size_t size);

template <class T>
FieldTable& table() {
  static FieldTable one{};
  return one;
}

/// A structure from keyword arguments, for functions that take its fields.
template <class T>
T value_from(const py::args& given, const py::kwargs& named) {
  if (named.size() == 0 && given.size() == 1 && py::isinstance<T>(given[0]))
    return py::object(given[0]).cast<const T&>();
  T value = Blank<T>::make();
  fill_fields(&value, {}, table<T>(), given, named);
  return value;
}

template <class T, class Base = void>
void add_value(const py::handle& scope, const char* name, const char* doc) {
  auto type = [&] {
    if constexpr (std::is_void_v<Base>) {
      return py::class_<T>(scope, name, doc);
    } else {
      return py::class_<T, Base>(scope, name, doc);
    }
  }();
  FieldTable& own = table<T>();
  own.name = name;
  if constexpr (Fields<T>::list != nullptr) {
    own.fields = Fields<T>::list;
    own.count = std::size(Fields<T>::list);
  }
  if constexpr (!std::is_void_v<Base>) own.base = &table<Base>();
  if constexpr (std::is_copy_constructible_v<T>) {
    own.required = Blank<T>::required;
    own.make = []() -> void* { return new T(Blank<T>::make()); };
    own.copy = [](const void* value) -> void* { return new T(*static_cast<const T*>(value)); };
  }
  if constexpr (std::equality_comparable<T>)
    own.equal = [](const void* x, const void* y) {
      return *static_cast<const T*>(x) == *static_cast<const T*>(y);
    };
  define_value(type, own);
}

/// An array of structures, with their numbers as named fields.
template <class T>
py::dtype structure_type() {
  // No guard of C++ about it: while Python makes the type, another thread may come here.
  static const py::dtype* type = nullptr;
  if (type == nullptr) type = new py::dtype(dtype_of(table<T>(), sizeof(T)));
  return *type;
}
template <class T>
py::array structures(std::span<const T> list) {
  static_assert(std::is_trivially_copyable_v<T>);
  py::array out(structure_type<T>(),
                std::vector<py::ssize_t>{static_cast<py::ssize_t>(list.size())});
  if (!list.empty()) std::memcpy(out.mutable_data(), list.data(), list.size_bytes());
  return out;
}

/// Adds a method to a class that is there.
template <class T, class Function, class... Extra>
void method(const char* name, Function&& function, const Extra&... extra) {
  const py::handle type = py::type::of<T>();
  // Methods of every structure are replaced; others are further overloads.
  const bool own = name[0] != '_';
  type.attr(name) = py::cpp_function(
      std::forward<Function>(function), py::name(name), py::is_method(type),
      py::sibling(own ? py::object(py::getattr(type, name, py::none())) : py::none()), extra...);
}
/// Adds a property that is read alone.
template <class T, class Function>
void property(const char* name, Function&& function, const char* text = "") {
  const py::handle type = py::type::of<T>();
  const py::object get = py::cpp_function(std::forward<Function>(function), py::is_method(type));
  type.attr(name) =
      py::module_::import("builtins").attr("property")(get, py::none(), py::none(), text);
}

}  // namespace tactus::python
