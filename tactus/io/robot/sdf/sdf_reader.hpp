#pragma once

#include <filesystem>
#include <string_view>

#include "tactus/io.hpp"
#include "tactus/io/robot/xml/robot_parts.hpp"
#include "tactus/io/robot/xml/robot_shapes.hpp"
#include "tactus/io/robot/xml/xml_element.hpp"

namespace tactus::io {

/// Reads the element `sdf` of a text through libsdformat: docs/guide/robots.md. `folder` holds the
/// files that it names. Throws FileError, also where this library was built without libsdformat.
RobotParts parse_sdf(std::string_view text, const XmlElement& root,
                     const std::filesystem::path& folder, RobotShapes& shapes,
                     const RobotReadOptions& options);

}  // namespace tactus::io
