#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "tactus/core/random.hpp"
#include "tactus/io.hpp"
#include "tactus/io/json/json_text.hpp"
#include "tactus/io/scene/scene_json.hpp"
#include "tactus/narrow/difference/warm_start.hpp"
#include "tactus/query.hpp"
#include "tests/support/folder.hpp"

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

Recording run(const Scene& scene, World& world, std::uint64_t steps) {
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
  World world = build_world(scene);
  const Recording recording = run(scene, world, 90);
  write_recording(recording, file("a.tactus"));
  const Recording again = read_recording(file("a.tactus"));
  EXPECT_EQ(again.fingerprint, scene.fingerprint);
  EXPECT_EQ(again.state, recording.state);
  EXPECT_EQ(again.pictures(), 46u);
  EXPECT_EQ(again.contact_counts.size(), 16u);
  EXPECT_GE(again.contact_counts.back(), 2u);
  EXPECT_EQ(again.summary.rows().size(), 1u);
  // The second file has the same bytes: nothing was lost on the way.
  write_recording(again, file("b.tactus"));
  EXPECT_EQ(content(file("a.tactus")), content(file("b.tactus")));
}

TEST_F(RecordingFile, KeepsTheSurfacesOfOverlappingHulls) {
  const Scene scene = two_balls();
  World world = build_world(scene);
  Recording recording = run(scene, world, 90);
  ASSERT_FALSE(recording.state.pairs.empty());
  QueryCache& cache = recording.state.pairs[0].cache;
  const Shape tetrahedron = Convex(std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}});
  distance(tetrahedron, Pose(), tetrahedron, Pose::translation({0.1, 0.1, 0.1}), {}, &cache);
  EXPECT_GE(cache.state().surface.face_count, 4);
  write_recording(recording, file("a.tactus"));
  EXPECT_EQ(read_recording(file("a.tactus")).state, recording.state);
  // More than there is room for.
  cache.state().surface.face_count = KeptSurface::kMaxFaces + 1;
  EXPECT_THROW(write_recording(recording, file("b.tactus")), InvalidInput);
}

TEST_F(RecordingFile, WorldContinuesWithTheSameBits) {
  const Scene scene = two_balls();
  World straight = build_world(scene);
  run(scene, straight, 120);
  World first = build_world(scene);
  write_recording(run(scene, first, 47), file("half.tactus"));
  World second = continue_world(scene, read_recording(file("half.tactus")).state);
  while (second.step_count() < 120) second.step();
  EXPECT_EQ(straight.state_hash(), second.state_hash());
}

TEST_F(RecordingFile, DamagedFilesAreRefused) {
  const Scene scene = two_balls();
  World world = build_world(scene);
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

TEST(Packing, QuaternionsAreNearTheirOriginals) {
  Random random(5);
  for (int i = 0; i < 2000; ++i) {
    const double w = random.uniform(-1, 1), x = random.uniform(-1, 1);
    const double y = random.uniform(-1, 1), z = random.uniform(-1, 1);
    const Quat q = normalized({w, x, y, z});
    const auto words = pack_quaternion(q);
    const int largest = (words[0] >> 15) | ((words[1] >> 15) << 1);
    double c[4] = {0, 0, 0, 0};
    double rest = 1.0;
    for (int k = 0, word = 0; k < 4; ++k) {
      if (k == largest) continue;
      c[k] = ((words[static_cast<std::size_t>(word++)] & 0x7fff) / 32767.0 * 2.0 - 1.0) *
             std::sqrt(0.5);
      rest -= c[k] * c[k];
    }
    c[largest] = std::sqrt(rest);
    const Quat unpacked{c[0], c[1], c[2], c[3]};
    const Quat difference = conjugate(q) * unpacked;
    const double angle =
        2.0 * std::asin(std::min(1.0, norm(Vec3{difference.x, difference.y, difference.z})));
    EXPECT_LT(angle, 2e-4);
  }
}

TEST(Packing, DirectionsAreNearTheirOriginals) {
  Random random(6);
  for (int i = 0; i < 2000; ++i) {
    const double a = random.uniform(-1, 1), b = random.uniform(-1, 1), c = random.uniform(-1, 1);
    const Vec3 unit = normalized(Vec3{a, b, c});
    const auto bytes = pack_direction(unit);
    double x = bytes[0] / 254.0 * 2.0 - 1.0, y = bytes[1] / 254.0 * 2.0 - 1.0;
    const double z = 1.0 - std::fabs(x) - std::fabs(y);
    if (z < 0.0) {
      const double folded = (1.0 - std::fabs(y)) * (x < 0.0 ? -1.0 : 1.0);
      y = (1.0 - std::fabs(x)) * (y < 0.0 ? -1.0 : 1.0);
      x = folded;
    }
    EXPECT_GT(dot(normalized(Vec3{x, y, z}), unit), std::cos(0.02));
  }
}

}  // namespace
}  // namespace tactus::io
