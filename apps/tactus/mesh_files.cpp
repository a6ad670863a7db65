#include "apps/tactus/mesh_files.hpp"

#include <fmt/format.h>

#include <cctype>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "apps/tactus/output.hpp"
#include "tactus/core.hpp"
#include "tactus/io/file/atomic_file.hpp"
#include "tactus/io/json/json_text.hpp"

namespace tactus::app {
namespace {

using nlohmann::json;

io::MeshReadOptions options_of(const std::string& up, std::vector<std::string>& warnings) {
  io::MeshReadOptions options;
  options.up = from_string<io::UpAxis>(up).value_or(io::UpAxis::as_it_is);
  options.warnings = &warnings;
  return options;
}

// Warnings that were gathered before an error are told as well: they often explain it.
template <class Read>
auto with_warnings(const std::string& up, const Read& read) {
  struct Told {
    std::vector<std::string> warnings;
    ~Told() {
      for (const std::string& text : warnings) std::fprintf(stderr, "warning: %s\n", text.c_str());
    }
  } told;
  return read(options_of(up, told.warnings));
}

std::string ending_of(const std::string& file) {
  std::string ending = std::filesystem::path(file).extension().string();
  for (char& c : ending) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return ending;
}

json json_of(const TriangleMesh& mesh, JsonShape shape) {
  json vertices = json::array();
  for (const Vec3& v : mesh.vertices) vertices.push_back(json::array({v.x, v.y, v.z}));
  json out;
  out["type"] = shape == JsonShape::mesh ? "mesh" : "convex";
  out["vertices"] = std::move(vertices);
  if (shape == JsonShape::mesh) out["triangles"] = mesh.triangles;
  return out;
}

std::string json_text(std::span<const io::NamedMesh> objects, JsonShape shape) {
  if (objects.size() == 1) return io::json_dump(json_of(objects[0].mesh, shape)) + "\n";
  std::string text = "{\"parts\": [";
  for (const io::NamedMesh& object : objects) {
    json part;
    part["shape"] = json_of(object.mesh, shape);
    text += (text.back() == '[' ? "\n  " : ",\n  ") + io::json_dump(part);
  }
  return text + "\n]}\n";
}

}  // namespace

TriangleMesh read_mesh_file(const std::string& file, const std::string& up) {
  return with_warnings(
      up, [&](const io::MeshReadOptions& options) { return io::read_mesh(file, options); });
}

std::vector<Vec3> read_points_file(const std::string& file, const std::string& up) {
  return with_warnings(
      up, [&](const io::MeshReadOptions& options) { return io::read_points(file, options); });
}

std::vector<io::NamedMesh> read_objects_file(const std::string& file, const std::string& up) {
  std::vector<std::string> told_before;
  return io::read_objects(file, options_of(up, told_before));
}

bool keeps_objects(const std::string& file) {
  const std::string ending = ending_of(file);
  return file == "-" || ending == ".obj" || ending == ".glb";
}

bool is_json_output(const std::string& file) { return ending_of(file) == ".json"; }

void require_mesh_output(const std::string& file, const std::string& option) {
  if (file.empty() || is_json_output(file) || io::is_mesh_output(file)) return;
  throw InvalidInput(
      option, fmt::format("{}: unknown ending; known are {}, .json", file, io::mesh_endings()));
}

void write_mesh_file(const std::string& file, std::span<const io::NamedMesh> objects,
                     JsonShape shape) {
  if (is_json_output(file)) {
    io::write_atomically(file, json_text(objects, shape));
  } else {
    io::write_meshes(file, objects);
  }
  wrote(file);
}

}  // namespace tactus::app
