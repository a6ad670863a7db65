#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "tactus/io.hpp"

namespace tactus::io {

/// The content of a file in each format that meshes are written in; objects are valid
/// (`require_writable`). Those of single precision throw InvalidInput (`objects[i].vertices[k]`)
/// for a coordinate beyond it.
std::string obj_content(std::span<const NamedMesh> objects);
std::string off_content(std::span<const NamedMesh> objects);
std::string ply_content(std::span<const NamedMesh> objects);
std::string stl_content(std::span<const NamedMesh> objects);
std::string glb_content(std::span<const NamedMesh> objects);

/// Throws InvalidInput (`objects[i].name`, or what `validate` says of a mesh).
void require_writable(std::span<const NamedMesh> objects);

/// All objects as one mesh, in their order. Throws InvalidInput (`objects`) when there are more
/// vertices than an index can count.
TriangleMesh joined(std::span<const NamedMesh> objects);

/// The coordinates of vertex `k` of object `i` in single precision.
struct SingleVec3 {
  float x = 0.0F, y = 0.0F, z = 0.0F;
};
SingleVec3 single_precision(const NamedMesh& object, std::size_t i, std::size_t k);

/// Appends the bytes of a number, least significant first.
void append_little_endian(std::string& bytes, std::uint32_t value);
void append_little_endian(std::string& bytes, float value);
void append_little_endian(std::string& bytes, double value);

}  // namespace tactus::io
