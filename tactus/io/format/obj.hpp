#pragma once

#include <string_view>
#include <vector>

#include "tactus/io.hpp"
#include "tactus/io/file/file_notes.hpp"
#include "tactus/mesh.hpp"

namespace tactus::io {

/// Reads Wavefront OBJ: `v` (three coordinates) and `f` with corners i, i/t, i/t/n or i//n, counted
/// from 1, or backwards from -1. Vertices keep their order; polygons become fans about their first
/// corner. A backslash before the end of a line joins it with the next one, except in a comment. A
/// file without faces gives a mesh without triangles. Noted and left out: faces of fewer than three
/// corners, free-form geometry, calls of other files, unknown statements. Throws FileError
/// `name:line: reason`.
TriangleMesh parse_obj(std::string_view text, FileNotes& notes);

/// The objects of the same file: a statement `o NAME` (or `g NAME`) begins one, unless nothing has
/// come since the last. Each has the vertices that its faces use, in the order of the file; those
/// of a file without any faces, the vertices that stand in them. Empty ones are left out.
std::vector<NamedMesh> parse_obj_objects(std::string_view text, FileNotes& notes);

}  // namespace tactus::io
