#include "apps/tactus/simulate/soft_run.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <limits>
#include <optional>
#include <utility>

#include "tactus/core.hpp"
#include "tactus/io/file/atomic_file.hpp"
#include "tactus/io/html/soft_page.hpp"
#include "tactus/io/run/picture_format.hpp"
#include "tactus/soft/contact/response.hpp"

namespace tactus::app {
namespace {

namespace fs = std::filesystem;
using io::DeformableRow;
using nlohmann::json;

/// Steps of a row, summed up.
struct Sums {
  std::uint64_t steps = 0;
  DeformableRow row;

  void add(const DeformableStatistics& s, std::size_t crossings) {
    if (steps == 0) row.least_gap = std::numeric_limits<double>::infinity();
    ++steps;
    row.time = s.time;
    row.contacts = s.contacts;
    row.least_gap = std::fmin(row.least_gap, s.least_gap);
    row.crossings += static_cast<double>(crossings);
    row.kinetic = s.kinetic_energy;
    row.elastic = s.elastic_energy;
    row.contact = s.contact_energy;
    row.potential = s.potential_energy;
    row.rigid = s.rigid_energy;
    row.speed = s.largest_speed;
    row.sweeps += s.sweeps;
    row.rounds += s.rounds;
    row.unconverged += s.converged ? 0.0 : 1.0;
    row.milliseconds += s.total_ms;
  }
  DeformableRow mean() const {
    DeformableRow out = row;
    for (double DeformableRow::* value :
         {&DeformableRow::sweeps, &DeformableRow::rounds, &DeformableRow::milliseconds})
      out.*value /= static_cast<double>(steps);
    return out;
  }
};

std::string table_line(const DeformableRow& r) {
  return fmt::format(
      "{:>8.2f} {:>8} {:>10.3g} {:>9} {:>12.6g} {:>11.3g} {:>7.1f} {:>7.1f} {:>8.2f}", r.time,
      r.contacts, r.least_gap, r.crossings,
      r.kinetic + r.elastic + r.contact + r.potential + r.rigid, r.speed, r.sweeps, r.rounds,
      r.milliseconds);
}

class SoftRun final : public SceneRun {
 public:
  SoftRun(const SimulateCommand& command, const io::Scene& scene)
      : command_(command),
        scene_(scene),
        rigid_(of_scene(command, [&] { return io::build_rigid_world(scene); })),
        world_(of_scene(command, [&] { return io::build_deformable_world(scene, rigid_.get()); })) {
    if (!command.record_pairs.empty())
      throw InvalidInput("--record-pairs", "is not for scenes with deformables");
    if (command.allow_overlap)
      throw InvalidInput("--allow-overlap", "is not for scenes with deformables");
    run_.fingerprint = scene.fingerprint;
    if (!command.continue_from.empty()) {
      run_ = io::read_deformable_run(command.continue_from);
      require_scene(command, scene, run_.fingerprint);
      world_.restore(run_.state);
      if (rigid_) rigid_->restore(run_.rigid);
    }
    free_at_start_ = frozen() == 0;
  }

  std::uint64_t step_count() const override { return world_.step_count(); }
  std::uint64_t state_hash() const override { return io::state_hash(world_, rigid_.get()); }
  std::string table_head() const override {
    return fmt::format("{:>8} {:>8} {:>10} {:>9} {:>12} {:>11} {:>7} {:>7} {:>8}", "time",
                       "contacts", "least gap", "crossings", "energy", "speed", "sweeps", "rounds",
                       "ms/step");
  }

  void open(const RunFiles& files) override {
    files_ = files;
    const fs::path file = files.with(".pictures");
    if (command_.continue_from.empty()) {
      recorded_.emplace(scene_, file);
    } else {
      try {
        recorded_.emplace(scene_, file, io::pictures_beside(command_.continue_from),
                          run_.state.step / scene_.recording.steps_per_picture + 1);
      } catch (const FileError& error) {
        // The run goes on without them.
        fmt::print(stderr, "no HTML page: {}\n", error.what());
      }
    }
    if (step_count() == 0) add_picture();
  }

  Done step() override {
    const DeformableStatistics& s = io::step_deformables(scene_, world_, rigid_.get());
    if (s.failure.any()) return {s.failure, {}};
    const std::size_t crossings = world_.crossings().size();
    crossings_ += crossings;
    sums_.add(s, crossings);
    if (free_at_start_ && first_touch_ == 0 && frozen() > 0) first_touch_ = step_count();
    add_picture();
    return {{}, step_count() % scene_.step_rate == 0 ? end_row() : std::string()};
  }

  /// Rows are whole in a checkpoint: it comes with the end of each.
  void save(bool row_ended) override {
    if (row_ended && files_) write_checkpoint(*files_);
  }

  std::string last_row() override { return sums_.steps > 0 ? end_row() : std::string(); }

  std::vector<std::string> write(const RunFiles* files) override {
    std::vector<std::string> written;
    if (files == nullptr) return written;
    write_checkpoint(*files);
    io::write_atomically(files->with(".csv"), table());
    written = {files->recording().string(), files->with(".csv").string()};
    if (recorded_ && !io::kPlayerPage.empty()) {
      const fs::path page = files->with(".html");
      io::write_soft_page(scene_, run_.rows, *recorded_, page);
      written.push_back(page.string());
    }
    if (pictures_ > 0)
      written.push_back(files->with("_*.vtk").string() + fmt::format(" ({} pictures)", pictures_));
    return written;
  }

  void print_verdict(bool /*finished*/) const override {
    const char* what = "edges through triangles after a step, exact test";
    if (keeps_apart()) {
      fmt::print("{:6} {:52} {:10}  (at most 0)\n", crossings_ == 0 ? "ok" : "MISSED", what,
                 crossings_);
      return;
    }
    fmt::print("{:59} {:10}\n", what, crossings_);
    if (freezes()) {
      const std::string since =
          first_touch_ == 0 ? "" : fmt::format("  (from step {})", first_touch_);
      fmt::print("{:59} {:10}{}\n", fmt::format("frozen of {} bodies", world_.bodies()), frozen(),
                 since);
    }
  }

  void add_to(json& report, bool /*finished*/,
              const std::vector<std::string>& /*written*/) const override {
    json rows = json::array();
    for (const DeformableRow& row : run_.rows) {
      json entry;
      for (const io::DeformableColumn& c : io::deformable_columns())
        entry[std::string(c.name)] = row.*c.value;
      rows.push_back(std::move(entry));
    }
    report["summary"] = std::move(rows);
    report["crossings"] = crossings_;
    report["response"] = to_string(scene_.response);
    report["frozen"] = frozen();
  }

  bool good(bool /*finished*/) const override { return !keeps_apart() || crossings_ == 0; }

 private:
  /// The other responses let bodies pass into each other, for comparison.
  bool keeps_apart() const { return scene_.response == DeformableResponse::continuous; }
  bool freezes() const {
    return scene_.response == DeformableResponse::freeze_continuous ||
           scene_.response == DeformableResponse::freeze_discrete;
  }
  std::size_t frozen() const { return freezes() ? detail::frozen_bodies(world_) : 0; }

  /// Where files are written, and one is due.
  void add_picture() {
    const std::uint64_t every = scene_.recording.steps_per_picture;
    if (!files_ || step_count() % every != 0) return;
    io::write_picture(world_,
                      files_->with(fmt::format("_{:06}.vtk", step_count() / every).c_str()));
    if (recorded_) recorded_->add(world_, rigid_.get());
    ++pictures_;
  }

  std::string end_row() {
    run_.rows.push_back(sums_.mean());
    sums_ = {};
    return table_line(run_.rows.back());
  }

  void write_checkpoint(const RunFiles& files) {
    run_.state = world_.save();
    if (rigid_) run_.rigid = rigid_->save();
    if (recorded_) recorded_->flush();
    io::write_deformable_run(run_, files.recording());
  }

  std::string table() const {
    std::string text;
    for (const io::DeformableColumn& c : io::deformable_columns())
      text += (text.empty() ? "" : ",") + std::string(c.name);
    text += "\n";
    for (const DeformableRow& row : run_.rows) {
      std::string line;
      for (const io::DeformableColumn& c : io::deformable_columns())
        line += (line.empty() ? "" : ",") + fmt::format("{}", row.*c.value);
      text += line + "\n";
    }
    return text;
  }

  const SimulateCommand& command_;
  const io::Scene& scene_;
  std::unique_ptr<World> rigid_;  ///< of scenes with moving rigid bodies
  DeformableWorld world_;
  std::optional<RunFiles> files_;  ///< none: no files are written
  io::DeformableRun run_;
  Sums sums_;
  std::optional<io::SoftPictures> recorded_;
  std::size_t crossings_ = 0;
  bool free_at_start_ = true;
  /// The step after which a body was frozen first; 0: none in this run.
  std::uint64_t first_touch_ = 0;
  int pictures_ = 0;
};

}  // namespace

std::unique_ptr<SceneRun> make_soft_run(const SimulateCommand& command, const io::Scene& scene) {
  return std::make_unique<SoftRun>(command, scene);
}

}  // namespace tactus::app
