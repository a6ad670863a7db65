#include <algorithm>
#include <cmath>
#include <queue>

#include "tactus/broad/pair_order.hpp"
#include "tactus/broad/slab.hpp"
#include "tactus/core/constants.hpp"

namespace tactus {
using namespace detail;
namespace {

/// Children of a node, boxes of a leaf.
constexpr std::size_t kWidth = 4;
/// The tree is built anew when the sides of its leaves have grown by this factor altogether.
constexpr double kGrown = 1.25;
/// Leaves per chunk of the search, and from how many boxes on threads are worth their start.
constexpr std::size_t kGrain = 512, kParallel = 4096;
constexpr std::size_t kPortion = 4096;
/// Levels of four for 2^32 boxes; three nodes wait on each.
constexpr std::size_t kMostWaiting = 64;

struct Item {
  Aabb box;
  std::uint64_t id;
  std::uint32_t slot;
};
/// A box of the tree: level 0 holds the leaves.
struct Node {
  std::uint32_t level, index;
};

/// Every third bit of 21.
std::uint64_t spread_bits(std::uint64_t x) {
  x = (x | x << 32u) & 0x1f00000000ffffu;
  x = (x | x << 16u) & 0x1f0000ff0000ffu;
  x = (x | x << 8u) & 0x100f00f00f00f00fu;
  x = (x | x << 4u) & 0x10c30c30c30c30c3u;
  x = (x | x << 2u) & 0x1249249249249249u;
  return x;
}

Vec3 center_of(const Aabb& box) { return box.lower * 0.5 + box.upper * 0.5; }

double sides_of(const Aabb& box) {
  const Vec3 sides = box.upper - box.lower;
  return sides.x + sides.y + sides.z;
}

bool is_bounded(const Aabb& box) { return is_finite(box.lower) && is_finite(box.upper); }

/// Sorts by codes, digit by digit; digits that are the same everywhere are skipped.
void sort_by_code(std::vector<std::pair<std::uint64_t, std::uint32_t>>& list) {
  constexpr unsigned kDigit = 11;
  constexpr std::size_t kValues = std::size_t{1} << kDigit;
  if (list.size() < kValues / 4) {
    std::sort(list.begin(), list.end());
    return;
  }
  std::vector<std::pair<std::uint64_t, std::uint32_t>> other(list.size());
  std::vector<std::uint32_t> place(kValues);
  for (unsigned shift = 0; shift < 63; shift += kDigit) {
    place.assign(kValues, 0);
    for (const auto& entry : list) ++place[(entry.first >> shift) & (kValues - 1)];
    if (place[(list[0].first >> shift) & (kValues - 1)] == list.size()) continue;
    std::uint32_t sum = 0;
    for (std::uint32_t& p : place) {
      const std::uint32_t count = p;
      p = sum;
      sum += count;
    }
    for (const auto& entry : list) other[place[(entry.first >> shift) & (kValues - 1)]++] = entry;
    list.swap(other);
  }
}

}  // namespace

struct DynamicTree::Data {
  int max_threads = 0;
  std::vector<Item> items;      ///< bounded, in the tree's order
  std::vector<Item> unbounded;  ///< in the caller's order
  std::vector<std::vector<Aabb>> levels;
  double built_sides = 0.0;
  std::vector<std::vector<SlotPair>> lists;
  PairOrder order;

  bool follow(std::span<const BroadEntry> entries);
  void build(std::span<const BroadEntry> entries);
  void raise();
  double leaf_sides() const;
  template <class Take>
  void find(const Aabb& box, std::size_t first_leaf, const Take& take) const;
  void search(std::size_t leaf, std::vector<SlotPair>& list) const;
};

/// Takes over the new boxes in the old order; false when the entries are others.
bool DynamicTree::Data::follow(std::span<const BroadEntry> entries) {
  if (items.size() + unbounded.size() != entries.size()) return false;
  const auto update = [&](std::vector<Item>& list, bool bounded) {
    for (Item& item : list) {
      const BroadEntry& entry = entries[item.slot];
      if (entry.id != item.id || is_bounded(entry.box) != bounded) return false;
      item.box = entry.box;
    }
    return true;
  };
  return update(items, true) && update(unbounded, false);
}

void DynamicTree::Data::build(std::span<const BroadEntry> entries) {
  items.clear();
  unbounded.clear();
  Vec3 low{kInfinity, kInfinity, kInfinity}, high = -low;
  for (const BroadEntry& entry : entries) {
    if (!is_bounded(entry.box)) continue;
    low = component_min(low, center_of(entry.box));
    high = component_max(high, center_of(entry.box));
  }
  // One scale for all axes: a cell of the curve is a cube.
  constexpr double kCells = 2097151.0;
  const double longest = max_abs(high * 0.5 - low * 0.5);
  std::vector<std::pair<std::uint64_t, std::uint32_t>> codes;
  for (std::uint32_t slot = 0; slot < entries.size(); ++slot) {
    const BroadEntry& entry = entries[slot];
    if (!is_bounded(entry.box)) {
      unbounded.push_back({entry.box, entry.id, slot});
      continue;
    }
    const Vec3 from_low = center_of(entry.box) * 0.5 - low * 0.5;
    std::uint64_t code = 0;
    for (int axis = 0; axis < 3; ++axis) {
      const double part = longest > 0.0 ? from_low[axis] / longest : 0.0;
      const double cell = std::min(std::max(part, 0.0), 1.0) * kCells;
      code |= spread_bits(static_cast<std::uint64_t>(cell)) << static_cast<unsigned>(axis);
    }
    codes.emplace_back(code, slot);
  }
  sort_by_code(codes);
  items.reserve(codes.size());
  for (const auto& [code, slot] : codes)
    items.push_back({entries[slot].box, entries[slot].id, slot});
}

/// Boxes of the nodes from the leaves to the root.
void DynamicTree::Data::raise() {
  std::size_t count = items.size(), depth = 0;
  const auto enclose = [&](std::size_t below, const auto& box_of) {
    if (levels.size() == depth) levels.emplace_back();
    std::vector<Aabb>& level = levels[depth++];
    level.resize((below + kWidth - 1) / kWidth);
    for (std::size_t k = 0; k < level.size(); ++k) {
      Aabb box = box_of(k * kWidth);
      const std::size_t end = std::min((k + 1) * kWidth, below);
      for (std::size_t i = k * kWidth + 1; i < end; ++i) box = merge(box, box_of(i));
      level[k] = box;
    }
    count = level.size();
  };
  if (count > 0) enclose(count, [&](std::size_t i) -> const Aabb& { return items[i].box; });
  while (count > 1) {
    const std::size_t below = depth - 1;
    // The list of levels may grow: each is found by its number.
    enclose(count, [&](std::size_t i) -> const Aabb& { return levels[below][i]; });
  }
  levels.resize(depth);
}

double DynamicTree::Data::leaf_sides() const {
  double sum = 0.0;
  if (!levels.empty()) {
    for (const Aabb& box : levels[0]) sum += sides_of(box);
  }
  return sum;
}

/// Calls `take` for the items in leaves from `first_leaf` on whose leaf shares a point with `box`.
template <class Take>
void DynamicTree::Data::find(const Aabb& box, std::size_t first_leaf, const Take& take) const {
  if (levels.empty() || first_leaf >= levels[0].size() || !overlaps(levels.back()[0], box)) return;
  Node waiting[kMostWaiting];
  std::size_t count = 0;
  waiting[count++] = {static_cast<std::uint32_t>(levels.size() - 1), 0};
  while (count > 0) {
    const Node node = waiting[--count];
    const std::size_t begin = node.index * kWidth;
    if (node.level == 0) {
      const std::size_t end = std::min(begin + kWidth, items.size());
      for (std::size_t i = begin; i < end; ++i) take(items[i]);
      continue;
    }
    const std::vector<Aabb>& below = levels[node.level - 1];
    const std::size_t end = std::min(begin + kWidth, below.size());
    // The number of leaves under a child is a power of four.
    const unsigned leaves = 2 * (node.level - 1);
    for (std::size_t k = end; k-- > begin;) {
      if (((k + 1) << leaves) <= first_leaf || !overlaps(below[k], box)) continue;
      waiting[count++] = {node.level - 1, static_cast<std::uint32_t>(k)};
    }
  }
}

/// Pairs within a leaf, and of its boxes with those of leaves behind it.
void DynamicTree::Data::search(std::size_t leaf, std::vector<SlotPair>& list) const {
  const std::size_t begin = leaf * kWidth, end = std::min(begin + kWidth, items.size());
  const auto compare = [&](const Item& a, const Item& b) {
    if (overlaps(a.box, b.box)) list.push_back({a.slot, b.slot});
  };
  for (std::size_t i = begin; i < end; ++i) {
    for (std::size_t j = i + 1; j < end; ++j) compare(items[i], items[j]);
    for (const Item& other : unbounded) compare(items[i], other);
  }
  find(levels[0][leaf], leaf + 1, [&](const Item& other) {
    for (std::size_t i = begin; i < end; ++i) compare(items[i], other);
  });
}

DynamicTree::DynamicTree(int max_threads) : data_(std::make_unique<Data>()) {
  data_->max_threads = max_threads;
}
DynamicTree::~DynamicTree() = default;
DynamicTree::DynamicTree(DynamicTree&&) noexcept = default;
DynamicTree& DynamicTree::operator=(DynamicTree&&) noexcept = default;

void DynamicTree::update(std::span<const BroadEntry> entries) {
  Data& d = *data_;
  if (d.follow(entries)) {
    d.raise();
    // Written so that sums that are not finite build anew.
    if (d.leaf_sides() <= kGrown * d.built_sides) return;
  }
  d.build(entries);
  d.raise();
  d.built_sides = d.leaf_sides();
}

void DynamicTree::find_pairs(std::span<const BroadEntry> entries, std::vector<BroadPair>& out,
                             std::size_t most) {
  Data& d = *data_;
  out.clear();
  update(entries);
  d.order.update(entries);
  PairLimit limit(most);
  const std::size_t leaves = d.levels.empty() ? 0 : d.levels[0].size(),
                    chunks = (leaves + kGrain - 1) / kGrain;
  // The last list is for the pairs of unbounded boxes.
  d.lists.resize(chunks + 1);
  parallel_for(
      leaves, kGrain,
      [&](std::size_t begin, std::size_t end) {
        std::vector<SlotPair>& list = d.lists[begin / kGrain];
        list.clear();
        std::size_t reported = 0;
        for (std::size_t leaf = begin; leaf < end && !limit.exceeded(); ++leaf) {
          d.search(leaf, list);
          if (list.size() - reported < kPortion && leaf + 1 < end) continue;
          limit.add(list.size() - reported);
          reported = list.size();
        }
      },
      d.items.size() < kParallel ? 1 : d.max_threads);
  std::vector<SlotPair>& last = d.lists[chunks];
  last.clear();
  for (std::size_t i = 0; i < d.unbounded.size() && !limit.exceeded(); ++i) {
    const std::size_t before = last.size();
    for (std::size_t j = i + 1; j < d.unbounded.size(); ++j) {
      if (overlaps(d.unbounded[i].box, d.unbounded[j].box))
        last.push_back({d.unbounded[i].slot, d.unbounded[j].slot});
    }
    limit.add(last.size() - before);
  }
  if (limit.exceeded()) {
    d.lists.clear();
    throw_too_many(most, entries.size());
  }
  d.order.write(d.lists, out);
}

void DynamicTree::find_in(const Aabb& box, std::vector<std::uint64_t>& out) const {
  validate_box(box);
  out.clear();
  const auto take = [&](const Item& item) {
    if (overlaps(item.box, box)) out.push_back(item.id);
  };
  data_->find(box, 0, take);
  for (const Item& item : data_->unbounded) take(item);
  std::sort(out.begin(), out.end());
}

/// The nearest first; nodes before boxes at the same time, so that boxes of equal times come in the
/// order of their ids.
void DynamicTree::sweep(const Aabb& box, const Vec3& direction, double max_time,
                        const SweepVisitor& visit) const {
  const Data& d = *data_;
  const Slab slab(box, direction, max_time);
  struct Met {
    double time;
    bool is_box;
    std::uint64_t id;  ///< of the box; of a node, level and index
    bool operator<(const Met& other) const {
      if (time != other.time) return time > other.time;
      if (is_box != other.is_box) return is_box;
      return id > other.id;
    }
  };
  std::priority_queue<Met> queue;
  double reach = max_time;
  const auto offer = [&](const Aabb& other, bool is_box, std::uint64_t id) {
    double time = 0.0;
    if (slab.enters(other, time) && time <= reach) queue.push({time, is_box, id});
  };
  for (const Item& item : d.unbounded) offer(item.box, true, item.id);
  if (!d.levels.empty())
    offer(d.levels.back()[0], false, std::uint64_t{d.levels.size() - 1} << 32u);
  while (!queue.empty()) {
    const Met met = queue.top();
    queue.pop();
    if (!(met.time <= reach)) return;
    if (met.is_box) {
      reach = std::min(reach, visit(met.id, met.time));
      continue;
    }
    const std::size_t level = met.id >> 32u, begin = (met.id & 0xffffffffu) * kWidth;
    const std::size_t count = level == 0 ? d.items.size() : d.levels[level - 1].size();
    for (std::size_t k = begin; k < std::min(begin + kWidth, count); ++k) {
      if (level == 0) {
        offer(d.items[k].box, true, d.items[k].id);
      } else {
        offer(d.levels[level - 1][k], false, std::uint64_t{level - 1} << 32u | k);
      }
    }
  }
}

}  // namespace tactus
