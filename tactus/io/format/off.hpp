#pragma once

#include <string>
#include <string_view>

#include "tactus/mesh.hpp"

namespace tactus::io {

/// Reads the Object File Format in text form: OFF, also with normals, colours or texture
/// coordinates (NOFF, COFF, STOFF and their combinations), which are skipped. The counts may follow
/// the keyword or stand on a line of their own; `#` starts a comment. Vertices keep their order;
/// polygons become fans about their first corner. Throws FileError `name:line: reason`;
/// four-dimensional and binary files are refused.
TriangleMesh parse_off(std::string_view text, const std::string& name);

}  // namespace tactus::io
