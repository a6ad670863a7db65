#pragma once

#include <vector>

#include "tactus/core.hpp"
#include "tactus/rigid/elastic/elastic_stepper.hpp"
#include "tactus/rigid/world/before_step.hpp"
#include "tactus/rigid/world/contact_report.hpp"
#include "tactus/rigid/world/servos.hpp"
#include "tactus/rigid/world/stepper.hpp"
#include "tactus/rigid/world/touch_events.hpp"
#include "tactus/rigid/world/world_parts.hpp"
#include "tactus/world.hpp"

namespace tactus {

/// Everything that a world holds beside its bodies: its parts, what moves them by a step, what
/// brings them back, and what is reported of the last step.
struct World::Data : detail::WorldParts {
  Data(Common& world, const WorldSettings& wanted)
      : WorldParts(world, wanted),
        stepper(*this),
        elastic(common.bodies, contact_set, common.rules, settings) {}

  detail::Stepper stepper;
  detail::ElasticStepper elastic;  ///< where contacts are springs
  detail::BeforeStep before;
  JointId next_joint = 1;
  detail::TouchEvents touches;
  detail::ReportedContacts contacts, contacts_before;
  std::vector<Joint> broken, broken_before;  ///< joints, of the last step
  std::vector<ServoReading> servos, servos_before;
  StepStatistics statistics;

  void begin();
  int run();
  void run_elastic();
  void advance();
  void change_substeps(int old);
  void undo() noexcept;
  void drop_forces();
  void measure();
  void restore_joints(const WorldState& state);
  void keep_pairs_of_first();
  /// Throws InvalidInput for a world that ranks cannot share.
  void refuse_ranks() const;
  /// Two things that do not depend on each other.
  template <class One, class Other>
  void at_once(const One& one, const Other& other) const {
    if (ranks) {
      // Both may talk to other ranks.
      one();
      other();
      return;
    }
    parallel_for(
        2, 1,
        [&](std::size_t begin, std::size_t /*end*/) {
          if (begin == 0)
            one();
          else
            other();
        },
        settings.max_threads);
  }
};

}  // namespace tactus
