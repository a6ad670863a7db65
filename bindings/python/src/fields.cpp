#include "fields.hpp"

#include <map>

namespace tactus::python {
namespace {

std::map<const PyTypeObject*, const FieldTable*>& tables() {
  static auto* const all = new std::map<const PyTypeObject*, const FieldTable*>();
  return *all;
}

/// The structure that a Python object holds; the descriptor has looked at its type.
void* value_in(PyObject* self) {
  auto* const instance = reinterpret_cast<py::detail::instance*>(self);
  void* const value = instance->get_value_and_holder().value_ptr();
  if (value == nullptr) throw InvalidInput("", "__init__ has not been called");
  return value;
}

/// Errors as Python's, out of functions that the interpreter calls.
template <class Action>
bool guarded(const Action& action) {
  try {
    action();
    return true;
  } catch (...) {
    set_error_of(std::current_exception());
    return false;
  }
}

PyObject* get_field(PyObject* self, void* closure) {
  const auto& field = *static_cast<const Field*>(closure);
  py::object value;
  if (!guarded([&] {
        value = field.read(static_cast<const char*>(value_in(self)) + field.offset, self);
      }))
    return nullptr;
  return value.release().ptr();
}

int set_field(PyObject* self, PyObject* value, void* closure) {
  const auto& field = *static_cast<const Field*>(closure);
  const bool done = guarded([&] {
    if (value == nullptr) throw InvalidInput(field.name, "cannot be deleted");
    field.write(static_cast<char*>(value_in(self)) + field.offset, value, self, field.name);
  });
  return done ? 0 : -1;
}

const Field* find_field(const FieldTable& table, std::string_view name) {
  for (const FieldTable* t = &table; t != nullptr; t = t->base)
    for (std::size_t i = 0; i < t->count; ++i)
      if (name == t->fields[i].name) return t->fields + i;
  return nullptr;
}

template <class Action>
void for_each_field(const FieldTable& table, const Action& action) {
  if (table.base != nullptr) for_each_field(*table.base, action);
  for (std::size_t i = 0; i < table.count; ++i) action(table.fields[i]);
}

void write(void* value, const py::handle& owner, const FieldTable& table, const Field& field,
           const py::handle& given) {
  if (field.write == nullptr || (!field.kept && !owner))
    throw InvalidInput(field.name, std::string("can only be read, of a ") + table.name);
  field.write(static_cast<char*>(value) + field.offset, given, owner, field.name);
}

/// Long values are told by their size.
std::string short_text(const py::handle& value) {
  if (py::isinstance<py::array>(value)) {
    const auto array = py::reinterpret_borrow<py::array>(value);
    if (array.size() <= 9) return py::str(py::repr(array.attr("tolist")()));
    return "<array " + std::string(py::str(array.attr("shape"))) + ">";
  }
  if (py::isinstance<py::list>(value) && py::len(value) > 4)
    return "<list of " + std::to_string(py::len(value)) + ">";
  const std::string text = py::str(py::repr(value));
  if (text.size() <= 80) return text;
  return "<" + std::string(py::str(py::type::handle_of(value).attr("__name__"))) + ">";
}

std::string text_of_fields(const void* value, const FieldTable& table) {
  std::string text = std::string(table.name) + "(";
  bool first = true;
  for_each_field(table, [&](const Field& field) {
    if (!field.kept) return;
    const py::object one = field.read(static_cast<const char*>(value) + field.offset, py::none());
    text += (first ? "" : ", ") + std::string(field.name) + "=" + short_text(one);
    first = false;
  });
  return text + ")";
}

py::tuple fields_of(const void* value, const FieldTable& table) {
  py::list state;
  for_each_field(table, [&](const Field& field) {
    if (field.kept)
      state.append(field.read(static_cast<const char*>(value) + field.offset, py::none()));
  });
  return py::tuple(state);
}

void restore_fields(void* value, const FieldTable& table, const py::tuple& state) {
  std::size_t i = 0;
  for_each_field(table, [&](const Field& field) {
    if (!field.kept) return;
    if (i == state.size()) throw InvalidInput("", "the state is too short");
    field.write(static_cast<char*>(value) + field.offset, state[i++], {}, field.name);
  });
}

/// A new object takes its value; what made it is called by the interpreter alone.
void add_constructor(const py::handle& type, const FieldTable& table) {
  using Place = py::detail::value_and_holder;
  const auto add = [&](const char* name, auto function) {
    type.attr(name) = py::cpp_function(function, py::name(name), py::is_method(type),
                                       py::detail::is_new_style_constructor());
  };
  // As py::init does, but with the object at hand that fields keep alive.
  add("__init__", [&table](Place& place, const py::args& given, const py::kwargs& named) {
    place.value_ptr() = table.make();
    fill_fields(place.value_ptr(), reinterpret_cast<PyObject*>(place.inst), table, given, named);
  });
  add("__setstate__", [&table](Place& place, const py::tuple& given) {
    place.value_ptr() = table.make();
    restore_fields(place.value_ptr(), table, given);
  });
}

/// The structure of an object that must be of that type.
const void* value_of(const py::handle& self, const py::handle& type) {
  if (!py::isinstance(self, type)) throw py::type_error("is of another type");
  return value_in(self.ptr());
}

void add_methods(const py::handle& type, const FieldTable& table) {
  const auto add = [&](const char* name, auto function) {
    type.attr(name) = py::cpp_function(function, py::name(name), py::is_method(type));
  };
  add("__repr__", [&table, type](const py::object& self) {
    return text_of_fields(value_of(self, type), table);
  });
  if (table.make != nullptr) {
    add("__getstate__",
        [&table, type](const py::object& self) { return fields_of(value_of(self, type), table); });
    // A structure that refers to other objects is copied without them, by the state.
    bool refers = false;
    for_each_field(table,
                   [&](const Field& field) { refers |= !field.kept && field.write != nullptr; });
    if (!refers)
      add("__copy__", [&table, type](const py::object& self) {
        py::object made = type.attr("__new__")(type);
        auto* const instance = reinterpret_cast<py::detail::instance*>(made.ptr());
        auto place = instance->get_value_and_holder();
        place.value_ptr() = table.copy(value_of(self, type));
        py::detail::get_type_info(reinterpret_cast<PyTypeObject*>(type.ptr()))
            ->init_instance(instance, nullptr);
        return made;
      });
  }
  if (table.equal == nullptr) return;
  add("__eq__", [&table, type](const py::object& self, const py::object& other) -> py::object {
    if (!py::isinstance(other, type)) return py::reinterpret_borrow<py::object>(Py_NotImplemented);
    return py::bool_(table.equal(value_of(self, type), value_of(other, type)));
  });
}

}  // namespace

void refuse_value(const char* name, const py::handle& value, const std::string& wanted) {
  std::string given = py::str(py::repr(value));
  if (given.size() > 60)
    given = "a " + std::string(py::str(py::type::handle_of(value).attr("__name__")));
  throw InvalidInput(name, "must be " + wanted + ", not " + given);
}

std::string names_of_values(const py::handle& type) {
  std::string names = "one of";
  for (const auto& [name, value] : py::dict(type.attr("__members__")))
    names += " " + std::string(py::str(name));
  return names;
}

std::string type_name_of(const std::type_info& type) {
  const py::handle known = py::detail::get_type_handle(type, false);
  if (known) return "a " + std::string(py::str(known.attr("__name__")));
  return "of another type";
}

const FieldTable* table_of(const py::handle& type) {
  const auto found = tables().find(reinterpret_cast<const PyTypeObject*>(type.ptr()));
  return found == tables().end() ? nullptr : found->second;
}

void define_value(const py::handle& type, const FieldTable& table) {
  tables()[reinterpret_cast<const PyTypeObject*>(type.ptr())] = &table;
  py::list names;
  for (std::size_t i = 0; i < table.count; ++i) {
    const Field& field = table.fields[i];
    // The interpreter refers to it as long as the type lives, which is until the end.
    auto* const entry =
        new PyGetSetDef{field.name, &get_field, field.write == nullptr ? nullptr : &set_field,
                        field.doc, const_cast<Field*>(&field)};
    const auto descriptor = py::reinterpret_steal<py::object>(
        PyDescr_NewGetSet(reinterpret_cast<PyTypeObject*>(type.ptr()), entry));
    if (!descriptor) throw py::error_already_set();
    type.attr(field.name) = descriptor;
    // A word of Python's own.
    if (std::string_view(field.name) == "from") type.attr("from_") = descriptor;
  }
  for_each_field(table, [&](const Field& field) { names.append(field.name); });
  type.attr("__fields__") = py::tuple(names);
  if (table.make != nullptr) add_constructor(type, table);
  add_methods(type, table);
}

void fill_fields(void* value, const py::handle& owner, const FieldTable& table,
                 const py::args& given, const py::kwargs& named) {
  const std::string_view required = table.required;
  bool met = required.empty();
  std::vector<const Field*> order;
  for_each_field(table, [&](const Field& field) { order.push_back(&field); });
  if (given.size() > order.size())
    throw InvalidInput("", std::string(table.name) + " has " + std::to_string(order.size()) +
                               " fields, not " + std::to_string(given.size()));
  for (std::size_t i = 0; i < given.size(); ++i) {
    write(value, owner, table, *order[i], given[i]);
    met = met || std::string_view(order[i]->name) == required;
  }
  for (const auto& [key, one] : named) {
    auto name = key.cast<std::string>();
    if (name == "from_") name = "from";
    const Field* const field = find_field(table, name);
    if (field == nullptr) throw InvalidInput(name, std::string("is no field of a ") + table.name);
    if (std::find(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(given.size()),
                  field) != order.begin() + static_cast<std::ptrdiff_t>(given.size()))
      throw InvalidInput(name, "is given twice");
    write(value, owner, table, *field, one);
    met = met || name == required;
  }
  if (!met) throw InvalidInput(std::string(required), "is missing");
}

py::dtype dtype_of(const FieldTable& table, std::size_t size) {
  py::list names, formats, offsets;
  for_each_field(table, [&](const Field& field) {
    const std::string format = field.format();
    if (format.empty()) return;
    names.append(field.name);
    formats.append(py::dtype::from_args(py::str(format)));
    offsets.append(field.offset);
  });
  return py::dtype(names, formats, offsets, static_cast<py::ssize_t>(size));
}

}  // namespace tactus::python
