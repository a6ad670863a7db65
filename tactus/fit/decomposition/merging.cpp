#include "tactus/fit/decomposition/merging.hpp"

#include <algorithm>
#include <limits>
#include <set>

#include "tactus/core.hpp"

namespace tactus::detail::fit {
namespace {

struct Box {
  Vec3 lower, upper;
};

Box box_of(const ConvexHull& hull) {
  Box box{hull.vertices[0], hull.vertices[0]};
  for (const Vec3& v : hull.vertices) {
    box.lower = component_min(box.lower, v);
    box.upper = component_max(box.upper, v);
  }
  return box;
}

class Merging {
 public:
  Merging(const PartJudge& judge, std::vector<Part> parts, const MergePlan& plan)
      : judge_(judge), plan_(plan), parts_(std::move(parts)), partners_(parts_.size()) {
    alive_.assign(parts_.size(), true);
  }

  std::vector<Part> run(const std::vector<PartPair>& pairs) {
    for (const auto& [a, b] : pairs) {
      partners_[a].insert(b);
      partners_[b].insert(a);
    }
    propose(pairs);
    std::size_t left = parts_.size();
    while (left > plan_.at_least && !queue_.empty()) {
      const Proposal next = *queue_.begin();
      queue_.erase(queue_.begin());
      if (!alive_[next.a] || !alive_[next.b]) continue;
      Part both = judge_.join(parts_[next.a], parts_[next.b]);
      if (plan_.bounded && !both.good()) continue;
      if (plan_.joined) plan_.joined(next.a, next.b, both);
      replace(next.a, next.b, std::move(both));
      --left;
      if (plan_.go_on && !plan_.go_on(left)) break;
    }
    std::vector<Part> remaining;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      if (alive_[i]) remaining.push_back(std::move(parts_[i]));
    }
    return remaining;
  }

 private:
  struct Proposal {
    double cost;
    std::uint32_t a, b;
    friend bool operator<(const Proposal& x, const Proposal& y) {
      if (x.cost != y.cost) return x.cost < y.cost;
      return x.a != y.a ? x.a < y.a : x.b < y.b;
    }
  };

  // Infinite for a pair that is not allowed.
  double cost(std::uint32_t a, std::uint32_t b) const {
    if (plan_.cancel != nullptr && plan_.cancel->load(std::memory_order_relaxed))
      return std::numeric_limits<double>::infinity();
    const Part both = judge_.join(parts_[a], parts_[b]);
    if (plan_.bounded && !both.good()) return std::numeric_limits<double>::infinity();
    if (plan_.order == MergeOrder::error) return both.error.worst();
    return both.error.volume - (parts_[a].error.volume + parts_[b].error.volume);
  }

  void propose(const std::vector<PartPair>& pairs) {
    std::vector<double> costs(pairs.size());
    parallel_for(
        pairs.size(), 1,
        [&](std::size_t begin, std::size_t end) {
          for (std::size_t i = begin; i < end; ++i)
            costs[i] = cost(pairs[i].first, pairs[i].second);
        },
        plan_.threads);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      if (costs[i] < std::numeric_limits<double>::infinity())
        queue_.insert({costs[i], pairs[i].first, pairs[i].second});
    }
  }

  // The joined part gets a number of its own, so that old proposals are known by theirs.
  void replace(std::uint32_t a, std::uint32_t b, Part both) {
    const auto number = static_cast<std::uint32_t>(parts_.size());
    std::set<std::uint32_t> partners = std::move(partners_[a]);
    partners.insert(partners_[b].begin(), partners_[b].end());
    partners.erase(a);
    partners.erase(b);
    parts_.push_back(std::move(both));
    alive_.push_back(true);
    alive_[a] = alive_[b] = false;
    parts_[a] = parts_[b] = {};
    partners_[a].clear();
    partners_[b].clear();
    std::vector<PartPair> pairs;
    for (const std::uint32_t p : partners) {
      partners_[p].erase(a);
      partners_[p].erase(b);
      partners_[p].insert(number);
      pairs.emplace_back(p, number);
    }
    partners_.push_back(std::move(partners));
    propose(pairs);
  }

  const PartJudge& judge_;
  const MergePlan& plan_;
  std::vector<Part> parts_;
  std::vector<bool> alive_;
  std::vector<std::set<std::uint32_t>> partners_;
  std::set<Proposal> queue_;
};

}  // namespace

std::vector<Part> merge_parts(const PartJudge& judge, std::vector<Part> parts,
                              const std::vector<PartPair>& pairs, const MergePlan& plan) {
  return Merging(judge, std::move(parts), plan).run(pairs);
}

NestedParts::NestedParts(const PartJudge& judge, std::vector<Part> parts, int threads,
                         const std::function<bool()>& go_on)
    : first_(parts.size()) {
  for (const Part& part : parts) {
    hulls_.push_back(part.hull);
    errors_.push_back(part.error.worst());
  }
  MergePlan plan;
  plan.order = MergeOrder::error;
  plan.bounded = false;
  plan.threads = threads;
  plan.go_on = [&](std::size_t) { return go_on(); };
  plan.joined = [&](std::uint32_t a, std::uint32_t b, const Part& both) {
    hulls_.push_back(both.hull);
    errors_.push_back(both.error.worst());
    joins_.emplace_back(a, b);
  };
  const auto pairs = near_pairs(parts, std::numeric_limits<double>::infinity());
  merge_parts(judge, std::move(parts), pairs, plan);
}

std::vector<std::size_t> NestedParts::alive(std::size_t count) const {
  const std::size_t joins = first_ - std::min(first_, std::max(count, fewest()));
  std::vector<bool> gone(first_ + joins);
  for (std::size_t i = 0; i < joins; ++i) gone[joins_[i].first] = gone[joins_[i].second] = true;
  std::vector<std::size_t> left;
  for (std::size_t i = 0; i < gone.size(); ++i) {
    if (!gone[i]) left.push_back(i);
  }
  return left;
}

std::vector<ConvexHull> NestedParts::hulls(std::size_t count) const {
  std::vector<ConvexHull> hulls;
  for (const std::size_t i : alive(count)) hulls.push_back(hulls_[i]);
  return hulls;
}

double NestedParts::error(std::size_t count) const {
  double worst = 0.0;
  for (const std::size_t i : alive(count)) worst = std::max(worst, errors_[i]);
  return worst;
}

std::vector<PartPair> near_pairs(const std::vector<Part>& parts, double gap) {
  std::vector<Box> boxes;
  boxes.reserve(parts.size());
  for (const Part& part : parts) boxes.push_back(box_of(part.hull));
  std::vector<PartPair> pairs;
  for (std::uint32_t a = 0; a < parts.size(); ++a) {
    for (std::uint32_t b = a + 1; b < parts.size(); ++b) {
      bool apart = false;
      for (int k = 0; k < 3 && !apart; ++k) {
        apart = boxes[a].lower[k] > boxes[b].upper[k] + gap ||
                boxes[b].lower[k] > boxes[a].upper[k] + gap;
      }
      if (!apart) pairs.emplace_back(a, b);
    }
  }
  return pairs;
}

}  // namespace tactus::detail::fit
