#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>

#include "fuzz/random_values.hpp"
#include "lab/experiment.hpp"
#include "lab/measure.hpp"
#include "lab/meshes.hpp"
#include "lab/pairs.hpp"
#include "tactus/check.hpp"
#include "tactus/core.hpp"
#include "tactus/io/json/capture.hpp"
#include "tactus/io/json/query_judge.hpp"
#include "tactus/shape.hpp"

// Times of impact of turning bodies against fine sampling.

namespace tactus::detail::lab {
namespace {

constexpr int kSamples = 2000;
constexpr std::size_t kBatch = 2048, kGrain = 16;
// Gap allowed at the reported time, relative to size; and rounding of a sampled distance, relative
// to the lengths (some 1e-15 of them, per radian turned).
constexpr double kGap = 1e-8;
constexpr double kRounding = 1e-13;
// Steps of the search for a least distance between two samples.
constexpr int kRefinements = 40;
// The checker repeats the whole proof of one pair in this many.
constexpr std::uint64_t kChecked = 10;
// Poses looked at: most that is allowed, and the bins of their counts.
constexpr double kMostLooks = 1000.0;
constexpr std::array<int, 8> kLooks = {5, 10, 20, 50, 100, 200, 500, 1000};

struct Mix {
  const char* name;
  double least_turn, most_turn;  ///< radians, of each body
  bool meshes;
  std::uint64_t share;  ///< of a hundred
};
constexpr double kTurn = 6.283185307179586;
constexpr Mix kMixes[] = {{"no turn", 0.0, 0.0, false, 4},
                          {"up to a radian", 0.0, 1.0, false, 30},
                          {"up to a turn", 1.0, kTurn, false, 40},
                          {"up to 20 turns", kTurn, 20.0 * kTurn, false, 25},
                          {"meshes, up to a turn", 0.0, kTurn, true, 1}};

struct Case {
  Shape a, b;
  Pose pose_a, pose_b;
  RigidMotion motion_a, motion_b;
  double size = 0.0, speed = 0.0, slack = 0.0;
};

double measure_of(Random& random) { return random.uniform(0.1, 1.0); }

Shape convex_shape(Random& random) {
  const auto grown = [&](const Shape& shape) {
    return fuzz::chance(random, 8) ? Shape(shape.geometry(), random.uniform(0.01, 0.3)) : shape;
  };
  switch (random.below(8)) {
    case 0:
      return Sphere(measure_of(random));
    case 1:
      return grown(Box(fuzz::vector_in(random, 0.1, 1.0)));
    case 2:
      return Capsule(measure_of(random), 2.0 * measure_of(random));
    case 3:
      return grown(Cylinder(measure_of(random), 2.0 * measure_of(random)));
    case 4:
      return grown(Cone(measure_of(random), 2.0 * measure_of(random)));
    case 5:
      return grown(Ellipsoid(fuzz::vector_in(random, 0.1, 1.0)));
    case 6:
      return grown(random_hull(8 + static_cast<int>(random.below(60)), random));
    default:
      return HalfSpace(fuzz::direction(random), random.uniform(-1.0, 1.0));
  }
}

Shape mesh_shape(Random& random) {
  if (fuzz::chance(random, 2)) return Mesh(ring(24, 12, 0.3));
  return Mesh(bumpy_globe(20, 10, random));
}

/// The pose at time t by the functions of the system's library, which the query does not use.
Pose reference_pose_at(const Pose& start, const RigidMotion& motion, double t) {
  const Vec3 position = start.position() + motion.linear * t;
  const double spin = norm(motion.angular);
  if (!(spin > 0.0)) return detail::unchecked_pose(position, start.rotation());
  const long double half = 0.5L * spin * t;
  const Vec3 axis = motion.angular * (static_cast<double>(std::sin(half)) / spin);
  const Quat turn{static_cast<double>(std::cos(half)), axis.x, axis.y, axis.z};
  return detail::unchecked_pose(position, to_matrix(turn) * start.rotation());
}

double finite_or(double x, double otherwise) { return std::isfinite(x) ? x : otherwise; }

// The bodies begin some sizes apart; two thirds of them fly at each other.
Case draw(const Mix& mix, Random& random) {
  Shape a = mix.meshes ? mesh_shape(random) : convex_shape(random);
  Shape b = mix.meshes && fuzz::chance(random, 2) ? mesh_shape(random) : convex_shape(random);
  while (a.type() == ShapeType::halfspace && b.type() == ShapeType::halfspace)
    b = convex_shape(random);
  if (fuzz::chance(random, 2)) std::swap(a, b);
  const double size = io::pair_size(a, b);
  const double gap = random.uniform(0.0, 1.0) * size;
  const PlacedPair placed = place(a, b, gap, random);
  const auto spin = [&] {
    return fuzz::direction(random) * random.uniform(mix.least_turn, mix.most_turn);
  };
  RigidMotion motion_a{fuzz::vector_in(random, -size, size), spin()};
  RigidMotion motion_b{fuzz::vector_in(random, -size, size), spin()};
  if (!fuzz::chance(random, 3)) {
    const Vec3 between = placed.b.position() - placed.a.position();
    motion_a.linear = motion_b.linear + between + fuzz::vector_in(random, -0.5, 0.5) * size;
  }
  if (fuzz::chance(random, 10)) motion_a = {};
  Case c{a, b, placed.a, placed.b, motion_a, motion_b};
  c.size = size;
  const double apart =
      norm(c.pose_b.position() - c.pose_a.position()) + norm(c.motion_b.linear - c.motion_a.linear);
  const double reach_a = finite_or(bounding_radius(a), apart + finite_or(bounding_radius(b), 0.0));
  const double reach_b = finite_or(bounding_radius(b), apart + reach_a);
  const double turn_a = norm(motion_a.angular) * reach_a, turn_b = norm(motion_b.angular) * reach_b;
  c.speed = norm(c.motion_b.linear - c.motion_a.linear) + turn_a + turn_b;
  c.slack = kRounding * (apart + reach_a + reach_b + turn_a + turn_b);
  return c;
}

DistanceResult distance_at(const Settings& settings, const Case& c, double t) {
  return settings.ask(c.a, reference_pose_at(c.pose_a, c.motion_a, t), c.b,
                      reference_pose_at(c.pose_b, c.motion_b, t), {});
}

/// A time before `end` at which the bodies overlap, infinite when the samples show none. Samples
/// that the nearest one before proves to be free are left out; between two samples whose distance
/// may fall to zero, the least one is searched for.
double overlap_before(const Settings& settings, const Case& c, double end) {
  const double width = 1.0 / kSamples;
  const auto at = [&](double t) { return distance_at(settings, c, t); };
  double left = 0.0;
  for (int i = 0; i <= kSamples && left < end;) {
    const DistanceResult d = at(left);
    if (d.upper < -c.slack) return left;
    const double right = std::min(left + width, end);
    if (d.lower > c.speed * (right - left)) {
      const double free = std::floor(d.lower / c.speed / width);
      i += static_cast<int>(std::min(std::max(free, 1.0), 2.0 * kSamples));
      left = std::min(i * width, std::max(end, right));
      continue;
    }
    // The golden section of the piece.
    double low = left, high = right;
    constexpr double kGolden = 0.6180339887498949;
    double x = high - kGolden * (high - low), y = low + kGolden * (high - low);
    double at_x = at(x).distance, at_y = at(y).distance;
    for (int k = 0; k < kRefinements && std::min(at_x, at_y) > 0.0; ++k) {
      if (at_x < at_y) {
        high = y;
        y = x;
        at_y = at_x;
        x = high - kGolden * (high - low);
        at_x = at(x).distance;
      } else {
        low = x;
        x = y;
        at_x = at_y;
        y = low + kGolden * (high - low);
        at_y = at(y).distance;
      }
    }
    const double least = at_x < at_y ? x : y;
    if (at(least).upper < -c.slack) return least;
    ++i;
    left = right;
  }
  return std::numeric_limits<double>::infinity();
}

struct Tally {
  std::uint64_t pairs = 0, hits = 0, misses = 0, undecided = 0, late = 0, refused = 0, wrong = 0;
  std::uint64_t starts = 0;  ///< in overlap already
  double gap = 0.0, width = 0.0, seconds = 0.0;
  std::array<std::uint64_t, kLooks.size() + 1> looks{};
  int most_looks = 0;
  std::vector<Incident> incidents;

  Tally& operator+=(Tally&& other) {
    pairs += other.pairs;
    hits += other.hits;
    misses += other.misses;
    undecided += other.undecided;
    late += other.late;
    refused += other.refused;
    wrong += other.wrong;
    starts += other.starts;
    gap = std::max(gap, other.gap);
    width = std::max(width, other.width);
    seconds += other.seconds;
    for (std::size_t i = 0; i < looks.size(); ++i) looks[i] += other.looks[i];
    most_looks = std::max(most_looks, other.most_looks);
    std::move(other.incidents.begin(), other.incidents.end(), std::back_inserter(incidents));
    return *this;
  }
};

void compare(const Settings& settings, const Mix& mix, std::uint64_t stream, std::uint64_t index,
             Tally& tally) {
  Random random(settings.seed ^ (stream << 56u), index);
  const Case c = draw(mix, random);
  const double start = thread_seconds();
  const CastResult r =
      settings.ask_impact(c.a, c.pose_a, c.motion_a, c.b, c.pose_b, c.motion_b, {});
  tally.seconds += thread_seconds() - start;
  ++tally.pairs;
  const auto bin = std::lower_bound(kLooks.begin(), kLooks.end(), r.iterations) - kLooks.begin();
  ++tally.looks[static_cast<std::size_t>(bin)];
  tally.most_looks = std::max(tally.most_looks, r.iterations);
  std::string reason;
  double relevance = 0.0;
  const auto complain = [&](const std::string& what, double how_much, std::uint64_t& count) {
    ++count;
    if (reason.empty()) {
      reason = what;
      relevance = how_much;
    }
  };
  ++(r.hit == Overlap::yes ? tally.hits : r.hit == Overlap::no ? tally.misses : tally.undecided);
  if (r.time > 0.0) {
    const double end = std::min(r.time, 1.0);
    const double before = overlap_before(settings, c, end);
    if (before < end) complain("late", end - before, tally.late);
    if (r.hit != Overlap::no) {
      const double gap = std::max(distance_at(settings, c, r.time).lower, 0.0) / c.size;
      tally.gap = std::max(tally.gap, gap);
      std::uint64_t wide = 0;
      if (gap > kGap) complain("a gap at the time", gap, wide);
    }
  } else {
    ++tally.starts;
  }
  if (r.hit == Overlap::yes) {
    if (r.time > 0.0)
      tally.width = std::max(tally.width, (r.time_upper - r.time) * c.speed / c.size);
    if (!(distance_at(settings, c, r.time_upper).lower <= c.slack))
      complain("no contact at the upper time", 1.0, tally.wrong);
  }
  if (index % kChecked == 0) {
    Certificate certificate;
    QueryOptions options;
    options.certificate = &certificate;
    const CastResult again =
        settings.ask_impact(c.a, c.pose_a, c.motion_a, c.b, c.pose_b, c.motion_b, options);
    const CheckReport report =
        check(c.a, c.pose_a, c.motion_a, c.b, c.pose_b, c.motion_b, again, &certificate);
    if (!report.ok) complain("not proved: " + report.failure, 1.0, tally.refused);
  }
  if (reason.empty()) return;
  tally.incidents.push_back(
      {relevance, reason,
       io::capture(c.a, c.pose_a, c.b, c.pose_b, {}, io::Ask::impact,
                   std::string(mix.name) + "-" + std::to_string(index), {c.motion_a, c.motion_b})});
}

double number(std::uint64_t n) { return static_cast<double>(n); }

}  // namespace

Report run_impact(const Settings& settings) {
  Report report;
  report.name = "impact";
  report.title = "Times of impact against fine sampling";
  Table table;
  table.head = {"mix",       "pairs", "at the start", "hits",        "misses",
                "undecided", "late",  "worst gap",    "worst width", "us per query"};
  Table effort;
  effort.title = "poses looked at";
  effort.head = {"mix"};
  for (const int most : kLooks) effort.head.push_back("<=" + std::to_string(most));
  effort.head.insert(effort.head.end(), {"more", "most"});
  Tally all;
  std::uint64_t done = 0, stream = 0, share = 0;
  int most_looks = 0;
  for (const Mix& mix : kMixes) {
    // The shares add up to all pairs, whatever their number.
    const std::uint64_t from = settings.pairs * share / 100;
    share += mix.share;
    const std::uint64_t count = settings.pairs * share / 100 - from;
    Tally tally;
    for (std::uint64_t first = 0; first < count; first += kBatch) {
      const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(kBatch, count - first));
      std::vector<Tally> chunks((size + kGrain - 1) / kGrain);
      parallel_for(
          size, kGrain,
          [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i)
              compare(settings, mix, stream, first + i, chunks[begin / kGrain]);
          },
          settings.threads);
      for (Tally& chunk : chunks) tally += std::move(chunk);
      done += size;
      settings.progress(done, settings.pairs);
    }
    ++stream;
    if (count == 0) continue;
    table.rows.push_back({std::string(mix.name), number(tally.pairs), number(tally.starts),
                          number(tally.hits), number(tally.misses), number(tally.undecided),
                          number(tally.late), tally.gap, tally.width,
                          1e6 * tally.seconds / number(tally.pairs)});
    std::vector<Cell> row{std::string(mix.name)};
    for (const std::uint64_t n : tally.looks) row.emplace_back(number(n));
    row.emplace_back(number(static_cast<std::uint64_t>(tally.most_looks)));
    effort.rows.push_back(std::move(row));
    if (!mix.meshes) most_looks = std::max(most_looks, tally.most_looks);
    all += std::move(tally);
  }
  report.tables = {std::move(table), std::move(effort)};
  report.text =
      std::to_string(all.pairs) + " random pairs, seed " + std::to_string(settings.seed) +
      ": spheres, boxes, capsules, cylinders, cones, ellipsoids, hulls of 8 to 67 points "
      "(one in eight grown by a ball)\nand half-spaces, sizes 0.1 to 2, gaps at the start "
      "up to the size, and meshes of some 400 triangles with any of these. Both bodies\n"
      "move and turn; two thirds fly at each other. Each answer is compared with samples "
      "at " +
      std::to_string(kSamples) +
      " times up to the reported one (to the end\nfor a miss), whose poses are made by "
      "the system's sine; a sample is left out where the distance before it proves that "
      "it\nis free, and between two samples whose distance may fall to zero the least "
      "distance is searched for. `late`: an overlap is\nfound before the reported time. "
      "`worst gap`: lower bound of the distance at the time; `worst width`: way of the "
      "fastest point\nbetween `time` and `time_upper`, both relative to size. One answer "
      "in " +
      std::to_string(kChecked) + " is proved again by the checker. Processor time of\none thread.";
  report.bars = {{"times later than an overlap that the samples show", number(all.late), 0.0},
                 {"worst gap at the reported time, relative to size", all.gap, kGap},
                 {"upper times without contact", number(all.wrong), 0.0},
                 {"answers refused by the checker", number(all.refused), 0.0},
                 {"undecided pairs", number(all.undecided), 0.0},
                 {"most poses looked at for two convex bodies", 1.0 * most_looks, kMostLooks}};
  report.incidents = std::move(all.incidents);
  rank(report.incidents);
  return report;
}

}  // namespace tactus::detail::lab
