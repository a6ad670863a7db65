#pragma once

#include <cstdint>

#include "tactus/rigid/solver/contact_constraint.hpp"

namespace tactus::detail {

/// Listener to the changes that the impacts of a substep make, where they may be taken back and
/// where other ranks must hear of them.
class ImpactLog {
 public:
  ImpactLog() = default;
  ImpactLog(const ImpactLog&) = delete;
  ImpactLog& operator=(const ImpactLog&) = delete;
  virtual ~ImpactLog() = default;

  /// Before a patch changes; before the bodies of a patch do.
  virtual void before_patch(std::uint32_t patch) = 0;
  virtual void before_bodies(std::uint32_t patch) = 0;
  /// A patch was detected again within the substep, and judged.
  virtual void found_again(std::uint32_t patch) = 0;
  /// An impact at a patch has changed its bodies, or has held them, at a time in the substep.
  virtual void happened(std::uint32_t patch, double time, bool held) = 0;
  /// A patch that was detected again starts with other impulses: the log gives that to the bodies.
  virtual void pushed(std::uint32_t patch, const ContactConstraint::Impulse& change) = 0;
};

}  // namespace tactus::detail
