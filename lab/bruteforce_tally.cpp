#include <cmath>
#include <cstdio>
#include <limits>
#include <utility>

#include "lab/bruteforce.hpp"
#include "tactus/core.hpp"
#include "tactus/io/json/capture.hpp"
#include "tactus/io/json/query_judge.hpp"

namespace tactus::detail::lab {
namespace {

// Signed distances of two methods agree within this, relative to size, beside their brackets.
constexpr double kAgreement = 1e-9;
constexpr double kNormalBound = 1e-5;  // degrees
constexpr double kPlaceBound = 1e-10;  // percent of size; the source has 5.16
// Incidents that are kept; all are counted.
constexpr std::size_t kKept = 100;
// Bodies of the source are about this long; its lengths are absolute.
constexpr double kSourceSize = 6.0;
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

std::string to_text(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

std::string quantile_name(double share) {
  char text[16];
  std::snprintf(text, sizeof text, "%g %%", 100.0 * share);
  return text;
}

double number(std::uint64_t n) { return static_cast<double>(n); }

// Ours and the source's, mix by mix, and the quantiles of all of its mixes.
std::vector<Table> tables_of(const std::vector<Mix>& all_mixes, const std::vector<Tally>& tallies,
                             const Tally& of_source) {
  Table errors;
  errors.title = "ours";
  errors.head = {"mix",       "pairs",      "collisions",   "disagree",
                 "ambiguous", "searched",   "max normal",   "mean normal",
                 "max depth", "mean depth", "max position", "mean position"};
  Table source;
  source.title = "leemann2017";
  source.head = {"mix",       "pairs",      "collisions",   "max normal",   "mean normal",
                 "max depth", "mean depth", "max position", "mean position"};
  for (std::size_t m = 0; m < all_mixes.size(); ++m) {
    const Mix& mix = all_mixes[m];
    const Tally& t = tallies[m];
    errors.rows.push_back({std::string(mix.name), number(t.pairs), number(t.collisions),
                           number(t.disagreements), number(t.ambiguous), number(t.searched),
                           t.normal.largest(), t.normal.mean(), t.depth.largest(), t.depth.mean(),
                           100.0 * t.position.largest(), 100.0 * t.position.mean()});
    source.rows.push_back({std::string(mix.name), mix.source_pairs, mix.source_collisions,
                           mix.source_normal, mix.source_mean_normal,
                           mix.source_depth / kSourceSize, mix.source_mean_depth / kSourceSize,
                           mix.source_position, mix.source_mean_position});
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
  return {std::move(errors), std::move(source), std::move(quantiles)};
}

}  // namespace

std::vector<Mix> bruteforce_mixes() {
  const Shape ball = Sphere(3.0), cube = Box({6.0, 6.0, 6.0}), capsule = Capsule(1.5, 3.0);
  const double none[] = {kNone, kNone, kNone};
  const auto mix = [](const char* name, const Shape& a, double reach_a, const Shape& b,
                      double reach_b, double pairs, double collisions, const double(&most)[3],
                      const double(&mean)[3]) {
    return Mix{
        name,    {a, b}, {reach_a, reach_b}, pairs, collisions, most[0], mean[0], most[1], most[2],
        mean[1], mean[2]};
  };
  return {mix("spheres", ball, 3.0, ball, 3.0, 834565, 109929, {1.39e-10, 2.14e-14, 4.1e-13},
              {3.45e-12, 4.15e-15, 8.77e-14}),
          mix("spheres + cubes", ball, 3.0, cube, 5.2, 601704, 68158, {0.42, 9.65e-6, 0.97},
              {6.90e-3, 3.08e-7, 0.093}),
          mix("cubes", cube, 5.2, cube, 5.2, 403287, 47591, {4.01e-4, 2.76e-6, 5.16},
              {1.21e-5, 1.96e-7, 0.070}),
          mix("spheres + capsules", ball, 3.0, capsule, 3.0, 1563083, 146817, {0.67, 3.50e-5, 0.05},
              {0.0117, 9.66e-7, 4.62e-4}),
          mix("capsules", capsule, 3.0, capsule, 3.0, 2859619, 215498, {0.95, 4.10e-5, 1.01},
              {0.0151, 1.20e-6, 1.85e-3}),
          mix("cubes + capsules", cube, 5.2, capsule, 3.0, kNone, kNone, none, none)};
}

BothAnswers ask_both(const Settings& settings, const Shape& a, const Pose& pose_a, const Shape& b,
                     const Pose& pose_b) {
  BothAnswers answers;
  QueryOptions options;
  options.method = Method::epa;
  answers.iterative = settings.ask(a, pose_a, b, pose_b, options);
  for (const Method method : {Method::closed_form, Method::sat}) {
    options.method = method;
    answers.closed = settings.ask(a, pose_a, b, pose_b, options);
    if (answers.closed.status != Status::unsupported) return answers;
  }
  answers.searched = true;
  answers.closed = settings.ask(a, pose_a, b, pose_b, {});
  return answers;
}

bool disagree(const BothAnswers& answers, double size) {
  const DistanceResult &x = answers.iterative, &y = answers.closed;
  return x.lower > y.upper || y.lower > x.upper ||
         !(std::fabs(x.distance - y.distance) / size <= kAgreement) ||
         (x.upper < 0.0) != (y.upper < 0.0);
}

DistanceResult Tally::compare(const Settings& settings, const Shape& a, const Pose& pose_a,
                              const Shape& b, const Pose& pose_b, const std::string& name) {
  const double size = io::pair_size(a, b);
  const BothAnswers answers = ask_both(settings, a, pose_a, b, pose_b);
  const DistanceResult &x = answers.iterative, &y = answers.closed;
  ++pairs;
  searched += answers.searched ? 1 : 0;

  std::string reason;
  double relevance = 0.0;
  const double depth_error = std::fabs(x.distance - y.distance) / size;
  if (disagree(answers, size)) {
    ++disagreements;
    reason = "iteration and closed form disagree";
    relevance = 1e6 + depth_error;
  }
  const double normal_error = degrees_between(x.normal, y.normal);
  const bool unique = x.unique && y.unique;
  // A rival within rounding has another normal: then depths alone can be compared.
  if (reason.empty() && unique && !(normal_error <= kNormalBound)) {
    ++coarse_normals;
    reason = "normals differ";
    relevance = normal_error;
  }
  if (y.distance < 0.0) {
    ++collisions;
    depth.add(depth_error);
    if (unique) {
      normal.add(normal_error);
      const Vec3 apart = (x.point_a + x.point_b) * 0.5 - (y.point_a + y.point_b) * 0.5;
      position.add(norm(apart) / size);
    } else {
      ++ambiguous;
    }
  }
  if (reason.empty()) return y;
  QueryOptions iterative;
  iterative.method = Method::epa;
  incidents.push_back({relevance,
                       reason + " (" + to_text(x.distance) + ", " + to_text(y.distance) + ", " +
                           to_text(normal_error) + " degrees)",
                       io::capture(a, pose_a, b, pose_b, iterative, io::Ask::distance, name)});
  return y;
}

void Tally::operator+=(Tally other) {
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

void write(const Tally& tally, Parcel& parcel) {
  for (const std::uint64_t count : {tally.pairs, tally.collisions, tally.ambiguous, tally.searched,
                                    tally.disagreements, tally.coarse_normals})
    parcel.add(count);
  for (const Errors* errors : {&tally.normal, &tally.depth, &tally.position}) parcel.add(*errors);
  parcel.add(tally.incidents.size());
  for (const Incident& incident : tally.incidents) {
    parcel.add(incident.relevance);
    parcel.add_text(incident.reason);
    parcel.add_text(incident.line);
  }
}

void read(ParcelReader& reader, Tally& tally) {
  for (std::uint64_t* count : {&tally.pairs, &tally.collisions, &tally.ambiguous, &tally.searched,
                               &tally.disagreements, &tally.coarse_normals})
    *count = reader.read<std::uint64_t>();
  for (Errors* errors : {&tally.normal, &tally.depth, &tally.position})
    *errors = reader.read<Errors>();
  tally.incidents.resize(reader.read<std::size_t>());
  for (Incident& incident : tally.incidents) {
    incident.relevance = reader.read<double>();
    incident.reason = reader.read_text();
    incident.line = reader.read_text();
  }
}

void report_tallies(const std::vector<Tally>& tallies, Report& report) {
  const std::vector<Mix> all_mixes = bruteforce_mixes();
  Tally of_source;  // the five mixes of the source together
  Tally all;
  for (std::size_t m = 0; m < all_mixes.size(); ++m) {
    all += tallies[m];
    if (!std::isnan(all_mixes[m].source_pairs)) of_source += tallies[m];
  }
  report.tables = tables_of(all_mixes, tallies, of_source);
  report.bars = {
      {"disagreements", number(all.disagreements), 0.0},
      {"worst normal in degrees", all.normal.largest(), kNormalBound},
      {"normals of gaps or collisions beyond the bound", number(all.coarse_normals), 0.0},
      {"worst contact point of a unique contact, percent of size", 100.0 * all.position.largest(),
       kPlaceBound}};
  report.incidents = std::move(all.incidents);
}

}  // namespace tactus::detail::lab
