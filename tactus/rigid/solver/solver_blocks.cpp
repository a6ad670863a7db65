#include "tactus/rigid/solver/solver_blocks.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "tactus/core/constants.hpp"

namespace tactus::detail {
namespace {

// Slabs at most, and patches that are worth one.
constexpr std::size_t kMostSlabs = 32, kLeastPatches = 48;
// A slab is as wide as the contacts of this part of all patches reach.
constexpr double kMostReaches = 0.98;
// Patches that one thread looks at one after the other.
constexpr std::size_t kSeenTogether = 512;
// Patches of which the cuts follow.
constexpr std::size_t kSamples = 1024;
// Patches that fill the lanes of a sweep: a part takes as many blocks as hold so many, if there are
// enough for all threads. (More gained nothing.)
constexpr std::size_t kPatchesOfPart = 1024;

template <class Take>
void for_each_moving(const ContactPatch& patch, std::span<const SolverBody> bodies,
                     const Take& take) {
  if (bodies[patch.body_a].inverse_mass > 0.0) take(patch.center_a);
  if (bodies[patch.body_b].inverse_mass > 0.0) take(patch.center_b);
}

}  // namespace

// The longest of the patches' bodies, not that of gravity: what stands stays whole.
void SolverBlocks::choose_axis(std::span<const ContactPatch> patches,
                               std::span<const SolverBody> bodies, const Vec3& gravity,
                               int max_threads) {
  struct Box {
    Vec3 low{kInfinity, kInfinity, kInfinity}, high{-kInfinity, -kInfinity, -kInfinity};
    void take(const Vec3& from, const Vec3& to) {
      low = component_min(low, from);
      high = component_max(high, to);
    }
  };
  std::vector<Box> boxes((patches.size() + kSeenTogether - 1) / kSeenTogether);
  parallel_for(
      boxes.size(), 1,
      [&](std::size_t begin, std::size_t end) {
        const std::size_t first = begin * kSeenTogether;
        const std::size_t last = std::min(end * kSeenTogether, patches.size());
        for (const ContactPatch& patch : patches.subspan(first, last - first))
          for_each_moving(patch, bodies,
                          [&](const Vec3& center) { boxes[begin].take(center, center); });
      },
      max_threads);
  Box all;
  for (const Box& box : boxes) all.take(box.low, box.high);
  int up = -1;
  for (int i = 0; i < 3; ++i) {
    if (gravity[i] != 0.0 && (up < 0 || std::fabs(gravity[i]) > std::fabs(gravity[up]))) up = i;
  }
  axis_ = -1;
  for (int i = 0; i < 3; ++i) {
    if (i != up && (axis_ < 0 || all.high[i] - all.low[i] > all.high[axis_] - all.low[axis_]))
      axis_ = i;
  }
}

void SolverBlocks::find_reaches(std::span<const ContactPatch> patches,
                                std::span<const SolverBody> bodies, int max_threads) {
  reaches_.resize(patches.size());
  parallel_for(
      patches.size(), kSeenTogether,
      [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
          Reach reach{kInfinity, -kInfinity, patches[i].shift[axis_] != 0.0};
          for_each_moving(patches[i], bodies, [&](const Vec3& center) {
            reach.low = std::min(reach.low, center[axis_]);
            reach.high = std::max(reach.high, center[axis_]);
          });
          reaches_[i] = reach;
        }
      },
      max_threads);
}

// A power of two slabs, so that threads get as many each; of these as many patches to each, but
// none narrower than the contacts reach.
void SolverBlocks::cut() {
  sorted_.clear();
  for (const Reach& reach : reaches_)
    if (!reach.across) sorted_.push_back(reach.high - reach.low);
  const std::size_t count = sorted_.size();
  if (count < 2 * kLeastPatches) return;
  const auto most = static_cast<std::size_t>(kMostReaches * static_cast<double>(count - 1));
  std::nth_element(sorted_.begin(), sorted_.begin() + static_cast<std::ptrdiff_t>(most),
                   sorted_.end());
  const double width = sorted_[most];
  // Where to cut follows from some of them well enough.
  sorted_.clear();
  for (std::size_t i = 0; i < reaches_.size(); i += count / kSamples + 1)
    if (!reaches_[i].across) sorted_.push_back(reaches_[i].low);
  std::sort(sorted_.begin(), sorted_.end());
  std::size_t slabs = std::bit_floor(std::min(kMostSlabs, count / kLeastPatches));
  while (slabs > 1 && !cut_into(slabs, width)) slabs /= 2;
}

// False where so many do not fit.
bool SolverBlocks::cut_into(std::size_t slabs, double width) {
  cuts_.clear();
  double last = sorted_.front();
  for (std::size_t i = 1; i < slabs; ++i) {
    const double at = std::max(sorted_[i * sorted_.size() / slabs], last + width);
    if (!(at > last) || at > sorted_.back()) {
      cuts_.clear();
      return false;
    }
    cuts_.push_back(at);
    last = at;
  }
  return true;
}

std::size_t SolverBlocks::slab_of(double coordinate) const {
  return static_cast<std::size_t>(std::upper_bound(cuts_.begin(), cuts_.end(), coordinate) -
                                  cuts_.begin());
}

void SolverBlocks::arrange(std::span<const ContactPatch> patches,
                           std::span<const SolverBody> bodies, const Vec3& gravity,
                           int max_threads) {
  reaches_.clear();
  cuts_.clear();
  if (patches.size() >= 2 * kLeastPatches) {
    choose_axis(patches, bodies, gravity, max_threads);
    find_reaches(patches, bodies, max_threads);
    cut();
  }
  const std::size_t slabs = cuts_.size() + 1, even = (slabs + 1) / 2;
  const auto block_of = [&](std::size_t patch) -> std::size_t {
    if (slabs == 1) return 0;
    const std::size_t low = slab_of(reaches_[patch].low), high = slab_of(reaches_[patch].high);
    if (high > low + 1 || reaches_[patch].across) return slabs;
    return low % 2 == 0 ? low / 2 : even + low / 2;
  };
  blocks_.resize(patches.size());
  parallel_for(
      patches.size(), kSeenTogether,
      [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
          blocks_[i] = static_cast<std::uint32_t>(block_of(i));
      },
      max_threads);
  std::vector<std::size_t> first(slabs + 2, 0);  // of each block, and the end
  for (const std::uint32_t block : blocks_) ++first[block + 1];
  for (std::size_t i = 1; i < first.size(); ++i) first[i] += first[i - 1];
  order_.resize(patches.size());
  std::vector<std::size_t> next(first.begin(), first.end() - 1);
  for (std::size_t i = 0; i < patches.size(); ++i)
    order_[next[blocks_[i]]++] = static_cast<std::uint32_t>(i);

  const std::size_t threads = most_threads(max_threads);
  const std::array<Range, 3> blocks{Range{0, even}, Range{even, slabs}, Range{slabs, slabs + 1}};
  const std::size_t enough = (kPatchesOfPart * slabs + patches.size()) / (patches.size() + 1);
  parts_.clear();
  for (std::size_t phase = 0; phase < blocks.size(); ++phase) {
    const auto [begin, end] = blocks[phase];
    phases_[phase].first = parts_.size();
    const std::size_t of_thread = (end - begin + threads - 1) / threads;
    const std::size_t together =
        std::clamp<std::size_t>(enough, 1, std::max<std::size_t>(of_thread, 1));
    for (std::size_t i = begin; i < end; i += together) {
      const std::size_t past = std::min(i + together, end);
      Part& part = parts_.emplace_back(Part{{first[i], first[past]}, {}, {}});
      // A patch of an odd slab reaches into the next even one, which has been met before. The last
      // slab has no next one: its part takes the first slab, so that all end as many.
      if (phase == 0) part.begun = {2 * i, std::min(2 * past, slabs)};
      if (phase == 0 && slabs == 1) part.ended[0] = part.begun;
      if (phase == 1) part.ended[0] = {2 * (i - even) + 1, std::min(2 * (past - even) + 1, slabs)};
      if (phase == 1 && past == end) part.ended[1] = {0, 1};
    }
    phases_[phase].last = parts_.size();
  }
}

}  // namespace tactus::detail
