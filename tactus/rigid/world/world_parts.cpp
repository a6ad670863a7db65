#include "tactus/rigid/world/world_parts.hpp"

#include <algorithm>
#include <cmath>

#include "tactus/rigid/body/find_body.hpp"
#include "tactus/rigid/body/step_fault.hpp"

namespace tactus::detail {
namespace {

/// Bodies that touched at the last detection, and those that joints hold together.
std::vector<Sleep::Link> links_of(const WorldParts& parts) {
  std::vector<Sleep::Link> result;
  const auto add = [&](BodyId a, BodyId b) {
    const std::size_t place_a = find_body(parts.common.bodies, a),
                      place_b = find_body(parts.common.bodies, b);
    // Contacts of bodies that were removed wait for the next detection.
    if (std::max(place_a, place_b) < parts.common.bodies.size())
      result.push_back({static_cast<std::uint32_t>(place_a), static_cast<std::uint32_t>(place_b)});
  };
  parts.contact_set.for_each_link(add);
  for (const Joint& joint : parts.joints.joints())
    add(joint.definition.body_a, joint.definition.body_b);
  return result;
}

}  // namespace

std::vector<Carried> WorldParts::carried() {
  std::vector<Carried> result = contact_set.carried(common.bodies);
  if (ranks) share_carried(ranks->region, common.bodies, result);
  joints.spread(result);
  return result;
}

void WorldParts::check_motion() const {
  common.refuse_absurd_motion(settings.time_step);
  if (!common.space.any()) return;
  for (const Body& body : common.bodies)
    common.space.check_step(body, body.linear_velocity() * settings.time_step);
  joints.check_places(common.bodies);
}

void WorldParts::require_finite() const {
  joints.require_finite();
  contact_set.require_finite();
  for (const Body& body : common.bodies)
    if (body.type() != BodyType::fixed) detail::require_finite(body);
}

bool wake(WorldParts& parts, std::vector<std::uint32_t> disturbed) {
  if (parts.ranks) {
    parts.ranks->sleep.set_bodies(parts.common.bodies);
    if (!parts.ranks->sleep.share_disturbed(disturbed)) return false;
  } else if (disturbed.empty()) {
    return false;
  }
  parts.sleep.wake(parts.common.bodies, links_of(parts), disturbed);
  return true;
}

void wake_forced(WorldParts& parts) {
  if (!parts.may_sleep()) return;
  std::vector<std::uint32_t> forced;
  for (std::uint32_t i = 0; i < parts.common.bodies.size(); ++i) {
    const Body& body = parts.common.bodies[i];
    if (body.is_asleep() && (body.force() != Vec3{} || body.torque() != Vec3{}))
      forced.push_back(i);
  }
  wake(parts, forced);
}

bool wake_reached(WorldParts& parts) {
  if (!parts.may_sleep()) return false;
  std::vector<std::uint32_t> reached;
  const auto look = [&](const ContactPatch& patch) {
    for (const std::uint32_t body : {patch.body_a, patch.body_b})
      if (parts.common.bodies[body].is_asleep()) reached.push_back(body);
  };
  for (const ContactPatch& patch : parts.contact_set.patches()) look(patch);
  parts.contact_set.for_each_met(look);
  if (!wake(parts, reached)) return false;
  parts.joints.begin_step(parts.common.bodies);
  return true;
}

void fall_asleep(WorldParts& parts) {
  if (!parts.may_sleep()) return;
  if (parts.ranks) parts.ranks->sleep.set_bodies(parts.common.bodies);
  parts.sleep.settle(parts.common.bodies, links_of(parts), parts.settings);
}

}  // namespace tactus::detail
