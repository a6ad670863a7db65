#include <algorithm>
#include <nlohmann/json.hpp>

#include "tactus/core.hpp"
#include "tactus/io/format/write/writers.hpp"

namespace tactus::io {
namespace {

using nlohmann::ordered_json;

// Codes of the format.
constexpr int kFloat = 5126, kIndex = 5125, kVertexBuffer = 34962, kIndexBuffer = 34963;
constexpr std::uint32_t kVersion = 2;

void pad(std::string& bytes, char with) { bytes.resize((bytes.size() + 3) / 4 * 4, with); }

// Appends the places of an object to the buffer and tells the accessor of them.
ordered_json add_places(const NamedMesh& object, std::size_t i, std::size_t view,
                        std::string& buffer) {
  SingleVec3 low = single_precision(object, i, 0), high = low;
  for (std::size_t k = 0; k < object.mesh.vertices.size(); ++k) {
    const SingleVec3 v = single_precision(object, i, k);
    low = {std::min(low.x, v.x), std::min(low.y, v.y), std::min(low.z, v.z)};
    high = {std::max(high.x, v.x), std::max(high.y, v.y), std::max(high.z, v.z)};
    for (const float x : {v.x, v.y, v.z}) append_little_endian(buffer, x);
  }
  return {
      {"bufferView", view}, {"componentType", kFloat},      {"count", object.mesh.vertices.size()},
      {"type", "VEC3"},     {"min", {low.x, low.y, low.z}}, {"max", {high.x, high.y, high.z}}};
}

ordered_json add_corners(const TriangleMesh& mesh, std::size_t view, std::string& buffer) {
  for (const auto& triangle : mesh.triangles) {
    for (const std::uint32_t corner : triangle) append_little_endian(buffer, corner);
  }
  return {{"bufferView", view},
          {"componentType", kIndex},
          {"count", 3 * mesh.triangles.size()},
          {"type", "SCALAR"}};
}

}  // namespace

std::string glb_content(std::span<const NamedMesh> objects) {
  ordered_json views = ordered_json::array(), accessors = views, meshes = views, nodes = views,
               roots = views;
  std::string buffer;
  const auto view = [&](std::size_t first, int target) {
    views.push_back({{"buffer", 0},
                     {"byteOffset", first},
                     {"byteLength", buffer.size() - first},
                     {"target", target}});
  };
  for (std::size_t i = 0; i < objects.size(); ++i) {
    const auto& [name, mesh] = objects[i];
    std::size_t first = buffer.size();
    accessors.push_back(add_places(objects[i], i, views.size(), buffer));
    view(first, kVertexBuffer);
    first = buffer.size();
    accessors.push_back(add_corners(mesh, views.size(), buffer));
    view(first, kIndexBuffer);
    ordered_json primitive;
    primitive["attributes"]["POSITION"] = accessors.size() - 2;
    primitive["indices"] = accessors.size() - 1;
    ordered_json made;
    made["primitives"].push_back(primitive);
    meshes.push_back(made);
    nodes.push_back({{"mesh", i}});
    if (!name.empty()) nodes.back()["name"] = name;
    roots.push_back(i);
  }
  ordered_json root = {{"asset", {{"version", "2.0"}, {"generator", "tactus"}}}};
  if (!objects.empty()) {
    root["scene"] = 0;
    root["scenes"][0]["nodes"] = roots;
    root["nodes"] = nodes;
    root["meshes"] = meshes;
    root["accessors"] = accessors;
    root["bufferViews"] = views;
    root["buffers"][0]["byteLength"] = buffer.size();
  }
  std::string text = root.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
  pad(text, ' ');
  pad(buffer, '\0');
  constexpr std::uint64_t kHeads = 12 + 8 + 8;
  if (kHeads + text.size() + buffer.size() > 0xffffffffULL)
    throw InvalidInput("objects", "are too large for GLB: 4 GB");
  std::string bytes = "glTF";
  append_little_endian(bytes, kVersion);
  append_little_endian(bytes, static_cast<std::uint32_t>(kHeads + text.size() + buffer.size()));
  append_little_endian(bytes, static_cast<std::uint32_t>(text.size()));
  bytes += "JSON" + text;
  append_little_endian(bytes, static_cast<std::uint32_t>(buffer.size()));
  bytes += std::string("BIN\0", 4) + buffer;
  return bytes;
}

}  // namespace tactus::io
