#include "tactus/io/format/obj.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>
#include <vector>

#include "tactus/io/file/line_scanner.hpp"

namespace tactus::io {
namespace {

// Where an object of the file begins.
struct ObjObject {
  std::string name;
  std::size_t first_vertex, first_triangle;
};

// Statements that are known and no part of the surface.
constexpr std::array<std::string_view, 18> kNotGeometry = {
    "vt",  "vn", "s", "mg",       "usemtl",   "mtllib",     "usemap",    "maplib", "bevel",
    "lod", "l",  "p", "c_interp", "d_interp", "shadow_obj", "trace_obj", "end",    ""};
// Curves and surfaces that are not made of faces, also by their names of older versions.
constexpr std::array<std::string_view, 20> kFreeForm = {
    "vp",   "cstype", "deg", "bmat", "step",  "curv",  "curv2", "surf", "parm", "trim",
    "hole", "scrv",   "sp",  "con",  "ctech", "stech", "bsp",   "bzp",  "cdc",  "res"};
// After the coordinates of a vertex: a weight, or a colour and its opacity.
constexpr std::size_t kMostExtra = 5;

template <std::size_t Count>
bool is_one_of(const std::array<std::string_view, Count>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

class ObjParser {
 public:
  ObjParser(std::string_view text, FileNotes& notes)
      : scanner_(text, notes.name(), {'#', true}), notes_(notes) {}

  TriangleMesh run(std::vector<ObjObject>& objects) {
    objects.push_back({"", 0, 0});
    while (scanner_.next_line()) {
      const std::string_view keyword = scanner_.word();
      if (keyword == "v") {
        mesh_.vertices.push_back(scanner_.vector());
        if (!scanner_.rest_is_numbers(kMostExtra)) note("a vertex has more than it may have");
      } else if (keyword == "f" || keyword == "fo") {
        read_face();
      } else if (keyword == "o" || keyword == "g") {
        begin_object(objects);
      } else if (is_one_of(kFreeForm, keyword)) {
        note("free-form curves and surfaces are left out");
      } else if (keyword == "call" || keyword == "csh") {
        note(fmt::format("\"{}\" is not followed", keyword));
      } else if (!is_one_of(kNotGeometry, keyword)) {
        note(fmt::format("unknown statement {}", quoted_word(keyword)));
      }
    }
    if (static_cast<std::uint64_t>(largest_) > mesh_.vertices.size()) {
      scanner_.fail(largest_line_, fmt::format("vertex {} does not exist (the file has {})",
                                               largest_, mesh_.vertices.size()));
    }
    return std::move(mesh_);
  }

 private:
  void note(const std::string& text) { notes_.add(scanner_.line(), text); }

  // All words: names may have blanks.
  std::string name_of_object() {
    std::string name(scanner_.word());
    for (auto word = scanner_.word(); !word.empty(); word = scanner_.word())
      name.append(" ").append(word);
    return name;
  }

  void begin_object(std::vector<ObjObject>& objects) {
    const ObjObject next{name_of_object(), mesh_.vertices.size(), mesh_.triangles.size()};
    const ObjObject& last = objects.back();
    // Some writers give all vertices first.
    if (last.first_vertex == next.first_vertex && last.first_triangle == next.first_triangle) {
      objects.back().name = next.name;
    } else {
      objects.push_back(next);
    }
  }

  void read_face() {
    polygon_.clear();
    const auto count = static_cast<std::int64_t>(mesh_.vertices.size());
    for (auto corner = scanner_.word(); !corner.empty(); corner = scanner_.word()) {
      const std::size_t slash = std::min(corner.find('/'), corner.size());
      std::int64_t index = scanner_.integer(corner.substr(0, slash));
      if (index < 0) index += count + 1;
      if (index < 1 || index > std::numeric_limits<std::uint32_t>::max()) {
        scanner_.fail(fmt::format("vertex {} does not exist ({} so far)", corner, count));
      }
      if (corner.find_first_not_of("0123456789-/", slash) != std::string_view::npos) {
        note(fmt::format("corner {} is not understood behind its vertex", quoted_word(corner)));
      }
      if (index > largest_) {
        largest_ = index;
        largest_line_ = scanner_.line();
      }
      polygon_.push_back(static_cast<std::uint32_t>(index - 1));
    }
    if (polygon_.size() < 3) return note(kFewCorners);
    append_fan(mesh_, polygon_);
  }

  LineScanner scanner_;
  FileNotes& notes_;
  TriangleMesh mesh_;
  std::vector<std::uint32_t> polygon_;
  // Faces may stand before their vertices: the largest index is judged at the end.
  std::int64_t largest_ = 0;
  std::size_t largest_line_ = 0;
};

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

TriangleMesh parse_obj(std::string_view text, FileNotes& notes) {
  std::vector<ObjObject> objects;
  return ObjParser(text, notes).run(objects);
}

std::vector<NamedMesh> parse_obj_objects(std::string_view text, FileNotes& notes) {
  std::vector<ObjObject> objects;
  const TriangleMesh whole = ObjParser(text, notes).run(objects);
  objects.push_back({"", whole.vertices.size(), whole.triangles.size()});
  // Objects of a file without faces are their points.
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
