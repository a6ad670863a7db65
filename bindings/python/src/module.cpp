#include "convert.hpp"

namespace tactus::python {

PYBIND11_MODULE(_tactus, m) {
  m.doc() = "How two things touch, and the proof.";
  static py::exception<InvalidInput> invalid(m, "InvalidInput", PyExc_ValueError);
  static py::exception<FileError> file(m, "FileError", PyExc_OSError);
  py::register_exception_translator([](std::exception_ptr error) {
    try {
      if (error) std::rethrow_exception(error);
    } catch (const InvalidInput& e) {
      invalid(e.what());
    } catch (const FileError& e) {
      file(e.what());
    }
  });
  m.attr("__version__") = std::string(version());
  add_math(m);
  add_shapes(m);
  add_meshes(m);
  add_queries(m);
  add_batches(m);
  add_worlds(m);
  add_scenes(m);
}

}  // namespace tactus::python
