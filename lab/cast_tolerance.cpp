#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "fuzz/random_values.hpp"
#include "lab/experiment.hpp"
#include "lab/measure.hpp"
#include "lab/pairs.hpp"
#include "lab/verdicts.hpp"

// The only timing of the source: a ray cast whose relative tolerance is 1e-6 takes 2.8 times as
// long as one of 1e-3. Source: huotari2011, section 6.2.4.

namespace tactus::detail::lab {
namespace {

constexpr double kTolerances[] = {1e-1, 1e-2, 1e-3, 1e-4, 1e-6, 1e-8, 1e-10, 1e-12};
constexpr std::size_t kCoarse = 2, kFine = 4;  // 1e-3 and 1e-6
constexpr int kRepeats = 5;

struct Flight {
  Shape a, b;
  Pose pose_a, pose_b;
  Vec3 motion;  ///< of A
  CastResult right;
};

Shape ellipsoid(Random& random) { return Ellipsoid(fuzz::vector_in(random, 0.3, 1.0)); }
Shape hull(Random& random) { return random_hull(32, random); }

QueryOptions with(double tolerance) {
  QueryOptions options;
  options.tolerance = tolerance;
  return options;
}

// A starts three sizes away and flies at a place within B; all of them hit.
std::vector<Flight> draw(Shape (*kind)(Random&), std::uint64_t count, Random& random) {
  std::vector<Flight> flights;
  while (flights.size() < count) {
    Flight f{kind(random), kind(random), {}, {}, {}, {}};
    f.pose_a = Pose(fuzz::direction(random) * 6.0, fuzz::rotation(random));
    f.pose_b = Pose({}, fuzz::rotation(random));
    f.motion = fuzz::vector_in(random, -0.5, 0.5) - f.pose_a.position();
    f.right = cast(f.a, f.pose_a, f.motion, f.b, f.pose_b, {}, with(1e-14));
    if (f.right.hit == Overlap::yes) flights.push_back(std::move(f));
  }
  return flights;
}

struct Effort {
  double seconds = std::numeric_limits<double>::infinity(), evaluations = 0.0;
  double early = 0.0, late = 0.0;  ///< worst, of the time of contact
};

Effort measure(const std::vector<Flight>& flights, double tolerance) {
  Effort effort;
  const QueryOptions options = with(tolerance);
  std::vector<CastResult> found(flights.size());
  for (int repeat = 0; repeat < kRepeats; ++repeat) {
    const double start = thread_seconds();
    for (std::size_t i = 0; i < flights.size(); ++i) {
      const Flight& f = flights[i];
      found[i] = cast(f.a, f.pose_a, f.motion, f.b, f.pose_b, {}, options);
    }
    effort.seconds = std::min(effort.seconds, thread_seconds() - start);
  }
  const auto count = static_cast<double>(flights.size());
  effort.seconds /= count;
  for (std::size_t i = 0; i < flights.size(); ++i) {
    effort.evaluations += found[i].iterations / count;
    effort.early = std::fmax(effort.early, flights[i].right.time - found[i].time);
    // The truth is at most the reference's upper end.
    effort.late = std::fmax(effort.late, found[i].time - flights[i].right.time_upper);
  }
  return effort;
}

}  // namespace

Report run_cast_tolerance(const Settings& settings) {
  Report report;
  report.name = "cast-tolerance";
  report.title = "Casts by tolerance";
  report.text = std::to_string(settings.pairs) + " casts of each kind, seed " +
                std::to_string(settings.seed) +
                ", all of which hit: bodies of 0.6 to 2, six away, by the wanted width of the "
                "bracket relative to the size. Microseconds of processor time, one thread, least "
                "of 5 runs.\nThe only timing of huotari2011 (section 6.2.4): with its relative "
                "stop rule 1e-6 takes 2.8 times as long as 1e-3. *early*, *late*: worst "
                "difference to the time of contact\nby the tightest tolerance; a time is never "
                "late. Ours stop where the supporting plane decides, so that another digit costs "
                "a step or none.";
  Table table{"", {"bodies", "tolerance", "us", "over 1e-3", "evaluations", "early", "late"}, {}};
  CastFigures figures;
  std::uint64_t stream = 0;
  struct Kind {
    const char* name;
    Shape (*draw)(Random&);
  };
  for (const Kind& kind : {Kind{"ellipsoids", ellipsoid}, Kind{"hulls of 32", hull}}) {
    Random random(settings.seed, stream++);
    const std::vector<Flight> flights = draw(kind.draw, settings.pairs, random);
    std::vector<Effort> all;
    for (const double tolerance : kTolerances) all.push_back(measure(flights, tolerance));
    for (std::size_t k = 0; k < all.size(); ++k) {
      const Effort& e = all[k];
      table.rows.push_back({std::string(kind.name), kTolerances[k], 1e6 * e.seconds,
                            e.seconds / all[kCoarse].seconds, e.evaluations, e.early, e.late});
      figures.late = std::fmax(figures.late, e.late);
    }
    figures.ratio = std::fmax(figures.ratio, all[kFine].seconds / all[kCoarse].seconds);
    settings.progress(stream * settings.pairs / 2, settings.pairs);
  }
  report.tables.push_back(std::move(table));
  report.bars = bars_of(figures);
  return report;
}

}  // namespace tactus::detail::lab
