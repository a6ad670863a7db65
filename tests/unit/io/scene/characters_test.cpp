// Scenes with characters, belts, one-way bodies, sensors and heightfields.
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tactus/io.hpp"
#include "tactus/io/json/json_shape.hpp"
#include "tactus/io/json/json_text.hpp"
#include "tactus/io/scene/scene_json.hpp"
#include "tactus/shape.hpp"

namespace tactus::io {
using namespace detail;
namespace {

Scene read_text(const std::string& text) { return scene_from_json(parse_json(text), "."); }

std::string scene_refusal(const std::string& text) {
  try {
    build_world(read_text(text));
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "accepted";
}

void go_to(const Scene& scene, RigidWorld& world, std::uint64_t step) {
  while (world.step_count() < step) {
    begin_step(scene, world.step_count(), world);
    world.step();
  }
}

constexpr const char* kWalkers = R"({"bodies": [
  {"shape": {"type": "halfspace", "normal": [0, 0, 1], "offset": 0}, "type": "fixed"},
  {"name": "walker", "type": "kinematic", "shape": {"type": "capsule", "radius": 0.3, "length": 1.2},
   "pose": {"position": [0, 0, 0.91]}},
  {"name": "lift", "type": "kinematic", "shape": {"type": "box", "size": [2, 2, 0.2]},
   "pose": {"position": [3, 4, 0.12]}},
  {"name": "rider", "type": "kinematic", "shape": {"type": "box", "size": [0.5, 0.5, 1.8]},
   "pose": {"position": [3, 4, 1.13]}}],
  "characters": [{"body": "walker", "velocity": [2, 0, 0], "gap": 0.01}, {"body": "rider"}],
  "acts": [{"time": 1, "walk": {"body": "walker", "velocity": [0, 1, 0], "jump": 3}},
           {"time": 0.5, "move_to": {"body": "lift", "duration": 1,
             "pose": {"position": [3, 4, 1.12], "quaternion": [0.8, 0, 0, 0.6]}}}]})";

TEST(SceneCharacters, WalkAsTheyAreTold) {
  const Scene scene = read_text(kWalkers);
  const auto world = build_world(scene);
  go_to(scene, *world, 60);
  EXPECT_NEAR(world->body(2).center_of_mass().x, 2.0, 1e-9);
  // It jumps once, and lands.
  go_to(scene, *world, 70);
  EXPECT_GT(world->body(2).center_of_mass().z, 1.1);
  go_to(scene, *world, 180);
  EXPECT_NEAR(world->body(2).center_of_mass().z, 0.91, 1e-4);
  EXPECT_GT(world->body(2).center_of_mass().y, 1.5);
  EXPECT_NEAR(world->body(4).center_of_mass().z, 2.13, 1e-4);
}

TEST(SceneCharacters, GoOnAfterARestart) {
  const Scene scene = read_text(kWalkers);
  const auto whole = build_world(scene);
  std::unique_ptr<RigidWorld> part = build_world(scene);
  for (std::uint64_t step = 0; step < 120; ++step) {
    if (step % 17 == 5) part = continue_world(scene, part->save());
    for (RigidWorld* world : {whole.get(), part.get()}) {
      begin_step(scene, step, *world);
      world->step();
    }
    ASSERT_EQ(part->state_hash(), whole->state_hash()) << step;
  }
}

TEST(SceneCharacters, BadOnesAreNamed) {
  const std::string text = kWalkers;
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string other = text;
    return scene_refusal(other.replace(other.find(from), from.size(), to));
  };
  EXPECT_EQ(changed(R"({"body": "rider"})", R"({"body": "walker"})"),
            "characters[1].body: walker is a character already");
  EXPECT_EQ(changed(R"({"body": "rider"})", R"({"body": "bodies[0]"})"),
            "characters[1].body: bodies[0] is not kinematic");
  EXPECT_EQ(changed(R"("gap": 0.01)", R"("gap": 0)"),
            "characters[0].gap: must be finite and positive");
  EXPECT_EQ(changed(R"("gap": 0.01)", R"("jump": -1)"), "characters[0].jump: must not be negative");
  EXPECT_EQ(changed(R"("walk": {"body": "walker")", R"("walk": {"body": "lift")"),
            "acts[0].walk.body: is no character");
  EXPECT_EQ(changed(R"("jump": 3)", R"("hop": 3)"), "acts[0].walk.hop: unknown field");
  EXPECT_EQ(changed(R"({"bodies")", R"({"world": {"type": "impulse"}, "bodies")"),
            "world.type: must be contact in a scene with characters");
  EXPECT_EQ(changed(R"({"bodies")", R"({"world": {"periodic": {"x": [-50, 50]}}, "bodies")"),
            "world.periodic: is not for scenes with characters");
}

TEST(SceneSurfaces, BeltsAndOneWayBodies) {
  const Scene scene = read_text(R"({"bodies": [
    {"type": "fixed", "shape": {"type": "box", "size": [9, 2, 0.2]}, "surface_velocity": [1, 0, 0],
     "one_way": [0, 0, 3], "pose": {"position": [0, 0, -0.1]}},
    {"type": "fixed", "shape": {"type": "sphere", "radius": 1}, "pose": {"position": [0, 9, 0]},
     "surface_velocity": {"linear": [1, 2, 3], "angular": [4, 5, 6]}},
    {"shape": {"type": "box", "size": [0.4, 0.4, 0.4]}, "pose": {"position": [0, 0, 0.2]}},
    {"shape": {"type": "sphere", "radius": 0.1}, "pose": {"position": [2, 0, -1]},
     "linear_velocity": [0, 0, 6]}]})");
  EXPECT_EQ(scene.bodies[1].definition.surface_velocity, (SurfaceVelocity{{1, 2, 3}, {4, 5, 6}}));
  const auto world = build_world(scene);
  go_to(scene, *world, 120);
  EXPECT_NEAR(world->body(3).linear_velocity().x, 1.0, 1e-6);
  EXPECT_GT(world->body(4).center_of_mass().z, 0.05);
  EXPECT_EQ(
      scene_refusal(
          R"({"bodies": [{"shape": {"type": "sphere", "radius": 1}, "one_way": [0, 0, 0]}]})"),
      "bodies[0].one_way: must not be zero");
  EXPECT_EQ(scene_refusal(R"({"bodies": [{"shape": {"type": "sphere", "radius": 1},
                        "surface_velocity": {"lin": 1}}]})"),
            "bodies[0].surface_velocity.lin: unknown field");
}

TEST(SceneHeightfield, IsReadFromNumbersAndHoldsWhatFallsOnIt) {
  const Scene scene = read_text(R"({"bodies": [
    {"type": "fixed", "shape": {"type": "heightfield", "spacing": [1.5, 2], "diagonal": "falling",
     "heights": [[0, 0, 1], [0, 0.5, 0], [1, 0, 0]]}},
    {"shape": {"type": "sphere", "radius": 0.2}, "pose": {"position": [0.1, 0.2, 2]}}]})");
  const auto& mesh = std::get<Mesh>(scene.shapes[0].shape.geometry());
  EXPECT_EQ(mesh.mesh().vertices.front(), (Vec3{-1.5, -2, 0}));
  EXPECT_EQ(mesh.mesh().vertices.back(), (Vec3{1.5, 2, 0}));
  const auto world = build_world(scene);
  go_to(scene, *world, 60);
  EXPECT_GT(world->body(2).center_of_mass().z, 0.15);
  const auto bad = [](const std::string& fields) {
    return scene_refusal(R"({"bodies": [{"type": "fixed", "shape": {"type": "heightfield", )" +
                         fields + "}}]}");
  };
  EXPECT_EQ(bad(R"("heights": [[0, 0], [0]])"),
            "bodies[0].shape.heights[1]: must be a row of as many numbers as the first");
  EXPECT_EQ(bad(R"("heights": [[0, 0]])"), "bodies[0].shape.rows: must be at least 2");
  EXPECT_EQ(bad(R"("spacing": 2)"), "bodies[0].shape: needs either `heights` or `file`");
  EXPECT_EQ(bad(R"("heights": [[0, 0], [0, 0]], "thickness": 0)"),
            "bodies[0].shape.thickness: must be finite and positive");
}

// The picture's rows come from the top: its first pixel is the point of lowest x and largest y.
TEST(SceneHeightfield, IsReadFromAPicture) {
  const std::filesystem::path folder = TACTUS_SOURCE_DIR "/tests/fuzz/corpus/image";
  const Image image = read_image(folder / "disc.png", ImageChannel::grey);
  const Shape shape = shape_from_json(
      parse_json(
          R"({"type": "heightfield", "file": "disc.png", "height": [-1, 3], "spacing": 0.5})"),
      folder);
  const TriangleMesh& mesh = std::get<Mesh>(shape.geometry()).mesh();
  ASSERT_EQ(mesh.vertices.size(), image.values.size());
  const auto columns = static_cast<std::size_t>(image.width);
  for (std::size_t k = 0; k < image.values.size(); ++k) {
    const std::size_t row = static_cast<std::size_t>(image.height) - 1 - k / columns;
    const Vec3& vertex = mesh.vertices[row * columns + k % columns];
    EXPECT_NEAR(vertex.z, -1.0 + 4.0 * image.values[k] / 65535.0, 1e-12);
  }
  EXPECT_LT(mesh.vertices.front().y, mesh.vertices.back().y);
  EXPECT_THROW(
      shape_from_json(parse_json(R"({"type": "heightfield", "file": "disc.png"})"), folder),
      InvalidInput);
}

}  // namespace
}  // namespace tactus::io
