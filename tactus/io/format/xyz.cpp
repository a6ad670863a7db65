#include "tactus/io/format/xyz.hpp"

#include "tactus/io/file/line_scanner.hpp"

namespace tactus::io {

TriangleMesh parse_xyz(std::string_view text, FileNotes& notes) {
  TriangleMesh mesh;
  LineScanner scanner(text, notes.name(), {'#'});
  while (scanner.next_line()) {
    const std::string_view first = scanner.word();
    if (first.empty()) continue;
    const double x = scanner.number(first);
    const double y = scanner.number(scanner.word());
    const double z = scanner.number(scanner.word());
    mesh.vertices.push_back({x, y, z});
  }
  return mesh;
}

}  // namespace tactus::io
