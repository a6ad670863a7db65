#pragma once

#include "tactus/rigid/contact/contact_step.hpp"
#include "tactus/rigid/contact/impact_queue.hpp"

namespace tactus::detail {

/// Predicts from the motion of two bodies when their patch deserves a look: because a gap closes,
/// or because the bodies turn so fast that its points say nothing any more.
class ImpactTime {
 public:
  /// Per patch and substep.
  static constexpr int kMaxImpacts = 32, kMaxLooks = 64;
  /// Bodies that turn by less than this part of the size in a substep, if they are apart since they
  /// were detected, are seen by their points alone.
  static constexpr double kTurning = 0.02;
  /// Points of contacts lie within the radius of their body to this part.
  static constexpr double kSlower = 0.9;

  /// `step` must outlive it.
  explicit ImpactTime(const ContactStep& step) : step_(step) {}

  /// The next moment, not before `from`; infinity where there is none.
  double next(const ContactConstraint& c, const ImpactQueue::Track& track, double from) const;

 private:
  double next_impact(const ContactConstraint& c, const ImpactQueue::Track& track,
                     double from) const;
  double next_turn(const ContactConstraint& c, const ImpactQueue::Track& track, double from) const;

  const ContactStep& step_;
};

}  // namespace tactus::detail
