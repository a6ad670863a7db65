#include "tactus/broad/pair_order.hpp"

#include <algorithm>
#include <numeric>
#include <string>

namespace tactus::detail {
namespace {

/// Longer lists of one entry are sorted by the library's sort.
constexpr std::uint32_t kFew = 24;

}  // namespace

void throw_too_many(std::size_t most, std::size_t entries) {
  throw InvalidInput("entries", "more than " + std::to_string(most) + " pairs among " +
                                    std::to_string(entries) + " boxes overlap");
}

void PairOrder::update(std::span<const BroadEntry> entries) {
  bool same = entries.size() == ids_.size(), ascending = true;
  ids_.resize(entries.size());
  for (std::size_t i = 0; i < entries.size(); ++i) {
    same = same && ids_[i] == entries[i].id;
    ascending = ascending && (i == 0 || entries[i - 1].id < entries[i].id);
    ids_[i] = entries[i].id;
  }
  if (same) return;
  rank_.clear();
  sorted_.clear();
  if (ascending) return;
  std::vector<std::uint32_t> order(entries.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t a, std::uint32_t b) { return ids_[a] < ids_[b]; });
  rank_.resize(entries.size());
  sorted_.resize(entries.size());
  for (std::uint32_t rank = 0; rank < order.size(); ++rank) {
    rank_[order[rank]] = rank;
    sorted_[rank] = ids_[order[rank]];
  }
}

void PairOrder::sort_uppers(std::uint32_t begin, std::uint32_t end) {
  if (end - begin > kFew) {
    std::sort(upper_.begin() + begin, upper_.begin() + end);
    return;
  }
  for (std::uint32_t i = begin + 1; i < end; ++i) {
    const std::uint32_t value = upper_[i];
    std::uint32_t hole = i;
    for (; hole > begin && upper_[hole - 1] > value; --hole) upper_[hole] = upper_[hole - 1];
    upper_[hole] = value;
  }
}

void PairOrder::write(std::span<const std::vector<SlotPair>> lists, std::vector<BroadPair>& out) {
  const auto rank = [&](std::uint32_t slot) { return rank_.empty() ? slot : rank_[slot]; };
  // Counts, then ends of the entries' ranges; filling from behind turns these into their starts.
  first_.assign(ids_.size() + 1, 0);
  std::size_t total = 0;
  for (const std::vector<SlotPair>& list : lists) {
    total += list.size();
    for (const SlotPair& pair : list) ++first_[std::min(rank(pair.a), rank(pair.b))];
  }
  std::uint32_t sum = 0;
  for (std::uint32_t& entry : first_) entry = sum += entry;
  upper_.resize(total);
  for (const std::vector<SlotPair>& list : lists) {
    for (const SlotPair& pair : list) {
      const std::uint32_t a = rank(pair.a), b = rank(pair.b);
      upper_[--first_[std::min(a, b)]] = std::max(a, b);
    }
  }
  out.resize(total);
  const std::uint64_t* const ids = rank_.empty() ? ids_.data() : sorted_.data();
  for (std::size_t low = 0; low < ids_.size(); ++low) {
    const std::uint32_t begin = first_[low], end = first_[low + 1];
    if (begin == end) continue;
    sort_uppers(begin, end);
    for (std::uint32_t i = begin; i < end; ++i) out[i] = {ids[low], ids[upper_[i]]};
  }
}

}  // namespace tactus::detail
