// `tactus robot` on good and bad files, as users call it.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "tactus/io.hpp"
#include "tests/support/program.hpp"

namespace tactus::detail {
namespace {

class RobotProgram : public test::ProgramTest {
 protected:
  RobotProgram() : test::ProgramTest("robot") {}
  void SetUp() override {
    if (!io::reads_robots()) GTEST_SKIP() << "built without tinyxml2";
    write("slide.urdf", R"(<robot name="slide"><link name="rail"/>
<link name="cart"><collision><geometry><box size="0.2 0.2 0.2"/></geometry></collision></link>
<joint name="x" type="prismatic"><parent link="rail"/><child link="cart"/><limit lower="-1" upper="3"/></joint></robot>)");
    write("wall.json", R"({"bodies":[{"name":"wall","type":"fixed",
"shape":{"type":"box","size":[0.001,2,2]},"pose":{"position":[2,0,0]}}]})");
  }
  void write(const std::string& name, const std::string& content) const {
    std::ofstream(folder_ / name) << content;
  }
  nlohmann::json answer() const { return nlohmann::json::parse(read("out.txt")); }
};

TEST_F(RobotProgram, ReportsMeasuresAndProves) {
  EXPECT_EQ(run("slide.urdf --json"), 0) << read("err.txt");
  EXPECT_EQ(answer()["links"].size(), 2u);
  EXPECT_EQ(run("clearance slide.urdf --joints 1.5 --obstacles wall.json --gradient --json"), 0);
  EXPECT_NEAR(answer()["upper"].get<double>(), 0.3995, 1e-12);
  EXPECT_NEAR(answer()["gradient"][0].get<double>(), -1.0, 1e-12);
  EXPECT_EQ(run("clearance slide.urdf --joints x=2 --obstacles wall.json"), 1);
  write("path.csv", "t,x\n10,0\n20,1\n30,3\n");
  EXPECT_EQ(run("path slide.urdf path.csv --obstacles wall.json --clearance 0.1 --json"), 1);
  // At x = 1.7995 the cart is 0.1 away: two fifths of the second segment.
  EXPECT_EQ(answer()["verdict"], "below");
  EXPECT_LE(answer()["time"].get<double>(), 23.9975);
  EXPECT_GE(answer()["time_upper"].get<double>(), 23.9975);
  EXPECT_NEAR(answer()["time_upper"].get<double>(), 23.9975, 1e-4);
  EXPECT_EQ(answer()["pair"], (nlohmann::json{"cart", "wall"}));
  EXPECT_NEAR(answer()["clearance"][0].get<double>(), 0.1, 1e-4);
  EXPECT_LE(answer()["clearance"][0], answer()["clearance"][1]);
  EXPECT_EQ(answer()["wanted"], 0.1);
  write("path.csv", "t,x\n10,-3\n20,1.5\n");
  EXPECT_EQ(run("path slide.urdf path.csv --obstacles wall.json --clearance 0.1 --prove "
                "--spline cubic"),
            0);
  EXPECT_NE(read("err.txt").find("path.csv:2: 'x' is -3, beyond its limits -1 to 3"),
            std::string::npos)
      << read("err.txt");
}

TEST_F(RobotProgram, PrintsTheClearancesOfATable) {
  write("rows.csv", "x\n0\n1.5\n");
  EXPECT_EQ(run("clearance slide.urdf rows.csv --json"), 0) << read("err.txt");
  const std::string rows = read("out.txt");
  EXPECT_EQ(run("slide.urdf --configurations rows.csv --json"), 0) << read("err.txt");
  EXPECT_EQ(read("out.txt"), rows);
  write("path.csv", "time,x\n0,0\n1,1\n");
  EXPECT_EQ(run("path slide.urdf path.csv --json"), 0) << read("err.txt");
  EXPECT_EQ(answer()["verdict"], "free");
  EXPECT_TRUE(answer()["time"].is_null());
  EXPECT_TRUE(answer()["pair"].is_null());
}

TEST_F(RobotProgram, SaysWhatIsWrong) {
  EXPECT_EQ(run(""), 2);
  EXPECT_EQ(run("none.urdf"), 2);
  EXPECT_EQ(read("err.txt"), "tactus robot: none.urdf: does not exist\n");
  EXPECT_EQ(run("slide.urdf --package nothing"), 2);
  EXPECT_EQ(run("clearance slide.urdf"), 2);
  EXPECT_EQ(run("clearance slide.urdf --joints 1,2"), 2);
  EXPECT_EQ(run("clearance slide.urdf --joints y=1"), 2);
  EXPECT_NE(read("err.txt").find("no coordinate 'y'"), std::string::npos);
  write("path.csv", "t,x\n1,0\n1,1\n");
  EXPECT_EQ(run("path slide.urdf path.csv"), 2);
  EXPECT_NE(read("err.txt").find("path.csv:3: "), std::string::npos);
  // A missing mesh is a finding of the report, and an error of what is measured.
  write("mesh.urdf", R"(<robot name="m"><link name="l"><collision><geometry>
<mesh filename="package://p/none.stl"/></geometry></collision></link></robot>)");
  EXPECT_EQ(run("mesh.urdf --json"), 1);
  EXPECT_EQ(answer()["findings"].size(), 1u);
  EXPECT_EQ(run("clearance mesh.urdf --joints 0"), 2);
  EXPECT_NE(read("err.txt").find("mesh.urdf:2: link \"l\": <mesh>: no file"), std::string::npos)
      << read("err.txt");
}

// A chain of 1e5 links is read and reported in seconds.
TEST_F(RobotProgram, TakesLongChains) {
  std::string text = "<robot name='long'><link name='l0'/>";
  for (int i = 1; i < 100000; ++i) {
    const std::string n = std::to_string(i);
    text += "<link name='l" + n + "'/><joint name='j" + n + "' type='fixed'><parent link='l" +
            std::to_string(i - 1) + "'/><child link='l" + n + "'/></joint>\n";
  }
  write("long.urdf", text + "</robot>");
  EXPECT_EQ(run("long.urdf"), 0) << read("err.txt");
  EXPECT_NE(read("out.txt").find("links        100000"), std::string::npos);
}

// Pairs that are written as SRDF are left out when it is read again.
TEST_F(RobotProgram, WritesSrdfThatItReads) {
  write("two.urdf", R"(<robot name="two"><link name="a"/>
<link name="b"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
<link name="c"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
<link name="k"/>
<joint name="x" type="prismatic"><parent link="a"/><child link="b"/><limit lower="0" upper="1"/></joint>
<joint name="k" type="fixed"><parent link="b"/><child link="k"/></joint>
<joint name="y" type="prismatic"><parent link="k"/><child link="c"/><origin xyz="1 0 0"/><axis xyz="0 1 0"/><limit lower="0" upper="1"/></joint></robot>)");
  EXPECT_EQ(run("two.urdf --pairs --srdf two.srdf"), 0) << read("err.txt");
  EXPECT_NE(read("two.srdf").find("link1=\"b\" link2=\"c\" reason=\"Adjacent\""), std::string::npos)
      << read("two.srdf");
  EXPECT_EQ(run("two.urdf --json"), 0);
  const int all = answer()["pairs"].get<int>();
  EXPECT_EQ(run("two.urdf --srdf two.srdf --json"), 0) << read("err.txt");
  EXPECT_LT(answer()["pairs"].get<int>(), std::max(all, 1));
  EXPECT_EQ(run("clearance two.urdf --joints 0,0 --srdf two.srdf --json"), 0) << read("err.txt");
  EXPECT_TRUE(answer()["least"].is_null());
}

}  // namespace
}  // namespace tactus::detail
