#pragma once

#include <string_view>

#include "tactus/io/file/file_notes.hpp"
#include "tactus/mesh.hpp"

namespace tactus::io {

/// Reads STL, text (any number of solids) or binary (told apart by the length that a binary header
/// declares). The corners of the triangles are merged where all coordinates are equal, in the order
/// of their first appearance; normals are skipped. Throws FileError, text: `name:line: reason`,
/// binary: `name: reason`.
TriangleMesh parse_stl(std::string_view data, FileNotes& notes);

}  // namespace tactus::io
