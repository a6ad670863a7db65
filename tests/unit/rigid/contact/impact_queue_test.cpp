// The queue of looks and impacts against a list that is searched as a whole.
#include "tactus/rigid/contact/impact_queue.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>
#include <vector>

#include "tactus/core/random.hpp"
#include "tests/support/effort.hpp"

namespace tactus::detail {
namespace {

/// Order of looks: moment, step, patch.
using Key = std::tuple<double, std::uint32_t, std::uint32_t>;
Key key(const ImpactQueue::Event& event) { return {event.moment, event.step, event.patch}; }

TEST(ImpactQueue, HandsOutWhatIsNotVoidInTheOrderOfMomentStepAndPatch) {
  Random rng(1);
  constexpr std::uint32_t kPatches = 6;
  ImpactQueue queue;
  queue.prepare(kPatches);
  for (int substep = 0; substep < test::effort(200); ++substep) {
    queue.begin_substep();
    std::vector<std::pair<Key, double>> waiting;
    double now = -1.0;
    std::uint32_t step = 0;
    for (std::uint32_t p = 0; p < kPatches; ++p) {
      EXPECT_EQ(queue.track(p).version, 0u);
      EXPECT_EQ(queue.track(p).looks, 0);
      EXPECT_EQ(queue.track(p).impacts, 0);
    }
    for (int act = 0; act < 40; ++act) {
      const std::uint32_t patch = rng.next() % kPatches;
      if (rng.next() % 3 != 0) {
        // Few times: many are equal, and many have gone by.
        const double time = rng.next() % 5;
        queue.enter(patch, time);
        const double moment = time > now ? time : now;
        waiting.push_back({{moment, moment > now ? 0 : step + 1, patch}, time});
      } else if (rng.next() % 2 == 0) {
        queue.renew(patch);
        std::erase_if(waiting,
                      [&](const auto& event) { return std::get<2>(event.first) == patch; });
      } else {
        ImpactQueue::Event event{};
        ASSERT_EQ(queue.next(event), !waiting.empty());
        if (waiting.empty()) continue;
        const auto first =
            std::min_element(waiting.begin(), waiting.end(),
                             [](const auto& x, const auto& y) { return x.first < y.first; });
        EXPECT_EQ(key(event), first->first);
        const auto same =
            std::find(waiting.begin(), waiting.end(), std::pair(key(event), event.time));
        ASSERT_NE(same, waiting.end());
        waiting.erase(same);
        now = event.moment;
        step = event.step;
      }
    }
  }
}

/// Looks at some patches of a world whose patches come in two parts without a body in common: a
/// look may ask for looks at other patches of its part, at any time, also one that has gone by.
std::vector<Key> looks_at(const std::vector<int>& part_of, int part, std::uint64_t seed) {
  ImpactQueue queue;
  const auto patches = static_cast<std::uint32_t>(part_of.size());
  queue.prepare(patches);
  queue.begin_substep();
  const auto taken = [&](std::uint32_t patch) { return part < 0 || part_of[patch] == part; };
  for (std::uint32_t p = 0; p < patches; ++p)
    if (taken(p)) queue.enter(p, Random(seed, p).next() % 3);
  std::vector<Key> result;
  ImpactQueue::Event event{};
  while (queue.next(event)) {
    result.push_back(key(event));
    // By what the look has found: its own place and number, not those of other looks.
    const int looks = queue.track(event.patch).looks;
    queue.note_look(event.patch, event.time);
    if (looks >= 4) continue;
    Random found(seed + 1000 * static_cast<std::uint64_t>(looks + 1), event.patch);
    for (std::uint32_t p = 0; p < patches; ++p) {
      if (part_of[p] != part_of[event.patch] || found.next() % 2 == 0) continue;
      queue.renew(p);
      queue.enter(p, event.time + found.next() % 4 - 1.0);
    }
  }
  return result;
}

TEST(ImpactQueue, TwoPartsOfAWorldMergeToTheLooksOfTheWhole) {
  Random rng(4);
  std::size_t looks = 0;
  for (int run = 0; run < test::effort(200); ++run) {
    std::vector<int> part_of(8);
    for (int& part : part_of) part = static_cast<int>(rng.next() % 2);
    const std::uint64_t seed = rng.next();
    const std::vector<Key> whole = looks_at(part_of, -1, seed);
    std::vector<Key> merged;
    const std::vector<Key> one = looks_at(part_of, 0, seed), other = looks_at(part_of, 1, seed);
    std::merge(one.begin(), one.end(), other.begin(), other.end(), std::back_inserter(merged));
    EXPECT_EQ(merged, whole);
    looks += whole.size();
  }
  EXPECT_GT(looks, 10u * static_cast<std::size_t>(test::effort(200)));
}

TEST(ImpactQueue, ALookThatComesNoLaterIsNotedUntilAVelocityChanges) {
  ImpactQueue queue;
  queue.prepare(1);
  queue.note_look(0, 0.5);
  EXPECT_FALSE(queue.track(0).again);
  queue.note_look(0, 0.75);
  EXPECT_FALSE(queue.track(0).again);
  queue.note_look(0, 0.75);
  EXPECT_TRUE(queue.track(0).again);
  queue.note_look(0, 0.8);
  EXPECT_TRUE(queue.track(0).again);
  queue.change(0).again = false;
  queue.note_look(0, 0.9);
  EXPECT_FALSE(queue.track(0).again);
  EXPECT_EQ(queue.track(0).looks, 5);
  queue.begin_substep();
  EXPECT_EQ(queue.track(0).looks, 0);
}

}  // namespace
}  // namespace tactus::detail
