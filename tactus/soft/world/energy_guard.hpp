#pragma once

#include <span>
#include <vector>

#include "tactus/soft/world/group_momentum.hpp"

namespace tactus::detail {

/// Sees to it that a step adds no energy: measures what there is at its end, and takes what is too
/// much from the energy of motion.
class EnergyGuard {
 public:
  /// `velocities`: of the vertices. What is passed must outlive the use.
  EnergyGuard(const StepProblem& problem, const Contacts& contacts, const RigidCourses& rigid,
              GroupMomentum& momentum, const std::vector<Vec3>& velocities)
      : problem_(problem),
        contacts_(contacts),
        rigid_(rigid),
        momentum_(momentum),
        velocities_(velocities) {}

  /// The energies of all that deformables move, at the places `x`.
  void measure(std::span<const Vec3> x, DeformableStatistics& out) const;
  /// Do the measured energies of position leave so much of `most` that groups can keep their motion
  /// as a whole?
  bool can_keep(double most, std::span<const Party> groups, std::span<const Vec3> x,
                const DeformableStatistics& measured) const;
  /// Slows motion down until the energy is `most`: within groups that nothing holds, and only where
  /// that does not suffice as a whole, too.
  void slow_down(double most, std::span<const Party> groups, std::span<const Vec3> x,
                 const DeformableStatistics& measured) const;

 private:
  double moving(std::span<const Vec3> x, const DeformableStatistics& measured) const;

  const StepProblem& problem_;
  const Contacts& contacts_;
  const RigidCourses& rigid_;
  GroupMomentum& momentum_;
  const std::vector<Vec3>& velocities_;
};

}  // namespace tactus::detail
