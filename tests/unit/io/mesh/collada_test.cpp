#include "tactus/io/mesh/collada.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "tactus/core.hpp"
#include "tactus/io.hpp"
#include "tests/support/folder.hpp"

namespace tactus::io {
using namespace detail;
namespace {

constexpr const char* kXyz =
    "<param name=\"X\"/><param type='float' name = 'Y' /><param name=\"Z\"/>";

// A tetrahedron, whose source of places has these parameters.
std::string tetrahedron(const std::string& params) {
  return R"(<?xml version="1.0"?><COLLADA version="1.4.1"><asset><up_axis>Z_UP</up_axis></asset>
<library_geometries><geometry id="g"><mesh><!-- <accessor> --><source id="corners">
<float_array id="f" count="12">0 0 0 1 0 0 0 1 0 0 0 1</float_array><technique_common>
<accessor source="#f" count="4" stride="3">)" +
         params + R"(</accessor></technique_common></source>
<source id="texture"><float_array id="t" count="2">0 1</float_array><technique_common>
<accessor source="#t" count="1" stride="2"/></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#corners"/></vertices>
<triangles count="4"><input semantic="VERTEX" source="#v" offset="0"/>
<p>0 2 1 0 1 3 0 3 2 1 2 3</p></triangles></mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node><instance_geometry url="#g"/></node>
</visual_scene></library_visual_scenes><scene><instance_visual_scene url="#s"/></scene></COLLADA>)";
}

std::string error_of(const std::string& content) {
  try {
    require_named_coordinates(content, FileNotes("f.dae"));
  } catch (const FileError& error) {
    return error.what();
  }
  return "";
}

TEST(Collada, RefusesPlacesWhoseCoordinatesHaveNoNames) {
  const auto lacks = [](const char* name) {
    return std::string("f.dae:4: <accessor> of \"corners\": no <param> is called ") + name +
           ": coordinates are known by their names";
  };
  EXPECT_EQ(error_of(tetrahedron(kXyz)), "");
  EXPECT_EQ(error_of(tetrahedron("")), lacks("X"));
  EXPECT_EQ(error_of(tetrahedron("<param/><param/><param/>")), lacks("X"));
  EXPECT_EQ(error_of(tetrahedron("<param name=\"X\"/><param name=\"Y\"/>")), lacks("Z"));
  EXPECT_EQ(error_of(tetrahedron("<!--" + std::string(kXyz) + "-->")), lacks("X"));
  std::string empty = tetrahedron("");
  empty.replace(empty.find("></accessor>"), 12, "/>");
  EXPECT_EQ(error_of(empty), lacks("X"));
}

// Bytes of no sense must end, with or without an error.
TEST(Collada, EndsOnCutFiles) {
  const std::string whole = tetrahedron(kXyz);
  for (std::size_t size = 0; size <= whole.size(); ++size) error_of(whole.substr(0, size));
}

TEST(Collada, TheReaderOfMeshesAsks) {
  if (TACTUS_WITH_ASSIMP == 0) GTEST_SKIP() << "built without assimp, which reads COLLADA";
  const test::TemporaryFolder folder;
  const auto file = folder.path() / "t.dae";
  std::ofstream(file) << tetrahedron(kXyz);
  EXPECT_EQ(read_mesh(file).vertices.size(), 4u);
  std::ofstream(file) << tetrahedron("");
  EXPECT_THROW(read_mesh(file), FileError);
}

}  // namespace
}  // namespace tactus::io
