#include <pybind11/stl/filesystem.h>

#include "convert.hpp"
#include "tactus/io.hpp"

namespace tactus::python {
namespace {

/// A scene that runs, and what it leaves.
class Run {
 public:
  Run(const std::filesystem::path& file, const std::vector<std::string>& assignments)
      : scene_(io::read_scene(file, assignments)),
        world_(io::build_world(scene_)),
        recording_(io::start_recording(scene_)) {
    io::record(scene_, *world_, recording_);
  }

  RigidWorld& world() { return *world_; }
  const io::Scene& scene() const { return scene_; }
  std::uint64_t steps() const { return scene_.recording.steps; }

  void step(std::uint64_t steps) {
    for (std::uint64_t i = 0; i < steps; ++i) {
      {
        const py::gil_scoped_release run;
        io::begin_step(scene_, world_->step_count(), *world_);
        require_done(world_->step());
        io::record(scene_, *world_, recording_);
      }
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    }
  }
  std::string html() const { return io::html_page(scene_, recording_); }
  void write(const std::filesystem::path& file) const { io::write_recording(recording_, file); }

 private:
  io::Scene scene_;
  std::unique_ptr<RigidWorld> world_;
  io::Recording recording_;
};

}  // namespace

void add_scenes(py::module_& m) {
  m.def("read_mesh",
        [](const std::filesystem::path& file) {
          const TriangleMesh mesh = io::read_mesh(file);
          return Mesh(mesh);
        },
        py::arg("file"), doc("io::read_mesh"));
  py::class_<Run>(m, "Run",
                  "A scene file that runs: `world`, `step`, the player's page and the recording.")
      .def(py::init<std::filesystem::path, std::vector<std::string>>(), py::arg("file"),
           py::arg("assignments") = std::vector<std::string>(),
           "`assignments` change values of the file: `\"world.gravity=[0,0,-1.6]\"`.")
      .def_property_readonly("world", &Run::world, py::return_value_policy::reference_internal)
      .def_property_readonly("title", [](const Run& r) { return r.scene().title; })
      .def_property_readonly("steps", &Run::steps, "Steps of the whole run, as the scene says.")
      .def("step", &Run::step, py::arg("steps") = 1)
      .def("html", &Run::html, "The page that plays what has been recorded.")
      .def("write", &Run::write, py::arg("file"), "Writes the recording (.tactus).");
}

}  // namespace tactus::python
