#include "tactus/io/mesh/surface_json.hpp"

#include <gtest/gtest.h>

#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tactus/core.hpp"
#include "tactus/core/random.hpp"
#include "tactus/io/json/json_shape.hpp"
#include "tactus/io/json/json_text.hpp"
#include "tests/support/effort.hpp"

namespace tactus::io {
namespace {

TriangleMesh read(const std::string& text) {
  FileNotes notes("f.json");
  return parse_json_surface(text, notes);
}

std::string error_of(const std::string& text) {
  try {
    read(text);
  } catch (const FileError& error) {
    return error.what();
  }
  return "";
}

// Meshes have the same bits, hulls the same vertices, parts stand one after the other.
TEST(SurfaceJson, ReadsWhatShapesAreWrittenAs) {
  detail::Random random(5);
  for (int i = 0; i < detail::test::effort(50); ++i) {
    TriangleMesh mesh;
    const auto count = static_cast<std::uint32_t>(random.uniform(4.0, 12.0));
    for (std::uint32_t k = 0; k < count; ++k) {
      const double x = random.uniform(-1.0, 1.0), y = random.uniform(-1.0, 1.0);
      mesh.vertices.push_back({x, y, random.uniform(-1e-3, 1e6)});
    }
    for (std::uint32_t k = 0; k + 2 < count; ++k) mesh.triangles.push_back({k, k + 1, k + 2});
    const nlohmann::json as_mesh = shape_to_json(Mesh(mesh));
    const TriangleMesh back = read(json_dump(as_mesh));
    EXPECT_EQ(back.vertices, mesh.vertices);
    EXPECT_EQ(back.triangles, mesh.triangles);
    const Convex hull(mesh.vertices);
    const nlohmann::json as_hull = shape_to_json(hull);
    EXPECT_EQ(read(json_dump(as_hull)).vertices, hull.hull().vertices);
    const nlohmann::json parts = {{"parts", {{{"shape", as_mesh}}, {{"shape", as_hull}}}}};
    const TriangleMesh both = read(json_dump(parts, 1));
    EXPECT_EQ(both.vertices.size(), mesh.vertices.size() + hull.hull().vertices.size());
    EXPECT_EQ(both.triangles.back()[0] >= mesh.vertices.size(), true);
  }
}

TEST(SurfaceJson, NamesTheFault) {
  EXPECT_EQ(error_of(R"({"type":"sphere","radius":1})"),
            "f.json: is a sphere: only mesh, convex and compounds of them are surfaces");
  EXPECT_EQ(error_of(R"({"type":"mesh","file":"f.json"})"),
            "f.json: file: is not followed from a surface: give its vertices");
  EXPECT_EQ(error_of(R"({"parts":[{"shape":{"type":"compound","file":"f.json"}}]})"),
            "f.json: file: is not followed from a surface: give its vertices");
  EXPECT_NE(error_of(R"({"type":"convex","vertices":[[0,0,0],[1,0,0],[0,1,0]],"rounding":1})")
                .find("rounding radius"),
            std::string::npos);
  EXPECT_EQ(error_of(std::string(200000, '[')), "f.json: nested deeper than 100 levels");
  EXPECT_EQ(error_of("[]"), "f.json: must be an object, not array");
}

}  // namespace
}  // namespace tactus::io
