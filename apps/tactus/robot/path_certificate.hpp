#pragma once

#include <span>
#include <string>
#include <vector>

#include "apps/tactus/robot/robot_command.hpp"

namespace tactus::app {

/// The certificate of a free path for `tactus-verify path`: frames, bodies, pairs, and for each
/// segment its polynomials and claims, as JSON (docs/guide/robots.md).
std::string path_certificate(const RobotPathCommand& command, const RobotCollision& collision,
                             std::span<const double> times, std::span<const PathSegment> segments,
                             std::span<const std::vector<PathClaim>> claims);

}  // namespace tactus::app
