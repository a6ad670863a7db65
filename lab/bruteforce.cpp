#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "fuzz/random_values.hpp"
#include "lab/experiment.hpp"
#include "lab/measure.hpp"
#include "tactus/core.hpp"
#include "tactus/io/json/capture.hpp"
#include "tactus/io/json/query_judge.hpp"

// Source: leemann2017, sections 4.1.2 to 4.1.4, tables 1 to 4.

namespace tactus::detail::lab {
namespace {

// Pairs per task of a thread and per step of the progress bar.
constexpr std::size_t kGrain = 1024, kBatch = 65536;
// Signed distances of two methods agree within this, relative to size, beside their brackets.
constexpr double kAgreement = 1e-9;
constexpr double kNormalBound = 1e-5;  // degrees
// Half the edge of the cube in which B is placed about A, in units of the distance at which balls
// around them touch: between a quarter and two thirds of the pairs overlap.
constexpr double kSpread = 0.9;
// Incidents that are kept; all are counted.
constexpr std::size_t kKept = 100;
// Bodies of the source are about this long; its lengths are absolute.
constexpr double kSourceSize = 6.0;
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// Two kinds that alternate, and the source's figures for them.
struct Mix {
  const char* name;
  Shape kinds[2];
  double reach[2];  ///< radii of balls around the bodies
  double source_pairs, source_collisions;
  double source_normal, source_mean_normal;  ///< degrees, largest and mean
  double source_depth, source_position;      ///< largest; absolute, percent of size
};

std::vector<Mix> mixes() {
  const Shape ball = Sphere(3.0), cube = Box({6.0, 6.0, 6.0}), capsule = Capsule(1.5, 3.0);
  return {
      {"spheres", {ball, ball}, {3.0, 3.0}, 834565, 109929, 1.39e-10, 3.45e-12, 2.14e-14, 4.1e-13},
      {"spheres + cubes", {ball, cube}, {3.0, 5.2}, 601704, 68158, 0.42, 6.90e-3, 9.65e-6, 0.97},
      {"cubes", {cube, cube}, {5.2, 5.2}, 403287, 47591, 4.01e-4, 1.21e-5, 2.76e-6, 5.16},
      {"spheres + capsules",
       {ball, capsule},
       {3.0, 3.0},
       1563083,
       146817,
       0.67,
       0.0117,
       3.50e-5,
       0.05},
      {"capsules", {capsule, capsule}, {3.0, 3.0}, 2859619, 215498, 0.95, 0.0151, 4.10e-5, 1.01},
      {"cubes + capsules", {cube, capsule}, {5.2, 3.0}, kNone, kNone, kNone, kNone, kNone, kNone},
  };
}

struct Tally {
  std::uint64_t pairs = 0, collisions = 0, ambiguous = 0, searched = 0;
  std::uint64_t disagreements = 0, coarse_normals = 0;
  Errors normal, depth, position;
  std::vector<Incident> incidents;

  void operator+=(Tally other) {
    pairs += other.pairs;
    collisions += other.collisions;
    ambiguous += other.ambiguous;
    searched += other.searched;
    disagreements += other.disagreements;
    coarse_normals += other.coarse_normals;
    normal += other.normal;
    depth += other.depth;
    position += other.position;
    for (Incident& incident : other.incidents) incidents.push_back(std::move(incident));
    // Bounded after every merge.
    rank(incidents);
    if (incidents.size() > kKept) incidents.resize(kKept);
  }
};

class BruteForce {
 public:
  BruteForce(const Settings& settings, const Mix& mix, std::uint64_t stream)
      : settings_(settings), mix_(mix), stream_(stream) {}

  void compare(std::uint64_t index, Tally& tally) const {
    Random random(settings_.seed ^ (stream_ << 56u), index);
    const std::uint32_t kind_a = random.below(2), kind_b = random.below(2);
    const Shape &a = mix_.kinds[kind_a], &b = mix_.kinds[kind_b];
    const double size = io::pair_size(a, b);
    const double reach = kSpread * (mix_.reach[kind_a] + mix_.reach[kind_b]);
    const Pose pose_a(fuzz::vector_in(random, -10.0, 10.0), fuzz::rotation(random));
    const Pose pose_b(pose_a.position() + fuzz::vector_in(random, -reach, reach),
                      fuzz::rotation(random));
    QueryOptions iterative;
    iterative.method = Method::epa;
    const DistanceResult x = settings_.ask(a, pose_a, b, pose_b, iterative);
    const DistanceResult y = closed_form(a, pose_a, b, pose_b, tally);
    ++tally.pairs;

    std::string reason;
    double relevance = 0.0;
    const double depth_error = std::fabs(x.distance - y.distance) / size;
    if (x.lower > y.upper || y.lower > x.upper || !(depth_error <= kAgreement) ||
        (x.upper < 0.0) != (y.upper < 0.0)) {
      ++tally.disagreements;
      reason = "iteration and closed form disagree";
      relevance = 1e6 + depth_error;
    }
    const double normal_error = degrees_between(x.normal, y.normal);
    const bool unique = x.unique && y.unique;
    // A rival within rounding has another normal: then depths alone can be compared.
    if (reason.empty() && unique && !(normal_error <= kNormalBound)) {
      ++tally.coarse_normals;
      reason = "normals differ";
      relevance = normal_error;
    }
    if (y.distance < 0.0) {
      ++tally.collisions;
      tally.depth.add(depth_error);
      if (unique) {
        tally.normal.add(normal_error);
        const Vec3 apart = (x.point_a + x.point_b) * 0.5 - (y.point_a + y.point_b) * 0.5;
        tally.position.add(norm(apart) / size);
      } else {
        ++tally.ambiguous;
      }
    }
    if (!reason.empty()) {
      tally.incidents.push_back(
          {relevance,
           reason + " (" + to_text(x.distance) + ", " + to_text(y.distance) + ", " +
               to_text(normal_error) + " degrees)",
           io::capture(a, pose_a, b, pose_b, iterative, io::Ask::distance,
                       std::string(mix_.name) + "-" + std::to_string(index))});
    }
  }

 private:
  static std::string to_text(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.17g", value);
    return text;
  }

  // Closed form or separating axes; the default for a pair that has neither.
  DistanceResult closed_form(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                             Tally& tally) const {
    QueryOptions options;
    for (const Method method : {Method::closed_form, Method::sat}) {
      options.method = method;
      const DistanceResult r = settings_.ask(a, pose_a, b, pose_b, options);
      if (r.status != Status::unsupported) return r;
    }
    ++tally.searched;
    return settings_.ask(a, pose_a, b, pose_b, {});
  }

  const Settings& settings_;
  const Mix& mix_;
  std::uint64_t stream_;
};

std::string quantile_name(double share) {
  char text[16];
  std::snprintf(text, sizeof text, "%g %%", 100.0 * share);
  return text;
}

}  // namespace

Report run_bruteforce(const Settings& settings) {
  const std::vector<Mix> all_mixes = mixes();
  const std::uint64_t total = settings.pairs;
  std::vector<Tally> tallies(all_mixes.size());
  Tally of_source;  // the five mixes of the source together
  Tally all;
  std::uint64_t done = 0;
  for (std::size_t m = 0; m < all_mixes.size(); ++m) {
    const BruteForce force(settings, all_mixes[m], m);
    const std::uint64_t count = total / all_mixes.size() + (m < total % all_mixes.size() ? 1 : 0);
    for (std::uint64_t first = 0; first < count; first += kBatch) {
      const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(kBatch, count - first));
      std::vector<Tally> chunks((size + kGrain - 1) / kGrain);
      parallel_for(
          size, kGrain,
          [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i)
              force.compare(first + i, chunks[begin / kGrain]);
          },
          settings.threads);
      for (Tally& chunk : chunks) tallies[m] += std::move(chunk);
      done += size;
      settings.progress(done, total);
    }
    all += tallies[m];
    if (!std::isnan(all_mixes[m].source_pairs)) of_source += tallies[m];
  }

  Report report;
  report.name = "bruteforce";
  report.title = "Iteration against closed forms, random pairs";
  report.text = std::to_string(all.pairs) + " random pairs, seed " + std::to_string(settings.seed) +
                ", of the five mixes of leemann2017 (section 4.1.2; bodies 6 in size, both kinds "
                "drawn\nat random) "
                "and of cubes with capsules, which it had to leave out. Every pair by closed form "
                "(`closed_form`; "
                "cubes: `sat`) and\niteratively (`epa`: GJK, expanding polytope, second-order "
                "finish). Errors are "
                "those of collisions: normals in degrees,\ndepths relative to size (those of "
                "leemann2017 divided "
                "by its size 6), positions (midpoint of the witnesses) in percent of\nsize. "
                "`ambiguous`: collisions "
                "with several equally good normals or points, compared by depth alone. `searched`: "
                "pairs\nwithout a "
                "closed form, compared with the default. Disagreement: brackets apart, another "
                "verdict, or distances "
                "more than 1e-9\nof size apart; gaps are compared too.";
  const auto number = [](std::uint64_t n) { return static_cast<double>(n); };
  Table errors;
  errors.title = "ours";
  errors.head = {"mix",       "pairs",      "collisions",   "disagree",
                 "ambiguous", "searched",   "max normal",   "mean normal",
                 "max depth", "mean depth", "max position", "mean position"};
  Table source;
  source.title = "leemann2017";
  source.head = {"mix",         "pairs",     "collisions",  "max normal",
                 "mean normal", "max depth", "max position"};
  for (std::size_t m = 0; m < all_mixes.size(); ++m) {
    const Mix& mix = all_mixes[m];
    const Tally& t = tallies[m];
    errors.rows.push_back({std::string(mix.name), number(t.pairs), number(t.collisions),
                           number(t.disagreements), number(t.ambiguous), number(t.searched),
                           t.normal.largest(), t.normal.mean(), t.depth.largest(), t.depth.mean(),
                           100.0 * t.position.largest(), 100.0 * t.position.mean()});
    source.rows.push_back({std::string(mix.name), mix.source_pairs, mix.source_collisions,
                           mix.source_normal, mix.source_mean_normal,
                           mix.source_depth / kSourceSize, mix.source_position});
  }
  Table quantiles;
  quantiles.title = "quantiles, the five mixes of leemann2017 together";
  quantiles.head = {"share",       "normal",   "leemann2017", "depth",
                    "leemann2017", "position", "leemann2017"};
  constexpr double kSourceQuantiles[3][4] = {
      {0.99, 0.11, 0.82e-5, 0.30}, {0.999, 0.25, 1.33e-5, 0.58}, {0.9999, 0.45, 2.08e-5, 0.96}};
  for (const auto& q : kSourceQuantiles) {
    quantiles.rows.push_back({quantile_name(q[0]), of_source.normal.quantile(q[0]), q[1],
                              of_source.depth.quantile(q[0]), q[2] / kSourceSize,
                              100.0 * of_source.position.quantile(q[0]), q[3]});
  }
  report.tables = {std::move(errors), std::move(source), std::move(quantiles)};
  report.bars = {
      {"disagreements", number(all.disagreements), 0.0},
      {"worst normal in degrees", all.normal.largest(), kNormalBound},
      {"normals of gaps or collisions beyond the bound", number(all.coarse_normals), 0.0}};
  report.incidents = std::move(all.incidents);
  return report;
}

}  // namespace tactus::detail::lab
