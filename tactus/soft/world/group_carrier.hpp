#pragma once

#include <span>
#include <vector>

#include "tactus/soft/world/group_momentum.hpp"

namespace tactus::detail {

/// Moves groups that nothing holds to where their momentum takes their centres, as long as they do
/// not come nearer than the contact distance to anything else: sweeps over single vertices carry a
/// large group only slowly.
class GroupCarrier {
 public:
  /// The first three must outlive the use.
  GroupCarrier(const StepProblem& problem, const GroupMomentum& momentum, const Contacts& contacts,
               double contact_distance)
      : problem_(problem), momentum_(momentum), contacts_(contacts), near_(contact_distance) {}

  /// Moves those that are farther than `least` from there. True where any has moved.
  bool carry(double least, std::vector<Vec3>& x) const;

 private:
  std::vector<Vec3> carried(std::span<const Party> groups, std::span<const Vec3> ways,
                            std::span<const Vec3> x) const;
  /// Shortens the ways of groups that come near others; false where none does.
  bool shorten(int attempt, std::span<const Party> groups, std::span<Vec3> ways,
               std::span<const Vec3> x) const;

  const StepProblem& problem_;
  const GroupMomentum& momentum_;
  const Contacts& contacts_;
  double near_;
};

}  // namespace tactus::detail
