#pragma once

#include <vector>

#include "tactus/soft/world/body_approach.hpp"
#include "tactus/soft/world/group_carrier.hpp"
#include "tactus/soft/world/group_momentum.hpp"
#include "tactus/soft/world/led_way.hpp"
#include "tactus/soft/world/rigid_courses.hpp"
#include "tactus/soft/world/world_data.hpp"

namespace tactus::detail {

/// One step of a world of deformables: contacts are sought, all places brought to the least energy
/// in rounds, and what came out is written into the world. The parts of it, rigid bodies, what is
/// led, momenta and energies, are classes of their own.
class SoftStep {
 public:
  /// `courses`: of rigid bodies among the obstacles.
  explicit SoftStep(SoftWorldData& data, std::vector<RigidCourse> courses = {});
  void run();
  /// Puts the rigid bodies where the step has them.
  void hand_back(World& world) const;

 private:
  void find_contacts();
  void guess();
  void guess_far();
  void solve();
  bool solve_round(bool last);
  void accept();
  void step_back(double factor);
  bool carry_groups(double least);
  /// Moves groups to where their momentum takes them; those that come near others on this way touch
  /// them from now on, and go on together.
  void carry_to_end();
  void settle_energy();
  void finish();

  SoftWorldData& data_;
  const SoftModel& model_;
  double contact_distance_, edge_;
  std::vector<Vec3> x_;
  StepProblem problem_;
  RigidCourses rigid_;
  std::vector<Vec3> wanted_, reference_;
  LedWay led_;
  BodyLinks links_;  ///< of all searches of the step
  Contacts contacts_;
  GroupMomentum momentum_;
  GroupCarrier carrier_;
  double start_energy_ = 0.0;  ///< without that of rigid bodies
  int sweeps_left_;
  DeformableStatistics out_;
  double contact_seconds_ = 0.0;
};

}  // namespace tactus::detail
