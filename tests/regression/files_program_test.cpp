#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/program.hpp"

// Files as their authors meant them, by the commands: outputs obey their endings, warnings go to
// standard error, axes are turned when asked for.
namespace {

using nlohmann::json;
using tactus::detail::test::ProgramTest;

constexpr const char* kTetrahedron =
    "v 0 0 0\nv 1 0 0\nv 0 2 0\nv 0 0 3\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

class FilesProgram : public ProgramTest {
 protected:
  FilesProgram() : ProgramTest("") { write("a.obj", kTetrahedron); }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }
  json box_of(const std::string& arguments) {
    EXPECT_EQ(run("mesh " + arguments + " --json"), 0) << read("err.txt");
    return json::parse(read("out.txt")).at("box");
  }
};

TEST_F(FilesProgram, OutputsObeyTheirEndings) {
  for (const std::string command :
       {"mesh a.obj -o ", "hull a.obj -o ", "obb a.obj -o ", "decompose a.obj -o ",
        "tetrahedra --box 1 1 1 --edge 1 --surface "}) {
    for (const std::string ending : {"obj", "stl", "ply", "off", "glb", "json"}) {
      ASSERT_EQ(run(command + "b." + ending), 0) << command << ending << read("err.txt");
      const std::string content = read("b." + ending);
      const std::string start = ending == "stl"   ? "binary STL"
                                : ending == "ply" ? "ply\n"
                                : ending == "off" ? "OFF\n"
                                : ending == "glb" ? "glTF"
                                : ending == "obj" ? "o "
                                                  : "{";
      EXPECT_EQ(content.substr(0, start.size()), start) << command << ending;
      if (ending != "json") {
        EXPECT_EQ(run("mesh b." + ending), 0) << command << ending << read("err.txt");
        EXPECT_EQ(read("err.txt"), "");
      }
    }
    for (const std::string ending : {"txt", "dae", "obj.gz"}) {
      EXPECT_EQ(run(command + "c." + ending), 2) << command << ending;
      EXPECT_NE(read("err.txt").find("known are .obj, .stl, .ply, .off, .glb, .json"),
                std::string::npos);
    }
  }
  EXPECT_EQ(run("mesh b.stl -o c.obj"), 0);
  // A shape of queries.
  ASSERT_EQ(run("hull a.obj -o hull.json"), 0);
  const json hull = json::parse(read("hull.json"));
  EXPECT_EQ(hull.at("type"), "convex");
  write("q.jsonl", json({{"a", hull},
                         {"b", {{"type", "sphere"}, {"radius", 1}}},
                         {"pose_b", {{"position", {3, 0, 0}}}},
                         {"ask", "distance"}})
                       .dump());
  ASSERT_EQ(run("query q.jsonl"), 0);
  EXPECT_NEAR(json::parse(read("out.txt")).at("distance").get<double>(), 1.0, 1e-12);
}

TEST_F(FilesProgram, TellWarningsAndTurnAxes) {
  write("odd.obj", std::string("\xef\xbb\xbf") + kTetrahedron + "f 1 2\nstrange 1\nf 1 \\\n3 2\n");
  ASSERT_EQ(run("mesh odd.obj --json"), 0);
  EXPECT_EQ(read("err.txt"),
            "warning: odd.obj:9: a face of fewer than three corners is left out\n"
            "warning: odd.obj:10: unknown statement \"strange\"\n");
  EXPECT_EQ(json::parse(read("out.txt")).at("triangles"), 5);
  EXPECT_EQ(json::parse(read("out.txt")).at("vertices"), 4);
  EXPECT_EQ(box_of("a.obj"), json({{0.0, 0.0, 0.0}, {1.0, 2.0, 3.0}}));
  EXPECT_EQ(box_of("a.obj --up z"), json({{0.0, 0.0, 0.0}, {1.0, 2.0, 3.0}}));
  EXPECT_EQ(box_of("a.obj --up y"), json({{0.0, -3.0, 0.0}, {1.0, 0.0, 2.0}}));
  EXPECT_EQ(box_of("a.obj --up x"), json({{-2.0, -3.0, 0.0}, {0.0, 0.0, 1.0}}));
  EXPECT_EQ(run("mesh a.obj --up w"), 2);
  EXPECT_EQ(run("tetrahedra --box 1 1 1 --up y"), 2);
  EXPECT_EQ(run("ccd --vertex-face none.csv --up y"), 2);
  for (const char* command : {"hull a.obj", "obb a.obj", "bvh a.obj", "decompose a.obj",
                              "distance a.obj a.obj", "tetrahedra a.obj --edge 0.3"}) {
    EXPECT_EQ(run(std::string(command) + " --up y"), 0) << command << read("err.txt");
  }
}

// COLLADA: the numbers of the file, whatever it says of its axes; metres by its unit.
TEST_F(FilesProgram, ColladaIsTakenAsItIs) {
  const auto dae = [](const std::string& asset) {
    return "<?xml version=\"1.0\"?><COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" "
           "version=\"1.4.1\"><asset>" +
           asset +
           "</asset><library_geometries><geometry id=\"g\"><mesh><source id=\"p\"><float_array "
           "id=\"a\" count=\"9\">0 0 0 1 0 0 0 2 3</float_array><technique_common><accessor "
           "source=\"#a\" count=\"3\" stride=\"3\"><param name=\"X\" type=\"float\"/><param "
           "name=\"Y\" type=\"float\"/><param name=\"Z\" type=\"float\"/></accessor>"
           "</technique_common></source><vertices id=\"v\"><input semantic=\"POSITION\" "
           "source=\"#p\"/></vertices><triangles count=\"1\"><input semantic=\"VERTEX\" "
           "source=\"#v\" offset=\"0\"/><p>0 1 2</p></triangles></mesh></geometry>"
           "</library_geometries><library_visual_scenes><visual_scene id=\"s\"><node id=\"n\">"
           "<instance_geometry url=\"#g\"/></node></visual_scene></library_visual_scenes><scene>"
           "<instance_visual_scene url=\"#s\"/></scene></COLLADA>";
  };
  if (TACTUS_WITH_ASSIMP == 0) GTEST_SKIP() << "built without assimp, which reads COLLADA";
  for (const std::string up : {"X_UP", "Y_UP", "Z_UP"}) {
    write("a.dae", dae("<unit name=\"u\" meter=\"1\"/><up_axis>" + up + "</up_axis>"));
    EXPECT_EQ(box_of("a.dae"), json({{0.0, 0.0, 0.0}, {1.0, 2.0, 3.0}})) << up;
    EXPECT_EQ(read("err.txt").find("turns nothing") != std::string::npos, up != "Z_UP");
    EXPECT_EQ(box_of("a.dae --up y"), json({{0.0, -3.0, 0.0}, {1.0, 0.0, 2.0}})) << up;
  }
  write("b.dae", dae("<unit meter=\"0.5\" name=\"half\"/><up_axis>Y_UP</up_axis>"));
  EXPECT_EQ(box_of("b.dae"), json({{0.0, 0.0, 0.0}, {0.5, 1.0, 1.5}}));
  EXPECT_NE(read("err.txt").find("multiplied by 0.5, the file's unit in metres"),
            std::string::npos);
}

}  // namespace
