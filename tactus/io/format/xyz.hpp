#pragma once

#include <string_view>

#include "tactus/io/file/file_notes.hpp"
#include "tactus/mesh.hpp"

namespace tactus::io {

/// Reads a list of points: three numbers per line, further columns are skipped, so are empty lines
/// and what follows a #. Gives a mesh without triangles. Throws FileError `name:line: reason`.
TriangleMesh parse_xyz(std::string_view text, FileNotes& notes);

}  // namespace tactus::io
