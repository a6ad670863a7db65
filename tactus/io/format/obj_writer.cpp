#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "tactus/core.hpp"
#include "tactus/io.hpp"
#include "tactus/io/format/atomic_file.hpp"

namespace tactus::io {
namespace {

void check(const NamedMesh& object, const std::string& field) {
  const auto breaks_line = [](char c) { return static_cast<unsigned char>(c) < 0x20; };
  if (std::any_of(object.name.begin(), object.name.end(), breaks_line))
    throw InvalidInput(field + ".name", "must be one line without control characters");
  try {
    validate(object.mesh);
  } catch (const InvalidInput& error) {
    throw error.within(field);
  }
}

}  // namespace

void write_obj(const std::filesystem::path& file, std::span<const NamedMesh> objects) {
  fmt::memory_buffer text;
  const auto out = std::back_inserter(text);
  std::uint64_t first = 1;
  for (std::size_t i = 0; i < objects.size(); ++i) {
    const auto& [name, mesh] = objects[i];
    check(objects[i], fmt::format("objects[{}]", i));
    if (!name.empty()) fmt::format_to(out, "o {}\n", name);
    for (const Vec3& v : mesh.vertices) fmt::format_to(out, "v {} {} {}\n", v.x, v.y, v.z);
    for (const auto& [a, b, c] : mesh.triangles)
      fmt::format_to(out, "f {} {} {}\n", first + a, first + b, first + c);
    first += mesh.vertices.size();
  }
  write_atomically(file, {text.data(), text.size()});
}

}  // namespace tactus::io
