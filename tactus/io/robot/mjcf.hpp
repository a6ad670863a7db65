#pragma once

#include <filesystem>

#include "tactus/io/robot/urdf.hpp"

namespace tactus::io {

/// Reads the element `mujoco`, of MJCF the bodies, geoms, joints, defaults, mesh assets and
/// included files: docs/guide/robots.md. `folder` holds the files that it names. Throws FileError.
RobotParts parse_mjcf(const XmlElement& root, const std::filesystem::path& folder,
                      RobotShapes& shapes, bool visual);

}  // namespace tactus::io
