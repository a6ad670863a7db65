#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "tactus/mesh/surface/triangle_mesh.hpp"

namespace tactus::io {

/// A mesh and what it is called in a file.
struct NamedMesh {
  std::string name;  ///< one line; may be empty
  TriangleMesh mesh;
};

/// Writes Wavefront OBJ: for each mesh a statement `o NAME`, its vertices and its triangles, which
/// count the vertices of the whole file. Coordinates are written with as many digits as it takes to
/// read the same doubles again. The file is replaced at once or not at all. Throws InvalidInput
/// (`objects[i].name`, or what `validate` says of a mesh) and FileError. Cost: linear; the text is
/// held in memory, some 60 bytes per vertex and 20 per triangle.
void write_obj(const std::filesystem::path& file, std::span<const NamedMesh> objects);

}  // namespace tactus::io
