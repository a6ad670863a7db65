#include "tactus/io/format/gltf/gltf.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "tactus/core.hpp"
#include "tactus/io/format/write/writers.hpp"

namespace tactus::io {
namespace {

using Triangles = std::vector<std::array<std::uint32_t, 3>>;

// Four corners of a square in float32: (0,0,0), (1,0,0), (0,1,0), (1,1,0).
constexpr const char* kSquare = "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAACAPwAAgD8AAAAA";

std::string file_of(const std::string& node, const std::string& primitive) {
  return R"({"asset":{"version":"2.0"},"nodes":[{"mesh":0)" + node +
         R"(}],"meshes":[{"primitives":[{"attributes":{"POSITION":0})" + primitive +
         R"(}]}],"accessors":[{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3"}],)"
         R"("bufferViews":[{"buffer":0,"byteLength":48}],)"
         R"("buffers":[{"byteLength":48,"uri":"data:application/octet-stream;base64,)" +
         kSquare + R"("}]})";
}

TriangleMesh read(const std::string& content, std::vector<std::string>* warnings = nullptr) {
  FileNotes notes("f");
  TriangleMesh mesh = parse_gltf(content, notes);
  if (warnings != nullptr) *warnings = notes.warnings();
  return mesh;
}

std::string error_of(const std::string& content) {
  try {
    read(content);
  } catch (const FileError& error) {
    return error.what();
  }
  return "";
}

TEST(Gltf, ReadsStripsAndFansAndPlacesThem) {
  const TriangleMesh strip = read(file_of("", R"(,"mode":5)"));
  EXPECT_EQ(strip.vertices, (std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}));
  EXPECT_EQ(strip.triangles, (Triangles{{0, 1, 2}, {1, 3, 2}}));
  const TriangleMesh fan = read(
      file_of(R"(,"translation":[5,0,0],"rotation":[0,0,0,1],"scale":[2,3,4])", R"(,"mode":6)"));
  EXPECT_EQ(fan.vertices, (std::vector<Vec3>{{5, 0, 0}, {7, 0, 0}, {5, 3, 0}, {7, 3, 0}}));
  EXPECT_EQ(fan.triangles, (Triangles{{0, 1, 2}, {0, 2, 3}}));
  // By columns: x and y change places, which mirrors.
  const TriangleMesh mirrored =
      read(file_of(R"(,"matrix":[0,1,0,0,1,0,0,0,0,0,1,0,0,0,9,1])", R"(,"mode":5)"));
  EXPECT_EQ(mirrored.vertices[1], (Vec3{0, 1, 9}));
  EXPECT_EQ(mirrored.triangles, (Triangles{{0, 2, 1}, {1, 2, 3}}));
}

TEST(Gltf, NamesTheReason) {
  EXPECT_EQ(error_of(R"({"a":)" + std::string(200000, '[')), "f: nested deeper than 100 levels");
  EXPECT_EQ(error_of("{"), "f: is no glTF: no JSON object");
  EXPECT_EQ(error_of(R"({"asset":{"version":"1.0"}})"), "f: only glTF 2 is read (asset.version)");
  EXPECT_EQ(error_of(file_of("", R"(,"mode":7)")), "f: mode 7 of a primitive is not known");
  EXPECT_EQ(error_of(file_of("", R"(,"indices":0)")),
            "f: accessors[0] has another type than its use");
  EXPECT_EQ(error_of(file_of("", R"(,"indices":9)")), "f: accessors[9] does not exist");
  EXPECT_EQ(error_of(file_of(R"(,"children":[0])", "")), "f: nodes stand in a circle");
  std::string twice = file_of("", "");
  twice.insert(1, R"("scenes":[{"nodes":[0,0]}],)");
  EXPECT_EQ(error_of(twice), "f: nodes[0] has two parents");
  EXPECT_EQ(error_of(file_of(R"(,"scale":[1,2])", "")), "f: scale of a node must be 3 numbers");
  EXPECT_EQ(error_of(file_of(R"(,"rotation":[1,1,0,0])", "")),
            "f: a rotation must be a unit quaternion");
  EXPECT_EQ(
      error_of(R"({"asset":{"version":"2.0"},"buffers":[{"byteLength":4,"uri":"no%20file"}]})"),
      "f: no file: does not exist");
  EXPECT_EQ(
      error_of(
          R"({"asset":{"version":"2.0"},"extensionsRequired":["KHR_draco_mesh_compression"]})"),
      "f: needs the extension KHR_draco_mesh_compression, which is not read");
  std::string far = file_of("", "");
  far.replace(far.find("\"count\":4"), 9, "\"count\":5");
  EXPECT_EQ(error_of(far), "f: an accessor reaches beyond bufferViews[0]");
}

TEST(Gltf, WarnsOfWhatItLeavesOut) {
  std::vector<std::string> warnings;
  read(file_of("", R"(,"mode":1)"), &warnings);
  EXPECT_EQ(warnings, std::vector<std::string>{"f: points and lines are left out"});
  read(file_of(R"(,"skin":0)", R"(,"targets":[])"), &warnings);
  EXPECT_EQ(warnings,
            (std::vector<std::string>{"f: skins are left out: meshes stand as their nodes do",
                                      "f: morph targets are left out",
                                      "f: corners beyond whole triangles are left out"}));
}

// A triangle, which three nodes place: one with a name, one with a mesh that has one, one without.
std::string named_nodes(const std::string& first_name) {
  std::string file = file_of(R"(,"name":")" + first_name + R"(","children":[1,2])", "");
  const auto put = [&](const std::string& behind, const std::string& text) {
    file.insert(file.find(behind) + behind.size(), text);
  };
  put(R"("children":[1,2]})", R"(,{"mesh":1,"translation":[0,0,5]},{"mesh":0,"scale":[2,2,2]})");
  put(R"({"POSITION":0}}]})",
      R"(,{"name":"plate","primitives":[{"mode":5,"attributes":{"POSITION":0}}]})");
  return file;
}

TEST(Gltf, KeepsTheNamesOfNodes) {
  FileNotes notes("f");
  const auto objects = parse_gltf_objects(named_nodes("arm"), notes);
  ASSERT_EQ(objects.size(), 3u);
  EXPECT_EQ(objects[0].name, "arm");
  EXPECT_EQ(objects[0].mesh.vertices.size(), 4u);
  EXPECT_EQ(objects[0].mesh.triangles, (Triangles{{0, 1, 2}}));
  EXPECT_EQ(objects[1].name, "plate");
  EXPECT_EQ(objects[1].mesh.vertices,
            (std::vector<Vec3>{{0, 0, 5}, {1, 0, 5}, {0, 1, 5}, {1, 1, 5}}));
  EXPECT_EQ(objects[1].mesh.triangles, (Triangles{{0, 1, 2}, {1, 3, 2}}));
  EXPECT_EQ(objects[2].name, "");
  EXPECT_EQ(objects[2].mesh.vertices[3], (Vec3{2, 2, 0}));
  // As one mesh they share the corner that lies at the same place.
  EXPECT_EQ(read(named_nodes("arm")).vertices.size(), 11u);
}

TEST(Gltf, NamesAreOfOneLine) {
  FileNotes notes("f");
  EXPECT_EQ(parse_gltf_objects(named_nodes(R"(two\nlines)"), notes)[0].name, "two lines");
  ASSERT_EQ(notes.warnings().size(), 2u);
  EXPECT_EQ(notes.warnings()[0], "f: corners beyond whole triangles are left out (and 1 more)");
  EXPECT_EQ(notes.warnings()[1], "f: control characters of names become spaces");
  std::string number = named_nodes("arm");
  number.replace(number.find(R"("arm")"), 5, "7");
  EXPECT_THROW(parse_gltf_objects(number, notes), FileError);
}

// Chunks that do not begin at multiples of four: padded without saying so, or not padded at all.
TEST(Gltf, ReadsUnalignedChunks) {
  const NamedMesh square{"s", {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}}};
  const std::string aligned = glb_content({&square, 1});
  const auto length =
      static_cast<unsigned char>(aligned[12]) + 256u * static_cast<unsigned char>(aligned[13]);
  const std::string json = aligned.substr(20, length), rest = aligned.substr(20 + length);
  const auto with = [&](const std::string& text, std::size_t declared) {
    std::string out = "glTF";
    append_little_endian(out, std::uint32_t{2});
    append_little_endian(out, static_cast<std::uint32_t>(20 + text.size() + rest.size()));
    append_little_endian(out, static_cast<std::uint32_t>(declared));
    return out + "JSON" + text + rest;
  };
  for (std::size_t spaces = 0; spaces < 8; ++spaces) {
    const std::string text = json.substr(0, json.find_last_of('}') + 1) + std::string(spaces, ' ');
    const TriangleMesh bare = read(with(text, text.size()));
    EXPECT_EQ(bare.vertices, square.mesh.vertices);
    EXPECT_EQ(bare.triangles, square.mesh.triangles);
    if ((20 + text.size()) % 4 == 0) {
      EXPECT_EQ(read(with(text, text.size() - std::min<std::size_t>(spaces, 3))).vertices,
                square.mesh.vertices);
    }
  }
  std::vector<std::string> warnings;
  read(aligned + "xy", &warnings);
  EXPECT_EQ(warnings, std::vector<std::string>{"f: 2 bytes behind the end are left out"});
  EXPECT_EQ(error_of(aligned.substr(0, aligned.size() - 1)).substr(0, 12), "f: declares ");
}

}  // namespace
}  // namespace tactus::io
