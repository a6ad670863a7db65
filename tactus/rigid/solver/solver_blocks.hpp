#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tactus/core.hpp"
#include "tactus/rigid/solver/contact_constraint.hpp"

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
  /// [first, last)
  struct Range {
    std::size_t first = 0, last = 0;
  };

  void arrange(std::span<const ContactPatch> patches, std::span<const SolverBody> bodies,
               const Vec3& gravity, int max_threads);

  /// A part is some blocks of one phase, which one thread sweeps: how many there are, and the
  /// patches of each in their order.
  std::size_t parts() const { return parts_.size(); }
  std::span<const std::uint32_t> patches(std::size_t part) const {
    const auto [first, last] = parts_[part].patches;
    return std::span(order_).subspan(first, last - first);
  }
  /// The slabs whose bodies a part is the first, or the last, to meet: each slab belongs to one
  /// part. Bodies that the last phase meets, and those that nothing moves, are to be left out.
  Range begun(std::size_t part) const { return parts_[part].begun; }
  const std::array<Range, 2>& ended(std::size_t part) const { return parts_[part].ended; }
  std::size_t slabs() const { return cuts_.size() + 1; }
  /// Patches of the last phase, which reach beyond the next slab.
  std::span<const std::uint32_t> far_patches() const { return patches(phases_.back().first); }
  /// Calls `sweep(part)` for all parts, those of one phase at the same time.
  template <class Sweep>
  void for_each_part(const Sweep& sweep, int max_threads) const {
    for (const Range& phase : phases_) {
      parallel_for(
          phase.last - phase.first, 1,
          [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) sweep(phase.first + i);
          },
          max_threads, Schedule::steady);
    }
  }
  /// Slab in which a centre of mass lies.
  std::uint32_t slab(const Vec3& center) const {
    return cuts_.empty() ? 0 : static_cast<std::uint32_t>(slab_of(center[axis_]));
  }

 private:
  struct Part {
    Range patches;  ///< of `order_`
    Range begun;    ///< slabs
    std::array<Range, 2> ended;
  };
  /// The interval of the axis that the moving bodies of a patch take up.
  struct Reach {
    double low = 0.0, high = 0.0;
    bool across = false;  ///< a face of a periodic space, from end to end
  };

  void choose_axis(std::span<const ContactPatch> patches, std::span<const SolverBody> bodies,
                   const Vec3& gravity, int max_threads);
  void find_reaches(std::span<const ContactPatch> patches, std::span<const SolverBody> bodies,
                    int max_threads);
  void cut();
  bool cut_into(std::size_t slabs, double width);
  std::size_t slab_of(double coordinate) const;

  std::vector<std::uint32_t> order_;  ///< of patches
  std::vector<Part> parts_;
  std::array<Range, 3> phases_;  ///< of parts
  int axis_ = 0;
  std::vector<Reach> reaches_;
  std::vector<double> cuts_, sorted_;
  std::vector<std::uint32_t> blocks_;  ///< by patch
};

}  // namespace tactus::detail
