#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tactus/io.hpp"

namespace tactus::app {

/// Reads the surface of a file; `up` is the value of --up: x, y, z, or empty. Warnings of the
/// reader go to standard error. Throws FileError.
TriangleMesh read_mesh_file(const std::string& file, const std::string& up);
/// The vertices of a file in the same way.
std::vector<Vec3> read_points_file(const std::string& file, const std::string& up);
/// The objects of an OBJ file, each with the vertices that it uses; one of any other file. Tells no
/// warnings: `read_mesh_file` has told them. Throws FileError.
std::vector<io::NamedMesh> read_objects_file(const std::string& file, const std::string& up);

/// How objects are written as JSON: as a `mesh`; as a `convex` shape, or as the parts of a compound
/// where there are several.
enum class JsonShape : std::uint8_t { mesh, convex };

/// Throws InvalidInput (`option`) unless the file's ending is one that `write_mesh_file` knows or
/// the name is empty; a command asks before it computes anything.
void require_mesh_output(const std::string& file, const std::string& option);

/// Writes objects in the format of the file's ending, .json included, and tells so on standard
/// error.
void write_mesh_file(const std::string& file, std::span<const io::NamedMesh> objects,
                     JsonShape shape);

/// Does the format of the file's ending keep objects and their names apart?
bool keeps_objects(const std::string& file);

/// Is the file written as JSON, by its ending?
bool is_json_output(const std::string& file);

}  // namespace tactus::app
