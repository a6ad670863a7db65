#include <algorithm>

#include "tactus/broad/pair_order.hpp"
#include "tactus/broad/slab.hpp"
#include "tactus/core/cancellation.hpp"

namespace tactus {
using namespace detail;

void BruteForce::find_pairs(std::span<const BroadEntry> entries, std::vector<BroadPair>& out,
                            std::size_t most) const {
  out.clear();
  for (std::size_t i = 0; i < entries.size(); ++i) {
    end_if_cancelled();
    for (std::size_t j = i + 1; j < entries.size(); ++j) {
      if (!overlaps(entries[i].box, entries[j].box)) continue;
      if (out.size() == most) {
        out.clear();
        throw_too_many(most, entries.size());
      }
      const auto [low, high] = std::minmax(entries[i].id, entries[j].id);
      out.push_back({low, high});
    }
  }
  std::sort(out.begin(), out.end());
}

void BruteForce::update(std::span<const BroadEntry> entries) {
  entries_.assign(entries.begin(), entries.end());
}

void BruteForce::find_in(const Aabb& box, std::vector<std::uint64_t>& out) const {
  validate_box(box);
  out.clear();
  for (const BroadEntry& entry : entries_) {
    if (overlaps(entry.box, box)) out.push_back(entry.id);
  }
  std::sort(out.begin(), out.end());
}

void BruteForce::sweep(const Aabb& box, const Vec3& direction, double max_time,
                       const SweepVisitor& visit) const {
  const Slab slab(box, direction, max_time);
  struct Met {
    double time;
    std::uint64_t id;
  };
  std::vector<Met> met;
  for (const BroadEntry& entry : entries_) {
    double time = 0.0;
    if (slab.enters(entry.box, time) && time <= max_time) met.push_back({time, entry.id});
  }
  std::sort(met.begin(), met.end(), [](const Met& a, const Met& b) {
    return a.time < b.time || (a.time == b.time && a.id < b.id);
  });
  double reach = max_time;
  for (const Met& m : met) {
    if (!(m.time <= reach)) break;
    reach = std::min(reach, visit(m.id, m.time));
  }
}

}  // namespace tactus
