#include "tactus/query/compound.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "tactus/core/cancellation.hpp"
#include "tactus/core/constants.hpp"
#include "tactus/query/in_order.hpp"
#include "tactus/query/part_pairs.hpp"
#include "tactus/query/plan/convex.hpp"
#include "tactus/query/plan/lone_minimum.hpp"
#include "tactus/query/plan/pair_state.hpp"
#include "tactus/query/plan/range.hpp"
#include "tactus/query/union_depth.hpp"
#include "tactus/shape/compound_data.hpp"

namespace tactus::detail {
namespace {

// Minima of pairs of parts that are farther by more steps than this are no rivals, whatever their
// normals and witnesses: three times the size is the most these differ by.
constexpr double kReach = 4.0;
// Pairs of parts beyond twice those of a query whose caches are kept.
constexpr std::ptrdiff_t kSpare = 8;
// More patches are sorted with memory of their own: putting each into its place moves the square of
// their number.
constexpr std::size_t kFewPatches = 16;

// A pair of parts: neither is a compound.
void answer_parts(const PairContext& pair, DistanceResult& r) {
  if (pair.row.kind == PairKind::convex) {
    answer_convex(pair, r);
  } else {
    answer_in_order(pair, r);
  }
}

// The states of the pairs of parts that one query measures.
class KeptStates {
 public:
  explicit KeptStates(PartStates* states) : states_(states) {
    if (states_ != nullptr) old_ = states_->entries.size();
  }

  // Valid until the next one is asked for.
  QueryCache* of(std::int32_t part_a, std::int32_t part_b) {
    if (states_ == nullptr) return nullptr;
    auto& entries = states_->entries;
    const auto end = entries.begin() + static_cast<std::ptrdiff_t>(old_);
    const std::pair key(part_a, part_b);
    const auto found = std::lower_bound(
        entries.begin(), end, key,
        [](const PartStates::Entry& e, const std::pair<std::int32_t, std::int32_t>& k) {
          return std::pair(e.part_a, e.part_b) < k;
        });
    if (found != end && std::pair(found->part_a, found->part_b) == key) {
      found->used = true;
      return &found->cache;
    }
    entries.push_back({part_a, part_b, {}, true});
    return &entries.back().cache;
  }

  // Keeps what has been asked and has something to keep, and of the rest as much again, for the
  // next query may be another one.
  void close(std::int32_t part_a, std::int32_t part_b) {
    if (states_ == nullptr) return;
    auto& entries = states_->entries;
    const auto used = std::count_if(entries.begin(), entries.end(),
                                    [](const PartStates::Entry& e) { return e.used; });
    const bool crowded = static_cast<std::ptrdiff_t>(entries.size()) > kSpare + 2 * used;
    std::erase_if(entries, [&](const PartStates::Entry& e) {
      return e.cache.empty() || (crowded && !e.used);
    });
    std::sort(entries.begin(), entries.end(),
              [](const PartStates::Entry& x, const PartStates::Entry& y) {
                return std::pair(x.part_a, x.part_b) < std::pair(y.part_a, y.part_b);
              });
    for (PartStates::Entry& e : entries) e.used = false;
    states_->part_a = part_a;
    states_->part_b = part_b;
  }

 private:
  PartStates* states_;
  std::size_t old_ = 0;
};

class CompoundSearch {
 public:
  // Both bodies about A's position, so that far from the world's origin nothing is lost.
  explicit CompoundSearch(const PairContext& pair)
      : pair_(pair), near_(pair.a, pair.b), states_(recall<PartStates>(pair.cache)) {}

  DistanceResult run() {
    const PartStates* const before =
        pair_.cache != nullptr ? std::get_if<PartStates>(&CacheAccess::state(*pair_.cache).kept)
                               : nullptr;
    if (before != nullptr && near_.a.has(before->part_a) && near_.b.has(before->part_b)) {
      first_a_ = before->part_a;
      first_b_ = before->part_b;
      started_ = true;
      measure(first_a_, first_b_);
    }
    if (!over()) search();
    states_.close(best_.part_a, best_.part_b);
    finish();
    if (pair_.options.derivatives != nullptr) derive();
    return best_;
  }

 private:
  // Boxes are looked at along it too.
  const Vec3* normal_so_far() const { return first_ ? nullptr : &normal_; }

  // Farther pairs of parts do not matter: not for the answer, and not for patches.
  double farthest() const {
    double most = pair_.options.max_distance;
    if (!first_ && best_.upper > 0.0) most = std::min(most, best_.upper);
    return pair_.sink != nullptr ? std::max(most, pair_.options.margin) : most;
  }
  // Pairs of boxes with a bound above this are not searched: the less boxes overlap, the less deep
  // the parts in them can be. The sign is known when nothing can meet.
  double wanted() const {
    if (pair_.ask == Ask::sign) return 0.0;
    return best_.upper < 0.0 && pair_.sink == nullptr ? best_.upper : farthest();
  }
  bool over() const {
    return unanswered_ || (pair_.ask == Ask::sign && !first_ && best_.upper <= 0.0 &&
                           best_.status == Status::converged);
  }

  void search() {
    PartPairs::NodePair stack[PartPairs::kStack];
    int size = 0;
    stack[size++] = near_.root(normal_so_far());
    while (size > 0) {
      const PartPairs::NodePair next = stack[--size];
      if (over() || (!first_ && next.bound > wanted())) {
        lower_ = std::min(lower_, next.bound);
        continue;
      }
      const PartNode &a = near_.a.node(next.a), &b = near_.b.node(next.b);
      if (!a.is_leaf() || !b.is_leaf()) {
        near_.push_halves(next, normal_so_far(), stack, size);
        continue;
      }
      const std::int32_t part_a = near_.a.index(a), part_b = near_.b.index(b);
      if (!first_ && is_work_cancelled()) return;
      if (!started_ || part_a != first_a_ || part_b != first_b_) measure(part_a, part_b);
    }
  }

  // The answer of a pair of parts, widened by what placing the parts may have moved them.
  DistanceResult ask(const Placed& a, const Placed& b, QueryOptions& options, double slack,
                     QueryCache* cache) {
    const auto answer = [&](Ask asked) {
      DistanceResult r;
      answer_parts({a, b, options, asked, cache, pair_.sink}, r);
      r.lower -= slack;
      r.upper += slack;
      return r;
    };
    DistanceResult r = answer(pair_.ask);
    // A search for the sign stops at a sign that the placing may undo.
    if (pair_.ask == Ask::sign && r.status == Status::converged && r.lower <= 0.0 &&
        r.upper > 0.0) {
      const int before = r.iterations;
      options.tolerance = 0.0;
      r = answer(Ask::distance);
      r.iterations += before;
    }
    return r;
  }

  void measure(std::int32_t part_a, std::int32_t part_b) {
    QueryOptions options = pair_.options;
    Certificate certificate;
    if (options.certificate != nullptr) options.certificate = &certificate;
    Derivatives derivatives;
    if (options.derivatives != nullptr) options.derivatives = &derivatives;
    options.max_distance = farthest();
    const PlacedPart a = placed_part(near_.a, part_a), b = placed_part(near_.b, part_b);
    const double slack = kPartPlacing * ((a.away + b.away) + norm(near_.b.body.pose.position()));
    const int before = pair_.sink != nullptr ? pair_.sink->count : 0;
    DistanceResult r = no_answer(Status::precision_limit);
    if (is_finite(a.pose, b.pose))
      r = ask({a.shape, a.pose}, {b.shape, b.pose}, options, slack, states_.of(part_a, part_b));
    r.part_a = part_a;
    r.part_b = part_b;
    if (pair_.sink != nullptr) {
      for (Manifold& m : pair_.sink->since(before)) {
        m.part_a = part_a;
        m.part_b = part_b;
      }
    }
    take(r, certificate, derivatives);
  }

  // Does `r` speak for the union? Its bracket, witnesses and certificate must prove the upper
  // bound: of searches that were not finished the better proof counts, not the better guess.
  bool speaks(const DistanceResult& r) const {
    if (first_) return true;
    const bool finished = r.status == Status::converged && best_.status == Status::converged;
    const double mine = finished ? r.distance : r.upper;
    const double other = finished ? best_.distance : best_.upper;
    if (mine != other) return mine < other;
    return std::pair(r.part_a, r.part_b) < std::pair(best_.part_a, best_.part_b);
  }

  void take(const DistanceResult& r, Certificate& certificate, const Derivatives& derivatives) {
    lower_ = std::min(lower_, r.lower);
    iterations_ += r.iterations;
    // A pair that could not be answered leaves the union without an answer.
    if (r.status == Status::unsupported) unanswered_ = true;
    if (r.status != Status::converged && r.lower < least_open_) {
      least_open_ = r.lower;
      open_ = r.status;
    }
    if (!speaks(r)) return;
    best_ = r;
    normal_ = pair_.a.pose.direction_to_local(r.normal);
    if (pair_.options.certificate != nullptr) std::swap(kept_, certificate);
    derivatives_ = derivatives;
    first_ = false;
  }

  // The derivatives of the best pair of parts, about the origins of the bodies, and whether its
  // minimum is the only one of all pairs.
  void derive() {
    if (!std::isfinite(best_.distance)) return;
    const PlacedPart a = placed_part(near_.a, best_.part_a), b = placed_part(near_.b, best_.part_b);
    const Vec3 arm_a = a.pose.position() - near_.a.body.pose.position();
    const Vec3 arm_b = b.pose.position() - near_.b.body.pose.position();
    derivatives_.angular_a += cross(arm_a, derivatives_.linear_a);
    derivatives_.angular_b += cross(arm_b, derivatives_.linear_b);
    derivatives_.smooth = best_.unique = best_.unique && is_lone_minimum(a, b);
    *pair_.options.derivatives = derivatives_;
  }

  // Is the minimum of two parts, the best, the only one of all pairs?
  bool is_lone_minimum(const PlacedPart& a, const PlacedPart& b) {
    const auto size = [](const Placed& body) { return extent(body.shape); };
    const double rounding =
        kPartPlacing *
        (length_of(near_.a.body.shape) + length_of(near_.b.body.shape) + norm(near_.translation()));
    const MinimumScale scale(size(near_.a.body), size(near_.b.body), rounding);
    const PairContext parts{{a.shape, a.pose}, {b.shape, b.pose}, pair_.options, pair_.ask};
    const DistanceResult best = narrowest(parts, best_, kNarrowBracket * rounding, answer_parts);
    if (!(best.upper - best.lower <= scale.circle)) return false;
    bool lone = true;
    near_.for_near(best.distance + kReach * scale.step, normal_so_far(),
                   [&](std::int32_t part_a, std::int32_t part_b) {
                     const bool is_best = part_a == best_.part_a && part_b == best_.part_b;
                     if (lone && !is_best) lone = keeps_alone(best, part_a, part_b, scale);
                   });
    return lone;
  }

  // Is a pair of parts farther than the best, or are its only witnesses the same?
  bool keeps_alone(const DistanceResult& best, std::int32_t part_a, std::int32_t part_b,
                   const MinimumScale& scale) {
    Derivatives derivatives;
    QueryOptions options = narrowed(pair_.options);
    options.derivatives = &derivatives;
    const PlacedPart a = placed_part(near_.a, part_a), b = placed_part(near_.b, part_b);
    DistanceResult r;
    answer_parts({{a.shape, a.pose}, {b.shape, b.pose}, options, pair_.ask}, r);
    const Rivalry rivalry = compare_minima(best, r, r.distance - best.distance, scale);
    return rivalry == Rivalry::farther || (rivalry == Rivalry::same && r.unique);
  }

  void finish() {
    if (unanswered_) {
      best_ = no_answer(Status::unsupported);
      kept_.clear();
    } else {
      best_.lower = lower_;
      // Complete, unless another pair may be nearer than what is proved.
      if (best_.status == Status::converged && least_open_ < best_.upper) best_.status = open_;
    }
    best_.iterations = iterations_;
    if (pair_.options.certificate != nullptr) *pair_.options.certificate = kept_;
  }

  const PairContext& pair_;
  PartPairs near_;
  KeptStates states_;
  std::int32_t first_a_ = -1, first_b_ = -1;  // measured before the others
  bool started_ = false;

  DistanceResult best_;
  Vec3 normal_;  // of the best, A's frame
  Certificate kept_;
  Derivatives derivatives_;  // of the best, about the parts' origins
  bool first_ = true;
  double lower_ = kInfinity;
  int iterations_ = 0;
  // The least that is known of pairs without a complete answer, and why they have none.
  double least_open_ = kInfinity;
  Status open_ = Status::converged;
  bool unanswered_ = false;
};

// Patches in the order of their parts; those of one pair keep theirs.
void sort_patches(std::span<Manifold> patches) {
  const auto before = [](const Manifold& x, const Manifold& y) {
    return std::pair(x.part_a, x.part_b) < std::pair(y.part_a, y.part_b);
  };
  if (patches.size() > kFewPatches) {
    std::vector<std::uint32_t> order(patches.size());
    std::iota(order.begin(), order.end(), 0U);
    std::sort(order.begin(), order.end(), [&](std::uint32_t x, std::uint32_t y) {
      if (before(patches[x], patches[y])) return true;
      return x < y && !before(patches[y], patches[x]);
    });
    std::vector<Manifold> sorted;
    sorted.reserve(patches.size());
    for (const std::uint32_t i : order) sorted.push_back(patches[i]);
    std::copy(sorted.begin(), sorted.end(), patches.begin());
    return;
  }
  for (auto it = patches.begin(); it != patches.end(); ++it)
    std::rotate(std::upper_bound(patches.begin(), it, *it, before), it, it + 1);
}

}  // namespace

DistanceResult answer_compound(const PairContext& pair) {
  const Vec3 origin = pair.a.pose.position();
  const Vec3 between = pair.b.pose.position() - origin;
  if (pair.ask == Ask::signed_distance && (PartTree(pair.a).open() || PartTree(pair.b).open()))
    return no_answer(Status::unsupported);
  // The parts are asked for their own lengths.
  if (!in_range(0.0, between)) return no_answer(Status::precision_limit);
  const Pose pose_a = detail::unchecked_pose({}, pair.a.pose.rotation());
  const Pose pose_b = detail::unchecked_pose(between, pair.b.pose.rotation());
  const PairContext near{{pair.a.shape, pose_a},
                         {pair.b.shape, pose_b},
                         pair.options,
                         pair.ask,
                         pair.cache,
                         pair.sink};
  const int before = pair.sink != nullptr ? pair.sink->count : 0;
  DistanceResult r = CompoundSearch(near).run();
  if (pair.options.union_depth && pair.ask == Ask::signed_distance && r.lower < 0.0 &&
      std::isfinite(r.distance)) {
    r = union_depth(near, r);
  }
  r.point_a += origin;
  r.point_b += origin;
  if (pair.sink != nullptr) {
    const std::span<Manifold> patches = pair.sink->since(before);
    sort_patches(patches);
    for (Manifold& m : patches) {
      for (ContactPoint& p : m.points) {
        p.point_a += origin;
        p.point_b += origin;
      }
    }
  }
  return r;
}

}  // namespace tactus::detail
