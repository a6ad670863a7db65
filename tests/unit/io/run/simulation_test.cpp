#include "tactus/io/run/simulation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace tactus::io {
namespace {

using nlohmann::json;

constexpr const char* kSetup = R"({
  "world": {"gravity": [0, 0, -10]},
  "materials": {"rubber": {"friction": 0.9, "restitution": 0.5}},
  "shapes": {"crate": {"type": "box", "size": [1, 1, 1]}}
})";

json body(double x, double z) {
  return {{"do", "add_body"},
          {"shape", "crate"},
          {"material", "rubber"},
          {"pose", {{"position", {x, 0, z}}, {"quaternion", {1, 0, 0, 0}}}}};
}

json pose_at(double x, double y, double z) {
  return {{"position", {x, y, z}}, {"quaternion", {1, 0, 0, 0}}};
}

/// A floor (1) and crates on it (from 2 on).
struct Crates : Simulation {
  explicit Crates(int crates) : Simulation(kSetup) {
    call(json{{"do", "add_body"},
              {"type", "fixed"},
              {"shape", {{"type", "halfspace"}, {"normal", {0, 0, 1}}, {"offset", 0}}}});
    for (int i = 0; i < crates; ++i) call(body(0.0, 0.5 + i));
  }
};

void run(Simulation& simulation, int steps) {
  for (int i = 0; i < steps; ++i) simulation.step();
}

std::string failure_of(Simulation& simulation, const json& request) {
  try {
    simulation.call(request);
  } catch (const InvalidInput& error) {
    return error.field();
  }
  return "none";
}

TEST(Simulation, BodiesAndJointsComeAndGoWhileItRuns) {
  Crates simulation(2);
  EXPECT_EQ(simulation.world().bodies().size(), 3u);
  run(simulation, 10);
  const json added = simulation.call(body(3.0, 4.0));
  EXPECT_EQ(added["body"], 4);
  const json joint = simulation.call(
      json{{"do", "add_joint"}, {"type", "ball"}, {"bodies", {3, 4}}, {"anchor", {3, 0, 3.5}}});
  EXPECT_EQ(joint["joint"], 1);
  EXPECT_EQ(simulation.call(json{{"do", "joint"}, {"joint", 1}})["bodies"], json({3, 4}));
  run(simulation, 10);
  simulation.call(json{{"do", "remove_joint"}, {"joint", 1}});
  simulation.call(json{{"do", "remove_bodies"}, {"bodies", {4}}});
  EXPECT_EQ(simulation.world().bodies().size(), 3u);
  run(simulation, 60);
  EXPECT_NEAR(simulation.world().body(3).center_of_mass().z, 1.5, 1e-2);
  EXPECT_EQ(simulation.call(body(3.0, 4.0))["body"], 5) << "ids are not used again";
}

TEST(Simulation, JointsHoldBodiesAsTheyLieNow) {
  Crates simulation(1);
  simulation.call(json{{"do", "set_pose"}, {"body", 2}, {"pose", pose_at(6, 0, 5)}});
  const json other = simulation.call(body(6.0, 6.5));
  simulation.call(json{{"do", "add_joint"},
                       {"type", "fixed"},
                       {"bodies", {2, other["body"]}},
                       {"anchor", {6, 0, 5.75}}});
  run(simulation, 10);
  const Vec3 low = simulation.world().body(2).center_of_mass();
  const Vec3 high = simulation.world().body(3).center_of_mass();
  EXPECT_LT(norm(high - low - Vec3{0.0, 0.0, 1.5}), 1e-6);
  EXPECT_NEAR(low.x, 6.0, 1e-6);
}

TEST(Simulation, TouchesAreToldAsTheyBeginAndEnd) {
  Crates simulation(0);
  simulation.call(body(0.0, 0.6));
  bool begun = false;
  for (int i = 0; i < 30 && !begun; ++i) {
    simulation.step();
    begun = simulation.call(json{{"do", "touches"}})["begun"] == json({{1, 2}});
  }
  EXPECT_TRUE(begun);
  simulation.call(json{{"do", "set_pose"}, {"body", 2}, {"pose", pose_at(0, 0, 5)}});
  simulation.step();
  EXPECT_EQ(simulation.call(json{{"do", "touches"}})["ended"], json({{1, 2}}));
}

TEST(Simulation, AnswersQuestions) {
  Crates simulation(1);
  const json ball = {{"type", "sphere"}, {"radius", 0.25}};
  const json ray = {{"do", "ray"}, {"origin", {0, 0, 5}}, {"direction", {0, 0, -1}}};
  EXPECT_NEAR(simulation.call(ray)["hit"]["distance"].get<double>(), 4.0, 1e-12);
  json masked = ray;
  masked["selection"] = {{"mask", 2}};
  EXPECT_TRUE(simulation.call(masked)["hit"].is_null());
  const json cast = {{"do", "cast"},
                     {"shape", ball},
                     {"pose", pose_at(0, 0, 5)},
                     {"motion", {0, 0, -10}},
                     {"selection", {{"ignored", 2}}}};
  EXPECT_EQ(simulation.call(cast)["hit"]["body"], 1);
  EXPECT_NEAR(simulation.call(cast)["hit"]["time"].get<double>(), 0.475, 1e-9);
  const json nearest = {{"do", "nearest"}, {"shape", ball}, {"pose", pose_at(2, 0, 0.5)}};
  EXPECT_NEAR(simulation.call(nearest)["hit"]["distance"].get<double>(), 0.25, 1e-9);
  json over = nearest;
  over["do"] = "overlapping";
  EXPECT_EQ(simulation.call(over)["bodies"], json::array());
  over["pose"] = pose_at(0.6, 0, 0.1);
  EXPECT_EQ(simulation.call(over)["bodies"], json({1, 2}));
}

TEST(Simulation, MovesBodies) {
  Crates simulation(1);
  simulation.call(json{{"do", "set_velocity"}, {"body", 2}, {"linear", {0, 0, 3}}});
  simulation.call(json{{"do", "push"}, {"body", 2}, {"impulse", {1000, 0, 0}}});
  simulation.step();
  const json found = simulation.call(json{{"do", "body"}, {"body", 2}});
  EXPECT_NEAR(found["linear_velocity"][0].get<double>(), 1.0, 1e-9);
  EXPECT_GT(found["linear_velocity"][2].get<double>(), 2.5);
  EXPECT_NEAR(found["pose"]["position"][2].get<double>(), 0.5 + 3.0 / 60.0, 2e-3);
  EXPECT_EQ(found["pose"]["quaternion"], json({1.0, 0.0, 0.0, 0.0}));
  simulation.call(json{{"do", "force"}, {"body", 2}, {"force", {0, 60000, 0}}});
  simulation.step();
  EXPECT_NEAR(simulation.world().body(2).linear_velocity().y, 1.0, 1e-9);
}

// As a server does that learns late what a player did.
TEST(Simulation, ComesBackToASnapshotToTheBit) {
  Crates simulation(3);
  simulation.call(
      json{{"do", "add_joint"}, {"type", "fixed"}, {"bodies", {3, 4}}, {"anchor", {0, 0, 2}}});
  run(simulation, 20);
  const json saved = simulation.call(json{{"do", "save"}});
  const std::uint64_t then = simulation.world().state_hash();
  simulation.call(json{{"do", "push"}, {"body", 4}, {"impulse", {500, 0, 0}}});
  run(simulation, 15);
  const std::uint64_t pushed = simulation.world().state_hash();

  simulation.call(json{{"do", "remove_bodies"}, {"bodies", {2, 4}}});
  simulation.call(body(5.0, 3.0));
  run(simulation, 7);
  const json back = {{"do", "restore"}, {"snapshot", saved["snapshot"]}};
  simulation.call(back);
  EXPECT_EQ(simulation.world().state_hash(), then);
  EXPECT_EQ(simulation.world().bodies().size(), 4u);
  EXPECT_EQ(simulation.world().joints().size(), 1u);
  simulation.call(json{{"do", "push"}, {"body", 4}, {"impulse", {500, 0, 0}}});
  run(simulation, 15);
  EXPECT_EQ(simulation.world().state_hash(), pushed);

  simulation.call(json{{"do", "forget"}, {"snapshot", saved["snapshot"]}});
  EXPECT_EQ(failure_of(simulation, back), "snapshot");
}

TEST(Simulation, ASnapshotHasTheMotorsOfItsTime) {
  Crates simulation(2);
  simulation.call(json{{"do", "add_joint"},
                       {"type", "hinge"},
                       {"bodies", {2, 3}},
                       {"anchor", {0, 0, 1}},
                       {"axis", {0, 0, 1}}});
  const json motor = {{"do", "set_motor"}, {"joint", 1}, {"speed", 2.0}, {"max_force", 500.0}};
  simulation.call(motor);
  run(simulation, 5);
  const json saved = simulation.call(json{{"do", "save"}});
  run(simulation, 10);
  const std::uint64_t driven = simulation.world().state_hash();
  simulation.call(json{{"do", "set_motor"}, {"joint", 1}});
  run(simulation, 3);
  simulation.call(json{{"do", "restore"}, {"snapshot", saved["snapshot"]}});
  run(simulation, 10);
  EXPECT_EQ(simulation.world().state_hash(), driven);
}

TEST(Simulation, RefusesByName) {
  EXPECT_THROW(Simulation(R"({"world": {"type": "impulse"}})"), InvalidInput);
  EXPECT_THROW(Simulation(R"({"bodies": []})"), InvalidInput);
  Crates simulation(1);
  const std::uint64_t before = simulation.world().state_hash();
  EXPECT_EQ(failure_of(simulation, {{"do", "jump"}}), "do");
  EXPECT_EQ(failure_of(simulation, {{"do", "add_body"}, {"shape", "crat"}}), "shape");
  EXPECT_EQ(failure_of(simulation, {{"do", "add_body"}, {"shape", "crate"}, {"colour", 1}}),
            "colour");
  EXPECT_EQ(failure_of(simulation, {{"do", "body"}, {"body", 7}}), "id");
  EXPECT_EQ(failure_of(simulation, {{"do", "body"}, {"body", 0}}), "body");
  EXPECT_EQ(failure_of(simulation, {{"do", "remove_bodies"}, {"bodies", {2, 9}}}), "id");
  EXPECT_EQ(failure_of(simulation, {{"do", "remove_bodies"}, {"bodies", 2}}), "bodies");
  EXPECT_EQ(failure_of(simulation, {{"do", "ray"}, {"origin", {0, 0}}, {"direction", {0, 0, 1}}}),
            "origin");
  EXPECT_EQ(failure_of(simulation, {{"do", "add_joint"}, {"type", "ball"}, {"bodies", {2, 2}}}),
            "bodies");
  EXPECT_EQ(simulation.world().state_hash(), before);
  EXPECT_EQ(simulation.call(body(0, 9))["body"], 3) << "refused bodies leave no trace";
}

}  // namespace
}  // namespace tactus::io
