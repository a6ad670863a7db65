/* Worlds through the C interface: what falls, rests, pushes, is saved. */
#include <stdlib.h>

#include "bodies.h"
#include "checks.h"
#include "tactus/tactus.h"

static const double kHalf = 0.5, kStep = 1.0 / 60.0, kGravity = 9.81;

/* A ball of radius 0.5 at height 2 above the ground. */
static tactus_world* ball_above_ground(tactus_body_id* ground, tactus_body_id* ball) {
  tactus_world* world = tactus_world_create(NULL);
  *ground = add(world, tactus_shape_create_halfspace(vec(0, 0, 1), 0), TACTUS_BODY_FIXED, 0);
  *ball = add(world, tactus_shape_create_sphere(kHalf), TACTUS_BODY_DYNAMIC, 2);
  return world;
}

static void test_ball_falls_and_rests(void) {
  tactus_body_id ground, ball;
  tactus_world* world = ball_above_ground(&ground, &ball);
  tactus_body_state state, all[3];
  tactus_contact contact;
  tactus_body_pair pair;
  tactus_step_statistics statistics;
  const double mass = 1000 * 4.0 / 3.0 * 3.14159265358979323846 * kHalf * kHalf * kHalf;
  size_t count = 0;
  int begun = 0, i;
  CHECK(tactus_world_get_body_count(world) == 2);
  /* A third of a second of free fall: g t^2 / 2, of which the solver's steps differ by g t dt / 2
     at most. */
  step(world, 20);
  CHECK(tactus_world_get_body(world, ball, &state) == TACTUS_OK);
  CHECK_NEAR(state.linear_velocity.z, -kGravity * 20 * kStep, 1e-12);
  CHECK_NEAR(state.pose.position.z, 2 - kGravity / 18, kGravity / 3 * kStep / 2);
  CHECK(tactus_world_get_contacts(world, NULL, 0, &count) == TACTUS_OK);
  CHECK(count == 0);
  for (i = 0; i < 160; ++i) {
    step(world, 1);
    CHECK(tactus_world_get_touches(world, TACTUS_TOUCHES_BEGUN, &pair, 1, &count) == TACTUS_OK);
    if (count == 1) CHECK(pair.body_a == ground && pair.body_b == ball);
    begun += (int)count;
  }
  CHECK(begun == 1);
  CHECK(tactus_world_get_touches(world, TACTUS_TOUCHES_ALL, NULL, 0, &count) == TACTUS_OK);
  CHECK(count == 1);
  CHECK(tactus_world_get_touches(world, 3, NULL, 0, &count) == TACTUS_INVALID_INPUT);
  /* It rests on the ground, which bears its weight; overlap under load is below 7e-4 of its
     size. */
  CHECK(tactus_world_get_bodies(world, all, 3, &count) == TACTUS_OK);
  CHECK(count == 2 && all[0].id == ground && all[1].id == ball);
  CHECK_NEAR(all[1].pose.position.z, kHalf, 7e-4);
  CHECK_NEAR(all[1].linear_velocity.z, 0, 1e-9);
  CHECK_NEAR(all[1].pose.quaternion.w, 1, 1e-12);
  CHECK(tactus_world_get_contacts(world, &contact, 1, &count) == TACTUS_OK);
  CHECK(count == 1 && contact.body_a == ground && contact.body_b == ball);
  CHECK_NEAR(contact.normal.z, 1, 1e-15);
  CHECK_NEAR(contact.normal_impulse / tactus_world_get_contact_time(world), mass * kGravity,
             1e-9 * mass * kGravity);
  CHECK(tactus_world_get_statistics(world, &statistics) == TACTUS_OK);
  CHECK(statistics.step == 180 && statistics.bodies == 2 && statistics.dynamic_bodies == 1);
  CHECK(statistics.contacts == 1);
  CHECK_NEAR(statistics.time, 3, 1e-12);
  CHECK_NEAR(statistics.potential_energy, mass * kGravity * kHalf, mass * kGravity * 7e-4);
  /* A touch ends when the ball is gone. */
  CHECK(tactus_world_remove_body(world, ball) == TACTUS_OK);
  step(world, 1);
  CHECK(tactus_world_get_touches(world, TACTUS_TOUCHES_ENDED, &pair, 1, &count) == TACTUS_OK);
  CHECK(count == 1 && pair.body_b == ball);
  CHECK(tactus_world_get_body_count(world) == 1);
  tactus_world_destroy(world);
}

/* Without gravity velocities are what impulses and forces say. */
static void test_pushes(void) {
  tactus_world_settings settings;
  tactus_body_definition body;
  tactus_world* world;
  tactus_body_state state;
  tactus_body_id id;
  tactus_pose pose = tactus_pose_identity();
  tactus_shape* box = tactus_shape_create_box(vec(1, 1, 1));
  int i;
  CHECK(tactus_world_settings_default(&settings, sizeof settings) == TACTUS_OK);
  CHECK_NEAR(settings.gravity.z, -kGravity, 0);
  CHECK_NEAR(settings.time_step, kStep, 0);
  settings.gravity = vec(0, 0, 0);
  settings.time_step = 0.5;
  settings.max_threads = 1;
  world = tactus_world_create(&settings);
  CHECK(tactus_body_definition_default(&body, sizeof body) == TACTUS_OK);
  body.shape = box;
  body.has_mass = 1;
  body.mass = 4;
  for (i = 0; i < 3; ++i) body.inertia[4 * i] = 2;
  CHECK(tactus_world_add_body(world, &body, &id) == TACTUS_OK);
  CHECK(tactus_world_apply_impulse(world, id, vec(8, 0, 0), vec(0, 0, 0)) == TACTUS_OK);
  CHECK(tactus_world_get_body(world, id, &state) == TACTUS_OK);
  CHECK_NEAR(state.linear_velocity.x, 2, 1e-15);
  CHECK(tactus_world_apply_force(world, id, vec(0, 8, 0)) == TACTUS_OK);
  CHECK(tactus_world_apply_torque(world, id, vec(0, 0, 2)) == TACTUS_OK);
  step(world, 2);
  CHECK(tactus_world_get_body(world, id, &state) == TACTUS_OK);
  CHECK_NEAR(state.linear_velocity.x, 2, 1e-12);
  CHECK_NEAR(state.linear_velocity.y, 8.0 / 4 * 0.5, 1e-12);
  CHECK_NEAR(state.angular_velocity.z, 2.0 / 2 * 0.5, 1e-12);
  CHECK_NEAR(state.pose.position.x, 2, 1e-12);
  /* The lever arm of half a unit along x turns a force along y about z. */
  CHECK(tactus_world_set_velocity(world, id, vec(0, 0, 0), vec(0, 0, 0)) == TACTUS_OK);
  pose.position = vec(7, 0, 0);
  CHECK(tactus_world_set_pose(world, id, &pose) == TACTUS_OK);
  CHECK(tactus_world_apply_force_at(world, id, vec(0, 1e-6, 0), vec(7.5, 0, 0)) == TACTUS_OK);
  step(world, 1);
  CHECK(tactus_world_get_body(world, id, &state) == TACTUS_OK);
  CHECK_NEAR(state.pose.position.x, 7, 1e-12);
  CHECK_NEAR(state.angular_velocity.z * 1e6, 0.5 / 2 * 0.5, 1e-6);
  tactus_world_destroy(world);
  tactus_shape_release(box);
}

static void test_rays_and_filters(void) {
  tactus_body_id ground, ball;
  tactus_world* world = ball_above_ground(&ground, &ball);
  tactus_ray_hit hit;
  CHECK(tactus_world_cast_ray(world, vec(0, 0, 9), vec(0, 0, -2), HUGE_VAL, ~(uint64_t)0, &hit) ==
        TACTUS_OK);
  CHECK(hit.body == ball && hit.part == -1);
  CHECK_NEAR(hit.distance, 6.5, 1e-12);
  CHECK(hit.distance <= 6.5);
  CHECK_NEAR(hit.normal.z, 1, 1e-12);
  CHECK_NEAR(hit.point.z, 2.5, 1e-12);
  CHECK(tactus_world_cast_ray(world, vec(3, 0, 9), vec(0, 0, -2), HUGE_VAL, 1, &hit) == TACTUS_OK);
  CHECK(hit.body == ground);
  CHECK(tactus_world_cast_ray(world, vec(3, 0, 9), vec(0, 0, -2), HUGE_VAL, 2, &hit) == TACTUS_OK);
  CHECK(hit.body == 0);
  CHECK(tactus_world_cast_ray(world, vec(0, 0, 9), vec(0, 0, 0), 1, 1, &hit) ==
        TACTUS_INVALID_INPUT);
  /* A ball that is to pass through the ground does. */
  CHECK(tactus_world_exclude_pair(world, ground, ball) == TACTUS_OK);
  step(world, 60);
  CHECK(tactus_world_cast_ray(world, vec(0, 0, -9), vec(0, 0, 1), 20, ~(uint64_t)0, &hit) ==
        TACTUS_OK);
  CHECK(hit.body == ground);
  tactus_world_destroy(world);
}

static void test_shapes_put_to_a_world(void) {
  tactus_body_id ground, ball, ids[4], nearest;
  tactus_world* world = ball_above_ground(&ground, &ball);
  tactus_shape* probe = tactus_shape_create_sphere(0.25);
  tactus_pose pose = tactus_pose_identity();
  const uint64_t all = ~(uint64_t)0;
  tactus_ray_hit hit;
  tactus_result gap;
  size_t count;
  CHECK(probe != NULL);
  pose.position = vec(0, 0, 9);
  CHECK(tactus_world_cast_shape(world, probe, &pose, vec(0, 0, -10), all, 0, &hit) == TACTUS_OK);
  CHECK(hit.body == ball);
  CHECK_NEAR(hit.distance, 0.625, 1e-12);
  CHECK_NEAR(hit.point.z, 2.5, 1e-11);
  CHECK_NEAR(hit.normal.z, 1, 1e-12);
  CHECK(tactus_world_cast_shape(world, probe, &pose, vec(0, 0, -10), all, ball, &hit) == TACTUS_OK);
  CHECK(hit.body == ground);
  CHECK(tactus_world_cast_shape(world, probe, &pose, vec(0, 0, 10), all, 0, &hit) == TACTUS_OK);
  CHECK(hit.body == 0);
  CHECK(tactus_world_get_nearest(world, probe, &pose, HUGE_VAL, all, 0, &nearest, &gap) ==
        TACTUS_OK);
  CHECK(nearest == ball);
  CHECK_NEAR(gap.distance, 6.25, 1e-12);
  CHECK(tactus_world_get_nearest(world, probe, &pose, 6, all, 0, &nearest, NULL) == TACTUS_OK);
  CHECK(nearest == 0);
  pose.position = vec(0.5, 0, 2.5);
  CHECK(tactus_world_get_overlapping(world, probe, &pose, all, 0, ids, 4, &count) == TACTUS_OK);
  CHECK(count == 1 && ids[0] == ball);
  CHECK(tactus_world_get_overlapping(world, probe, &pose, all, ball, NULL, 0, &count) == TACTUS_OK);
  CHECK(count == 0);
  CHECK(tactus_world_get_nearest(world, NULL, &pose, 1, all, 0, &nearest, NULL) == TACTUS_MISUSE);
  tactus_world_destroy(world);
  tactus_shape_release(probe);
}

static void test_surfaces(void) {
  tactus_body_id ground, ball;
  tactus_world* world = ball_above_ground(&ground, &ball);
  tactus_body_state state;
  double highest = 0;
  int i;
  CHECK(tactus_world_set_surface(world, ball, 0.5, 1, 0, 0) == TACTUS_OK);
  CHECK(tactus_world_set_surface(world, ball, 0.5, 2, 0, 0) == TACTUS_INVALID_INPUT);
  CHECK_TEXT(tactus_last_error_field(), "restitution");
  for (i = 0; i < 90; ++i) {
    step(world, 1);
    CHECK(tactus_world_get_body(world, ball, &state) == TACTUS_OK);
    if (i > 45 && state.pose.position.z > highest) highest = state.pose.position.z;
  }
  /* It bounces back to where it came from, but for what it moves within a step. */
  CHECK_NEAR(highest, 2, 0.05);
  tactus_world_destroy(world);
}

static uint64_t hash_of_pile(int threads, int steps, int saved_at) {
  tactus_world_settings settings;
  tactus_world* world;
  tactus_state* state;
  uint64_t hash;
  int i;
  CHECK(tactus_world_settings_default(&settings, sizeof settings) == TACTUS_OK);
  settings.max_threads = threads;
  world = tactus_world_create(&settings);
  add(world, tactus_shape_create_halfspace(vec(0, 0, 1), 0), TACTUS_BODY_FIXED, 0);
  for (i = 0; i < 4; ++i) {
    add(world, tactus_shape_create_box(vec(1, 1 + 0.1 * i, 1)), TACTUS_BODY_DYNAMIC, 1 + 1.5 * i);
  }
  step(world, saved_at);
  state = tactus_world_save(world);
  CHECK(state != NULL);
  step(world, 7);
  CHECK(tactus_world_restore(world, state) == TACTUS_OK);
  tactus_state_destroy(state);
  step(world, steps - saved_at);
  hash = tactus_world_get_state_hash(world);
  tactus_world_destroy(world);
  return hash;
}

static void test_same_bits(void) {
  const uint64_t hash = hash_of_pile(1, 60, 60);
  CHECK(hash != 0);
  CHECK(hash_of_pile(1, 60, 60) == hash);
  CHECK(hash_of_pile(0, 60, 30) == hash);
  CHECK(hash_of_pile(1, 61, 30) != hash);
}

static void test_errors(void) {
  tactus_body_id ground, ball, other = 77;
  tactus_world *world = ball_above_ground(&ground, &ball), *empty;
  tactus_world_settings settings;
  tactus_body_definition body;
  tactus_body_state state;
  tactus_state* saved;
  tactus_pose pose = tactus_pose_identity();
  uint64_t hash;
  memset(&settings, 0, sizeof settings);
  CHECK(tactus_world_create(&settings) == NULL);
  CHECK_TEXT(tactus_last_error_field(), "tactus_world_settings.struct_size");
  CHECK(tactus_world_settings_default(&settings, sizeof settings) == TACTUS_OK);
  settings.time_step = 0;
  CHECK(tactus_world_create(&settings) == NULL);
  CHECK(tactus_last_error_code() == TACTUS_INVALID_INPUT);
  CHECK_TEXT(tactus_last_error_field(), "time_step");

  CHECK(tactus_body_definition_default(&body, sizeof body) == TACTUS_OK);
  CHECK(tactus_world_add_body(world, &body, &other) == TACTUS_MISUSE);
  CHECK_TEXT(tactus_last_error(), "shape: is null");
  body.shape = tactus_shape_create_sphere(1);
  body.friction = -1;
  CHECK(tactus_world_add_body(world, &body, &other) == TACTUS_INVALID_INPUT);
  CHECK(strstr(tactus_last_error_field(), "friction") != NULL);
  body.friction = 1;
  body.type = 3;
  CHECK(tactus_world_add_body(world, &body, &other) == TACTUS_INVALID_INPUT);
  CHECK_TEXT(tactus_last_error_field(), "type");
  body.type = TACTUS_BODY_DYNAMIC;
  body.id = ball;
  CHECK(tactus_world_add_body(world, &body, &other) == TACTUS_INVALID_INPUT);
  CHECK_TEXT(tactus_last_error_field(), "id");
  CHECK(other == 77 && tactus_world_get_body_count(world) == 2);
  tactus_shape_release((tactus_shape*)body.shape);

  CHECK(tactus_world_get_body(world, 99, &state) == TACTUS_INVALID_INPUT);
  CHECK_TEXT(tactus_last_error_field(), "id");
  CHECK(tactus_world_remove_body(world, 99) == TACTUS_INVALID_INPUT);
  CHECK(tactus_world_set_velocity(world, ball, vec(NAN, 0, 0), vec(0, 0, 0)) ==
        TACTUS_INVALID_INPUT);
  pose.quaternion.w = 0;
  CHECK(tactus_world_set_pose(world, ball, &pose) == TACTUS_INVALID_INPUT);
  CHECK_TEXT(tactus_last_error_field(), "pose.quaternion");
  CHECK(tactus_world_step(NULL) == TACTUS_MISUSE);
  CHECK_TEXT(tactus_last_error_field(), "world");

  /* A world that cannot step stays as it is, and says why. */
  CHECK(tactus_world_set_velocity(world, ball, vec(1e12, 0, 0), vec(0, 0, 0)) == TACTUS_OK);
  hash = tactus_world_get_state_hash(world);
  CHECK(tactus_world_step(world) == TACTUS_STEP_FAILED);
  CHECK(tactus_last_error_code() == TACTUS_STEP_FAILED);
  CHECK(strlen(tactus_last_error()) > 5);
  CHECK(tactus_world_get_state_hash(world) == hash);
  CHECK(tactus_world_set_velocity(world, ball, vec(0, 0, 0), vec(0, 0, 0)) == TACTUS_OK);
  step(world, 1);

  /* A state of other bodies. */
  saved = tactus_world_save(world);
  empty = tactus_world_create(NULL);
  CHECK(tactus_world_restore(empty, saved) == TACTUS_INVALID_INPUT);
  CHECK(tactus_world_get_body_count(empty) == 0);
  tactus_state_destroy(saved);
  tactus_state_destroy(NULL);
  tactus_world_destroy(empty);
  tactus_world_destroy(world);
  tactus_world_destroy(NULL);
  CHECK(tactus_world_get_body_count(NULL) == 0);
}

int main(void) {
  test_ball_falls_and_rests();
  test_pushes();
  test_rays_and_filters();
  test_shapes_put_to_a_world();
  test_surfaces();
  test_same_bits();
  test_errors();
  printf("C interface, worlds: %d checks, %d failed\n", checks, failures);
  return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
