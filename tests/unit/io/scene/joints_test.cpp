#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tactus/io.hpp"
#include "tactus/io/json/json_text.hpp"
#include "tactus/io/run/live_world.hpp"
#include "tactus/io/scene/scene_json.hpp"
#include "tests/support/folder.hpp"

namespace tactus::io {
using namespace detail;
namespace {

/// A fixed post and two balls in a row, with these joints.
std::string scene_with(const std::string& joints, const std::string& fields = "") {
  return R"({"shapes": {"ball": {"type": "sphere", "radius": 0.1}}, "bodies": [
    {"name": "post", "type": "fixed", "shape": "ball"},
    {"name": "near", "shape": "ball", "pose": {"position": [1, 0, 0], "quaternion": [1, 0, 0, 0]}},
    {"name": "far", "shape": "ball", "pose": {"position": [2, 0, 0], "quaternion": [1, 0, 0, 0]}},
    {"name": "twin", "shape": "ball", "pose": {"position": [0, 5, 0], "quaternion": [1, 0, 0, 0]}},
    {"name": "twin", "shape": "ball", "pose": {"position": [0, 6, 0], "quaternion": [1, 0, 0, 0]}}],
    "joints": [)" +
         joints + "]" + fields + "}";
}

Scene parse(const std::string& text) { return scene_from_json(parse_json(text), "."); }

std::string refusal(const std::string& joint) {
  try {
    build_world(parse(scene_with(joint)));
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "accepted";
}

TEST(SceneJoints, ReadsEveryField) {
  const Scene scene = parse(scene_with(
      R"({"type": "hinge", "bodies": ["post", "near"], "anchor": [0.5, 0, 0], "axis": [0, 2, 0],
          "limits": [-1, 2], "motor": {"speed": 3, "max_force": 4}, "touch": true},
         {"type": "distance", "bodies": ["near", "far"], "anchors": [[1, 0, 0], [2, 0, 0]],
          "length": 0.9, "spring": {"frequency": 2, "damping_ratio": 0.3}},
         {"type": "ball", "bodies": ["post", "far"], "anchor": [0, 0, 1]},
         {"type": "slider", "bodies": ["post", "far"], "anchor": [0, 0, 1], "axis": [1, 0, 0]},
         {"type": "fixed", "bodies": ["far", "post"], "anchor": [0, 0, 1]},
         {"type": "ball", "bodies": ["post", "far"], "anchor": [0, 0, 1], "axis": [3, 0, 0],
          "swing": 0.5, "twist": [-0.25, 0.75]})"));
  ASSERT_EQ(scene.joints.size(), 6u);
  const JointDefinition& hinge = scene.joints[0];
  EXPECT_EQ(hinge.type, JointType::hinge);
  EXPECT_EQ(hinge.body_a, 1u);
  EXPECT_EQ(hinge.body_b, 2u);
  EXPECT_EQ(hinge.frame_a.position(), (Vec3{0.5, 0, 0}));
  EXPECT_EQ(hinge.frame_b.position(), (Vec3{-0.5, 0, 0}));
  EXPECT_EQ(hinge.frame_b.rotation().column(2), (Vec3{0, 1, 0}));
  EXPECT_EQ(hinge.limits, (JointLimits{-1, 2}));
  EXPECT_EQ(hinge.motor, (JointMotor{3, 4}));
  EXPECT_TRUE(hinge.touch);
  EXPECT_EQ(scene.joints[1].spring, (JointSpring{2, 0.3}));
  EXPECT_EQ(scene.joints[1].length, 0.9);
  EXPECT_FALSE(scene.joints[1].touch);
  EXPECT_EQ(scene.joints[2].type, JointType::ball);
  EXPECT_EQ(scene.joints[3].type, JointType::slider);
  EXPECT_EQ(scene.joints[4].type, JointType::fixed);
  EXPECT_FALSE(scene.joints[2].swing || scene.joints[2].twist);
  EXPECT_EQ(scene.joints[5].swing, 0.5);
  EXPECT_EQ(scene.joints[5].twist, (JointLimits{-0.25, 0.75}));
  EXPECT_EQ(scene.joints[5].frame_b.rotation().column(2), (Vec3{1, 0, 0}));
  EXPECT_EQ(dynamic_cast<World&>(*build_world(scene)).joints().size(), 6u);
}

TEST(SceneJoints, ReadsDrivesAndWhatBreaksThem) {
  const Scene scene = parse(scene_with(
      R"({"type": "hinge", "bodies": ["post", "near"], "anchor": [0.5, 0, 0], "axis": [0, 2, 0],
          "drive": {"target": 0.5, "stiffness": 3, "damping": 2, "max_force": 4}, "break_force": 7},
         {"type": "ball", "bodies": ["post", "far"], "anchor": [0, 0, 1], "axis": [3, 0, 0],
          "drive": {"damping": 1}, "break_torque": 0})"));
  ASSERT_EQ(scene.joints.size(), 2u);
  EXPECT_EQ(scene.joints[0].drive, (JointDrive{0.5, 3, 2, 4}));
  EXPECT_EQ(scene.joints[0].break_force, 7.0);
  EXPECT_EQ(scene.joints[1].drive, (JointDrive{0.0, 0.0, 1.0}));
  EXPECT_EQ(scene.joints[1].break_torque, 0.0);
  EXPECT_EQ(scene.joints[1].frame_a.rotation().column(2), (Vec3{1, 0, 0}));
  EXPECT_EQ(
      refusal(std::string(R"({"type": "fixed", "bodies": ["post", "near"], "anchor": [0, 0, 0],
                        "drive": {"stiffness": 1}})")),
      "joints[0].drive: belongs to a hinge, a slider or a ball joint");
  EXPECT_EQ(refusal(std::string(R"({"type": "ball", "bodies": ["post", "near"], "anchor": [0, 0, 0],
                        "drive": {"stiffness": 1, "speed": 2}})")),
            "joints[0].drive.speed: unknown field");
}

TEST(SceneJoints, ErrorsNameTheField) {
  const auto names = [](const std::string& joint, const std::string& field,
                        const std::string& reason) {
    const std::string message = refusal(joint);
    EXPECT_NE(message.find("joints[0]" + field), std::string::npos) << message;
    EXPECT_NE(message.find(reason), std::string::npos) << message;
  };
  const std::string ball = R"("type": "ball", "anchor": [0, 0, 0], )";
  names(R"({"type": "glue", "bodies": ["post", "near"], "anchor": [0, 0, 0]})", ".type",
        "must be fixed, ball, hinge, slider or distance");
  names("{" + ball + R"("bodies": ["post", "nobody"]})", ".bodies[1]", "no body called nobody");
  names("{" + ball + R"("bodies": ["twin", "near"]})", ".bodies[0]", "several bodies");
  names("{" + ball + R"("bodies": ["near", "near"]})", ".bodies", "must be two");
  names("{" + ball + R"("bodies": ["post", "post"]})", ".bodies", "neither of them is moving");
  names("{" + ball + R"("bodies": ["post"]})", ".bodies", "two entries");
  names("{" + ball + R"("bodies": ["post", 3]})", ".bodies[1]", "name of a body");
  names("{" + ball + R"("bodies": ["post", "near"], "limits": [0, 1]})", ".limits", "belong to");
  names("{" + ball + R"("bodies": ["post", "near"], "axis": [0, 0, 1]})", ".axis", "unknown");
  names("{" + ball + R"("bodies": ["post", "near"], "swing": 1})", ".axis", "missing");
  const std::string axis = R"("bodies": ["post", "near"], "axis": [0, 0, 1], )";
  names("{" + ball + axis + R"("swing": 4})", ".swing", "at most pi");
  names("{" + ball + axis + R"("swing": "wide"})", ".swing", "number");
  names("{" + ball + axis + R"("twist": [1]})", ".twist", "two entries");
  names("{" + ball + axis + R"("twist": [1, 0]})", ".twist.lower", "must not be above");
  names(R"({"type": "ball", "bodies": ["post", "near"]})", ".anchor", "missing");
  names(R"({"type": "hinge", "bodies": ["post", "near"], "anchor": [0, 0, 0]})", ".axis",
        "missing");
  const std::string hinge =
      R"({"type": "hinge", "bodies": ["post", "near"], "anchor": [0, 0, 0], "axis": )";
  names(hinge + "[0, 0, 0]}", ".axis", "not zero");
  names(hinge + R"([0, 0, 1], "limits": [2, 1]})", ".limits.lower", "must not be above");
  names(hinge + R"([0, 0, 1], "limits": [2, "x"]})", ".limits[1]", "number");
  names(hinge + R"([0, 0, 1], "motor": {"speed": 1}})", ".motor.max_force", "missing");
  names(hinge + R"([0, 0, 1], "motor": {"speed": 1, "max_force": -1}})", ".motor.max_force",
        "not negative");
  names(hinge + R"([0, 0, 1], "swing": 1})", ".swing", "belongs to");
  names(hinge + R"([0, 0, 1], "spring": {"frequency": 1}})", ".spring", "belongs to");
  names(R"({"type": "distance", "bodies": ["post", "near"], "anchors": [[0, 0, 0]]})", ".anchors",
        "two entries");
}

TEST(SceneJoints, BodiesThatEnterLaterHaveNone) {
  const std::string text = R"({"bodies": [{"name": "post", "type": "fixed",
      "shape": {"type": "sphere", "radius": 0.1}}],
    "generators": [{"type": "pour", "count": 40, "seed": 1, "rate": 10, "velocity": [0, 0, -3],
      "region": {"lower": [2, 2, 2], "upper": [2.5, 2.5, 2.5]},
      "shapes": [{"shape": {"type": "sphere", "radius": 0.1}}]}],
    "joints": [{"type": "ball", "bodies": ["post", "NAME"], "anchor": [0, 0, 0]}]})";
  Scene scene = parse([&] {
    nlohmann::json document = parse_json(text);
    document.erase("joints");
    return document.dump();
  }());
  std::string late;
  for (const SceneBody& body : scene.bodies)
    if (body.first_step > 0) late = body.name;
  ASSERT_FALSE(late.empty());
  std::string broken = text;
  broken.replace(broken.find("NAME"), 4, late);
  try {
    parse(broken);
    FAIL();
  } catch (const InvalidInput& error) {
    EXPECT_NE(std::string(error.what()).find("not there at the start"), std::string::npos);
  }
}

TEST(SceneJoints, JointedBodiesMayOverlapAtTheStart) {
  const std::string overlapping = R"({"bodies": [
    {"name": "a", "type": "fixed", "shape": {"type": "sphere", "radius": 0.6}},
    {"name": "b", "shape": {"type": "sphere", "radius": 0.6},
     "pose": {"position": [1, 0, 0], "quaternion": [1, 0, 0, 0]}}])";
  EXPECT_THROW(build_world(parse(overlapping + "}")), InvalidInput);
  const std::string joint =
      R"(, "joints": [{"type": "ball", "bodies": ["a", "b"], "anchor": [0.5, 0, 0])";
  EXPECT_NO_THROW(build_world(parse(overlapping + joint + "}]}")));
  EXPECT_THROW(build_world(parse(overlapping + joint + R"(, "touch": true}]})")), InvalidInput);
}

constexpr const char* kPendulum =
    R"({"type": "hinge", "bodies": ["post", "near"], "anchor": [0, 0, 0], "axis": [0, 1, 0]},
       {"type": "distance", "bodies": ["near", "far"], "anchors": [[1, 0, 0], [2, 0, 0]]})";

TEST(SceneJoints, RecordingsCarryTheirImpulses) {
  test::TemporaryFolder folder;
  const Scene scene = parse(scene_with(kPendulum));
  const std::unique_ptr<RigidWorld> owned = build_world(scene);
  RigidWorld& world = *owned;
  Recording recording = start_recording(scene);
  record(scene, world, recording);
  for (int i = 0; i < 40; ++i) recording.summary.add(world.step());
  recording.state = world.save();
  ASSERT_EQ(recording.state.joints.size(), 2u);
  EXPECT_NE(recording.state.joints[0].impulses[0], 0.0);
  const auto file = folder / "run.tactus";
  write_recording(recording, file);
  const Recording again = read_recording(file);
  EXPECT_EQ(again.state, recording.state);
  const std::unique_ptr<RigidWorld> owned_continued = continue_world(scene, again.state);
  RigidWorld& continued = *owned_continued;
  for (int i = 0; i < 40; ++i) {
    world.step();
    continued.step();
  }
  EXPECT_EQ(continued.state_hash(), world.state_hash());
}

TEST(SceneJoints, HoldAcrossTheFacesOfAPeriodicWorld) {
  const Scene scene = parse(R"({"world": {"gravity": [0, 0, 0], "periodic": {"x": [-2, 2]}},
    "shapes": {"ball": {"type": "sphere", "radius": 0.1}}, "bodies": [
    {"name": "left", "shape": "ball", "linear_velocity": [3, 0, 0],
     "pose": {"position": [1.75, 0, 0], "quaternion": [1, 0, 0, 0]}},
    {"name": "right", "shape": "ball", "linear_velocity": [3, 0.5, 0],
     "pose": {"position": [-1.75, 0, 0], "quaternion": [1, 0, 0, 0]}}],
    "joints": [{"type": "hinge", "bodies": ["left", "right"], "anchor": [2, 0, 0], "axis": [0, 0, 1]}]})");
  // The anchor is between them, not a way through the whole box from either.
  EXPECT_EQ(scene.joints[0].frame_a.position(), (Vec3{0.25, 0, 0}));
  EXPECT_EQ(scene.joints[0].frame_b.position(), (Vec3{-0.25, 0, 0}));
  const std::unique_ptr<RigidWorld> owned = build_world(scene);
  auto& world = dynamic_cast<World&>(*owned);
  for (int i = 0; i < 100; ++i) world.step();
  EXPECT_EQ(world.joints()[0].definition.frame_b, scene.joints[0].frame_b);
  EXPECT_NEAR(world.bodies()[0].linear_velocity().x + world.bodies()[1].linear_velocity().x, 6.0,
              1e-12);
  const Vec3 apart = world.bodies()[1].center_of_mass() + world.joints()[0].shift -
                     world.bodies()[0].center_of_mass();
  EXPECT_NEAR(norm(apart), 0.5, 1e-9);
  const std::unique_ptr<RigidWorld> continued = continue_world(scene, world.save());
  for (int i = 0; i < 100; ++i) {
    world.step();
    continued->step();
  }
  EXPECT_EQ(continued->state_hash(), world.state_hash());
}

TEST(SceneJoints, AnotherJointIsAnotherScene) {
  const Scene one = parse(scene_with(kPendulum)), none = parse(scene_with(""));
  EXPECT_NE(one.fingerprint, none.fingerprint);
}

TEST(SceneJoints, LiveWorldsKeepThemWhenSettingsChange) {
  const std::string rope = R"(, {"type": "distance", "bodies": ["post", "far"],
                                 "anchors": [[0, 0, 0], [2, 0, 0]], "limits": [0, 3]})";
  LiveWorld live(scene_with(kPendulum + rope));
  for (int i = 0; i < 10; ++i) live.step();
  const std::uint64_t before = live.world().state_hash();
  live.act(R"({"do": "set", "friction": 0.7})");
  EXPECT_EQ(dynamic_cast<const World&>(live.world()).joints().size(), 3u);
  EXPECT_EQ(live.world().state_hash(), before);
}

}  // namespace
}  // namespace tactus::io
