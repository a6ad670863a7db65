#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>

#include "tactus/core.hpp"
#include "tactus/io.hpp"
#include "tactus/io/file/atomic_file.hpp"
#include "tactus/io/file/byte_order.hpp"
#include "tactus/io/format/write/writers.hpp"

namespace tactus::io {
namespace {

struct Writer {
  std::string_view ending;
  std::string (*content)(std::span<const NamedMesh>);
};

constexpr std::array<Writer, 5> kWriters = {{{".obj", obj_content},
                                             {".stl", stl_content},
                                             {".ply", ply_content},
                                             {".off", off_content},
                                             {".glb", glb_content}}};

const Writer* writer_of(const std::filesystem::path& file) {
  if (file == "-") return kWriters.data();
  std::string ending = file.extension().string();
  for (char& c : ending) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const auto* found = std::find_if(kWriters.begin(), kWriters.end(),
                                   [&](const Writer& w) { return w.ending == ending; });
  return found != kWriters.end() ? found : nullptr;
}

template <class Unsigned>
void append_bytes(std::string& bytes, Unsigned value) {
  for (std::size_t i = 0; i < sizeof(Unsigned); ++i)
    bytes.push_back(static_cast<char>((value >> (8 * i)) & 0xffu));
}

}  // namespace

void append_little_endian(std::string& bytes, std::uint32_t value) { append_bytes(bytes, value); }
void append_little_endian(std::string& bytes, float value) {
  append_bytes(bytes, same_bits<std::uint32_t>(value));
}
void append_little_endian(std::string& bytes, double value) {
  append_bytes(bytes, same_bits<std::uint64_t>(value));
}

void require_writable(std::span<const NamedMesh> objects) {
  const auto breaks_line = [](char c) { return static_cast<unsigned char>(c) < 0x20; };
  for (std::size_t i = 0; i < objects.size(); ++i) {
    const std::string field = fmt::format("objects[{}]", i);
    const std::string& name = objects[i].name;
    if (std::any_of(name.begin(), name.end(), breaks_line))
      throw InvalidInput(field + ".name", "must be one line without control characters");
    try {
      validate(objects[i].mesh);
    } catch (const InvalidInput& error) {
      throw error.within(field);
    }
  }
}

TriangleMesh joined(std::span<const NamedMesh> objects) {
  TriangleMesh all;
  for (const NamedMesh& object : objects) {
    if (all.vertices.size() + object.mesh.vertices.size() >
        std::numeric_limits<std::uint32_t>::max()) {
      throw InvalidInput("objects", "have too many vertices for one mesh");
    }
    const auto first = static_cast<std::uint32_t>(all.vertices.size());
    all.vertices.insert(all.vertices.end(), object.mesh.vertices.begin(),
                        object.mesh.vertices.end());
    for (const auto& [a, b, c] : object.mesh.triangles)
      all.triangles.push_back({first + a, first + b, first + c});
  }
  return all;
}

SingleVec3 single_precision(const NamedMesh& object, std::size_t i, std::size_t k) {
  const Vec3& v = object.mesh.vertices[k];
  const SingleVec3 out{static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
  if (!std::isfinite(out.x) || !std::isfinite(out.y) || !std::isfinite(out.z)) {
    throw InvalidInput(fmt::format("objects[{}].vertices[{}]", i, k),
                       "is beyond the single precision of this format");
  }
  return out;
}

std::string mesh_endings() {
  std::string text;
  for (const Writer& writer : kWriters) {
    if (!text.empty()) text += ", ";
    text += writer.ending;
  }
  return text;
}

bool is_mesh_output(const std::filesystem::path& file) { return writer_of(file) != nullptr; }

void write_meshes(const std::filesystem::path& file, std::span<const NamedMesh> objects) {
  const Writer* writer = writer_of(file);
  if (writer == nullptr) throw InvalidInput("file", "must end in one of " + mesh_endings());
  require_writable(objects);
  write_atomically(file, writer->content(objects));
}

}  // namespace tactus::io
