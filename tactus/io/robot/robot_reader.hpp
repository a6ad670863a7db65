#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "tactus/io.hpp"
#include "tactus/io/file/file_notes.hpp"

namespace tactus::io {

/// The robot of a text: URDF by its root element `robot`, MJCF by `mujoco`. `folder` is where
/// files that it names are looked for. Throws FileError naming the place in the text.
Robot parse_robot(std::string_view text, const std::filesystem::path& folder,
                  const RobotReadOptions& options, FileNotes& notes);

/// Pairs of links that an SRDF text disables. Throws FileError.
std::vector<RobotPair> parse_disabled_pairs(std::string_view text, const Robot& robot,
                                            FileNotes& notes);

}  // namespace tactus::io
