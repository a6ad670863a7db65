#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "tactus/core/random.hpp"
#include "tactus/io.hpp"
#include "tactus/io/json/json_text.hpp"
#include "tactus/io/run/picture_format.hpp"
#include "tactus/io/scene/scene_json.hpp"
#include "tactus/query.hpp"
#include "tactus/query/plan/pair_state.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/refusal.hpp"

namespace tactus::io {
using namespace detail;
namespace {

namespace fs = std::filesystem;

/// A folder of its own, gone at the end.
class RecordingFile : public testing::Test {
 protected:
  fs::path file(const char* name) const { return folder_ / name; }

 private:
  test::TemporaryFolder folder_;
};

Scene two_balls() {
  return scene_from_json(
      parse_json(R"({"shapes": {"ball": {"type": "sphere", "radius": 0.5}}, "bodies": [
      {"shape": {"type": "halfspace", "normal": [0, 0, 1], "offset": 0}, "type": "fixed"},
      {"shape": "ball", "pose": {"position": [0.1, 0.2, 0.5], "quaternion": [1, 0, 0, 0]}},
      {"shape": "ball", "pose": {"position": [0, 0, 1.6], "quaternion": [1, 0, 0, 0]}}]})"),
      ".");
}

Recording run(const Scene& scene, RigidWorld& world, std::uint64_t steps) {
  Recording recording = start_recording(scene);
  record(scene, world, recording);
  while (world.step_count() < steps) {
    recording.summary.add(world.step());
    record(scene, world, recording);
  }
  recording.state = world.save();
  return recording;
}

std::string content(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

TEST_F(RecordingFile, ComesBackWhole) {
  const Scene scene = two_balls();
  const std::unique_ptr<RigidWorld> owned = build_world(scene);
  RigidWorld& world = *owned;
  const Recording recording = run(scene, world, 90);
  write_recording(recording, file("a.tactus"));
  const Recording again = read_recording(file("a.tactus"));
  EXPECT_EQ(again.fingerprint, scene.fingerprint);
  EXPECT_EQ(again.state, recording.state);
  ASSERT_EQ(again.pictures.size(), 46u);
  EXPECT_EQ(std::count_if(again.pictures.begin(), again.pictures.end(),
                          [](const Picture& picture) { return picture.has_contacts; }),
            16);
  const Picture& last = again.pictures.back();
  EXPECT_EQ(last.step, 90u);
  // In the end both balls lie on the floor, the first body, which carries their weight.
  ASSERT_EQ(last.contacts.size(), 2u);
  const double weight = world.body(2).mass().mass * 9.81;
  for (std::uint32_t ball : {1u, 2u}) {
    const ContactSample& contact = last.contacts[ball - 1];
    EXPECT_EQ(contact.bodies, (std::array<std::uint32_t, 2>{0, ball}));
    EXPECT_NEAR(contact.normal_force, weight, 0.02 * weight);
    EXPECT_NEAR(contact.normal[2], 1.0, 1e-6);
  }
  EXPECT_EQ(again.summary.rows().size(), 1u);
  // The second file has the same bytes: nothing was lost on the way.
  write_recording(again, file("b.tactus"));
  EXPECT_EQ(content(file("a.tactus")), content(file("b.tactus")));
}

TEST_F(RecordingFile, KeepsTheSurfacesOfOverlappingHulls) {
  const Scene scene = two_balls();
  const std::unique_ptr<RigidWorld> owned = build_world(scene);
  RigidWorld& world = *owned;
  Recording recording = run(scene, world, 90);
  ASSERT_FALSE(recording.state.pairs.empty());
  QueryCache& cache = recording.state.pairs[0].cache;
  const Shape tetrahedron = Convex(std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}});
  distance(tetrahedron, Pose(), tetrahedron, Pose::translation({0.1, 0.1, 0.1}), {}, &cache);
  EXPECT_GE(warm_start(cache).surface.place().face_count, 4);
  write_recording(recording, file("a.tactus"));
  EXPECT_EQ(read_recording(file("a.tactus")).state, recording.state);
  // More than there is room for.
  warm_start(cache).surface.place().face_count = KeptSurface::kMaxFaces + 1;
  EXPECT_THROW(write_recording(recording, file("b.tactus")), InvalidInput);
}

TEST_F(RecordingFile, WorldContinuesWithTheSameBits) {
  const Scene scene = two_balls();
  const std::unique_ptr<RigidWorld> owned_straight = build_world(scene);
  RigidWorld& straight = *owned_straight;
  run(scene, straight, 120);
  const std::unique_ptr<RigidWorld> owned_first = build_world(scene);
  RigidWorld& first = *owned_first;
  write_recording(run(scene, first, 47), file("half.tactus"));
  const std::unique_ptr<RigidWorld> owned_second =
      continue_world(scene, read_recording(file("half.tactus")).state);
  RigidWorld& second = *owned_second;
  while (second.step_count() < 120) second.step();
  EXPECT_EQ(straight.state_hash(), second.state_hash());
}

TEST_F(RecordingFile, DamagedFilesAreRefused) {
  const Scene scene = two_balls();
  const std::unique_ptr<RigidWorld> owned = build_world(scene);
  RigidWorld& world = *owned;
  write_recording(run(scene, world, 10), file("good.tactus"));
  const std::string good = content(file("good.tactus"));
  const auto refused = [&](const std::string& bytes) {
    std::ofstream(file("bad.tactus"), std::ios::binary) << bytes;
    try {
      read_recording(file("bad.tactus"));
    } catch (const FileError&) {
      return true;
    }
    return false;
  };
  EXPECT_FALSE(refused(good));
  for (std::size_t length = 0; length < good.size(); length += 7) {
    EXPECT_TRUE(refused(good.substr(0, length))) << length;
  }
  for (std::size_t place = 0; place < good.size(); place += 11) {
    std::string bad = good;
    bad[place] = static_cast<char>(bad[place] ^ 0x40);
    EXPECT_TRUE(refused(bad)) << place;
  }
  EXPECT_TRUE(refused(good + "x"));
  EXPECT_THROW(read_recording(file("none.tactus")), FileError);
}

TEST_F(RecordingFile, OtherVersionsAreNamed) {
  std::ofstream(file("old.tactus"), std::ios::binary) << "TACTUSR9 and so on";
  try {
    read_recording(file("old.tactus"));
    FAIL();
  } catch (const FileError& error) {
    EXPECT_NE(std::string(error.what()).find("layout 9, this program reads layout C"),
              std::string::npos)
        << error.what();
  }
}

/// Steps with a recorder, and a checkpoint every `every` steps.
TEST(RunSummaryRows, TakeAtLeastAStep) {
  EXPECT_EQ(test::refusal([] { RunSummary summary(0); }), "steps_per_row: must be at least 1");
}

void advance(RunRecorder& recorder, RigidWorld& world, RunSummary& summary, std::uint64_t last,
             std::uint64_t every) {
  while (world.step_count() < last) {
    summary.add(world.step());
    recorder.record(world);
    if (world.step_count() % every == 0) recorder.checkpoint(world, summary);
  }
}

TEST_F(RecordingFile, OnDiskAndInMemoryAreTheSame) {
  const Scene scene = two_balls();
  const std::unique_ptr<RigidWorld> owned = build_world(scene);
  RigidWorld& world = *owned;
  write_recording(run(scene, world, 90), file("memory.tactus"));
  const std::unique_ptr<RigidWorld> owned_again = build_world(scene);
  RigidWorld& again = *owned_again;
  RunSummary summary(scene.step_rate);
  RunRecorder recorder(scene, again, file("disk.tactus"));
  advance(recorder, again, summary, 90, 25);
  EXPECT_TRUE(fs::exists(file("disk.pictures")));
  recorder.finish(again, summary);
  EXPECT_FALSE(fs::exists(file("disk.pictures")));
  // Wall-clock times differ; pictures and state do not.
  const Recording memory = read_recording(file("memory.tactus"));
  const Recording disk = read_recording(file("disk.tactus"));
  EXPECT_EQ(disk.state, memory.state);
  ASSERT_EQ(disk.pictures.size(), memory.pictures.size());
  std::string a, b;
  for (const Picture& picture : disk.pictures) append_picture(picture, a);
  for (const Picture& picture : memory.pictures) append_picture(picture, b);
  EXPECT_EQ(a, b);
}

TEST_F(RecordingFile, AKilledRunContinuesFromItsLastCheckpoint) {
  const Scene scene = two_balls();
  const std::unique_ptr<RigidWorld> owned_straight = build_world(scene);
  RigidWorld& straight = *owned_straight;
  const Recording whole = run(scene, straight, 90);
  {
    const std::unique_ptr<RigidWorld> owned = build_world(scene);
    RigidWorld& world = *owned;
    RunSummary summary(scene.step_rate);
    RunRecorder recorder(scene, world, file("run.tactus"));
    advance(recorder, world, summary, 60, 25);
    // Killed: what was appended after step 50 is in the file or not, and a piece of a picture.
  }
  std::ofstream(file("run.pictures"), std::ios::binary | std::ios::app) << "a piece";
  EXPECT_THROW(parse_recording(content(file("run.tactus")), "run"), FileError);
  EXPECT_EQ(PictureReader(file("run.tactus")).pictures(), 26u);
  const RunCheckpoint from = read_checkpoint(file("run.tactus"));
  EXPECT_EQ(from.state.step, 50u);
  const std::unique_ptr<RigidWorld> owned = continue_world(scene, from.state);
  RigidWorld& world = *owned;
  RunSummary summary = from.summary;
  RunRecorder recorder(scene, file("run.tactus"), file("run.tactus"));
  advance(recorder, world, summary, 90, 25);
  recorder.finish(world, summary);
  EXPECT_EQ(world.state_hash(), straight.state_hash());
  PictureReader reader(file("run.tactus"));
  ASSERT_EQ(reader.pictures(), whole.pictures.size());
  // Twice: it can be read again.
  for (int round = 0; round < 2; ++round) {
    Picture picture;
    for (const Picture& expected : whole.pictures) {
      ASSERT_TRUE(reader.next(picture));
      std::string a, b;
      append_picture(expected, a);
      append_picture(picture, b);
      EXPECT_EQ(a, b) << picture.step;
    }
    EXPECT_FALSE(reader.next(picture));
    reader.rewind();
  }
}

TEST_F(RecordingFile, ContinuingElsewhereLeavesTheOldOneAlone) {
  const Scene scene = two_balls();
  const std::unique_ptr<RigidWorld> owned = build_world(scene);
  RigidWorld& world = *owned;
  write_recording(run(scene, world, 40), file("a.tactus"));
  const std::string before = content(file("a.tactus"));
  RunSummary summary = read_checkpoint(file("a.tactus")).summary;
  RunRecorder recorder(scene, file("b.tactus"), file("a.tactus"));
  advance(recorder, world, summary, 60, 100);
  recorder.finish(world, summary);
  EXPECT_EQ(content(file("a.tactus")), before);
  EXPECT_EQ(read_recording(file("b.tactus")).pictures.size(), 31u);
}

TEST_F(RecordingFile, MissingOrDamagedPicturesAreNamed) {
  const Scene scene = two_balls();
  const std::unique_ptr<RigidWorld> owned = build_world(scene);
  RigidWorld& world = *owned;
  RunSummary summary(scene.step_rate);
  RunRecorder recorder(scene, world, file("run.tactus"));
  advance(recorder, world, summary, 30, 30);
  const std::string pictures = content(file("run.pictures"));
  const auto complaint = [&]() -> std::string {
    try {
      PictureReader reader(file("run.tactus"));
    } catch (const FileError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(complaint(), "");
  std::string bad = pictures;
  bad[100] = static_cast<char>(bad[100] ^ 1);
  std::ofstream(file("run.pictures"), std::ios::binary) << bad;
  EXPECT_NE(complaint().find("run.pictures: is damaged"), std::string::npos) << complaint();
  fs::remove(file("run.pictures"));
  EXPECT_NE(complaint().find("run.pictures: is missing"), std::string::npos) << complaint();
  // The state needs no pictures.
  EXPECT_EQ(read_checkpoint(file("run.tactus")).state.step, 30u);
}

}  // namespace
}  // namespace tactus::io
