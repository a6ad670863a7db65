#include "tactus/rigid/world/before_step.hpp"

#include "tactus/rigid/body/body_access.hpp"

namespace tactus::detail {

void BeforeStep::note(WorldParts& parts) {
  whole_ = false;
  motions_.clear();
  forces_.clear();
  for (const Body& body : parts.common.bodies) {
    motions_.push_back(body.motion());
    forces_.push_back({body.force(), body.torque()});
  }
  stiffening_ = parts.choice.stiffening();
  step_count_ = parts.common.step_count;
  wrapped_.clear();
  if (parts.ranks) parts.ranks->region.remember(parts.common.bodies);
  parts.joints.remember();
  parts.contact_set.remember();
  whole_ = true;
}

void BeforeStep::bring_back(WorldParts& parts) noexcept {
  WorldBodies& common = parts.common;
  if (parts.ranks) parts.ranks->region.undo(common.bodies);
  for (std::size_t i = 0; i < common.bodies.size(); ++i) {
    Body& body = common.bodies[i];
    if (body.motion() != motions_[i]) BodyAccess::set_motion(body, motions_[i]);
    BodyAccess::set_force(body, forces_[i].force, forces_[i].torque);
  }
  common.step_count = step_count_;
  common.index.clear();
  parts.choice.set(stiffening_, parts.settings);
  parts.joints.undo();
  parts.contact_set.undo(common.bodies, wrapped_);
}

}  // namespace tactus::detail
