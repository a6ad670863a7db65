#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numbers>
#include <sstream>
#include <string>

#include "tactus/io.hpp"
#include "tactus/io/json/json_text.hpp"
#include "tactus/io/scene/scene_json.hpp"
#include "tests/support/folder.hpp"

namespace tactus::io {
using namespace detail;
namespace {

using nlohmann::json;

constexpr std::string_view kPage = "<body><!--recording--></body>";

Scene scene_of_all_parts() {
  return scene_from_json(parse_json(R"({"title": "</script><b>", "shapes": {
      "ball": {"type": "sphere", "radius": 0.5},
      "hull": {"type": "convex", "vertices": [[1, 0, 0], [0, 1, 0], [0, 0, 1], [-1, -1, -1]], "rounding": 0.1},
      "pair": {"type": "compound", "parts": [{"shape": {"type": "box", "size": [1, 1, 1]}},
        {"shape": {"type": "cone", "radius": 1, "length": 2}, "pose": {"position": [1, 2, 3], "quaternion": [1, 0, 0, 0]}}]}},
    "bodies": [
      {"shape": {"type": "halfspace", "normal": [0, 0, 1], "offset": 0}, "type": "fixed"},
      {"shape": "ball", "pose": {"position": [0, 0, 0.5], "quaternion": [1, 0, 0, 0]}, "color": "#123456"},
      {"shape": "hull", "scale": 2, "pose": {"position": [5, 0, 3], "quaternion": [1, 0, 0, 0]}},
      {"shape": "pair", "pose": {"position": [10, 0, 3], "quaternion": [1, 0, 0, 0]}, "opacity": 0.5}]})"),
                         ".");
}

std::string page_after(const Scene& scene, std::uint64_t steps) {
  const std::unique_ptr<RigidWorld> owned = build_world(scene);
  RigidWorld& world = *owned;
  Recording recording = start_recording(scene);
  record(scene, world, recording);
  while (world.step_count() < steps) {
    recording.summary.add(world.step());
    record(scene, world, recording);
  }
  return html_page(scene, recording, kPage);
}

std::string block(const std::string& page, const std::string& id) {
  const std::size_t start = page.find('>', page.find("id=\"" + id + "\"")) + 1;
  return page.substr(start, page.find("</script>", start) - start);
}

TEST(HtmlPlayer, HeaderDescribesJoints) {
  const Scene scene =
      scene_from_json(parse_json(R"({"shapes": {"ball": {"type": "sphere", "radius": 0.1}},
    "bodies": [{"name": "post", "type": "fixed", "shape": "ball", "pose": {"position": [0, 0, 1], "quaternion": [1, 0, 0, 0]}},
      {"name": "bob", "shape": "ball", "pose": {"position": [2, 0, 1], "quaternion": [0, 1, 0, 0]}}],
    "joints": [{"type": "hinge", "bodies": ["post", "bob"], "anchor": [0, 0, 2], "axis": [0, 3, 0]},
      {"type": "ball", "bodies": ["bob", "post"], "anchor": [0, 0, 2]},
      {"type": "ball", "bodies": ["bob", "post"], "anchor": [0, 0, 2], "axis": [0, 1, 0], "swing": 1},
      {"type": "distance", "bodies": ["post", "bob"], "anchors": [[0, 0, 1], [2, 0, 1.5]], "spring": {"frequency": 2}},
      {"type": "distance", "bodies": ["post", "bob"], "anchors": [[0, 0, 1], [2, 0, 1.5]]}]})"),
                      ".");
  const json joints = json::parse(block(page_after(scene, 2), "recording-header"))["joints"];
  ASSERT_EQ(joints.size(), 5u);
  EXPECT_EQ(joints[0], json::parse(R"({"type": "hinge", "a": 0, "b": 1, "anchor_a": [0.0, 0.0, 1.0],
                                       "anchor_b": [-2.0, 0.0, -1.0], "axis": [0.0, 1.0, 0.0]})"));
  EXPECT_EQ(joints[1]["a"], 1);
  EXPECT_EQ(joints[1]["b"], 0);
  EXPECT_FALSE(joints[1].contains("axis"));
  EXPECT_EQ(joints[2]["axis"], json::parse("[0.0, -1.0, 0.0]"));
  EXPECT_EQ(joints[3],
            json::parse(R"({"type": "distance", "a": 0, "b": 1, "anchor_a": [0.0, 0.0, 0.0],
                                       "anchor_b": [0.0, 0.0, -0.5], "line": true, "spring": true})"));
  EXPECT_FALSE(joints[4].contains("spring"));
}

TEST(HtmlPlayer, JointsThatBreakAreThereUntilTheNextPicture) {
  Scene scene =
      scene_from_json(parse_json(R"({"shapes": {"ball": {"type": "sphere", "radius": 0.1}},
    "bodies": [{"name": "post", "type": "fixed", "shape": "ball"},
      {"name": "bob", "shape": "ball", "pose": {"position": [1, 0, 0], "quaternion": [1, 0, 0, 0]}},
      {"name": "tail", "shape": "ball", "pose": {"position": [1, 0, -1], "quaternion": [1, 0, 0, 0]}}],
    "joints": [{"type": "ball", "bodies": ["post", "bob"], "anchor": [0, 0, 0]},
      {"type": "ball", "bodies": ["bob", "tail"], "anchor": [1, 0, -0.5], "break_force": 45}]})"),
                      ".");
  scene.recording.steps_per_picture = 4;
  const std::unique_ptr<RigidWorld> world = build_world(scene);
  Recording recording = start_recording(scene);
  while (world->step_count() < 120) {
    recording.summary.add(world->step());
    record(scene, *world, recording);
    record(scene, *world, recording);
  }
  // The weight of the tail is 41; it tears where the swing adds to it.
  ASSERT_EQ(recording.broken.size(), 1u);
  EXPECT_EQ(recording.broken[0].joint, 2u);
  const std::uint64_t step = recording.broken[0].step;
  EXPECT_GT(step, 4u);
  const json joints =
      json::parse(block(html_page(scene, recording, kPage), "recording-header"))["joints"];
  EXPECT_FALSE(joints[0].contains("until"));
  EXPECT_EQ(joints[1]["until"], (step + 3) / 4);
}

TEST(HtmlPlayer, BodiesThatPassAFaceAreNoFasterForIt) {
  const Scene scene = scene_from_json(parse_json(R"({"world": {"gravity": [0, 0, 0],
      "periodic": {"x": [0, 4], "z": [-1, 2]}},
    "bodies": [{"shape": {"type": "sphere", "radius": 0.5}, "linear_velocity": [3, 0, 0]}]})"),
                                      ".");
  const json header = json::parse(block(page_after(scene, 120), "recording-header"));
  EXPECT_EQ(header["periods"], json::parse("[4.0, 0.0, 3.0]"));
  EXPECT_NEAR(header["stage"]["top_speed"].get<double>(), 3.0, 1e-4);
}

TEST(HtmlPlayer, BodiesThatPassAFaceUnderShearAreNoFasterForIt) {
  const Scene scene = scene_from_json(parse_json(R"({"world": {"gravity": [0, 0, 0],
      "periodic": {"x": [0, 4], "z": [-1, 2]}, "shear": {"flow": "x", "gradient": "z", "rate": 0.1}},
    "bodies": [{"shape": {"type": "sphere", "radius": 0.5}, "linear_velocity": [0, 0, 3]}]})"),
                                      ".");
  const json header = json::parse(block(page_after(scene, 600), "recording-header"));
  EXPECT_EQ(header["shear"], json::parse(R"({"flow": 0, "gradient": 2, "rate": 0.1})"));
  // It falls behind by the speed of the images with each of the 10 faces that it passes.
  EXPECT_NEAR(header["stage"]["top_speed"].get<double>(), std::hypot(3.0, 10.0 * 0.3), 0.02);
}

TEST(HtmlPlayer, HeaderDescribesShapesAndBodies) {
  const std::string page = page_after(scene_of_all_parts(), 60);
  EXPECT_TRUE(page.starts_with("<body><script"));
  EXPECT_TRUE(page.ends_with("</body>"));
  const json header = json::parse(block(page, "recording-header"));
  EXPECT_EQ(header["title"], "</script><b>");
  EXPECT_EQ(header["fps"], 30.0);
  EXPECT_EQ(header["pictures"], 31);
  ASSERT_EQ(header["shapes"].size(), 4u);
  const json& hull = header["shapes"][1]["parts"][0];
  EXPECT_EQ(hull["vertices"].size(), 12u);
  EXPECT_EQ(hull["faces"].size(), 4u);
  EXPECT_EQ(hull["rounding"], 0.1);
  ASSERT_EQ(header["shapes"][2]["parts"].size(), 2u);
  EXPECT_EQ(header["shapes"][2]["parts"][1]["position"], json({1.0, 2.0, 3.0}));
  ASSERT_EQ(header["bodies"].size(), 4u);
  EXPECT_FALSE(header["bodies"][1]["name"].get<std::string>().empty());
  EXPECT_EQ(header["bodies"][0]["moving"], false);
  EXPECT_EQ(header["bodies"][1]["color"], "#123456");
  EXPECT_EQ(header["bodies"][2]["scale"], 2.0);
  EXPECT_FALSE(header["bodies"][0].contains("mass"));
  EXPECT_NEAR(header["bodies"][1]["mass"].get<double>(), 1000.0 * std::numbers::pi / 6.0, 1e-9);
  EXPECT_EQ(header["bodies"][3]["opacity"], 0.5);
  EXPECT_EQ(header["statistics"]["rows"].size(), 1u);
  EXPECT_EQ(header["statistics"]["rows"][0].size(), header["statistics"]["columns"].size());
}

TEST(HtmlPlayer, BlocksHaveTheSizesThatTheHeaderPromises) {
  const std::string page = page_after(scene_of_all_parts(), 120);
  const json header = json::parse(block(page, "recording-header"));
  const auto bytes = [&](const char* id) {
    const std::string text = block(page, id);
    EXPECT_EQ(text.size() % 4, 0u);
    const std::size_t padding = text.size() - std::min(text.find('='), text.size());
    return text.size() / 4 * 3 - padding;
  };
  const std::size_t pictures = header["pictures"], tracks = 3;
  std::size_t contacts = 0;
  for (const json& count : header["contacts"]["counts"]) contacts += count.get<std::size_t>();
  EXPECT_EQ(bytes("recording-poses"), pictures * tracks * 12);
  EXPECT_GT(contacts, 0u);
  EXPECT_EQ(bytes("recording-contacts"), contacts * 8);
  EXPECT_EQ(bytes("recording-partners"), contacts * 8);
  EXPECT_EQ(bytes("recording-forces"), contacts * 12);
  EXPECT_EQ(bytes("recording-touching"), header["contacts"]["counts"].size() * tracks);
}

TEST(HtmlPlayer, RefusesWhatCannotBePlayed) {
  const Scene scene = scene_of_all_parts();
  EXPECT_THROW(html_page(scene, start_recording(scene), kPage), InvalidInput);
  Recording recording = start_recording(scene);
  record(scene, *build_world(scene), recording);
  EXPECT_THROW(html_page(scene, recording, ""), InvalidInput);
  recording.tracks.pop_back();
  EXPECT_THROW(html_page(scene, recording, kPage), InvalidInput);
}

TEST(HtmlPlayer, ThePageFromDiskIsThatFromMemory) {
  const test::TemporaryFolder folder;
  const Scene scene = scene_of_all_parts();
  const std::unique_ptr<RigidWorld> owned = build_world(scene);
  RigidWorld& world = *owned;
  Recording recording = start_recording(scene);
  RunRecorder recorder(scene, world, folder / "run.tactus");
  record(scene, world, recording);
  while (world.step_count() < 120) {
    recording.summary.add(world.step());
    record(scene, world, recording);
    recorder.record(world);
  }
  recorder.finish(world, recording.summary);
  PictureReader reader(folder / "run.tactus");
  write_html_page(scene, recording.summary, reader, folder / "run.html", kPage);
  std::ostringstream written;
  written << std::ifstream(folder / "run.html", std::ios::binary).rdbuf();
  EXPECT_EQ(written.str(), html_page(scene, recording, kPage));
}

}  // namespace
}  // namespace tactus::io
