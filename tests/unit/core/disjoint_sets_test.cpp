#include "tactus/core/disjoint_sets.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tactus/core/random.hpp"

namespace tactus::detail {
namespace {

// Against labels that are all rewritten with each join.
TEST(DisjointSets, AreNamedByTheirLeastNumber) {
  Random random(5);
  for (int run = 0; run < 50; ++run) {
    constexpr std::size_t kCount = 40;
    DisjointSets sets(kCount);
    std::vector<std::size_t> label(kCount);
    for (std::size_t i = 0; i < kCount; ++i) label[i] = i;
    for (int join = 0; join < 30; ++join) {
      const std::size_t a = random.below(kCount), b = random.below(kCount);
      const std::size_t from = std::max(label[a], label[b]), to = std::min(label[a], label[b]);
      std::replace(label.begin(), label.end(), from, to);
      sets.join(a, b);
      for (std::size_t i = 0; i < kCount; ++i) ASSERT_EQ(sets.least_of(i), label[i]);
    }
  }
}

}  // namespace
}  // namespace tactus::detail
