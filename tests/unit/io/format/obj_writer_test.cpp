#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "tactus/core.hpp"
#include "tactus/io.hpp"

namespace tactus::io {
using namespace detail;
namespace {

std::filesystem::path fresh_file(const char* name) {
  const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / name;
  std::filesystem::remove(file);
  return file;
}

TriangleMesh tetrahedron(double size) {
  return {{{0, 0, 0}, {size, 0, 0}, {0, size, 0}, {0, 0, size}},
          {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}};
}

TEST(ObjWriter, ReadsBackBitForBit) {
  const auto file = fresh_file("tactus_obj_writer.obj");
  TriangleMesh odd = tetrahedron(1.0 / 3.0);
  odd.vertices[0] = {-0.1, 5e-324, 1.7976931348623157e308};
  odd.vertices[1] = {0.1 + 0.2, -1e-17, 123456789.123456789};
  const std::vector<NamedMesh> objects = {{"first part", odd}, {"", tetrahedron(2.0)}};
  write_obj(file, objects);

  const TriangleMesh read = read_mesh(file);
  std::vector<Vec3> vertices = odd.vertices;
  const auto second = tetrahedron(2.0);
  vertices.insert(vertices.end(), second.vertices.begin(), second.vertices.end());
  EXPECT_EQ(read.vertices, vertices);
  ASSERT_EQ(read.triangles.size(), 8u);
  EXPECT_EQ(read.triangles[0], odd.triangles[0]);
  for (std::size_t t = 0; t < 4; ++t) {
    for (std::size_t k = 0; k < 3; ++k)
      EXPECT_EQ(read.triangles[4 + t][k], second.triangles[t][k] + 4);
  }
  std::stringstream text;
  text << std::ifstream(file).rdbuf();
  EXPECT_EQ(text.str().rfind("o first part\nv -0.1 5e-324 ", 0), 0u) << text.str();
}

TEST(ObjWriter, RefusesWhatCannotBeReadAgain) {
  const auto file = fresh_file("tactus_obj_refused.obj");
  const auto refused = [&](const NamedMesh& object) -> std::string {
    try {
      write_obj(file, std::vector<NamedMesh>{{"good", tetrahedron(1.0)}, object});
    } catch (const InvalidInput& error) {
      return error.field();
    }
    return "";
  };
  EXPECT_EQ(refused({"two\nlines", tetrahedron(1.0)}), "objects[1].name");
  TriangleMesh broken = tetrahedron(1.0);
  broken.vertices[2].y = std::numeric_limits<double>::infinity();
  EXPECT_EQ(refused({"infinite", broken}), "objects[1].vertices[2]");
  broken = tetrahedron(1.0);
  broken.triangles[3][1] = 4;
  EXPECT_EQ(refused({"out of range", broken}), "objects[1].triangles[3]");
  EXPECT_FALSE(std::filesystem::exists(file));
  EXPECT_THROW(write_obj("/nowhere/at/all.obj", {}), FileError);
}

}  // namespace
}  // namespace tactus::io
