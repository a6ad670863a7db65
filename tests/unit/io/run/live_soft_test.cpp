#include "tactus/io/run/live_soft.hpp"

#include <gtest/gtest.h>

#include <string>

#include "tactus/io/run/live_world.hpp"

namespace tactus::io {
namespace {

constexpr const char* kScene = R"({"title": "soft",
  "bodies": [{"type": "fixed", "shape": {"type": "halfspace", "normal": [0, 0, 1], "offset": 0}}],
  "deformables": [{"structure": {"type": "box", "size": [0.2, 0.2, 0.2], "cells": [1, 1, 1]},
    "pose": {"position": [0, 0, 0.2], "quaternion": [1, 0, 0, 0]}}]})";

double lowest(const LiveSoft& live) {
  double z = 1e300;
  for (const Vec3& v : live.world().positions(0)) z = v.z < z ? v.z : z;
  return z;
}

TEST(LiveSoft, LineReplaysToTheSameBits) {
  LiveSoft live(kScene);
  for (int i = 0; i < 12; ++i) {
    if (i == 2) live.act(R"({"do":"pull","body":1,"vertex":7,"to":[0,0,1],"reach":0.05})");
    if (i == 4) live.act(R"({"do":"set","young":3e4,"gravity":[0,0,-2]})");
    if (i == 8) live.act(R"({"do":"release"})");
    live.step();
  }
  const LiveReplay again = replay_live(live.line());
  EXPECT_EQ(again.steps, 12U);
  EXPECT_EQ(again.bodies, 1U);
  EXPECT_EQ(again.hash, live.world().state_hash());
  EXPECT_EQ(again.expected, again.hash);
}

TEST(LiveSoft, PulledVertexComesToItsGoal) {
  LiveSoft live(kScene);
  live.act(R"({"do":"set","gravity":[0,0,0]})");
  live.act(R"({"do":"pull","body":1,"vertex":0,"to":[0.5,0,0.5],"reach":1})");
  for (int i = 0; i < 60; ++i) live.step();
  EXPECT_LT(norm(live.world().positions(0)[0] - Vec3{0.5, 0, 0.5}), 1e-6);
}

TEST(LiveSoft, PullThatHasNotActedIsReplaced) {
  LiveSoft live(kScene);
  for (int i = 0; i < 5; ++i)
    live.act(R"({"do":"pull","body":1,"vertex":7,"to":[0,0,1],"reach":0.05})");
  live.step();
  EXPECT_EQ(live.line().find("pull"), live.line().rfind("pull"));
}

TEST(LiveSoft, DiscreteResponsePutsOutOfTheGround) {
  LiveSoft live(kScene);
  live.act(R"({"do":"set","response":"discrete"})");
  for (int i = 0; i < 30; ++i) {
    live.step();
    ASSERT_GE(lowest(live), -1e-12) << i;
  }
  EXPECT_LT(lowest(live), 1e-3);
  EXPECT_EQ(replay_live(live.line()).hash, live.world().state_hash());
}

TEST(LiveSoft, RigidBodiesMoveAndAreMoved) {
  LiveSoft live(R"({"title": "soft and rigid",
    "bodies": [
      {"type": "fixed", "shape": {"type": "halfspace", "normal": [0, 0, 1], "offset": 0}},
      {"type": "moving", "shape": {"type": "sphere", "radius": 0.05},
       "pose": {"position": [0.01, 0, 0.4], "quaternion": [1, 0, 0, 0]}}],
    "deformables": [{"structure": {"type": "box", "size": [0.2, 0.2, 0.2], "cells": [1, 1, 1]},
      "pose": {"position": [0, 0, 0.11], "quaternion": [1, 0, 0, 0]}}]})");
  ASSERT_NE(live.rigid(), nullptr);
  for (int i = 0; i < 40; ++i) {
    if (i == 20) live.act(R"({"do":"set","young":3e4,"gravity":[0,0,-4]})");
    live.step();
  }
  EXPECT_EQ(live.rigid()->settings().gravity, Vec3(0, 0, -4));
  const double z = live.rigid()->body(2).center_of_mass().z;
  EXPECT_LT(z, 0.35);  // it has fallen on the box, which lies on the ground
  EXPECT_GT(z, 0.2);
  EXPECT_EQ(live.world().obstacle_pose(1).position().z, z);
  EXPECT_EQ(replay_live(live.line()).hash, live.state_hash());
  EXPECT_NE(live.state_hash(), live.world().state_hash());
}

TEST(LiveSoft, RefusesBadActs) {
  LiveSoft live(kScene);
  const auto field = [&](const char* act) -> std::string {
    try {
      live.act(act);
    } catch (const InvalidInput& error) {
      return error.field();
    }
    return "accepted";
  };
  EXPECT_THROW(replay_live(R"({"scene":5,"acts":[],"steps":1})"), InvalidInput);
  EXPECT_EQ(field(R"({"do":"push"})"), "do");
  EXPECT_EQ(field(R"({"do":"set","young":-1})"), "young");
  EXPECT_EQ(field(R"({"do":"set","response":"none"})"), "response");
  EXPECT_EQ(field(R"({"do":"pull","body":2,"vertex":0,"to":[0,0,0],"reach":1})"), "body");
  EXPECT_EQ(field(R"({"do":"pull","body":1,"vertex":99,"to":[0,0,0],"reach":1})"), "vertex");
  EXPECT_EQ(field(R"({"do":"pull","body":1,"vertex":0,"to":[0,0,0],"reach":0})"), "reach");
  live.step();
  EXPECT_EQ(field(R"({"do":"set","response":"discrete"})"), "response");
  EXPECT_THROW(LiveSoft(R"({"bodies":[]})"), InvalidInput);
}

}  // namespace
}  // namespace tactus::io
