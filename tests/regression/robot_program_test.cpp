// `tactus robot` on good and bad files, as users call it.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
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

// A gate that comes down by its velocity, and one that the table leads.
TEST_F(RobotProgram, ProvesPathsAmongMovingBodies) {
  write("gate.json", R"({"bodies":[{"name":"gate","type":"kinematic","linear_velocity":[0,0,-1],
"shape":{"type":"box","size":[0.1,2,2]},"pose":{"position":[1,0,3]}},{"name":"door","type":"kinematic",
"shape":{"type":"box","size":[0.1,2,2]},"pose":{"position":[-1,0,0]}}]})");
  // The cart passes x = 1 until its end is at 1.05; the gate's foot, at 2 - t, reaches its top
  // at 1.9.
  write("path.csv", "time,x,door/y\n0,0,0\n1.85,1.85,2.5\n4,3,2.5\n");
  EXPECT_EQ(run("path slide.urdf path.csv --obstacles gate.json --prove --json"), 0)
      << read("err.txt");
  EXPECT_EQ(run("path slide.urdf path.csv --obstacles gate.json --prove --spline cubic"), 0);
  write("path.csv", "time,x\n0,0\n2.5,1\n");
  EXPECT_EQ(run("path slide.urdf path.csv --obstacles gate.json --json"), 1);
  EXPECT_EQ(answer()["pair"], (nlohmann::json{"cart", "gate"}));
  // Under the gate's near side, x = 0.95, the cart's front comes at x = 0.85.
  EXPECT_NEAR(answer()["time"].get<double>(), 2.125, 1e-5);
  // Without a name of columns they are the robot's and the door's, and not the time.
  write("rows.csv", "0,0,0,0,0,0,0,0\n2.5,0.9,0,0,0,0,0,0\n");
  EXPECT_EQ(run("clearance slide.urdf rows.csv --obstacles gate.json"), 1) << read("err.txt");
}

TEST_F(RobotProgram, PutsRobotsSideBySide) {
  write("path.csv", "t,x,other/x,base/angle\n0,0,0,0\n1,3,0,0\n");
  const std::string both =
      "path slide.urdf path.csv --base planar --beside other=slide.urdf --json ";
  EXPECT_EQ(run(both + "--place other=0,1,0"), 0) << read("err.txt");
  EXPECT_EQ(run(both + "--place other=2,0,0,0,0,1.5707963267948966"), 1);
  EXPECT_EQ(answer()["pair"], (nlohmann::json{"cart", "other/cart"}));
  EXPECT_NEAR(answer()["time"].get<double>(), 0.6, 1e-5);
  for (const char* wrong : {"--place other=1,2", "--place other=1,2,x", "--place else=0,0,0",
                            "--beside slide.urdf", "--beside =slide.urdf"})
    EXPECT_EQ(run(both + wrong), 2) << wrong;
}

// Each file disables pairs of its own robot; without a name, those of all robots as the world calls
// them.
TEST_F(RobotProgram, TakesDisabledPairsOfEachRobot) {
  write(
      "chain.urdf",
      R"(<robot name="chain"><link name="a"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
<link name="b"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
<link name="c"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
<joint name="x" type="prismatic"><parent link="a"/><child link="b"/><limit lower="0" upper="1"/></joint>
<joint name="y" type="prismatic"><parent link="b"/><child link="c"/><limit lower="0" upper="1"/></joint></robot>)");
  write("own.srdf", R"(<robot name="chain"><disable_collisions link1="c" link2="a"/></robot>)");
  write("across.srdf",
        R"(<robot name="chain"><disable_collisions link1="left/a" link2="b"/></robot>)");
  const auto asked = [&](const std::string& options) {
    const std::string two = "clearance chain.urdf --beside left=chain.urdf --place left=0,9,0 ";
    EXPECT_LE(run(two + "--joints 0.5,0.5 --below 99 --json " + options), 1) << read("err.txt");
    const nlohmann::json found = answer();
    std::set<std::string> pairs;
    for (const nlohmann::json& pair : found["below"])
      pairs.insert(pair["a"].get<std::string>() + " " + pair["b"].get<std::string>());
    return pairs;
  };
  std::set<std::string> left = asked("");
  ASSERT_TRUE(left.contains("a c") && left.contains("left/a left/c") && left.contains("b left/a"));
  std::set<std::string> both = left;
  left.erase("left/a left/c");
  EXPECT_EQ(asked("--srdf left=own.srdf"), left);
  EXPECT_EQ(read("err.txt"), "");
  both.erase("a c");
  EXPECT_EQ(asked("--srdf own.srdf"), both);
  both.erase("b left/a");
  both.erase("left/a left/c");
  EXPECT_EQ(asked("--srdf own.srdf --srdf left=own.srdf --srdf across.srdf"), both);
  EXPECT_EQ(run("clearance chain.urdf --joints 0,0 --srdf right=own.srdf"), 2);
  EXPECT_EQ(read("err.txt"),
            "tactus robot clearance: --srdf: no robot stands beside that is called 'right'\n");
  asked("--srdf left=across.srdf");
  EXPECT_NE(
      read("err.txt").find("across.srdf:1: <disable_collisions>: there is no link \"left/a\""),
      std::string::npos)
      << read("err.txt");
}

// Convex parts are made once; a cache that is damaged is named.
TEST_F(RobotProgram, KeepsConvexParts) {
  write("l.obj",
        "v 0 0 0\nv 2 0 0\nv 2 1 0\nv 1 1 0\nv 1 2 0\nv 0 2 0\nv 0 0 1\nv 2 0 1\nv 2 1 1\nv 1 1 1\n"
        "v 1 2 1\nv 0 2 1\nf 1 4 3 2\nf 1 6 5 4\nf 7 8 9 10\nf 7 10 11 12\nf 1 2 8 7\nf 2 3 9 8\n"
        "f 3 4 10 9\nf 4 5 11 10\nf 5 6 12 11\nf 6 1 7 12\n");
  write("l.urdf", R"(<robot name="l"><link name="a"/><link name="l"><collision><geometry>
<mesh filename="l.obj"/></geometry></collision></link>
<joint name="x" type="prismatic"><parent link="a"/><child link="l"/><limit lower="-9" upper="9"/></joint></robot>)");
  write("ball.json",
        R"({"bodies":[{"name":"ball","type":"fixed","shape":{"type":"sphere","radius":0.1},
"pose":{"position":[1.5,1.5,0.5]}}]})");
  EXPECT_EQ(run("l.urdf --decompose 0.05 --json"), 0) << read("err.txt");
  EXPECT_EQ(answer()["links"][1]["bodies"].size(), 2u);
  const std::string kept = read("l.urdf.parts.json");
  const std::string ask = "clearance l.urdf --joints 0 --obstacles ball.json --json --decompose ";
  EXPECT_EQ(run(ask + "0.05"), 0) << read("err.txt");
  EXPECT_EQ(read("err.txt"), "");
  EXPECT_NEAR(answer()["upper"].get<double>(), 0.4, 1e-7);
  EXPECT_EQ(read("l.urdf.parts.json"), kept);
  EXPECT_EQ(run(ask + "0.1"), 0) << read("err.txt");
  EXPECT_NE(read("l.urdf.parts.json"), kept);
  write("l.urdf.parts.json", "{");
  EXPECT_EQ(run(ask + "0.05"), 2);
  EXPECT_NE(read("err.txt").find("l.urdf.parts.json"), std::string::npos) << read("err.txt");
}

TEST_F(RobotProgram, WritesAPage) {
  write("path.csv", "t,x\n5,0\n6,1\n");
  const int code = run("path slide.urdf path.csv --obstacles wall.json --html page.html");
  if (io::kPlayerPage.empty()) {
    EXPECT_EQ(code, 2);
    return;
  }
  EXPECT_EQ(code, 0) << read("err.txt");
  const std::string page = read("page.html");
  EXPECT_NE(page.find("\"verdict\":\"free\""), std::string::npos);
  EXPECT_NE(page.find("cart wall"), std::string::npos);
  write("empty.urdf", "<robot name='e'><link name='a'/></robot>");
  write("none.csv", "t\n0\n1\n");
  EXPECT_EQ(run("path empty.urdf none.csv --html page.html"), 2);
  EXPECT_NE(read("err.txt").find("no body"), std::string::npos);
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
