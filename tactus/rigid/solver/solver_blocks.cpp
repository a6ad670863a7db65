#include "tactus/rigid/solver/solver_blocks.hpp"

#include <algorithm>
#include <numeric>

namespace tactus::detail {
namespace {

/// Turns of a lattice of columns, by whether the column is odd along x and along y: from each to
/// the next one of them changes.
constexpr std::uint32_t kTurns = 4;
constexpr std::uint32_t kTurnOf[2][2] = {{0, 3}, {1, 2}};
/// No moving body has a patch before the one of a lattice, or after the other.
constexpr std::uint32_t kFirstTurn = 0, kLastTurn = kTurns - 1;
/// Patches that fill the lanes of a sweep: a part takes as many blocks as hold so many, if there
/// are enough for all threads. (More gained nothing.) Fewer patches for each thread make one part.
constexpr std::size_t kPatchesOfPart = 1024;
/// Parts of a turn at most: each has a number for every body.
constexpr std::size_t kMostParts = 32;
/// Grain size (patches) of the loop that places them.
constexpr std::size_t kSeenTogether = 512;
/// Bits of a digit by which patches are sorted.
constexpr int kDigitBits = 10;
constexpr std::size_t kDigits = std::size_t{1} << kDigitBits;

}  // namespace

/// In the first lattice where it reaches into the next columns at most.
SolverBlocks::Place SolverBlocks::place_of(const ContactPatch& patch,
                                           std::span<const SolverBody> bodies,
                                           const Columns& columns) {
  const bool moves_a = bodies[patch.body_a].inverse_mass > 0.0;
  const bool moves_b = bodies[patch.body_b].inverse_mass > 0.0;
  const Columns::Column b = columns.of_image(patch.body_b, patch.shift);
  const Columns::Column a = moves_a ? columns.of(patch.body_a) : b;
  const auto [low, doublings] = columns.lower(a, moves_b ? b : a);
  return {static_cast<std::uint32_t>(doublings) * kTurns + kTurnOf[low.x & 1][low.y & 1], low};
}

/// Radix sort, stable, of the patches by a number of each; `greatest` is the largest of them.
template <class Number>
void SolverBlocks::sort_by(std::uint64_t greatest, const Number& number) {
  spare_.resize(order_.size());
  for (int shift = 0; shift < 64 && greatest >> shift != 0; shift += kDigitBits) {
    const auto digit = [&](std::uint32_t patch) {
      return static_cast<std::size_t>(number(places_[patch]) >> shift) % kDigits;
    };
    bins_.assign(kDigits + 1, 0);
    for (const std::uint32_t patch : order_) ++bins_[digit(patch) + 1];
    for (std::size_t i = 1; i < bins_.size(); ++i) bins_[i] += bins_[i - 1];
    for (const std::uint32_t patch : order_) spare_[bins_[digit(patch)]++] = patch;
    order_.swap(spare_);
  }
}

void SolverBlocks::sort() {
  order_.resize(places_.size());
  std::iota(order_.begin(), order_.end(), 0U);
  if (places_.empty()) return;
  Columns::Column low = places_.front().column, high = low;
  std::uint32_t last_turn = 0;
  for (const Place& place : places_) {
    low = {std::min(low.x, place.column.x), std::min(low.y, place.column.y)};
    high = {std::max(high.x, place.column.x), std::max(high.y, place.column.y)};
    last_turn = std::max(last_turn, place.turn);
  }
  const auto above = [](std::int64_t number, std::int64_t least) {
    return static_cast<std::uint64_t>(number - least);
  };
  sort_by(above(high.y, low.y), [&](const Place& p) { return above(p.column.y, low.y); });
  sort_by(above(high.x, low.x), [&](const Place& p) { return above(p.column.x, low.x); });
  sort_by(last_turn, [](const Place& p) { return std::uint64_t{p.turn}; });
}

std::vector<std::span<const std::uint32_t>> SolverBlocks::turns(std::size_t part) const {
  std::vector<std::span<const std::uint32_t>> result;
  const std::span<const std::uint32_t> all = patches(part);
  for (std::size_t first = 0, past = 0; first < all.size(); first = past) {
    while (past < all.size() && places_[all[past]].turn == places_[all[first]].turn) ++past;
    result.push_back(all.subspan(first, past - first));
  }
  return result;
}

/// One part of all turns, or parts of each: those in which bodies begin and end have one even
/// without patches.
void SolverBlocks::cut_parts(bool by_turns, int max_threads) {
  const std::size_t threads = most_threads(max_threads);
  const auto turn = [&](std::uint32_t patch) { return places_[patch].turn; };
  const auto same_block = [&](std::size_t i, std::size_t j) {
    const Columns::Column &x = places_[order_[i]].column, &y = places_[order_[j]].column;
    return x.x == y.x && x.y == y.y;
  };
  near_ = static_cast<std::size_t>(
      std::partition_point(order_.begin(), order_.end(),
                           [&](std::uint32_t patch) { return turn(patch) < kTurns; }) -
      order_.begin());
  turns_of_phases_.clear();
  if (!by_turns && order_.size() * threads <= kPatchesOfPart) {
    parts_.assign(1, {{0, order_.size()}, {}, {}});
    phases_.assign(1, {0, 1});
    last_phase_ = 0;
    return;
  }
  parts_.clear();
  phases_.clear();
  std::size_t first = 0;
  for (std::uint32_t now = 0; now < kTurns || first < order_.size(); ++now) {
    std::size_t end = first;
    while (end < order_.size() && turn(order_[end]) == now) ++end;
    if (first == end && now != kFirstTurn && now != kLastTurn) continue;
    const std::size_t all = end - first;
    const std::size_t share =
        std::max({std::min(kPatchesOfPart, all / threads), all / kMostParts, std::size_t{1}});
    if (now == kLastTurn) last_phase_ = phases_.size();
    phases_.push_back({parts_.size(), 0});
    turns_of_phases_.push_back(now);
    do {
      std::size_t past = std::min(first + share, end);
      while (past < end && same_block(past - 1, past)) ++past;
      parts_.push_back({{first, past}, {}, {}});
      first = past;
    } while (first < end);
    phases_.back().last = parts_.size();
  }
}

/// Where a part of the first or of the last turn follows on another.
void SolverBlocks::cut_slabs() {
  const auto first_key = [&](std::size_t part) {
    return key(places_[order_[parts_[part].patches.first]].column);
  };
  const std::pair<Range, Range Part::*> ways[] = {{phases_.front(), &Part::begun},
                                                  {phases_[last_phase_], &Part::ended}};
  cuts_.clear();
  for (const auto& [phase, slabs] : ways)
    for (std::size_t part = phase.first + 1; part < phase.last; ++part)
      cuts_.push_back(first_key(part));
  std::sort(cuts_.begin(), cuts_.end());
  cuts_.erase(std::unique(cuts_.begin(), cuts_.end()), cuts_.end());
  for (const auto& [phase, slabs] : ways) {
    std::size_t first = 0;
    for (std::size_t part = phase.first; part < phase.last; ++part) {
      const std::size_t past =
          part + 1 < phase.last ? slab_of(first_key(part + 1)) : cuts_.size() + 1;
      parts_[part].*slabs = {first, past};
      first = past;
    }
  }
}

std::size_t SolverBlocks::slab_of(const Key& key) const {
  return static_cast<std::size_t>(std::upper_bound(cuts_.begin(), cuts_.end(), key) -
                                  cuts_.begin());
}

std::size_t SolverBlocks::slab(const Columns& columns, std::uint32_t body) const {
  const Columns::Column column = columns.wrapped(columns.of(body), 0);
  return columns.is_periodic_along_y() && column.y == 0 ? slabs() : slab_of(key(column));
}

void SolverBlocks::arrange(std::span<const ContactPatch> patches,
                           std::span<const SolverBody> bodies, const Columns& columns,
                           int max_threads, bool by_turns) {
  places_.resize(patches.size());
  parallel_for(
      patches.size(), kSeenTogether,
      [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
          places_[i] = place_of(patches[i], bodies, columns);
      },
      max_threads);
  sort();
  cut_parts(by_turns, max_threads);
  cut_slabs();
}

}  // namespace tactus::detail
