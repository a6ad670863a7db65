#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tactus/core.hpp"
#include "tactus/core/random.hpp"
#include "tactus/io.hpp"
#include "tactus/io/format/gltf/gltf.hpp"
#include "tactus/io/format/obj.hpp"
#include "tactus/io/format/off.hpp"
#include "tactus/io/format/ply.hpp"
#include "tactus/io/format/stl.hpp"
#include "tactus/io/format/write/writers.hpp"
#include "tactus/io/format/xyz.hpp"
#include "tactus/mesh.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/folder.hpp"

namespace tactus::io {
using namespace detail;
namespace {

using Triangles = std::vector<std::array<std::uint32_t, 3>>;

// The parsers with a name in place of the notes, which most tests do not ask for.
template <TriangleMesh (*parse)(std::string_view, FileNotes&)>
TriangleMesh parsed(std::string_view text, const std::string& name) {
  FileNotes notes(name);
  return parse(text, notes);
}
constexpr auto parse_obj = parsed<io::parse_obj>;
constexpr auto parse_off = parsed<io::parse_off>;
constexpr auto parse_ply = parsed<io::parse_ply>;
constexpr auto parse_stl = parsed<io::parse_stl>;
constexpr auto parse_xyz = parsed<io::parse_xyz>;
constexpr auto parse_gltf = parsed<io::parse_gltf>;

template <TriangleMesh (*parse)(std::string_view, FileNotes&)>
std::vector<std::string> notes_of(std::string_view text) {
  FileNotes notes("f");
  parse(text, notes);
  return notes.warnings();
}

template <class Parse>
std::string error_of(Parse parse, std::string_view text) {
  try {
    parse(text, "f");
  } catch (const FileError& error) {
    return error.what();
  }
  return "";
}

std::string bytes_of(std::uint64_t value, int size, bool big) {
  std::string bytes;
  for (int i = 0; i < size; ++i) {
    const int shift = 8 * (big ? size - 1 - i : i);
    bytes.push_back(static_cast<char>((value >> shift) & 0xffu));
  }
  return bytes;
}

std::string bytes_of(float value, bool big = false) {
  return bytes_of(std::bit_cast<std::uint32_t>(value), 4, big);
}

std::string bytes_of(double value, bool big) {
  return bytes_of(std::bit_cast<std::uint64_t>(value), 8, big);
}

TEST(Obj, ReadsFacesOfEveryForm) {
  const TriangleMesh mesh = parse_obj(
      "# a comment\n"
      "mtllib none.mtl\no thing\n"
      "v 0 0 0\nv 1 0 0 # here, too\n\tv +1.5e0 1 -.25 1.0\r\n"
      "vn 0 0 1\nvt 0 0\n"
      "f 1 2 3\nf 1/1 2/1 3/1\nf 1/1/1 2/1/1 3/1/1\nf 1//1 2//1 3//1\n"
      "f -3 -2 -1\n"
      "v 0 1 0\n"
      "f 1 2 3 -1\n"
      "l 1 2\np 1\ns off",
      "f");
  ASSERT_EQ(mesh.vertices.size(), 4u);
  EXPECT_EQ(mesh.vertices[2], (Vec3{1.5, 1.0, -0.25}));
  EXPECT_EQ(
      mesh.triangles,
      (Triangles{{0, 1, 2}, {0, 1, 2}, {0, 1, 2}, {0, 1, 2}, {0, 1, 2}, {0, 1, 2}, {0, 2, 3}}));
}

TEST(Obj, KeepsEveryBitOfADouble) {
  const TriangleMesh mesh =
      parse_obj("v 0.1 3.141592653589793 1e-320\nv 1e-400 -0 1.7976931348623157e308", "f");
  EXPECT_EQ(mesh.vertices[0], (Vec3{0.1, 3.141592653589793, 1e-320}));
  EXPECT_EQ(mesh.vertices[1], (Vec3{0.0, 0.0, 1.7976931348623157e308}));
}

TEST(Obj, NamesLineAndReason) {
  EXPECT_EQ(error_of(parse_obj, "v 1 2\n"), "f:1: expected three numbers");
  EXPECT_EQ(error_of(parse_obj, "\nv 1 2 x3\n"), "f:2: \"x3\" is not a number");
  EXPECT_EQ(error_of(parse_xyz, "0 0 0\n1 2\n"), "f:2: a number is missing");
  EXPECT_EQ(error_of(parse_obj, "v 1 2 3.0.1\n"), "f:1: \"3.0.1\" is not a number");
  EXPECT_EQ(error_of(parse_obj, "v 1 nan 2\n"), "f:1: \"nan\" is not a finite number");
  EXPECT_EQ(error_of(parse_obj, "v 1 1e999 2\n"), "f:1: \"1e999\" is not a finite number");
  EXPECT_EQ(error_of(parse_obj, "v 1 1 2\nf 1 0 1\n"), "f:2: vertex 0 does not exist (1 so far)");
  EXPECT_EQ(error_of(parse_obj, "v 1 1 2\nf 1 -2 1\n"), "f:2: vertex -2 does not exist (1 so far)");
  EXPECT_EQ(error_of(parse_obj, "f 1 2 1\nf 1 1 1\nv 0 0 0\n"),
            "f:1: vertex 2 does not exist (the file has 1)");
  EXPECT_EQ(error_of(parse_obj, "f 1 2.5 1\n"), "f:1: \"2.5\" is not a whole number");
  EXPECT_EQ(error_of(parse_obj, "f 1 99999999999999999999 1\n"),
            "f:1: \"99999999999999999999\" is not a whole number");
}

constexpr std::string_view kTextStl =
    "solid two\n"
    "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n"
    "FACET NORMAL 0 0 1\nOUTER LOOP\nVERTEX 1 0 -0.0\nVERTEX 1 1 0\nVERTEX 0 1 "
    "0\nENDLOOP\nENDFACET\n"
    "endsolid two\nsolid empty\nendsolid\n";

TEST(Stl, MergesEqualCornersOfText) {
  const TriangleMesh mesh = parse_stl(kTextStl, "f");
  EXPECT_EQ(mesh.vertices, (std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}));
  EXPECT_EQ(mesh.triangles, (Triangles{{0, 1, 2}, {1, 3, 2}}));
}

std::string binary_stl(const std::vector<std::array<float, 9>>& triangles, std::string_view title) {
  std::string data(title);
  data.resize(80, ' ');
  data += bytes_of(triangles.size(), 4, false);
  for (const auto& triangle : triangles) {
    data += bytes_of(0.0f) + bytes_of(0.0f) + bytes_of(1.0f);
    for (const float x : triangle) data += bytes_of(x);
    data += std::string(2, '\0');
  }
  return data;
}

TEST(Stl, ReadsBinaryWhateverItsTitle) {
  for (const std::string_view title : {"binary", "solid but binary"}) {
    const TriangleMesh mesh = parse_stl(
        binary_stl({{0, 0, 0, 1, 0, 0, 0, 1, 0.1f}, {0, 1, 0.1f, 1, 0, 0, 1, 1, 0}}, title), "f");
    EXPECT_EQ(mesh.vertices,
              (std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, double{0.1f}}, {1, 1, 0}}));
    EXPECT_EQ(mesh.triangles, (Triangles{{0, 1, 2}, {2, 1, 3}}));
  }
}

TEST(Stl, NamesPlaceAndReason) {
  EXPECT_EQ(error_of(parse_stl, ""), "f: too short for an STL file");
  EXPECT_EQ(error_of(parse_stl, "solid\nfacet\nvertex 0 0 0\nendfacet\nendsolid"),
            "f:4: a facet needs three vertices");
  EXPECT_EQ(error_of(parse_stl, std::string(kTextStl.substr(0, kTextStl.find("FACET"))) +
                                    "endfacet\nendsolid"),
            "f:9: a facet needs three vertices");
  EXPECT_EQ(error_of(parse_stl, "solid\nvertex 0 0 0\n"),
            "f:2: a vertex beyond the three of a facet");
  EXPECT_EQ(error_of(parse_stl, kTextStl.substr(0, kTextStl.find("endsolid"))),
            "f:15: the file ends before endsolid");
  EXPECT_EQ(error_of(parse_stl, "solid\nfacets\n"), "f:2: the file ends before endsolid");
  std::string data = binary_stl({{0, 0, 0, 1, 0, 0, 0, 1, 0}}, "");
  EXPECT_EQ(error_of(parse_stl, data.substr(0, 133)),
            "f: declares 1 triangles (134 bytes), but holds 133 bytes");
  data.replace(80, 4, "\xff\xff\xff\xff");
  EXPECT_EQ(error_of(parse_stl, data),
            "f: declares 4294967295 triangles (214748364834 bytes), but holds 134 bytes");
  EXPECT_EQ(error_of(parse_stl, binary_stl({{0, 0, 0, 1, NAN, 0, 0, 1, 0}}, "")),
            "f: triangle 0: a coordinate is not finite");
}

// Wherever a binary file is cut, it is not taken for text.
TEST(Stl, BinaryThatIsCutIsBinaryWhateverItsTitle) {
  const std::string data =
      binary_stl({{0, 0, 0, 1, 0, 0, 0, 1, 0.1f}, {0, 1, 0.1f, 1, 0, 0, 1, 1, 0}}, "solid binary");
  for (std::size_t size = 83; size < data.size(); ++size) {
    const std::string expected =
        size < 84 ? "f: too short for an STL file"
                  : fmt::format("f: declares 2 triangles (184 bytes), but holds {} bytes", size);
    EXPECT_EQ(error_of(parse_stl, data.substr(0, size)), expected);
  }
}

TEST(Off, ReadsCountsCommentsColoursAndPolygons) {
  for (const std::string_view head :
       {"OFF\n# comment\n\n4 2 0\n", "OFF 4 2\n", "COFF # x\n4 2 0 # y\n"}) {
    const TriangleMesh mesh = parse_off(
        std::string(head) +
            "0 0 0 255 0 0 255\n1 0 0\n\n1 1 0 # corner\n0 1 0.1\n4 0 1 2 3 0.5 0.5 0.5\n3 0 2 3",
        "f");
    EXPECT_EQ(mesh.vertices, (std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0.1}}));
    EXPECT_EQ(mesh.triangles, (Triangles{{0, 1, 2}, {0, 2, 3}, {0, 2, 3}}));
  }
}

// The format knows blanks alone: line ends between records may be any of them, but for the one
// after a face with a colour.
TEST(Off, ReadsRecordsThatAreNoLines) {
  detail::Random random(11);
  const auto often = [&](double part) { return random.uniform(0.0, 1.0) < part; };
  for (int i = 0; i < detail::test::effort(300); ++i) {
    const bool colours = often(0.5);
    const auto blank = [&] { return often(0.3) ? "\n" : often(0.2) ? " # x\n" : " "; };
    std::string text = "OFF\n4 2 0\n";
    std::vector<Vec3> vertices;
    for (int k = 0; k < 4; ++k) {
      vertices.push_back({random.uniform(-9.0, 9.0), static_cast<double>(k), 0.5});
      for (int c = 0; c < 3; ++c)
        text += fmt::format("{}{}", vertices.back()[c], k == 3 && c == 2 ? "\n" : blank());
    }
    text += std::string("4") + blank() + "0 1" + blank() + "2 3" + (colours ? " 9 9 9\n" : blank());
    text += std::string("3") + blank() + "0 2 3" + (colours ? " 0.5 0.5 0.5" : "") + "\n";
    const TriangleMesh mesh = parse_off(text, "f");
    EXPECT_EQ(mesh.vertices, vertices) << text;
    EXPECT_EQ(mesh.triangles, (Triangles{{0, 1, 2}, {0, 2, 3}, {0, 2, 3}})) << text;
  }
  EXPECT_EQ(notes_of<io::parse_off>("OFF 3 1 0\n0 0 0 1 0 0 0 1 0\n3 0 1 2\n"),
            std::vector<std::string>{"f: records are not lines: read as a row of numbers"});
}

TEST(Off, NamesLineAndReason) {
  EXPECT_EQ(error_of(parse_off, ""), "f: the file ends before its keyword OFF");
  EXPECT_EQ(error_of(parse_off, "3 1 0\n"), "f:1: expected the keyword OFF (or COFF, NOFF, STOFF)");
  EXPECT_EQ(error_of(parse_off, "4OFF\n"), "f:1: expected the keyword OFF (or COFF, NOFF, STOFF)");
  EXPECT_EQ(error_of(parse_off, "OFF BINARY\n"), "f:1: binary OFF is not supported");
  EXPECT_EQ(error_of(parse_off, "OFF\n1\n"), "f:2: a whole number is missing");
  EXPECT_EQ(error_of(parse_off, "OFF\n-1 0 0\n"), "f:2: a count must not be negative");
  EXPECT_EQ(error_of(parse_off, "OFF\n353535235358 6 0\n0 0 0\n"),
            "f:3: the file ends before vertex 1 of 353535235358");
  EXPECT_EQ(error_of(parse_off, "OFF\n1 1 0\n0 0 0\n3 0 0 1\n"),
            "f:4: index 1 is out of range (1 vertices)");
  EXPECT_EQ(error_of(parse_off, "OFF\n1 1 0\n0 0 0\n3 0 0 -1\n"),
            "f:4: index -1 is out of range (1 vertices)");
  EXPECT_EQ(error_of(parse_off, "OFF\n1 1 0\n0 0 0\n900000000000 0\n"),
            "f:4: expected 900000000000 corners");
  EXPECT_EQ(error_of(parse_off, "OFF\n1 1 0\n0 0\n"), "f:3: expected three numbers");
}

// A square with an extra property before, between and after those wanted, and an unknown element in
// front.
std::string ply_header(std::string_view format, std::string_view real, std::string_view index) {
  std::string text = "ply\nformat ";
  text.append(format).append(" 1.0\ncomment x\nelement material 1\nproperty uchar shine\n");
  text.append("property list uchar short values\nelement vertex 4\nproperty ").append(real);
  text.append(" x\nproperty uchar red\nproperty ").append(real).append(" y\nproperty ");
  text.append(real).append(" z\nelement face 2\nproperty list uchar ").append(index);
  return text.append(" vertex_indices\nproperty char flag\nend_header\n");
}

void expect_square(const TriangleMesh& mesh, double z) {
  EXPECT_EQ(mesh.vertices, (std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, z}}));
  EXPECT_EQ(mesh.triangles, (Triangles{{0, 1, 2}, {0, 2, 3}, {3, 1, 0}}));
}

TEST(Ply, ReadsText) {
  expect_square(
      parse_ply(ply_header("ascii", "double", "int") +
                    "7 3 -1 -2 -3\n0 9 0 0\n1 9 0 0\n1 9 1 0\n0 9 1 0.1\n4 0 1 2 3 1\n3 3 1 0 1\n",
                "f"),
      0.1);
}

TEST(Ply, ReadsBinaryOfBothByteOrdersAndAllTypes) {
  for (const bool big : {false, true}) {
    for (const bool is_double : {false, true}) {
      for (const auto& [index_name, index_size] : {std::pair("char", 1),
                                                   {"uint8", 1},
                                                   {"int16", 2},
                                                   {"ushort", 2},
                                                   {"int", 4},
                                                   {"uint32", 4}}) {
        const auto real = [&](double x) {
          return is_double ? bytes_of(x, big) : bytes_of(static_cast<float>(x), big);
        };
        std::string data = ply_header(big ? "binary_big_endian" : "binary_little_endian",
                                      is_double ? "double" : "float32", index_name);
        data += '\7' + bytes_of(2, 1, big) + bytes_of(0xffffu, 2, big) + bytes_of(10u, 2, big);
        for (const Vec3& v : {Vec3{0, 0, 0}, Vec3{1, 0, 0}, Vec3{1, 1, 0}, Vec3{0, 1, 0.1}}) {
          data += real(v.x) + '\n' + real(v.y) + real(v.z);
        }
        for (const auto& face : {std::vector<unsigned>{0, 1, 2, 3}, {3, 1, 0}}) {
          data += bytes_of(face.size(), 1, big);
          for (const unsigned i : face) data += bytes_of(i, index_size, big);
          data += '\1';
        }
        expect_square(parse_ply(data, "f"), is_double ? 0.1 : double{0.1f});
        EXPECT_EQ(error_of(parse_ply, data.substr(0, data.size() - 1)),
                  "f: byte " + std::to_string(data.size() - 1) + ": the file ends too early");
      }
    }
  }
}

// Every type as a coordinate, the least value that it holds.
TEST(Ply, TypesAreSignedOrNot) {
  struct Kind {
    const char* name;
    int size;
    std::uint64_t bits;
    double value;
  };
  for (const Kind& kind :
       {Kind{"char", 1, 0x80, -128.0}, Kind{"uchar", 1, 0x80, 128.0},
        Kind{"short", 2, 0x8000, -32768.0}, Kind{"ushort", 2, 0x8000, 32768.0},
        Kind{"int", 4, 0x80000000, -2147483648.0}, Kind{"uint", 4, 0x80000000, 2147483648.0},
        Kind{"float", 4, 0xbf000000, -0.5}, Kind{"double", 8, 0xbfe0000000000000, -0.5}}) {
    for (const bool big : {false, true}) {
      std::string data = std::string("ply\nformat binary_") + (big ? "big" : "little") +
                         "_endian 1.0\nelement vertex 1\n";
      for (const char* axis : {"x", "y", "z"})
        data += std::string("property ") + kind.name + " " + axis + "\n";
      data += "end_header\n";
      for (int i = 0; i < 3; ++i) data += bytes_of(kind.bits, kind.size, big);
      EXPECT_EQ(parse_ply(data, "f").vertices,
                (std::vector<Vec3>{{kind.value, kind.value, kind.value}}))
          << kind.name << big;
    }
  }
}

TEST(Ply, NamesPlaceAndReason) {
  const std::string vertex =
      "element vertex 1\nproperty float x\nproperty float y\nproperty float z\n";
  const std::string text = "ply\nformat ascii 1.0\n";
  EXPECT_EQ(error_of(parse_ply, "PLY\n"), "f:1: expected the keyword ply");
  EXPECT_EQ(error_of(parse_ply, "ply\nformat ascii 2.0\n"), "f:2: only version 1.0 is supported");
  EXPECT_EQ(error_of(parse_ply, "ply\nformat text 1.0\n"),
            "f:2: expected ascii, binary_little_endian or binary_big_endian");
  EXPECT_EQ(error_of(parse_ply, "ply\nend_header\n"), "f:2: the header has no format");
  EXPECT_EQ(error_of(parse_ply, text), "f:2: the file ends inside the header");
  EXPECT_EQ(error_of(parse_ply, text + "property float x\n"),
            "f:3: a property before the first element");
  EXPECT_EQ(error_of(parse_ply, text + "element vertex -1\n"), "f:3: a count must not be negative");
  EXPECT_EQ(error_of(parse_ply, text + "element vertex 1\nproperty real x\n"),
            "f:4: \"real\" is not a type");
  EXPECT_EQ(error_of(parse_ply, text + "element vertex 1\nproperty float x\nend_header\n1\n"),
            "f:5: the element vertex needs one property each x, y and z");
  EXPECT_EQ(error_of(parse_ply, text + vertex + "end_header\n1 2 inf\n"),
            "f:8: \"inf\" is not a finite number");
  EXPECT_EQ(error_of(parse_ply, text + vertex + "element face 1\nend_header\n1 2 3\n"),
            "f:9: the element face needs one list vertex_indices (or vertex_index)");
  const std::string face =
      "element face 1\nproperty list uchar int vertex_index\nend_header\n1 2 3\n";
  EXPECT_EQ(error_of(parse_ply, text + vertex + face + "3 0 0 1\n"),
            "f:11: face 0: index 1 is out of range (1 vertices)");
  EXPECT_EQ(error_of(parse_ply, text + vertex + face + "3 0 0 -1\n"),
            "f:11: -1 is not a valid index");
  EXPECT_EQ(error_of(parse_ply, text + vertex + face + "3 0 0 0.5\n"),
            "f:11: \"0.5\" is no value of its type");
  EXPECT_EQ(error_of(parse_ply, text + vertex + face), "f:10: the file ends too early");
  EXPECT_EQ(error_of(parse_ply, text + vertex + face + "3 0 0\n"),
            "f:11: the record has fewer values than are declared");
  EXPECT_EQ(error_of(parse_ply, text + vertex + face + "300 0 0 0\n"),
            "f:11: \"300\" is no value of its type");
  EXPECT_EQ(error_of(parse_ply, text + vertex + vertex + "end_header\n"),
            "f:7: element vertex stands twice");
  const std::string bomb =
      "ply\nformat binary_little_endian 1.0\nelement nothing 9000000000000000000\n"
      "element vertex 9000000000000000000\nproperty char x\nproperty char y\n"
      "property char z\nend_header\n";
  EXPECT_EQ(error_of(parse_ply, bomb + "abcd"), "f: byte 170: the file ends too early");
  const std::string nan = "ply\nformat binary_big_endian 1.0\n" + vertex + "end_header\n";
  EXPECT_NE(
      error_of(parse_ply, nan + "\x7f\xc0" + std::string(10, '\0')).find("vertex 0 is not finite"),
      std::string::npos);
}

const std::string kTriangle = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";

// All files hold one triangle of three vertices, however their lines end and are joined.
TEST(MeshParsers, ReadLinesAsTheyWereMeant) {
  const auto parts = [](const TriangleMesh& m) { return std::pair(m.vertices, m.triangles); };
  const auto plain = parts(parse_obj(kTriangle, "f"));
  const auto with_ends = [](std::string text, const std::string& end) {
    for (std::size_t i = 0; (i = text.find('\n', i)) != std::string::npos; i += end.size())
      text.replace(i, 1, end);
    return text;
  };
  const std::string off = "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
  const std::string stl =
      "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\n"
      "endfacet\nendsolid\n";
  const std::string ply =
      "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
      "property float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n"
      "0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
  for (const char* end : {"\n", "\r\n", "\r"}) {
    for (const char* mark : {"", "\xef\xbb\xbf"}) {
      EXPECT_EQ(parts(parse_obj(mark + with_ends(kTriangle, end), "f")), plain);
      EXPECT_EQ(parts(parse_off(mark + with_ends(off, end), "f")), plain);
      EXPECT_EQ(parts(parse_stl(mark + with_ends(stl, end), "f")), plain);
      EXPECT_EQ(parts(parse_ply(mark + with_ends(ply, end), "f")), plain);
    }
    EXPECT_EQ(error_of(parse_obj, with_ends("v 0 0 0\n\nv 0 0\n", end)),
              "f:3: expected three numbers");
    EXPECT_EQ(
        parts(parse_obj(with_ends("v 0 0 0\nv 1 \\\n0 0\nv 0 1 0\\\n\nf 1\\\n\\\n 2 3", end), "f")),
        plain);
    // Binary numbers begin right behind the header, also with the byte of a line feed.
    const std::string binary =
        with_ends(
            "ply\nformat binary_little_endian 1.0\nelement vertex 1\nproperty uchar x\n"
            "property uchar y\nproperty uchar z\nend_header\n",
            end) +
        "\n\r\x07";
    EXPECT_EQ(parse_ply(binary, "f").vertices, (std::vector<Vec3>{{10, 13, 7}}));
  }
  // A comment ends with its line: paths end with a backslash.
  EXPECT_EQ(parts(parse_obj("# C:\\models\\\n" + kTriangle, "f")), plain);
  EXPECT_EQ(error_of(parse_obj, "\xff\xfev 0"), "f: is text in UTF-16: save it as UTF-8");
}

// The rule of docs/guide/files.md: what leaves the rest in no doubt is a warning.
TEST(MeshParsers, WarnOfWhatTheyLeaveOut) {
  using Notes = std::vector<std::string>;
  EXPECT_EQ(notes_of<io::parse_obj>(kTriangle + "vt 0 0\nvn 0 0 1\ns 1\nusemtl x\nl 1 2\n"),
            Notes{});
  EXPECT_EQ(
      notes_of<io::parse_obj>(kTriangle + "f 1 2\nf\nf 1\nwhat 1\nv 1 2 3 x\ncurv 0 1 1 2\n"
                                          "call a.obj\nf 1/x 2 3\n"),
      (Notes{"f:5: a face of fewer than three corners is left out (and 2 more)",
             "f:8: unknown statement \"what\"", "f:9: a vertex has more than it may have",
             "f:10: free-form curves and surfaces are left out", "f:11: \"call\" is not followed",
             "f:12: corner \"1/x\" is not understood behind its vertex"}));
  EXPECT_EQ(notes_of<io::parse_off>("OFF\n3 2 0 7\n0 0 0 9\n1 0 0\n0 1 0\n3 0 1 2 0 0 0 1 1\n"
                                    "2 0 1\nrest\n"),
            (Notes{"f:2: more than three counts", "f:3: a vertex of OFF has more than its values",
                   "f:6: a face has more than corners and a colour",
                   "f:7: a face of fewer than three corners is left out",
                   "f:8: data behind the end is left out"}));
  // Words are told in valid UTF-8, whatever they are.
  EXPECT_EQ(notes_of<io::parse_obj>(kTriangle + "\xe9tat 1\n\xc3\xa9tat 1\n\xed\xa0\x80\x01 1\n"),
            (Notes{"f:5: unknown statement \"?tat\"", "f:6: unknown statement \"\xc3\xa9tat\"",
                   "f:7: unknown statement \"????\""}));
  EXPECT_EQ(notes_of<io::parse_off>("COFF\n1 0 0\n0 0 0 255 0 0 255\n"), Notes{});
  EXPECT_EQ(notes_of<io::parse_stl>(std::string(kTextStl) + "rest\n"),
            Notes{"f:19: data behind the end is left out"});
  EXPECT_EQ(notes_of<io::parse_stl>("solid\ncolour 1\nfacet normal 0 0 1 2\nvertex 0 0 0 1\n"
                                    "vertex 1 0 0\nvertex 0 1 0\nendfacet\nendsolid\n"),
            (Notes{"f:2: unknown statement \"colour\"", "f:3: a facet has more than its normal",
                   "f:4: a vertex has more than three values"}));
  EXPECT_EQ(notes_of<io::parse_stl>(binary_stl({{0, 0, 0, 1, 0, 0, 0, 1, 0}}, "x") + "ab"),
            Notes{"f: 2 bytes behind the end are left out"});
  const std::string header =
      "ply\nformat ascii 1.0\nwhat\nelement vertex 3\nproperty float x\nproperty float y\n"
      "property float z\nproperty uchar red\nproperty float quality\nelement edge 1\n"
      "property int vertex1\nelement face 2\nproperty list uchar int vertex_indices\nend_header\n";
  EXPECT_EQ(notes_of<io::parse_ply>(header + "0 0 0 300 nan\n1 0 0 5 x\n0 1 0 1 1 7\n0\n3 0 1 2\n"
                                             "2 0 1\n9\n"),
            (Notes{"f:3: unknown statement \"what\"",
                   "f:15: a value that is skipped is not of its type (and 1 more)",
                   "f:17: a record has more values than are declared",
                   "f:17: element \"edge\" is left out",
                   "f:20: a face of fewer than three corners is left out",
                   "f:21: data behind the end is left out"}));
  EXPECT_EQ(
      notes_of<io::parse_ply>(header + "0 0 0 3 1 1 0 0 5 1 0 1 0 1\n1 0 3 0 1 2 3 0 2 1\n").back(),
      "f:16: records are not lines: read as a row of numbers");
}

TEST(Ply, ReadsStrips) {
  const std::string header =
      "ply\nformat ascii 1.0\nelement vertex 5\nproperty float x\nproperty float y\n"
      "property float z\nelement tristrips 1\nproperty list int int vertex_indices\nend_header\n"
      "0 0 0\n1 0 0\n0 1 0\n1 1 0\n0 2 0\n";
  EXPECT_EQ(parse_ply(header + "9 0 1 2 3 4 -1 0 1 2\n", "f").triangles,
            (Triangles{{0, 1, 2}, {2, 1, 3}, {2, 3, 4}, {0, 1, 2}}));
  EXPECT_EQ(error_of(parse_ply, header + "3 0 1 5\n"), "f:15: strip 0: 5 is not a valid index");
}

// Whatever the bytes: a mesh whose indices are in range, or an error.
template <class Parse>
void expect_mesh_or_error(Parse parse, std::string_view data) {
  try {
    const TriangleMesh mesh = parse(data, "f");
    for (const Vec3& v : mesh.vertices) ASSERT_TRUE(is_finite(v));
    for (const auto& triangle : mesh.triangles) {
      for (const std::uint32_t i : triangle) ASSERT_LT(i, mesh.vertices.size());
    }
  } catch (const FileError& error) {
    ASSERT_EQ(std::string_view(error.what()).substr(0, 2), "f:");
  }
}

TEST(MeshParsers, SurviveDamage) {
  const std::string obj = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1/2/3 2//1 -1\nf 1 2 3\n";
  const std::string off = "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
  const std::string stl = binary_stl({{0, 0, 0, 1, 0, 0, 0, 1, 0}}, "");
  const std::string ply = ply_header("ascii", "double", "int") +
                          "7 1 5\n0 9 0 0\n1 9 0 0\n1 9 1 0\n0 9 1 0\n3 0 1 2 1\n3 3 1 0 1\n";
  const std::string binary_ply =
      ply_header("binary_little_endian", "float", "uchar") + std::string(90, '\3');
  const NamedMesh square{"", {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}}};
  const std::string glb = glb_content({&square, 1});
  Random random(1);
  for (int i = 0; i < test::effort(20000); ++i) {
    const std::string* originals[] = {&obj, &off, &stl, &ply, &binary_ply, &glb};
    std::string data = *originals[random.below(6)];
    for (std::uint32_t k = random.below(4); k > 0; --k) {
      const std::uint32_t at = random.below(static_cast<std::uint32_t>(data.size()));
      data[at] = static_cast<char>(random.below(256));
    }
    if (random.below(3) == 0) data.resize(random.below(static_cast<std::uint32_t>(data.size())));
    expect_mesh_or_error(parse_obj, data);
    expect_mesh_or_error(parse_off, data);
    expect_mesh_or_error(parse_stl, data);
    expect_mesh_or_error(parse_ply, data);
    expect_mesh_or_error(parse_gltf, data);
    if (HasFatalFailure()) return;
  }
}

class MeshFiles : public testing::Test {
 protected:
  std::filesystem::path write(const std::string& name, std::string_view content) {
    const std::filesystem::path file = folder_ / name;
    std::ofstream(file, std::ios::binary) << content;
    return file;
  }
  static std::string error_of(const std::filesystem::path& file) {
    try {
      read_mesh(file);
    } catch (const FileError& error) {
      return error.what();
    }
    return "";
  }

  test::TemporaryFolder folder_;
};

TEST_F(MeshFiles, AreToldApartByTheirExtension) {
  EXPECT_EQ(read_mesh(write("a.OBJ", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")).triangles.size(), 1u);
  EXPECT_EQ(read_mesh(write("a.off", "OFF\n3 1\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n")).triangles.size(),
            1u);
  EXPECT_EQ(read_mesh(write("a.Stl", kTextStl)).triangles.size(), 2u);
  const std::string ply = ply_header("ascii", "float", "int") +
                          "7 0\n0 9 0 0\n1 9 0 0\n1 9 1 0\n0 9 1 0\n3 0 1 2 1\n3 3 1 0 1\n";
  EXPECT_EQ(read_mesh(write("a.ply", ply)).triangles.size(), 2u);
}

TEST_F(MeshFiles, NameTheFileAndTheReason) {
  const std::string missing = (folder_ / "none.obj").string();
  EXPECT_EQ(error_of(missing), missing + ": does not exist");
  EXPECT_EQ(error_of(folder_.path()), folder_.path().string() + ": is not a file");
  const auto empty = write("empty.obj", "");
  EXPECT_EQ(error_of(empty), empty.string() + ": vertices: must not be empty");
  const auto points = write("points.obj", "v 0 0 0\n");
  EXPECT_EQ(error_of(points), points.string() + ": triangles: must not be empty");
  const auto broken = write("broken.obj", "v 0 0\n");
  EXPECT_EQ(error_of(broken), broken.string() + ":1: expected three numbers");
  const auto unknown = write("what.xyz123", "v 0 0\n");
  EXPECT_EQ(error_of(unknown).substr(0, unknown.string().size() + 2), unknown.string() + ": ");
}

TEST_F(MeshFiles, GivePointsWithoutFaces) {
  const auto points = read_points(write("points.obj", "v 0 0 0\nv 1 2 3\n"));
  EXPECT_EQ(points, (std::vector<Vec3>{{0, 0, 0}, {1, 2, 3}}));
  EXPECT_THROW(read_points(write("empty.obj", "# nothing\n")), FileError);
}

TEST_F(MeshFiles, OfOtherFormatsComeThroughAssimpWelded) {
  // RAW: a triangle per line. Two triangles of a square share an edge.
  const auto file = write("square.raw", "0 0 0 1 0 0 1 1 0\n0 0 0 1 1 0 0 1 0\n");
  if (TACTUS_WITH_ASSIMP == 0) GTEST_SKIP() << "built without assimp, which reads RAW";
  const TriangleMesh mesh = read_mesh(file);
  EXPECT_EQ(mesh.vertices.size(), 4u);
  EXPECT_EQ(mesh.triangles.size(), 2u);
  EXPECT_EQ(convex_hull(mesh.vertices).vertices.size(), 4u);
}

const std::filesystem::path kModels = "/usr/share/assimp/models";

TEST(TestModels, HaveTheSameBodyInEveryFormat) {
  if (!std::filesystem::exists(kModels))
    GTEST_SKIP() << "Debian's assimp-testmodels is not installed";
  const double volume = mass_properties(read_mesh(kModels / "STL/Spider_ascii.stl")).volume;
  EXPECT_NEAR(mass_properties(read_mesh(kModels / "STL/Spider_binary.stl")).volume, volume,
              1e-4 * volume);
  for (const char* name : {"OBJ/WusonOBJ.obj", "STL/Wuson.stl", "PLY/Wuson.ply", "OFF/Wuson.off"}) {
    const ConvexHull hull = convex_hull(read_points(kModels / name));
    EXPECT_NEAR(mass_properties(hull).volume, 2.22971, 1e-4) << name;
  }
}

}  // namespace
}  // namespace tactus::io
