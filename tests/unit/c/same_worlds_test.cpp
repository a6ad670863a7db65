// Worlds that the C interface makes are those that C++ makes, bit for bit: every field of joints,
// bodies, surfaces, rules and characters arrives.
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "tactus/character.hpp"
#include "tactus/core/constants.hpp"
#include "tactus/fit.hpp"
#include "tactus/tactus_world.h"
#include "tactus/world.hpp"
#include "tests/support/random_shapes.hpp"

namespace tactus::detail::test {
namespace {

tactus_vec3 to_c(const Vec3& v) { return {v.x, v.y, v.z}; }
tactus_pose to_c(const Pose& pose) {
  const Quat q = to_quaternion(pose.rotation());
  return {to_c(pose.position()), {q.w, q.x, q.y, q.z}};
}

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// A world of both interfaces.
class BothWorlds {
 public:
  BothWorlds() : c_(tactus_world_create(nullptr)) {}
  BothWorlds(const BothWorlds&) = delete;
  BothWorlds& operator=(const BothWorlds&) = delete;
  ~BothWorlds() { tactus_world_destroy(c_); }

  World& cpp() { return cpp_; }
  tactus_world* c() { return c_; }

  /// A box; `shape` is its twin, which it takes.
  BodyId add(const BodyDefinition& definition, tactus_shape* shape) {
    tactus_body_definition given;
    EXPECT_EQ(tactus_body_definition_default(&given, sizeof given), TACTUS_OK);
    given.shape = shape;
    given.pose = to_c(definition.pose);
    given.type = static_cast<tactus_body_type>(definition.type);
    given.friction = definition.material.friction;
    given.kind = definition.material.kind;
    given.has_one_way = definition.one_way ? 1 : 0;
    given.one_way = to_c(definition.one_way.value_or(Vec3{}));
    given.surface_linear = to_c(definition.surface_velocity.linear);
    given.surface_angular = to_c(definition.surface_velocity.angular);
    tactus_body_id id = 0;
    EXPECT_EQ(tactus_world_add_body(c_, &given, &id), TACTUS_OK) << tactus_last_error();
    tactus_shape_release(shape);
    EXPECT_EQ(cpp_.add(definition), id);
    return id;
  }

  BodyId add_box(BodyType type, const Vec3& size, const Vec3& at) {
    BodyDefinition box{Box(size)};
    box.type = type;
    box.pose = Pose::translation(at);
    return add(box, tactus_shape_create_box(to_c(size)));
  }

  void expect_same_steps(int steps, const std::string& what) {
    for (int i = 0; i < steps; ++i) {
      cpp_.step();
      ASSERT_EQ(tactus_world_step(c_), TACTUS_OK);
      ASSERT_EQ(tactus_world_get_state_hash(c_), cpp_.state_hash()) << what << ", step " << i;
    }
  }

 private:
  World cpp_;
  tactus_world* c_;
};

JointDefinition random_joint(Random& random, JointType type) {
  const auto often = [&] { return random.uniform(0.0, 1.0) < 0.6; };
  JointDefinition made;
  made.type = type;
  made.frame_a = random_pose(random, 0.3);
  made.frame_b = random_pose(random, 0.3);
  if (type == JointType::hinge || type == JointType::slider) {
    if (often()) made.limits = {-random.uniform(0.1, 1.0), random.uniform(0.1, 1.0)};
    if (often()) {
      made.motor = {random.uniform(-1.0, 1.0), random.uniform(1.0, 1e4)};
    } else if (often()) {
      made.drive = {random.uniform(-1.0, 1.0), random.uniform(1.0, 1e5), random.uniform(0.0, 1e3),
                    random.uniform(1.0, 1e4)};
    }
  } else if (type == JointType::ball) {
    if (often()) made.swing = random.uniform(0.2, 2.0);
    if (often()) made.twist = {-random.uniform(0.1, 1.0), random.uniform(0.1, 1.0)};
    if (often()) made.drive = {random.uniform(-1.0, 1.0), random.uniform(1.0, 1e5), 3.0, kInfinity};
  } else if (type == JointType::distance) {
    if (often()) {
      made.spring = {random.uniform(1.0, 5.0), random.uniform(0.0, 1.0)};
    } else if (often()) {
      made.limits = {random.uniform(0.1, 0.3), random.uniform(0.5, 1.5)};
    }
    if (!made.limits && often()) made.length = random.uniform(0.2, 1.2);
  }
  if (often()) made.break_force = random.uniform(10.0, 1e6);
  if (often()) made.break_torque = random.uniform(10.0, 1e6);
  made.touch = often();
  return made;
}

tactus_joint_definition to_c(const JointDefinition& joint) {
  tactus_joint_definition made;
  EXPECT_EQ(tactus_joint_definition_default(&made, sizeof made), TACTUS_OK);
  made.type = static_cast<tactus_joint_type>(joint.type);
  made.body_a = joint.body_a;
  made.body_b = joint.body_b;
  made.frame_a = to_c(joint.frame_a);
  made.frame_b = to_c(joint.frame_b);
  const auto given = [&](bool is, std::uint32_t part) { made.parts |= is ? part : 0U; };
  given(joint.limits.has_value(), TACTUS_JOINT_LIMITS);
  given(joint.swing.has_value(), TACTUS_JOINT_SWING);
  given(joint.twist.has_value(), TACTUS_JOINT_TWIST);
  given(joint.motor.has_value(), TACTUS_JOINT_MOTOR);
  given(joint.drive.has_value(), TACTUS_JOINT_DRIVE);
  given(joint.spring.has_value(), TACTUS_JOINT_SPRING);
  given(joint.length.has_value(), TACTUS_JOINT_LENGTH);
  // Nothing looks at what is not given.
  const JointLimits none{kNan, kNan};
  made.lower = joint.limits.value_or(none).lower;
  made.upper = joint.limits.value_or(none).upper;
  made.swing = joint.swing.value_or(kNan);
  made.twist_lower = joint.twist.value_or(none).lower;
  made.twist_upper = joint.twist.value_or(none).upper;
  if (joint.motor) made.motor = {joint.motor->speed, joint.motor->max_force};
  if (joint.drive)
    made.drive = {joint.drive->target, joint.drive->stiffness, joint.drive->damping,
                  joint.drive->max_force};
  if (joint.spring) {
    made.spring_frequency = joint.spring->frequency;
    made.spring_damping_ratio = joint.spring->damping_ratio;
  }
  made.length = joint.length.value_or(kNan);
  made.break_force = joint.break_force.value_or(kInfinity);
  made.break_torque = joint.break_torque.value_or(kInfinity);
  made.touch = joint.touch ? 1 : 0;
  return made;
}

TEST(SameWorlds, JointsOfAllKinds) {
  Random random(71);
  for (int round = 0; round < 60; ++round) {
    const JointType type = static_cast<JointType>(round % 5);
    BothWorlds both;
    const BodyId post = both.add_box(BodyType::fixed, {0.2, 0.2, 0.2}, {0, 0, 0});
    const BodyId box = both.add_box(BodyType::dynamic_body, {0.3, 0.4, 0.5}, {0.6, 0.1, 0.2});
    JointDefinition joint = random_joint(random, type);
    joint.body_a = post;
    joint.body_b = box;
    // Poses go through a quaternion.
    const tactus_joint_definition given = to_c(joint);
    const auto through = [](const tactus_pose& pose) {
      const tactus_quat& q = pose.quaternion;
      const tactus_vec3& p = pose.position;
      return Pose({p.x, p.y, p.z}, {q.w, q.x, q.y, q.z});
    };
    joint.frame_a = through(given.frame_a);
    joint.frame_b = through(given.frame_b);
    tactus_joint_id id = 0;
    ASSERT_EQ(tactus_world_add_joint(both.c(), &given, &id), TACTUS_OK) << tactus_last_error();
    ASSERT_EQ(both.cpp().add_joint(joint), id);
    both.expect_same_steps(20, std::string(to_string(type)));
    std::size_t there = 0, broken = 0;
    EXPECT_EQ(tactus_world_get_joints(both.c(), nullptr, 0, &there), TACTUS_OK);
    EXPECT_EQ(tactus_world_get_broken_joints(both.c(), nullptr, 0, &broken), TACTUS_OK);
    EXPECT_EQ(there, both.cpp().joints().size());
    EXPECT_EQ(broken, both.cpp().broken_joints().size());
    if (there == 0) continue;
    tactus_joint_state state;
    ASSERT_EQ(tactus_world_get_joint(both.c(), id, &state), TACTUS_OK);
    const Joint& seen = both.cpp().joint(id);
    EXPECT_EQ(state.force.x, seen.force.x);
    EXPECT_EQ(state.torque.y, seen.torque.y);
    EXPECT_EQ(state.position, seen.position);
    EXPECT_EQ(state.swing, seen.swing);
  }
}

TEST(SameWorlds, BeltsOneWayFloorsAndSurfacesOfNamedKinds) {
  BothWorlds both;
  BodyDefinition floor{Box({4, 4, 0.2})};
  floor.type = BodyType::fixed;
  floor.material.kind = 3;
  floor.surface_velocity = {{0.3, 0.1, 0}, {0, 0, 0.2}};
  floor.one_way = Vec3{0, 0.1, 1};
  both.add(floor, tactus_shape_create_box({4, 4, 0.2}));
  BodyDefinition cube{Box({0.5, 0.5, 0.5})};
  cube.pose = Pose::translation({0.2, 0.3, 0.4});
  cube.material.kind = 5;
  both.add(cube, tactus_shape_create_box({0.5, 0.5, 0.5}));
  const SurfacePair pair{0.2, 0.3, 0.01, 0.02, 0.5};
  const tactus_surface_pair given{pair.friction, pair.restitution, pair.rolling_friction,
                                  pair.torsional_friction, pair.adhesion};
  both.cpp().set_surface_pair(3, 5, pair);
  ASSERT_EQ(tactus_world_set_surface_pair(both.c(), 3, 5, &given), TACTUS_OK);
  both.expect_same_steps(40, "belt");
}

TEST(SameWorlds, RulesSeeWhatTheyDoInCpp) {
  BothWorlds both;
  BodyDefinition floor{Box({4, 4, 0.2})};
  floor.type = BodyType::fixed;
  both.add(floor, tactus_shape_create_box({4, 4, 0.2}));
  for (const double x : {-1.0, 0.0, 1.0}) {
    const BodyId id = both.add_box(BodyType::dynamic_body, {0.5, 0.5, 0.5}, {x, 0.1 * x, 0.4});
    // They come down on an edge, so that points of a patch differ in depth.
    both.cpp().set_velocity(id, {}, {0.3, 0.5, 0.1});
    ASSERT_EQ(tactus_world_set_velocity(both.c(), id, {}, {0.3, 0.5, 0.1}), TACTUS_OK);
  }
  // Passes where it is found left of -0.5; elsewhere friction depends on all that is told.
  both.cpp().set_contact_rule([](const FoundContact& found, ContactTerms& terms) {
    const ContactPoint* deepest = &found.manifold.points[0];
    for (const ContactPoint& point : found.manifold.span())
      if (point.depth > deepest->depth) deepest = &point;
    terms.ignored = ((deepest->point_a + deepest->point_b) * 0.5).x < -0.5;
    terms.surface.friction = 0.3 + 0.1 * found.body_b.linear_velocity().z +
                             0.05 * found.pose_b.position().x + 0.01 * found.manifold.normal.z +
                             deepest->depth + 0.001 * static_cast<double>(found.body_a.id());
  });
  ASSERT_EQ(tactus_world_set_contact_rule(
                both.c(),
                [](void*, const tactus_found_contact* found, tactus_surface_pair* surface) {
                  surface->friction = 0.3 + 0.1 * found->velocity_b.z +
                                      0.05 * found->pose_b.position.x + 0.01 * found->normal.z +
                                      found->depth + 0.001 * static_cast<double>(found->body_a);
                  return std::int32_t{found->point.x < -0.5 ? 0 : 1};
                },
                nullptr),
            TACTUS_OK);
  both.expect_same_steps(60, "rule");
  EXPECT_LT(both.cpp().bodies()[1].center_of_mass().z, 0.0);
  EXPECT_GT(both.cpp().bodies()[2].center_of_mass().z, 0.3);
}

TEST(SameWorlds, CharactersOnHeights) {
  BothWorlds both;
  fit::Heightfield field;
  field.columns = field.rows = 9;
  field.spacing_x = 0.8;
  field.spacing_y = 0.7;
  field.thickness = 0.5;
  Random random(72);
  for (int i = 0; i < 81; ++i) field.heights.push_back(random.uniform(0.0, 0.2));
  BodyDefinition ground{Mesh(fit::make_heightfield(field))};
  ground.type = BodyType::fixed;
  both.add(ground, tactus_shape_create_heightfield(field.heights.data(), 9, 9, 0.8, 0.7, 0.5));
  BodyDefinition walker{Capsule(0.3, 1)};
  walker.type = BodyType::kinematic;
  walker.pose = Pose::translation({-2, 0, 1.2});
  const BodyId id = both.add(walker, tactus_shape_create_capsule(0.3, 1));
  both.add_box(BodyType::dynamic_body, {0.4, 0.4, 0.4}, {0, 0, 0.5});
  const CharacterSettings settings{{0, 0.1, 2}, 0.02, 0.3, 0.7, 50, 800, 4};
  tactus_character_settings given;
  ASSERT_EQ(tactus_character_settings_default(&given, sizeof given), TACTUS_OK);
  given.up = to_c(settings.up);
  given.gap = settings.gap;
  given.step_height = settings.step_height;
  given.max_slope = settings.max_slope;
  given.mass = settings.mass;
  given.max_force = settings.max_force;
  given.air_acceleration = settings.air_acceleration;
  CharacterController cpp(both.cpp(), id, settings);
  tactus_character* c = tactus_character_create(both.c(), id, &given);
  ASSERT_NE(c, nullptr) << tactus_last_error();
  for (int i = 0; i < 60; ++i) {
    const double jump = i == 40 ? 2.0 : 0.0;
    const CharacterReport& seen = cpp.update({{1.5, 0.2, 0}, jump});
    tactus_character_report report;
    ASSERT_EQ(tactus_character_update(c, {1.5, 0.2, 0}, jump, &report), TACTUS_OK);
    EXPECT_EQ(report.support, static_cast<int>(seen.support));
    EXPECT_EQ(report.ground, seen.ground);
    EXPECT_EQ(report.hindered != 0, seen.hindered);
    EXPECT_EQ(report.way.x, seen.way.x);
    EXPECT_EQ(report.climbed, seen.climbed);
    EXPECT_EQ(report.ground_point.z, seen.ground_point.z);
    EXPECT_EQ(report.ground_normal.y, seen.ground_normal.y);
    both.expect_same_steps(1, "walk " + std::to_string(i));
  }
  tactus_character_destroy(c);
}

TEST(SameWorlds, MotorsDrivesAndForcesThatChange) {
  BothWorlds both;
  const BodyId post = both.add_box(BodyType::kinematic, {0.2, 0.2, 0.2}, {0, 0, 0});
  const BodyId box = both.add_box(BodyType::dynamic_body, {0.3, 0.4, 0.5}, {0.6, 0.1, 0.2});
  tactus_joint_definition hinge;
  ASSERT_EQ(tactus_joint_definition_default(&hinge, sizeof hinge), TACTUS_OK);
  ASSERT_EQ(tactus_joint_definition_place(&hinge, both.c(), TACTUS_JOINT_HINGE, post, box,
                                          {0.1, 0.2, 0.3}, {0, 0, 3}),
            TACTUS_OK);
  tactus_joint_id id = 0;
  ASSERT_EQ(tactus_world_add_joint(both.c(), &hinge, &id), TACTUS_OK);
  World& cpp = both.cpp();
  ASSERT_EQ(cpp.add_joint(joint_at(JointType::hinge, cpp.body(post), cpp.body(box), {0.1, 0.2, 0.3},
                                   {0, 0, 3})),
            id);
  both.expect_same_steps(10, "free");
  const tactus_joint_motor motor{0.7, 300.0};
  cpp.set_motor(id, JointMotor{0.7, 300.0});
  ASSERT_EQ(tactus_world_set_motor(both.c(), id, &motor), TACTUS_OK);
  both.expect_same_steps(10, "motor");
  cpp.set_motor(id, std::nullopt);
  ASSERT_EQ(tactus_world_set_motor(both.c(), id, nullptr), TACTUS_OK);
  const tactus_joint_drive drive{0.4, 2000.0, 30.0, 500.0};
  cpp.set_drive(id, JointDrive{0.4, 2000.0, 30.0, 500.0});
  ASSERT_EQ(tactus_world_set_drive(both.c(), id, &drive), TACTUS_OK);
  both.expect_same_steps(10, "drive");
  const tactus_pose there{{0.2, 0.1, 0.3}, {0.8, 0, 0, 0.6}};
  cpp.move_to(post, Pose({0.2, 0.1, 0.3}, {0.8, 0, 0, 0.6}), 0.5);
  ASSERT_EQ(tactus_world_move_to(both.c(), post, &there, 0.5), TACTUS_OK);
  cpp.set_constant_force(box, {1, 200, 3}, {4, 5, 60});
  ASSERT_EQ(tactus_world_set_constant_force(both.c(), box, {1, 200, 3}, {4, 5, 60}), TACTUS_OK);
  cpp.set_surface_velocity(box, {{1, 2, 3}, {4, 5, 6}});
  ASSERT_EQ(tactus_world_set_surface_velocity(both.c(), box, {1, 2, 3}, {4, 5, 6}), TACTUS_OK);
  both.expect_same_steps(10, "moved");
  EXPECT_EQ(cpp.body(box).surface_velocity().angular.z, 6.0);
}

}  // namespace
}  // namespace tactus::detail::test
