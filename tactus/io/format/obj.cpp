#include "tactus/io/format/obj.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>
#include <vector>

#include "tactus/io/format/line_scanner.hpp"

namespace tactus::io {
namespace {

// Where an object of the file begins.
struct ObjObject {
  std::string name;
  std::size_t first_vertex, first_triangle;
};

TriangleMesh parse(std::string_view text, const std::string& name,
                   std::vector<ObjObject>& objects) {
  TriangleMesh mesh;
  objects.push_back({"", 0, 0});
  LineScanner scanner(text, name, '#');
  std::vector<std::uint32_t> polygon;
  // Faces may stand before their vertices: the largest index is judged at the end.
  std::int64_t largest = 0;
  std::size_t largest_line = 0;

  while (scanner.next_line()) {
    const std::string_view keyword = scanner.word();
    if (keyword == "o" || keyword == "g") {
      const ObjObject next{std::string(scanner.word()), mesh.vertices.size(),
                           mesh.triangles.size()};
      const ObjObject& last = objects.back();
      // Some writers give all vertices first.
      if (last.first_vertex == next.first_vertex && last.first_triangle == next.first_triangle) {
        objects.back().name = next.name;
      } else {
        objects.push_back(next);
      }
    } else if (keyword == "v") {
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

// Triangles [first, last) with the vertices that they use.
TriangleMesh part_of(const TriangleMesh& whole, std::size_t first, std::size_t last) {
  TriangleMesh part;
  std::vector<std::uint32_t> used;
  for (std::size_t i = first; i < last; ++i)
    used.insert(used.end(), whole.triangles[i].begin(), whole.triangles[i].end());
  std::sort(used.begin(), used.end());
  used.erase(std::unique(used.begin(), used.end()), used.end());
  for (const std::uint32_t v : used) part.vertices.push_back(whole.vertices[v]);
  for (std::size_t i = first; i < last; ++i) {
    std::array<std::uint32_t, 3> t{};
    for (std::size_t k = 0; k < 3; ++k) {
      const auto place = std::lower_bound(used.begin(), used.end(), whole.triangles[i][k]);
      t[k] = static_cast<std::uint32_t>(place - used.begin());
    }
    part.triangles.push_back(t);
  }
  return part;
}

}  // namespace

TriangleMesh parse_obj(std::string_view text, const std::string& name) {
  std::vector<ObjObject> objects;
  return parse(text, name, objects);
}

std::vector<NamedMesh> parse_obj_objects(std::string_view text, const std::string& name) {
  std::vector<ObjObject> objects;
  const TriangleMesh whole = parse(text, name, objects);
  objects.push_back({"", whole.vertices.size(), whole.triangles.size()});
  // Of a file without faces, the objects are their points.
  std::vector<NamedMesh> found;
  for (std::size_t i = 0; i + 1 < objects.size(); ++i) {
    const ObjObject &from = objects[i], &to = objects[i + 1];
    NamedMesh object{from.name, part_of(whole, from.first_triangle, to.first_triangle)};
    if (object.mesh.triangles.empty() && whole.triangles.empty()) {
      object.mesh.vertices.assign(
          whole.vertices.begin() + static_cast<std::ptrdiff_t>(from.first_vertex),
          whole.vertices.begin() + static_cast<std::ptrdiff_t>(to.first_vertex));
    }
    if (!object.mesh.vertices.empty()) found.push_back(std::move(object));
  }
  return found;
}

}  // namespace tactus::io
