// The queue of looks and impacts against a list that is searched as a whole.
#include "tactus/rigid/contact/impact_queue.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "tactus/core/random.hpp"
#include "tests/support/effort.hpp"

namespace tactus::detail {
namespace {

TEST(ImpactQueue, HandsOutWhatIsNotVoidInTheOrderOfTimeAndPatch) {
  Random rng(1);
  constexpr std::uint32_t kPatches = 6;
  ImpactQueue queue;
  queue.prepare(kPatches);
  for (int substep = 0; substep < test::effort(200); ++substep) {
    queue.begin_substep();
    std::vector<std::pair<double, std::uint32_t>> waiting;
    for (std::uint32_t p = 0; p < kPatches; ++p) {
      EXPECT_EQ(queue.track(p).version, 0u);
      EXPECT_EQ(queue.track(p).looks, 0);
      EXPECT_EQ(queue.track(p).impacts, 0);
    }
    for (int act = 0; act < 40; ++act) {
      const std::uint32_t patch = rng.next() % kPatches;
      if (rng.next() % 3 != 0) {
        // Few times: many are equal.
        const double time = rng.next() % 5;
        queue.enter(patch, time);
        waiting.emplace_back(time, patch);
      } else if (rng.next() % 2 == 0) {
        queue.renew(patch);
        std::erase_if(waiting, [&](const auto& event) { return event.second == patch; });
      } else {
        ImpactQueue::Event event{};
        ASSERT_EQ(queue.next(event), !waiting.empty());
        if (waiting.empty()) continue;
        const auto first = std::min_element(waiting.begin(), waiting.end());
        EXPECT_EQ(std::pair(event.time, event.patch), *first);
        waiting.erase(first);
      }
    }
  }
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
