#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <map>

#include "tactus/core.hpp"
#include "tactus/io.hpp"
#include "tactus/io/file/atomic_file.hpp"
#include "tactus/io/file/file_content.hpp"
#include "tactus/io/file/line_scanner.hpp"
#include "tactus/io/file/standard_input.hpp"

namespace tactus::io {
namespace {

using Tetrahedron = std::array<std::uint32_t, 4>;

std::string extension_of(const std::filesystem::path& file) {
  if (file == "-") return std::string(format_of(standard_input()));
  std::string e = file.extension().string();
  std::transform(e.begin(), e.end(), e.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return e;
}

std::uint64_t count_of(const LineScanner& scanner, std::string_view word) {
  const std::int64_t count = scanner.integer(word);
  if (count < 0) scanner.fail("a count must not be negative");
  return static_cast<std::uint64_t>(count);
}

std::uint64_t next_count(LineScanner& scanner) {
  return count_of(scanner, scanner.word_anywhere());
}

Vec3 next_vector(LineScanner& scanner) {
  Vec3 v;
  for (int k = 0; k < 3; ++k) v[k] = scanner.number(scanner.word_anywhere());
  return v;
}

/// Vertices as a file names them, by numbers of its own.
class NumberedVertices {
 public:
  void add(const LineScanner& scanner, std::int64_t number, const Vec3& place) {
    const auto [known, fresh] =
        numbers_.emplace(number, static_cast<std::uint32_t>(mesh_.vertices.size()));
    if (!fresh) scanner.fail(fmt::format("node {} appears twice", number));
    mesh_.vertices.push_back(place);
  }
  std::uint32_t find(const LineScanner& scanner, std::int64_t number) const {
    const auto known = numbers_.find(number);
    if (known == numbers_.end()) scanner.fail(fmt::format("there is no node {}", number));
    return known->second;
  }
  soft::TetrahedralMesh& mesh() { return mesh_; }

 private:
  soft::TetrahedralMesh mesh_;
  std::map<std::int64_t, std::uint32_t> numbers_;
};

// Gmsh's number of the tetrahedron of four nodes, and how many nodes its kinds of elements have.
constexpr std::int64_t kGmshTetrahedron = 4;
constexpr int kGmshNodes[] = {0, 2, 3, 4, 4, 8, 6, 5, 3, 6, 9, 10, 27, 18, 14, 1};

class Gmsh {
 public:
  explicit Gmsh(LineScanner& scanner) : scanner_(scanner) {}

  soft::TetrahedralMesh read() {
    while (scanner_.next_line()) {
      const std::string_view section = scanner_.word();
      if (section == "$MeshFormat") read_format();
      if (section == "$Nodes") {
        require_format();
        version_ < 4.0 ? read_nodes_2() : read_nodes_4();
      }
      if (section == "$Elements") {
        require_format();
        version_ < 4.0 ? read_elements_2() : read_elements_4();
      }
    }
    return std::move(nodes_.mesh());
  }

 private:
  void require_format() const {
    if (version_ == 0.0) scanner_.fail("expected $MeshFormat first");
  }
  void read_format() {
    version_ = scanner_.number(scanner_.word_anywhere());
    if (scanner_.integer(scanner_.word_anywhere()) != 0)
      scanner_.fail("binary files are not supported; save as ASCII");
    const bool known = (version_ >= 2.0 && version_ < 3.0) || (version_ >= 4.1 && version_ < 5.0);
    if (!known) scanner_.fail("expected format 2 or 4.1");
  }
  void read_nodes_2() {
    const std::uint64_t count = next_count(scanner_);
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::int64_t number = scanner_.integer(scanner_.word_anywhere());
      nodes_.add(scanner_, number, next_vector(scanner_));
    }
  }
  void read_nodes_4() {
    const std::uint64_t blocks = next_count(scanner_);
    for (int k = 0; k < 3; ++k) scanner_.word_anywhere();
    for (std::uint64_t b = 0; b < blocks; ++b) {
      for (int k = 0; k < 2; ++k) scanner_.word_anywhere();
      if (scanner_.integer(scanner_.word_anywhere()) != 0)
        scanner_.fail("parametric nodes are not supported");
      const std::uint64_t count = next_count(scanner_);
      std::vector<std::int64_t> numbers;
      while (numbers.size() < count) numbers.push_back(scanner_.integer(scanner_.word_anywhere()));
      for (const std::int64_t n : numbers) nodes_.add(scanner_, n, next_vector(scanner_));
    }
  }
  void read_elements_2() {
    const std::uint64_t count = next_count(scanner_);
    for (std::uint64_t i = 0; i < count; ++i) {
      scanner_.word_anywhere();
      const std::int64_t type = scanner_.integer(scanner_.word_anywhere());
      const std::uint64_t tags = next_count(scanner_);
      for (std::uint64_t k = 0; k < tags; ++k) scanner_.word_anywhere();
      take(type);
    }
  }
  void read_elements_4() {
    const std::uint64_t blocks = next_count(scanner_);
    for (int k = 0; k < 3; ++k) scanner_.word_anywhere();
    for (std::uint64_t b = 0; b < blocks; ++b) {
      for (int k = 0; k < 2; ++k) scanner_.word_anywhere();
      const std::int64_t type = scanner_.integer(scanner_.word_anywhere());
      const std::uint64_t count = next_count(scanner_);
      for (std::uint64_t i = 0; i < count; ++i) {
        scanner_.word_anywhere();
        take(type);
      }
    }
  }
  void take(std::int64_t type) {
    if (type == kGmshTetrahedron) {
      Tetrahedron t{};
      for (std::uint32_t& c : t)
        c = nodes_.find(scanner_, scanner_.integer(scanner_.word_anywhere()));
      nodes_.mesh().tetrahedra.push_back(t);
      return;
    }
    constexpr auto kKinds = static_cast<std::int64_t>(std::size(kGmshNodes));
    if (type < 1 || type >= kKinds)
      scanner_.fail(fmt::format("elements of type {} are not supported", type));
    for (int k = 0; k < kGmshNodes[type]; ++k) scanner_.word_anywhere();
  }

  LineScanner& scanner_;
  double version_ = 0.0;
  NumberedVertices nodes_;
};

soft::TetrahedralMesh parse_medit(LineScanner& scanner) {
  soft::TetrahedralMesh mesh;
  bool found = false;
  while (scanner.next_line()) {
    const std::string_view word = scanner.word();
    if (word == "Vertices") {
      const std::uint64_t count = next_count(scanner);
      for (std::uint64_t i = 0; i < count; ++i) {
        mesh.vertices.push_back(next_vector(scanner));
        scanner.word_anywhere();
      }
    } else if (word == "Tetrahedra") {
      found = true;
      const std::uint64_t count = next_count(scanner);
      for (std::uint64_t i = 0; i < count; ++i) {
        Tetrahedron t{};
        for (std::uint32_t& c : t) {
          const std::int64_t number = scanner.integer(scanner.word_anywhere());
          if (number < 1 || static_cast<std::uint64_t>(number) > mesh.vertices.size())
            scanner.fail(fmt::format("there is no vertex {}", number));
          c = static_cast<std::uint32_t>(number - 1);
        }
        scanner.word_anywhere();
        mesh.tetrahedra.push_back(t);
      }
    } else if (word == "Dimension") {
      if (scanner.integer(scanner.word_anywhere()) != 3) scanner.fail("expected 3 dimensions");
    }
  }
  if (!found) scanner.fail("there are no Tetrahedra");
  return mesh;
}

constexpr std::int64_t kVtkTetrahedron = 10;

soft::TetrahedralMesh parse_vtk(LineScanner& scanner) {
  if (!scanner.next_line() || scanner.word() != "#" || scanner.word() != "vtk")
    scanner.fail("expected # vtk DataFile");
  scanner.next_line();  // the title
  scanner.next_line();
  if (scanner.word() != "ASCII") scanner.fail("expected ASCII; binary is not supported");
  soft::TetrahedralMesh mesh;
  std::vector<std::vector<std::int64_t>> cells;
  std::vector<std::int64_t> types;
  while (scanner.next_line()) {
    const std::string_view word = scanner.word();
    if (word == "DATASET" && scanner.word() != "UNSTRUCTURED_GRID")
      scanner.fail("expected an UNSTRUCTURED_GRID");
    if (word == "POINTS") {
      const std::uint64_t count = next_count(scanner);
      scanner.word_anywhere();
      for (std::uint64_t i = 0; i < count; ++i) mesh.vertices.push_back(next_vector(scanner));
    } else if (word == "CELLS") {
      const std::uint64_t count = next_count(scanner);
      scanner.word_anywhere();
      for (std::uint64_t i = 0; i < count; ++i) {
        const std::uint64_t corners = next_count(scanner);
        std::vector<std::int64_t> cell;
        while (cell.size() < corners)
          cell.push_back(scanner.index(scanner.word_anywhere(), mesh.vertices.size()));
        cells.push_back(std::move(cell));
      }
    } else if (word == "CELL_TYPES") {
      const std::uint64_t count = next_count(scanner);
      if (count != cells.size()) scanner.fail(fmt::format("expected {} types", cells.size()));
      for (std::uint64_t i = 0; i < count; ++i)
        types.push_back(scanner.integer(scanner.word_anywhere()));
    }
  }
  for (std::size_t i = 0; i < types.size(); ++i) {
    if (types[i] != kVtkTetrahedron) continue;
    if (cells[i].size() != 4)
      scanner.fail(fmt::format("cell {}: a tetrahedron has four corners", i));
    Tetrahedron t{};
    std::transform(cells[i].begin(), cells[i].end(), t.begin(),
                   [](std::int64_t c) { return static_cast<std::uint32_t>(c); });
    mesh.tetrahedra.push_back(t);
  }
  return mesh;
}

std::string gmsh_text(const soft::TetrahedralMesh& mesh) {
  fmt::memory_buffer text;
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n{}\n", mesh.vertices.size());
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
    const Vec3& v = mesh.vertices[i];
    fmt::format_to(out, "{} {} {} {}\n", i + 1, v.x, v.y, v.z);
  }
  fmt::format_to(out, "$EndNodes\n$Elements\n{}\n", mesh.tetrahedra.size());
  for (std::size_t i = 0; i < mesh.tetrahedra.size(); ++i) {
    const auto& [a, b, c, d] = mesh.tetrahedra[i];
    fmt::format_to(out, "{} 4 2 1 1 {} {} {} {}\n", i + 1, a + 1, b + 1, c + 1, d + 1);
  }
  fmt::format_to(out, "$EndElements\n");
  return fmt::to_string(text);
}

std::string medit_text(const soft::TetrahedralMesh& mesh) {
  fmt::memory_buffer text;
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "MeshVersionFormatted 2\nDimension 3\nVertices\n{}\n", mesh.vertices.size());
  for (const Vec3& v : mesh.vertices) fmt::format_to(out, "{} {} {} 0\n", v.x, v.y, v.z);
  fmt::format_to(out, "Tetrahedra\n{}\n", mesh.tetrahedra.size());
  for (const auto& [a, b, c, d] : mesh.tetrahedra)
    fmt::format_to(out, "{} {} {} {} 0\n", a + 1, b + 1, c + 1, d + 1);
  fmt::format_to(out, "End\n");
  return fmt::to_string(text);
}

std::string vtk_text(const soft::TetrahedralMesh& mesh) {
  fmt::memory_buffer text;
  const auto out = std::back_inserter(text);
  fmt::format_to(out,
                 "# vtk DataFile Version 3.0\ntetrahedra\nASCII\nDATASET UNSTRUCTURED_GRID\n"
                 "POINTS {} double\n",
                 mesh.vertices.size());
  for (const Vec3& v : mesh.vertices) fmt::format_to(out, "{} {} {}\n", v.x, v.y, v.z);
  const std::size_t n = mesh.tetrahedra.size();
  fmt::format_to(out, "CELLS {} {}\n", n, 5 * n);
  for (const auto& [a, b, c, d] : mesh.tetrahedra)
    fmt::format_to(out, "4 {} {} {} {}\n", a, b, c, d);
  fmt::format_to(out, "CELL_TYPES {}\n", n);
  for (std::size_t i = 0; i < n; ++i) fmt::format_to(out, "{}\n", kVtkTetrahedron);
  return fmt::to_string(text);
}

}  // namespace

bool is_tetrahedra_file(const std::filesystem::path& file) {
  const std::string e = extension_of(file);
  return e == ".msh" || e == ".mesh" || e == ".vtk";
}

soft::TetrahedralMesh parse_tetrahedra(std::string_view text, const std::string& name) {
  const std::string e = extension_of(name);
  if (!is_tetrahedra_file(name))
    throw FileError(name + ": tetrahedra are read from .msh, .mesh and .vtk");
  LineScanner scanner(text, name, {e == ".mesh" ? '#' : '\0'});
  soft::TetrahedralMesh mesh = e == ".msh"    ? Gmsh(scanner).read()
                               : e == ".mesh" ? parse_medit(scanner)
                                              : parse_vtk(scanner);
  try {
    validate(mesh);
  } catch (const InvalidInput& error) {
    throw FileError(name + ": " + error.what());
  }
  return mesh;
}

soft::TetrahedralMesh read_tetrahedra(const std::filesystem::path& file) {
  return parse_tetrahedra(file_content(file), file.string());
}

void write_tetrahedra(const std::filesystem::path& file, const soft::TetrahedralMesh& mesh) {
  validate(mesh);
  const std::string e = file == "-" ? ".msh" : extension_of(file);
  if (file != "-" && !is_tetrahedra_file(file))
    throw FileError(file.string() + ": tetrahedra are written as .msh, .mesh or .vtk");
  write_atomically(file, e == ".msh"    ? gmsh_text(mesh)
                         : e == ".mesh" ? medit_text(mesh)
                                        : vtk_text(mesh));
}

}  // namespace tactus::io
