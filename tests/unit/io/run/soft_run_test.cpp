#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "tactus/io.hpp"
#include "tactus/io/html/soft_page.hpp"
#include "tactus/io/json/json_text.hpp"
#include "tactus/io/run/soft_pictures.hpp"
#include "tactus/io/scene/scene_json.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/folder.hpp"

namespace tactus::io {
using namespace detail;
namespace {

using detail::test::effort;
using nlohmann::json;

Scene small_scene() {
  return scene_from_json(parse_json(R"({"title": "small", "bodies": [
      {"name": "floor", "type": "fixed", "shape": {"type": "halfspace", "normal": [0, 0, 1], "offset": 0}},
      {"name": "wall", "type": "kinematic", "shape": {"type": "box", "size": [0.1, 0.1, 0.1]},
       "linear_velocity": [0.1, 0, 0], "pose": {"position": [2, 0, 1]}},
      {"name": "ball", "shape": {"type": "sphere", "radius": 0.1}, "material": {"density": 300},
       "pose": {"position": [0.01, 0.02, 0.63]}}],
    "deformables": [
      {"name": "cloth", "structure": {"type": "sheet", "size": [0.8, 0.8], "cells": [8, 8]},
       "material": {"young": 1e6}, "pose": {"position": [0, 0, 0.5]}}],
    "recording": {"duration": 1, "fps": 30}})"),
                         ".");
}

/// Both worlds of a scene.
struct Worlds {
  explicit Worlds(const Scene& of)
      : scene(of), rigid(build_rigid_world(of)), soft(build_deformable_world(of, rigid.get())) {}
  const DeformableStatistics& step() { return step_deformables(scene, soft, rigid.get()); }
  std::uint64_t hash() const { return state_hash(soft, rigid.get()); }

  const Scene& scene;
  std::unique_ptr<World> rigid;
  DeformableWorld soft;
};

TEST(SoftRun, MovingBodiesStepWithDeformables) {
  const Scene scene = small_scene();
  Worlds w(scene);
  ASSERT_NE(w.rigid, nullptr);
  EXPECT_EQ(w.soft.obstacles(), 3u);
  for (int k = 0; k < 12; ++k) w.step();
  // The cloth has pushed the ball, which fell faster.
  EXPECT_GT(norm(w.soft.load(2).force), 0.0);
  EXPECT_NEAR(w.soft.obstacle_pose(1).position().x, 2.0 + 0.1 * 12.0 / 60.0, 1e-12);
  EXPECT_EQ(w.soft.obstacle_pose(2), w.rigid->body(3).pose());
}

TEST(SoftRun, WithoutMovingBodiesThereIsNoRigidWorld) {
  Scene scene = small_scene();
  scene.bodies.pop_back();
  EXPECT_EQ(build_rigid_world(scene), nullptr);
  EXPECT_EQ(build_deformable_world(scene).obstacles(), 2u);
}

TEST(SoftRun, AMovingBodyWithoutItsWorldIsRefusedByName) {
  const Scene scene = small_scene();
  try {
    build_deformable_world(scene);
    FAIL();
  } catch (const InvalidInput& error) {
    EXPECT_EQ(error.field(), "ball.type");
  }
}

TEST(SoftRun, ContinuesFromItsFileWithTheSameBits) {
  const Scene scene = small_scene();
  const test::TemporaryFolder folder;
  Worlds whole(scene), later(scene);
  for (int k = 0; k < 8; ++k) whole.step();
  write_deformable_run({scene.fingerprint, whole.soft.save(), whole.rigid->save(), {}},
                       folder / "run.tactus");
  const DeformableRun run = read_deformable_run(folder / "run.tactus");
  later.soft.restore(run.state);
  later.rigid->restore(run.rigid);
  for (int k = 0; k < 8; ++k) {
    whole.step();
    later.step();
  }
  EXPECT_EQ(whole.hash(), later.hash());
}

TEST(SoftRun, PagesShowBothKinds) {
  const Scene scene = small_scene();
  const test::TemporaryFolder folder;
  Worlds w(scene);
  SoftPictures pictures(scene, folder / "run.pictures");
  pictures.add(w.soft);
  for (int k = 0; k < 4; ++k) {
    w.step();
    if (w.soft.step_count() % scene.recording.steps_per_picture == 0) pictures.add(w.soft);
  }
  pictures.flush();
  EXPECT_EQ(pictures.count(), 3u);
  Picture last;
  pictures.for_each([&](const Picture& p) { last = p; });
  ASSERT_EQ(last.bodies.size(), 2u);
  ASSERT_EQ(last.vertices.size(), 81u);
  const double height = pictures.run().origin.z + static_cast<double>(last.bodies[1].position[2]);
  EXPECT_NEAR(height, w.rigid->body(3).pose().position().z, 1e-6);

  const DeformableRow row{.time = 1.0};
  write_soft_page(scene, std::span(&row, 1), pictures, folder / "run.html",
                  "<body><!--recording--></body>");
  std::ifstream stream(folder / "run.html");
  std::stringstream text;
  text << stream.rdbuf();
  const std::string page = text.str();
  const auto block = [&](const std::string& id) {
    const std::size_t start = page.find('>', page.find("id=\"" + id + "\"")) + 1;
    return page.substr(start, page.find("</script>", start) - start);
  };
  const json header = json::parse(block("recording-header"));
  EXPECT_EQ(header["pictures"], 3);
  ASSERT_EQ(header["surfaces"].size(), 1u);
  EXPECT_EQ(header["surfaces"][0]["vertices"], 81);
  EXPECT_EQ(header["surfaces"][0]["triangles"].size(), 3u * 128u);
  // Three words of two bytes for each vertex and picture, as base64.
  EXPECT_EQ(block("recording-surfaces").size(), 3u * 81u * 6u / 3u * 4u);

  // Goes on after two of them.
  SoftPictures cut(scene, folder / "run.pictures", folder / "run.pictures", 2);
  cut.add(w.soft);
  cut.flush();
  Picture added;
  cut.for_each([&](const Picture& p) { added = p; });
  EXPECT_EQ(cut.count(), 3u);
  EXPECT_EQ(added.vertices, last.vertices);
  EXPECT_THROW(SoftPictures(scene, folder / "run.pictures", folder / "run.pictures", 9), FileError);
  EXPECT_THROW(SoftPictures(scene, folder / "run.pictures", folder / "none.pictures", 1),
               FileError);
}

TEST(SoftRun, TheTrampolineGainsNoEnergy) {
  const Scene scene = read_scene(std::string(TACTUS_SOURCE_DIR) + "/scenes/trampoline.json");
  Worlds w(scene);
  double before = std::numeric_limits<double>::infinity();
  std::size_t crossings = 0;
  for (int k = 0; k < effort(120); ++k) {
    const double energy = w.step().energy();
    EXPECT_LE(energy, before + 1e-9 * std::fabs(before)) << "step " << k;
    before = energy;
    crossings += w.soft.crossings().size();
  }
  EXPECT_EQ(crossings, 0u);
}

}  // namespace
}  // namespace tactus::io
