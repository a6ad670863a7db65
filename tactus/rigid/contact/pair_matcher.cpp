#include "tactus/rigid/contact/pair_matcher.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "tactus/core.hpp"
#include "tactus/rigid/motion/sleep.hpp"

namespace tactus::detail {
namespace {

/// Grain size (pairs) of the loop that matches pairs with the old ones.
constexpr std::size_t kMatchedTogether = 512;

}  // namespace

void PairMatcher::match(std::span<const Body> bodies, const CandidatePairs& candidates,
                        ContactState& state, int max_threads) {
  std::vector<ContactPair>&pairs = state.now().pairs, &old_pairs = state.old().pairs;
  const std::span<const BroadPair> found = candidates.pushing();
  using Key = std::tuple<BodyId, BodyId, Periods>;
  const auto old_key = [](const ContactPair& p) { return Key(p.body_a, p.body_b, p.image); };
  const auto key_of = [&](std::size_t i) {
    return Key(bodies[found[i].a].id(), bodies[found[i].b].id(), candidates.image(i));
  };
  pairs.resize(found.size());
  matches_.resize(found.size());
  parallel_for(
      found.size(), kMatchedTogether,
      [&](std::size_t begin, std::size_t end) {
        // Both are in order.
        auto old = std::lower_bound(
            old_pairs.begin(), old_pairs.end(), key_of(begin),
            [&](const ContactPair& pair, const Key& key) { return old_key(pair) < key; });
        for (std::size_t i = begin; i < end; ++i) {
          const Key key = key_of(i);
          while (old != old_pairs.end() && old_key(*old) < key) ++old;
          const bool known = old != old_pairs.end() && old_key(*old) == key;
          const auto& [a, b, image] = key;
          ContactPair& pair = pairs[i];
          pair.body_a = a;
          pair.body_b = b;
          pair.first = pair.count = 0;
          pair.image = image;
          pair.met = pair.guest = false;
          // The lists of before the step stay as they are. A copy takes the place of what was
          // there.
          if (!known)
            pair.cache = QueryCache();
          else if (!state.old_is_kept())
            pair.cache = std::move(old->cache);
          else
            pair.cache = std::as_const(old->cache);
          pair.rests = !stirs(bodies[found[i].a]) && !stirs(bodies[found[i].b]);
          matches_[i] = known ? &*old : nullptr;
        }
      },
      max_threads, Schedule::steady);
  order_.clear();
  resting_.clear();
  for (std::uint32_t i = 0; i < pairs.size(); ++i)
    (pairs[i].rests ? resting_ : order_).push_back(i);
  order_.insert(order_.end(), resting_.begin(), resting_.end());
}

}  // namespace tactus::detail
