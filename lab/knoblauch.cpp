#include "lab/knoblauch.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>
#include <string>

#include "lab/experiment.hpp"
#include "lab/verdicts.hpp"
#include "tactus/deform.hpp"
#include "tactus/soft/contact/response.hpp"

namespace tactus::detail::lab {
namespace {

constexpr double kStep = 1.0 / 60.0;
constexpr double kNever = std::numeric_limits<double>::infinity();
// Each test is timed so often, and its least time taken: some take microseconds.
constexpr int kRepeats = 5;

// Processor time of all threads, in milliseconds: the clock on the wall counts other programs too.
double processor_milliseconds() {
  std::timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return 1e3 * static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_nsec);
}

/// How long the runs are.
struct Length {
  int steps = 120, threads = 0;
};

/// One of the source's four experiments, and its figures: min, max, mean of the continuous and of
/// the discrete test, in ms.
struct Trial {
  const char *name, *plot;
  double speed;  ///< of the tetrahedron; 0: five bodies fall on each other
  double source[6];
};
constexpr Trial kTrials[] = {
    {"slow", "knoblauch-slow.svg", 2.0, {13.7, 36.5, 17.1, 0.75, 3.37, 1.57}},
    {"fast", "knoblauch-fast.svg", 12.0, {13.5, 40.7, 18.0, 0.78, 2.00, 1.81}},
    {"very fast", "knoblauch-very-fast.svg", 200.0, {13.4, 40.4, 18.9, 0.75, 0.86, 0.78}},
    {"five bodies", "knoblauch.svg", 0.0, {43.7, 81.3, 55.5, 7.3, 13.8, 9.7}}};

DeformableDefinition solid(const TetrahedralMesh& mesh, const Vec3& place) {
  DeformableDefinition d;
  d.vertices = mesh.vertices;
  d.tetrahedra = mesh.tetrahedra;
  d.pose = Pose::translation(place);
  return d;
}

/// A plate of 480 surface triangles, held at its rim.
DeformableDefinition membrane() {
  DeformableDefinition d = solid(tetrahedral_box({1.0, 1.0, 0.05}, {10, 10, 1}), {});
  for (std::uint32_t i = 0; i < d.vertices.size(); ++i) {
    const Vec3& v = d.vertices[i];
    if (std::fabs(v.x) > 0.49 || std::fabs(v.y) > 0.49) d.fixed.push_back(i);
  }
  return d;
}

DeformableDefinition tetrahedron(double speed) {
  DeformableDefinition d = solid(
      {{{-0.1, -0.1, 0.1}, {0.1, -0.1, 0.1}, {0.0, 0.1, 0.1}, {0.01, 0.0, -0.1}}, {{1, 0, 2, 3}}},
      {0.013, 0.017, 0.7});
  d.linear_velocity = {0.0, 0.0, -speed};
  return d;
}

/// A rounded body of 572 surface triangles.
DeformableDefinition rounded_body(const Vec3& place) {
  return solid(tetrahedral_box({0.4, 0.4, 0.4}, {5, 9, 7}, 0.6), place);
}

std::vector<DeformableDefinition> definitions_of(const Trial& trial) {
  if (trial.speed > 0.0) return {membrane(), tetrahedron(trial.speed)};
  constexpr double kRow[] = {0.0, 0.0, 1.0, 1.0, 2.0};
  std::vector<DeformableDefinition> bodies;
  for (int k = 0; k < 5; ++k) {
    bodies.push_back(rounded_body({0.05 * (k % 2), 0.04 * kRow[k], 0.6 * k}));
    bodies.back().linear_velocity = {0.0, 0.0, -0.5 * k};
  }
  return bodies;
}

TetrahedraLists tetrahedra_of(const std::vector<DeformableDefinition>& definitions) {
  TetrahedraLists lists;
  lists.reserve(definitions.size());
  for (const DeformableDefinition& d : definitions) lists.emplace_back(d.tetrahedra);
  return lists;
}

DeformableWorld make_world(const Trial& trial, bool contacts, int threads) {
  DeformableSettings settings;
  settings.time_step = kStep;
  settings.contacts = contacts;
  settings.max_threads = threads;
  DeformableWorld world(settings);
  for (const DeformableDefinition& d : definitions_of(trial)) world.add(d);
  if (contacts && trial.speed == 0.0) world.add_obstacle({HalfSpace({0.0, 0.0, 1.0}, -0.5)});
  return world;
}

/// Contacts that one test saw in a run, and the processor time of its steps.
struct Watched {
  bool hit = false;
  int step = 0, frozen = 0;  ///< bodies at the end
  std::vector<double> milliseconds, alone;
  std::size_t moving = 0;  ///< steps in which something moves, from the first on

  std::vector<double> of_moving() const {
    return {milliseconds.begin(), milliseconds.begin() + static_cast<std::ptrdiff_t>(moving)};
  }
  double at(double share) const {
    std::vector<double> sorted = of_moving();
    std::sort(sorted.begin(), sorted.end());
    return sorted[static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1))];
  }
};
double mean(const std::vector<double>& list) {
  double sum = 0.0;
  for (const double v : list) sum += v;
  return sum / static_cast<double>(list.size());
}

/// The source's run: deformation without response and a test of each step. What touches is frozen,
/// the others fall on.
Watched watch(const Trial& trial, bool continuous, const Length& run) {
  DeformableWorld world = make_world(trial, false, run.threads);
  const std::vector<DeformableDefinition> definitions = definitions_of(trial);
  const TetrahedraLists tetrahedra = tetrahedra_of(definitions);
  Watched out;
  for (int k = 0; k < run.steps; ++k) {
    const Places start = places_of(world);
    const double begin = processor_milliseconds();
    require_done(world.step());
    const double deformation = processor_milliseconds() - begin;
    const Places end = places_of(world);
    std::vector<double> times;
    double alone = kNever;
    for (int repeat = 0; repeat < kRepeats; ++repeat) {
      const double test = processor_milliseconds();
      times = continuous ? first_contacts(world, start, end, run.threads)
                         : contacts_at_end(points_in_tetrahedra(bodies_at(end, tetrahedra, world)),
                                           end.size());
      alone = std::fmin(alone, processor_milliseconds() - test);
    }
    out.milliseconds.push_back(deformation + alone);
    // Frozen bodies cost nothing: figures are of the steps in which a body still moves.
    if (out.frozen < static_cast<int>(end.size())) {
      out.alone.push_back(alone);
      out.moving = out.milliseconds.size();
    }
    freeze(world, start, times);
    out.frozen = static_cast<int>(frozen_bodies(world));
    if (out.frozen > 0 && !out.hit) {
      out.hit = true;
      out.step = k;
    }
  }
  return out;
}

double lowest(std::span<const Vec3> x) {
  double z = std::numeric_limits<double>::infinity();
  for (const Vec3& v : x) z = std::fmin(z, v.z);
  return z;
}
double highest(std::span<const Vec3> x) {
  double z = -std::numeric_limits<double>::infinity();
  for (const Vec3& v : x) z = std::fmax(z, v.z);
  return z;
}

/// A run with a response: where it ends, and what its steps take, in ms.
struct Response {
  bool fell_through = false;
  std::size_t crossings = 0;
  std::vector<double> milliseconds;
};

/// The discrete test's points are pushed out by their depth in each step until they have left.
Response respond_by_depths(const Trial& trial, const Length& run) {
  DeformableWorld world = make_world(trial, false, run.threads);
  const std::vector<DeformableDefinition> definitions = definitions_of(trial);
  const TetrahedraLists tetrahedra = tetrahedra_of(definitions);
  Response out;
  for (int k = 0; k < run.steps; ++k) {
    const double begin = processor_milliseconds();
    require_done(world.step());
    push_out(world, tetrahedra, {});
    out.milliseconds.push_back(processor_milliseconds() - begin);
  }
  out.fell_through = trial.speed > 0.0 && highest(world.positions(1)) < lowest(world.positions(0));
  return out;
}

/// The library's own response: what passes, and what crosses.
Response respond(const Trial& trial, const Length& run) {
  DeformableWorld world = make_world(trial, true, run.threads);
  Response out;
  for (int k = 0; k < run.steps; ++k) {
    const double begin = processor_milliseconds();
    require_done(world.step());
    out.milliseconds.push_back(processor_milliseconds() - begin);
    out.crossings += world.crossings().size();
  }
  if (trial.speed > 0.0)
    out.fell_through = lowest(world.positions(1)) < lowest(world.positions(0)) - 0.05;
  return out;
}

void add_rows(const Trial& trial, const Watched& c, const Watched& d, Table& times) {
  for (int k = 0; k < 2; ++k) {
    const Watched& w = k == 0 ? c : d;
    const double* source = trial.source + 3 * k;
    times.rows.push_back({trial.name, k == 0 ? "continuous" : "discrete",
                          w.hit ? "step " + std::to_string(w.step) : "nothing",
                          static_cast<double>(w.frozen), w.at(0.0), w.at(1.0), mean(w.of_moving()),
                          mean(w.alone), source[0], source[1], source[2]});
  }
}

/// Ratios of continuous to discrete times: tests alone, whole steps, and the source's whole steps.
std::vector<Cell> ratio_row(const Trial& trial, const Watched& c, const Watched& d) {
  return {trial.name, mean(c.alone) / mean(d.alone), mean(c.of_moving()) / mean(d.of_moving()),
          trial.source[2] / trial.source[5]};
}

void add_series(const Watched& w, const std::string& name, Plot& plot) {
  Plot::Series s{name, {}};
  for (std::size_t k = 0; k < w.milliseconds.size(); ++k)
    s.points.emplace_back(static_cast<double>(k + 1), w.milliseconds[k]);
  plot.series.push_back(std::move(s));
}

constexpr const char* kText =
    "A tetrahedron falls on a membrane (484 surface triangles together) at three speeds, and five "
    "bodies of 572 surface triangles each fall on each other, all under gravity. As in "
    "*knoblauch2005*, bodies deform without response until a test sees them touch; what touches is "
    "then frozen, by the continuous test at the place of contact, by the discrete one (vertices in "
    "tetrahedra) at the interval's end, the others fall on, and the tests go on. Times are "
    "processor "
    "time of all threads, in milliseconds per step, and hold deformation and test; `test` is the "
    "test alone, the least of five times. Figures are of the steps in which something still moves: "
    "what is frozen costs "
    "nothing. The "
    "source's ratio is that of whole steps, in which deformation weighs little. Then the responses "
    "are on, and timed: vertices are pushed out by their depths, found anew in each step; or the "
    "library's own contacts hold ([how](../algorithms/deformable.md)). The same runs for "
    "`tactus simulate`: scenes/knoblauch_slow.json, _fast, _very_fast, _bodies.\n";

}  // namespace

std::vector<DeformableDefinition> knoblauch_bodies(int run) {
  return definitions_of(kTrials[static_cast<std::size_t>(run)]);
}

Report run_knoblauch(const Settings& settings) {
  Report report;
  report.name = "knoblauch";
  report.title = "The four experiments of Knoblauch";
  report.text = kText;
  Table times{"Time per step, ms",
              {"experiment", "test", "first hit", "frozen", "min", "max", "mean", "test",
               "source: min", "max", "mean"},
              {}};
  Table ratios{
      "Continuous over discrete", {"experiment", "tests alone", "steps", "source: steps"}, {}};
  Table responses{"With responses on",
                  {"experiment", "pushed out by depths", "ms per step", "own contacts",
                   "ms per step", "edges through triangles"},
                  {}};
  KnoblauchFigures figures;
  const Length length{static_cast<int>(settings.pairs), settings.threads};
  for (const Trial& trial : kTrials) {
    const Watched c = watch(trial, true, length);
    const Watched d = watch(trial, false, length);
    add_rows(trial, c, d, times);
    ratios.rows.push_back(ratio_row(trial, c, d));
    // A tetrahedron leaves too few steps to compare before all is frozen.
    if (trial.speed == 0.0) {
      figures.ratio_of_tests = mean(c.alone) / mean(d.alone) * trial.source[5] / trial.source[2];
    }
    figures.slower = std::fmax(figures.slower, mean(c.of_moving()) / trial.source[2]);
    figures.unseen += c.hit ? 0.0 : 1.0;
    if (trial.speed > 100.0) figures.seen_late = d.hit ? 1.0 : 0.0;
    const Response own = respond(trial, length);
    const Response by_depths = respond_by_depths(trial, length);
    figures.passed += own.fell_through ? 1.0 : 0.0;
    figures.crossings += static_cast<double>(own.crossings);
    const auto end_of = [&](const Response& r) {
      if (trial.speed == 0.0) return "stand";
      return r.fell_through ? "falls through" : "is held";
    };
    responses.rows.push_back({trial.name, end_of(by_depths), mean(by_depths.milliseconds),
                              end_of(own), mean(own.milliseconds),
                              static_cast<double>(own.crossings)});
    Plot plot{trial.plot, std::string(trial.name) + ": time per step", "step", "ms", {}};
    add_series(c, "continuous", plot);
    add_series(d, "discrete", plot);
    report.plots.push_back(std::move(plot));
  }
  report.tables = {times, ratios, responses};
  report.bars = bars_of(figures);
  return report;
}

}  // namespace tactus::detail::lab
