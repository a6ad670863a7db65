#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "lab/experiment.hpp"
#include "lab/measure.hpp"
#include "lab/pairs.hpp"
#include "tactus/io/json/capture.hpp"
#include "tactus/io/json/line_file.hpp"
#include "tactus/io/json/query_judge.hpp"
#include "tactus/io/json/query_line.hpp"
#include "tactus/shape.hpp"

// Source: leemann2017, section 4.3, table 10.

namespace tactus::detail::lab {
namespace {

// Every timing is repeated, and the least counts.
constexpr int kRepeats = 9;
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
         shape.rounding() == 0.0;
}

bool same_kind(const Shape& a, const Shape& b) {
  if (is_cube(a) && is_cube(b)) {
    return std::get<Box>(a.geometry()).size() == std::get<Box>(b.geometry()).size();
  }
  const auto *x = std::get_if<Sphere>(&a.geometry()), *y = std::get_if<Sphere>(&b.geometry());
  return x != nullptr && y != nullptr && extent(a) == extent(b);
}

std::vector<PlacedPair> draw(const Row& row, std::uint64_t count, Random& random) {
  const double size = io::pair_size(row.a, row.b);
  std::vector<PlacedPair> pairs;
  pairs.reserve(count);
  for (std::uint64_t i = 0; i < count; ++i)
    pairs.push_back(place(row.a, row.b, random.uniform(-kReach, kReach) * size, random));
  return pairs;
}

/// The pairs of a file of query lines that are of this row, in either order.
std::vector<PlacedPair> pairs_of(const Row& row, const std::vector<io::Query>& queries) {
  std::vector<PlacedPair> pairs;
  for (const io::Query& query : queries) {
    if (same_kind(query.a, row.a) && same_kind(query.b, row.b)) {
      pairs.push_back({query.pose_a, query.pose_b});
    } else if (same_kind(query.a, row.b) && same_kind(query.b, row.a)) {
      pairs.push_back({query.pose_b, query.pose_a});
    }
  }
  return pairs;
}

/// The rows for recorded pairs: the sizes are those of the first sphere and the first cube; bodies
/// of other kinds or sizes are left out.
void take_sizes(const std::vector<io::Query>& queries, std::span<Row> rows) {
  const Shape *ball = nullptr, *cube = nullptr;
  for (const io::Query& query : queries) {
    for (const Shape* shape : {&query.a, &query.b}) {
      if (ball == nullptr && std::holds_alternative<Sphere>(shape->geometry())) ball = shape;
      if (cube == nullptr && is_cube(*shape)) cube = shape;
    }
  }
  for (Row& row : rows) {
    for (Shape* shape : {&row.a, &row.b}) {
      const Shape* found = std::holds_alternative<Sphere>(shape->geometry()) ? ball : cube;
      if (found != nullptr) *shape = *found;
    }
  }
}

class Stopwatch {
 public:
  Stopwatch(const Settings& settings, const Row& row, const std::vector<PlacedPair>& pairs)
      : settings_(settings), row_(row), pairs_(pairs) {}

  /// Seconds per pair.
  double time(Method method) const {
    QueryOptions options;
    options.method = method;
    double least = std::numeric_limits<double>::infinity();
    for (int repeat = 0; repeat < kRepeats; ++repeat) {
      double sum = 0.0;
      const double start = thread_seconds();
      for (const PlacedPair& p : pairs_) {
        sum += settings_.ask(row_.a, p.a, row_.b, p.b, options).distance;
      }
      const double seconds = thread_seconds() - start;
      if (std::isfinite(sum)) least = std::min(least, seconds);
    }
    return least / static_cast<double>(pairs_.size());
  }

 private:
  const Settings& settings_;
  const Row& row_;
  const std::vector<PlacedPair>& pairs_;
};

}  // namespace

Report run_table10(const Settings& settings) {
  const Shape ball = Sphere(0.5), cube = Box({1.0, 1.0, 1.0});
  Row rows[] = {{"sphere-sphere", ball, ball, Method::closed_form, 1.61, 89.29},
                {"sphere-cube", ball, cube, Method::closed_form, 2.91, 56.82},
                {"cube-cube", cube, cube, Method::sat, 4.16, 21.74}};
  std::vector<io::Query> recorded;
  if (!settings.pairs_from.empty()) {
    recorded = read_queries(settings.pairs_from);
    take_sizes(recorded, rows);
  }
  Report report;
  report.name = "table10";
  report.title = "Iteration against closed forms";
  report.text =
      "Pairs computed per second (in 1e5), one thread, processor time, least of 9 runs over " +
      (recorded.empty()
           ? std::to_string(settings.pairs) +
                 " pairs whose gaps and\ndepths lie within 5 % of the size"
           : "the pairs of the broad phase of\na recorded step (" +
                 std::to_string(recorded.size()) + " of them), those of spheres and of cubes") +
      ". Iterative: methods `epa` (GJK, "
      "expanding polytope, second-order finish, bracket 1e-8)\nand `epa_classic` (the literal form "
      "of "
      "leemann2017, eps 1e-8). Closed form: `closed_form` and `sat`. leemann2017\nmeasured eps = "
      "1e-7 "
      "on pairs recorded from a pile, on a Xeon E5620 at 2.4 GHz. `disagree`: signed distances of "
      "`epa` "
      "and the\nclosed form farther apart than their brackets and 1e-9 of size.";
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
  double disagree = 0.0, slowest = 0.0;
  std::uint64_t stream = 0;
  for (const Row& row : rows) {
    Random random(settings.seed, stream++);
    const std::vector<PlacedPair> pairs =
        recorded.empty() ? draw(row, settings.pairs, random) : pairs_of(row, recorded);
    if (pairs.empty()) continue;
    double wrong = 0.0;
    for (const PlacedPair& p : pairs) {
      QueryOptions iterative, closed;
      iterative.method = Method::epa;
      closed.method = row.closed;
      const DistanceResult x = settings.ask(row.a, p.a, row.b, p.b, iterative);
      const DistanceResult y = settings.ask(row.a, p.a, row.b, p.b, closed);
      const double size = io::pair_size(row.a, row.b);
      const bool apart = x.lower > y.upper || y.lower > x.upper;
      if (!apart && std::fabs(x.distance - y.distance) <= kAgreement * size) continue;
      wrong += 1.0;
      report.incidents.push_back(
          {std::fabs(x.distance - y.distance), "iteration and closed form disagree",
           io::capture(row.a, p.a, row.b, p.b, iterative, io::Ask::distance, row.name)});
    }
    const Stopwatch watch(settings, row, pairs);
    const double iterative = 1e-5 / watch.time(Method::epa);
    const double closed = 1e-5 / watch.time(row.closed);
    table.rows.push_back({std::string(row.name), static_cast<double>(pairs.size()), iterative,
                          1e-5 / watch.time(Method::epa_classic), closed, closed / iterative,
                          row.source_iterative, row.source_closed,
                          row.source_closed / row.source_iterative, wrong});
    disagree += wrong;
    slowest = std::max({slowest, row.source_iterative / iterative, row.source_closed / closed});
  }
  if (table.rows.empty()) {
    throw InvalidInput(settings.pairs_from, "holds no pair of spheres and cubes of one size");
  }
  rank(report.incidents);
  report.tables.push_back(std::move(table));
  report.bars = {{"answers that disagree", disagree, 0.0},
                 {"slowest of our times relative to leemann2017", slowest, 1.0}};
  return report;
}

}  // namespace tactus::detail::lab
