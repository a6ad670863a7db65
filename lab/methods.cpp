#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "fuzz/random_values.hpp"
#include "lab/experiment.hpp"
#include "lab/measure.hpp"
#include "lab/pairs.hpp"
#include "tactus/io/json/capture.hpp"
#include "tactus/io/json/query_judge.hpp"

namespace tactus::detail::lab {
namespace {

// Every timing is repeated, and the least counts.
constexpr int kRepeats = 3;
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
// A bracket as wide as the body tells nothing of a depth. These methods prove a gap or an overlap,
// and of a depth only what falls out of it.
constexpr double kUseless = 1.0;
constexpr Method kVerdictsOnly[] = {Method::mpr, Method::chung_wang, Method::separating_plane,
                                    Method::v_clip};
// Width of the default's brackets, of size: what is asked.
constexpr double kDefaultWidth = 1e-8;

struct Query {
  Shape a, b;
  PlacedPair poses;
  DistanceResult right;  ///< of the default, with the tightest bracket
};

struct PairClass {
  std::string name;
  Shape (*a)(Random&);
  Shape (*b)(Random&);
};

double measure_of(Random& random) { return random.uniform(0.3, 1.0); }
Shape ball(Random& r) { return Sphere(measure_of(r)); }
Shape box(Random& r) { return Box(fuzz::vector_in(r, 0.3, 1.0)); }
Shape capsule(Random& r) { return Capsule(measure_of(r), measure_of(r)); }
Shape cylinder(Random& r) { return Cylinder(measure_of(r), measure_of(r)); }
Shape cone(Random& r) { return Cone(measure_of(r), measure_of(r)); }
Shape ellipsoid(Random& r) { return Ellipsoid(fuzz::vector_in(r, 0.3, 1.0)); }
template <int Points>
Shape hull(Random& r) {
  return random_hull(Points, r);
}

const std::vector<PairClass>& classes() {
  static const std::vector<PairClass> kAll = {{"sphere-sphere", ball, ball},
                                              {"sphere-box", ball, box},
                                              {"capsule-capsule", capsule, capsule},
                                              {"capsule-box", capsule, box},
                                              {"box-box", box, box},
                                              {"cylinder-cylinder", cylinder, cylinder},
                                              {"cone-box", cone, box},
                                              {"ellipsoid-ellipsoid", ellipsoid, ellipsoid},
                                              {"hulls of 16", hull<16>, hull<16>},
                                              {"hulls of 64", hull<64>, hull<64>},
                                              {"hulls of 256", hull<256>, hull<256>},
                                              {"hulls of 1024", hull<1024>, hull<1024>}};
  return kAll;
}

// Half of them apart (1e-3..1), half overlapping (1e-4..0.3), evenly in the logarithm.
std::vector<Query> draw(const PairClass& kind, std::uint64_t count, Random& random) {
  std::vector<Query> queries;
  for (std::uint64_t i = 0; i < count; ++i) {
    const Shape a = kind.a(random), b = kind.b(random);
    const double size = io::pair_size(a, b);
    const double wanted = i % 2 == 0 ? fuzz::power_of_ten(random, -3.0, 0.0)
                                     : -fuzz::power_of_ten(random, -4.0, std::log10(0.3));
    const PlacedPair poses = place(a, b, wanted * size, random);
    QueryOptions tight;
    tight.tolerance = 1e-14;
    queries.push_back({a, b, poses, distance(a, poses.a, b, poses.b, tight)});
  }
  return queries;
}

struct Tally {
  double seconds = std::numeric_limits<double>::infinity();
  std::uint64_t served = 0, iterations = 0, wide = 0, wrong = 0;
  std::uint64_t useless = 0;  ///< brackets as wide as the body
  double widest = 0.0;        ///< bracket, of size
  Errors error;
};

/// One method on all pairs of a class.
Tally measure(const Settings& settings, Method method, const std::vector<Query>& queries,
              std::vector<Incident>& incidents) {
  Tally tally;
  QueryOptions options;
  options.method = method;
  std::vector<DistanceResult> results(queries.size());
  for (int repeat = 0; repeat < kRepeats; ++repeat) {
    const double start = thread_seconds();
    for (std::size_t i = 0; i < queries.size(); ++i) {
      const Query& q = queries[i];
      results[i] = settings.ask(q.a, q.poses.a, q.b, q.poses.b, options);
    }
    tally.seconds = std::min(tally.seconds, thread_seconds() - start);
  }
  for (std::size_t i = 0; i < queries.size(); ++i) {
    const Query& q = queries[i];
    const DistanceResult& r = results[i];
    if (r.status == Status::unsupported) continue;
    ++tally.served;
    tally.iterations += static_cast<std::uint64_t>(r.iterations);
    tally.wide += r.status == Status::converged ? 0 : 1;
    const double width = (r.upper - r.lower) / io::pair_size(q.a, q.b);
    tally.widest = std::fmax(tally.widest, width);
    tally.useless += width < kUseless ? 0 : 1;
    tally.error.add(std::fabs(r.distance - q.right.distance) / io::pair_size(q.a, q.b));
    if (r.lower <= q.right.upper && q.right.lower <= r.upper) continue;
    ++tally.wrong;
    incidents.push_back({std::fabs(r.distance - q.right.distance),
                         "bracket of " + std::string(to_string(method)) + " without the answer",
                         io::capture(q.a, q.poses.a, q.b, q.poses.b, options)});
  }
  return tally;
}

}  // namespace

Report run_methods(const Settings& settings) {
  Report report;
  report.name = "methods";
  report.title = "All methods side by side";
  report.text =
      std::to_string(settings.pairs) +
      " random pairs of each class (dimensions 0.3 to 1), half of them apart by 1e-3 to 1, half "
      "overlapping by 1e-4 to 0.3 of\nthe size, asked by every method through the public query, "
      "default tolerance. ns: processor time per query, least of 3\nruns, one thread. Evaluations: "
      "support points of A - B. Errors: signed distance against the default with the "
      "tightest\nbracket, "
      "relative to size. `wide`: share of answers that are not `converged`: the bracket is true, "
      "but "
      "wider than asked; `widest`: the widest, of size. Brackets as wide as the body or more have "
      "a "
      "bar of their own, but for those\nof `mpr`, `chung_wang`, `separating_plane` and `v_clip`, "
      "where they are no fault: these prove a gap or "
      "an "
      "overlap. `wrong`: brackets that miss the default's. `-`: the method does not serve the "
      "pair.";
  Table table;
  table.head = {"pair",        "method", "ns",     "evaluations", "mean error",
                "worst error", "wide",   "widest", "wrong"};
  double wrong = 0.0, useless = 0.0, widest = 0.0;
  std::uint64_t stream = 0;
  const std::uint64_t total = classes().size() * settings.pairs;
  for (const PairClass& kind : classes()) {
    Random random(settings.seed, stream++);
    const std::vector<Query> queries = draw(kind, settings.pairs, random);
    for (const Method method : kMethods) {
      const Tally t = measure(settings, method, queries, report.incidents);
      std::vector<Cell> row{kind.name, std::string(to_string(method))};
      if (t.served == 0) {
        row.insert(row.end(), table.head.size() - row.size(), kNone);
      } else {
        const auto served = static_cast<double>(t.served);
        row.insert(row.end(),
                   {std::round(1e9 * t.seconds / static_cast<double>(queries.size())),
                    static_cast<double>(t.iterations) / served, t.error.mean(), t.error.largest(),
                    static_cast<double>(t.wide) / served, t.widest, static_cast<double>(t.wrong)});
      }
      table.rows.push_back(std::move(row));
      wrong += static_cast<double>(t.wrong);
      const bool verdicts_only = std::find(std::begin(kVerdictsOnly), std::end(kVerdictsOnly),
                                           method) != std::end(kVerdictsOnly);
      useless += verdicts_only ? 0.0 : static_cast<double>(t.useless);
      if (method == Method::automatic) widest = std::fmax(widest, t.widest);
    }
    settings.progress(stream * settings.pairs, total);
  }
  rank(report.incidents);
  report.tables.push_back(std::move(table));
  report.bars = {{"wrong answers of all methods", wrong, 0.0},
                 {"brackets as wide as the body, of methods that bound depths", useless, 0.0},
                 {"widest bracket of the default, of size", widest, kDefaultWidth}};
  return report;
}

}  // namespace tactus::detail::lab
