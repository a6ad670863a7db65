#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tactus/core.hpp"
#include "tactus/dynamics/contact/contact_constraint.hpp"

namespace tactus::detail {

/// The order in which a sweep meets the patches: in blocks, some of which may be swept at the same
/// time, since no moving body has patches in two of them.
///
/// The bodies are cut into slabs across the longest level axis, none narrower than their contacts
/// reach; a patch belongs to the first slab of its bodies, and reaches into the next one at most.
/// So all even slabs go first, then all odd ones, then the few patches that reach farther, or
/// across a face of a periodic space. Within a block patches keep their order: what stands on one
/// another is swept as if it were alone. The order follows from the bodies' places alone, never
/// from the number of threads. Few patches make one block. Cost: that of sorting the patches.
class SolverBlocks {
 public:
  void arrange(std::span<const ContactPatch> patches, std::span<const SolverBody> bodies,
               const Vec3& gravity);
  /// Sweeps leave out the patches that are marked, until the next call.
  void leave_out(std::span<const char> patches);

  /// Patches that are swept at the same time.
  static constexpr std::size_t kSideBySide = 4;

  /// Calls `sweep(patches)` until every patch that is not left out was swept, in blocks: each time
  /// with a few patches, one of each of as many blocks; and `fetch(patch)` some time before, to
  /// bring it into the processor's cache. The patches of a block wait for each other's velocities,
  /// so that a thread does more in the same time if it sweeps several blocks side by side.
  template <class Sweep, class Fetch>
  void for_each_group(const Sweep& sweep, const Fetch& fetch, int max_threads) const {
    const std::size_t threads = most_threads(max_threads);
    for (const Phase& phase : phases_) {
      const std::size_t blocks = phase.last - phase.first;
      parallel_for(
          blocks, std::min(kSideBySide, (blocks + threads - 1) / threads),
          [&](std::size_t begin, std::size_t end) {
            sweep_blocks(phase.first + begin, end - begin, sweep, fetch);
          },
          max_threads, Schedule::steady);
    }
  }
  /// Calls `look(patch)` for all of them, in the same blocks.
  template <class Look>
  void for_each(const Look& look, int max_threads) const {
    const auto sweep = [&](std::span<const std::uint32_t> patches) {
      for (const std::uint32_t patch : patches) look(patch);
    };
    for_each_group(sweep, [](std::uint32_t) {}, max_threads);
  }
  /// Of every body; 0 for those without patches.
  std::span<const std::uint32_t> slabs() const { return slab_of_body_; }

 private:
  /// Blocks of one turn.
  struct Phase {
    std::size_t first = 0, last = 0;
  };
  /// The interval of the axis that the moving bodies of a patch take up.
  struct Reach {
    double low = 0.0, high = 0.0;
    bool across = false;  ///< a face of a periodic space, from end to end
  };

  template <class Sweep, class Fetch>
  void sweep_blocks(std::size_t first, std::size_t count, const Sweep& sweep,
                    const Fetch& fetch) const {
    std::size_t next[kSideBySide];
    std::copy_n(swept_first_.begin() + static_cast<std::ptrdiff_t>(first), count, next);
    for (;;) {
      std::uint32_t patches[kSideBySide];
      std::size_t found = 0;
      for (std::size_t i = 0; i < count; ++i) {
        const std::size_t end = swept_first_[first + i + 1];
        if (next[i] == end) continue;
        patches[found++] = swept_[next[i]++];
        if (next[i] < end) fetch(swept_[next[i]]);
      }
      if (found == 0) return;
      sweep(std::span<const std::uint32_t>(patches, found));
    }
  }
  void find_reaches(std::span<const ContactPatch> patches, std::span<const SolverBody> bodies,
                    const Vec3& gravity);
  void cut();
  bool cut_into(std::size_t slabs, double width);
  void find_slabs(std::span<const ContactPatch> patches, std::span<const SolverBody> bodies);
  std::size_t slab_of(double coordinate) const;

  std::vector<std::uint32_t> order_;  ///< of patches
  std::vector<std::size_t> first_;    ///< of each block, in `order_`, and the end
  std::vector<std::uint32_t> swept_;  ///< of `order_`, what is not left out
  std::vector<std::size_t> swept_first_;
  std::array<Phase, 3> phases_;
  int axis_ = 0;
  std::vector<Reach> reaches_;
  std::vector<double> cuts_, sorted_;
  std::vector<std::uint32_t> slab_of_body_;
};

}  // namespace tactus::detail
