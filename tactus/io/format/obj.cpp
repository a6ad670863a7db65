#include "tactus/io/format/obj.hpp"

#include <fmt/format.h>

#include <limits>
#include <vector>

#include "tactus/io/format/line_scanner.hpp"

namespace tactus::io {

TriangleMesh parse_obj(std::string_view text, const std::string& name) {
  TriangleMesh mesh;
  LineScanner scanner(text, name, '#');
  std::vector<std::uint32_t> polygon;
  // Faces may stand before their vertices: the largest index is judged at the end.
  std::int64_t largest = 0;
  std::size_t largest_line = 0;

  while (scanner.next_line()) {
    const std::string_view keyword = scanner.word();
    if (keyword == "v") {
      mesh.vertices.push_back(scanner.vector());
    } else if (keyword == "f") {
      polygon.clear();
      const auto count = static_cast<std::int64_t>(mesh.vertices.size());
      for (auto corner = scanner.word(); !corner.empty(); corner = scanner.word()) {
        std::int64_t index = scanner.integer(corner.substr(0, corner.find('/')));
        if (index < 0) index += count + 1;
        if (index < 1 || index > std::numeric_limits<std::uint32_t>::max()) {
          scanner.fail(fmt::format("vertex {} does not exist ({} so far)", corner, count));
        }
        if (index > largest) {
          largest = index;
          largest_line = scanner.line();
        }
        polygon.push_back(static_cast<std::uint32_t>(index - 1));
      }
      if (polygon.size() < 3) scanner.fail("a face needs at least three corners");
      append_fan(mesh, polygon);
    }
  }
  if (static_cast<std::uint64_t>(largest) > mesh.vertices.size()) {
    scanner.fail(largest_line, fmt::format("vertex {} does not exist (the file has {})", largest,
                                           mesh.vertices.size()));
  }
  return mesh;
}

}  // namespace tactus::io
