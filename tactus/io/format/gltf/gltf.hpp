#pragma once

#include <string_view>
#include <vector>

#include "tactus/core.hpp"
#include "tactus/io.hpp"
#include "tactus/io/file/file_notes.hpp"
#include "tactus/mesh.hpp"

namespace tactus::io {

/// A file that is sound but beyond `parse_gltf`: glTF 1, or geometry in an extension. Another
/// reader may know it.
class OtherGltf : public FileError {
 public:
  using FileError::FileError;
};

/// Reads glTF 2.0: JSON (`.gltf`, buffers in the file or beside it) or binary (`.glb`, its chunks
/// aligned or not). Taken are the triangles, strips and fans of the meshes that the nodes of the
/// scene place, turned where a node mirrors them; equal positions are merged in the order of their
/// first appearance. Numbers are taken as they are: y is up in most files, the unit is the metre.
/// Noted and left out: points and lines, skins, morph targets. Throws FileError
/// `name: reason`; OtherGltf for version 1 and for an extension that the file requires and that
/// holds the geometry (Draco, meshopt).
TriangleMesh parse_gltf(std::string_view content, FileNotes& notes);

/// The nodes of the same file that place triangles, one by one: each with the name of the node, or
/// else of its mesh, and with vertices of its own. Noted: control characters of names, which become
/// spaces.
std::vector<NamedMesh> parse_gltf_objects(std::string_view content, FileNotes& notes);

}  // namespace tactus::io
