/* Machines through the C interface: joints, belts, rules, characters, ground; known answers. */
#include <stdlib.h>

#include "bodies.h"
#include "checks.h"
#include "tactus/tactus.h"

static const double kGravity = 9.81;

static tactus_body_state state_of(const tactus_world* world, tactus_body_id id) {
  tactus_body_state state;
  CHECK(tactus_world_get_body(world, id, &state) == TACTUS_OK);
  return state;
}

static tactus_joint_state joint_of(const tactus_world* world, tactus_joint_id id) {
  tactus_joint_state state;
  CHECK(tactus_world_get_joint(world, id, &state) == TACTUS_OK);
  return state;
}

/* A fixed post at the origin, and a dynamic cube of edge 0.5 and mass 125 at x = 1. */
static tactus_world* cube_beside_post(tactus_body_id* post, tactus_body_id* cube) {
  tactus_world* world = tactus_world_create(NULL);
  tactus_pose pose = tactus_pose_identity();
  pose.position.x = 1;
  *post = add(world, tactus_shape_create_box(vec(0.1, 0.1, 2)), TACTUS_BODY_FIXED, 0);
  *cube = add(world, tactus_shape_create_box(vec(0.5, 0.5, 0.5)), TACTUS_BODY_DYNAMIC, 0);
  CHECK(tactus_world_set_pose(world, *cube, &pose) == TACTUS_OK);
  return world;
}

/* A joint of the two at a point, with z along an axis. */
static tactus_joint_definition joint(const tactus_world* world, tactus_joint_type type,
                                     tactus_body_id a, tactus_body_id b, tactus_vec3 anchor,
                                     tactus_vec3 axis) {
  tactus_joint_definition made;
  CHECK(tactus_joint_definition_default(&made, sizeof made) == TACTUS_OK);
  CHECK(tactus_joint_definition_place(&made, world, type, a, b, anchor, axis) == TACTUS_OK);
  CHECK(made.type == type && made.body_a == a && made.body_b == b);
  return made;
}

/* A fixed joint bears weight and its torque; one that is too weak breaks, and is listed once. */
static void test_joints_bear_and_break(void) {
  tactus_body_id post, cube;
  tactus_world* world = cube_beside_post(&post, &cube);
  const double weight = 125 * kGravity;
  tactus_joint_definition held =
      joint(world, TACTUS_JOINT_FIXED, post, cube, vec(0, 0, 0), vec(0, 0, 1));
  tactus_joint_id id = 0;
  tactus_joint_state seen, listed[2];
  size_t count = 7;
  CHECK_NEAR(held.frame_b.position.x, -1, 1e-15);
  CHECK(tactus_world_add_joint(world, &held, &id) == TACTUS_OK);
  CHECK(id != 0);
  step(world, 60);
  seen = joint_of(world, id);
  CHECK(seen.type == TACTUS_JOINT_FIXED && seen.body_a == post && seen.body_b == cube);
  CHECK_NEAR(seen.force.z, weight, 1e-6 * weight);
  CHECK_NEAR(seen.torque.y, -weight, 1e-6 * weight);
  CHECK_NEAR(state_of(world, cube).pose.position.z, 0, 1e-9);
  CHECK(tactus_world_get_joints(world, listed, 2, &count) == TACTUS_OK);
  CHECK(count == 1 && listed[0].id == id);
  CHECK(tactus_world_get_broken_joints(world, NULL, 0, &count) == TACTUS_OK);
  CHECK(count == 0);
  CHECK(tactus_world_remove_joint(world, id) == TACTUS_OK);
  CHECK(tactus_world_remove_joint(world, id) == TACTUS_INVALID_INPUT);
  CHECK_TEXT(tactus_last_error_field(), "id");

  held.break_force = weight / 2;
  held.id = 0;
  CHECK(tactus_world_add_joint(world, &held, &id) == TACTUS_OK);
  step(world, 1);
  CHECK(tactus_world_get_broken_joints(world, listed, 2, &count) == TACTUS_OK);
  CHECK(count == 1 && listed[0].id == id);
  step(world, 1);
  CHECK(tactus_world_get_broken_joints(world, listed, 2, &count) == TACTUS_OK);
  CHECK(count == 0);
  CHECK(tactus_world_get_joint(world, id, &seen) == TACTUS_INVALID_INPUT);
  CHECK(state_of(world, cube).linear_velocity.z < -0.1);
  tactus_world_destroy(world);
}

/* A hinge about the vertical turns at its motor's speed, to its limit, or to the target of its
   drive; nothing of it changes the height. */
static void test_hinges(void) {
  tactus_body_id post, cube;
  tactus_world* world = cube_beside_post(&post, &cube);
  tactus_joint_definition door =
      joint(world, TACTUS_JOINT_HINGE, post, cube, vec(0, 0, 0), vec(0, 0, 1));
  tactus_joint_motor motor;
  tactus_joint_drive drive;
  tactus_joint_id id = 0;
  door.parts = TACTUS_JOINT_LIMITS | TACTUS_JOINT_MOTOR;
  door.lower = -0.5;
  door.upper = 0.75;
  door.motor.speed = 0.5;
  door.motor.max_force = 1e6;
  CHECK(tactus_world_add_joint(world, &door, &id) == TACTUS_OK);
  step(world, 60);
  CHECK_NEAR(joint_of(world, id).position, 0.5, 1e-6);
  step(world, 60);
  CHECK_NEAR(joint_of(world, id).position, 0.75, 1e-3);
  motor.speed = -0.5;
  motor.max_force = 1e6;
  CHECK(tactus_world_set_motor(world, id, &motor) == TACTUS_OK);
  step(world, 60);
  CHECK_NEAR(joint_of(world, id).position, 0.25, 1e-2);
  drive.target = 0.1;
  drive.stiffness = 1e5;
  drive.damping = 1e4;
  drive.max_force = 1e6;
  CHECK(tactus_world_set_drive(world, id, &drive) == TACTUS_INVALID_INPUT);
  CHECK(tactus_world_set_motor(world, id, NULL) == TACTUS_OK);
  CHECK(tactus_world_set_drive(world, id, &drive) == TACTUS_OK);
  step(world, 240);
  CHECK_NEAR(joint_of(world, id).position, 0.1, 1e-6);
  CHECK(tactus_world_set_drive(world, id, NULL) == TACTUS_OK);
  CHECK_NEAR(state_of(world, cube).pose.position.z, 0, 1e-9);
  CHECK_NEAR(state_of(world, cube).pose.position.x, cos(0.1), 1e-6);
  tactus_world_destroy(world);
}

/* Field by field: refused joints name what is wrong, and add nothing. */
static void test_refused_joints(void) {
  tactus_body_id post, cube;
  tactus_world* world = cube_beside_post(&post, &cube);
  tactus_joint_definition good =
      joint(world, TACTUS_JOINT_HINGE, post, cube, vec(0, 0, 0), vec(0, 0, 1));
  tactus_joint_definition bad = good;
  size_t count = 7;
  bad.type = 5;
  CHECK(tactus_world_add_joint(world, &bad, NULL) == TACTUS_INVALID_INPUT);
  CHECK_TEXT(tactus_last_error_field(), "type");
  bad = good;
  bad.parts = 128;
  CHECK(tactus_world_add_joint(world, &bad, NULL) == TACTUS_INVALID_INPUT);
  CHECK_TEXT(tactus_last_error_field(), "parts");
  bad = good;
  bad.parts = TACTUS_JOINT_SWING;
  bad.swing = 1;
  CHECK(tactus_world_add_joint(world, &bad, NULL) == TACTUS_INVALID_INPUT);
  CHECK_TEXT(tactus_last_error_field(), "swing");
  bad = good;
  bad.frame_a.quaternion.w = bad.frame_a.quaternion.x = bad.frame_a.quaternion.y =
      bad.frame_a.quaternion.z = 0;
  CHECK(tactus_world_add_joint(world, &bad, NULL) == TACTUS_INVALID_INPUT);
  CHECK_TEXT(tactus_last_error_field(), "frame_a.quaternion");
  bad = good;
  bad.body_b = 99;
  CHECK(tactus_world_add_joint(world, &bad, NULL) == TACTUS_INVALID_INPUT);
  CHECK_TEXT(tactus_last_error_field(), "body_b");
  memset(&bad, 0, sizeof bad);
  CHECK(tactus_world_add_joint(world, &bad, NULL) == TACTUS_INVALID_INPUT);
  CHECK_TEXT(tactus_last_error_field(), "tactus_joint_definition.struct_size");
  CHECK(tactus_joint_definition_place(&bad, world, TACTUS_JOINT_BALL, post, cube, vec(0, 0, 0),
                                      vec(0, 0, 1)) == TACTUS_INVALID_INPUT);
  bad = good;
  CHECK(tactus_joint_definition_place(&bad, world, TACTUS_JOINT_BALL, post, cube, vec(0, 0, 0),
                                      vec(0, 0, 0)) == TACTUS_INVALID_INPUT);
  CHECK_TEXT(tactus_last_error_field(), "axis");
  CHECK(memcmp(&bad, &good, sizeof good) == 0);
  CHECK(tactus_world_get_joints(NULL, NULL, 0, &count) == TACTUS_MISUSE);
  CHECK(tactus_world_get_joints(world, NULL, 0, &count) == TACTUS_OK);
  CHECK(count == 0);
  tactus_world_destroy(world);
}

/* A plate of thickness 0.2 with its top at height 0, and a cube of edge 0.5 that stands on it. */
static tactus_world* cube_on_plate(tactus_vec3 gravity, tactus_body_type type, uint32_t kind,
                                   tactus_body_id* plate, tactus_body_id* cube) {
  tactus_world_settings settings;
  tactus_body_definition body;
  tactus_world* world;
  tactus_shape* shape = tactus_shape_create_box(vec(20, 20, 0.2));
  CHECK(tactus_world_settings_default(&settings, sizeof settings) == TACTUS_OK);
  settings.gravity = gravity;
  world = tactus_world_create(&settings);
  CHECK(tactus_body_definition_default(&body, sizeof body) == TACTUS_OK);
  body.type = type;
  body.shape = shape;
  body.pose.position.z = -0.1;
  body.kind = kind;
  CHECK(tactus_world_add_body(world, &body, plate) == TACTUS_OK);
  tactus_shape_release(shape);
  body.shape = shape = tactus_shape_create_box(vec(0.5, 0.5, 0.5));
  body.type = TACTUS_BODY_DYNAMIC;
  body.pose.position.z = 0.25;
  CHECK(tactus_world_add_body(world, &body, cube) == TACTUS_OK);
  tactus_shape_release(shape);
  return world;
}

/* Belts and platforms carry what stands on them; surfaces of named kinds have their own friction.
 */
static void test_ground_that_moves(void) {
  const tactus_vec3 down = vec(0, 0, -kGravity);
  tactus_body_id plate, cube;
  tactus_surface_pair ice;
  tactus_world* world = cube_on_plate(down, TACTUS_BODY_FIXED, 0, &plate, &cube);
  tactus_pose there = tactus_pose_identity();
  CHECK(tactus_world_set_surface_velocity(world, plate, vec(0.5, 0, 0), vec(0, 0, 0)) == TACTUS_OK);
  step(world, 60);
  CHECK_NEAR(state_of(world, cube).linear_velocity.x, 0.5, 1e-3);
  CHECK_NEAR(state_of(world, plate).pose.position.x, 0, 0);
  tactus_world_destroy(world);

  world = cube_on_plate(down, TACTUS_BODY_KINEMATIC, 0, &plate, &cube);
  there.position = vec(0.5, 0, -0.1);
  CHECK(tactus_world_move_to(world, plate, &there, 1.0) == TACTUS_OK);
  step(world, 60);
  CHECK_NEAR(state_of(world, plate).pose.position.x, 0.5, 1e-9);
  /* Friction of 0.5 brings it to the speed of 0.5 within 0.1 s, in which it falls back by 0.0255.
   */
  CHECK_NEAR(state_of(world, cube).pose.position.x, 0.5 - 0.0255, 3e-3);
  CHECK(tactus_world_move_to(world, plate, &there, 0.0) == TACTUS_INVALID_INPUT);
  CHECK_TEXT(tactus_last_error_field(), "duration");
  CHECK(tactus_world_move_to(world, cube, &there, 1.0) == TACTUS_INVALID_INPUT);
  tactus_world_destroy(world);

  /* On a slope of a third the friction of 0.5 holds, and ice does not. */
  world = cube_on_plate(vec(3, 0, -9), TACTUS_BODY_FIXED, 4, &plate, &cube);
  step(world, 30);
  CHECK_NEAR(state_of(world, cube).linear_velocity.x, 0, 1e-6);
  memset(&ice, 0, sizeof ice);
  CHECK(tactus_world_set_surface_pair(world, 4, 4, &ice) == TACTUS_OK);
  step(world, 30);
  /* It slides from within the step on, of half a substep of 1/720. */
  CHECK_NEAR(state_of(world, cube).linear_velocity.x, 3 * (0.5 + 1.0 / 1440), 1e-9);
  CHECK(tactus_world_set_surface_pair(world, 4, 0, &ice) == TACTUS_INVALID_INPUT);
  CHECK_TEXT(tactus_last_error_field(), "kind_b");
  CHECK(tactus_world_set_constant_force(world, cube, vec(-3 * 125, 0, 0), vec(0, 0, 0)) ==
        TACTUS_OK);
  step(world, 30);
  CHECK_NEAR(state_of(world, cube).linear_velocity.x, 3 * 0.5, 1e-6);
  tactus_world_destroy(world);
}

/* Friction of the data; the body that it names is let through. */
typedef struct rule_data {
  tactus_body_id passes;
  double friction;
} rule_data;

static int32_t rule(void* data, const tactus_found_contact* contact, tactus_surface_pair* surface) {
  const rule_data* of = (const rule_data*)data;
  surface->friction = of->friction;
  return contact->body_b != of->passes && contact->normal.z > 0.99 && contact->part_a == -1 &&
         fabs(contact->point.z) < 0.1 && fabs(contact->pose_a.position.z + 0.1) < 1e-12;
}

static void test_rules(void) {
  rule_data data = {0, 0.0};
  tactus_body_id plate, cube;
  tactus_world* world = cube_on_plate(vec(3, 0, -9), TACTUS_BODY_FIXED, 0, &plate, &cube);
  CHECK(tactus_world_set_contact_rule(world, rule, &data) == TACTUS_OK);
  step(world, 30);
  CHECK_NEAR(state_of(world, cube).linear_velocity.x, 3 * 0.5, 1e-6);
  CHECK_NEAR(state_of(world, cube).pose.position.z, 0.25, 1e-3);
  data.passes = cube;
  step(world, 30);
  CHECK_NEAR(state_of(world, cube).linear_velocity.z, -9 * 0.5, 1e-2);
  tactus_world_destroy(world);

  world = cube_on_plate(vec(3, 0, -9), TACTUS_BODY_FIXED, 0, &plate, &cube);
  CHECK(tactus_world_set_contact_rule(world, rule, &data) == TACTUS_OK);
  CHECK(tactus_world_set_contact_rule(world, NULL, NULL) == TACTUS_OK);
  step(world, 30);
  CHECK_NEAR(state_of(world, cube).linear_velocity.x, 0, 1e-6);
  tactus_world_destroy(world);
}

/* A platform holds what falls on it, and lets through what comes from below. */
static void test_one_way(void) {
  tactus_world* world = tactus_world_create(NULL);
  tactus_shape* shape = tactus_shape_create_box(vec(4, 4, 0.2));
  tactus_body_definition body;
  tactus_body_id above, below;
  CHECK(tactus_body_definition_default(&body, sizeof body) == TACTUS_OK);
  body.shape = shape;
  body.type = TACTUS_BODY_FIXED;
  body.has_one_way = 1;
  body.one_way = vec(0, 0, 2);
  CHECK(tactus_world_add_body(world, &body, NULL) == TACTUS_OK);
  body.one_way = vec(0, 0, 0);
  CHECK(tactus_world_add_body(world, &body, NULL) == TACTUS_INVALID_INPUT);
  CHECK_TEXT(tactus_last_error_field(), "one_way");
  tactus_shape_release(shape);
  above = add(world, tactus_shape_create_sphere(0.25), TACTUS_BODY_DYNAMIC, 0.5);
  below = add(world, tactus_shape_create_sphere(0.25), TACTUS_BODY_DYNAMIC, -1.5);
  {
    tactus_pose pose = tactus_pose_identity();
    pose.position = vec(1, 0, -1.5);
    CHECK(tactus_world_set_pose(world, below, &pose) == TACTUS_OK);
    CHECK(tactus_world_set_velocity(world, below, vec(0, 0, 8), vec(0, 0, 0)) == TACTUS_OK);
  }
  step(world, 180);
  CHECK_NEAR(state_of(world, above).pose.position.z, 0.35, 1e-3);
  CHECK_NEAR(state_of(world, below).pose.position.z, 0.35, 1e-3);
  tactus_world_destroy(world);
}

/* Walks 1.5 per second on a floor, climbs a step of 0.2, jumps v^2 / 2g high, and falls back. */
static void test_character(void) {
  tactus_world* world = tactus_world_create(NULL);
  tactus_character_settings settings;
  tactus_character_report report;
  tactus_character* walker;
  tactus_body_id body, floor_body, stair;
  tactus_pose pose = tactus_pose_identity();
  double highest = 0, climbed = 0;
  int i;
  floor_body = add(world, tactus_shape_create_halfspace(vec(0, 0, 1), 0), TACTUS_BODY_FIXED, 0);
  stair = add(world, tactus_shape_create_box(vec(4, 4, 0.2)), TACTUS_BODY_FIXED, 0);
  pose.position = vec(6, 0, 0.1);
  CHECK(tactus_world_set_pose(world, stair, &pose) == TACTUS_OK);
  body = add(world, tactus_shape_create_capsule(0.3, 1), TACTUS_BODY_KINEMATIC, 0.81);
  CHECK(tactus_character_settings_default(&settings, sizeof settings) == TACTUS_OK);
  CHECK_NEAR(settings.step_height, 0.35, 0);
  settings.gap = 0.005;
  walker = tactus_character_create(world, body, &settings);
  CHECK(walker != NULL);
  for (i = 0; i < 120; ++i) {
    CHECK(tactus_character_update(walker, vec(1.5, 0, 0), 0, &report) == TACTUS_OK);
    step(world, 1);
  }
  CHECK(report.support == TACTUS_SUPPORT_GROUND && report.ground == floor_body);
  CHECK(report.hindered == 0 && report.stuck == 0);
  CHECK_NEAR(report.ground_normal.z, 1, 1e-9);
  CHECK_NEAR(state_of(world, body).pose.position.x, 3, 0.1);
  for (i = 0; i < 120; ++i) {
    CHECK(tactus_character_update(walker, vec(1.5, 0, 0), 0, &report) == TACTUS_OK);
    climbed += report.climbed;
    step(world, 1);
  }
  CHECK(report.ground == stair);
  /* The round foot slides up a part of it. */
  CHECK(climbed > 0.05 && climbed < 0.21);
  CHECK_NEAR(state_of(world, body).pose.position.z, 1.0, 0.02);
  CHECK(tactus_character_update(walker, vec(0, 0, 0), 3, NULL) == TACTUS_OK);
  for (i = 0; i < 60; ++i) {
    step(world, 1);
    if (state_of(world, body).pose.position.z > highest)
      highest = state_of(world, body).pose.position.z;
    CHECK(tactus_character_update(walker, vec(0, 0, 0), 0, &report) == TACTUS_OK);
  }
  CHECK_NEAR(highest, 1.0 + 9 / (2 * kGravity), 9 / kGravity * 0.1);
  CHECK(report.support == TACTUS_SUPPORT_GROUND);
  CHECK(tactus_character_update(walker, vec(0, 0, 0), -1, NULL) == TACTUS_INVALID_INPUT);
  CHECK_TEXT(tactus_last_error_field(), "jump");
  settings.max_slope = 2;
  CHECK(tactus_character_create(world, body, &settings) == NULL);
  CHECK_TEXT(tactus_last_error_field(), "max_slope");
  CHECK(tactus_character_create(world, stair, NULL) == NULL);
  CHECK_TEXT(tactus_last_error_field(), "id");
  tactus_character_destroy(walker);
  tactus_character_destroy(NULL);
  tactus_world_destroy(world);
}

/* A ball rolls to the lowest place of a bowl of heights, and rests there. */
static void test_heightfield(void) {
  double heights[11 * 11];
  tactus_world* world = tactus_world_create(NULL);
  tactus_body_id ball;
  tactus_pose pose = tactus_pose_identity();
  int i, j;
  for (j = 0; j < 11; ++j)
    for (i = 0; i < 11; ++i)
      heights[11 * j + i] = 0.2 * (abs(i - 5) > abs(j - 5) ? abs(i - 5) : abs(j - 5));
  add(world, tactus_shape_create_heightfield(heights, 11, 11, 0.5, 0.5, 1.0), TACTUS_BODY_FIXED, 0);
  ball = add(world, tactus_shape_create_sphere(0.1), TACTUS_BODY_DYNAMIC, 0);
  pose.position = vec(0.6, 0.1, 0.6);
  CHECK(tactus_world_set_pose(world, ball, &pose) == TACTUS_OK);
  step(world, 600);
  CHECK_NEAR(state_of(world, ball).pose.position.x, 0, 0.05);
  CHECK(state_of(world, ball).pose.position.z > 0.1);
  CHECK(state_of(world, ball).pose.position.z < 0.13);
  heights[60] = NAN;
  CHECK(tactus_shape_create_heightfield(heights, 11, 11, 0.5, 0.5, 1.0) == NULL);
  CHECK_TEXT(tactus_last_error_field(), "heights[60]");
  heights[60] = 0;
  CHECK(tactus_shape_create_heightfield(heights, 1, 11, 0.5, 0.5, 0) == NULL);
  CHECK_TEXT(tactus_last_error_field(), "columns");
  CHECK(tactus_shape_create_heightfield(NULL, 11, 11, 0.5, 0.5, 0) == NULL);
  CHECK(tactus_last_error_code() == TACTUS_MISUSE);
  tactus_world_destroy(world);
}

/* What never changes. */
static void test_layout(void) {
  CHECK(sizeof(tactus_surface_pair) == 40);
  CHECK(sizeof(tactus_found_contact) == 240);
  CHECK(offsetof(tactus_found_contact, part_a) == 232);
  CHECK(sizeof(tactus_joint_motor) == 16);
  CHECK(sizeof(tactus_joint_drive) == 32);
  CHECK(offsetof(tactus_joint_definition, motor) == 184);
  CHECK(sizeof(tactus_joint_definition) >= 288);
  CHECK(sizeof(tactus_joint_state) == 96);
  CHECK(sizeof(tactus_character_settings) >= 80);
  CHECK(sizeof(tactus_character_report) == 104);
}

int main(void) {
  test_joints_bear_and_break();
  test_hinges();
  test_refused_joints();
  test_ground_that_moves();
  test_rules();
  test_one_way();
  test_character();
  test_heightfield();
  test_layout();
  printf("C interface, machines: %d checks, %d failed\n", checks, failures);
  return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
