#pragma once

#include <filesystem>
#include <vector>

#include "tactus/mesh/surface/triangle_mesh.hpp"

namespace tactus::io {

/// Reads a surface; the extension (in any case) decides on the format.
///
/// OBJ, STL, PLY and OFF are read in full double precision, vertices in the order of the file (STL,
/// which has no shared vertices: merged where equal). Polygons become fans about their first
/// corner. Other formats (glTF, DAE, 3DS, ...) go through assimp, which stores single precision:
/// coordinates are off by up to 6e-8 of their size, equal vertices are merged, and placed parts of
/// a scene become one mesh. Degenerate triangles are kept.
///
/// Throws FileError naming the file, where known the line, and the reason: it cannot be opened, the
/// format is unknown, the content is broken, a coordinate is not finite, there are no triangles.
/// Cost: linear; the file is held in memory.
TriangleMesh read_mesh(const std::filesystem::path& file);

/// The vertices of the same files, and of plain lists (.xyz: three numbers per line), for a convex
/// hull; faces are not needed. Throws FileError; also when there is no vertex.
std::vector<Vec3> read_points(const std::filesystem::path& file);

}  // namespace tactus::io
