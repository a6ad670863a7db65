#pragma once

#include <string_view>

#include "tactus/io/file/file_notes.hpp"
#include "tactus/mesh.hpp"

namespace tactus::io {

/// Reads the Object File Format in text form: OFF, also with normals, colours or texture
/// coordinates (NOFF, COFF, STOFF and their combinations), which are skipped. The counts may follow
/// the keyword or stand on a line of their own; `#` starts a comment. Vertices keep their order;
/// polygons become fans about their first corner. Noted: faces of fewer than three corners, which
/// are left out, values that are not declared, data behind the end. Throws FileError `name:line:
/// reason`; four-dimensional and binary files are refused.
TriangleMesh parse_off(std::string_view text, FileNotes& notes);

}  // namespace tactus::io
