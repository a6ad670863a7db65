#include <nlohmann/json.hpp>

#include "tactus/io.hpp"
#include "tests/support/meshes.hpp"
#include "tests/support/program.hpp"

// `tactus obb` and `tactus bvh` as a user runs them.
namespace tactus::detail {
namespace {

using nlohmann::json;

class ObbProgram : public test::ProgramTest {
 protected:
  ObbProgram() : ProgramTest("obb") {}
};

class BvhProgram : public test::ProgramTest {
 protected:
  BvhProgram() : ProgramTest("bvh") {}
};

TEST_F(ObbProgram, PrintsTheLadderAndWritesTheBoxes) {
  // The least box of a regular tetrahedron is a cube; its principal axes are arbitrary.
  const io::NamedMesh body{"",
                           {{{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}},
                            {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}, {1, 3, 2}}}};
  io::write_obj(folder_ / "body.obj", {&body, 1});
  ASSERT_EQ(run("body.obj --json -o boxes.obj --html page.html"), 0) << read("err.txt");
  const json report = json::parse(read("out.txt"));
  ASSERT_EQ(report["boxes"].size(), 5u);
  const json& best = report["boxes"][4];
  EXPECT_NEAR(best["volume"].get<double>(), 8.0, 1e-12);
  EXPECT_NEAR(report["lower"].get<double>(), 8.0, 1e-9);
  for (const json& box : report["boxes"]) EXPECT_GE(box["ratio"], 1.0 - 1e-12);
  const TriangleMesh boxes = io::read_mesh(folder_ / "boxes.obj");
  EXPECT_EQ(boxes.vertices.size(), 40u);
  EXPECT_EQ(boxes.triangles.size(), 60u);
  EXPECT_NE(read("page.html").find("principal axes of the points"), std::string::npos);
  ASSERT_EQ(run("body.obj"), 0);
  EXPECT_NE(read("out.txt").find("principal axes of the hull's surface"), std::string::npos);
  EXPECT_EQ(run("none.obj"), 2);
  EXPECT_NE(read("err.txt").find("none.obj"), std::string::npos);
  EXPECT_EQ(run("body.obj --html no/such/folder.html"), 2);
}

TEST_F(ObbProgram, ShortRatiosOfPointsOnALine) {
  std::ofstream(folder_ / "line.xyz") << "0 0 0\n1 1 1\n2 2 2\n";
  ASSERT_EQ(run("line.xyz"), 0);
  // The columns stay below their heads.
  const std::string text = read("out.txt");
  const auto length = [&](const char* begin) {
    const std::size_t from = text.find(begin);
    return text.find('\n', from) - from;
  };
  EXPECT_EQ(length("given axes"), length("box along"));
}

TEST_F(BvhProgram, PrintsAndDrawsEveryVolume) {
  const io::NamedMesh body{"", test::sphere_mesh(2)};
  io::write_obj(folder_ / "body.obj", {&body, 1});
  for (const std::string volume : {"obb", "aabb", "sphere", "dop14", "rss"}) {
    ASSERT_EQ(run("body.obj --json --html page.html --volume " + volume), 0) << read("err.txt");
    const json report = json::parse(read("out.txt"));
    EXPECT_EQ(report["triangles"], 128);
    EXPECT_EQ(report["nodes"], 255);
    EXPECT_GE(report["depth"], 7);
    EXPECT_NE(read("page.html").find("level 2: 4 volumes"), std::string::npos) << volume;
  }
  EXPECT_EQ(run("body.obj --volume cone"), 2);
}

TEST_F(BvhProgram, WritesATreeAndReadsItBack) {
  const io::NamedMesh body{"", test::sphere_mesh(2)}, other{"", test::torus_mesh(8, 8, 0.3)};
  io::write_obj(folder_ / "body.obj", {&body, 1});
  io::write_obj(folder_ / "other.obj", {&other, 1});
  for (const std::string volume : {"obb", "aabb", "sphere", "dop14", "rss"}) {
    ASSERT_EQ(run("body.obj --json -o body.bvh --volume " + volume), 0) << read("err.txt");
    const json built = json::parse(read("out.txt"));
    ASSERT_EQ(run("body.obj --json --tree body.bvh --volume " + volume), 0) << read("err.txt");
    const json again = json::parse(read("out.txt"));
    EXPECT_EQ(again["nodes"], built["nodes"]);
    EXPECT_EQ(again["depth"], built["depth"]);
    EXPECT_TRUE(again.contains("read_seconds"));
  }
  EXPECT_EQ(run("other.obj --tree body.bvh --volume rss"), 2);
  EXPECT_EQ(read("err.txt"), "tactus bvh: body.bvh: is of another mesh\n");
  EXPECT_EQ(run("body.obj --tree body.bvh"), 2);
  EXPECT_EQ(read("err.txt"), "tactus bvh: body.bvh: has volumes of kind rss, not obb\n");
  EXPECT_EQ(run("body.obj --tree body.obj"), 2);
  EXPECT_EQ(read("err.txt"), "tactus bvh: body.obj: is no hierarchy\n");
  EXPECT_EQ(run("body.obj --tree none.bvh"), 2);
  EXPECT_EQ(run("body.obj -o no/such/tree.bvh"), 2);
}

}  // namespace
}  // namespace tactus::detail
