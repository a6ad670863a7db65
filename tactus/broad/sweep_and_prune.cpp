#include <algorithm>
#include <cmath>

#include "tactus/broad/pair_order.hpp"

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

/// Axis of the largest variance of the centres of bounded boxes, `current` unless another is
/// clearly better.
int choose_axis(std::span<const BroadEntry> entries, int current) {
  double variance[3];
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
    variance[axis] = count > 0.0 ? sum / count : 0.0;
  }
  int best = current;
  for (int axis = 0; axis < 3; ++axis) {
    if (variance[axis] > kAxisGain * variance[current] && variance[axis] > variance[best])
      best = axis;
  }
  return best;
}

}  // namespace

bool SweepAndPrune::precedes(const Item& a, const Item& b) const {
  const double lower_a = a.box.lower[axis_], lower_b = b.box.lower[axis_];
  return lower_a < lower_b || (lower_a == lower_b && a.id < b.id);
}

/// Takes over the new boxes in the old order; false when ids, their order or a box's boundedness
/// changed.
bool SweepAndPrune::refresh(std::span<const BroadEntry> entries) {
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

void SweepAndPrune::rebuild(std::span<const BroadEntry> entries) {
  sorted_.clear();
  unbounded_.clear();
  for (std::uint32_t slot = 0; slot < entries.size(); ++slot) {
    const BroadEntry& entry = entries[slot];
    (bounded_along(entry.box, axis_) ? sorted_ : unbounded_).push_back({entry.id, slot, entry.box});
  }
  std::sort(sorted_.begin(), sorted_.end(),
            [this](const Item& a, const Item& b) { return precedes(a, b); });
}

/// Insertion sort of a nearly sorted list, or a full sort when it turns out not to be.
void SweepAndPrune::sort() {
  std::size_t moves_left = kMovesPerItem * sorted_.size();
  for (std::size_t i = 1; i < sorted_.size(); ++i) {
    if (!precedes(sorted_[i], sorted_[i - 1])) continue;
    const Item item = sorted_[i];
    std::size_t hole = i;
    for (; hole > 0 && precedes(item, sorted_[hole - 1]); --hole) sorted_[hole] = sorted_[hole - 1];
    sorted_[hole] = item;
    if (i - hole > moves_left) {
      std::sort(sorted_.begin(), sorted_.end(),
                [this](const Item& a, const Item& b) { return precedes(a, b); });
      return;
    }
    moves_left -= i - hole;
  }
}

void SweepAndPrune::find_pairs(std::span<const BroadEntry> entries, std::vector<BroadPair>& out,
                               std::size_t most) {
  const int axis = choose_axis(entries, axis_);
  if (axis != axis_ || !refresh(entries)) {
    axis_ = axis;
    rebuild(entries);
  } else {
    sort();
  }

  out.clear();
  const auto report = [&](const Item& a, const Item& b) {
    if (!overlaps(a.box, b.box)) return;
    if (out.size() == most) {
      out.clear();
      throw_too_many(most, entries.size());
    }
    out.push_back({std::min(a.id, b.id), std::max(a.id, b.id)});
  };
  for (std::size_t i = 0; i < sorted_.size(); ++i) {
    const double end = sorted_[i].box.upper[axis_];
    for (std::size_t j = i + 1; j < sorted_.size() && sorted_[j].box.lower[axis_] <= end; ++j)
      report(sorted_[i], sorted_[j]);
  }
  for (std::size_t i = 0; i < unbounded_.size(); ++i) {
    for (const Item& item : sorted_) report(unbounded_[i], item);
    for (std::size_t j = i + 1; j < unbounded_.size(); ++j) report(unbounded_[i], unbounded_[j]);
  }
  std::sort(out.begin(), out.end());
}

}  // namespace tactus
