#pragma once

#include <string_view>

#include "tactus/io/file/file_notes.hpp"
#include "tactus/mesh.hpp"

namespace tactus::io {

/// The surface of a shape in JSON: a `mesh` as it is, the hull of a `convex`, the parts of a
/// compound, placed, one after the other (also of `{"parts": [...]}`, as decompositions are
/// written). Throws FileError `name: reason`, also of a shape that is not made of triangles, has a
/// rounding radius, or names a file.
TriangleMesh parse_json_surface(std::string_view text, FileNotes& notes);

}  // namespace tactus::io
