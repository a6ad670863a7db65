#pragma once

#include <vector>

#include "tactus/rigid/world/world_parts.hpp"

namespace tactus::detail {

/// State of the parts of a world before the present step, of all that it changes: `bring_back`
/// restores it, bit for bit.
class BeforeStep {
 public:
  /// Notes it, before anything of the step is changed.
  void note(WorldParts& parts);
  /// By how many periods each body was brought back into a periodic space at the start of the step.
  void take_wrapped(std::vector<Periods>& wrapped) noexcept { wrapped_.swap(wrapped); }
  /// Nothing is known, and nothing to bring back.
  void forget() noexcept { whole_ = false; }
  bool is_known() const { return whole_; }
  /// Restores all that was noted. Allocates no memory.
  void bring_back(WorldParts& parts) noexcept;

 private:
  struct Forces {
    Vec3 force, torque;
  };
  bool whole_ = false;  ///< all of it was noted; nothing has been changed before
  std::vector<BodyMotion> motions_;
  std::vector<Forces> forces_;  ///< of the bodies
  double stiffening_ = 1.0;
  std::uint64_t step_count_ = 0;
  std::vector<Periods> wrapped_;  ///< at the start of the step
};

}  // namespace tactus::detail
