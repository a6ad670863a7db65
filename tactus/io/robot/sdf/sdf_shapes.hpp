#pragma once

#include <optional>

#include "tactus/io/robot/sdf/sdf_element.hpp"
#include "tactus/io/robot/xml/robot_shapes.hpp"

namespace tactus::io {

/// The shape of an element `geometry`; none of an empty one, and of a mesh that may be left out.
/// Throws FileError, also for shapes that no robot here can hold.
std::optional<Shape> sdf_shape(const SdfElement& geometry, RobotShapes& shapes, bool visual);

}  // namespace tactus::io
