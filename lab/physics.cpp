#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "lab/experiment.hpp"
#include "lab/physics/trials.hpp"
#include "tactus/core.hpp"

// Does the world do what mechanics says?

namespace tactus::detail::lab {
namespace {

constexpr const char* kText =
    "Scenes whose outcome theory knows, stepped with the default settings (60 steps per second, "
    "{} substeps)\nunless the row says otherwise; {} random drops, seed {}. `off` is the "
    "difference to theory, relative to it where it is not zero.\n"
    "Structures are built without gaps and left alone. The slope has 30 degrees. The disc has "
    "radius 0.5, 10 rad/s, friction 0.3. The freely\nspinning body has the moments of inertia "
    "1, 2, 3 and turns about the middle axis. Of corner impacts the worst of 40 random turns is "
    "shown.\n"
    "The gas has 7 % of the volume. Drops are six convex kinds from random turns, velocities and "
    "materials for three seconds. Bodies of 0.2\nare shot at a wall of 0.01 at 10, 50 and 500 "
    "m/s, 40 each, from random turns, still and at 200 rad/s; `deepest` is their overlap after "
    "any step.\nJointed bodies: the chain swings from the horizontal; energies are those at the "
    "end "
    "of each step.\nRolling bodies: energy over the largest energy of motion, at the end of any "
    "step of 20 s; the period is that with which the centre of mass rises.";

}  // namespace

Report run_physics(const Settings& settings) {
  physics::Conditions conditions;
  conditions.drops = settings.pairs;
  conditions.seed = settings.seed;
  const std::vector<physics::Trial> trials = physics::trials();
  std::vector<std::vector<physics::Finding>> found(trials.size());
  parallel_for(
      trials.size(), 1,
      [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) found[i] = trials[i].run(conditions);
      },
      settings.threads);
  settings.progress(settings.pairs, settings.pairs);

  Report report;
  report.name = "physics";
  report.title = "The world against theory";
  report.text = fmt::format(kText, conditions.settings.substeps, conditions.drops, conditions.seed);
  Table table;
  table.head = {"scene", "theory", "ours", "unit", "off", "bound", "verdict"};
  for (const auto& findings : found) {
    for (const physics::Finding& f : findings) {
      const Bar bar{f.name, f.deviation, f.bound};
      table.rows.push_back({f.name, fmt::format("{:.6g}", f.theory), fmt::format("{:.6g}", f.ours),
                            f.unit, f.deviation, f.bound, std::string(bar.ok() ? "pass" : "FAIL")});
      report.bars.push_back(bar);
    }
  }
  report.tables.push_back(std::move(table));
  return report;
}

}  // namespace tactus::detail::lab
