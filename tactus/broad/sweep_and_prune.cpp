#include <algorithm>
#include <array>
#include <cmath>

#include "tactus/broad/pair_order.hpp"
#include "tactus/broad/sweep_observer.hpp"
#include "tactus/core/cancellation.hpp"

namespace tactus {
using namespace detail;
namespace {

/// Another axis is taken when the centres' variance along it is larger by this factor: resorting
/// costs more than a few superfluous tests.
constexpr double kAxisGain = 1.5;
/// Insertion sort gives up after this many moves per item: the motion was not coherent, a full sort
/// is cheaper.
constexpr std::size_t kMovesPerItem = 32;

bool bounded_along(const Aabb& box, int axis) {
  return std::isfinite(box.lower[axis]) && std::isfinite(box.upper[axis]);
}

struct AxisChoice {
  std::array<double, 3> variance;  ///< of the centres of bounded boxes, along each axis
  int best;
};
/// Axis of the largest variance, `current` unless another is clearly better.
AxisChoice choose_axis(std::span<const BroadEntry> entries, int current) {
  std::array<double, 3> variance;
  for (int axis = 0; axis < 3; ++axis) {
    double count = 0.0, mean = 0.0, sum = 0.0;
    for (const BroadEntry& entry : entries) {
      if (!bounded_along(entry.box, axis)) continue;
      const double center = 0.5 * entry.box.lower[axis] + 0.5 * entry.box.upper[axis];
      count += 1.0;
      const double step = center - mean;
      mean += step / count;
      sum += step * (center - mean);
    }
    variance[static_cast<std::size_t>(axis)] = count > 0.0 ? sum / count : 0.0;
  }
  auto best = static_cast<std::size_t>(current);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (variance[axis] > kAxisGain * variance[static_cast<std::size_t>(current)] &&
        variance[axis] > variance[best])
      best = axis;
  }
  return {variance, static_cast<int>(best)};
}

/// In place of an observer where nobody observes.
struct Unwatched {
  void axis(int, const std::array<double, 3>&, bool) {}
  void moved(std::uint64_t, std::size_t, std::size_t) {}
  template <class Items>
  void sorted(const Items&) {}
  void reached(std::uint64_t) {}
  void compared(std::uint64_t, std::uint64_t, bool) {}
  void passed(std::uint64_t, std::uint64_t) {}
};

/// Tells an observer.
struct Watched {
  SweepObserver& observer;
  void axis(int chosen, const std::array<double, 3>& variance, bool kept) {
    observer.axis(chosen, variance, kept);
  }
  void moved(std::uint64_t id, std::size_t from, std::size_t to) { observer.moved(id, from, to); }
  template <class Items>
  void sorted(const Items& items) {
    std::vector<std::uint64_t> ids;
    ids.reserve(items.size());
    for (const auto& item : items) ids.push_back(item.id);
    observer.sorted(ids);
  }
  void reached(std::uint64_t id) { observer.reached(id); }
  void compared(std::uint64_t id, std::uint64_t other, bool meet) {
    observer.compared(id, other, meet);
  }
  void passed(std::uint64_t id, std::uint64_t other) { observer.passed(id, other); }
};

/// The state of a sweep between its calls, and what it does. `Item` has an id, the slot of its
/// entry, and a box.
template <class Item, class Watch>
class Sweep {
 public:
  Sweep(int& axis, std::vector<Item>& sorted, std::vector<Item>& unbounded, Watch& watch)
      : axis_(axis), sorted_(sorted), unbounded_(unbounded), watch_(watch) {}

  void find_pairs(std::span<const BroadEntry> entries, std::vector<BroadPair>& out,
                  std::size_t most) {
    const AxisChoice choice = choose_axis(entries, axis_);
    const bool kept = choice.best == axis_ && refresh(entries);
    axis_ = choice.best;
    watch_.axis(axis_, choice.variance, kept);
    if (kept) {
      sort();
    } else {
      rebuild(entries);
    }
    watch_.sorted(sorted_);

    out.clear();
    const auto report = [&](const Item& a, const Item& b) {
      const bool meet = overlaps(a.box, b.box);
      watch_.compared(a.id, b.id, meet);
      if (!meet) return;
      if (out.size() == most) {
        out.clear();
        throw_too_many(most, entries.size());
      }
      out.push_back({std::min(a.id, b.id), std::max(a.id, b.id)});
    };
    for (std::size_t i = 0; i < sorted_.size(); ++i) {
      end_if_cancelled();
      const double end = sorted_[i].box.upper[axis_];
      watch_.reached(sorted_[i].id);
      std::size_t j = i + 1;
      for (; j < sorted_.size() && sorted_[j].box.lower[axis_] <= end; ++j)
        report(sorted_[i], sorted_[j]);
      if (j < sorted_.size()) watch_.passed(sorted_[i].id, sorted_[j].id);
    }
    for (std::size_t i = 0; i < unbounded_.size(); ++i) {
      for (const Item& item : sorted_) report(unbounded_[i], item);
      for (std::size_t j = i + 1; j < unbounded_.size(); ++j) report(unbounded_[i], unbounded_[j]);
    }
    std::sort(out.begin(), out.end());
  }

 private:
  bool precedes(const Item& a, const Item& b) const {
    const double lower_a = a.box.lower[axis_], lower_b = b.box.lower[axis_];
    return lower_a < lower_b || (lower_a == lower_b && a.id < b.id);
  }
  void sort_anew() {
    std::sort(sorted_.begin(), sorted_.end(),
              [this](const Item& a, const Item& b) { return precedes(a, b); });
  }

  /// Takes over the new boxes in the old order; false when ids, their order or a box's boundedness
  /// changed.
  bool refresh(std::span<const BroadEntry> entries) {
    if (sorted_.size() + unbounded_.size() != entries.size()) return false;
    const auto update = [&](std::vector<Item>& items, bool bounded) {
      for (Item& item : items) {
        const BroadEntry& entry = entries[item.slot];
        if (entry.id != item.id || bounded_along(entry.box, axis_) != bounded) return false;
        item.box = entry.box;
      }
      return true;
    };
    return update(sorted_, true) && update(unbounded_, false);
  }

  void rebuild(std::span<const BroadEntry> entries) {
    sorted_.clear();
    unbounded_.clear();
    for (std::uint32_t slot = 0; slot < entries.size(); ++slot) {
      const BroadEntry& entry = entries[slot];
      (bounded_along(entry.box, axis_) ? sorted_ : unbounded_)
          .push_back({entry.id, slot, entry.box});
    }
    sort_anew();
  }

  /// Insertion sort of a nearly sorted list, or a full sort when it turns out not to be.
  void sort() {
    std::size_t moves_left = kMovesPerItem * sorted_.size();
    for (std::size_t i = 1; i < sorted_.size(); ++i) {
      if (!precedes(sorted_[i], sorted_[i - 1])) continue;
      const Item item = sorted_[i];
      std::size_t hole = i;
      for (; hole > 0 && precedes(item, sorted_[hole - 1]); --hole)
        sorted_[hole] = sorted_[hole - 1];
      sorted_[hole] = item;
      watch_.moved(item.id, i, hole);
      if (i - hole > moves_left) return sort_anew();
      moves_left -= i - hole;
    }
  }

  int& axis_;
  std::vector<Item>& sorted_;
  std::vector<Item>& unbounded_;
  Watch& watch_;
};

}  // namespace

void SweepAndPrune::find_pairs(std::span<const BroadEntry> entries, std::vector<BroadPair>& out,
                               std::size_t most) {
  Unwatched unwatched;
  Sweep(axis_, sorted_, unbounded_, unwatched).find_pairs(entries, out, most);
}

void ObservedSweep::find_pairs(std::span<const BroadEntry> entries, std::vector<BroadPair>& out,
                               SweepObserver& observer) {
  Watched watched{observer};
  Sweep(axis_, sorted_, unbounded_, watched).find_pairs(entries, out, kAllPairs);
}

}  // namespace tactus
