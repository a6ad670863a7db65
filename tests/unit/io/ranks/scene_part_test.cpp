#include "tactus/io/ranks/scene_part.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <string>
#include <vector>

#include "tactus/rigid/exchange/local_exchange.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/refusal.hpp"

namespace tactus::io {
using namespace detail;
namespace {

/// Two kinds of body that fall and meet, from a generator, beside two that are listed.
constexpr const char* kFall = R"({
    "shapes": {"ball": {"type": "sphere", "radius": 0.5},
               "brick": {"type": "box", "size": [0.8, 0.6, 1.0]}},
    "bodies": [{"shape": {"type": "halfspace", "normal": [0, 0, 1], "offset": 0}, "type": "fixed"},
               {"shape": "ball", "pose": {"position": [4, 4, 0.5], "quaternion": [1, 0, 0, 0]}}],
    "generators": [{"type": "grid", "count": [12, 12, 5], "position": [0, 0, 2],
                    "spacing": [1.3, 1.3, 1.3], "shapes": ["ball", "brick"],
                    "random_speed": 3, "velocity": [0, 0, -4]}]})";

class ScenePartFile : public testing::Test {
 protected:
  std::string write(const std::string& text) const {
    const std::filesystem::path file = folder_ / "scene.json";
    std::ofstream(file) << text;
    return file.string();
  }

 private:
  test::TemporaryFolder folder_;
};

// A world that ranks have made in parts steps as that of one rank, and each rank has made its part.
TEST_F(ScenePartFile, HasTheBitsOfTheWholeScene) {
  const std::string file = write(kFall);
  const Scene whole = read_scene(file);
  const auto alone = build_world(whole);
  std::vector<std::uint64_t> hashes{alone->state_hash()};
  for (int i = 0; i < 6; ++i) {
    alone->step();
    hashes.push_back(alone->state_hash());
  }
  EXPECT_GT(alone->statistics().contacts, 10);
  for (const int ranks : {1, 3, 4}) {
    std::mutex adding;
    std::size_t made = 0;
    detail::run_on_ranks(ranks, [&](detail::Exchange& exchange) {
      ScenePart part(exchange.rank(), ranks, 1);
      const Scene scene = part.read(file, {});
      ASSERT_TRUE(part.is_made());
      EXPECT_EQ(scene.fingerprint, whole.fingerprint);
      EXPECT_EQ(scene.bodies.size(), 1u);
      {
        const std::lock_guard lock(adding);
        made += part.bodies().size() - 1;
      }
      const std::unique_ptr<World> world = part.share_out(exchange);
      std::vector<std::uint64_t> found{world->state_hash()};
      for (int i = 0; i < 6; ++i) {
        world->step();
        found.push_back(world->state_hash());
      }
      EXPECT_EQ(found, hashes) << ranks;
      EXPECT_EQ(world->statistics().bodies, alone->statistics().bodies);
    });
    EXPECT_EQ(made, whole.bodies.size() - 1);
  }
}

// Overlaps are found wherever the two bodies were made, and told as of the whole scene.
TEST_F(ScenePartFile, RefusesOverlapsAsTheWholeScene) {
  std::string text = kFall;
  text.replace(text.find("[1.3, 1.3, 1.3]"), 15, "[1.3, 1.3, 0.9]");
  const std::string file = write(text);
  const std::string expected = test::refusal([&] { build_world(read_scene(file)); });
  EXPECT_NE(expected, "");
  detail::run_on_ranks(3, [&](detail::Exchange& exchange) {
    ScenePart part(exchange.rank(), 3, 1);
    part.read(file, {});
    EXPECT_EQ(test::refusal([&] { part.share_out(exchange); }), expected);
  });
}

// Where bodies are referred to or come later, the scene is whole.
TEST_F(ScenePartFile, LeavesOtherScenesWhole) {
  std::string late = kFall;
  late.replace(late.find("\"type\": \"grid\""), 14, "\"type\": \"pour\", \"rate\": 2");
  late.replace(late.find("\"count\": [12, 12, 5], \"position\": [0, 0, 2]"), 43,
               "\"count\": 30, \"region\": {\"lower\": [0, 0, 4], \"upper\": [4, 4, 6]}");
  late.replace(late.find("\"spacing\": [1.3, 1.3, 1.3], "), 28, "");
  std::string regions = kFall;
  regions.insert(1, "\"acts\": [], ");
  for (const std::string& text : {late, regions}) {
    ScenePart part(0, 2, 1);
    const Scene scene = part.read(write(text), {});
    EXPECT_FALSE(part.is_made());
    EXPECT_GT(scene.bodies.size(), 30u);
  }
}

}  // namespace
}  // namespace tactus::io
