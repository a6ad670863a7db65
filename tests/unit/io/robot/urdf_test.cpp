// Robot descriptions: what is read, and errors that name line, link or joint, and element.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "tactus/io.hpp"
#include "tactus/io/robot/configurations.hpp"
#include "tactus/io/robot/robot_reader.hpp"
#include "tests/support/folder.hpp"

namespace tactus::io {
namespace {

/// A message with single quotes, which need no escapes here.
std::string plain(std::string message) {
  std::replace(message.begin(), message.end(), '"', '\'');
  return message;
}

class Urdf : public testing::Test {
 protected:
  void SetUp() override {
    if (!reads_robots()) GTEST_SKIP() << "built without tinyxml2";
  }
  static Robot parse(const std::string& text, const RobotReadOptions& options = {},
                     const std::string& folder = ".") {
    FileNotes notes("r.urdf");
    return parse_robot(text, folder, options, notes);
  }
  static std::string error_of(const std::string& text) {
    try {
      parse(text);
      return "";
    } catch (const FileError& error) {
      return plain(error.what());
    }
  }
  static std::vector<std::string> notes_of(const std::string& text) {
    FileNotes notes("r.urdf");
    parse_robot(text, ".", {}, notes);
    std::vector<std::string> warnings = notes.warnings();
    for (std::string& warning : warnings) warning = plain(warning);
    return warnings;
  }
};

constexpr const char* kArm = R"(<robot name="arm">
 <link name="base"><collision><geometry><box size="1 2 3"/></geometry></collision></link>
 <link name="upper">
  <collision name="tube"><origin xyz="0 0 0.5" rpy="0 1.5707963267948966 0"/>
   <geometry><cylinder radius="0.1" length="1"/></geometry></collision>
  <collision><geometry><sphere radius="0.2"/></geometry></collision>
  <visual><geometry><capsule radius="0.3" length="0.4"/></geometry></visual>
 </link>
 <link name="finger"/>
 <joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/>
  <origin xyz="1 0 0" rpy="0 0 1.5707963267948966"/><axis xyz="0 0 2"/><limit lower="-1" upper="2" effort="1" velocity="1"/></joint>
 <joint name="slide" type="prismatic"><parent link="upper"/><child link="finger"/><limit effort="1" velocity="1" lower="0" upper="1"/>
  <mimic joint="shoulder" multiplier="2" offset="0.5"/></joint>
</robot>)";

TEST_F(Urdf, GivesLinksJointsAndShapes) {
  const Robot robot = parse(kArm);
  EXPECT_EQ(robot.name(), "arm");
  ASSERT_EQ(robot.links().size(), 3u);
  ASSERT_EQ(robot.links()[1].bodies.size(), 2u);
  EXPECT_EQ(robot.links()[1].bodies[0].name, "tube");
  EXPECT_EQ(robot.links()[1].bodies[1].name, "collision at line 6");
  EXPECT_EQ(robot.links()[1].bodies[0].shape.type(), ShapeType::cylinder);
  // A turn by pitch leads the cylinder's z to x.
  const Vec3 z = robot.links()[1].bodies[0].pose.direction_to_world({0, 0, 1});
  EXPECT_NEAR(z.x, 1.0, 1e-15);
  ASSERT_EQ(robot.coordinates().size(), 1u);
  EXPECT_EQ(robot.coordinates()[0].upper, 2.0);
  std::vector<Pose> poses(3);
  robot.link_poses(std::vector<double>{1.0}, poses);
  // The finger: along x, the default axis, by 2 * 1 + 0.5, turned by a quarter and by 1.
  EXPECT_NEAR(poses[2].position().x, 1.0 + 2.5 * std::cos(1.0 + 1.5707963267948966), 1e-15);
  EXPECT_NEAR(poses[2].position().y, 2.5 * std::sin(1.0 + 1.5707963267948966), 1e-15);
  RobotReadOptions visual;
  visual.visual = true;
  EXPECT_EQ(parse(kArm, visual).links()[1].bodies[0].shape.type(), ShapeType::capsule);
}

/// The arm with `what` replaced.
std::string spoiled(const std::string& what, const std::string& with) {
  std::string text = kArm;
  const std::size_t at = text.find(what);
  EXPECT_NE(at, text.npos) << what;
  return text.replace(at, what.size(), with);
}

TEST_F(Urdf, ErrorsNameLineOwnerAndElement) {
  EXPECT_EQ(error_of("<robot"), "r.urdf:1: broken XML (xml error parsing element)");
  EXPECT_EQ(error_of(""), "r.urdf: broken XML (xml error empty document)");
  EXPECT_EQ(error_of("<model/>"),
            "r.urdf:1: <model>: is no robot description: the root of URDF is <robot>, of MJCF "
            "<mujoco>, of SDF <sdf>");
  EXPECT_EQ(error_of("<robot name='x'/>"), "r.urdf:1: <robot>: has no link");
  const auto error = [](const std::string& what, const std::string& with) {
    return error_of(spoiled(what, with));
  };
  EXPECT_EQ(error("size=\"1 2 3\"", "size=\"1 2\""),
            "r.urdf:2: link 'base': <box>: size='1 2' is no three finite numbers");
  EXPECT_EQ(error("size=\"1 2 3\"", "size=\"1 nan 3\""),
            "r.urdf:2: link 'base': <box>: size='1 nan 3' is no three finite numbers");
  EXPECT_EQ(error("size=\"1 2 3\"", "size=\"1 -2 3\""),
            "r.urdf:2: link 'base': <box>: size must be at least 0");
  EXPECT_EQ(error("radius=\"0.2\"", "radius=\"-1\""),
            "r.urdf:6: link 'upper': <sphere>: radius must be at least 0");
  EXPECT_EQ(error("<sphere radius=\"0.2\"/>", ""),
            "r.urdf:6: link 'upper': <geometry>: holds no shape");
  EXPECT_EQ(error("<sphere radius=\"0.2\"/>", "<torus/>"),
            "r.urdf:6: link 'upper': <torus>: is no shape (box, sphere, cylinder, capsule, mesh)");
  EXPECT_NE(error("<sphere radius=\"0.2\"/></geometry>",
                  "<sphere radius=\"0.2\"/></geometry><origin rpy=\"0 1e9 0\"/>")
                .find("<origin>: angles may be up to 1e6 radians"),
            std::string::npos);
  EXPECT_EQ(error("name=\"finger\"", "name=\"base\""),
            "r.urdf:9: link 'base': <link>: the name is given twice, first in line 2");
  EXPECT_EQ(error("name=\"slide\"", "name=\"shoulder\""),
            "r.urdf:12: joint 'shoulder': <joint>: the name is given twice, first in line 10");
  EXPECT_EQ(error("\"prismatic\"", "\"screw\"").substr(0, 60),
            "r.urdf:12: joint 'slide': <joint>: type 'screw' is none of f");
  EXPECT_EQ(error("child link=\"finger\"", "child link=\"thumb\""),
            "r.urdf:12: joint 'slide': <child>: there is no link 'thumb'");
  EXPECT_EQ(error("<parent link=\"upper\"/>", ""),
            "r.urdf:12: joint 'slide': <joint>: has no <parent>");
  EXPECT_EQ(error("xyz=\"0 0 2\"", "xyz=\"0 0 0\""),
            "r.urdf:11: joint 'shoulder': <axis>: must not be zero");
  EXPECT_EQ(error("lower=\"-1\"", "lower=\"3\""),
            "r.urdf:11: joint 'shoulder': <limit>: lower must not exceed upper");
  EXPECT_EQ(error("lower=\"-1\"", "lower=\"inf\""),
            "r.urdf:11: joint 'shoulder': <limit>: lower='inf' is no finite number");
  EXPECT_EQ(error("mimic joint=\"shoulder\"", "mimic joint=\"elbow\""),
            "r.urdf:13: joint 'slide': <mimic>: there is no joint 'elbow'");
  EXPECT_EQ(error("mimic joint=\"shoulder\"", "mimic joint=\"slide\""),
            "r.urdf:12: joint 'slide': mimic: joints follow each other in a cycle");
  EXPECT_EQ(error("child link=\"finger\"", "child link=\"upper\""),
            "r.urdf:12: joint 'slide': child: is its own parent");
  EXPECT_EQ(error("child link=\"finger\"", "child link=\"base\""),
            "r.urdf:10: joint 'shoulder': joints close a cycle: no way leads from the root "
            "'finger' to link 'upper'");
}

TEST_F(Urdf, NotesWhatItDoesNotLookAt) {
  const std::vector<std::string> notes = notes_of(
      spoiled("<link name=\"finger\"/>", "<link name=\"finger\"><wings/></link><sensor/>"));
  ASSERT_EQ(notes.size(), 3u);
  EXPECT_EQ(notes[0], "r.urdf:9: link 'finger': <wings>: is not looked at");
  EXPECT_EQ(notes[1], "r.urdf:9: <sensor>: is not looked at");
  EXPECT_EQ(notes[2],
            "r.urdf:11: joint 'shoulder': <axis>: is not of unit length: it is normalised");
}

class RobotMeshes : public Urdf {
 protected:
  void write(const std::string& name, const std::string& content) const {
    std::filesystem::create_directories((folder_.path() / name).parent_path());
    std::ofstream(folder_.path() / name) << content;
  }
  std::string robot(const std::string& mesh) const {
    return "<robot name='m'><link name='l'><collision><geometry>\n<mesh " + mesh +
           "/></geometry></collision></link></robot>";
  }
  std::string failure(const std::string& mesh, const RobotReadOptions& options = {}) const {
    try {
      parse(robot(mesh), options, (folder_.path() / "p/urdf").string());
      return "";
    } catch (const FileError& error) {
      return plain(error.what());
    }
  }
  detail::test::TemporaryFolder folder_;
};

constexpr const char* kTetrahedron =
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";

TEST_F(RobotMeshes, AreFoundInPackages) {
  write("p/meshes/t.obj", kTetrahedron);
  write("elsewhere/t.obj", kTetrahedron);
  std::filesystem::create_directories(folder_.path() / "p/urdf");
  // Above the description, and beside it.
  EXPECT_EQ(failure("filename='package://p/meshes/t.obj'"), "");
  EXPECT_EQ(failure("filename='../meshes/t.obj'"), "");
  EXPECT_EQ(failure("filename='file://" + (folder_.path() / "p/meshes/t.obj").string() + "'"), "");
  EXPECT_EQ(failure("filename='package://q/t.obj'").substr(0, 57),
            "r.urdf:2: link 'l': <mesh>: no file 'package://q/t.obj' (");
  RobotReadOptions options;
  options.packages.emplace_back("q", folder_.path() / "elsewhere");
  EXPECT_EQ(failure("filename='package://q/t.obj'", options), "");
  ASSERT_EQ(setenv("ROS_PACKAGE_PATH", ("/nowhere:" + folder_.path().string()).c_str(), 1), 0);
  EXPECT_EQ(failure("filename='package://elsewhere/t.obj'"), "");
  ASSERT_EQ(unsetenv("ROS_PACKAGE_PATH"), 0);
  EXPECT_EQ(failure("filename='package://p/meshes/t.obj' scale='1 0 1'"),
            "r.urdf:2: link 'l': <mesh>: scale must not be zero");
  write("p/meshes/broken.obj", "v 1 2\n");
  EXPECT_NE(failure("filename='../meshes/broken.obj'").find("r.urdf:2: link 'l': <mesh>: "),
            std::string::npos);
  // Missing ones can be left out, and are noted.
  options.leave_out_missing = true;
  FileNotes notes("r.urdf");
  EXPECT_TRUE(parse_robot(robot("filename='none.obj'"), folder_.path(), options, notes)
                  .links()[0]
                  .bodies.empty());
  EXPECT_EQ(notes.warnings().size(), 1u);
}

TEST_F(RobotMeshes, AreScaledAlsoByNegativeNumbers) {
  write("p/urdf/t.obj", kTetrahedron);
  const Robot r =
      parse(robot("filename='t.obj' scale='2 -1 1'"), {}, (folder_.path() / "p/urdf").string());
  const auto& mesh = std::get<Mesh>(r.links()[0].bodies[0].shape.geometry());
  EXPECT_EQ(mesh.mesh().vertices[1], (Vec3{2, 0, 0}));
  EXPECT_EQ(mesh.mesh().vertices[2].y, -1.0);
  EXPECT_TRUE(mesh.closed());
  RobotReadOptions hulls;
  hulls.hulls = true;
  EXPECT_EQ(parse(robot("filename='t.obj'"), hulls, (folder_.path() / "p/urdf").string())
                .links()[0]
                .bodies[0]
                .shape.type(),
            ShapeType::convex);
}

TEST_F(Urdf, SrdfDisablesPairs) {
  const Robot robot = parse(kArm);
  FileNotes notes("r.srdf");
  const auto pairs = parse_disabled_pairs(
      "<robot name='arm'>\n<disable_collisions link1='upper' link2='base' reason='Adjacent'/>\n"
      "<disable_collisions link1='upper' link2='thumb'/></robot>",
      robot, notes);
  ASSERT_EQ(pairs.size(), 1u);
  EXPECT_EQ(pairs[0], (RobotPair{0, 1}));
  ASSERT_EQ(notes.warnings().size(), 1u);
  EXPECT_EQ(plain(notes.warnings()[0]), "r.srdf:3: <disable_collisions>: there is no link 'thumb'");
  EXPECT_THROW(
      parse_disabled_pairs("<robot><disable_collisions link1='upper'/></robot>", robot, notes),
      FileError);
}

TEST(Configurations, AreReadByNameOrPlace) {
  const Robot robot("r", {{"a"}, {"b"}, {"c"}},
                    {{"x", RobotJointType::prismatic, 0, 1, {}, {1, 0, 0}, 0.5, 2},
                     {"y", RobotJointType::continuous, 1, 2}});
  ConfigurationTable table =
      parse_configurations("# head\ntime, y\n0, 1\n2.5, -3\n", "t.csv", robot);
  EXPECT_TRUE(table.timed);
  EXPECT_EQ(table.times, (std::vector<double>{0, 2.5}));
  EXPECT_EQ(table.rows, (std::vector<std::vector<double>>{{0.5, 1}, {0.5, -3}}));
  EXPECT_EQ(table.lines, (std::vector<std::size_t>{3, 4}));
  table = parse_configurations("1 2\r\n3 4\r\n", "t.csv", robot);
  EXPECT_FALSE(table.timed);
  EXPECT_EQ(table.rows, (std::vector<std::vector<double>>{{1, 2}, {3, 4}}));
  const auto error = [&](const std::string& text) {
    try {
      parse_configurations(text, "t.csv", robot);
      return std::string();
    } catch (const FileError& e) {
      return plain(e.what());
    }
  };
  EXPECT_EQ(error(""), "t.csv: holds no configuration");
  EXPECT_EQ(error("x,y\n1\n"), "t.csv:2: 1 values in 2 columns");
  EXPECT_EQ(error("x,z\n"), "t.csv:1: the robot has no coordinate 'z'");
  EXPECT_EQ(error("x,x\n"), "t.csv:1: the column 'x' is given twice");
  EXPECT_EQ(
      error("1,2,3,4\n"),
      "t.csv:1: 4 columns: the robot has 2 coordinates, and a column of times may stand in front");
  EXPECT_EQ(error("x,y\n1,nan\n"), "t.csv:2: 'nan' is no finite number");
  EXPECT_EQ(error("t,x\n1,1\n1,2\n"),
            "t.csv:3: the time 1.000000 is not after that of the row before");
}

}  // namespace
}  // namespace tactus::io
