// Robots from SDF: the same bits as from URDF, frames, included files, and errors that name the
// place.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "tactus/io.hpp"
#include "tactus/io/robot/robot_reader.hpp"
#include "tests/support/folder.hpp"

namespace tactus::io {
namespace {

/// A message with single quotes, which need no escapes here.
std::string plain(std::string message) {
  std::replace(message.begin(), message.end(), '"', '\'');
  return message;
}

/// A text of several elements in one model `m`, from line 2 on.
std::string model(const std::string& inside) {
  return "<sdf version='1.9'><model name='m'>\n" + inside + "</model></sdf>";
}

Robot parse_text(const std::string& text, const RobotReadOptions& options = {},
                 const std::filesystem::path& folder = ".") {
  FileNotes notes("r.sdf");
  return parse_robot(text, folder, options, notes);
}

std::string error_of(const std::string& text, const RobotReadOptions& options = {},
                     const std::filesystem::path& folder = ".") {
  try {
    parse_text(text, options, folder);
    return "";
  } catch (const FileError& error) {
    return plain(error.what());
  }
}

TEST(SdfBuild, WithoutLibsdformatSaysSo) {
  if (!reads_robots() || reads_sdf()) GTEST_SKIP() << "built with libsdformat, or without tinyxml2";
  EXPECT_EQ(error_of("<sdf/>"),
            "r.sdf:1: <sdf>: this build reads no SDF (libsdformat was not found)");
}

class Sdf : public testing::Test {
 protected:
  void SetUp() override {
    if (!reads_sdf()) GTEST_SKIP() << "built without libsdformat";
  }
};

std::vector<Pose> poses_of(const Robot& robot, const std::vector<double>& values) {
  std::vector<Pose> poses(robot.links().size());
  robot.link_poses(values, poses);
  return poses;
}

const Pose& pose_of(const Robot& robot, const std::vector<Pose>& poses, const std::string& link) {
  return poses.at(robot.find_link(link).value());
}

// Numbers of 17 digits, so that a reader that rounds them gives other bits.
constexpr const char* kUrdfArm = R"(<robot name="arm">
 <link name="base"><collision><geometry><box size="0.33333333333333331 2 0.14285714285714285"/></geometry></collision></link>
 <link name="upper"><collision><origin xyz="0 0 0.33333333333333331" rpy="0.11111111111111110 0.2 0.3"/>
  <geometry><cylinder radius="0.090909090909090912" length="0.7"/></geometry></collision></link>
 <link name="finger"><collision><geometry><sphere radius="0.076923076923076927"/></geometry></collision></link>
 <joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/>
  <origin xyz="0.33333333333333331 0.14285714285714285 1.1" rpy="0.66666666666666663 0.1 1.2345678901234567"/>
  <axis xyz="0.57735026918962573 0.57735026918962573 0.57735026918962573"/><limit lower="-1.3333333333333333" upper="2"/></joint>
 <joint name="slide" type="prismatic"><parent link="upper"/><child link="finger"/>
  <origin xyz="0 0 0.77777777777777779" rpy="0 0.3 0"/><axis xyz="0 0 1"/><limit lower="0" upper="1"/></joint>
</robot>)";
constexpr const char* kSdfArm = R"(<?xml version="1.0"?>
<sdf version="1.9"><model name="arm">
 <link name="base"><collision name="c"><geometry><box><size>0.33333333333333331 2 0.14285714285714285</size></box></geometry></collision></link>
 <link name="upper"><pose relative_to="shoulder"/>
  <collision name="c"><pose>0 0 0.33333333333333331 0.11111111111111110 0.2 0.3</pose>
   <geometry><cylinder><radius>0.090909090909090912</radius><length>0.7</length></cylinder></geometry></collision></link>
 <link name="finger"><pose relative_to="slide"/><collision name="c"><geometry><sphere><radius>0.076923076923076927</radius></sphere></geometry></collision></link>
 <joint name="shoulder" type="revolute"><parent>base</parent><child>upper</child>
  <pose relative_to="base">0.33333333333333331 0.14285714285714285 1.1 0.66666666666666663 0.1 1.2345678901234567</pose>
  <axis><xyz>0.57735026918962573 0.57735026918962573 0.57735026918962573</xyz>
   <limit><lower>-1.3333333333333333</lower><upper>2</upper></limit></axis></joint>
 <joint name="slide" type="prismatic"><parent>upper</parent><child>finger</child>
  <pose relative_to="upper">0 0 0.77777777777777779 0 0.3 0</pose>
  <axis><xyz>0 0 1</xyz><limit><lower>0</lower><upper>1</upper></limit></axis></joint>
</model></sdf>)";

TEST_F(Sdf, GivesTheBitsOfTheSameRobotInUrdf) {
  const Robot urdf = parse_text(kUrdfArm), sdf = parse_text(kSdfArm);
  EXPECT_EQ(sdf.name(), "arm");
  ASSERT_EQ(sdf.links().size(), 3u);
  ASSERT_EQ(sdf.coordinates().size(), 2u);
  EXPECT_EQ(sdf.coordinates()[0].lower, urdf.coordinates()[0].lower);
  for (const std::vector<double>& values :
       {std::vector<double>{0, 0}, {1.1, 0.4}, {-0.7777777777777777, 0.9}}) {
    const std::vector<Pose> a = poses_of(urdf, values), b = poses_of(sdf, values);
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_EQ(a[i], b[i]) << i;
    const RobotClearance c = RobotCollision(urdf).clearance(values);
    const RobotClearance d = RobotCollision(sdf).clearance(values);
    EXPECT_EQ(c.lower, d.lower);
    EXPECT_EQ(c.upper, d.upper);
  }
}

// A robot whose poses are all given in the frame of the model, in degrees and quaternions.
TEST_F(Sdf, ResolvesFramesToTheKinematics) {
  const Robot robot = parse_text(model(R"(
 <frame name="half"><pose degrees="true">0.33333333333333331 0 0 0 0 90</pose></frame>
 <link name="base"/>
 <link name="a"><pose relative_to="half">1 0 0 0 0 0</pose></link>
 <link name="b"><pose rotation_format="quat_xyzw">3 2 0  0 0 0.70710678118654757 0.70710678118654757</pose></link>
 <joint name="j" type="revolute"><parent>base</parent><child>a</child><pose>-0.5 0 0 0 0 0</pose>
  <axis><xyz expressed_in="__model__">0 0 -2</xyz></axis></joint>
 <joint name="k" type="revolute"><parent>a</parent><child>b</child>
  <axis><xyz expressed_in="half">1 0 0</xyz><limit><lower>-1</lower><upper>1</upper></limit></axis></joint>)"));
  ASSERT_EQ(robot.coordinates().size(), 2u);
  EXPECT_EQ(robot.joints()[0].type, RobotJointType::continuous);
  EXPECT_EQ(robot.joints()[*robot.find_joint("k")].type, RobotJointType::revolute);
  // At 0 every link stands where the file puts it: half is at (1/3, 0, 0), its x along y.
  std::vector<Pose> poses = poses_of(robot, {0, 0});
  const auto at = [&](const char* link) { return pose_of(robot, poses, link).position(); };
  EXPECT_LT(norm(at("a") - Vec3{1.0 / 3.0, 1, 0}), 1e-15);
  EXPECT_LT(norm(at("b") - Vec3{3, 2, 0}), 1e-15);
  // The joint j stands half behind a, at (1/3, 0.5, 0), and turns the other way about z.
  const double angle = 0.7;
  poses = poses_of(robot, {angle, 0});
  EXPECT_LT(norm(at("a") - Vec3{1.0 / 3.0 + 0.5 * std::sin(angle), 0.5 + 0.5 * std::cos(angle), 0}),
            1e-15);
  // b turns about the line through itself along the frame's x, which is the world's y.
  poses = poses_of(robot, {0, 0.5});
  const Vec3 z = pose_of(robot, poses, "b").direction_to_world({0, 0, 1});
  EXPECT_LT(norm(z - Vec3{std::sin(0.5), 0, std::cos(0.5)}), 1e-15);
}

TEST_F(Sdf, StandsInTheWorldWhereTheFilePutsIt) {
  // By a joint, by its pose alone, and both parts of a model that is static.
  Robot robot = parse_text(
      "<sdf version='1.9'><model name='m'><pose>1 0 0 0 0 0</pose><link name='a'><pose>0 2 0 0 0 0"
      "</pose></link><joint name='j' type='prismatic'><parent>world</parent><child>a</child><axis>"
      "<xyz>0 0 1</xyz></axis></joint></model></sdf>");
  EXPECT_EQ(robot.links()[robot.root()].name, "world");
  EXPECT_EQ(pose_of(robot, poses_of(robot, {3}), "a").position(), (Vec3{1, 2, 3}));
  robot = parse_text(
      "<sdf version='1.9'><model name='m'><pose>1 0 0 0 0 0</pose><link name='a'/></model></sdf>");
  EXPECT_EQ(robot.joints().at(0).name, "a/fixed");
  EXPECT_EQ(pose_of(robot, poses_of(robot, {}), "a").position(), (Vec3{1, 0, 0}));
  // A pose that is that of the link at the end.
  robot = parse_text(
      "<sdf version='1.9'><model name='m' placement_frame='b'><pose>1 0 0 0 0 0</pose><link "
      "name='a'/><link name='b'><pose>0 0 2 0 0 0</pose></link><joint name='j' type='fixed'>"
      "<parent>a</parent><child>b</child></joint></model></sdf>");
  EXPECT_EQ(pose_of(robot, poses_of(robot, {}), "a").position(), (Vec3{1, 0, -2}));
  EXPECT_EQ(pose_of(robot, poses_of(robot, {}), "b").position(), (Vec3{1, 0, 0}));
  robot = parse_text(model("<static>true</static><link name='a'/><link name='b'/>"));
  EXPECT_EQ(robot.links().size(), 3u);
  EXPECT_EQ(parse_text(model("<link name='a'/>")).links().size(), 1u);
}

TEST_F(Sdf, JointsOfSeveralMotionsAreChains) {
  const Robot robot = parse_text(model(R"(<link name="a"/><link name="b"/><link name="c"/>
 <joint name="u" type="universal"><parent>a</parent><child>b</child><axis><xyz>1 0 0</xyz></axis>
  <axis2><xyz>0 1 0</xyz></axis2></joint>
 <joint name="s" type="ball"><parent>b</parent><child>c</child></joint>)"));
  std::vector<std::string> names;
  for (const RobotCoordinate& coordinate : robot.coordinates()) names.push_back(coordinate.name);
  EXPECT_EQ(names, (std::vector<std::string>{"u/axis", "u/axis2", "s/yaw", "s/pitch", "s/roll"}));
  // The second axis goes with the first turn.
  const auto poses = poses_of(robot, {1.5707963267948966, 0.5, 0, 0, 0});
  const Vec3 x = pose_of(robot, poses, "c").direction_to_world({1, 0, 0});
  EXPECT_LT(norm(x - Vec3{std::cos(0.5), std::sin(0.5), 0}), 1e-15);
}

TEST_F(Sdf, MimicsFollow) {
  const Robot robot = parse_text(model(R"(<link name="a"/><link name="b"/><link name="c"/>
 <joint name="j" type="prismatic"><parent>a</parent><child>b</child><axis><xyz>1 0 0</xyz></axis></joint>
 <joint name="k" type="prismatic"><parent>b</parent><child>c</child><axis><xyz>1 0 0</xyz>
  <mimic joint="j"><multiplier>-2</multiplier><offset>0.5</offset><reference>0.25</reference></mimic></axis></joint>)"));
  ASSERT_EQ(robot.coordinates().size(), 1u);
  // 1 - 2 (1 - 0.25) + 0.5
  EXPECT_EQ(pose_of(robot, poses_of(robot, {1}), "c").position().x, 0.0);
}

TEST_F(Sdf, ReadsAllShapes) {
  const std::string shapes[] = {"<box><size>1 2 3</size></box>",
                                "<sphere><radius>1</radius></sphere>",
                                "<cylinder><radius>1</radius><length>2</length></cylinder>",
                                "<capsule><radius>1</radius><length>2</length></capsule>",
                                "<ellipsoid><radii>1 2 3</radii></ellipsoid>",
                                "<plane><normal>0 1 0</normal></plane>",
                                "<empty/>"};
  std::string text = "<link name='l'>";
  int i = 0;
  for (const std::string& shape : shapes)
    text += "<collision name='c" + std::to_string(i++) + "'><geometry>" + shape +
            "</geometry></collision>";
  text +=
      "<visual name='v'><geometry><sphere><radius>2</radius></sphere></geometry></visual></link>";
  const Robot robot = parse_text(model(text));
  std::vector<ShapeType> types;
  for (const RobotBody& body : robot.links()[0].bodies) types.push_back(body.shape.type());
  EXPECT_EQ(types, (std::vector<ShapeType>{ShapeType::box, ShapeType::sphere, ShapeType::cylinder,
                                           ShapeType::capsule, ShapeType::ellipsoid,
                                           ShapeType::halfspace}));
  EXPECT_EQ(std::get<HalfSpace>(robot.links()[0].bodies[5].shape.geometry()).normal(),
            (Vec3{0, 1, 0}));
  RobotReadOptions visual;
  visual.visual = true;
  EXPECT_EQ(parse_text(model(text), visual).links()[0].bodies.size(), 1u);
}

/// An arm on a base: lines 2 to 4.
std::string arm(const std::string& link, const std::string& joint) {
  return model("<link name='a'/>\n<link name='b'>" + link + "</link>\n" + joint);
}
std::string joint(const std::string& type, const std::string& inside = "<xyz>0 0 1</xyz>",
                  const std::string& parent = "a", const std::string& child = "b") {
  return "<joint name='j' type='" + type + "'><parent>" + parent + "</parent><child>" + child +
         "</child><axis>" + inside + "</axis></joint>";
}
std::string geometry(const std::string& shape) {
  return "<collision name='c'><geometry>" + shape + "</geometry></collision>";
}

TEST_F(Sdf, ErrorsNameLineOwnerAndElement) {
  EXPECT_EQ(error_of("<sdf version='1.9'>\n</sdf>"), "r.sdf:1: <sdf>: holds no model");
  const auto of_joint = [](const std::string& text) { return error_of(arm("", text)); };
  EXPECT_EQ(of_joint(joint("fixed")), "");
  EXPECT_EQ(of_joint(joint("screw")),
            "r.sdf:4: joint 'j': <joint>: type 'screw' is none of fixed, revolute, continuous, "
            "prismatic, ball, universal, revolute2");
  EXPECT_EQ(of_joint(joint("wobble")).substr(0, 51),
            "r.sdf:4: joint 'j': <joint>: type 'wobble' is none ");
  EXPECT_EQ(of_joint(joint("revolute", "<xyz>0 0 0</xyz>")),
            "r.sdf:4: joint 'j': <xyz>: must not be zero");
  EXPECT_EQ(of_joint(joint("universal")), "r.sdf:4: joint 'j': <joint>: has no <axis2>");
  const auto limits = [&](const std::string& lower, const std::string& upper) {
    return of_joint(joint("revolute", "<xyz>0 0 1</xyz><limit><lower>" + lower + "</lower><upper>" +
                                          upper + "</upper></limit>"));
  };
  EXPECT_EQ(limits("2", "1"), "r.sdf:4: joint 'j': <limit>: lower must not exceed upper");
  EXPECT_EQ(limits("nan", "1"), "r.sdf:4: joint 'j': <lower>: 'nan' is no number");
  EXPECT_EQ(limits("-inf", "1e16"), "");
  const std::string no_link = of_joint(joint("revolute", "<xyz>0 0 1</xyz>", "a", "z"));
  EXPECT_EQ(no_link.substr(0, 41), "r.sdf:4: joint 'j': <joint>: Child frame ");
  EXPECT_NE(
      error_of(model("<link name='a'/>\n<link name='a'/>")).find("r.sdf:2: link 'a': <link>: "),
      std::string::npos);
  EXPECT_EQ(error_of(arm("", "")),
            "r.sdf:3: link 'b': is a second root beside 'a': no joint leads to it");
  // Two joints above one link, and links that carry each other.
  EXPECT_NE(of_joint(joint("fixed") +
                     "\n<joint name='k' type='fixed'><parent>a</parent><child>b</child></joint>")
                .find("r.sdf:5: joint 'k': child: "),
            std::string::npos);
  EXPECT_NE(of_joint(joint("fixed") +
                     "\n<joint name='k' type='fixed'><parent>b</parent><child>a</child></joint>"),
            "");
  EXPECT_NE(
      error_of(arm("<pose relative_to='a'/>", "<frame name='f'><pose relative_to='f'/></frame>")),
      "");
  const auto of_link = [](const std::string& text) { return error_of(arm(text, joint("fixed"))); };
  EXPECT_EQ(of_link("<pose>1 2 nan 0 0 0</pose>"),
            "r.sdf:3: link 'b': <pose>: '1 2 nan 0 0 0' is not what SDF has there");
  EXPECT_EQ(of_link(geometry("<box><size>1 abc 3</size></box>")),
            "r.sdf:3: link 'b': <size>: '1 abc 3' is not what SDF has there");
  EXPECT_EQ(of_link(geometry("<box><size>1 -2 3</size></box>")),
            "r.sdf:3: link 'b': <size>: must be at least 0");
  EXPECT_EQ(of_link(geometry("<sphere><radius>-1</radius></sphere>")),
            "r.sdf:3: link 'b': <radius>: must be at least 0");
  EXPECT_EQ(of_link(geometry("")), "r.sdf:3: link 'b': <geometry>: holds no shape");
  EXPECT_EQ(of_link(geometry("<heightmap><uri>h.png</uri></heightmap>")),
            "r.sdf:3: link 'b': <heightmap>: is no shape (box, sphere, cylinder, capsule, "
            "ellipsoid, plane, mesh)");
}

TEST_F(Sdf, NotesWhatItDoesNotLookAt) {
  FileNotes notes("r.sdf");
  parse_robot(arm("", joint("revolute", "<xyz>0 0 3</xyz>") + "<wings/>"), ".", {}, notes);
  std::vector<std::string> warnings = notes.warnings();
  ASSERT_EQ(warnings.size(), 2u);
  EXPECT_EQ(warnings[0], "r.sdf:4: <wings>: is not looked at");
  EXPECT_EQ(plain(warnings[1]),
            "r.sdf:4: joint 'j': <xyz>: is not of unit length: it is normalised");
}

TEST_F(Sdf, OneModelOfAWorldIsAskedForByName) {
  const std::string world =
      "<sdf version='1.9'><world name='w'><model name='ground'><static>true</static><link name='g'"
      "/></model><frame name='f'><pose>0 0 1 0 0 0</pose></frame><model name='arm'><pose "
      "relative_to='f'>1 0 0 0 0 0</pose><link name='l'/></model></world></sdf>";
  EXPECT_EQ(error_of(world), "r.sdf:1: <sdf>: holds several models: 'ground', 'arm'");
  RobotReadOptions options;
  options.model = "arm";
  const Robot robot = parse_text(world, options);
  EXPECT_EQ(robot.name(), "arm");
  EXPECT_EQ(pose_of(robot, poses_of(robot, {}), "l").position(), (Vec3{1, 0, 1}));
  options.model = "leg";
  EXPECT_EQ(error_of(world, options),
            "r.sdf:1: <sdf>: there is no model 'leg' among 'ground', 'arm'");
}

class SdfFiles : public Sdf {
 protected:
  void write(const std::string& name, const std::string& content) const {
    std::filesystem::create_directories((folder_.path() / name).parent_path());
    std::ofstream(folder_.path() / name) << content;
  }
  void write_hand(const std::string& folder) const {
    write(folder + "/model.config",
          "<model><name>hand</name><sdf version='1.9'>model.sdf</sdf></model>");
    write(folder + "/model.sdf",
          "<sdf version='1.9'><model name='hand'>\n<link name='palm'>" +
              geometry("<mesh><uri>t.obj</uri><scale>2 -1 1</scale></mesh>") +
              "</link>\n</model></sdf>");
    write(folder + "/t.obj",
          "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n");
  }
  std::string failure(const std::string& text, const RobotReadOptions& options = {}) const {
    return error_of(text, options, folder_.path() / "d");
  }
  detail::test::TemporaryFolder folder_;
};

std::string with_hand(const std::string& uri, const std::string& more = "") {
  return arm("<pose>0 0 0.14285714285714285 0 0 0</pose>",
             joint("fixed") + "<include><uri>" + uri +
                 "</uri><name>grip</name><pose "
                 "relative_to='b'>0.33333333333333331 0 0 0 0 0</pose></include><joint name='k' "
                 "type='fixed'><parent>b</parent><child>grip::palm</child></joint>" +
                 more);
}

TEST_F(SdfFiles, IncludeModels) {
  write_hand("d/hand");
  write_hand("elsewhere");
  const Robot robot = parse_text(with_hand("model://hand"), {}, folder_.path() / "d");
  ASSERT_TRUE(robot.find_link("grip::palm").has_value());
  EXPECT_EQ(pose_of(robot, poses_of(robot, {}), "grip::palm").position(),
            (Vec3{1.0 / 3.0, 0, 1.0 / 7.0}));
  const RobotLink& palm = robot.links()[*robot.find_link("grip::palm")];
  EXPECT_EQ(std::get<Mesh>(palm.bodies.at(0).shape.geometry()).mesh().vertices[2].y, -1.0);
  EXPECT_EQ(failure(with_hand("hand")), "");
  EXPECT_EQ(failure(with_hand("hand/model.sdf")), "");
  EXPECT_EQ(failure(with_hand("model://hand/model.sdf")), "");
  EXPECT_EQ(failure(with_hand("file://" + (folder_.path() / "elsewhere").string())), "");
  RobotReadOptions options;
  options.packages.emplace_back("q", folder_.path() / "elsewhere");
  EXPECT_EQ(failure(with_hand("model://q"), options), "");
  EXPECT_NE(failure(with_hand("model://q")).find("r.sdf:4: <uri>: no file 'model://q' ("),
            std::string::npos);
  ASSERT_EQ(setenv("GZ_SIM_RESOURCE_PATH", folder_.path().c_str(), 1), 0);
  EXPECT_EQ(failure(with_hand("model://elsewhere")), "");
  ASSERT_EQ(unsetenv("GZ_SIM_RESOURCE_PATH"), 0);
  EXPECT_NE(failure(arm("", "<include merge='true'><uri>hand</uri></include>"))
                .find("r.sdf:4: <include>: merge is not read"),
            std::string::npos);
}

TEST_F(SdfFiles, ErrorsOfIncludedFilesNameThem) {
  write_hand("d/hand");
  const auto spoil = [&](const std::string& text) {
    write("d/hand/model.sdf", "<sdf version='1.9'><model name='hand'>\n" + text + "</model></sdf>");
    return failure(with_hand("model://hand"));
  };
  const std::string file = (folder_.path() / "d/hand/model.sdf").string();
  EXPECT_EQ(spoil("<link name='palm'><pose>1 2</pose></link>"),
            file + ":2: link 'palm': <pose>: '1 2' is not what SDF has there");
  const std::string missing =
      spoil("<link name='palm'>" + geometry("<mesh><uri>none.obj</uri></mesh>") + "</link>");
  EXPECT_EQ(missing.find(file + ":2: link 'grip::palm': <uri>: no file 'none.obj' ("), 0u)
      << missing;
  EXPECT_NE(spoil("<link name='palm'/><include><uri>model://hand</uri></include>")
                .find("files include each other"),
            std::string::npos);
  EXPECT_NE(spoil("<link name='palm'/><include><uri>../hand</uri></include>").find(file + ":2: "),
            std::string::npos);
  const std::string sub =
      geometry("<mesh><uri>t.obj</uri><submesh><name>s</name></submesh></mesh>");
  EXPECT_NE(spoil("<link name='palm'>" + sub + "</link>").find("<submesh>: is not read"),
            std::string::npos);
}

}  // namespace
}  // namespace tactus::io
