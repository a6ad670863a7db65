#include "apps/tactus/simulate_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "apps/tactus/interrupt.hpp"
#include "apps/tactus/output.hpp"
#include "apps/tactus/progress.hpp"
#include "apps/tactus/simulate_deformables.hpp"
#include "apps/tactus/simulate_pairs.hpp"
#include "tactus/core.hpp"
#include "tactus/io.hpp"
#include "tactus/io/file/atomic_file.hpp"
#include "tactus/io/json/json_text.hpp"
#include "tactus/io/run/folder_lock.hpp"

namespace tactus::app {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// A line of the table of results.
struct Check {
  std::string name;
  double value;
  double bound;  ///< the value must not exceed it
  bool ok() const { return value <= bound; }
};

struct Run {
  Run(io::Scene of, io::RunSummary so_far, std::unique_ptr<RigidWorld> moving)
      : scene(std::move(of)), summary(std::move(so_far)), world(std::move(moving)) {}

  io::Scene scene;
  io::RunSummary summary;
  std::unique_ptr<RigidWorld> world;
  std::optional<io::FolderLock> folder;  ///< none: no files are written
  std::unique_ptr<io::RunRecorder> recorder;
  PairRecorder pairs;
};

std::unique_ptr<RigidWorld> build_world(const io::Scene& scene, const SimulateCommand& command) {
  try {
    return io::build_world(
        scene, command.allow_overlap ? io::StartOverlap::separate : io::StartOverlap::refuse);
  } catch (const InvalidInput& error) {
    throw InvalidInput("", command.scene + ": " + error.what());
  }
}

/// `scene` outlives the run's parts: the recorder refers to it.
std::unique_ptr<Run> start(const SimulateCommand& command, io::Scene scene,
                           const fs::path& recording) {
  scene.world.max_threads = command.threads;
  for (const std::string& note : scene.notes) fmt::print(stderr, "{}: {}\n", command.scene, note);
  const bool files = !command.no_files;
  if (command.continue_from.empty()) {
    std::unique_ptr<RigidWorld> world = build_world(scene, command);
    io::RunSummary summary(scene.step_rate);
    auto run = std::make_unique<Run>(std::move(scene), std::move(summary), std::move(world));
    if (files) {
      run->folder.emplace(recording.parent_path());
      run->recorder = std::make_unique<io::RunRecorder>(run->scene, *run->world, recording);
    }
    return run;
  }
  const io::RunCheckpoint old = io::read_checkpoint(command.continue_from);
  if (old.fingerprint != scene.fingerprint) {
    throw InvalidInput(command.continue_from, "is of another scene than " + command.scene);
  }
  std::unique_ptr<RigidWorld> world = io::continue_world(scene, old.state);
  auto run = std::make_unique<Run>(std::move(scene), old.summary, std::move(world));
  if (files) {
    run->folder.emplace(recording.parent_path());
    run->recorder = std::make_unique<io::RunRecorder>(run->scene, recording, command.continue_from);
  }
  return run;
}

/// When the next checkpoint is due: work is lost for a few seconds at most, and a twentieth of the
/// time at most is spent on it.
class CheckpointClock {
 public:
  explicit CheckpointClock(double interval) : interval_(interval), last_(Clock::now()) {}

  template <class Save>
  void save_when_due(const Save& save) {
    if (interval_ > 0.0 && seconds_since(last_) < std::max(interval_, kLeastShare * cost_)) return;
    last_ = Clock::now();
    save();
    cost_ = seconds_since(last_);
  }

 private:
  using Clock = std::chrono::steady_clock;
  static double seconds_since(Clock::time_point then) {
    return std::chrono::duration<double>(Clock::now() - then).count();
  }
  static constexpr double kLeastShare = 20.0;
  double interval_, cost_ = 0.0;
  Clock::time_point last_;
};

std::string table_head() {
  return fmt::format("{:>8} {:>7} {:>8} {:>8} {:>11} {:>11} {:>12} {:>11} {:>8}\n", "time",
                     "bodies", "pairs", "contacts", "deepest", "mean", "energy", "rms speed",
                     "ms per") +
         fmt::format("{:>8} {:>7} {:>8} {:>8} {:>11} {:>11} {:>12} {:>11} {:>8}", "", "", "", "",
                     "penetration", "pen. / size", "", "sizes / s", "step");
}

std::string table_line(const io::SummaryRow& row) {
  return fmt::format("{:>8.2f} {:>7} {:>8} {:>8} {:>11.3g} {:>11.3g} {:>12.6g} {:>11.3g} {:>8.2f}",
                     row.time, row.bodies, row.pairs, row.contacts, row.deepest_penetration,
                     row.mean_penetration, row.energy, row.rms_speed, row.milliseconds);
}

/// Steps until `last`, an interrupt, or a step that cannot be done: the world is then where the
/// last good one has left it.
StepFailure advance(Run& run, const SimulateCommand& command, std::uint64_t last) {
  const bool table = !command.json;
  Progress progress(run.world->step_count(), last);
  CheckpointClock clock(command.checkpoint);
  if (table) progress.print(table_head());
  while (run.world->step_count() < last && !was_interrupted()) {
    io::add_entering_bodies(run.scene, run.world->step_count(), *run.world);
    if (!command.record_pairs.empty()) run.pairs.before_step(*run.world);
    const StepStatistics& done = run.world->step();
    if (done.failure.any()) return done.failure;
    const bool row_ended = run.summary.add(done);
    if (command.record_every > 0 && run.world->step_count() % command.record_every == 0)
      run.pairs.add(*run.world, command.record_pairs, true);
    if (run.recorder) {
      run.recorder->record(*run.world);
      clock.save_when_due([&] { run.recorder->checkpoint(*run.world, run.summary); });
    }
    if (row_ended && table) progress.print(table_line(run.summary.rows().back()));
    progress.update(run.world->step_count());
  }
  return {};
}

int count_outside(const RigidWorld& world, const Aabb& inside) {
  int outside = 0;
  for (const Body& body : world.bodies()) {
    if (!body.is_dynamic()) continue;
    const Vec3& place = body.center_of_mass();
    outside += overlaps(inside, {place, place}) ? 0 : 1;
  }
  return outside;
}

std::vector<Check> judge(const Run& run) {
  std::vector<Check> checks;
  const io::Goal& goal = run.scene.goal;
  const auto rows = run.summary.rows();
  if (rows.empty()) return checks;
  const io::SummaryRow& last = rows.back();
  if (goal.rms_speed) {
    checks.push_back(
        {fmt::format("rms speed over the last {:.3g} s, body sizes per second", last.span),
         last.rms_speed, *goal.rms_speed});
  }
  if (goal.mean_penetration) {
    checks.push_back({"mean penetration of touching pairs / body size", last.mean_penetration,
                      *goal.mean_penetration});
  }
  if (goal.inside) {
    checks.push_back({"bodies outside the box",
                      static_cast<double>(count_outside(*run.world, *goal.inside)), 0.0});
  }
  return checks;
}

/// Writes what the run leaves; returns the files.
std::vector<fs::path> write_files(Run& run, const fs::path& recording) {
  fs::path table = recording, page = recording;
  table.replace_extension(".csv");
  page.replace_extension(".html");
  std::vector<fs::path> files{recording, table};
  run.recorder->finish(*run.world, run.summary);
  // Only after saving: a continued run goes on within the second that was begun.
  run.summary.flush();
  io::write_atomically(table, run.summary.to_csv());
  if (!io::kPlayerPage.empty() && run.recorder->pictures() > 0) {
    io::PictureReader pictures(recording);
    io::write_html_page(run.scene, run.summary, pictures, page);
    files.push_back(page);
  }
  return files;
}

json report(const Run& run, const std::vector<Check>& checks, const std::vector<fs::path>& files,
            bool finished, const std::string& hash) {
  json rows = json::array();
  for (const io::SummaryRow& row : run.summary.rows()) {
    json entry;
    for (const io::SummaryColumn& column : io::summary_columns()) {
      entry[std::string(column.name)] = row.*column.value;
    }
    rows.push_back(std::move(entry));
  }
  json verdict = json::array();
  for (const Check& check : checks) {
    verdict.push_back({{"check", check.name},
                       {"value", check.value},
                       {"bound", check.bound},
                       {"ok", check.ok()}});
  }
  json names = json::array();
  for (const fs::path& file : files) names.push_back(file.string());
  return {{"summary", std::move(rows)},       {"verdict", std::move(verdict)},
          {"files", std::move(names)},        {"finished", finished},
          {"steps", run.world->step_count()}, {"state_hash", hash}};
}

/// As it was typed, from the last recording on.
std::string continue_command(const SimulateCommand& command, const std::string& recording) {
  std::string line = shell_word(command.program) + " simulate " + shell_word(command.scene);
  if (!command.out.empty()) line += " --out " + shell_word(command.out);
  if (command.json) line += " --json";
  return line + " --continue " + shell_word(recording);
}

void print_report(const SimulateCommand& command, const Run& run, const std::vector<Check>& checks,
                  const std::vector<fs::path>& files, bool finished, const std::string& hash) {
  const auto rows = run.summary.rows();
  if (!rows.empty() && run.world->step_count() % run.scene.step_rate != 0) {
    fmt::print("{}\n", table_line(rows.back()));
  }
  for (const Check& check : checks) {
    fmt::print("{:6} {:52} {:10.3g}  (at most {:g})\n", check.ok() ? "ok" : "MISSED", check.name,
               check.value, check.bound);
  }
  if (!finished) {
    fmt::print("stopped after step {} of {}\n", run.world->step_count(), run.scene.recording.steps);
    if (run.recorder) {
      fmt::print("continue with: {}\n", continue_command(command, files.front().string()));
    }
  }
  if (run.recorder && io::kPlayerPage.empty()) {
    fmt::print("no HTML: this program was built without the player (TACTUS_PLAYER=OFF)\n");
  }
  fmt::print("state hash: {}\n", hash);
}

int simulate(const SimulateCommand& command) {
  io::Scene scene = io::read_scene(command.scene);
  if (!scene.deformables.empty()) {
    scene.world.max_threads = scene.deformable.max_threads = command.threads;
    return simulate_deformables(command, scene);
  }
  const std::string stem = name_of_run(command);
  const fs::path folder = command.out.empty() ? fs::path("out") / stem : fs::path(command.out);
  const fs::path recording = folder / (stem + ".tactus");
  const std::unique_ptr<Run> owned = start(command, std::move(scene), recording);
  Run& run = *owned;

  watch_interrupts();
  const StepFailure failure =
      advance(run, command, command.steps.value_or(run.scene.recording.steps));
  const bool stopped = was_interrupted() || failure.any();

  std::vector<fs::path> files;
  if (run.recorder) {
    files = write_files(run, recording);
  } else {
    run.summary.flush();
  }
  if (!command.record_pairs.empty()) {
    if (command.record_every == 0) run.pairs.add(*run.world, command.record_pairs, false);
    run.pairs.finish(command.record_pairs);
    files.emplace_back(command.record_pairs);
  }
  for (const fs::path& file : files) wrote(file.string());
  const bool finished = run.world->step_count() >= run.scene.recording.steps;
  // The goal is for the end of the scene, not for a part of it.
  const std::vector<Check> checks = finished ? judge(run) : std::vector<Check>{};
  const std::string hash = fmt::format("{:016x}", run.world->state_hash());
  if (command.json) {
    fmt::print("{}\n", io::json_dump(report(run, checks, files, finished, hash), 2));
  } else {
    print_report(command, run, checks, files, finished, hash);
  }
  if (failure.any()) throw StepNotDone(command.scene, run.world->step_count() + 1, failure);
  bool ok = !stopped;
  for (const Check& check : checks) ok = ok && check.ok();
  return ok ? 0 : 1;
}

}  // namespace

std::string name_of_run(const SimulateCommand& command) {
  return command.scene == "-" ? "scene" : fs::path(command.scene).stem().string();
}

int run_simulate(const SimulateCommand& command) {
  try {
    return simulate(command);
  } catch (const std::exception& error) {
    const std::string message = error.what();
    fmt::print(stderr, "tactus simulate: {}\n", message);
    if (message.find("build/models/") != std::string::npos) {
      fmt::print(stderr, "tools/fetch_models puts the models there; `make demo` runs it\n");
    }
    return 2;
  }
}

}  // namespace tactus::app
