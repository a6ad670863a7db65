// Errors of SDF files name their place; those of libsdformat are compared by their beginning.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tactus/io.hpp"
#include "tactus/io/robot/robot_reader.hpp"
#include "tests/support/folder.hpp"

namespace tactus::io {
namespace {

/// Text that stands in a file, and what is told of it; ` ...` stands for any end.
struct Wrong {
  std::string text, told;
};

class SdfMessages : public testing::Test {
 protected:
  void SetUp() override {
    if (!reads_sdf()) GTEST_SKIP() << "built without libsdformat";
  }
  std::string error_of(const std::string& text) const {
    FileNotes notes("r.sdf");
    try {
      parse_robot(text, folder_.path(), {}, notes);
      return "";
    } catch (const FileError& error) {
      std::string message = error.what();
      std::replace(message.begin(), message.end(), '"', '\'');
      return message;
    }
  }
  /// `around`: the text in front of and behind each case.
  void expect(const std::string& before, const std::string& after,
              const std::vector<Wrong>& list) const {
    for (const Wrong& wrong : list) {
      std::string told = error_of(before + wrong.text + after), expected = "r.sdf:" + wrong.told;
      const std::size_t open = expected.rfind(" ...");
      if (open != expected.npos) {
        expected.resize(open);
        told.resize(std::min(told.size(), open));
      }
      EXPECT_EQ(told, expected) << wrong.text;
    }
  }
  detail::test::TemporaryFolder folder_;
};

TEST_F(SdfMessages, OfTheFile) {
  testing::internal::CaptureStderr();
  expect("<sdf ", "</sdf>",
         {{"><model name='m'><link name='a'/></model>", "1: <sdf>: has no version"},
          {"version='1.9'><actor name='m'/>", "1: <sdf>: holds no model"},
          {"version='1.9'><world name='v'/><world name='w'><model name='m'><link "
           "name='a'/></model></world>",
           "1: <sdf>: holds several worlds"},
          {"version='1.9'>\n<model><link name='a'/></model>",
           "2: <model>: Required attribute[name] ..."},
          {"version='1.9'><model name='m'/>", " A model must have at least one link"},
          {"version='1.9'>\n<model name='m' canonical_link='q'><link name='a'/></model>",
           "2: <model>: canonical_link with name[q] ..."},
          {"version='1.8'><model name='m'>\n<link name='a::b'/></model>",
           "2: <link>: name 'a::b' holds '::'"}});
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(error_of("<sdf version='1.7'><model name='m'><link name='a::b'/></model></sdf>"), "");
}

TEST_F(SdfMessages, OfLinksAndFrames) {
  expect("<sdf version='1.9'><model name='m'>\n", "</model></sdf>",
         {{"<link/>", "2: <link>: Required attribute[name] ..."},
          {"<link name='world'/>", "2: link 'world': <link>: The supplied link name [world] ..."},
          {"<link name='a'><pose>0 0 0 0 0</pose></link>",
           "2: link 'a': <pose>: '0 0 0 0 0' is not what SDF has there"},
          {"<link name='a'><pose degrees='maybe'>0 0 0 0 0 0</pose></link>",
           "2: link 'a': <pose>: Unable to read attribute[degrees]"},
          {"<link name='a'><pose rotation_format='quat_xyzw'>0 0 0 0 0 0 0</pose></link>",
           "2: link 'a': <pose>: the quaternion must not be zero"},
          {"<link name='a'><pose rotation_format='matrix'>0 0 0 0 0 0</pose></link>",
           "2: link 'a': <pose>: '0 0 0 0 0 0' is not what SDF has there"},
          {"<link name='a'>\n<pose relative_to='no'/></link>",
           "2: link 'a': <link>: relative_to name[no] ..."},
          {"<link name='a'><collision name='c'>\n<pose relative_to='no'/><geometry><sphere>"
           "<radius>1</radius></sphere></geometry></collision></link>",
           "3: link 'a': <pose>: there is no frame 'no'"},
          {"<link name='a'/><frame name='f'><pose relative_to='g'/></frame>\n<frame name='g'>"
           "<pose relative_to='f'/></frame>",
           "2: <frame>: PoseRelativeToGraph cycle ..."},
          {"<link name='a'/><frame name='f' attached_to='no'/>",
           "2: <frame>: attached_to name[no] ..."},
          {"<static>perhaps</static><link name='a'/>",
           "2: <static>: 'perhaps' is not what SDF has there"},
          {"<link name='a'><collision/></link>",
           "2: link 'a': <collision>: Required attribute[name] ..."}});
}

TEST_F(SdfMessages, OfShapes) {
  const auto link = [](const std::string& shape) {
    return "<link name='a'>\n<collision name='c'><geometry>" + shape +
           "</geometry></collision></link>";
  };
  expect(
      "<sdf version='1.9'><model name='m'>", "</model></sdf>",
      {{"<link name='a'>\n<collision name='c'/></link>", "2: link 'a': <geometry>: holds no shape"},
       {link("<box><size>1 1 1</size></box>\n<sphere><radius>1</radius></sphere>"),
        "3: link 'a': <sphere>: is a second shape of one geometry"},
       {link("<polyline><point>0 0</point><height>1</height></polyline>"),
        "2: link 'a': <polyline>: is no shape (box, sphere, cylinder, capsule, ellipsoid, plane, "
        "mesh)"},
       {link("<mesh/>"), "2: link 'a': <mesh>: has no <uri>"},
       {link("<mesh><uri>x.obj</uri><scale>0 1 1</scale></mesh>"),
        "2: link 'a': <uri>: scale must not be zero"},
       {link("<mesh><uri>x.obj</uri></mesh>"), "2: link 'a': <uri>: no file 'x.obj' ..."},
       {link("<box><size>1 inf 1</size></box>"),
        "2: link 'a': <size>: '1 inf 1' is not what SDF has there"},
       {link("<cylinder><radius>1</radius><length>-2</length></cylinder>"),
        "2: link 'a': <length>: must be at least 0"},
       {link("<ellipsoid><radii>1 -1 1</radii></ellipsoid>"),
        "2: link 'a': <radii>: must be at least 0"},
       {link("<plane><normal>0 0 0</normal><size>1 1</size></plane>"),
        "2: link 'a': <normal>: must not be zero"}});
}

TEST_F(SdfMessages, OfJoints) {
  const auto joint = [](const std::string& inside) {
    return "<joint name='j' type='revolute'><parent>a</parent><child>b</child>" + inside +
           "</joint>";
  };
  const auto follower = [&](const std::string& mimic) {
    return joint("<axis><xyz>0 0 1</xyz>" + mimic + "</axis>");
  };
  const std::string factors =
      "<multiplier>1</multiplier><offset>0</offset><reference>0</reference></mimic>";
  expect(
      "<sdf version='1.9'><model name='m'><link name='a'/><link name='b'/>\n", "</model></sdf>",
      {{joint(""), "2: joint 'j': <joint>: has no <axis>"},
       {joint("<axis><xyz expressed_in='no'>0 0 1</xyz></axis>"),
        "2: joint 'j': <joint>: expressed_in: there is no frame 'no'"},
       {follower("<mimic/>"), "2: joint 'j': <mimic>: has no joint"},
       {follower("<mimic joint='k'>" + factors),
        "2: joint 'j': <mimic>: there is no joint 'k' that moves"},
       {"<link name='c'/><joint name='k' type='fixed'><parent>a</parent><child>c</child></joint>" +
            follower("<mimic joint='k'>" + factors),
        "2: joint 'j': <mimic>: there is no joint 'k' that moves"},
       {"<joint name='j'><parent>a</parent><child>b</child></joint>",
        "2: joint 'j': <joint>: Required attribute[type] ..."},
       {"<joint name='j' type='gearbox'><parent>a</parent><child>b</child></joint>",
        "2: joint 'j': <joint>: type 'gearbox' is none of ..."},
       {"<joint name='j' type='fixed'><parent>a</parent></joint>",
        "2: joint 'j': <child>: XML Missing required element[child] ..."},
       {"<joint name='j' type='fixed'><parent>a</parent><child>a</child></joint>",
        "2: joint 'j': <joint>: Joint with name[j] must specify different frame names ..."},
       {"<joint name='j' type='fixed'><parent>no</parent><child>b</child></joint>",
        "2: joint 'j': <joint>: parent frame with name[no] ..."},
       {"<joint name='j' type='fixed'><parent>a</parent><child>world</child></joint>",
        "2: joint 'j': <joint>: Joint with name[j] specified invalid child link [world]"},
       {joint("<axis><xyz>0 0 1</xyz></axis>") + "<frame name='j'/>",
        "2: <frame>: Frame with non-unique name [j] ..."}});
}

TEST_F(SdfMessages, OfIncludedFiles) {
  std::ofstream(folder_.path() / "arm.urdf") << "<robot name='u'><link name='r'/></robot>";
  std::ofstream(folder_.path() / "bare.sdf")
      << "<sdf><model name='n'><link name='a'/></model></sdf>";
  std::filesystem::create_directory(folder_.path() / "empty");
  const std::string place = folder_.path().string();
  expect("<sdf version='1.9'><model name='m'><link name='a'/>\n", "</model></sdf>",
         {{"<include/>", "2: <include>: has no <uri>"},
          {"<include><uri> </uri></include>", "2: <uri>: names no file"},
          {"<include><uri>model://gone</uri></include>", "2: <uri>: no file 'model://gone' ..."},
          {"<include><uri>empty</uri></include>",
           "2: <uri>: " + place + "/empty holds no model.config that names an SDF file"},
          {"<include><uri>arm.urdf</uri></include>",
           "2: <uri>: " + place + "/arm.urdf: the root of SDF is <sdf>"}});
  EXPECT_EQ(error_of("<sdf version='1.9'><model name='m'><include><uri>bare.sdf</uri></include>"
                     "</model></sdf>"),
            place + "/bare.sdf:1: <sdf>: has no version");
  std::string many = "<sdf version='1.9'><model name='m'><link name='a'/>";
  for (int i = 0; i < 101; ++i)
    many += "\n<include><uri>one.sdf</uri><name>n" + std::to_string(i) + "</name></include>";
  std::ofstream(folder_.path() / "one.sdf")
      << "<sdf version='1.9'><model name='n'><link name='a'/></model></sdf>";
  EXPECT_EQ(error_of(many + "</model></sdf>"), "r.sdf:102: <uri>: is one of more than 100");
}

}  // namespace
}  // namespace tactus::io
