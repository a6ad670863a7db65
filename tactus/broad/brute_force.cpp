#include <algorithm>

#include "tactus/broad.hpp"

namespace tactus {
using namespace detail;

void BruteForce::find_pairs(std::span<const BroadEntry> entries,
                            std::vector<BroadPair>& out) const {
  out.clear();
  for (std::size_t i = 0; i < entries.size(); ++i) {
    for (std::size_t j = i + 1; j < entries.size(); ++j) {
      if (!overlaps(entries[i].box, entries[j].box)) continue;
      const auto [low, high] = std::minmax(entries[i].id, entries[j].id);
      out.push_back({low, high});
    }
  }
  std::sort(out.begin(), out.end());
}

}  // namespace tactus
