#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "lab/experiment.hpp"
#include "lab/measure.hpp"
#include "lab/pairs.hpp"
#include "lab/verdicts.hpp"
#include "tactus/io/json/capture.hpp"
#include "tactus/io/json/line_file.hpp"
#include "tactus/io/json/query_judge.hpp"
#include "tactus/io/json/query_line.hpp"
#include "tactus/shape.hpp"

// Source: leemann2017, section 4.3, table 10.

namespace tactus::detail::lab {
namespace {

// Every timing is repeated, and the least counts; one holds at least so many calls.
constexpr int kRepeats = 9;
constexpr std::size_t kCalls = 2000;
// Width of the bracket and stop parameter of the iterative methods, as in the source.
constexpr double kEps = 1e-7;
// Gaps and depths are drawn up to this fraction of the size: what a broad phase hands on.
constexpr double kReach = 0.05;
// Answers of two methods agree within this, relative to size, beside their brackets.
constexpr double kAgreement = 1e-9;

struct Row {
  const char* name;
  Shape a, b;
  Method closed;
  double source_iterative, source_closed;  ///< 1e5 pairs per second
};

std::vector<io::Query> read_queries(const std::string& name) {
  io::LineFile file(name);
  io::ShapeReader reader(file.folder());
  std::vector<io::Query> queries;
  for (std::string line; file.next(line);) {
    io::QueryLine parsed = io::parse_query_line(line, reader);
    if (!parsed.query) throw FileError(file.place() + ": " + parsed.error);
    queries.push_back(std::move(*parsed.query));
  }
  if (queries.empty()) throw FileError(name + ": holds no query");
  return queries;
}

bool is_cube(const Shape& shape) {
  const auto* box = std::get_if<Box>(&shape.geometry());
  return box != nullptr && box->size().x == box->size().y && box->size().y == box->size().z &&
         shape.rounding_radius() == 0.0;
}

bool is_ball(const Shape& shape) { return std::holds_alternative<Sphere>(shape.geometry()); }

// Are both cubes or both balls, of any sizes?
bool same_kind(const Shape& a, const Shape& b) {
  return (is_cube(a) && is_cube(b)) || (is_ball(a) && is_ball(b));
}

/// Two bodies of a row.
struct Pair {
  Shape a, b;
  Pose pose_a, pose_b;
};

std::vector<Pair> draw(const Row& row, std::uint64_t count, Random& random) {
  const double size = io::pair_size(row.a, row.b);
  std::vector<Pair> pairs;
  pairs.reserve(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    const PlacedPair at = place(row.a, row.b, random.uniform(-kReach, kReach) * size, random);
    pairs.push_back({row.a, row.b, at.a, at.b});
  }
  return pairs;
}

/// The pairs of a file of query lines that are of this row, in either order, of any sizes.
std::vector<Pair> pairs_of(const Row& row, const std::vector<io::Query>& queries) {
  std::vector<Pair> pairs;
  for (const io::Query& query : queries) {
    if (same_kind(query.a, row.a) && same_kind(query.b, row.b)) {
      pairs.push_back({query.a, query.b, query.pose_a, query.pose_b});
    } else if (same_kind(query.a, row.b) && same_kind(query.b, row.a)) {
      pairs.push_back({query.b, query.a, query.pose_b, query.pose_a});
    }
  }
  return pairs;
}

QueryOptions options_of(Method method) {
  QueryOptions options;
  options.method = method;
  options.tolerance = kEps;
  return options;
}

class Stopwatch {
 public:
  Stopwatch(const Settings& settings, const std::vector<Pair>& pairs)
      : settings_(settings), pairs_(pairs), passes_((kCalls + pairs.size() - 1) / pairs.size()) {}

  /// Pairs per second, in 1e5.
  double rate(Method method) const {
    const QueryOptions options = options_of(method);
    double least = std::numeric_limits<double>::infinity();
    for (int repeat = 0; repeat < kRepeats; ++repeat) {
      double sum = 0.0;
      const double start = thread_seconds();
      for (std::size_t pass = 0; pass < passes_; ++pass) {
        for (const Pair& p : pairs_) {
          sum += settings_.ask(p.a, p.pose_a, p.b, p.pose_b, options).distance;
        }
      }
      const double seconds = thread_seconds() - start;
      if (std::isfinite(sum)) least = std::min(least, seconds);
    }
    return 1e-5 * static_cast<double>(passes_ * pairs_.size()) / least;
  }

 private:
  const Settings& settings_;
  const std::vector<Pair>& pairs_;
  std::size_t passes_;
};

/// On how many pairs search and closed form disagree; each is an incident.
double count_disagreements(const Settings& settings, const Row& row, const std::vector<Pair>& pairs,
                           std::vector<Incident>& incidents) {
  double wrong = 0.0;
  for (const Pair& p : pairs) {
    const QueryOptions iterative = options_of(Method::epa), closed = options_of(row.closed);
    const DistanceResult x = settings.ask(p.a, p.pose_a, p.b, p.pose_b, iterative);
    const DistanceResult y = settings.ask(p.a, p.pose_a, p.b, p.pose_b, closed);
    const bool apart = x.lower > y.upper || y.lower > x.upper;
    if (!apart && std::fabs(x.distance - y.distance) <= kAgreement * io::pair_size(p.a, p.b))
      continue;
    wrong += 1.0;
    incidents.push_back(
        {std::fabs(x.distance - y.distance), "iteration and closed form disagree",
         io::capture(p.a, p.pose_a, p.b, p.pose_b, iterative, io::Ask::distance, row.name)});
  }
  return wrong;
}

/// The source's chart: rates by pair, bars by method.
Plot chart_of(const Table& table) {
  Plot plot{"table10.svg", "Pairs per second, in 1e5", "", "1e5 pairs per second", {}};
  const std::pair<const char*, std::size_t> columns[] = {{"epa", 2},
                                                         {"epa_classic", 3},
                                                         {"closed form", 4},
                                                         {"leemann2017, iterative", 6},
                                                         {"leemann2017, closed form", 7}};
  for (const auto& [name, column] : columns) {
    Plot::Series series{name, {}};
    for (std::size_t k = 0; k < table.rows.size(); ++k) {
      series.points.emplace_back(static_cast<double>(k) + 1.0,
                                 std::get<double>(table.rows[k][column]));
    }
    plot.series.push_back(std::move(series));
  }
  for (const auto& row : table.rows) plot.groups.push_back(std::get<std::string>(row[0]));
  return plot;
}

}  // namespace

Report run_table10(const Settings& settings) {
  const Shape ball = Sphere(0.5), cube = Box({1.0, 1.0, 1.0});
  const Row rows[] = {{"sphere-sphere", ball, ball, Method::closed_form, 1.61, 89.29},
                      {"sphere-cube", ball, cube, Method::closed_form, 2.91, 56.82},
                      {"cube-cube", cube, cube, Method::sat, 4.16, 21.74}};
  std::vector<io::Query> recorded;
  if (!settings.pairs_from.empty()) recorded = read_queries(settings.pairs_from);
  Report report;
  report.name = "table10";
  report.title = "Iteration against closed forms";
  report.text =
      "Pairs computed per second (in 1e5), one thread, processor time, least of 9 runs over " +
      (recorded.empty()
           ? std::to_string(settings.pairs) +
                 " pairs whose gaps and\ndepths lie within 5 % of the size"
           : "the pairs of the broad phase of\na recorded run (" + std::to_string(recorded.size()) +
                 " of them), those of spheres and of cubes of any size") +
      ", at least 2000 calls each. Iterative: methods `epa` (GJK, expanding polytope, second-order "
      "finish)\nand `epa_classic` (the literal form of leemann2017), both with eps = 1e-7 as in "
      "the "
      "source. Closed form: `closed_form` and `sat`. leemann2017\nmeasured on pairs recorded from "
      "a "
      "pile, on a Xeon E5620 at 2.4 GHz. `disagree`: signed distances of `epa` and the\nclosed "
      "form "
      "farther apart than their brackets and 1e-9 of size.";
  Table table;
  table.head = {"pair",
                "pairs",
                "epa",
                "epa_classic",
                "closed form",
                "ratio closed/epa",
                "leemann2017: iterative",
                "closed form",
                "ratio",
                "disagree"};
  std::vector<SpeedFigures> figures;
  std::uint64_t stream = 0;
  for (const Row& row : rows) {
    Random random(settings.seed, stream++);
    const std::vector<Pair> pairs =
        recorded.empty() ? draw(row, settings.pairs, random) : pairs_of(row, recorded);
    if (pairs.empty()) continue;
    const double wrong = count_disagreements(settings, row, pairs, report.incidents);
    const Stopwatch watch(settings, pairs);
    const double iterative = watch.rate(Method::epa), closed = watch.rate(row.closed);
    const double source_ratio = row.source_closed / row.source_iterative;
    table.rows.push_back({std::string(row.name), static_cast<double>(pairs.size()), iterative,
                          watch.rate(Method::epa_classic), closed, closed / iterative,
                          row.source_iterative, row.source_closed, source_ratio, wrong});
    figures.push_back(
        {row.name, wrong, row.source_iterative / iterative, row.source_closed / closed});
  }
  if (table.rows.empty()) {
    throw InvalidInput(settings.pairs_from, "holds no pair of spheres and cubes");
  }
  rank(report.incidents);
  report.plots.push_back(chart_of(table));
  report.tables.push_back(std::move(table));
  report.bars = bars_of(figures);
  return report;
}

}  // namespace tactus::detail::lab
