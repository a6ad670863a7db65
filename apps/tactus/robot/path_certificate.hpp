#pragma once

#include <span>
#include <string>
#include <vector>

#include "tactus/robot.hpp"

namespace tactus::app {

/// The certificate of a free path for `tactus-verify --path`: frames, bodies, pairs, and for each
/// segment of a free path its polynomials and claims, as JSON (docs/guide/robots.md).
std::string path_certificate(const RobotCollision& collision, double clearance,
                             std::span<const PathSegment> segments,
                             std::span<const std::vector<PathClaim>> claims);

}  // namespace tactus::app
