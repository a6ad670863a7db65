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
#include "tactus/soft/contact/response.hpp"
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
  const soft::DeformableStatistics& step() { return step_deformables(scene, soft, rigid.get()); }
  std::uint64_t hash() const { return state_hash(soft, rigid.get()); }

  const Scene& scene;
  std::unique_ptr<World> rigid;
  soft::DeformableWorld soft;
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

// Scene of a box above another one, with fields for `deformable`, and `rest` behind the bodies.
std::string two_boxes(const std::string& settings, const std::string& rest) {
  return R"({"deformable": {)" + settings + R"(}, "deformables": [
      {"structure": {"type": "box", "size": [0.4, 0.4, 0.1], "cells": [3, 3, 1]}},
      {"structure": {"type": "box", "size": [0.1, 0.1, 0.1], "cells": [1, 1, 1], "roundness": 0.3},
       "pose": {"position": [0.01, 0.02, 0.2]}, "linear_velocity": [0, 0, -1]}])" +
         rest + "}";
}

std::string refused(const std::string& settings, const std::string& rest = "") {
  try {
    scene_from_json(parse_json(two_boxes(settings, rest)), ".");
  } catch (const InvalidInput& error) {
    return error.field();
  }
  return "";
}

// Bodies and fields that a response cannot use are refused by name: nothing that belongs to another
// response is dropped in silence.
TEST(SoftRun, ResponsesRefuseWhatTheyDoNotKnow) {
  const std::string floor =
      R"(, "bodies": [{"type": "fixed", "shape": {"type": "halfspace", "normal": [0, 0, 1], "offset": -1}}])";
  const std::string ball =
      R"(, "bodies": [{"type": "fixed", "shape": {"type": "sphere", "radius": 0.1}, "pose": {"position": [0, 0, 2]}}])";
  const std::string moving = R"(, "bodies": [{"shape": {"type": "sphere", "radius": 0.1}}])";
  EXPECT_EQ(refused(R"("response": "none")"), "deformable.response");
  for (const soft::DeformableResponse response :
       {soft::DeformableResponse::continuous, soft::DeformableResponse::discrete,
        soft::DeformableResponse::freeze_continuous, soft::DeformableResponse::freeze_discrete}) {
    const std::string name(to_string(response));
    EXPECT_EQ(from_string<soft::DeformableResponse>(name), response);
    const std::string asks = R"("response": ")" + name + R"(")";
    const bool own = response == soft::DeformableResponse::continuous;
    const bool freezes = !own && response != soft::DeformableResponse::discrete;
    EXPECT_EQ(refused(asks), "") << name;
    EXPECT_EQ(refused(asks, floor), freezes ? "bodies[0]" : "") << name;
    for (const std::string& body : {ball, moving})
      EXPECT_EQ(refused(asks, body), own ? "" : freezes ? "bodies[0]" : "bodies[0].shape") << name;
    for (const char* field : {"rounds", "contact_distance", "contact_stiffness", "slip_speed"}) {
      EXPECT_EQ(refused(asks + R"(, ")" + field + R"(": 1)"),
                own ? "" : std::string("deformable.") + field)
          << name;
    }
    const auto with = [&](const std::string& body) {
      const std::string text =
          R"({"deformable": {)" + asks + R"(}, "deformables": [)" + body + "]}";
      try {
        scene_from_json(parse_json(text), ".");
      } catch (const InvalidInput& error) {
        return error.field();
      }
      return std::string();
    };
    const bool needs_inside = response == soft::DeformableResponse::discrete ||
                              response == soft::DeformableResponse::freeze_discrete;
    EXPECT_EQ(with(R"({"structure": {"type": "sheet", "size": [1, 1], "cells": [2, 2]}})"),
              needs_inside ? "deformables[0].structure" : "")
        << name;
    const std::string led =
        R"({"structure": {"type": "box", "size": [1, 1, 1], "cells": [1, 1, 1]},
            "led": [{"inside": {"lower": [-1, -1, 0], "upper": [1, 1, 1]}, "angular_velocity": [0, 0, 1]}]})";
    EXPECT_EQ(with(led), freezes ? "deformables[0].led[0]" : "") << name;
  }
}

// A run with either response goes on from its file with the same bits: what is frozen stays.
TEST(SoftRun, ResponsesContinueWithTheSameBits) {
  for (const char* response : {"discrete", "freeze_continuous", "freeze_discrete"}) {
    const Scene scene = scene_from_json(
        parse_json(two_boxes(std::string(R"("response": ")") + response + R"(")", "")), ".");
    const test::TemporaryFolder folder;
    soft::DeformableWorld whole = build_deformable_world(scene),
                          later = build_deformable_world(scene);
    for (int k = 0; k < 9; ++k) step_deformables(scene, whole, nullptr);
    write_deformable_run({scene.fingerprint, whole.save(), {}, {}}, folder / "run.tactus");
    later.restore(read_deformable_run(folder / "run.tactus").state);
    for (int k = 0; k < 9; ++k) {
      step_deformables(scene, whole, nullptr);
      step_deformables(scene, later, nullptr);
    }
    EXPECT_EQ(later.state_hash(), whole.state_hash()) << response;
    // The box has come down on the other one by then.
    const bool freezes = std::string(response) != "discrete";
    EXPECT_EQ(frozen_bodies(whole), freezes ? 2u : 0u) << response;
    soft::DeformableWorld free = build_deformable_world(scene);
    for (int k = 0; k < 18; ++k) free.step();
    EXPECT_NE(free.state_hash(), whole.state_hash()) << response;
  }
}

TEST(SoftRun, TetrahedraAreListedInTheScene) {
  const auto field = [](const std::string& structure) {
    try {
      scene_from_json(parse_json(R"({"deformables": [{"structure": {"type": "tetrahedra", )" +
                                 structure + "}}]}"),
                      ".");
    } catch (const InvalidInput& error) {
      return error.field();
    }
    return std::string();
  };
  const std::string at = "deformables[0].structure.";
  const std::string corners = R"("vertices": [[0,0,0],[1,0,0],[0,1,0],[0,0,1]], "tetrahedra": )";
  EXPECT_EQ(field(corners + "[[0,1,2,3]]"), "");
  EXPECT_EQ(field(corners + "[[0,1,2,3]], \"scale\": 2"), "");
  EXPECT_EQ(field(corners + "[[0,2,1,3]]"), at + "tetrahedra[0]");
  EXPECT_EQ(field(corners + "[[0,1,2,4]]"), at + "tetrahedra[0][3]");
  EXPECT_EQ(field(corners + "[[0,1,2,-1]]"), at + "tetrahedra[0][3]");
  EXPECT_EQ(field(corners + "[[0,1,2]]"), at + "tetrahedra[0]");
  EXPECT_EQ(field(R"("tetrahedra": [[0,1,2,3]])"), at + "vertices");
  EXPECT_EQ(field(R"("vertices": [[0,0,0]])"), at + "tetrahedra");
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
  pictures.add(w.soft, w.rigid.get());
  for (int k = 0; k < 4; ++k) {
    w.step();
    if (w.soft.step_count() % scene.recording.steps_per_picture == 0)
      pictures.add(w.soft, w.rigid.get());
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
  cut.add(w.soft, w.rigid.get());
  cut.flush();
  Picture added;
  cut.for_each([&](const Picture& p) { added = p; });
  EXPECT_EQ(cut.count(), 3u);
  EXPECT_EQ(added.vertices, last.vertices);
  EXPECT_THROW(SoftPictures(scene, folder / "run.pictures", folder / "run.pictures", 9), FileError);
  EXPECT_THROW(SoftPictures(scene, folder / "run.pictures", folder / "none.pictures", 1),
               FileError);
}

TEST(SoftRun, PicturesKeepContactsOfBothWorlds) {
  Scene scene = small_scene();
  // One ball lies on the cloth, which is held at its rim, a second one on the floor.
  soft::DeformableDefinition& cloth = scene.deformables[0].definition;
  for (std::uint32_t i = 0; i < cloth.vertices.size(); ++i) {
    const Vec3 v = cloth.vertices[i];
    if (std::fabs(v.x) > 0.39 || std::fabs(v.y) > 0.39) cloth.fixed.push_back(i);
  }
  scene.recording.pictures_per_contacts = 2;
  scene.bodies[2].definition.pose = Pose::translation({0.01, 0.02, 0.611});
  SceneBody second = scene.bodies[2];
  second.definition.id = 4;
  second.definition.pose = Pose::translation({1.0, 0.0, 0.1});
  scene.bodies.push_back(second);
  const test::TemporaryFolder folder;
  Worlds w(scene);
  SoftPictures pictures(scene, folder / "run.pictures");
  pictures.add(w.soft, w.rigid.get());
  std::vector<std::size_t> sizes{0};
  std::vector<soft::DeformableContact> soft;
  while (pictures.count() < 9) {
    w.step();
    if (w.soft.step_count() % scene.recording.steps_per_picture != 0) continue;
    const bool kept = pictures.count() % 2 == 0;
    pictures.add(w.soft, w.rigid.get());
    sizes.push_back(kept ? w.soft.contacts().size() : 0);
    if (kept) soft.assign(w.soft.contacts().begin(), w.soft.contacts().end());
  }
  pictures.flush();
  std::vector<Picture> read;
  pictures.for_each([&](const Picture& p) { read.push_back(p); });
  ASSERT_EQ(read.size(), sizes.size());
  for (std::size_t k = 0; k < read.size(); ++k) {
    EXPECT_EQ(read[k].has_contacts, k % 2 == 0);
    EXPECT_EQ(read[k].step, k * scene.recording.steps_per_picture);
    std::size_t of_cloth = 0;
    for (const ContactSample& c : read[k].contacts) of_cloth += c.bodies[0] == 4 ? 1 : 0;
    EXPECT_EQ(of_cloth, sizes[k]) << k;
  }
  const std::vector<ContactSample>& last = read.back().contacts;
  ASSERT_FALSE(soft.empty());
  ASSERT_EQ(last.size(), soft.size() + 1);
  // The contact of the ball on the floor is first.
  EXPECT_EQ(last[0].bodies, (std::array<std::uint32_t, 2>{0, 3}));
  for (std::size_t i = 0; i < soft.size(); ++i) {
    const ContactSample& c = last[i + 1];
    // The cloth follows the four bodies.
    EXPECT_EQ(c.bodies, (std::array<std::uint32_t, 2>{4, 2}));
    for (int axis = 0; axis < 3; ++axis) {
      const double place = pictures.run().origin[axis] +
                           static_cast<double>(c.position[static_cast<std::size_t>(axis)]);
      EXPECT_NEAR(place, soft[i].point[axis], 1e-6);
    }
    EXPECT_EQ(c.normal_force, static_cast<float>(soft[i].normal_force));
  }

  // A recording that is continued after five pictures keeps these as they were.
  SoftPictures cut(scene, folder / "other.pictures", folder / "run.pictures", 5);
  std::vector<Picture> again;
  cut.for_each([&](const Picture& p) { again.push_back(p); });
  ASSERT_EQ(again.size(), 5u);
  EXPECT_EQ(again[4].vertices, read[4].vertices);
  EXPECT_EQ(again[4].contacts.size(), read[4].contacts.size());

  // Files of the layout before are refused.
  std::fstream file(folder / "run.pictures", std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(16);
  file.put('1');
  file.close();
  EXPECT_THROW(SoftPictures(scene, folder / "other.pictures", folder / "run.pictures", 5),
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
