#include <algorithm>
#include <cmath>
#include <utility>

#include "tactus/core/constants.hpp"
#include "tactus/core/random.hpp"
#include "tactus/robot/collision_data.hpp"
#include "tactus/robot/motion_bound.hpp"

namespace tactus {
namespace detail {
namespace {

/// The range of a coordinate that is looked at.
struct Range1 {
  double middle = 0.0, half = 0.0;
  bool bounded = true;  ///< else half stands for lengths that have no limit
};

std::vector<Range1> ranges_of(const RobotData& robot) {
  std::vector<Range1> ranges;
  for (const RobotCoordinate& c : robot.coordinates) {
    const double width = c.upper - c.lower;
    if (width < kInfinity) {
      ranges.push_back({c.lower + 0.5 * width, 0.5 * width, true});
    } else if (c.angle) {
      ranges.push_back({0.0, kPi * (1.0 + kEpsilon), true});
    } else {
      ranges.push_back({0.0, 1.0, false});
    }
  }
  return ranges;
}

class PairClassifier {
 public:
  PairClassifier(const CollisionData& data, const PairOptions& options)
      : data_(data), options_(options), ranges_(ranges_of(RobotAccess::data(data.robot))) {
    Random random(options.seed);
    samples_.resize(static_cast<std::size_t>(options.samples));
    std::vector<double> values(ranges_.size());
    for (PlacedRobot& sample : samples_) {
      for (std::size_t i = 0; i < values.size(); ++i) {
        const double part = random.uniform(-1.0, 1.0);
        values[i] = ranges_[i].middle + ranges_[i].half * part;
      }
      place(data, values.data(), sample);
    }
    std::vector<double> farthest;
    farthest.reserve(ranges_.size());
    for (const Range1& range : ranges_) farthest.push_back(std::fabs(range.middle) + range.half);
    most_ = largest_value(RobotAccess::data(data.robot), farthest);
  }

  /// `pairs`: of the bodies of the two links.
  void classify(std::span<const ItemPair> pairs, PairReport& report) const {
    std::vector<QueryCache> caches(pairs.size());
    int contacts = 0;
    for (const PlacedRobot& sample : samples_) {
      bool met = false;
      for (std::size_t i = 0; i < pairs.size() && !met; ++i)
        met = distance_in(sample, pairs[i], 0.0, caches[i]).upper <= options_.clearance;
      contacts += met ? 1 : 0;
    }
    report.samples = options_.samples;
    if (contacts > 0) {
      const bool always = contacts == options_.samples;
      report.contact = always ? PairContact::always : PairContact::sometimes;
      report.proved = !always;
      return;
    }
    report.contact = PairContact::never;
    prove_never(pairs, caches, report);
  }

 private:
  /// At least a bracket that tells whether the distance exceeds clearance + `more`.
  DistanceResult distance_in(const PlacedRobot& at, const ItemPair& pair, double more,
                             QueryCache& cache) const {
    DistanceResult r;
    r.lower = capsule_gap(at.capsules[pair.a], at.capsules[pair.b]).gap;
    if (r.lower > options_.clearance + more) return r;
    if (r.lower <= 0.0) {
      const DistanceResult surfaces = measure_surfaces(data_, at, pair, options_.clearance, &cache);
      if (surfaces.upper <= options_.clearance) {
        r.upper = options_.clearance;
        return r;
      }
    }
    QueryOptions query;
    query.max_distance = options_.clearance + more;
    return measure(data_, at, pair, query, &cache);
  }

  struct Box {
    std::vector<double> middle, half;
  };

  void prove_never(std::span<const ItemPair> pairs, std::vector<QueryCache>& caches,
                   PairReport& report) const {
    std::vector<std::uint32_t> moving;
    for (const auto* chain :
         {&data_.chains[pairs[0].chain].of_a, &data_.chains[pairs[0].chain].of_b})
      for (const std::uint32_t frame : *chain)
        moving.push_back(RobotAccess::data(data_.robot).frames[frame].coordinate);
    std::sort(moving.begin(), moving.end());
    moving.erase(std::unique(moving.begin(), moving.end()), moving.end());
    Box all{std::vector<double>(ranges_.size()), std::vector<double>(ranges_.size(), 0.0)};
    for (std::size_t i = 0; i < ranges_.size(); ++i) all.middle[i] = ranges_[i].middle;
    for (const std::uint32_t c : moving) {
      if (!ranges_[c].bounded) return;
      all.half[c] = ranges_[c].half;
    }
    std::vector<Box> open{std::move(all)};
    MotionBound bound(data_);
    PlacedRobot at;
    for (int boxes = 0; !open.empty(); ++boxes) {
      if (boxes >= options_.max_boxes) return;
      Box box = std::move(open.back());
      open.pop_back();
      place(data_, box.middle.data(), at);
      bool free = true;
      for (std::size_t i = 0; i < pairs.size(); ++i) {
        bound.start(at, box.half);
        const double error = placement_error(data_, pairs[i], most_);
        const double more = bound.between(pairs[i]) + error;
        const DistanceResult r = distance_in(at, pairs[i], more, caches[i]);
        free = free && r.lower > options_.clearance + more;
        if (r.upper <= options_.clearance) {
          report.contact = PairContact::sometimes;
          report.proved = true;
          return;
        }
      }
      if (!free) halve(std::move(box), at, pairs[0], moving, bound, open);
    }
    report.proved = true;
  }

  /// Halves a box across the coordinate that moves the pair most.
  static void halve(Box box, const PlacedRobot& at, const ItemPair& pair,
                    const std::vector<std::uint32_t>& moving, MotionBound& bound,
                    std::vector<Box>& open) {
    std::uint32_t widest = moving[0];
    double most = -1.0;
    std::vector<double> alone(box.half.size(), 0.0);
    for (const std::uint32_t c : moving) {
      alone[c] = box.half[c];
      bound.start(at, alone);
      const double moved = bound.between(pair);
      alone[c] = 0.0;
      if (moved <= most) continue;
      most = moved;
      widest = c;
    }
    // Halves are rounded up, so that the two cover the box.
    const double half = 0.5 * box.half[widest] * (1.0 + 4.0 * kEpsilon);
    Box other = box;
    box.half[widest] = other.half[widest] = half;
    box.middle[widest] -= half;
    other.middle[widest] += half;
    open.push_back(std::move(other));
    open.push_back(std::move(box));
  }

  const CollisionData& data_;
  const PairOptions& options_;
  std::vector<Range1> ranges_;
  std::vector<PlacedRobot> samples_;
  double most_ = 0.0;
};

}  // namespace
}  // namespace detail

using namespace detail;

std::vector<PairReport> classify_pairs(const Robot& robot, const PairOptions& options) {
  if (options.samples < 1) throw InvalidInput("samples", "must be at least 1");
  if (options.max_boxes < 0) throw InvalidInput("max_boxes", "must not be negative");
  if (!(options.clearance >= 0.0) || !std::isfinite(options.clearance))
    throw InvalidInput("clearance", "must be at least 0 and finite");
  const RobotCollision collision(robot);
  const CollisionData& data = RobotAccess::data(collision);
  std::vector<PairReport> reports;
  std::vector<std::pair<std::size_t, std::size_t>> items;  // of the pairs of `collision`
  const auto key = [&](const ItemPair& p) {
    return std::pair(data.items[p.a].link, data.items[p.b].link);
  };
  for (std::size_t i = 0; i < data.item_pairs.size();) {
    std::size_t end = i;
    while (end < data.item_pairs.size() && key(data.item_pairs[end]) == key(data.item_pairs[i]))
      ++end;
    items.emplace_back(i, end - i);
    i = end;
  }
  const PairClassifier classifier(data, options);
  std::vector<PairReport> found(items.size());
  parallel_for(
      items.size(), 1,
      [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
          found[i].pair = data.pairs[i];
          classifier.classify(std::span(data.item_pairs).subspan(items[i].first, items[i].second),
                              found[i]);
        }
      },
      options.max_threads);
  std::size_t next = 0;
  const auto& links = robot.links();
  std::vector<std::uint32_t> bodied;
  for (std::uint32_t i = 0; i < links.size(); ++i)
    if (!links[i].bodies.empty()) bodied.push_back(i);
  for (std::size_t i = 0; i < bodied.size(); ++i) {
    for (std::size_t k = i + 1; k < bodied.size(); ++k) {
      const std::uint32_t a = bodied[i], b = bodied[k];
      if (next < found.size() && found[next].pair == RobotPair{a, b}) {
        reports.push_back(found[next++]);
      } else if (!links[a].obstacle || !links[b].obstacle) {
        reports.push_back({{a, b}, PairContact::adjacent, true, 0});
      }
    }
  }
  return reports;
}

}  // namespace tactus
