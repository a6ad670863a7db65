#include "tactus/io.hpp"
#include "worlds.hpp"

namespace tactus::python {
namespace {

using std::filesystem::path;

/// A list of Python gets the warnings of a reader.
struct Warnings {
  explicit Warnings(const py::object& list) : list_(list) {
    if (!list.is_none() && !py::isinstance<py::list>(list))
      throw InvalidInput("warnings", "must be a list");
  }
  io::MeshReadOptions options(io::UpAxis up) { return {up, &found_}; }
  void tell() {
    if (list_.is_none()) return;
    for (const std::string& line : found_) list_.attr("append")(line);
  }

 private:
  py::object list_;
  std::vector<std::string> found_;
};

template <class Read>
void add_reader(py::module_& m, const char* name, Read read, const char* text) {
  m.def(
      name,
      [read](const path& file, io::UpAxis up, const py::object& warnings) {
        Warnings notes(warnings);
        const auto options = notes.options(up);
        auto made = released([&] { return read(file, options); });
        notes.tell();
        return made;
      },
      py::arg("file"), py::arg("up") = io::UpAxis::as_it_is, py::arg("warnings") = py::none(),
      (std::string(text) + "\n\n`warnings`: a list, to which a line is added for all that was left "
                           "out or not understood.")
          .c_str());
}

void add_meshes_of_files(py::module_& m) {
  add_reader(m, "read_mesh", &io::read_mesh, doc("io::read_mesh"));
  add_reader(m, "read_points", &io::read_points, doc("io::read_points"));
  add_reader(m, "read_objects", &io::read_objects, doc("io::read_objects"));
  m.def("mesh_endings", &io::mesh_endings, doc("io::mesh_endings"));
  m.def("is_mesh_output", &io::is_mesh_output, py::arg("file"), doc("io::is_mesh_output"));
  m.def(
      "write_meshes",
      [](const path& file, const std::vector<io::NamedMesh>& objects) {
        io::write_meshes(file, objects);
      },
      py::arg("file"), py::arg("objects"), doc("io::write_meshes"));
  m.def(
      "write_obj",
      [](const path& file, const std::vector<io::NamedMesh>& objects) {
        io::write_obj(file, objects);
      },
      py::arg("file"), py::arg("objects"), doc("io::write_obj"));
  method<io::Image>("view", &io::Image::view, py::keep_alive<0, 1>(),
                    "The picture as `fit.trace_contours` takes it.");
  m.def("read_image", &io::read_image, py::arg("file"),
        py::arg("channel") = io::ImageChannel::automatic, doc("io::read_image"));
  m.def("regions_json", &io::regions_json, py::arg("tracing"), doc("io::regions_json"));
  m.def("contours_json", &io::contours_json, py::arg("tracing"), doc("io::contours_json"));
  m.def("regions_geojson", &io::regions_geojson, py::arg("tracing"), doc("io::regions_geojson"));
  m.def("regions_svg", &io::regions_svg, py::arg("tracing"), py::arg("size"), py::arg("y_up"),
        doc("io::regions_svg"));
  m.def("is_tetrahedra_file", &io::is_tetrahedra_file, py::arg("file"),
        doc("io::is_tetrahedra_file"));
  m.def("read_tetrahedra", &io::read_tetrahedra, py::arg("file"), doc("io::read_tetrahedra"));
  m.def("parse_tetrahedra", &io::parse_tetrahedra, py::arg("text"), py::arg("name"),
        doc("io::parse_tetrahedra"));
  m.def("write_tetrahedra", &io::write_tetrahedra, py::arg("file"), py::arg("mesh"),
        doc("io::write_tetrahedra"));
}

/// Do bodies come or go in a run of the scene?
bool changes_bodies(const io::Scene& scene) {
  const auto enters = [](const io::SceneBody& body) { return body.first_step > 0; };
  const auto removes = [](const io::SceneRegion& region) { return region.remove; };
  return !scene.acts.empty() || std::any_of(scene.bodies.begin(), scene.bodies.end(), enters) ||
         std::any_of(scene.regions.begin(), scene.regions.end(), removes);
}

void add_scenes_of_files(py::module_& m) {
  method<io::Scene>("__repr__", [](const io::Scene& s) {
    return "Scene('" + s.title + "', " + std::to_string(s.bodies.size()) + " bodies, " +
           std::to_string(s.deformables.size()) + " deformables)";
  });
  m.attr("kStartOverlap") = io::kStartOverlap;
  m.def(
      "read_scene",
      [](const path& file, const std::vector<std::string>& assignments) {
        return io::read_scene(file, assignments);
      },
      py::arg("file"), py::arg("assignments") = std::vector<std::string>(), doc("io::read_scene"));
  m.def("build_world", &io::build_world, py::arg("scene"),
        py::arg("overlap") = io::StartOverlap::refuse, doc("io::build_world"));
  m.def(
      "begin_step",
      [](const io::Scene& scene, std::uint64_t step, RigidWorld& world) {
        if (changes_bodies(scene)) require_no_views(world);
        io::begin_step(scene, step, world);
      },
      py::arg("scene"), py::arg("step"), py::arg("world"), doc("io::begin_step"));
  m.def("bodies_in", &io::bodies_in, py::arg("region"), py::arg("world"), doc("io::bodies_in"));
  m.def("continue_world", &io::continue_world, py::arg("scene"), py::arg("state"),
        doc("io::continue_world"));
  m.def("build_rigid_world", &io::build_rigid_world, py::arg("scene"),
        doc("io::build_rigid_world"));
  m.def(
      "build_deformable_world",
      [](const io::Scene& scene, const World* rigid) {
        return io::build_deformable_world(scene, rigid);
      },
      py::arg("scene"), py::arg("rigid") = py::none(), doc("io::build_deformable_world"));
  m.def("lead_vertices", &io::lead_vertices, py::arg("scene"), py::arg("world"),
        doc("io::lead_vertices"));
  m.def(
      "step_deformables",
      [](const io::Scene& scene, soft::DeformableWorld& world, World* rigid) {
        run_steps(world, 1,
                  [&]() -> decltype(auto) { return io::step_deformables(scene, world, rigid); });
        return world.statistics();
      },
      py::arg("scene"), py::arg("world"), py::arg("rigid") = py::none(),
      doc("io::step_deformables"));
  m.def("state_hash", &io::state_hash, py::arg("world"), py::arg("rigid") = py::none(),
        doc("io::state_hash"));
  m.def("write_picture", &io::write_picture, py::arg("world"), py::arg("file"),
        doc("io::write_picture"));
}

}  // namespace

void add_scenes(py::module_& m) {
  py::module_ io = m.attr("io");
  io.doc() = "Mesh files, images, scenes, recordings, pages.";
  add_meshes_of_files(io);
  add_scenes_of_files(io);
}

namespace {

using std::filesystem::path;

/// A scene that runs, and what it leaves.
class Run {
 public:
  Run(const path& file, const std::vector<std::string>& assignments)
      : scene_(io::read_scene(file, assignments)),
        world_(io::build_world(scene_)),
        recording_(io::start_recording(scene_)),
        summary_(scene_.step_rate) {
    io::record(scene_, *world_, recording_);
  }

  RigidWorld& world() { return *world_; }
  const io::Scene& scene() const { return scene_; }
  io::Recording recording() const {
    io::Recording made = recording_;
    finish(made);
    return made;
  }
  std::uint64_t steps() const { return scene_.recording.steps; }

  void step(std::uint64_t steps) {
    if (changes_bodies(scene_)) require_no_views(*world_);
    run_steps(*world_, steps, [&]() -> decltype(auto) {
      io::begin_step(scene_, world_->step_count(), *world_);
      const StepStatistics& done = require_done(world_->step());
      summary_.add(done);
      io::record(scene_, *world_, recording_);
      return done;
    });
  }
  std::string html() const { return io::html_page(scene_, recording()); }
  void write(const path& file) const { io::write_recording(recording(), file); }

 private:
  void finish(io::Recording& recording) const {
    recording.summary = summary_;
    recording.summary.flush();
    recording.state = world_->save();
  }

  io::Scene scene_;
  std::unique_ptr<RigidWorld> world_;
  io::Recording recording_;
  io::RunSummary summary_;
};

void add_run(py::module_& m) {
  py::class_<Run>(m, "Run",
                  "A scene file that runs: `world`, `step`, the player's page and the recording.")
      .def(py::init<path, std::vector<std::string>>(), py::arg("file"),
           py::arg("assignments") = std::vector<std::string>(),
           "`assignments` change values of the file: `\"world.gravity=[0,0,-1.6]\"`.")
      .def_property_readonly("world", &Run::world, py::return_value_policy::reference_internal)
      .def_property_readonly("scene", &Run::scene, py::return_value_policy::copy)
      .def_property_readonly("recording", &Run::recording, "What has been recorded so far: a copy.")
      .def_property_readonly("title", [](const Run& r) { return r.scene().title; })
      .def_property_readonly("steps", &Run::steps, "Steps of the whole run, as the scene says.")
      .def("step", &Run::step, py::arg("steps") = 1,
           "Advances by so many steps. Ctrl-C ends it after a whole step.")
      .def("html", &Run::html, "The page that plays what has been recorded.")
      .def("write", &Run::write, py::arg("file"), "Writes the recording (.tactus).")
      .def("__repr__", [](Run& r) {
        return "Run('" + r.scene().title + "', step " + std::to_string(r.world().step_count()) +
               " of " + std::to_string(r.steps()) + ")";
      });
}

void add_summaries(py::module_& m) {
  class_of<io::RunSummary>()
      .def(py::init<std::uint64_t>(), py::arg("steps_per_row") = 60)
      .def("add", &io::RunSummary::add, py::arg("step"), doc("io::RunSummary::add"))
      .def("flush", &io::RunSummary::flush, doc("io::RunSummary::flush"))
      .def_property_readonly("rows", [](const io::RunSummary& s) { return list_of(s.rows()); })
      .def("to_csv", &io::RunSummary::to_csv, doc("io::RunSummary::to_csv"));
  m.def(
      "summary_columns",
      [] {
        return std::vector<io::SummaryColumn>(io::summary_columns().begin(),
                                              io::summary_columns().end());
      },
      "The fields of a SummaryRow by name.");
  m.def(
      "deformable_columns",
      [] {
        return std::vector<io::DeformableColumn>(io::deformable_columns().begin(),
                                                 io::deformable_columns().end());
      },
      "The fields of a DeformableRow by name.");
  method<io::SummaryColumn>(
      "value", [](const io::SummaryColumn& c, const io::SummaryRow& row) { return row.*c.value; },
      py::arg("row"), "The field of a row.");
  method<io::DeformableColumn>(
      "value",
      [](const io::DeformableColumn& c, const io::DeformableRow& row) { return row.*c.value; },
      py::arg("row"), "The field of a row.");
}

void add_recorders() {
  class_of<io::RunRecorder>()
      .def(py::init<const io::Scene&, const RigidWorld&, const path&>(), py::arg("scene"),
           py::arg("world"), py::arg("file"), doc("io::RunRecorder::RunRecorder"))
      .def(py::init<const io::Scene&, const path&, const path&>(), py::arg("scene"),
           py::arg("file"), py::arg("origin"), "Goes on with the pictures of another recording.")
      .def("record", &io::RunRecorder::record, py::arg("world"), doc("io::RunRecorder::record"))
      .def("checkpoint", &io::RunRecorder::checkpoint, py::arg("world"), py::arg("summary"),
           doc("io::RunRecorder::checkpoint"))
      .def("finish", &io::RunRecorder::finish, py::arg("world"), py::arg("summary"),
           doc("io::RunRecorder::finish"))
      .def_property_readonly("pictures", &io::RunRecorder::pictures);
  class_of<io::PictureReader>()
      .def(py::init<const path&>(), py::arg("file"), doc("io::PictureReader::PictureReader"))
      .def_property_readonly("run", &io::PictureReader::run, py::return_value_policy::copy)
      .def_property_readonly("pictures", &io::PictureReader::pictures,
                             doc("io::PictureReader::pictures"))
      .def(
          "next",
          [](io::PictureReader& r) -> std::optional<io::Picture> {
            io::Picture picture;
            if (!r.next(picture)) return std::nullopt;
            return picture;
          },
          "The next picture; None at the end.")
      .def("rewind", &io::PictureReader::rewind, doc("io::PictureReader::rewind"))
      .def("__iter__", [](py::object self) { return self; })
      .def("__next__", [](io::PictureReader& r) {
        io::Picture picture;
        if (!r.next(picture)) throw py::stop_iteration();
        return picture;
      });
}

void add_files(py::module_& m) {
  m.attr("kPlayerPage") = std::string(io::kPlayerPage);
  property<io::BodySample>("has_entered", &io::BodySample::has_entered);
  m.def("start_recording", &io::start_recording, py::arg("scene"), doc("io::start_recording"));
  m.def("record", &io::record, py::arg("scene"), py::arg("world"), py::arg("recording"),
        doc("io::record"));
  m.def("write_recording", &io::write_recording, py::arg("recording"), py::arg("file"),
        doc("io::write_recording"));
  m.def("read_recording", &io::read_recording, py::arg("file"), doc("io::read_recording"));
  m.def(
      "parse_recording",
      [](const py::bytes& content, const std::string& name) {
        return io::parse_recording(std::string(content), name);
      },
      py::arg("content"), py::arg("name"), doc("io::parse_recording"));
  m.def("read_checkpoint", &io::read_checkpoint, py::arg("file"), doc("io::read_checkpoint"));
  m.def("write_deformable_run", &io::write_deformable_run, py::arg("run"), py::arg("file"),
        doc("io::write_deformable_run"));
  m.def("read_deformable_run", &io::read_deformable_run, py::arg("file"),
        doc("io::read_deformable_run"));
  m.def(
      "html_page",
      [](const io::Scene& scene, const io::Recording& recording,
         const std::optional<std::string>& player) {
        return io::html_page(scene, recording,
                             player ? std::string_view(*player) : io::kPlayerPage);
      },
      py::arg("scene"), py::arg("recording"), py::arg("player") = py::none(), doc("io::html_page"));
  m.def(
      "write_html_page",
      [](const io::Scene& scene, const io::RunSummary& summary, io::PictureReader& pictures,
         const path& file, const std::optional<std::string>& player) {
        io::write_html_page(scene, summary, pictures, file,
                            player ? std::string_view(*player) : io::kPlayerPage);
      },
      py::arg("scene"), py::arg("summary"), py::arg("pictures"), py::arg("file"),
      py::arg("player") = py::none(), doc("io::write_html_page"));
}

}  // namespace

void add_recordings(py::module_& m) {
  py::module_ io = m.attr("io");
  add_summaries(io);
  add_recorders();
  add_files(io);
  add_run(m);
}

}  // namespace tactus::python
