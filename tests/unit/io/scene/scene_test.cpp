#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "tactus/impulse_world.hpp"
#include "tactus/io.hpp"
#include "tactus/io/json/json_shape.hpp"
#include "tactus/io/json/json_text.hpp"
#include "tactus/io/scene/overrides.hpp"
#include "tactus/io/scene/scene_json.hpp"
#include "tactus/shape.hpp"

namespace tactus::io {
using namespace detail;
namespace {

Scene parse(const std::string& text) { return scene_from_json(parse_json(text), "."); }

/// The message of the InvalidInput that `text` is refused with.
std::string refusal(const std::string& text) {
  try {
    build_world(parse(text));
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "accepted";
}

/// A ball resting above a floor, with further fields for each.
std::string ball_scene(const std::string& body_fields, const std::string& fields = "") {
  return R"({"bodies": [{"shape": {"type": "halfspace", "normal": [0, 0, 1], "offset": 0}, "type": "fixed"},
             {"shape": {"type": "sphere", "radius": 0.5}, "pose": {"position": [0, 0, 1], "quaternion": [1, 0, 0, 0]})" +
         body_fields + "}]" + fields + "}";
}

TEST(Scene, ReadsEveryField) {
  const Scene scene = parse(ball_scene(
      R"(, "name": "ball", "linear_velocity": [1, 2, 3], "angular_velocity": [4, 5, 6],
         "force": [7, 8, 9], "torque": [-1, -2, -3],
         "material": "rubber", "filter": {"category": 2, "mask": 5}, "color": "#102030", "opacity": 0.5)",
      R"(, "title": "one ball", "materials": {"rubber": {"friction": 0.9, "restitution": 0.8,
          "rolling_friction": 0.1, "torsional_friction": 0.2, "adhesion": 0.3, "density": 1100}},
         "world": {"gravity": [0, 0, -1.6], "step_rate": 120, "substeps": 4, "linear_damping": 0.1},
         "recording": {"duration": 2.5, "fps": 40, "contacts_per_second": 20,
                       "view": {"from": [1, 2, 3], "to": [0, 0, 1]}},
         "goal": {"rms_speed": 0.1, "mean_penetration": 0.2, "inside": {"lower": [0, 0, 0], "upper": [1, 1, 1]}})"));
  EXPECT_EQ(scene.title, "one ball");
  EXPECT_EQ(scene.world.gravity, (Vec3{0, 0, -1.6}));
  EXPECT_EQ(scene.world.time_step, 1.0 / 120.0);
  EXPECT_EQ(scene.world.substeps, 4);
  EXPECT_EQ(scene.world.linear_damping, 0.1);
  EXPECT_EQ(scene.recording.steps, 300u);
  EXPECT_EQ(scene.recording.steps_per_picture, 3u);
  EXPECT_EQ(scene.recording.pictures_per_contacts, 2u);
  ASSERT_TRUE(scene.recording.view);
  EXPECT_EQ(scene.recording.view->from, (Vec3{1, 2, 3}));
  EXPECT_EQ(scene.goal.rms_speed, 0.1);
  EXPECT_EQ(scene.goal.mean_penetration, 0.2);
  ASSERT_EQ(scene.bodies.size(), 2u);
  const SceneBody& ball = scene.bodies[1];
  EXPECT_EQ(ball.name, "ball");
  EXPECT_EQ(ball.definition.id, 2u);
  EXPECT_EQ(ball.definition.pose.position(), (Vec3{0, 0, 1}));
  EXPECT_EQ(ball.definition.linear_velocity, (Vec3{1, 2, 3}));
  EXPECT_EQ(ball.definition.angular_velocity, (Vec3{4, 5, 6}));
  EXPECT_EQ(ball.definition.force, (Vec3{7, 8, 9}));
  EXPECT_EQ(ball.definition.torque, (Vec3{-1, -2, -3}));
  EXPECT_EQ(ball.definition.material, (Material{0.9, 0.8, 0.1, 0.2, 1100, 1, 0.3}));
  EXPECT_EQ(ball.definition.filter, (CollisionFilter{2, 5}));
  EXPECT_EQ(ball.appearance.color, "#102030");
  EXPECT_EQ(ball.appearance.opacity, 0.5);
}

TEST(Scene, RefusesBadInputWithItsPath) {
  const struct {
    std::string text, message;
  } cases[] = {
      {ball_scene(R"(, "colour": "#102030")"), "bodies[1].colour: unknown field"},
      {ball_scene("", R"(, "wrold": {})"), "wrold: unknown field"},
      {ball_scene("", R"(, "world": {"gravity": [0, 0]})"),
       "world.gravity: must be an array of three numbers"},
      {ball_scene("", R"(, "world": {"step_rate": 0})"),
       "world.step_rate: must be a whole number from 1 to 1000000"},
      {ball_scene("", R"(, "world": {"step_rate": 1000001})"),
       "world.step_rate: must be a whole number from 1 to 1000000"},
      {ball_scene("", R"(, "materials": {"ice": {"frictoin": 0}})"),
       "materials.ice.frictoin: unknown field"},
      {ball_scene(R"(, "material": "ice")"),
       "bodies[1].material: there is no material named 'ice'"},
      {ball_scene(R"(, "type": "static")"), "bodies[1].type: must be fixed, kinematic or moving"},
      {ball_scene("", R"(, "world": {"detector": "magic"})"),
       "world.detector: must be closed_form or iterative"},
      {ball_scene("", R"(, "surface_pairs": [{"materials": ["ice"]}])"),
       "surface_pairs[0].materials: must be two names of materials"},
      {ball_scene("", R"(, "surface_pairs": [{"materials": ["ice", "ice"]}])"),
       "surface_pairs[0].materials: there is no material named 'ice'"},
      {ball_scene("", R"(, "materials": {"ice": {}},
                         "surface_pairs": [{"materials": ["ice", "ice"], "restitution": 2}])"),
       "surface_pairs[0].restitution: must lie between 0 and 1"},
      {ball_scene("", R"(, "world": {"periodic": {"x": [0]}})"),
       "world.periodic.x: must have two entries"},
      {ball_scene("", R"(, "world": {"periodic": {"y": [0, "a"]}})"),
       "world.periodic.y[1]: must be a number, not string"},
      {ball_scene("", R"(, "world": {"periodic": {"y": [1, 0]}})"),
       "world.periodic.y: must end above its start"},
      {ball_scene("", R"(, "world": {"periodic": {"w": [0, 1]}})"),
       "world.periodic.w: unknown field"},
      {ball_scene("", R"(, "world": {"periodic": {"z": [0, 9]}})"),
       "bodies[0].shape: an unbounded body must not cross the periodic axis z"},
      {ball_scene("", R"(, "world": {"periodic": {"x": [0, 1.9]}})"),
       "bodies[1].shape: is wider than half of the period along x"},
      {ball_scene("", R"(, "world": {"type": "impulse", "periodic": {"x": [3, 3]}})"),
       "world.periodic.x: must end above its start"},
      {ball_scene("", R"(, "world": {"type": "impulse", "periodic": {"x": [0, 1.9]}})"),
       "bodies[1].shape: is wider than half of the period along x"},
      {ball_scene(
           R"(, "name": "ball"}, {"name": "post", "type": "fixed", "shape": {"type": "sphere", "radius": 0.1})",
           R"(, "world": {"periodic": {"x": [0, 9]}},
                     "joints": [{"type": "ball", "bodies": ["ball", "post"], "anchor": [1e12, 0, 0]}])"),
       "joints[0].frame_a: lies over 1e9 periods away"},
      {ball_scene(R"(, "force": [0, 0])"), "bodies[1].force: must be an array of three numbers"},
      {ball_scene(R"(, "torque": 1)"), "bodies[1].torque: must be an array of three numbers"},
      {ball_scene(R"(, "type": "fixed", "force": [0, 0, 1])"),
       "bodies[1].force: must be zero unless the body is moving"},
      {ball_scene(R"(, "name": "ball", "torque": [0, 0, 1])", R"(, "world": {"type": "impulse"})"),
       "ball.torque: must be zero in a world that moves by impulses"},
      {ball_scene(R"(, "opacity": 0)"), "bodies[1].opacity: must be above 0 and at most 1"},
      {ball_scene(R"(, "color": "red")"), "bodies[1].color: must look like #2f6fde"},
      {ball_scene("", R"(, "world": {"time_step": -0.1})"),
       "world.time_step: must be one over a whole number of steps, at most 1000000"},
      {ball_scene("", R"(, "recording": {"fps": 0})"), "recording.fps: must be positive"},
      {ball_scene("", R"(, "goal": {"rms_speed": -1})"), "goal.rms_speed: must be positive"},
      {ball_scene("", R"(, "goal": {"mean_penetration": 0})"),
       "goal.mean_penetration: must be positive"},
      {ball_scene("", R"(, "goal": {"inside": {"lower": [0, 1, 0], "upper": [1, 0, 1]}})"),
       "goal.inside.upper[1]: must not be below lower"},
      {ball_scene(R"(, "mass": 1, "inertia": [1, 1, 5])"),
       "bodies[1].mass.inertia: no body has it: a principal moment is above the sum of the others"},
      {ball_scene("", R"(, "recording": {"duration": 1e300})"),
       "recording.duration: takes more than 1e12 steps"},
      {R"({"bodies": [{"shape": {"type": "halfspace", "normal": [0, 0, 1], "offset": 0}}]})",
       "bodies[0].shape: halfspace: has no finite volume"},
      {ball_scene("", R"(, "recording": {"contacts_per_second": -1})"),
       "recording.contacts_per_second: must be positive"},
      {ball_scene("", R"(, "generators": [{"type": "heap"}])"),
       "generators[0].type: must be pour, grid or stack"},
      {R"({"bodies": [{"shape": "ball"}]})", "bodies[0].shape: there is no shape named 'ball'"},
      {R"({})", "bodies: the scene has no body"},
      {R"([])", "must be an object, not array"},
  };
  for (const auto& [text, message] : cases) EXPECT_EQ(refusal(text), message) << text;
}

TEST(Scene, RepeatsAlongPeriodicAxes) {
  const std::string world = R"(, "world": {"gravity": [0, 0, 0], "periodic": {"x": [-2, 2]}})";
  const Scene scene = parse(ball_scene(R"(, "linear_velocity": [3, 0, 0])", world));
  EXPECT_EQ(scene.world.periodic[0], (PeriodicAxis{-2, 2}));
  EXPECT_FALSE(scene.world.periodic[1] || scene.world.periodic[2]);
  const auto run = build_world(scene);
  for (int i = 0; i < 50; ++i) run->step();
  EXPECT_NEAR(run->body(2).center_of_mass().x, 2.5 - 4.0, 1e-12);
  const auto continued = continue_world(scene, run->save());
  for (int i = 0; i < 50; ++i) {
    run->step();
    continued->step();
  }
  EXPECT_EQ(continued->state_hash(), run->state_hash());
  // Two that overlap across the face are refused, or moved apart.
  const std::string second = R"(, "name": "ball"}, {"name": "other",
      "shape": {"type": "sphere", "radius": 0.5}, "pose": {"position": [3.2, 0, 1], "quaternion": [1, 0, 0, 0]})";
  const Scene near = parse(ball_scene(second, world));
  EXPECT_THROW(build_world(near), InvalidInput);
  EXPECT_TRUE(build_world(near, StartOverlap::separate)->overlaps(kStartOverlap).empty());
}

TEST(Scene, ForcesActForTheWholeRun) {
  const Scene scene = parse(ball_scene(R"(, "force": [1000, 0, 0], "torque": [0, 0, 50],
                                            "material": {"friction": 0})",
                                       R"(, "world": {"gravity": [0, 0, 0]})"));
  const auto world = build_world(scene);
  for (int i = 0; i < 30; ++i) world->step();
  const WorldState middle = world->save();
  for (int i = 0; i < 30; ++i) world->step();
  const Body& ball = world->body(2);
  EXPECT_NEAR(ball.linear_velocity().x, 1000.0 / ball.mass().mass, 1e-12);
  EXPECT_NEAR(ball.angular_velocity().z, 50.0 / ball.mass().inertia(2, 2), 1e-12);
  const auto continued = continue_world(scene, middle);
  for (int i = 0; i < 30; ++i) continued->step();
  EXPECT_EQ(continued->state_hash(), world->state_hash());
}

TEST(Scene, ReadsModesSensorsAndSurfacePairs) {
  const Scene scene = parse(ball_scene(R"(, "sensor": true, "material": "ice")", R"(,
    "world": {"detector": "iterative", "contact_points": "one", "plane_contact": "on_plane"},
    "materials": {"ice": {"friction": 0.1, "restitution": 0.2}, "tyre": {"friction": 0.9}},
    "surface_pairs": [{"materials": ["tyre", "ice"], "friction": 0.05}])"));
  EXPECT_EQ(scene.world.detector, Detector::iterative);
  EXPECT_EQ(scene.world.contact_points, ContactPoints::one);
  EXPECT_EQ(scene.world.plane_contact, PlaneContact::on_plane);
  EXPECT_TRUE(scene.bodies[1].definition.sensor);
  EXPECT_EQ(scene.bodies[1].definition.material.kind, 1u);
  ASSERT_EQ(scene.surface_pairs.size(), 1u);
  EXPECT_EQ(scene.surface_pairs[0].kind_a, 2u);
  EXPECT_EQ(scene.surface_pairs[0].kind_b, 1u);
  EXPECT_EQ(scene.surface_pairs[0].surface, (SurfacePair{0.05, 0.2, 0.0, 0.0}));
}

TEST(Scene, RatesThatDoNotDivideAreReplacedAndNamed) {
  const Scene exact =
      parse(ball_scene("", R"(, "recording": {"fps": 20, "contacts_per_second": 5})"));
  EXPECT_TRUE(exact.notes.empty());
  const Scene odd =
      parse(ball_scene("", R"(, "recording": {"fps": 25, "contacts_per_second": 7})"));
  EXPECT_EQ(odd.recording.steps_per_picture, 2u);
  EXPECT_EQ(odd.recording.pictures_per_contacts, 4u);
  const std::vector<std::string> notes{
      "recording.fps: 25.0 does not divide world.step_rate, 60.0; taken: 30.0",
      "recording.contacts_per_second: 7.0 does not divide fps, 30.0; taken: 7.5"};
  EXPECT_EQ(odd.notes, notes);
  const Scene fast = parse(ball_scene("", R"(, "recording": {"fps": 600})"));
  EXPECT_EQ(fast.recording.steps_per_picture, 1u);
  EXPECT_EQ(fast.notes.size(), 1u);
}

TEST(Scene, RatesThatNobodyAskedForDivide) {
  // The most pictures, at most 30 per time, that divide the step rate; a prime has itself and one.
  const std::pair<int, std::uint64_t> cases[] = {{60, 2}, {50, 2},  {100, 4}, {240, 8},
                                                 {25, 1}, {31, 31}, {1, 1}};
  for (const auto& [rate, steps] : cases) {
    const Scene scene =
        parse(ball_scene("", R"(, "world": {"step_rate": )" + std::to_string(rate) + "}"));
    EXPECT_EQ(scene.recording.steps_per_picture, steps) << rate;
    EXPECT_TRUE(scene.notes.empty());
  }
}

TEST(Scene, NamesTheFieldOfABadShape) {
  const std::string negative = refusal(R"({"shapes": {"ball": {"type": "sphere", "radius": -1}}})");
  EXPECT_TRUE(negative.starts_with("shapes.ball.radius: ")) << negative;
  const std::string unknown =
      refusal(R"({"bodies": [{"shape": {"type": "sphere", "radius": 1, "raduis": 2}}]})");
  EXPECT_EQ(unknown, "bodies[0].shape.raduis: unknown field");
  const std::string missing =
      refusal(R"({"shapes": {"hull": {"type": "convex", "file": "no/such/file.obj"}}})");
  EXPECT_TRUE(missing.starts_with("shapes.hull.file: ")) << missing;
  EXPECT_NE(missing.find("no/such/file.obj"), std::string::npos) << missing;
}

TEST(Scene, NamesBothOverlappingBodiesAndTheDepth) {
  const std::string message =
      refusal(R"({"shapes": {"ball": {"type": "sphere", "radius": 0.5}}, "bodies": [
      {"shape": "ball", "name": "the left ball"},
      {"shape": "ball", "pose": {"position": [0.75, 0, 0], "quaternion": [1, 0, 0, 0]}}]})");
  EXPECT_EQ(message, "the left ball: overlaps bodies[1] at the start, depth 0.25");
}

TEST(Scene, AcceptsTouchingBodies) {
  EXPECT_EQ(refusal(R"({"shapes": {"ball": {"type": "sphere", "radius": 0.5}}, "bodies": [
      {"shape": "ball"}, {"shape": "ball", "pose": {"position": [1, 0, 0], "quaternion": [1, 0, 0, 0]}}]})"),
            "accepted");
}

TEST(Scene, FingerprintTellsMotionsApartAndNothingElse) {
  const std::uint64_t plain = parse(ball_scene("")).fingerprint;
  EXPECT_EQ(plain,
            parse(ball_scene("", R"(, "title": "x", "recording": {"duration": 3})")).fingerprint);
  EXPECT_EQ(plain, parse("// a comment\n" + ball_scene("")).fingerprint);
  EXPECT_NE(plain, parse(ball_scene(R"(, "linear_velocity": [0, 0, 1e-300])")).fingerprint);
  EXPECT_NE(plain, parse(ball_scene("", R"(, "world": {"substeps": 9})")).fingerprint);
}

TEST(Scene, BodiesEnterAtTheirStep) {
  const Scene scene =
      parse(R"({"generators": [{"type": "pour", "count": 5, "rate": 4, "velocity": [0, 0, -4],
      "region": {"lower": [0, 0, 0], "upper": [2.1, 1.1, 1.1]}, "shapes": [{"shape": {"type": "sphere", "radius": 0.5}}]}]})");
  ASSERT_EQ(scene.bodies.size(), 5u);
  EXPECT_EQ(scene.bodies[1].first_step, 0u);
  EXPECT_EQ(scene.bodies[2].first_step, 30u);
  EXPECT_EQ(scene.bodies[4].first_step, 60u);
  const std::unique_ptr<RigidWorld> owned = build_world(scene);
  RigidWorld& world = *owned;
  EXPECT_EQ(world.bodies().size(), 2u);
  while (world.step_count() < 30) {
    begin_step(scene, world.step_count(), world);
    world.step();
  }
  EXPECT_EQ(world.bodies().size(), 2u);
  begin_step(scene, world.step_count(), world);
  EXPECT_EQ(world.bodies().size(), 4u);
}

TEST(Scene, BodiesMoveByImpulses) {
  const Scene scene = parse(ball_scene(
      "",
      R"(, "world": {"type": "impulse", "gravity": [0, 0, -2], "step_rate": 100, "micro_height": 1e-4})"));
  ASSERT_TRUE(scene.impulse.has_value());
  EXPECT_EQ(scene.impulse->gravity, (Vec3{0, 0, -2}));
  EXPECT_EQ(scene.impulse->time_step, 0.01);
  EXPECT_EQ(scene.impulse->micro_height, 1e-4);
  const std::unique_ptr<RigidWorld> world = build_world(scene);
  ASSERT_NE(dynamic_cast<ImpulseWorld*>(world.get()), nullptr);
  const Vec3 start = world->bodies()[1].center_of_mass();
  for (int i = 0; i < 10; ++i) world->step();
  EXPECT_NEAR(world->bodies()[1].center_of_mass().z, start.z - 0.01, 1e-15);
  // A run continues from the saved state.
  const std::unique_ptr<RigidWorld> again = continue_world(scene, world->save());
  world->step();
  again->step();
  EXPECT_EQ(world->state_hash(), again->state_hash());
}

TEST(Scene, TypesOfWorldsHaveTheirOwnFields) {
  EXPECT_EQ(refusal(ball_scene("", R"(, "world": {"type": "rubber"})")),
            "world.type: must be contact or impulse");
  EXPECT_NE(refusal(ball_scene("", R"(, "world": {"micro_height": 1e-4})")).find("micro_height"),
            std::string::npos);
  EXPECT_NE(
      refusal(ball_scene("", R"(, "world": {"type": "impulse", "substeps": 4})")).find("substeps"),
      std::string::npos);
  EXPECT_NE(refusal(ball_scene("", R"(, "world": {"type": "impulse", "micro_height": 1})"))
                .find("world.micro_height"),
            std::string::npos);
}

// Values of the mass that are given stand; each that is not comes from the shape, the inertia
// scaled.
TEST(Scene, MassesOfBodies) {
  const Vec3 half{0.5, 0.5, 0.5};
  const double moment = 2.0 / 3.0 * half.x * half.x;  // of a cube, per mass
  const auto mass_of = [](const std::string& fields) {
    const Scene scene =
        parse(R"({"bodies": [{"shape": {"type": "box", "size": [1, 1, 1]}, )" + fields + "}]}");
    return Body(scene.bodies[0].definition).mass();
  };
  EXPECT_EQ(mass_of(R"("mass": 3)").mass, 3.0);
  EXPECT_NEAR(mass_of(R"("mass": 3)").inertia(1, 1), 3.0 * moment, 1e-15);
  const BodyMass moved = mass_of(R"("center": [0, 0, -0.25])");
  EXPECT_EQ(moved.center, (Vec3{0, 0, -0.25}));
  EXPECT_EQ(moved.mass, 1000.0);
  EXPECT_NEAR(moved.inertia(2, 2), 1000.0 * moment, 1e-10);
  EXPECT_EQ(mass_of(R"("inertia": [1, 2, 2.5])").inertia(1, 1), 2.0);
  EXPECT_EQ(mass_of(R"("inertia": [2, 0.1, 0, 0.1, 2, 0, 0, 0, 3])").inertia(0, 1), 0.1);
  EXPECT_EQ(refusal(R"({"bodies": [{"shape": {"type": "box", "size": [1, 1, 1]}, "mass": -1}]})"),
            "bodies[0].mass.mass: must be finite and positive");
  EXPECT_EQ(refusal(R"({"bodies": [{"shape": {"type": "box", "size": [1, 1, 1]},
                        "inertia": [1, 2]}]})"),
            "bodies[0].inertia: must have 3 or 9 numbers");
  EXPECT_EQ(refusal(R"({"bodies": [{"shape": {"type": "box", "size": [1, 1, 1]},
                        "type": "fixed", "mass": 2}]})"),
            "bodies[0].mass: is for moving bodies");
}

// A scaled gravity and a damping of its own: against the closed forms.
TEST(Scene, GravityAndDampingOfABody) {
  const auto fallen = [](const std::string& fields) {
    const Scene scene = parse(R"({"world": {"step_rate": 100, "gravity": [0, 0, -10]},
        "bodies": [{"shape": {"type": "sphere", "radius": 0.5}, "linear_velocity": [1, 0, 0],
                    "angular_velocity": [0, 0, 2])" +
                              fields + "}]}");
    const auto world = build_world(scene);
    const double before = 0.5 * world->bodies()[0].mass().mass;
    for (int i = 0; i < 100; ++i) world->step();
    const StepStatistics& s = world->statistics();
    if (fields.find("damping") == fields.npos) {
      const Body& body = world->bodies()[0];
      const double speed = norm(body.linear_velocity());
      EXPECT_NEAR(s.potential_energy + 0.5 * body.mass().mass * speed * speed, before,
                  1e-9 * before)
          << fields;
    }
    return world->bodies()[0];
  };
  EXPECT_NEAR(fallen("").linear_velocity().z, -10.0, 1e-12);
  EXPECT_NEAR(fallen(R"(, "gravity_scale": 0.25)").linear_velocity().z, -2.5, 1e-12);
  EXPECT_NEAR(fallen(R"(, "gravity_scale": -0.5)").center_of_mass().z, 2.5, 1e-2);
  EXPECT_NEAR(fallen(R"(, "gravity_scale": 0, "linear_damping": 1)").linear_velocity().x,
              std::exp(-1.0), 1e-3);
  EXPECT_NEAR(fallen(R"(, "angular_damping": 0.5)").angular_velocity().z, 2.0 * std::exp(-0.5),
              1e-3);
  EXPECT_EQ(refusal(R"({"bodies": [{"shape": {"type": "sphere", "radius": 1},
                        "linear_damping": -1}]})"),
            "bodies[0].linear_damping: must be finite and not negative");
}

TEST(Scene, LocksAxesOfBodies) {
  const Scene scene = parse(R"({"bodies": [
    {"shape": {"type": "sphere", "radius": 1}, "lock": ["y", "rx", "z"], "linear_velocity": [1, 2, 3]},
    {"shape": {"type": "sphere", "radius": 1}, "pose": {"position": [9, 0, 0]}}]})");
  EXPECT_EQ(scene.bodies[0].definition.lock,
            (LockedAxes{{false, true, true}, {true, false, false}}));
  EXPECT_EQ(scene.bodies[1].definition.lock, LockedAxes{});
  EXPECT_EQ(build_world(scene)->bodies()[0].linear_velocity(), (Vec3{1, 0, 0}));
  EXPECT_EQ(
      refusal(R"({"bodies": [{"shape": {"type": "sphere", "radius": 1}, "lock": ["y", "w"]}]})"),
      "bodies[0].lock[1]: must be x, y, z, rx, ry or rz");
  EXPECT_EQ(refusal(R"({"bodies": [{"shape": {"type": "sphere", "radius": 1}, "lock": "y"}]})"),
            "bodies[0].lock: must be a list of axes");
}

TEST(Scene, KnowsPlanesAndQualities) {
  const auto text = [](const std::string& fields) {
    return R"({"bodies": [{"shape": {"type": "sphere", "radius": 1}}], "world": {)" + fields + "}}";
  };
  const auto world = [&](const std::string& fields) { return parse(text(fields)).world; };
  const WorldSettings flat = world(R"("plane": "xy")");
  EXPECT_EQ(flat.plane, MotionPlane::xy);
  EXPECT_EQ(flat.gravity, (Vec3{0, -9.81, 0}));
  EXPECT_EQ(flat.substeps, WorldSettings().substeps);
  EXPECT_EQ(world(R"("plane": "xy", "gravity": [1, 2, 3])").gravity, (Vec3{1, 2, 3}));
  const WorldSettings fast = world(R"("quality": "fast")");
  EXPECT_EQ(fast.substeps, 4);
  EXPECT_EQ(fast.load_overlap, 0.0);
  EXPECT_EQ(fast.least_impact, 0.005);
  EXPECT_EQ(world(R"("quality": "fast", "least_impact": 0)").least_impact, 0.0);
  EXPECT_EQ(world(R"("quality": "fast", "substeps": 6)").substeps, 6);
  EXPECT_EQ(world(R"("quality": "default")").substeps, 12);
  EXPECT_EQ(refusal(text(R"("quality": "best")")), "world.quality: must be default or fast");
  EXPECT_EQ(refusal(text(R"("type": "impulse", "plane": "xy")")), "world.plane: unknown field");
}

// A prism weighs what its region does, also when it is scaled, and is written as it was read.
TEST(Scene, ReadsPrisms) {
  const std::string prism =
      R"({"type": "prism", "outer": [[0, 0], [2, 0], [2, 1], [1, 1], [1, 2], [0, 2]], "holes": [[[0.2, 0.2], [0.6, 0.2], [0.2, 0.6]]], "height": 0.5})";
  const Scene scene = parse(R"({"bodies": [{"shape": )" + prism + R"(, "scale": 2}]})");
  EXPECT_NEAR(build_world(scene)->bodies()[0].mass().mass, 1000.0 * (3.0 - 0.08) * 0.5 * 8.0, 1e-9);
  EXPECT_EQ(shape_to_json(shape_from_json(parse_json(prism))), parse_json(prism));
  const auto refused = [](const std::string& shape) {
    return refusal(R"({"bodies": [{"shape": )" + shape + "}]}");
  };
  EXPECT_EQ(refused(R"({"type": "prism", "outer": [[0, 0], [1, 0], [0, 1]], "height": 0})"),
            "bodies[0].shape.height: must be finite and positive");
  EXPECT_EQ(refused(R"({"type": "prism", "outer": [[0, 0], [1], [0, 1]], "height": 1})"),
            "bodies[0].shape.outer[1]: must be two numbers [x, y]");
  EXPECT_EQ(
      refused(R"({"type": "prism", "outer": [[0, 0], [1, 0], [0, 1]], "height": 1, "radius": 1})"),
      "bodies[0].shape.radius: unknown field");
}

constexpr const char* kActs = R"({"world": {"step_rate": 100},
  "bodies": [{"name": "lift", "type": "kinematic", "shape": {"type": "box", "size": [2, 2, 0.2]}},
             {"name": "load", "shape": {"type": "box", "size": [0.4, 0.4, 0.4]},
              "pose": {"position": [0, 0, 0.3]}, "material": {"friction": 0.8}},
             {"name": "far", "shape": {"type": "sphere", "radius": 0.1},
              "pose": {"position": [9, 0, 0]}}],
  "acts": [{"time": 1.5, "remove": "lift"},
           {"time": 0.1, "move_to": {"body": "lift", "duration": 1,
             "pose": {"position": [0.5, 0, 1], "quaternion": [0.8, 0, 0, 0.6]}}}],
  "regions": [{"name": "low", "shape": {"type": "halfspace", "normal": [0, 0, 1], "offset": -3},
               "remove": true}]})";

// A lift takes its load along, arrives at its pose and stands; then it is removed. What falls into
// a region is removed.
TEST(Scene, ActsAndRegions) {
  const Scene scene = parse(kActs);
  const auto world = build_world(scene);
  const auto run_to = [&](std::uint64_t step) {
    while (world->step_count() < step) {
      begin_step(scene, world->step_count(), *world);
      world->step();
    }
  };
  run_to(10);
  EXPECT_EQ(world->body(1).linear_velocity(), (Vec3{}));
  run_to(60);
  EXPECT_NEAR(world->body(1).center_of_mass().z, 0.5, 1e-12);
  run_to(111);
  const Pose there = world->body(1).pose();
  EXPECT_LE(norm(there.position() - Vec3{0.5, 0, 1}), 1e-12);
  EXPECT_LE(norm(there.rotation().column(0) - Vec3{0.28, 0.96, 0}), 1e-12);
  EXPECT_EQ(world->body(1).linear_velocity(), (Vec3{}));
  EXPECT_NEAR(world->body(2).center_of_mass().x, 0.5, 0.05);
  // The load leaves the lift as fast as that went.
  EXPECT_NEAR(world->body(2).center_of_mass().z, 1.31, 2e-3);
  EXPECT_FALSE(world->contains(3));  // 6 m below after 1.1 s
  run_to(151);
  EXPECT_FALSE(world->contains(1));
  run_to(300);
  EXPECT_FALSE(world->contains(2));
}

// A run that is continued acts as one that was not stopped.
TEST(Scene, ActsGoOnAfterARestart) {
  const Scene scene = parse(kActs);
  const auto whole = build_world(scene);
  std::unique_ptr<RigidWorld> part = build_world(scene);
  for (std::uint64_t step = 0; step < 200; ++step) {
    if (step % 37 == 5) part = continue_world(scene, part->save());
    for (RigidWorld* world : {whole.get(), part.get()}) {
      begin_step(scene, step, *world);
      world->step();
    }
    ASSERT_EQ(part->state_hash(), whole->state_hash()) << step;
  }
}

TEST(Scene, BadActsAndRegions) {
  const auto refused = [](const std::string& fields) { return refusal(ball_scene("", fields)); };
  EXPECT_EQ(refused(R"(, "acts": [{"time": 1, "remove": "x"}])"),
            "acts[0].remove: there is no body called x");
  EXPECT_EQ(refused(R"(, "acts": [{"time": -1, "remove": "bodies[1]"}])"),
            "acts[0].time: must be at least 0, and at most 1e12 steps");
  EXPECT_EQ(refused(R"(, "acts": [{"time": 1}])"),
            "acts[0]: must have one of remove, move_to and walk");
  EXPECT_EQ(refused(R"(, "acts": [{"time": 1, "move_to": {"body": "bodies[1]", "duration": 1,
                        "pose": {"position": [0, 0, 0]}}}])"),
            "acts[0].move_to.body: bodies[1] is not kinematic");
  EXPECT_EQ(refused(R"(, "regions": [{"remove": true}])"), "regions[0].shape: is missing");
}

TEST(Scene, ValuesThatAreSet) {
  nlohmann::json document = parse_json(ball_scene(R"(, "mass": 1)"));
  set_value(document, "world.step_rate=100");
  set_value(document, "world.time_step=0.005");
  set_value(document, "bodies[1].mass=2.5");
  set_value(document, "bodies[1].material={\"friction\": 0.1}");
  set_value(document, "title=a b");
  const Scene scene = scene_from_json(document, ".");
  EXPECT_EQ(scene.step_rate, 200u);
  EXPECT_EQ(scene.title, "a b");
  EXPECT_EQ(scene.bodies[1].definition.mass->mass, 2.5);
  EXPECT_EQ(scene.bodies[1].definition.material.friction, 0.1);
  for (const char* bad : {"", "=1", "world", "world.=1", "[0]=1", "bodies[x]=1", "bodies[2].mass=1",
                          "bodies.mass=1", "bodies[1]mass=1", "bodies[1", "world.step_rate="}) {
    EXPECT_THROW(set_value(document, bad), InvalidInput) << bad;
  }
  EXPECT_EQ(refusal(R"({"world": {"time_step": 0.3}, "bodies": []})"),
            "world.time_step: must be one over a whole number of steps, at most 1000000");
}

}  // namespace
}  // namespace tactus::io
