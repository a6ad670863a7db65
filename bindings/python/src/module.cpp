#include "classes.hpp"
#include "convert.hpp"

namespace tactus::python {
namespace {

py::object& invalid_input() {
  static auto* const type = new py::object();
  return *type;
}

void add_errors(py::module_& m) {
  const py::module_ names = py::module_::import("tactus.errors");
  invalid_input() = names.attr("InvalidInput");
  m.attr("InvalidInput") = invalid_input();
  static auto* const file = new py::object(names.attr("FileError"));
  m.attr("FileError") = *file;
  py::register_exception_translator([](std::exception_ptr error) {
    try {
      if (error) std::rethrow_exception(error);
    } catch (const InvalidInput& e) {
      set_error(e);
    } catch (const FileError& e) {
      PyErr_SetString(file->ptr(), e.what());
    }
  });
}

/// The first two pickle protocols make an object of the base of all of pybind11's classes, and
/// pybind11 answers with a C++ exception, which ends the interpreter. An error of Python's instead.
void refuse_bare_objects() {
  static PyTypeObject* const base =
      reinterpret_cast<PyTypeObject*>(py::detail::get_internals().instance_base);
  static const newfunc make = base->tp_new;
  base->tp_new = [](PyTypeObject* type, PyObject* args, PyObject* named) -> PyObject* {
    if (type != base) return make(type, args, named);
    PyErr_SetString(PyExc_TypeError, "pickle: needs protocol 2 or later");
    return nullptr;
  };
}

}  // namespace

void set_error(const InvalidInput& error) {
  const py::object& type = invalid_input();
  PyErr_SetObject(type.ptr(), type(error.field(), error.reason()).ptr());
}

PYBIND11_MODULE(_tactus, m) {
  m.doc() = "How two things touch, and the proof.";
  for (const char* const name : {"fit", "planar", "ccd", "soft", "io"}) m.def_submodule(name);
  refuse_bare_objects();
  add_errors(m);
  watch_the_end();
  m.attr("__version__") = std::string(version());
  add_classes(m);
  add_core_values(m);
  add_planar_values(m);
  add_deform_values(m);
  add_io_values(m);
  add_math(m);
  add_shapes(m);
  add_meshes(m);
  add_broad(m);
  add_queries(m);
  add_batches(m);
  add_checks(m);
  add_classic(m);
  add_fit(m);
  add_planar(m);
  add_ccd(m);
  add_bodies(m);
  add_worlds(m);
  add_deform(m);
  add_robots(m);
  add_scenes(m);
  add_recordings(m);
}

}  // namespace tactus::python
