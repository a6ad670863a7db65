#include <cmath>
#include <limits>
#include <memory>

#include "fuzz/random_values.hpp"
#include "lab/experiment.hpp"
#include "lab/measure.hpp"
#include "lab/verdicts.hpp"
#include "tactus/classic/epa_classic.hpp"
#include "tactus/core.hpp"
#include "tactus/io/json/capture.hpp"

// Source: leemann2017, section 4.3, table 9 and figure 25.

namespace tactus::detail::lab {
namespace {

constexpr int kLevels = 13;  // eps = 1e-1 .. 1e-13
// Pairs per task of a thread and per step of the progress bar.
constexpr std::size_t kGrain = 64, kBatch = 4096;
// The margin that the literal method grows each body by; the source does not name its own.
constexpr double kMargin = 0.01;
// The tightest bracket that decides what is true.
constexpr double kTruthTolerance = 1e-14;

constexpr double kSourcePairs = 250000.0;
constexpr double kSourceAborts[kLevels] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 43, 488, 7015, 15411};
constexpr double kSourceMissed[kLevels] = {5939, 561, 62, 5, 2, 0, 0, 0, 0, 0, 0, 0, 0};

/// Failures, errors and time of one method at one value of eps.
struct Level {
  std::uint64_t aborts = 0, missed = 0;
  Errors normal, depth;
  double seconds = 0.0;

  Level& operator+=(const Level& other) {
    aborts += other.aborts;
    missed += other.missed;
    normal += other.normal;
    depth += other.depth;
    seconds += other.seconds;
    return *this;
  }
};

struct Tally {
  std::uint64_t overlapping = 0, undecided = 0;
  Level literal[kLevels], ours[kLevels];
  std::vector<Incident> incidents;

  void operator+=(Tally other) {
    overlapping += other.overlapping;
    undecided += other.undecided;
    for (int i = 0; i < kLevels; ++i) {
      literal[i] += other.literal[i];
      ours[i] += other.ours[i];
    }
    for (Incident& incident : other.incidents) incidents.push_back(std::move(incident));
  }
};

double eps_of(int level) {
  double power = 10.0;
  for (int i = 0; i < level; ++i) power *= 10.0;
  return 1.0 / power;
}

Shape random_ellipsoid(Random& random) { return Ellipsoid(fuzz::vector_in(random, 0.3, 1.0)); }

class Pairs {
 public:
  explicit Pairs(const Settings& settings) : settings_(settings) {}

  void measure(std::uint64_t index, EpaClassic& epa, Tally& tally) const {
    Random random(settings_.seed, index);
    const Shape a = random_ellipsoid(random), b = random_ellipsoid(random);
    const Pose pose_a({}, fuzz::rotation(random));
    // About a third overlap, as in the source.
    const Vec3 place = fuzz::vector_in(random, -1.4, 1.4);
    const Pose pose_b(place, fuzz::rotation(random));

    QueryOptions options;
    options.tolerance = kTruthTolerance;
    const DistanceResult truth = distance(a, pose_a, b, pose_b, options);
    const bool overlap = truth.upper < 0.0;
    if (truth.lower <= 0.0 && truth.upper >= 0.0) {
      ++tally.undecided;
      return;
    }
    tally.overlapping += overlap ? 1 : 0;
    const Vec3 normal = pose_a.direction_to_local(truth.normal);
    for (int i = 0; i < kLevels; ++i) {
      literal(a, pose_a, b, pose_b, truth, normal, i, epa, tally.literal[i]);
      options.tolerance = eps_of(i);
      const double start = thread_seconds();
      const DistanceResult r = settings_.ask(a, pose_a, b, pose_b, options);
      Level& level = tally.ours[i];
      level.seconds += thread_seconds() - start;
      const bool aborted = r.status != Status::converged;
      const bool missed = overlap != (r.distance < 0.0);
      level.aborts += aborted ? 1 : 0;
      level.missed += missed ? 1 : 0;
      if (overlap && !missed) {
        level.normal.add(degrees_between(r.normal, truth.normal));
        level.depth.add(std::fabs(r.distance - truth.distance));
      }
      if (aborted || missed) {
        tally.incidents.push_back({missed ? 2.0 : 1.0,
                                   missed ? "wrong verdict" : std::string(to_string(r.status)),
                                   io::capture(a, pose_a, b, pose_b, options, io::Ask::distance,
                                               "stopping-" + std::to_string(index))});
      }
    }
  }

 private:
  static void literal(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                      const DistanceResult& truth, const Vec3& normal, int i, EpaClassic& epa,
                      Level& level) {
    EpaClassicOptions options;
    options.eps = eps_of(i);
    options.margin = kMargin;
    options.overlap_only = true;
    const double start = thread_seconds();
    const Cso cso(core_of(a), pose_a, core_of(b), pose_b);
    const EpaClassicResult r = epa.run(cso, options);
    level.seconds += thread_seconds() - start;
    level.aborts += is_abort(r.outcome) ? 1 : 0;
    const bool missed = r.collision != (truth.distance < 0.0);
    level.missed += missed ? 1 : 0;
    if (r.collision && !missed) {
      level.normal.add(degrees_between(r.n, normal));
      level.depth.add(std::fabs(r.depth + truth.distance));
    }
  }

  const Settings& settings_;
};

Tally run_pairs(const Settings& settings, std::uint64_t count) {
  const Pairs pairs(settings);
  Tally all;
  for (std::uint64_t first = 0; first < count; first += kBatch) {
    const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(kBatch, count - first));
    std::vector<Tally> chunks((size + kGrain - 1) / kGrain);
    parallel_for(
        size, kGrain,
        [&](std::size_t begin, std::size_t end) {
          const auto epa = std::make_unique<EpaClassic>();
          for (std::size_t i = begin; i < end; ++i)
            pairs.measure(first + i, *epa, chunks[begin / kGrain]);
        },
        settings.threads);
    for (Tally& chunk : chunks) all += std::move(chunk);
    settings.progress(first + size, count);
  }
  return all;
}

// Exponent of eps with which the literal form's mean normal error grows, from 1e-6 to 1e-1: least
// squares in logarithms. NaN where a level has no error at all.
double slope_of(const Level (&levels)[kLevels]) {
  double x_mean = 0.0, y_mean = 0.0, xy = 0.0, xx = 0.0;
  constexpr int kFitted = 6;
  for (int i = 0; i < kFitted; ++i) {
    x_mean += std::log(eps_of(i)) / kFitted;
    y_mean += std::log(levels[i].normal.mean()) / kFitted;
  }
  for (int i = 0; i < kFitted; ++i) {
    const double x = std::log(eps_of(i)) - x_mean;
    xy += x * (std::log(levels[i].normal.mean()) - y_mean);
    xx += x * x;
  }
  return xy / xx;
}

}  // namespace

Report run_stopping(const Settings& settings) {
  const std::uint64_t count = settings.pairs;
  Tally tally = run_pairs(settings, count);
  Report report;
  report.name = "stopping";
  report.title = "The stop parameter on ellipsoids";
  report.text =
      std::to_string(count) + " random pairs of ellipsoids (radii 0.3 to 1), of which " +
      std::to_string(tally.overlapping) + " overlap (" + std::to_string(tally.undecided) +
      " touch within rounding and are left out). `literal`: the\nexpanding polytope as leemann2017 "
      "states it (`tactus/classic/epa_classic.hpp`), eps as its relative stop parameter, "
      "margin\n0.01. "
      "`ours`: the default query with eps as the wanted width of the bracket, relative to size. "
      "Aborts: "
      "numerical errors;\nof ours, answers whose status is not `converged`. Missed: wrong verdicts "
      "against a query with the tightest bracket,\nwhose normal is also the reference for the mean "
      "and largest errors of normals (degrees) and mean ones of depths (absolute). Times per pair, "
      "all\npairs, processor "
      "time. "
      "Figures of leemann2017 (table 9) for its own 250,000 pairs; it has normals of deep "
      "ellipsoids "
      "up to 2 degrees off, and\nerrors that grow as the root of eps.";
  Table table;
  table.head = {"eps",
                "leemann2017 aborts",
                "literal",
                "ours",
                "leemann2017 missed",
                "literal",
                "ours",
                "normal, literal",
                "ours",
                "largest, literal",
                "ours",
                "depth, literal",
                "ours",
                "ns, literal",
                "ours"};
  Plot error{"stopping-error.svg", "Mean error of the normal", "eps", "degrees", {}};
  Plot time{"stopping-time.svg", "Time per pair", "eps", "nanoseconds", {}};
  for (Plot* plot : {&error, &time})
    plot->series = {{"literal form of leemann2017", {}}, {"ours", {}}};
  StoppingFigures figures;
  for (int i = 0; i < kLevels; ++i) {
    const Level &l = tally.literal[i], &o = tally.ours[i];
    const double each = 1e9 / static_cast<double>(count);
    table.rows.push_back(
        {eps_of(i), kSourceAborts[i], static_cast<double>(l.aborts), static_cast<double>(o.aborts),
         kSourceMissed[i], static_cast<double>(l.missed), static_cast<double>(o.missed),
         l.normal.mean(), o.normal.mean(), l.normal.largest(), o.normal.largest(), l.depth.mean(),
         o.depth.mean(), std::round(l.seconds * each), std::round(o.seconds * each)});
    error.series[0].points.emplace_back(eps_of(i), l.normal.mean());
    error.series[1].points.emplace_back(eps_of(i), o.normal.mean());
    time.series[0].points.emplace_back(eps_of(i), l.seconds * each);
    time.series[1].points.emplace_back(eps_of(i), o.seconds * each);
    figures.aborts += static_cast<double>(o.aborts);
    figures.missed += static_cast<double>(o.missed);
    figures.literal_aborts += static_cast<double>(l.aborts);
    figures.literal_missed += static_cast<double>(l.missed);
    figures.largest_normal = std::fmax(figures.largest_normal, o.normal.largest());
  }
  figures.slope = slope_of(tally.literal);
  // The source's figures, for as many pairs.
  const double share = static_cast<double>(count) / kSourcePairs;
  for (const double n : kSourceAborts) figures.source_aborts += share * n;
  for (const double n : kSourceMissed) figures.source_missed += share * n;
  report.tables.push_back(std::move(table));
  report.plots = {std::move(error), std::move(time)};
  report.bars = bars_of(figures);
  report.incidents = std::move(tally.incidents);
  rank(report.incidents);
  return report;
}

}  // namespace tactus::detail::lab
