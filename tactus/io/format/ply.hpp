#pragma once

#include <string_view>

#include "tactus/io/file/file_notes.hpp"
#include "tactus/mesh.hpp"

namespace tactus::io {

/// Reads PLY (Stanford polygon format) 1.0: text and binary of either byte order, all number types.
/// Taken are x, y, z of the element `vertex`, the list `vertex_indices` (or `vertex_index`) of the
/// element `face` and that of `tristrips`. In text a record is a line; only where a line has too
/// few values and the file exactly as many as it declares, lines are not looked at. Vertices keep
/// their order; polygons become fans about their first corner. A file without faces gives a mesh
/// without triangles. Noted: other elements, faces of fewer than three corners, values beyond those
/// declared or (where they are skipped) beyond their type, data behind the end. Throws FileError:
/// `name:line: reason`, in binary data `name: byte n: reason`.
TriangleMesh parse_ply(std::string_view data, FileNotes& notes);

}  // namespace tactus::io
