#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "tactus/core.hpp"
#include "tactus/core/random.hpp"
#include "tactus/io.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/folder.hpp"

namespace tactus::io {
using namespace detail;
namespace {

// Vertices that differ, so that merging equal ones keeps them all, and each in a triangle.
TriangleMesh random_mesh(Random& random, bool single) {
  TriangleMesh mesh;
  const std::uint32_t n = 3 + random.below(20);
  for (std::uint32_t i = 0; i < n; ++i) {
    Vec3 v{random.uniform(-9.0, 9.0) + 20.0 * i, random.uniform(-1e-9, 1e9),
           random.uniform(0.0, 1e-3)};
    if (single) {
      for (int k = 0; k < 3; ++k) v[k] = static_cast<double>(static_cast<float>(v[k]));
    }
    mesh.vertices.push_back(v);
  }
  for (std::uint32_t i = 0; i + 2 < n; ++i) mesh.triangles.push_back({i, i + 1, i + 2});
  return mesh;
}

std::vector<std::array<Vec3, 3>> corners_of(const std::vector<NamedMesh>& objects) {
  std::vector<std::array<Vec3, 3>> out;
  for (const NamedMesh& object : objects) {
    for (const auto& t : object.mesh.triangles) {
      const auto& v = object.mesh.vertices;
      out.push_back({v[t[0]], v[t[1]], v[t[2]]});
    }
  }
  return out;
}

// Written meshes are read with the same corners in the same order, to the last bit where the format
// has doubles and for coordinates that single precision holds.
TEST(MeshWriter, WritesWhatItsReadersRead) {
  const test::TemporaryFolder folder;
  Random random(11);
  for (int i = 0; i < test::effort(40); ++i) {
    for (const std::string ending : {".obj", ".ply", ".off", ".stl", ".glb", ".OBJ", ".Stl"}) {
      const bool single = ending == ".stl" || ending == ".glb" || ending == ".Stl";
      std::vector<NamedMesh> objects;
      for (std::uint32_t k = 1 + random.below(3); k > 0; --k) {
        NamedMesh object{"part " + std::to_string(k), random_mesh(random, single)};
        for (Vec3& v : object.mesh.vertices) v.x += 1000.0 * k;  // apart from each other
        if (single) {
          for (Vec3& v : object.mesh.vertices) v.x = static_cast<double>(static_cast<float>(v.x));
        }
        objects.push_back(std::move(object));
      }
      const auto file = folder.path() / ("m" + ending);
      ASSERT_TRUE(is_mesh_output(file));
      write_meshes(file, objects);
      MeshReadOptions options;
      std::vector<std::string> warnings;
      options.warnings = &warnings;
      const TriangleMesh read = read_mesh(file, options);
      EXPECT_EQ(warnings, std::vector<std::string>());
      EXPECT_EQ(corners_of({{"", read}}), corners_of(objects)) << ending;
      if (!single && objects.size() == 1) {
        EXPECT_EQ(read.vertices, objects[0].mesh.vertices);
      }
    }
  }
}

TEST(MeshWriter, RefusesOtherEndingsAndWhatAFormatCannotHold) {
  const test::TemporaryFolder folder;
  const NamedMesh good{"", {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}}};
  NamedMesh far = good;
  far.mesh.vertices[1].x = 1e39;
  const auto refused = [&](const char* name, const NamedMesh& mesh) -> std::string {
    try {
      write_meshes(folder.path() / name, {&mesh, 1});
    } catch (const InvalidInput& error) {
      return error.what();
    }
    return "";
  };
  for (const char* name : {"a.txt", "a.dae", "a", "obj", "a.obj.gz", "a.json"})
    EXPECT_EQ(refused(name, good), "file: must end in one of .obj, .stl, .ply, .off, .glb") << name;
  for (const char* name : {"a.stl", "a.glb"})
    EXPECT_EQ(refused(name, far),
              "objects[0].vertices[1]: is beyond the single precision of this format");
  EXPECT_EQ(refused("a.ply", far), "");
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "a.stl"));
}

TEST(MeshReader, KeepsTheNamesOfObjects) {
  const test::TemporaryFolder folder;
  const TriangleMesh triangle{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}};
  // In OBJ, what has no name belongs to the object before it.
  const NamedMesh objects[] = {{"", triangle}, {"left arm", triangle}, {"right arm", triangle}};
  for (const char* name : {"a.glb", "a.obj"}) {
    const auto file = folder.path() / name;
    write_meshes(file, objects);
    const std::vector<NamedMesh> found = read_objects(file);
    ASSERT_EQ(found.size(), 3u) << name;
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(found[i].name, objects[i].name) << name;
      EXPECT_EQ(found[i].mesh.vertices, triangle.vertices) << name;
      EXPECT_EQ(found[i].mesh.triangles, triangle.triangles) << name;
    }
  }
}

// The reader of numbers as they are; --up turns by rotations.
TEST(MeshReader, TurnsWhatIsUpToZ) {
  const test::TemporaryFolder folder;
  const auto file = folder.path() / "t.obj";
  std::ofstream(file) << "v 1 2 3\nv 0 0 0\nv 0 1 0\nf 1 2 3\n";
  const auto first = [&](UpAxis up) {
    MeshReadOptions options;
    options.up = up;
    EXPECT_EQ(read_points(file, options)[0], read_mesh(file, options).vertices[0]);
    EXPECT_EQ(read_objects(file, options)[0].mesh.vertices[0], read_points(file, options)[0]);
    return read_points(file, options)[0];
  };
  EXPECT_EQ(first(UpAxis::as_it_is), (Vec3{1, 2, 3}));
  EXPECT_EQ(first(UpAxis::z), (Vec3{1, 2, 3}));
  EXPECT_EQ(first(UpAxis::y), (Vec3{1, -3, 2}));
  EXPECT_EQ(first(UpAxis::x), (Vec3{-2, -3, 1}));
}

}  // namespace
}  // namespace tactus::io
