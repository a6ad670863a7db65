#include "tactus/io/run/live_world.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tactus::io {
namespace {

std::string scene_of(const std::string& type) {
  return R"({"title": "boxes", "world": {"type": ")" + type + R"("}, "bodies": [
    {"type": "fixed", "shape": {"type": "halfspace", "normal": [0, 0, 1], "offset": 0}},
    {"shape": {"type": "box", "size": [0.4, 0.4, 0.4]}, "pose": {"position": [0, 0, 0.3]}},
    {"shape": {"type": "sphere", "radius": 0.2}, "pose": {"position": [0.1, 0, 0.8]}}]})";
}

void step(LiveWorld& live, int count) {
  for (int i = 0; i < count; ++i) live.step();
}

class LiveWorlds : public testing::TestWithParam<const char*> {};

TEST_P(LiveWorlds, GoOnFromAMomentWithTheSameBits) {
  LiveWorld live(scene_of(GetParam()));
  live.act(R"({"do":"pull","body":2,"point":[0,0,0],"to":[0.3,0,0.6]})");
  step(live, 20);
  const LiveMoment moment = live.save();
  EXPECT_EQ(moment.step(), 20U);
  const std::uint64_t then = live.state_hash();
  std::vector<std::uint64_t> first;
  for (int i = 0; i < 30; ++i) {
    live.step();
    first.push_back(live.state_hash());
  }
  const std::string line = live.line();

  // Everything is changed in between: settings, the pull, the number of bodies.
  live.act(R"({"do":"set","gravity":[0,0,3],"friction":0.1})");
  live.act(R"({"do":"release"})");
  live.act(
      R"({"do":"add","like":3,"pose":{"position":[1,1,1]},"linear_velocity":[0,0,0],"angular_velocity":[0,0,0]})");
  step(live, 5);
  ASSERT_EQ(live.bodies(), 4U);

  live.restore(moment);
  EXPECT_EQ(live.bodies(), 3U);
  EXPECT_EQ(live.scene().bodies.size(), 3U);
  EXPECT_EQ(live.state_hash(), then);
  for (std::size_t i = 0; i < first.size(); ++i) {
    live.step();
    ASSERT_EQ(live.state_hash(), first[i]) << "step " << i;
  }
  EXPECT_EQ(live.line(), line);
  EXPECT_EQ(replay_live(line).hash, live.state_hash());
}

INSTANTIATE_TEST_SUITE_P(OfEachType, LiveWorlds, testing::Values("contact", "impulse"));

TEST(LiveMoment, KeepsTheActsOfItsOwnBranch) {
  LiveWorld live(scene_of("contact"));
  const LiveMoment start = live.save();
  live.act(R"({"do":"push","body":2,"impulse":[1,0,0],"point":[0,0,0.3]})");
  step(live, 3);
  const LiveMoment kept = live.save();
  const std::string line = live.line();
  live.restore(start);
  EXPECT_EQ(live.line().find("push"), std::string::npos);
  live.act(R"({"do":"push","body":3,"impulse":[0,1,0],"point":[0.1,0,0.8]})");
  step(live, 4);
  EXPECT_EQ(replay_live(live.line()).hash, live.state_hash());
  live.restore(kept);  // forth, to what the run no longer passes through
  EXPECT_EQ(live.line(), line);
}

TEST(LiveMoment, IsNotTakenFromAnotherWorld) {
  LiveWorld one(scene_of("contact")), other(scene_of("contact"));
  step(one, 2);
  const std::uint64_t before = one.state_hash();
  EXPECT_THROW(one.restore(other.save()), InvalidInput);
  EXPECT_EQ(one.state_hash(), before);
}

TEST(LiveMoment, CountsItsBytes) {
  LiveWorld live(scene_of("contact"));
  const std::size_t start = live.save().bytes();
  EXPECT_GE(start, 2 * sizeof(BodyMotion));
  step(live, 60);
  EXPECT_GT(live.save().bytes(), start);  // contacts are remembered
}

}  // namespace
}  // namespace tactus::io
