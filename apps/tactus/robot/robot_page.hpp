#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "apps/tactus/robot/robot_command.hpp"

namespace tactus::app {

/// The verdict on a path, and when it ends to be free.
struct PathStory {
  std::string_view verdict;
  std::optional<std::pair<double, double>> bracket;  ///< of the time at which it is not free
};

/// Writes the page of `command.html`: the robot and its surroundings at evenly spaced times, what
/// is nearest, and the clearance over time.
void write_robot_page(const RobotPathCommand& command, const RobotCollision& collision,
                      std::span<const double> times, std::span<const PathSegment> segments,
                      const PathStory& story);

}  // namespace tactus::app
