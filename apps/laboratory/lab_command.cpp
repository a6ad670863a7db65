#include "apps/laboratory/lab_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "apps/laboratory/campaign_folder.hpp"
#include "apps/tactus/interrupt.hpp"
#include "apps/tactus/on_ranks.hpp"
#include "apps/tactus/output.hpp"
#include "apps/tactus/program.hpp"
#include "apps/tactus/progress.hpp"
#include "lab/experiment.hpp"
#include "tactus/core.hpp"
#include "tactus/distributed/ranks_access.hpp"
#include "tactus/io/file/atomic_file.hpp"
#include "tactus/io/json/json_text.hpp"
#include "tactus/io/json/known_names.hpp"

namespace tactus::app {
namespace {

// Incidents named one by one on standard error; the rest only with a file.
constexpr std::size_t kNamed = 5;

void list() {
  for (const detail::lab::Experiment& experiment : detail::lab::experiments()) {
    fmt::print("{:<20} {}\n", experiment.name, experiment.summary);
  }
}

const detail::lab::Experiment& find(const LabCommand& command) {
  const detail::lab::Experiment* experiment = detail::lab::find_experiment(command.name);
  if (experiment == nullptr) {
    throw InvalidInput("NAME",
                       io::unknown_name("experiment", command.name, detail::lab::experiments(),
                                        [](const detail::lab::Experiment& e) { return e.name; }));
  }
  if (command.pairs && experiment->pairs == 0) {
    throw InvalidInput("--pairs", "the pairs of " + command.name + " are fixed");
  }
  if (!command.pairs_from.empty() && command.name != "table10") {
    throw InvalidInput("--pairs-from", "only table10 takes recorded pairs");
  }
  if (command.seeds > 1 && command.name != "pile") {
    throw InvalidInput("--seeds", "only pile is repeated with several seeds");
  }
  if (!command.out.empty() && !experiment->resumable) {
    throw InvalidInput("--out", command.name + " keeps no state");
  }
  return *experiment;
}

std::string command_line(const LabCommand& command) {
  std::string text = "tactus lab " + command.name;
  if (command.pairs) text += fmt::format(" --pairs {}", *command.pairs);
  if (command.seed != 1) text += fmt::format(" --seed {}", command.seed);
  if (command.seeds != 1) text += fmt::format(" --seeds {}", command.seeds);
  if (!command.pairs_from.empty()) text += " --pairs-from " + command.pairs_from;
  if (!command.meshes.empty()) text += " --meshes " + command.meshes;
  return text + " --page " + command.page;
}

/// Goes on from the state in the folder, and keeps it.
detail::lab::Report measure_in_rounds(const LabCommand& command,
                                      const detail::lab::Experiment& experiment,
                                      detail::lab::Settings& settings) {
  CampaignFolder folder(command.out);
  nlohmann::json start, counted;
  if (command.resume) {
    start = folder.state();
    if (!start.is_object() || start.value("experiment", "") != command.name)
      folder.refuse("is no state of " + command.name);
    settings.rounds.start = &start;
  }
  const auto save = [&] {
    counted["experiment"] = command.name;
    folder.save(counted);
  };
  watch_interrupts();
  settings.rounds.ended = [&](const nlohmann::json& all) {
    counted = all;
    if (folder.is_due()) save();
    return !was_interrupted();
  };
  const detail::lab::Report report = experiment.run(settings);
  if (!counted.is_null()) save();
  return report;
}

detail::lab::Report measure(const LabCommand& command, const detail::lab::Experiment& experiment,
                            distributed::Ranks* ranks) {
  detail::lab::Settings settings;
  if (ranks != nullptr) settings.ranks = &detail::RanksAccess::exchange(*ranks);
  settings.pairs = command.pairs.value_or(experiment.pairs);
  settings.seed = command.seed;
  settings.seeds = command.seeds;
  settings.pairs_from = command.pairs_from;
  settings.threads = ranks != nullptr && command.threads == 0 ? 1 : command.threads;
  settings.meshes = command.meshes;
  Progress progress(0, settings.pairs, "pairs");
  settings.progress = [&](std::uint64_t done, std::uint64_t) { progress.update(done); };
  if (!experiment.resumable) return experiment.run(settings);
  return measure_in_rounds(command, experiment, settings);
}

void name_incidents(const detail::lab::Report& report) {
  const auto count = std::min(kNamed, report.incidents.size());
  const std::vector<detail::lab::Incident> first(
      report.incidents.begin(), report.incidents.begin() + static_cast<long>(count));
  fmt::print(stderr, "{}", detail::lab::to_lines(first));
  if (report.incidents.size() > count) {
    fmt::print(stderr, "... and {} more; --incidents FILE keeps them\n",
               report.incidents.size() - count);
  }
}

/// The first of several ranks tells what all have found.
int run_experiment(const LabCommand& command, distributed::Ranks* ranks) {
  const detail::lab::Experiment& experiment = find(command);
  if (ranks != nullptr) {
    const std::string error =
        experiment.on_ranks ? "" : command.name + " does not run on ranks: start it without mpirun";
    if (!begin_together(*ranks, "lab", error, command_line(command))) return kCannotRun;
  }
  const detail::lab::Report report = measure(command, experiment, ranks);
  if (ranks != nullptr && ranks->rank() > 0) return 0;
  if (!command.incidents.empty()) {
    io::write_atomically(command.incidents, detail::lab::to_lines(report.incidents));
    wrote(command.incidents);
  } else {
    name_incidents(report);
  }
  if (!command.page.empty()) {
    io::write_atomically(command.page, detail::lab::to_page(report, command_line(command)));
    wrote(command.page);
    const auto folder = std::filesystem::path(command.page).parent_path();
    for (const detail::lab::Plot& plot : report.plots) {
      io::write_atomically(folder / plot.file, detail::lab::to_svg(plot));
      wrote((folder / plot.file).string());
    }
  }
  const std::string text = command.json ? io::json_dump(detail::lab::to_json(report), 2) + "\n"
                                        : detail::lab::to_text(report);
  Report({command.page, command.incidents}).print(text);
  if (was_interrupted())
    fmt::print(stderr, "interrupted: the report is of what was asked so far\n");
  return report.ok() && !was_interrupted() ? 0 : 1;
}

}  // namespace

int run_lab(const LabCommand& command) {
  try {
    if (command.name.empty()) {
      list();
      return 0;
    }
    return on_ranks("lab",
                    [&](distributed::Ranks* ranks) { return run_experiment(command, ranks); });
  } catch (const std::exception& error) {
    fmt::print(stderr, "tactus lab: {}\n", error.what());
    return kCannotRun;
  }
}

}  // namespace tactus::app
