#include <algorithm>
#include <cmath>
#include <queue>
#include <string>
#include <utility>

#include "tactus/core/constants.hpp"
#include "tactus/robot/collision_data.hpp"
#include "tactus/robot/motion_bound.hpp"

namespace tactus {
namespace detail {
namespace {

// Intervals are halved to this part of the tolerance: where bodies approach, several side by side
// stay unproved.
constexpr double kFinest = 1.0 / 16.0;

/// An interval of the segment, and the pairs that nothing proves free yet during all of it.
struct Interval {
  double begin = 0.0, end = 1.0;
  double margin = -kInfinity;  ///< least of distance - motion - clearance when it was halved
  std::vector<std::uint32_t> pairs;

  /// On top of a heap: the least margin, then the earlier one.
  friend bool operator<(const Interval& x, const Interval& y) {
    return x.margin != y.margin ? x.margin > y.margin : x.begin > y.begin;
  }
};

class PathSearch {
 public:
  PathSearch(const CollisionData& data, const PathSegment& segment, const PathOptions& options,
             RobotCache& cache)
      : data_(data), segment_(segment), options_(options), cache_(cache), bound_(data) {
    most_ = largest_value(RobotAccess::data(data.robot), farthest_values(segment));
    cache_.pairs.resize(data.item_pairs.size());
  }

  PathAnswer run() {
    Interval all;
    for (std::uint32_t i = 0; i < data_.item_pairs.size(); ++i) all.pairs.push_back(i);
    if (options_.first) {
      Interval start{0.0, 0.0, 0.0, all.pairs};
      look_at(start);
    }
    push(std::move(all));
    while (!open_.empty()) {
      if (hit_ < kInfinity && !options_.first) break;
      if (answer_.intervals >= options_.max_intervals) break;
      std::pop_heap(open_.begin(), open_.end());
      Interval interval = std::move(open_.back());
      open_.pop_back();
      if (interval.begin < hit_) look_at(interval);
    }
    return finish();
  }

 private:
  void push(Interval interval) {
    open_.push_back(std::move(interval));
    std::push_heap(open_.begin(), open_.end());
  }

  void look_at(Interval& interval) {
    ++answer_.intervals;
    const double middle = interval.begin + 0.5 * (interval.end - interval.begin);
    values_at(segment_, middle, values_);
    most_changes(segment_, interval.begin, interval.end, changes_);
    place(data_, values_.data(), at_);
    bound_.start(at_, changes_);
    std::vector<std::uint32_t> left;
    double margin = kInfinity;
    bool met = false;
    for (const std::uint32_t i : interval.pairs) {
      const Look look = look_at_pair(i, interval, middle);
      if (look.proved) continue;
      left.push_back(i);
      margin = std::min(margin, look.margin);
      met = met || look.met;
    }
    if (left.empty()) return;
    interval.pairs = std::move(left);
    interval.margin = margin;
    // The middle is rounded: from there on nothing else is of interest.
    if (met) interval.end = std::min(interval.end, middle);
    if (interval.end - interval.begin <= kFinest * options_.tolerance ||
        !(interval.begin < middle)) {
      note_unproved(interval);
    } else if (met) {
      push(std::move(interval));
    } else {
      Interval second{middle, interval.end, margin, interval.pairs};
      interval.end = middle;
      push(std::move(interval));
      push(std::move(second));
    }
  }

  struct Look {
    bool proved = false, met = false;
    double margin = kInfinity;
  };

  Look look_at_pair(std::uint32_t i, const Interval& interval, double middle) {
    const ItemPair& pair = data_.item_pairs[i];
    const double error = placement_error(data_, pair, most_);
    const double motion = bound_.between(pair) + error;
    const CapsuleGap coarse = capsule_gap(at_.capsules[pair.a], at_.capsules[pair.b]);
    const double needed = options_.clearance + motion;
    if (coarse.gap > needed) {
      claim(i, interval, coarse.gap, motion, coarse.direction);
      return {true};
    }
    // No distance of bodies that are so near can prove so much motion: only whether they are too
    // near counts.
    const double radii = at_.capsules[pair.a].radius + at_.capsules[pair.b].radius;
    const bool hopeless = needed > std::max(coarse.gap, 0.0) + 2.0 * radii;
    if (hopeless && coarse.gap > options_.clearance + error)
      return {false, false, coarse.gap - needed};
    ++answer_.distances;
    if (coarse.gap <= 0.0) {
      // Surfaces that cross in the computed poses count as met, whatever roundings of the poses
      // hide.
      const double near = std::max(0.0, options_.clearance - error);
      const DistanceResult r = measure_surfaces(data_, at_, pair, near, &cache_.pairs[i]);
      if (r.upper <= near) {
        note_met(pair, middle, r);
        return {false, true, coarse.gap - needed};
      }
    }
    QueryOptions query;
    query.max_distance = hopeless ? options_.clearance + error : needed;
    const DistanceResult r = measure(data_, at_, pair, query, &cache_.pairs[i]);
    if (r.lower > needed) {
      claim(i, interval, r.lower, motion, r.normal);
      return {true};
    }
    const bool met = r.upper + error <= options_.clearance;
    if (met) note_met(pair, middle, r);
    return {false, met, std::max(r.lower, coarse.gap) - needed};
  }

  void note_met(const ItemPair& pair, double time, const DistanceResult& distance) {
    if (time >= hit_) return;
    hit_ = time;
    hit_pair_ = &pair;
    answer_.pair = named(data_, pair, distance);
  }

  /// The pair with its whole distance at a part of the segment.
  RobotDistance measured_at(double part, const ItemPair& pair) {
    values_at(segment_, part, values_);
    place(data_, values_.data(), at_);
    return named(data_, pair, measure(data_, at_, pair, {}, nullptr));
  }

  void claim(std::uint32_t pair, const Interval& interval, double distance, double motion,
             const Vec3& direction) {
    if (options_.claims != nullptr)
      options_.claims->push_back({pair, interval.begin, interval.end, distance, motion, direction});
  }

  void note_unproved(const Interval& interval) {
    if (interval.begin < unproved_begin_) {
      unproved_begin_ = interval.begin;
      unproved_pair_ = interval.pairs.front();
    }
    unproved_end_ = std::max(unproved_end_, interval.end);
  }

  PathAnswer finish() {
    for (const Interval& interval : open_)
      if (interval.begin < hit_) note_unproved(interval);
    if (hit_ < kInfinity) {
      answer_.verdict = PathVerdict::below;
      answer_.upper = hit_;
      answer_.lower = std::min(hit_, unproved_begin_);
      if (options_.first) answer_.pair = measured_at(hit_, *hit_pair_);
    } else if (unproved_begin_ < kInfinity) {
      answer_.verdict = PathVerdict::undecided;
      answer_.lower = unproved_begin_;
      answer_.upper = unproved_end_;
      answer_.pair = measured_at(unproved_begin_, data_.item_pairs[unproved_pair_]);
    } else {
      answer_.verdict = PathVerdict::free;
    }
    return answer_;
  }

  const CollisionData& data_;
  const PathSegment& segment_;
  const PathOptions& options_;
  RobotCache& cache_;
  MotionBound bound_;
  PathAnswer answer_;
  PlacedRobot at_;
  std::vector<double> values_, changes_;
  std::vector<Interval> open_;
  double most_ = 0.0;       ///< no coordinate is larger
  double hit_ = kInfinity;  ///< the first time known at which a pair is too near
  double unproved_begin_ = kInfinity, unproved_end_ = 0.0;
  std::uint32_t unproved_pair_ = 0;
  const ItemPair* hit_pair_ = nullptr;
};

void require_path(const CollisionData& data, const PathSegment& segment,
                  const PathOptions& options) {
  const RobotData& robot = RobotAccess::data(data.robot);
  if (segment.size() != robot.coordinates.size())
    throw InvalidInput("segment", std::to_string(segment.size()) + " polynomials for " +
                                      std::to_string(robot.coordinates.size()) + " coordinates");
  for (std::size_t i = 0; i < segment.size(); ++i) {
    const PathPolynomial& p = segment[i];
    if (!std::isfinite(p.a + p.b + p.c + p.d))
      throw InvalidInput("segment",
                         "the path of '" + robot.coordinates[i].name + "' is not finite");
  }
  if (!(options.clearance >= 0.0) || !std::isfinite(options.clearance))
    throw InvalidInput("clearance", "must be at least 0 and finite");
  if (!(options.tolerance > 0.0)) throw InvalidInput("tolerance", "must be above 0");
  if (options.max_intervals < 1) throw InvalidInput("max_intervals", "must be at least 1");
}

}  // namespace
}  // namespace detail

using namespace detail;

PathSegment straight_segment(std::span<const double> from, std::span<const double> to) {
  if (from.size() != to.size())
    throw InvalidInput(
        "to", std::to_string(to.size()) + " values against " + std::to_string(from.size()));
  PathSegment segment;
  for (std::size_t i = 0; i < from.size(); ++i)
    segment.push_back({from[i], to[i] - from[i], 0.0, 0.0});
  return segment;
}

PathAnswer RobotCollision::certify(const PathSegment& segment, const PathOptions& options,
                                   RobotCache* cache) const {
  require_path(*data_, segment, options);
  RobotCache own;
  if (options.claims != nullptr) options.claims->clear();
  return PathSearch(*data_, segment, options, cache != nullptr ? *cache : own).run();
}

void RobotCollision::certify_edges(std::span<const double> configurations,
                                   std::span<PathAnswer> answers, const PathOptions& options,
                                   int max_threads) const {
  const std::size_t n = robot().coordinates().size();
  if (configurations.size() != 2 * n * answers.size())
    throw InvalidInput("configurations", std::to_string(configurations.size()) + " values for " +
                                             std::to_string(answers.size()) + " edges of " +
                                             std::to_string(n) + " coordinates");
  if (options.claims != nullptr) throw InvalidInput("claims", "must be null for several edges");
  parallel_for(
      answers.size(), 1,
      [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
          answers[i] = certify(straight_segment(configurations.subspan(2 * i * n, n),
                                                configurations.subspan((2 * i + 1) * n, n)),
                               options);
      },
      max_threads);
}

}  // namespace tactus
