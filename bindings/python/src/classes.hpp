#pragma once

#include "fields.hpp"

namespace tactus::python {

/// A class of the headers that is more than its fields: made by the first call, before any
/// structure or function names it.
template <class T, class... Options>
py::class_<T, Options...>& class_of(const py::handle& scope = {}, const char* name = "",
                                    const char* text = "") {
  // Never destroyed: the interpreter may be gone before.
  static auto* const made = new py::class_<T, Options...>(scope, name, text);
  return *made;
}

/// A support function written in Python: a class with a method `support`. What it throws is kept,
/// and the answer is then that of a point.
class PythonSupport : public SupportFunction {
 public:
  Vec3 support(const Vec3& direction) const noexcept override;
};

/// An observer written in Python: a class with some of the methods `simplex`, `segment`, `plane`,
/// `cap`, `ray` and `polytope`.
class PythonObserver : public Observer {
 public:
  void simplex(const SimplexEvent& event) override;
  void segment(const SegmentEvent& event) override;
  void plane(const PlaneEvent& event) override;
  void cap(const CapEvent& event) override;
  void ray(const RayEvent& event) override;
  void polytope(const PolytopeEvent& event) override;
};

// The parts of the module, in the order in which they are added: first the classes that structures
// are nested in, then the structures and enumerations of the headers (generate.py), then all that
// is written by hand.

void add_classes(pybind11::module_& m);
void add_core_values(pybind11::module_& m);
void add_planar_values(pybind11::module_& m);
void add_deform_values(pybind11::module_& m);
void add_io_values(pybind11::module_& m);
void add_math(pybind11::module_& m);
void add_shapes(pybind11::module_& m);
void add_meshes(pybind11::module_& m);
void add_broad(pybind11::module_& m);
void add_queries(pybind11::module_& m);
void add_batches(pybind11::module_& m);
void add_checks(pybind11::module_& m);
void add_classic(pybind11::module_& m);
void add_fit(pybind11::module_& m);
void add_planar(pybind11::module_& m);
void add_ccd(pybind11::module_& m);
void add_bodies(pybind11::module_& m);
void add_worlds(pybind11::module_& m);
void add_deform(pybind11::module_& m);
void add_robots(pybind11::module_& m);
void add_scenes(pybind11::module_& m);
void add_recordings(pybind11::module_& m);

}  // namespace tactus::python
