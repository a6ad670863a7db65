#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "lab/experiment.hpp"
#include "lab/measure.hpp"
#include "tactus/core.hpp"
#include "tactus/core/constants.hpp"
#include "tactus/core/random.hpp"
#include "tactus/robot.hpp"
#include "tactus/robot/collision_data.hpp"
#include "tactus/robot/motion_bound.hpp"

// Edges between configurations of an arm of seven joints: proved, and sampled as planners do.

namespace tactus::detail::lab {
namespace {

constexpr double kCoarse = 0.01, kFine = 0.001;  // largest step of a joint between samples, radians
constexpr double kClearance = 0.0;
constexpr double kShortest = 0.1, kLongest = 3.0;  // change of the joint that moves most, radians
constexpr std::size_t kGrain = 8;
// Configurations that are tried for one that is free.
constexpr int kTries = 1000;
constexpr double kMostUndecided = 0.005;  // part of the edges
constexpr double kMostMedian = 2.0;       // milliseconds of an edge in the shelf

/// A bar along z from the joint, as the hull of two rings of points.
Shape bar(double radius, double length, bool hull) {
  if (!hull) return Capsule(radius, length);
  constexpr int kCorners = 16;
  std::vector<Vec3> points;
  for (int i = 0; i < kCorners; ++i) {
    const double angle = kTwoPi * i / kCorners;
    for (const double end : {-0.5, 0.5})
      points.push_back({radius * std::cos(angle), radius * std::sin(angle), end * length});
  }
  points.push_back({0, 0, -0.5 * length - radius});
  points.push_back({0, 0, 0.5 * length + radius});
  return Convex(std::span<const Vec3>(points));
}

/// Joints that turn about the arm and across it in turns; with a probe of 2 mm at its end, or with
/// a bar, 1.57 long.
Robot arm(bool hulls) {
  constexpr double kLengths[] = {0.30, 0.20, 0.25, 0.20, 0.25, 0.12, 0.25};
  std::vector<RobotLink> links{{"base"}};
  std::vector<RobotJoint> joints;
  double before = 0.0;
  for (std::uint32_t i = 0; i < 7; ++i) {
    const double length = kLengths[i], radius = i == 6 && !hulls ? 0.001 : 0.065 - 0.005 * i;
    links.push_back({"link" + std::to_string(i + 1),
                     {{bar(radius, length, hulls), Pose::translation({0, 0, 0.5 * length}), ""}}});
    RobotJoint joint{"joint" + std::to_string(i + 1), RobotJointType::revolute, i, i + 1};
    joint.origin = Pose::translation({0, 0, before});
    joint.axis = i % 2 == 0 ? Vec3{0, 0, 1} : Vec3{0, 1, 0};
    joint.lower = i % 2 == 0 ? -2.9 : -2.0;
    joint.upper = -joint.lower;
    joints.push_back(std::move(joint));
    before = length;
  }
  return {"arm", std::move(links), std::move(joints)};
}

std::vector<RobotPair> pairs_of(const Robot& robot) {
  // Bars next but one overlap where the joint between is bent.
  std::vector<RobotPair> pairs = movable_pairs(robot);
  std::erase_if(pairs, [&](const RobotPair& p) {
    return p.b - p.a < 3 && !robot.links()[p.a].obstacle && !robot.links()[p.b].obstacle;
  });
  return pairs;
}

/// A pole of 2 mm that a joint of the arm may pass.
RobotBody pole(Random& random, int i) {
  const double angle = random.uniform(-kPi, kPi), far = random.uniform(0.3, 1.1);
  const Vec3 place{far * std::cos(angle), far * std::sin(angle), random.uniform(0.1, 0.9)};
  const Vec3 axis{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
  return {Cylinder(0.001, 0.8), Pose::from_axis_angle(place, axis, random.uniform(0.0, kPi)),
          "pole" + std::to_string(i)};
}

RobotCollision among_poles(Random& random, bool moving) {
  const Robot robot = arm(false);
  constexpr int kPoles = 12;
  std::vector<RobotBody> poles;
  poles.reserve(kPoles);
  for (int i = 0; i < kPoles; ++i) poles.push_back(pole(random, i));
  if (!moving) return {robot, pairs_of(robot), poles};
  // An edge lasts one unit of time.
  std::vector<MovingObstacle> all;
  for (const RobotBody& body : poles) {
    const Vec3 velocity{random.uniform(-0.3, 0.3), random.uniform(-0.3, 0.3), 0.0};
    all.push_back({body, {}, velocity, {0, 0, random.uniform(-1, 1)}});
  }
  const Robot live = add_obstacles(robot, all);
  return {live, pairs_of(live)};
}

/// Four boards and two sides in front of the arm, with boxes and cylinders on the boards.
RobotCollision in_a_shelf(Random& random) {
  const Robot robot = arm(true);
  std::vector<RobotBody> bodies;
  const auto add = [&](const Shape& shape, const Vec3& place) {
    bodies.push_back({shape, Pose::translation(place), "body" + std::to_string(bodies.size())});
  };
  for (int board = 0; board < 4; ++board) {
    const double height = 0.1 + 0.35 * board;
    add(Box({0.4, 1.2, 0.02}), {0.75, 0, height});
    for (int k = 0; k < 6 && board < 3; ++k) {
      const double size = random.uniform(0.05, 0.18), y = -0.5 + 0.2 * k;
      const double x = random.uniform(0.62, 0.85);
      const Shape thing =
          random.below(2) == 0 ? Shape(Box({0.08, 0.08, size})) : Shape(Cylinder(0.035, size));
      add(thing, {x, y, height + 0.01 + 0.5 * size + 0.001});
    }
  }
  for (const double y : {-0.61, 0.61}) add(Box({0.4, 0.02, 1.2}), {0.75, y, 0.65});
  return {robot, pairs_of(robot), bodies};
}

/// Answers configurations by yes or no, each pair no farther than that takes.
class Sampler {
 public:
  explicit Sampler(const RobotCollision& collision) : data_(RobotAccess::data(collision)) {
    caches_.resize(data_.item_pairs.size());
    query_.max_distance = kClearance;
  }

  bool free_at(const PathSegment& segment, double s) {
    values_at(segment, s, values_);
    place(data_, values_.data(), at_);
    for (std::size_t i = 0; i < data_.item_pairs.size(); ++i) {
      const ItemPair& pair = data_.item_pairs[i];
      if (capsule_gap(at_.capsules[pair.a], at_.capsules[pair.b]).gap > kClearance) continue;
      if (!(measure(data_, at_, pair, query_, &caches_[i]).lower > kClearance)) return false;
    }
    return true;
  }

  /// Are all samples free, with steps of no joint above `step`?
  bool free(const PathSegment& segment, double step) {
    double most = 0.0;
    for (std::size_t i = 0; i < 7; ++i) most = std::max(most, std::fabs(segment[i].b));
    const int count = std::max(1, static_cast<int>(std::ceil(most / step)));
    for (int k = 0; k <= count; ++k)
      if (!free_at(segment, static_cast<double>(k) / count)) return false;
    return true;
  }

 private:
  const CollisionData& data_;
  QueryOptions query_;
  std::vector<QueryCache> caches_;
  std::vector<double> values_;
  PlacedRobot at_;
};

/// An edge whose ends are free; the time, where there is one, goes from 0 to 1.
PathSegment draw(const RobotCollision& collision, Sampler& sampler, Random& random) {
  const auto& coordinates = collision.robot().coordinates();
  for (int k = 0;; ++k) {
    std::vector<double> from(coordinates.size(), 0.0), to(coordinates.size(), 1.0);
    const double length = random.uniform(kShortest, kLongest);
    double most = 0.0;
    for (std::size_t i = 0; i < 7; ++i) {
      from[i] = random.uniform(coordinates[i].lower, coordinates[i].upper);
      to[i] = random.uniform(coordinates[i].lower, coordinates[i].upper);
      most = std::max(most, std::fabs(to[i] - from[i]));
    }
    for (std::size_t i = 0; i < 7; ++i)
      to[i] = from[i] + (to[i] - from[i]) * std::min(1.0, length / most);
    const PathSegment edge = straight_segment(from, to);
    if (k >= kTries || (sampler.free_at(edge, 0.0) && sampler.free_at(edge, 1.0))) return edge;
  }
}

struct Edge {
  PathVerdict verdict = PathVerdict::undecided;
  bool coarse = false, fine = false;  ///< samples are free
  bool wrong = false;                 ///< a proof that samples refute, or a contact that is none
  double proof = 0.0, coarse_time = 0.0, fine_time = 0.0;  ///< seconds
};

Edge compare(const RobotCollision& collision, Random random) {
  Edge edge;
  Sampler sampler(collision);
  const PathSegment segment = draw(collision, sampler, random);
  PathOptions options;
  options.clearance = kClearance;
  options.first = false;
  const auto timed = [](double& seconds, const auto& work) {
    const double start = thread_seconds();
    const auto found = work();
    seconds = thread_seconds() - start;
    return found;
  };
  const PathAnswer answer = timed(edge.proof, [&] { return collision.certify(segment, options); });
  edge.verdict = answer.verdict;
  edge.coarse = timed(edge.coarse_time, [&] { return Sampler(collision).free(segment, kCoarse); });
  edge.fine = timed(edge.fine_time, [&] { return Sampler(collision).free(segment, kFine); });
  if (answer.verdict == PathVerdict::free) edge.wrong = !edge.coarse || !edge.fine;
  if (answer.verdict == PathVerdict::below) edge.wrong = sampler.free_at(segment, answer.upper);
  return edge;
}

double median(std::vector<double> values) {
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

struct SceneOfEdges {
  const char* name;
  RobotCollision (*make)(Random& random);
};
constexpr SceneOfEdges kScenes[] = {
    {"12 poles of 2 mm", [](Random& random) { return among_poles(random, false); }},
    {"12 poles of 2 mm that move", [](Random& random) { return among_poles(random, true); }},
    {"a shelf with 18 things", [](Random& random) { return in_a_shelf(random); }}};

double number(std::size_t n) { return static_cast<double>(n); }

/// Median and mean of the three times, in milliseconds, of the edges that are proved free or not.
std::vector<Cell> times_of(const char* scene, const std::vector<Edge>& edges, bool free) {
  std::vector<Cell> row{std::string(scene), std::string(free ? "free" : "others")};
  for (double Edge::* time : {&Edge::proof, &Edge::coarse_time, &Edge::fine_time}) {
    std::vector<double> all;
    double sum = 0.0;
    for (const Edge& e : edges) {
      if ((e.verdict == PathVerdict::free) != free) continue;
      all.push_back(1e3 * e.*time);
      sum += all.back();
    }
    row.emplace_back(median(all));
    row.emplace_back(sum / number(all.size()));
  }
  return row;
}

std::string text_of(const Settings& settings) {
  return "An arm of seven joints, 1.57 long, and edges straight in joint space whose ends are "
         "free, "
         "between random configurations, 0.1 to 3 rad of the joint\nthat moves most, seed " +
         std::to_string(settings.seed) +
         "; links are capsules among poles, the last one a probe of 2 mm, and hulls of 34 points "
         "in "
         "the shelf. `proof`: `certify`\nwith `first = false`, as a planner asks. Samples lie no "
         "farther apart than 0.01 or 0.001 rad of any joint, and end at the first that is not "
         "free; "
         "each asks\nonly whether a pair overlaps, by the same capsules, queries and caches. "
         "`missed`: all samples are free, but at a time that the proof names a pair\noverlaps, "
         "which "
         "a query there confirms. `wrong`: a sample refutes a proof, or the query denies the "
         "contact. "
         "Poles that move go evenly, up to 0.4 per edge.\nProcessor time of one thread, caches "
         "empty.";
}

}  // namespace

Report run_path_sampling(const Settings& settings) {
  Report report;
  report.name = "path-sampling";
  report.title = "Edges of an arm: proved, and sampled";
  Table verdicts, times;
  verdicts.title = "verdicts";
  verdicts.head = {"scene",
                   "edges",
                   "proved free",
                   "in contact",
                   "undecided",
                   "missed at 0.01 rad",
                   "missed at 0.001 rad",
                   "wrong"};
  times.title = "milliseconds of an edge, median and mean";
  times.head = {"scene", "edges", "proof", "mean", "0.01 rad", "mean", "0.001 rad", "mean"};
  double wrong = 0.0, undecided = 0.0, slowest = 0.0;
  std::size_t done = 0;
  for (std::size_t c = 0; c < std::size(kScenes); ++c) {
    const std::size_t count =
        settings.pairs * (c + 1) / std::size(kScenes) - settings.pairs * c / std::size(kScenes);
    Random random(settings.seed, c);
    const RobotCollision collision = kScenes[c].make(random);
    std::vector<Edge> edges(count);
    parallel_for(
        count, kGrain,
        [&](std::size_t begin, std::size_t end) {
          for (std::size_t i = begin; i < end; ++i)
            edges[i] = compare(collision, Random(settings.seed ^ ((c + 1) << 56u), i));
        },
        settings.threads);
    done += count;
    settings.progress(done, settings.pairs);
    const auto counted = [&](const auto& what) {
      return number(static_cast<std::size_t>(std::count_if(edges.begin(), edges.end(), what)));
    };
    const auto is = [](PathVerdict v) { return [v](const Edge& e) { return e.verdict == v; }; };
    const double failed = counted([](const Edge& e) { return e.wrong; });
    const double open = counted(is(PathVerdict::undecided));
    verdicts.rows.push_back(
        {std::string(kScenes[c].name), number(count), counted(is(PathVerdict::free)),
         counted(is(PathVerdict::below)), open,
         counted([](const Edge& e) { return e.verdict == PathVerdict::below && e.coarse; }),
         counted([](const Edge& e) { return e.verdict == PathVerdict::below && e.fine; }), failed});
    wrong += failed;
    undecided += open;
    for (const bool free : {true, false})
      times.rows.push_back(times_of(kScenes[c].name, edges, free));
    std::vector<double> proofs;
    proofs.reserve(edges.size());
    for (const Edge& e : edges) proofs.push_back(1e3 * e.proof);
    if (c + 1 == std::size(kScenes)) slowest = median(proofs);
  }
  report.tables = {std::move(verdicts), std::move(times)};
  report.text = text_of(settings);
  report.bars = {{"answers that samples refute", wrong, 0.0},
                 {"undecided, part of the edges", undecided / std::max(1.0, number(settings.pairs)),
                  kMostUndecided},
                 {"median proof of an edge in the shelf, ms", slowest, kMostMedian}};
  return report;
}

}  // namespace tactus::detail::lab
