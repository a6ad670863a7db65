#pragma once

#include <span>
#include <vector>

#include "tactus/soft/world/led_way.hpp"

namespace tactus::detail {

/// Brings bodies that move far in a step near to what they would meet: how much of its way each
/// body and obstacle can go, as a whole, before anything comes near anything else.
class BodyApproach {
 public:
  /// `wanted`: the ends of the ways. What is passed by reference must outlive the use.
  BodyApproach(const StepProblem& problem, const LedWay& led, std::span<const Vec3> wanted,
               double contact_distance)
      : problem_(problem), led_(led), wanted_(wanted), contact_distance_(contact_distance) {}

  /// Parts of the ways: of the bodies, then of the obstacles.
  std::vector<double> shares() const;
  /// All places at these parts of the ways.
  std::vector<Vec3> end_of(std::span<const double> shares) const;

 private:
  /// Lowers the shares of bodies that meet on the way; false where none does.
  bool shorten(int attempt, std::vector<double>& shares) const;

  const StepProblem& problem_;
  const LedWay& led_;
  std::span<const Vec3> wanted_;
  double contact_distance_;
};

}  // namespace tactus::detail
