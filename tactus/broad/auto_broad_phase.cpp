#include "tactus/broad.hpp"

namespace tactus {
namespace {

/// So few boxes are swept: sorting them costs less than any structure.
constexpr std::size_t kFew = 32;
/// The tree takes over when the grid compared more boxes than this per box and per pair.
constexpr std::uint64_t kTestsPerBox = 96, kTestsPerPair = 8;
/// Calls after which the grid is tried again: the boxes may have changed.
constexpr int kCallsToTree = 500;

}  // namespace

AutoBroadPhase::AutoBroadPhase(int max_threads) : grid_(max_threads), tree_(max_threads) {}

void AutoBroadPhase::find_pairs(std::span<const BroadEntry> entries, std::vector<BroadPair>& out,
                                std::size_t most) {
  if (entries.size() <= kFew) {
    chosen_ = "sweep";
    sweep_.find_pairs(entries, out, most);
    return;
  }
  if (calls_to_grid_ > 0) {
    --calls_to_grid_;
    chosen_ = "tree";
    tree_.find_pairs(entries, out, most);
    return;
  }
  chosen_ = "grid";
  grid_.find_pairs(entries, out, most);
  if (grid_.tests() > kTestsPerBox * entries.size() + kTestsPerPair * out.size())
    calls_to_grid_ = kCallsToTree;
}

}  // namespace tactus
