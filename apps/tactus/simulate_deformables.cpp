#include "apps/tactus/simulate_deformables.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "apps/tactus/interrupt.hpp"
#include "apps/tactus/output.hpp"
#include "apps/tactus/progress.hpp"
#include "tactus/core.hpp"
#include "tactus/io/file/atomic_file.hpp"
#include "tactus/io/html/soft_page.hpp"
#include "tactus/io/json/json_text.hpp"
#include "tactus/io/run/folder_lock.hpp"
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

  void add(const soft::DeformableStatistics& s, std::size_t crossings) {
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

std::string table_head() {
  return fmt::format("{:>8} {:>8} {:>10} {:>9} {:>12} {:>11} {:>7} {:>7} {:>8}", "time", "contacts",
                     "least gap", "crossings", "energy", "speed", "sweeps", "rounds", "ms/step");
}

std::string table_line(const DeformableRow& r) {
  return fmt::format(
      "{:>8.2f} {:>8} {:>10.3g} {:>9} {:>12.6g} {:>11.3g} {:>7.1f} {:>7.1f} {:>8.2f}", r.time,
      r.contacts, r.least_gap, r.crossings,
      r.kinetic + r.elastic + r.contact + r.potential + r.rigid, r.speed, r.sweeps, r.rounds,
      r.milliseconds);
}

class SoftRun {
 public:
  SoftRun(const SimulateCommand& command, const io::Scene& scene)
      : command_(command),
        scene_(scene),
        rigid_(make_rigid(command, scene)),
        world_(make_world(command, scene, rigid_.get())),
        stem_(name_of_run(command)),
        folder_(command.out.empty() ? fs::path("out") / stem_ : fs::path(command.out)) {
    if (!command.record_pairs.empty())
      throw InvalidInput("--record-pairs", "is not for scenes with deformables");
    if (command.allow_overlap)
      throw InvalidInput("--allow-overlap", "is not for scenes with deformables");
    run_.fingerprint = scene.fingerprint;
    if (command.continue_from.empty()) return;
    run_ = io::read_deformable_run(command.continue_from);
    if (run_.fingerprint != scene.fingerprint)
      throw InvalidInput(command.continue_from, "is of another scene than " + command.scene);
    world_.restore(run_.state);
    if (rigid_) rigid_->restore(run_.rigid);
  }

  int run() {
    if (!command_.no_files) open_files();
    watch_interrupts();
    const StepFailure failure = advance(command_.steps.value_or(scene_.recording.steps));
    if (!command_.no_files) {
      write_files();
    }
    const bool finished = world_.step_count() >= scene_.recording.steps;
    report(finished);
    if (failure.any()) throw StepNotDone(command_.scene, world_.step_count() + 1, failure);
    return was_interrupted() || (keeps_apart() && crossings_ > 0) ? 1 : 0;
  }

 private:
  /// The other responses let bodies pass into each other, for comparison.
  bool keeps_apart() const { return scene_.response == soft::DeformableResponse::continuous; }
  bool freezes() const {
    return scene_.response == soft::DeformableResponse::freeze_continuous ||
           scene_.response == soft::DeformableResponse::freeze_discrete;
  }
  std::size_t frozen() const { return freezes() ? detail::frozen_bodies(world_) : 0; }

  /// Result of `make()`; where that refuses the scene, the error names the scene's file.
  template <class Make>
  static auto of_scene(const SimulateCommand& command, const Make& make) {
    try {
      return make();
    } catch (const InvalidInput& error) {
      throw InvalidInput("", command.scene + ": " + error.what());
    }
  }
  static std::unique_ptr<World> make_rigid(const SimulateCommand& command, const io::Scene& scene) {
    return of_scene(command, [&] { return io::build_rigid_world(scene); });
  }
  static soft::DeformableWorld make_world(const SimulateCommand& command, const io::Scene& scene,
                                          const World* rigid) {
    return of_scene(command, [&] { return io::build_deformable_world(scene, rigid); });
  }

  void open_files() {
    lock_.emplace(folder_);
    const fs::path file = folder_ / (stem_ + ".pictures");
    if (command_.continue_from.empty()) {
      recorded_.emplace(scene_, file);
      return;
    }
    try {
      recorded_.emplace(scene_, file, io::pictures_beside(command_.continue_from),
                        run_.state.step / scene_.recording.steps_per_picture + 1);
    } catch (const FileError& error) {
      // The run goes on without them.
      fmt::print(stderr, "no HTML page: {}\n", error.what());
    }
  }

  void picture() {
    const std::uint64_t every = scene_.recording.steps_per_picture;
    if (command_.no_files || world_.step_count() % every != 0) return;
    const fs::path file = folder_ / fmt::format("{}_{:06}.vtk", stem_, world_.step_count() / every);
    io::write_picture(world_, file);
    if (recorded_) recorded_->add(world_, rigid_.get());
    ++pictures_;
  }

  /// As for rigid worlds: what the step that could not be done says.
  StepFailure advance(std::uint64_t last) {
    Progress progress(world_.step_count(), last);
    if (!command_.json) progress.print(table_head());
    const bool free_at_start = frozen() == 0;
    if (world_.step_count() == 0) picture();
    while (world_.step_count() < last && !was_interrupted()) {
      const soft::DeformableStatistics& s = io::step_deformables(scene_, world_, rigid_.get());
      if (s.failure.any()) return s.failure;
      const std::size_t crossings = world_.crossings().size();
      crossings_ += crossings;
      sums_.add(s, crossings);
      if (free_at_start && first_touch_ == 0 && frozen() > 0) first_touch_ = world_.step_count();
      picture();
      if (world_.step_count() % scene_.step_rate == 0) {
        end_row(progress);
        // From here a run that is killed continues.
        if (!command_.no_files) write_checkpoint();
      }
      progress.update(world_.step_count());
    }
    if (sums_.steps > 0) end_row(progress);
    return {};
  }

  void end_row(Progress& progress) {
    run_.rows.push_back(sums_.mean());
    if (!command_.json) progress.print(table_line(run_.rows.back()));
    sums_ = {};
  }

  void write_checkpoint() {
    run_.state = world_.save();
    if (rigid_) run_.rigid = rigid_->save();
    checkpoint_ = folder_ / (stem_ + ".tactus");
    if (recorded_) recorded_->flush();
    io::write_deformable_run(run_, checkpoint_);
  }

  void write_files() {
    write_checkpoint();
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
    io::write_atomically(folder_ / (stem_ + ".csv"), text);
    wrote(checkpoint_.string());
    wrote((folder_ / (stem_ + ".csv")).string());
    if (recorded_ && !io::kPlayerPage.empty()) {
      const fs::path page = folder_ / (stem_ + ".html");
      io::write_soft_page(scene_, run_.rows, *recorded_, page);
      wrote(page.string());
    }
    if (pictures_ > 0)
      wrote((folder_ / (stem_ + "_*.vtk")).string() + fmt::format(" ({} pictures)", pictures_));
  }

  void report(bool finished) const {
    const std::string hash = fmt::format("{:016x}", io::state_hash(world_, rigid_.get()));
    if (command_.json) {
      json rows = json::array();
      for (const DeformableRow& row : run_.rows) {
        json entry;
        for (const io::DeformableColumn& c : io::deformable_columns())
          entry[std::string(c.name)] = row.*c.value;
        rows.push_back(std::move(entry));
      }
      const json report{{"summary", std::move(rows)},
                        {"crossings", crossings_},
                        {"finished", finished},
                        {"steps", world_.step_count()},
                        {"response", to_string(scene_.response)},
                        {"frozen", frozen()},
                        {"state_hash", hash}};
      fmt::print("{}\n", io::json_dump(report, 2));
      return;
    }
    print_crossings();
    if (!finished) {
      fmt::print("stopped after step {} of {}\n", world_.step_count(), scene_.recording.steps);
      if (!checkpoint_.empty()) {
        std::string line = shell_word(command_.program) + " simulate " + shell_word(command_.scene);
        if (!command_.out.empty()) line += " --out " + shell_word(command_.out);
        fmt::print("continue with: {} --continue {}\n", line, shell_word(checkpoint_.string()));
      }
    }
    fmt::print("state hash: {}\n", hash);
  }

  void print_crossings() const {
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

  const SimulateCommand& command_;
  const io::Scene& scene_;
  std::optional<io::FolderLock> lock_;  ///< of the folder that files are written into
  std::unique_ptr<World> rigid_;        ///< of scenes with moving rigid bodies
  soft::DeformableWorld world_;
  std::string stem_;
  fs::path folder_, checkpoint_;
  io::DeformableRun run_;
  Sums sums_;
  std::optional<io::SoftPictures> recorded_;
  std::size_t crossings_ = 0;
  std::uint64_t first_touch_ =
      0;  ///< step after which a body was frozen first; 0: none in this run
  int pictures_ = 0;
};

}  // namespace

int simulate_deformables(const SimulateCommand& command, const io::Scene& scene) {
  return SoftRun(command, scene).run();
}

}  // namespace tactus::app
