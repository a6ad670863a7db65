#pragma once

#include <string>
#include <string_view>

#include "tactus/mesh.hpp"

namespace tactus::io {

/// Reads PLY (Stanford polygon format) 1.0: text and binary of either byte order, all number types.
/// Taken are x, y, z of the element `vertex` and the list `vertex_indices` (or `vertex_index`) of
/// the element `face`; everything else is skipped. Vertices keep their order; polygons become fans
/// about their first corner. A file without faces gives a mesh without triangles. Throws FileError:
/// `name:line: reason`, in binary data `name: byte n: reason`.
TriangleMesh parse_ply(std::string_view data, const std::string& name);

}  // namespace tactus::io
