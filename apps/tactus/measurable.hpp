#pragma once

#include <span>
#include <string>

#include "tactus/math.hpp"

namespace tactus::app {

/// The largest coordinate of which volumes, and squares of distances, have a value in double.
inline constexpr double kMostMeasured = 1e100;

/// Throws FileError naming the file unless the volume of what lies around these points has a value
/// in double: coordinates of at most `kMostMeasured`, a longest extent of at least 1e-100, or 0.
void require_measurable(const std::string& file, std::span<const Vec3> points);

}  // namespace tactus::app
