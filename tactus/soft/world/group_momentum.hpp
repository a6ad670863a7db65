#pragma once

#include <span>
#include <vector>

#include "tactus/soft/world/descent.hpp"
#include "tactus/soft/world/group_motion.hpp"
#include "tactus/soft/world/rigid_courses.hpp"

namespace tactus::detail {

/// Keeps the momenta of groups that nothing holds: the motion that each has to have, as a whole, by
/// the start of a step and what gravity and the rigid step gave, and the one that it has.
class GroupMomentum {
 public:
  /// `links`: of all searches of the step. `velocities`: of the vertices. What is passed must
  /// outlive the use.
  GroupMomentum(const StepProblem& problem, const BodyLinks& links, RigidCourses& rigid,
                std::vector<Vec3>& velocities)
      : problem_(problem), links_(links), rigid_(rigid), velocities_(velocities) {}

  /// All that have touched each other in the step, each deformable alone too.
  std::vector<Party> free_groups() const;
  /// From now on nothing but groups as a whole moves in this step: gravity has done nothing either.
  void stop() { stopped_ = true; }

  /// Motion of a group with the momenta of the start, and what gravity and the rigid step gave.
  GroupMotion wanted(const Party& group) const;
  /// Motion of a group at the places `x`.
  GroupMotion present(const Party& group, std::span<const Vec3> x) const;
  /// Energy of the groups' motion as rigid bodies.
  double common_energy(std::span<const Party> groups, std::span<const Vec3> x) const;

  /// Gives each group the momenta that it has to have, as to one rigid body.
  void keep(std::span<const Party> groups, std::span<const Vec3> x);
  /// All velocities, those within groups, times `within`; those of groups as a whole times
  /// `common`.
  void scale(std::span<const Party> groups, std::span<const Vec3> x, double within, double common);

 private:
  void add_motion(const Party& group, std::span<const Vec3> x, const Vec3& center,
                  const Vec3& velocity, const Vec3& turning);

  const StepProblem& problem_;
  const BodyLinks& links_;
  RigidCourses& rigid_;
  std::vector<Vec3>& velocities_;
  bool stopped_ = false;
};

}  // namespace tactus::detail
