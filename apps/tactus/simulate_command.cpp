#include "apps/tactus/simulate_command.hpp"

#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "apps/tactus/progress.hpp"
#include "tactus/core.hpp"
#include "tactus/io.hpp"
#include "tactus/io/format/atomic_file.hpp"

namespace tactus::app {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

volatile std::sig_atomic_t interrupted = 0;

/// Asks the run to stop after its step; a second interrupt ends the program at once.
extern "C" void on_interrupt(int signal) {
  interrupted = 1;
  std::signal(signal, SIG_DFL);
}

/// A line of the table of results.
struct Check {
  std::string name;
  double value;
  double bound;  ///< the value must not exceed it
  bool ok() const { return value <= bound; }
};

struct Run {
  io::Scene scene;
  io::Recording recording;
  World world;
};

World build_world(const io::Scene& scene, const std::string& file) {
  try {
    return io::build_world(scene);
  } catch (const InvalidInput& error) {
    throw InvalidInput("", file + ": " + error.what());
  }
}

Run start(const SimulateCommand& command) {
  io::Scene scene = io::read_scene(command.scene);
  if (command.continue_from.empty()) {
    World world = build_world(scene, command.scene);
    io::Recording recording = io::start_recording(scene);
    io::record(scene, world, recording);
    return {std::move(scene), std::move(recording), std::move(world)};
  }
  io::Recording recording = io::read_recording(command.continue_from);
  const io::RecordingSettings& settings = scene.recording;
  if (recording.fingerprint != scene.fingerprint) {
    throw InvalidInput(command.continue_from, "is of another scene than " + command.scene);
  }
  if (recording.steps_per_picture != settings.steps_per_picture ||
      recording.pictures_per_contacts != settings.pictures_per_contacts) {
    throw InvalidInput(command.continue_from,
                       "was recorded at another rate than " + command.scene + " asks for");
  }
  World world = io::continue_world(scene, recording.state);
  return {std::move(scene), std::move(recording), std::move(world)};
}

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

/// Steps until `last` or an interrupt.
void advance(Run& run, std::uint64_t last, bool table) {
  Progress progress(run.world.step_count(), last);
  if (table) progress.print(table_head());
  while (run.world.step_count() < last && interrupted == 0) {
    io::add_entering_bodies(run.scene, run.world.step_count(), run.world);
    const bool row_ended = run.recording.summary.add(run.world.step());
    io::record(run.scene, run.world, run.recording);
    if (row_ended && table) progress.print(table_line(run.recording.summary.rows().back()));
    progress.update(run.world.step_count());
  }
}

int count_outside(const World& world, const Aabb& inside) {
  int outside = 0;
  for (const Body& body : world.bodies()) {
    if (!body.is_moving()) continue;
    const Vec3& place = body.center_of_mass();
    outside += overlaps(inside, {place, place}) ? 0 : 1;
  }
  return outside;
}

std::vector<Check> judge(const Run& run) {
  std::vector<Check> checks;
  const io::Goal& goal = run.scene.goal;
  const auto rows = run.recording.summary.rows();
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
                      static_cast<double>(count_outside(run.world, *goal.inside)), 0.0});
  }
  return checks;
}

/// Writes what the run leaves; returns the files.
std::vector<fs::path> write_files(Run& run, const fs::path& folder, const std::string& stem) {
  std::vector<fs::path> files{folder / (stem + ".tactus"), folder / (stem + ".csv")};
  run.recording.state = run.world.save();
  io::write_recording(run.recording, files[0]);
  // Only after saving: a continued run goes on within the second that was begun.
  run.recording.summary.flush();
  io::write_atomically(files[1], run.recording.summary.to_csv());
  if (!io::kPlayerPage.empty() && run.recording.pictures() > 0) {
    files.push_back(folder / (stem + ".html"));
    io::write_atomically(files.back(), io::html_page(run.scene, run.recording));
  }
  return files;
}

json report(const Run& run, const std::vector<Check>& checks, const std::vector<fs::path>& files,
            bool finished, const std::string& hash) {
  json rows = json::array();
  for (const io::SummaryRow& row : run.recording.summary.rows()) {
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
  return {{"summary", std::move(rows)},      {"verdict", std::move(verdict)},
          {"files", std::move(names)},       {"finished", finished},
          {"steps", run.world.step_count()}, {"state_hash", hash}};
}

void print_report(const SimulateCommand& command, const Run& run, const std::vector<Check>& checks,
                  const std::vector<fs::path>& files, bool finished, const std::string& hash) {
  const auto rows = run.recording.summary.rows();
  if (!rows.empty() && run.world.step_count() % run.scene.step_rate != 0) {
    fmt::print("{}\n", table_line(rows.back()));
  }
  for (const Check& check : checks) {
    fmt::print("{:6} {:52} {:10.3g}  (at most {:g})\n", check.ok() ? "ok" : "MISSED", check.name,
               check.value, check.bound);
  }
  if (!finished) {
    fmt::print("stopped after step {} of {}\n", run.world.step_count(), run.scene.recording.steps);
    if (!files.empty()) {
      fmt::print("continue with: tactus simulate {} --continue {}\n", command.scene,
                 files.front().string());
    }
  }
  for (const fs::path& file : files) fmt::print("wrote {}\n", file.string());
  if (!files.empty() && io::kPlayerPage.empty()) {
    fmt::print("no HTML: this program was built without the player (TACTUS_PLAYER=OFF)\n");
  }
  fmt::print("state hash: {}\n", hash);
}

int simulate(const SimulateCommand& command) {
  const std::string stem = fs::path(command.scene).stem().string();
  const fs::path folder = command.out.empty() ? fs::path("out") / stem : fs::path(command.out);
  Run run = start(command);
  if (!command.no_files) io::prepare_folder(folder);

  interrupted = 0;
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGTERM, on_interrupt);
  advance(run, command.steps.value_or(run.scene.recording.steps), !command.json);
  const bool was_interrupted = interrupted != 0;

  std::vector<fs::path> files;
  if (command.no_files) {
    run.recording.summary.flush();
  } else {
    files = write_files(run, folder, stem);
  }
  const bool finished = run.world.step_count() >= run.scene.recording.steps;
  // The goal is for the end of the scene, not for a part of it.
  const std::vector<Check> checks = finished ? judge(run) : std::vector<Check>{};
  const std::string hash = fmt::format("{:016x}", run.world.state_hash());
  if (command.json) {
    fmt::print("{}\n", report(run, checks, files, finished, hash).dump(2));
  } else {
    print_report(command, run, checks, files, finished, hash);
  }
  bool ok = !was_interrupted;
  for (const Check& check : checks) ok = ok && check.ok();
  return ok ? 0 : 1;
}

}  // namespace

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
