#include "apps/tactus/simulate/scene_run.hpp"

#include <fmt/format.h>

#include <optional>
#include <stdexcept>
#include <utility>

#include "apps/tactus/interrupt.hpp"
#include "apps/tactus/output.hpp"
#include "apps/tactus/progress.hpp"
#include "tactus/core.hpp"
#include "tactus/distributed/ranks_access.hpp"
#include "tactus/io/json/json_text.hpp"
#include "tactus/io/run/folder_lock.hpp"

namespace tactus::app {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// As the scene's file is called, `scene` where that is standard input.
RunFiles files_of(const SimulateCommand& command) {
  const std::string stem = command.scene == "-" ? "scene" : fs::path(command.scene).stem().string();
  return {command.out.empty() ? fs::path("out") / stem : fs::path(command.out), stem};
}

/// All ranks stop together.
bool is_stopped(distributed::Ranks* ranks) {
  return ranks != nullptr ? ranks->any(was_interrupted()) : was_interrupted();
}

/// Steps until `last`, an interrupt, or a step that cannot be done: the world is then where the
/// last good one has left it.
StepFailure advance(SceneRun& run, const SimulateCommand& command, std::uint64_t last,
                    distributed::Ranks* ranks) {
  Progress progress(run.step_count(), last);
  const auto tell = [&](const std::string& row) {
    if (!command.json && !row.empty()) progress.print(row);
  };
  tell(run.table_head());
  while (run.step_count() < last && !is_stopped(ranks)) {
    const SceneRun::Done done = run.step();
    if (done.failure.any()) return done.failure;
    tell(done.row);
    if (!command.no_files) run.save(!done.row.empty());
    progress.update(run.step_count());
  }
  tell(run.last_row());
  return {};
}

/// As it was typed, from the last recording on.
std::string continue_command(const SimulateCommand& command, const fs::path& recording,
                             const distributed::Ranks* ranks) {
  std::string line = ranks != nullptr ? fmt::format("mpirun -n {} ", ranks->count()) : "";
  line += shell_word(command.program) + " simulate " + shell_word(command.scene);
  for (const std::string& assignment : command.assignments)
    line += " --set " + shell_word(assignment);
  if (!command.out.empty()) line += " --out " + shell_word(command.out);
  return line + " --continue " + shell_word(recording.string());
}

/// Ranks are ended when one of them is lost, whatever they wait for. The second one tells it where
/// the first one is lost.
std::string last_words(const SimulateCommand& command, const RunFiles& files,
                       const distributed::Ranks* ranks) {
  if (ranks == nullptr || ranks->rank() > 1 || command.no_files) return {};
  return fmt::format(
      "tactus simulate: rank {} was told to end; the last checkpoint is {}, continue with: {}\n",
      ranks->rank(), files.recording().string(),
      continue_command(command, files.recording(), ranks));
}

json to_json(const distributed::Ranks::Traffic& t) {
  return {{"messages", t.messages},
          {"bytes", t.bytes},
          {"questions", t.questions},
          {"rounds", t.rounds},
          {"seconds", t.seconds}};
}

/// The most that a rank has told the others, in all and by parts of a step; ranks that have moved
/// nothing at the end.
json to_json(distributed::Ranks& ranks, int idle) {
  using Topic = detail::Exchange::Topic;
  detail::Exchange& exchange = detail::RanksAccess::exchange(ranks);
  json report = to_json(ranks.traffic());
  report["count"] = ranks.count();
  report["idle"] = idle;
  const std::pair<const char*, Topic> topics[] = {
      {"bodies", Topic::bodies},   {"start", Topic::start},   {"sweeps", Topic::sweeps},
      {"impacts", Topic::impacts}, {"choice", Topic::choice}, {"rest", Topic::rest}};
  for (const auto& [name, topic] : topics)
    report["parts"][name] = to_json(detail::RanksAccess::most(exchange, exchange.traffic(topic)));
  return report;
}

std::string ranks_line(distributed::Ranks& ranks, int idle) {
  const distributed::Ranks::Traffic t = ranks.traffic();
  std::string line = fmt::format(
      "{} ranks, each with at most {} messages, {:.1f} MB, {} questions to all, {:.2f} s of talk\n",
      ranks.count(), t.messages, 1e-6 * static_cast<double>(t.bytes), t.questions, t.seconds);
  if (idle > 0) line += fmt::format("{} ranks have no bodies: there are too many\n", idle);
  return line;
}

int count_idle(distributed::Ranks& ranks, bool moves_any) {
  int idle = 0;
  for (const std::string& moves :
       detail::RanksAccess::exchange(ranks).gather(moves_any ? "moves" : ""))
    idle += moves.empty() ? 1 : 0;
  return idle;
}

void print_report(const SimulateCommand& command, const io::Scene& scene, const SceneRun& run,
                  const RunFiles& files, bool finished, const std::string& hash,
                  distributed::Ranks* ranks) {
  run.print_verdict(finished);
  if (!finished) {
    fmt::print("stopped after step {} of {}\n", run.step_count(), scene.recording.steps);
    if (!command.no_files)
      fmt::print("continue with: {}\n", continue_command(command, files.recording(), ranks));
  }
  if (!command.no_files && io::kPlayerPage.empty())
    fmt::print("no HTML: this program was built without the player (TACTUS_PLAYER=OFF)\n");
  fmt::print("state hash: {}\n", hash);
}

}  // namespace

int run_scene(const SimulateCommand& command, const io::Scene& scene,
              std::unique_ptr<SceneRun> owned, distributed::Ranks* ranks) {
  const RunFiles files = files_of(command);
  // The lock outlives the run, which closes its files.
  std::optional<io::FolderLock> lock;
  const std::unique_ptr<SceneRun> moving = std::move(owned);
  SceneRun& run = *moving;
  if (!command.no_files) {
    if (ranks == nullptr || ranks->rank() == 0) lock.emplace(files.folder);
    run.open(files);
  }
  watch_interrupts(last_words(command, files, ranks));
  const StepFailure failure =
      advance(run, command, command.steps.value_or(scene.recording.steps), ranks);
  const bool stopped = is_stopped(ranks);

  const int idle = ranks != nullptr ? count_idle(*ranks, run.moves_any()) : 0;
  const std::vector<std::string> written = run.write(command.no_files ? nullptr : &files);
  for (const std::string& file : written) wrote(file);
  const bool finished = run.step_count() >= scene.recording.steps;
  const std::string hash = fmt::format("{:016x}", run.state_hash());
  if (command.json) {
    json report{{"finished", finished}, {"steps", run.step_count()}, {"state_hash", hash}};
    run.add_to(report, finished, written);
    if (ranks != nullptr) report["ranks"] = to_json(*ranks, idle);
    fmt::print("{}\n", io::json_dump(report, 2));
  } else {
    print_report(command, scene, run, files, finished, hash, ranks);
    if (ranks != nullptr) fmt::print("{}", ranks_line(*ranks, idle));
  }
  if (failure.any()) {
    throw std::runtime_error(
        fmt::format("{}: step {}: {}", command.scene, run.step_count() + 1, to_text(failure)));
  }
  return !stopped && run.good(finished) ? 0 : 1;
}

void require_scene(const SimulateCommand& command, const io::Scene& scene,
                   std::uint64_t fingerprint) {
  if (fingerprint != scene.fingerprint)
    throw InvalidInput(command.continue_from, "is of another scene than " + command.scene);
}

}  // namespace tactus::app
