#pragma once

#include "tactus/io/robot/xml/robot_parts.hpp"
#include "tactus/io/robot/xml/robot_shapes.hpp"
#include "tactus/io/robot/xml/xml_element.hpp"

namespace tactus::io {

/// Reads the element `robot`. Throws FileError.
RobotParts parse_urdf(const XmlElement& root, RobotShapes& shapes, bool visual);

}  // namespace tactus::io
