#pragma once

#include <span>
#include <string>

#include "tactus/math.hpp"

namespace tactus::app {

/// Throws FileError naming the file unless the volume of what lies around these points has a value
/// in double: a longest extent between 1e-100 and 1e100, or 0.
void require_measurable(const std::string& file, std::span<const Vec3> points);

}  // namespace tactus::app
