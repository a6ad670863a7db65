// SDF of older versions, which libsdformat brings up to date: random robots, written as each
// version has them, are the same robot.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tactus/core/random.hpp"
#include "tactus/io.hpp"
#include "tactus/io/robot/robot_reader.hpp"
#include "tests/support/effort.hpp"

namespace tactus::io {
namespace {

Robot parse_text(const std::string& text) {
  FileNotes notes("r.sdf");
  Robot robot = parse_robot(text, ".", {}, notes);
  EXPECT_EQ(notes.warnings(), std::vector<std::string>{}) << text;
  return robot;
}

std::string numbers(detail::Random& random, int count, double most) {
  std::string text;
  for (int i = 0; i < count; ++i)
    text += (i > 0 ? " " : "") + std::to_string(random.uniform(-most, most));
  return text;
}

/// A chain of links whose poses are in the frame of the model.
struct Chain {
  struct Part {
    std::string pose, joint_pose, body_pose, axis, type;
    int parent = 0;
    bool of_model = false;  ///< is the axis one of the model's frame?
  };
  std::vector<Part> parts;

  explicit Chain(detail::Random& random) {
    const std::uint32_t count = 2 + random.below(5);
    for (std::uint32_t i = 0; i < count; ++i) {
      constexpr const char* kAxes[] = {"0.6 0 0.8", "0 -1 0", "0.28 -0.96 0", "0 0.8 -0.6"};
      constexpr const char* kTypes[] = {"revolute", "prismatic", "ball", "fixed"};
      parts.push_back({numbers(random, 6, 2.0), numbers(random, 6, 1.0), numbers(random, 6, 1.0),
                       kAxes[random.below(4)], kTypes[random.below(4)],
                       static_cast<int>(random.below(i + 1)), random.below(2) == 0});
    }
  }

  /// As `version` writes it. Before 1.5 an axis is in the frame of the model unless the joint says
  /// otherwise, from 1.5 to 1.6 the other way round, and then the frame has a name.
  std::string text(const std::string& version) const {
    std::string out = "<sdf version='" + version + "'><model name='m'><link name='l0'/>\n";
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const Part& p = parts[i];
      const std::string name = "l" + std::to_string(i + 1);
      out += "<link name='" + name + "'><pose>" + p.pose + "</pose><collision name='c'><pose>" +
             p.body_pose + "</pose><geometry><box><size>0.1 0.2 0.3</size></box></geometry>" +
             "</collision></link>\n<joint name='j" + std::to_string(i) + "' type='" + p.type +
             "'><pose>" + p.joint_pose + "</pose><parent>l" + std::to_string(p.parent) +
             "</parent><child>" + name + "</child>";
      if (p.type == "revolute" || p.type == "prismatic") {
        const bool named = version >= "1.7", usual = p.of_model == (version < "1.5");
        out += std::string("<axis><xyz") +
               (named && p.of_model ? " expressed_in='__model__'>" : ">") + p.axis + "</xyz>" +
               (named || usual ? ""
                               : "<use_parent_model_frame>" + std::to_string(int{p.of_model}) +
                                     "</use_parent_model_frame>") +
               "<limit><lower>-1</lower><upper>2</upper></limit></axis>";
      }
      out += "</joint>\n";
    }
    return out + "</model></sdf>";
  }
};

std::vector<Pose> poses_of(const Robot& robot, const std::vector<double>& values) {
  std::vector<Pose> poses(robot.links().size());
  robot.link_poses(values, poses);
  return poses;
}

TEST(SdfVersions, HaveTheSameRobots) {
  if (!reads_sdf()) GTEST_SKIP() << "built without libsdformat";
  detail::Random random(53);
  for (int i = 0; i < detail::test::effort(4); ++i) {
    const Chain chain(random);
    const Robot newest = parse_text(chain.text("1.9"));
    std::vector<double> values(newest.coordinates().size());
    for (double& value : values) value = random.uniform(-1.0, 2.0);
    for (const char* version : {"1.4", "1.5", "1.6", "1.7", "1.8"}) {
      const Robot robot = parse_text(chain.text(version));
      ASSERT_EQ(robot.links().size(), newest.links().size()) << version;
      ASSERT_EQ(robot.coordinates().size(), newest.coordinates().size()) << version;
      EXPECT_EQ(poses_of(robot, values), poses_of(newest, values))
          << version << chain.text(version);
      for (std::size_t k = 0; k < robot.links().size(); ++k) {
        const auto &a = robot.links()[k].bodies, &b = newest.links()[k].bodies;
        ASSERT_EQ(a.size(), b.size()) << version;
        for (std::size_t m = 0; m < a.size(); ++m) EXPECT_EQ(a[m].pose, b[m].pose) << version;
      }
    }
  }
}

// A quarter turn of the link tells the frames of an axis apart: x of the joint is y of the model.
TEST(SdfVersions, AxesAreOfTheModelBefore15) {
  if (!reads_sdf()) GTEST_SKIP() << "built without libsdformat";
  const auto end = [](const std::string& version) {
    const Robot robot = parse_text(
        "<sdf version='" + version +
        "'><model name='m'><link name='a'/><link name='b'><pose>0 0 0 0 0 1.5707963267948966</pose>"
        "</link><joint name='j' type='prismatic'><parent>a</parent><child>b</child><axis><xyz>1 0 0"
        "</xyz><limit><lower>0</lower><upper>1</upper></limit></axis></joint></model></sdf>");
    return poses_of(robot, {1.0}).at(robot.find_link("b").value()).position();
  };
  EXPECT_LT(norm(end("1.4") - Vec3{1, 0, 0}), 1e-15);
  EXPECT_LT(norm(end("1.5") - Vec3{0, 1, 0}), 1e-15);
  EXPECT_LT(norm(end("1.6") - Vec3{0, 1, 0}), 1e-15);
}

}  // namespace
}  // namespace tactus::io
