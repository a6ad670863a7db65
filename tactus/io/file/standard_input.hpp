#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace tactus::io {

/// All of standard input. It can be read but once: a second call gives the same content. Throws
/// FileError. Not for threads that call it for the first time together.
const std::string& standard_input();

/// The ending of the files that have such a content, for what has no name: `.ply`, `.stl`, `.off`,
/// `.glb`, `.gltf`, `.msh`, `.mesh`, `.vtk`, `.xyz`, by their first bytes (binary STL by its
/// length), and `.obj` for anything else.
std::string_view format_of(std::string_view content);

/// A file that is named inside of another one, which lies in `folder`. There `-` is the name of a
/// file: standard input is what the command line alone can ask for.
std::filesystem::path beside(const std::filesystem::path& folder, const std::string& name);

}  // namespace tactus::io
