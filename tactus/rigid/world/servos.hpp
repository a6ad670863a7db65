#pragma once

#include <span>
#include <vector>

#include "tactus/rigid/contact/impact_phase.hpp"
#include "tactus/world.hpp"

namespace tactus::detail {

/// Contacts and impacts of a step, and the settings of the world and of the next step.
struct ServoLoads {
  std::span<const Contact> contacts;
  std::span<const Blow> blows;
  const WorldSettings &settings, &stepping;
};

/// Gives the bodies with a servo their velocities for the next step, and replaces `readings` by
/// what they bear now, by id. No state but these velocities goes on to the next step. Cost: linear
/// in the contacts if there is a servo.
void move_servos(const ServoLoads& loads, std::span<Body> bodies,
                 std::vector<ServoReading>& readings);

}  // namespace tactus::detail
