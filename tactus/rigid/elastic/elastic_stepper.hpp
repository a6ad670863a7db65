#pragma once

#include <span>
#include <vector>

#include "tactus/rigid/contact/contact_set.hpp"
#include "tactus/rigid/elastic/elastic_law.hpp"
#include "tactus/world.hpp"

namespace tactus::detail {

/// Moves the balls of a world whose contacts are springs (`WorldSettings::elastic`) through a step,
/// by velocity Verlet in small steps of equal length. Patches are those of `ContactSet`, whose
/// walls, materials and images they share: their places are found anew in every small step, and
/// the patches themselves where a ball leaves its path. Forces of a patch are summed body by body
/// in the order of the patches: no bit depends on the number of threads. Cost: linear in patches
/// and bodies for each small step. Source: cundall1979discrete, swope1982 (the scheme).
class ElasticStepper {
 public:
  /// Bodies and contacts of a world, which outlive it.
  ElasticStepper(std::vector<Body>& bodies, ContactSet& contacts, const PairRules& rules,
                 const WorldSettings& settings)
      : bodies_(bodies), contacts_(contacts), rules_(rules), settings_(settings) {}

  /// Number of small steps of the last step.
  int small_steps() const { return steps_; }
  /// Does the step that begins at this time: `found` is called before each detection but the first
  /// one, when the impulses of the one before are in place. Throws StepFault (`motion`) where there
  /// would be too many small steps.
  template <class Found>
  void run(double now, const Found& found) {
    begin(now);
    while (!move_until_strayed()) {
      keep_forces();
      found();
      detect();
    }
    keep_forces();
    found();
    finish();
  }
  double broad_ms() const { return broad_ms_; }
  double narrow_ms() const { return narrow_ms_; }

 private:
  struct Push {
    Vec3 force;               ///< on B
    Vec3 torque_a, torque_b;  ///< about the centres of mass
  };
  /// A patch between small steps.
  struct Touch {
    ElasticPair pair;
    ElasticStretch stretch;
    ElasticForce force;
    LastLook last;
  };
  /// A body on the way that the last detection has foreseen.
  struct Course {
    Vec3 start, velocity, acceleration;
    double aside = 0.0;
    Vec3 force, torque;  ///< of contacts
  };
  /// Patches that push a body.
  struct Part {
    std::uint32_t patch;
    bool is_b;
  };

  void begin(double now);
  int count_steps() const;
  void detect();
  void find_patches(double time);
  void take_stretches();
  void list_parts();
  bool move_until_strayed();
  void push(double time);
  void push_patch(std::size_t patch, double time);
  ElasticPair pair_of(const ContactPatch& patch);
  double damping_ratio(double restitution);
  bool meet(std::size_t patch, ElasticMeeting& meeting, Vec3& point);
  void sum_forces();
  void integrate_velocities(double time);
  bool integrate_positions(double time);
  void keep_forces();
  void finish();
  double time_left() const { return small_step_ * (steps_ - done_); }

  std::vector<Body>& bodies_;
  ContactSet& contacts_;
  const PairRules& rules_;
  const WorldSettings& settings_;
  double now_ = 0.0, small_step_ = 0.0, since_detection_ = 0.0;
  int steps_ = 0, done_ = 0;
  ElasticContacts elastic_;  ///< of the settings, in the present step
  ElasticLaw law_{ElasticContacts{}};
  double restitution_ = 1.0, damping_ratio_ = 0.0;  ///< as found last
  std::vector<Touch> touches_;                      ///< of the patches
  std::vector<Push> pushes_;                        ///< likewise
  std::vector<Course> courses_;                     ///< of the bodies
  std::vector<std::uint32_t> first_;                ///< by body: in `parts_`
  std::vector<Part> parts_;
  double broad_ms_ = 0.0, narrow_ms_ = 0.0;
};

}  // namespace tactus::detail
