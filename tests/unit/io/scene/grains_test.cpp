// Walls that keep a force, and sheared spaces, in scene files.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tactus/io.hpp"
#include "tactus/io/scene/scene_json.hpp"
#include "tests/support/refusal.hpp"

namespace tactus::io {
namespace {

using detail::test::refusal;

Scene parse(const std::string& text) { return scene_from_json(nlohmann::json::parse(text), "."); }

/// A ball on a floor below a press.
std::string press(const std::string& servo, const std::string& more = "",
                  const std::string& type = "kinematic") {
  return R"({"bodies": [
    {"name": "floor", "type": "fixed", "shape": {"type": "halfspace", "normal": [0, 0, 1], "offset": 0}},
    {"name": "ball", "shape": {"type": "sphere", "radius": 0.5},
     "pose": {"position": [1, 1, 0.5], "quaternion": [1, 0, 0, 0]}},
    {"name": "press", "type": ")" +
         type + R"(", "shape": {"type": "halfspace", "normal": [0, 0, -1], "offset": -1.1},
     "servo": )" +
         servo + "}]" + more + "}";
}

TEST(GrainScene, AServoKeepsAForceOrAStressOverAnArea) {
  const Scene force =
      parse(press(R"({"axis": [0, 0, -3], "force": 7, "max_speed": 0.5, "mass": 2})"));
  EXPECT_EQ(force.bodies[2].definition.servo, (Servo{{0, 0, -3}, 7.0, 0.5, 2.0}));
  EXPECT_FALSE(force.bodies[1].definition.servo);
  const Scene area =
      parse(press(R"({"axis": [0, 0, -1], "stress": 7, "area": 4, "max_speed": 1})"));
  EXPECT_EQ(area.bodies[2].definition.servo->force, 28.0);
  const Scene period = parse(press(R"({"axis": [0, 0, -1], "stress": 7, "max_speed": 1})",
                                   R"(, "world": {"periodic": {"x": [0, 2.5], "y": [-1, 1]}})"));
  EXPECT_EQ(period.bodies[2].definition.servo->force, 35.0);
}

TEST(GrainScene, AContinuedRunWithAServoHasTheBitsOfOneThatWasNot) {
  const Scene scene = parse(press(R"({"axis": [0, 0, -1], "force": 9000, "max_speed": 0.5})"));
  const auto run = build_world(scene);
  for (int i = 0; i < 40; ++i) run->step();
  const auto continued = continue_world(scene, run->save());
  for (int i = 0; i < 80; ++i) {
    run->step();
    continued->step();
  }
  EXPECT_EQ(continued->state_hash(), run->state_hash());
  EXPECT_NEAR(dynamic_cast<World&>(*run).servos()[0].load, 9000.0, 9.0);
}

TEST(GrainScene, RefusesServosByField) {
  const auto refused = [](const std::string& servo, const std::string& more = "",
                          const std::string& type = "kinematic") {
    return refusal([&] { parse(press(servo, more, type)); });
  };
  const std::string good = R"({"axis": [0, 0, -1], "force": 1, "max_speed": 1})";
  EXPECT_EQ(refused(good, "", "fixed"), "bodies[2].servo: is for kinematic bodies");
  EXPECT_EQ(refused(R"({"axis": [0, 0, -1], "max_speed": 1})"),
            "bodies[2].servo: must have either a force or a stress");
  EXPECT_EQ(refused(R"({"axis": [0, 0, -1], "force": 1, "stress": 1, "max_speed": 1})"),
            "bodies[2].servo: must have either a force or a stress");
  EXPECT_EQ(refused(R"({"axis": [0, 0, -1], "stress": 1, "max_speed": 1})"),
            "bodies[2].servo.area: is missing: stress needs one, or two periodic axes");
  EXPECT_EQ(refused(R"({"axis": [0, 0, -1], "stress": 1, "area": 0, "max_speed": 1})"),
            "bodies[2].servo.area: must be positive");
  EXPECT_EQ(refused(R"({"axis": [0, 0, 0], "force": 1, "max_speed": 1})"),
            "bodies[2].servo.axis: must be finite and not zero");
  EXPECT_EQ(refused(good, R"(, "acts": [{"time": 1, "move_to": {"body": "press", "duration": 1,
                             "pose": {"position": [0, 0, 0]}}}])"),
            "acts[0].move_to.body: press is moved by its servo");
}

/// Two balls in a periodic space.
std::string sheared(const std::string& shear, const std::string& more = "") {
  return R"({"world": {"gravity": [0, 0, 0], "periodic": {"x": [0, 2], "z": [0, 4]}, "shear": )" +
         shear +
         R"(}, "bodies": [
    {"shape": {"type": "sphere", "radius": 0.2}, "pose": {"position": [1, 0, 3.9]}, "linear_velocity": [0, 0, 1]},
    {"shape": {"type": "sphere", "radius": 0.2}, "pose": {"position": [1, 0, 1]})" +
         more + "}]}";
}

TEST(GrainScene, ShearMovesWhatPassesAFace) {
  const Scene scene = parse(sheared(R"({"flow": "x", "gradient": "z", "rate": 0.25})"));
  EXPECT_EQ(scene.world.shear, (PeriodicShear{0, 2, 0.25}));
  const auto run = build_world(scene);
  for (int i = 0; i < 60; ++i) run->step();
  EXPECT_EQ(run->body(1).linear_velocity(), (Vec3{-1, 0, 1}));
  const auto continued = continue_world(scene, run->save());
  for (int i = 0; i < 60; ++i) {
    run->step();
    continued->step();
  }
  EXPECT_EQ(continued->state_hash(), run->state_hash());
}

TEST(GrainScene, RefusesShearByField) {
  const auto refused = [](const std::string& shear, const std::string& more = "") {
    return refusal([&] { build_world(parse(sheared(shear, more))); });
  };
  EXPECT_EQ(refused(R"({"flow": "w", "gradient": "z", "rate": 1})"),
            "world.shear.flow: must be x, y or z");
  EXPECT_EQ(refused(R"({"flow": "x", "gradient": "y", "rate": 1})"),
            "world.shear.gradient: must be a periodic axis");
  EXPECT_EQ(refused(R"({"flow": "x", "gradient": "x", "rate": 1})"),
            "world.shear.gradient: must be another axis than shear.flow");
  EXPECT_EQ(refused(R"({"flow": "x", "gradient": "z", "rate": 1})", R"(, "type": "fixed")"),
            "bodies[1].type: must be moving in a world under shear");
}

/// Two balls that meet, in a world with these further fields.
std::string elastic(const std::string& world, const std::string& more = "") {
  return R"({"world": {"gravity": [0, 0, 0], )" + world + R"(}, "bodies": [
    {"shape": {"type": "sphere", "radius": 0.2}, "linear_velocity": [1, 0, 0], "material": {"restitution": 1}},
    {"shape": {"type": "sphere", "radius": 0.2}, "pose": {"position": [0.5, 0, 0]}, "material": {"restitution": 1})" +
         more + "}]}";
}

TEST(GrainScene, ElasticBallsHandABlowOn) {
  const Scene scene = parse(elastic(R"("elastic": {"young": 1e7, "poisson": 0.3})"));
  EXPECT_EQ(scene.world.elastic, (ElasticContacts{1e7, 0.3}));
  const auto run = build_world(scene);
  for (int i = 0; i < 7; ++i) run->step();
  const auto continued = continue_world(scene, run->save());
  for (int i = 0; i < 23; ++i) {
    run->step();
    continued->step();
  }
  EXPECT_EQ(continued->state_hash(), run->state_hash());
  EXPECT_NEAR(run->body(2).linear_velocity().x, 1.0, 1e-3);
}

TEST(GrainScene, RefusesElasticContactsByField) {
  const auto refused = [](const std::string& world, const std::string& more = "") {
    return refusal([&] { build_world(parse(elastic(world, more))); });
  };
  EXPECT_EQ(refused(R"("elastic": {"poisson": 0.3})"), "world.elastic.young: is missing");
  EXPECT_EQ(refused(R"("elastic": {"young": -1})"),
            "world.elastic.young: must be finite and positive");
  EXPECT_EQ(refused(R"("sleep_time": 1, "elastic": {"young": 1e6})"),
            "world.sleep_time: must be 0 in a world with elastic contacts");
  EXPECT_EQ(refused(R"("elastic": {"young": 1e6})", R"(, "sensor": true)"),
            "bodies[1].sensor: is not for a world with elastic contacts");
}

}  // namespace
}  // namespace tactus::io
