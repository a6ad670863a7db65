#include <algorithm>
#include <array>

#include "tactus/broad/grid_levels.hpp"
#include "tactus/broad/pair_order.hpp"

namespace tactus {
using namespace detail;
namespace {

/// Boxes per chunk of the search, and from how many boxes on threads are worth their start.
constexpr std::size_t kGrain = 512, kParallel = 2048;
/// A dense grid serves while a box shares its cell with fewer others than this, on average.
constexpr double kCrowded = 12.0;
/// By how much finer the cells become in one attempt to spread a crowd, and the number of attempts.
constexpr double kFiner = 0.25;
constexpr int kAttempts = 24;
/// Found pairs are reported to the limit in portions of this.
constexpr std::size_t kPortion = 4096;

using Cell = std::array<std::int64_t, 3>;

/// A box in the order of cells.
struct Item {
  Aabb box;
  std::uint64_t key;  ///< of its cell, for hashed grids
  std::uint32_t slot;
};

/// Cells that are no farther from each other than 2^20 differ in it.
std::uint64_t key_of(const Cell& c) {
  constexpr std::uint64_t kBits = (1u << 21u) - 1;
  return (static_cast<std::uint64_t>(c[0]) & kBits) |
         (static_cast<std::uint64_t>(c[1]) & kBits) << 21u |
         (static_cast<std::uint64_t>(c[2]) & kBits) << 42u;
}
std::uint32_t place_of(std::uint64_t key, const GridLevel& level) {
  const std::uint64_t mixed = key * 0x9e3779b97f4a7c15u;
  return static_cast<std::uint32_t>((mixed ^ (mixed >> 29u)) >> 20u) & level.mask;
}

/// Without branches: the six outcomes are hard to foresee, and cheap.
bool share_point(const Aabb& a, const Aabb& b) {
  return ((a.lower.x <= b.upper.x) & (b.lower.x <= a.upper.x) & (a.lower.y <= b.upper.y) &
          (b.lower.y <= a.upper.y) & (a.lower.z <= b.upper.z) & (b.lower.z <= a.upper.z)) != 0;
}

/// Pairs found by one chunk.
class Found {
 public:
  Found(std::vector<SlotPair>& list, PairLimit& limit) : list_(list), limit_(limit) {}
  Found(const Found&) = delete;
  Found& operator=(const Found&) = delete;
  ~Found() { list_.resize(size_); }

  /// Compares a box with items next to each other.
  void compare(const Item& item, const Item* begin, const Item* end) {
    const auto count = static_cast<std::size_t>(end - begin);
    if (list_.size() < size_ + count) list_.resize(2 * (size_ + count) + 256);
    SlotPair* out = list_.data() + size_;
    for (const Item* other = begin; other < end; ++other) {
      *out = {item.slot, other->slot};
      out += share_point(item.box, other->box) ? 1 : 0;
    }
    size_ = static_cast<std::size_t>(out - list_.data());
    tests += count;
  }
  void compare(const Item& item, const Item& other) { compare(item, &other, &other + 1); }
  /// Reports what was found; false when all together are too many.
  bool within_limit(std::size_t portion) {
    if (size_ - reported_ < portion) return true;
    const std::size_t fresh = size_ - reported_;
    reported_ = size_;
    return limit_.add(fresh);
  }
  std::uint64_t tests = 0;

 private:
  std::vector<SlotPair>& list_;
  PairLimit& limit_;
  std::size_t size_ = 0, reported_ = 0;
};

}  // namespace

struct HashGrid::Data {
  int max_threads = 0;
  BoxSurvey survey;
  std::vector<GridLevel> levels;
  std::array<std::uint8_t, BoxSurvey::kExponents> level_of;
  std::vector<std::uint32_t> place;  ///< of each entry, in all grids' places
  std::vector<std::uint32_t> first;  ///< item of each place
  std::vector<Item> items;           ///< grid by grid, place by place
  std::vector<Item> unbounded;
  std::vector<std::vector<SlotPair>> lists;
  std::vector<std::uint64_t> tests;
  PairOrder order;

  void enter(std::span<const BroadEntry> entries);
  void enter_places(std::span<const BroadEntry> entries);
  bool refine();
  double crowd(const GridLevel& level) const;
  void own_dense(const GridLevel& level, std::uint32_t i, Found& found) const;
  void own_hashed(const GridLevel& level, std::uint32_t i, Found& found) const;
  void other_dense(const GridLevel& level, const Item& item, Found& found) const;
  void other_hashed(const GridLevel& level, const Item& item, Found& found) const;
  void search(std::size_t begin, std::size_t end, Found& found) const;
};

/// How many others a box shares its place with, on average; before `first` is summed up.
double HashGrid::Data::crowd(const GridLevel& level) const {
  double sum = 0.0;
  for (std::uint32_t p = level.base; p < level.base + level.places; ++p)
    sum += static_cast<double>(first[p]) * first[p];
  return sum / level.count;
}

/// Places of all boxes, and their counts.
void HashGrid::Data::enter_places(std::span<const BroadEntry> entries) {
  std::uint32_t base = 0, begin = 0;
  for (GridLevel& level : levels) {
    level.base = base;
    base += level.places;
    level.begin = begin;
    begin += level.count;
    level.end = begin;
  }
  first.assign(std::size_t{base} + 1, 0);
  place.resize(entries.size());
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const std::uint16_t exponent = survey.exponent[i];
    if (exponent == BoxSurvey::kUnbounded) continue;
    const GridLevel& level = levels[level_of[exponent]];
    const Vec3& corner = entries[i].box.lower;
    const Cell c{level.cell(corner.x, 0), level.cell(corner.y, 1), level.cell(corner.z, 2)};
    const std::uint32_t p =
        level.base +
        (level.hashed
             ? place_of(key_of(c), level)
             : static_cast<std::uint32_t>((c[2] * level.cells[1] + c[1]) * level.cells[0] + c[0]));
    place[i] = p;
    ++first[p];
  }
}

/// Makes the cells of crowded grids finer; false when there was nothing to do.
bool HashGrid::Data::refine() {
  bool refined = false;
  for (GridLevel& level : levels) {
    const double side = level.least_side(kFiner * level.side);
    // Cells that are hardly wider than need be stay.
    if (side > 0.7 * level.side || crowd(level) <= kCrowded) continue;
    level.hash(side);
    refined = true;
  }
  return refined;
}

void HashGrid::Data::enter(std::span<const BroadEntry> entries) {
  survey.take(entries);
  levels = choose_levels(survey);
  for (std::size_t k = 0; k < levels.size(); ++k) {
    for (std::uint32_t e = levels[k].first_exponent; e <= levels[k].last_exponent; ++e)
      level_of[e] = static_cast<std::uint8_t>(k);
  }
  enter_places(entries);
  for (int attempt = 0; attempt < kAttempts && refine(); ++attempt) enter_places(entries);
  std::uint32_t sum = 0;
  for (std::uint32_t& entry : first) entry = sum += entry;
  items.resize(survey.bounded);
  unbounded.clear();
  // From behind, so that equal places keep the order of the entries.
  for (std::size_t i = entries.size(); i-- > 0;) {
    const auto slot = static_cast<std::uint32_t>(i);
    const std::uint16_t exponent = survey.exponent[i];
    if (exponent == BoxSurvey::kUnbounded) {
      unbounded.push_back({entries[i].box, 0, slot});
      continue;
    }
    const GridLevel& level = levels[level_of[exponent]];
    Item& item = items[--first[place[i]]];
    item.box = entries[i].box;
    item.slot = slot;
    if (level.hashed)
      item.key = key_of({level.cell(item.box.lower.x, 0), level.cell(item.box.lower.y, 1),
                         level.cell(item.box.lower.z, 2)});
  }
}

/// Compares box i with those that follow it in the order of cells: the rest of its own row, then
/// the rows ahead.
void HashGrid::Data::own_dense(const GridLevel& level, std::uint32_t i, Found& found) const {
  const Item& item = items[i];
  const Aabb& box = item.box;
  const double reach = level.reach;
  const std::int64_t x0 = level.cell(box.lower.x - reach, 0), x1 = level.cell(box.upper.x, 0),
                     y0 = level.cell(box.lower.y - reach, 1), y = level.cell(box.lower.y, 1),
                     y1 = level.cell(box.upper.y, 1), z = level.cell(box.lower.z, 2),
                     z1 = level.cell(box.upper.z, 2);
  const std::uint32_t* const row_first = first.data() + level.base;
  const Item* const all = items.data();
  const std::int64_t nx = level.cells[0], ny = level.cells[1];
  found.compare(item, all + i + 1, all + row_first[(z * ny + y) * nx + x1 + 1]);
  for (std::int64_t iz = z; iz <= z1; ++iz) {
    for (std::int64_t iy = iz == z ? y + 1 : y0; iy <= y1; ++iy) {
      const std::uint32_t* const row = row_first + (iz * ny + iy) * nx;
      found.compare(item, all + row[x0], all + row[x1 + 1]);
    }
  }
}

void HashGrid::Data::other_dense(const GridLevel& level, const Item& item, Found& found) const {
  const Aabb& box = item.box;
  const double reach = level.reach;
  const std::int64_t x0 = level.cell(box.lower.x - reach, 0), x1 = level.cell(box.upper.x, 0),
                     y0 = level.cell(box.lower.y - reach, 1), y1 = level.cell(box.upper.y, 1),
                     z0 = level.cell(box.lower.z - reach, 2), z1 = level.cell(box.upper.z, 2);
  const Item* const all = items.data();
  for (std::int64_t iz = z0; iz <= z1; ++iz) {
    for (std::int64_t iy = y0; iy <= y1; ++iy) {
      const std::uint32_t* const row =
          first.data() + level.base + (iz * level.cells[1] + iy) * level.cells[0];
      found.compare(item, all + row[x0], all + row[x1 + 1]);
    }
  }
}

/// Calls `visit(begin, end, key)` for the places of all cells that hold boxes which can reach
/// `box`.
template <class Visit>
void for_each_cell(const GridLevel& level, const std::vector<std::uint32_t>& first, const Aabb& box,
                   const Visit& visit) {
  const double reach = level.reach;
  Cell low, high;
  for (int axis = 0; axis < 3; ++axis) {
    low[static_cast<std::size_t>(axis)] = level.cell(box.lower[axis] - reach, axis);
    high[static_cast<std::size_t>(axis)] = level.cell(box.upper[axis], axis);
  }
  for (std::int64_t z = low[2]; z <= high[2]; ++z) {
    for (std::int64_t y = low[1]; y <= high[1]; ++y) {
      for (std::int64_t x = low[0]; x <= high[0]; ++x) {
        const std::uint64_t key = key_of({x, y, z});
        const std::size_t place = std::size_t{level.base} + place_of(key, level);
        visit(first[place], first[place + 1], key);
      }
    }
  }
}

void HashGrid::Data::own_hashed(const GridLevel& level, std::uint32_t i, Found& found) const {
  const Item& item = items[i];
  for_each_cell(level, first, item.box,
                [&](std::uint32_t begin, std::uint32_t end, std::uint64_t key) {
                  for (std::uint32_t j = std::max(begin, i + 1); j < end; ++j) {
                    if (items[j].key == key) found.compare(item, items[j]);
                  }
                });
}

void HashGrid::Data::other_hashed(const GridLevel& level, const Item& item, Found& found) const {
  for_each_cell(level, first, item.box,
                [&](std::uint32_t begin, std::uint32_t end, std::uint64_t key) {
                  for (std::uint32_t j = begin; j < end; ++j) {
                    if (items[j].key == key) found.compare(item, items[j]);
                  }
                });
}

void HashGrid::Data::search(std::size_t begin, std::size_t end, Found& found) const {
  for (std::size_t k = 0; k < levels.size(); ++k) {
    const GridLevel& own = levels[k];
    const auto from = static_cast<std::uint32_t>(std::max<std::size_t>(begin, own.begin)),
               to = static_cast<std::uint32_t>(std::min<std::size_t>(end, own.end));
    for (std::uint32_t i = from; i < to; ++i) {
      if (own.hashed) {
        own_hashed(own, i, found);
      } else {
        own_dense(own, i, found);
      }
      for (std::size_t other = k + 1; other < levels.size(); ++other) {
        if (levels[other].hashed) {
          other_hashed(levels[other], items[i], found);
        } else {
          other_dense(levels[other], items[i], found);
        }
      }
      found.compare(items[i], unbounded.data(), unbounded.data() + unbounded.size());
      if (!found.within_limit(kPortion)) return;
    }
  }
}

HashGrid::HashGrid(int max_threads) : data_(std::make_unique<Data>()) {
  data_->max_threads = max_threads;
}
HashGrid::~HashGrid() = default;
HashGrid::HashGrid(HashGrid&&) noexcept = default;
HashGrid& HashGrid::operator=(HashGrid&&) noexcept = default;

void HashGrid::find_pairs(std::span<const BroadEntry> entries, std::vector<BroadPair>& out,
                          std::size_t most) {
  Data& d = *data_;
  out.clear();
  d.enter(entries);
  d.order.update(entries);
  PairLimit limit(most);
  const std::size_t chunks = (d.items.size() + kGrain - 1) / kGrain;
  // The last list is for the pairs of unbounded boxes.
  d.lists.resize(chunks + 1);
  d.tests.assign(chunks + 1, 0);
  parallel_for(
      d.items.size(), kGrain,
      [&](std::size_t begin, std::size_t end) {
        if (limit.exceeded()) return;
        Found found(d.lists[begin / kGrain], limit);
        d.search(begin, end, found);
        found.within_limit(1);
        d.tests[begin / kGrain] = found.tests;
      },
      d.items.size() < kParallel ? 1 : d.max_threads);
  {
    Found found(d.lists[chunks], limit);
    const Item* const all = d.unbounded.data();
    for (std::size_t i = 0; i < d.unbounded.size() && !limit.exceeded(); ++i) {
      found.compare(all[i], all + i + 1, all + d.unbounded.size());
      found.within_limit(1);
    }
    d.tests[chunks] = found.tests;
  }
  if (limit.exceeded()) {
    d.lists.clear();
    throw_too_many(most, entries.size());
  }
  d.order.write(d.lists, out);
}

std::uint64_t HashGrid::tests() const {
  std::uint64_t sum = 0;
  for (const std::uint64_t count : data_->tests) sum += count;
  return sum;
}

}  // namespace tactus
