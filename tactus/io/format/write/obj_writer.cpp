#include <fmt/format.h>

#include <iterator>

#include "tactus/io.hpp"
#include "tactus/io/file/atomic_file.hpp"
#include "tactus/io/format/write/writers.hpp"

namespace tactus::io {

std::string obj_content(std::span<const NamedMesh> objects) {
  fmt::memory_buffer text;
  const auto out = std::back_inserter(text);
  std::uint64_t first = 1;
  for (const auto& [name, mesh] : objects) {
    if (!name.empty()) fmt::format_to(out, "o {}\n", name);
    for (const Vec3& v : mesh.vertices) fmt::format_to(out, "v {} {} {}\n", v.x, v.y, v.z);
    for (const auto& [a, b, c] : mesh.triangles)
      fmt::format_to(out, "f {} {} {}\n", first + a, first + b, first + c);
    first += mesh.vertices.size();
  }
  return {text.data(), text.size()};
}

void write_obj(const std::filesystem::path& file, std::span<const NamedMesh> objects) {
  require_writable(objects);
  write_atomically(file, obj_content(objects));
}

}  // namespace tactus::io
