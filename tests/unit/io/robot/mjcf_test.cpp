// MJCF: bodies, joints with anchors and references, defaults, included files.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "tactus/io.hpp"
#include "tactus/io/robot/robot_reader.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/random_robots.hpp"

namespace tactus::io {
namespace {

class Mjcf : public testing::Test {
 protected:
  void SetUp() override {
    if (!reads_robots()) GTEST_SKIP() << "built without tinyxml2";
  }
  static Robot parse(const std::string& text, const std::string& folder = ".") {
    FileNotes notes("m.xml");
    return parse_robot(text, folder, {}, notes);
  }
  static std::string error_of(const std::string& body) {
    try {
      parse("<mujoco><worldbody>" + body + "</worldbody></mujoco>");
      return "";
    } catch (const FileError& error) {
      std::string message = error.what();
      std::replace(message.begin(), message.end(), '"', '\'');
      return message;
    }
  }
  static Pose pose_of(const Robot& robot, const std::string& link,
                      const std::vector<double>& values) {
    std::vector<Pose> poses(robot.links().size());
    robot.link_poses(values, poses);
    return poses[robot.find_link(link).value()];
  }
  detail::test::TemporaryFolder folder_;
};

TEST_F(Mjcf, JointsTurnAboutTheirAnchors) {
  const Robot robot = parse(R"(<mujoco model="m"><worldbody><body name="a" pos="1 0 0">
<joint name="h" axis="0 0 1" pos="0 1 0" range="-90 180" ref="90"/><geom size="0.1"/>
<body name="b" pos="0 0 2"><joint name="s" type="slide" axis="2 0 0"/><joint name="t" axis="0 1 0"/><geom size="0.1"/></body></body>
<body name="c"><freejoint/><geom type="box" size="1 2 3"/></body></worldbody></mujoco>)");
  ASSERT_EQ(robot.coordinates().size(), 9u);
  EXPECT_EQ(robot.coordinates()[0].name, "h");
  EXPECT_NEAR(robot.coordinates()[0].upper, 3.14159265358979, 1e-14);
  std::vector<double> values(9, 0.0);
  values[0] = 1.5707963267948966;  // at the reference nothing is turned
  EXPECT_LT(norm(pose_of(robot, "a", values).position() - Vec3{1, 0, 0}), 1e-15);
  values[0] += 1.5707963267948966;  // a quarter turn about (1, 1, 0)
  EXPECT_LT(norm(pose_of(robot, "a", values).position() - Vec3{2, 1, 0}), 1e-15);
  values[1] = 0.5;  // the slide's axis, turned with the body to y
  EXPECT_LT(norm(pose_of(robot, "b", values).position() - Vec3{2, 1.5, 2}), 1e-15);
  EXPECT_EQ(
      std::get<Box>(robot.links()[robot.find_link("c").value()].bodies[0].shape.geometry()).size(),
      (Vec3{2, 4, 6}));
  // No pair of a body and the one that it hangs on, though a slide's link lies between two joints.
  EXPECT_EQ(movable_pairs(robot).size(), 2u);
}

TEST_F(Mjcf, DefaultsGoFromClassToClass) {
  const Robot robot =
      parse(R"(<mujoco><compiler angle="radian"/><default><geom type="capsule" size="0.1 0.2"/>
<default class="x"><geom size="0.3 0.4"/><default class="y"><geom type="cylinder"/></default></default></default>
<worldbody><body name="a"><geom/><geom class="x"/><geom class="y"/><geom fromto="0 0 0 0 3 4"/><geom contype="0" conaffinity="0"/></body></worldbody></mujoco>)");
  const auto& bodies = robot.links()[1].bodies;
  ASSERT_EQ(bodies.size(), 4u);
  EXPECT_EQ(std::get<Capsule>(bodies[0].shape.geometry()).length(), 0.4);
  EXPECT_EQ(std::get<Capsule>(bodies[1].shape.geometry()).radius(), 0.3);
  EXPECT_EQ(std::get<Cylinder>(bodies[2].shape.geometry()).length(), 0.8);
  EXPECT_EQ(std::get<Capsule>(bodies[3].shape.geometry()).length(), 5.0);
  EXPECT_LT(norm(bodies[3].pose.to_world({0, 0, -2.5}) - Vec3{0, 3, 4}), 1e-15);
}

// z is led to the first end by the shortest turn: here by a quarter turn about (1, -1, 0).
TEST_F(Mjcf, ABoxBetweenTwoPointsLiesTheShortWay) {
  const Robot robot = parse(
      "<mujoco><worldbody><body name='a'><geom type='box' size='0.1' fromto='0 0 0 3 3 0'/>"
      "</body></worldbody></mujoco>");
  const RobotBody& body = robot.links()[1].bodies[0];
  EXPECT_LT(norm(std::get<Box>(body.shape.geometry()).size() - Vec3{0.2, 0.2, std::sqrt(18.0)}),
            1e-15);
  EXPECT_EQ(body.pose.position(), (Vec3{1.5, 1.5, 0}));
  EXPECT_LT(norm(body.pose.direction_to_world({1, 0, 0}) - Vec3{0.5, -0.5, std::sqrt(0.5)}), 1e-15);
}

TEST_F(Mjcf, OrientationsAgree) {
  const double h = std::sqrt(0.5);
  const std::string turns[] = {"quat='1 0 0 1'", "axisangle='0 0 2 90'", "euler='0 0 90'",
                               "xyaxes='0 1 0 -1 0 0'"};
  for (const std::string& turn : turns) {
    const Robot robot =
        parse("<mujoco><worldbody><body name='a' " + turn + "/></worldbody></mujoco>");
    EXPECT_LT(norm(pose_of(robot, "a", {}).direction_to_world({1, 0, 0}) - Vec3{0, 1, 0}), 1e-15)
        << turn;
  }
  const Robot robot =
      parse("<mujoco><worldbody><body name='a' zaxis='1 1 0'/></worldbody></mujoco>");
  EXPECT_LT(norm(pose_of(robot, "a", {}).direction_to_world({0, 0, 1}) - Vec3{h, h, 0}), 1e-15);
}

// Law: frames, one in another, are as if what they hold stood in the body with their poses in
// front.
TEST_F(Mjcf, FramesGoIntoWhatTheyHold) {
  detail::Random random(5);
  for (int round = 0; round < 50; ++round) {
    Pose outer = detail::test::placed_at_random(random, 1.0);
    const Pose inner = detail::test::placed_at_random(random, 1.0);
    const Pose own = detail::test::placed_at_random(random, 1.0);
    const auto written = [](const Pose& p) {
      const Quat q = to_quaternion(p.rotation());
      const Vec3 at = p.position();
      std::ostringstream text;
      text.precision(17);
      text << " pos='" << at.x << " " << at.y << " " << at.z << "' quat='" << q.w << " " << q.x
           << " " << q.y << " " << q.z << "'";
      return text.str();
    };
    const std::string placed = written(own);
    const Robot robot = parse(
        "<mujoco><default><default class='ball'><geom size='0.25'/></default></default>"
        "<worldbody><frame" +
        written(outer) + " childclass='ball'><frame" + written(inner) + "><body name='a'" + placed +
        "><geom/><frame" + written(inner) +
        "><joint name='h' pos='1 "
        "2 3' axis='0 1 0'/><geom type='box' size='1 2 3'" +
        placed +
        "/></frame></body></frame>"
        "</frame></worldbody></mujoco>");
    const Pose body = outer * inner * own;
    EXPECT_LT(norm(pose_of(robot, "a", {0.0}).position() - body.position()), 1e-14);
    const Pose turned = body * Pose::translation(inner.to_world({1, 2, 3})) *
                        Pose::from_axis_angle({}, inner.direction_to_world({0, 1, 0}), 0.7) *
                        Pose::translation(-inner.to_world({1, 2, 3}));
    for (const Vec3& p : {Vec3{0, 0, 0}, Vec3{1, 0, 0}, Vec3{0, 1, 0}})
      EXPECT_LT(norm(pose_of(robot, "a", {0.7}).to_world(p) - turned.to_world(p)), 1e-13);
    const auto& bodies = robot.links()[robot.find_link("a").value()].bodies;
    ASSERT_EQ(bodies.size(), 2u);
    EXPECT_EQ(std::get<Sphere>(bodies[0].shape.geometry()).radius(), 0.25);
    const Pose box = inner * own;
    for (const Vec3& p : {Vec3{0, 0, 0}, Vec3{1, 0, 0}, Vec3{0, 1, 0}})
      EXPECT_LT(norm(bodies[1].pose.to_world(p) - box.to_world(p)), 1e-14);
  }
}

TEST_F(Mjcf, GeomsOfAFrameCount) {
  const Robot robot = parse(
      "<mujoco><worldbody><frame pos='0 0 1' euler='0 0 90'><geom size='0.1' pos='1 0 0'/></frame>"
      "</worldbody></mujoco>");
  ASSERT_EQ(robot.links()[0].bodies.size(), 1u);
  EXPECT_LT(norm(robot.links()[0].bodies[0].pose.position() - Vec3{0, 1, 1}), 1e-15);
}

TEST_F(Mjcf, WhatWouldLoseGeometryIsRefused) {
  for (const char* name : {"replicate", "composite", "flexcomp", "attach", "wings"}) {
    const std::string element = name;
    EXPECT_EQ(error_of("<body name='a'>\n<" + element + "/></body>"),
              "m.xml:2: body 'a': <" + element + ">: is not read, and may hold bodies or geoms");
    EXPECT_EQ(error_of("<frame>\n<" + element + "/></frame>").substr(0, 22),
              "m.xml:2: body 'world':");
  }
  EXPECT_EQ(error_of("</worldbody><deformable><flex/></deformable><worldbody>"),
            "m.xml:1: <flex>: is not read: a robot is made of rigid bodies");
  EXPECT_NE(error_of("<body name='a' childclass='none'/>").find("there is no default class 'none'"),
            std::string::npos);
  EXPECT_NE(error_of("<frame childclass='none'><body name='a'/></frame>").find("no default class"),
            std::string::npos);
  EXPECT_NE(error_of("</worldbody><default><default class='x'/><default class='x'/></default>"
                     "<worldbody><body name='a'/>")
                .find("the class 'x' is given twice"),
            std::string::npos);
  for (const char* far : {"euler='0 0 1e9'", "axisangle='0 0 1 1e9'"})
    EXPECT_NE(error_of("<body name='a' " + std::string(far) + "/>").find("up to 1e6 radians"),
              std::string::npos)
        << far;
  EXPECT_EQ(error_of("<joint/>"), "m.xml:1: body 'world': <joint>: the world has no joints");
  EXPECT_EQ(error_of("<body name='a'><body name='b'><freejoint/></body></body>"),
            "m.xml:1: body 'b': <freejoint>: a free joint is only for bodies of the world");
  for (const char* turned :
       {"<body name='a' %/>", "<body><geom size='1' %/></body>", "<frame %/>"}) {
    std::string text = turned;
    text.replace(text.find('%'), 1, "quat='1 0 0 0' euler='1 0 0'");
    EXPECT_NE(error_of(text).find("states more than one orientation"), std::string::npos) << text;
  }
}

TEST_F(Mjcf, TypesOfGeomsAreThoseThatAreRead) {
  for (const char* name : {"hfield", "sdf", "blob"}) {
    const std::string type = name;
    EXPECT_EQ(error_of("<geom type='" + type + "'/>"),
              "m.xml:1: body 'world': <geom>: type '" + type +
                  "' is none of plane, sphere, capsule, ellipsoid, cylinder, box, mesh");
  }
  EXPECT_NE(error_of("<geom type='box' mesh='m' size='1 1 1'/>").find("fitted"), std::string::npos);
  EXPECT_NE(error_of("<geom fromto='0 0 0 1 1 1' size='1'/>").find("fromto is not for"),
            std::string::npos);
  EXPECT_NE(error_of("<geom type='box' fromto='1 1 1 1 1 1' size='1'/>").find("no length"),
            std::string::npos);
}

// Law: between any two points, also straight up or down but for a little, the geom's axes are
// orthonormal, and z leads to the first one.
TEST_F(Mjcf, GeomsBetweenTwoPointsHaveRotations) {
  detail::Random random(6);
  for (int round = 0; round < 200; ++round) {
    const double near = std::ldexp(random.uniform(0.5, 1.0), -static_cast<int>(random.below(70)));
    const double x = random.uniform(-near, near), y = random.uniform(-near, near);
    std::ostringstream ends;
    ends.precision(17);
    ends << "0 0 0 " << x << " " << y << " " << (round % 2 == 0 ? 1 : -1);
    const Robot robot = parse("<mujoco><worldbody><geom type='box' size='0.1' fromto='" +
                              ends.str() + "'/></worldbody></mujoco>");
    const Mat3 turn = robot.links()[0].bodies[0].pose.rotation();
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 3; ++k)
        EXPECT_NEAR(dot(turn.column(i), turn.column(k)), i == k ? 1.0 : 0.0,
                    20 * 1.1102230246251565e-16)
            << ends.str();
    EXPECT_LT(norm(turn.column(2) + normalized(Vec3{x, y, round % 2 == 0 ? 1.0 : -1.0})), 1e-15);
  }
}

TEST_F(Mjcf, AnOrientationReplacesThatOfTheClass) {
  const Robot robot = parse(
      "<mujoco><default><geom size='1' quat='0 1 0 0'/><default class='x'><geom euler='0 0 90'/>"
      "</default></default><worldbody><geom euler='90 0 0'/><geom "
      "class='x'/></worldbody></mujoco>");
  const auto& bodies = robot.links()[0].bodies;
  EXPECT_LT(norm(bodies[0].pose.direction_to_world({0, 1, 0}) - Vec3{0, 0, 1}), 1e-15);
  EXPECT_LT(norm(bodies[1].pose.direction_to_world({1, 0, 0}) - Vec3{0, 1, 0}), 1e-15);
}

TEST_F(Mjcf, CompilersSayTheirOwnAttributesAlone) {
  const Robot robot = parse(
      "<mujoco><compiler angle='radian'/><compiler meshdir='m'/><worldbody><body name='a' "
      "euler='0 0 1.5707963267948966'/></worldbody></mujoco>");
  EXPECT_LT(norm(pose_of(robot, "a", {}).direction_to_world({1, 0, 0}) - Vec3{0, 1, 0}), 1e-15);
}

TEST_F(Mjcf, ErrorsNameLineBodyAndElement) {
  EXPECT_EQ(error_of("<body name='a'>\n<joint type='screw'/></body>"),
            "m.xml:2: body 'a': <joint>: type 'screw' is none of free, ball, hinge, slide");
  EXPECT_EQ(error_of("<body name='a'><geom size='1 x'/></body>"),
            "m.xml:1: body 'a': <geom>: size='1 x' is no 1 to 3 finite numbers");
  EXPECT_EQ(error_of("<body name='a'><geom type='box' size='1'/></body>"),
            "m.xml:1: body 'a': <geom>: size has fewer than 3 numbers");
  EXPECT_EQ(error_of("<body name='a'><geom class='q'/></body>"),
            "m.xml:1: body 'a': <geom>: there is no default class 'q'");
  EXPECT_EQ(error_of("<body name='a'><geom mesh='q'/></body>"),
            "m.xml:1: body 'a': <geom>: there is no mesh 'q'");
  EXPECT_EQ(error_of("<body name='a'><joint axis='0 0 0'/></body>"),
            "m.xml:1: body 'a': <joint>: axis must not be zero");
  EXPECT_EQ(error_of("<body name='a'><joint range='2 1'/></body>"),
            "m.xml:1: body 'a': <joint>: range: lower must not exceed upper");
  EXPECT_EQ(error_of("<body name='a'/><body name='a'/>").substr(0, 22), "m.xml:1: link 'a': nam");
}

TEST_F(Mjcf, IncludesFiles) {
  std::ofstream(folder_ / "arm.xml")
      << "<mujocoinclude><body name='a'>\n<geom size='0.1'/></body></mujocoinclude>";
  const std::string text =
      "<mujoco><worldbody><include file='arm.xml'/></worldbody><contact><exclude body1='world' "
      "body2='a'/></contact></mujoco>";
  FileNotes notes("m.xml");
  const Robot robot = parse_robot(text, folder_.path(), {}, notes);
  EXPECT_EQ(robot.links().size(), 2u);
  EXPECT_TRUE(notes.warnings().empty());
  EXPECT_EQ(parse_disabled_pairs(text, robot, notes), (std::vector<RobotPair>{{0, 1}}));
  std::ofstream(folder_ / "arm.xml") << "<x><body name='a'>\n<wings/></body></x>";
  try {
    parse_robot(text, folder_.path(), {}, notes);
    ADD_FAILURE();
  } catch (const FileError& error) {
    EXPECT_NE(std::string(error.what()).find("arm.xml:2: body \"a\": <wings>: is not read"),
              std::string::npos);
  }
  std::ofstream(folder_ / "arm.xml") << "<x><include file='arm.xml'/></x>";
  EXPECT_THROW(parse_robot(text, folder_.path(), {}, notes), FileError);
}

}  // namespace
}  // namespace tactus::io
