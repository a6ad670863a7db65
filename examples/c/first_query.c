/* How far are a cone and a box apart, and where does a falling ball come to rest? */
#include <stdio.h>

#include "tactus/tactus.h"

int main(void) {
  tactus_shape* cone = tactus_shape_create_cone(0.5, 1.2);
  tactus_shape* box = tactus_shape_create_box((tactus_vec3){1.0, 0.6, 0.4});
  const tactus_pose there = {{0.7, 0.1, 0.5}, {0.96, 0.0, 0.28, 0.0}};
  tactus_result r;
  if (tactus_query_distance(cone, NULL, box, &there, NULL, &r) != TACTUS_OK) {
    fprintf(stderr, "%s\n", tactus_last_error()); /* such as "pose_b.quaternion: ..." */
    return 1;
  }
  printf("distance %.15g, proved within [%.15g, %.15g]\n", r.distance, r.lower, r.upper);
  tactus_shape_release(cone);
  tactus_shape_release(box);

  tactus_world* world = tactus_world_create(NULL);
  tactus_body_definition body;
  tactus_body_definition_default(&body, sizeof body);
  tactus_shape* ground = tactus_shape_create_halfspace((tactus_vec3){0.0, 0.0, 1.0}, 0.0);
  body.shape = ground;
  body.type = TACTUS_BODY_FIXED;
  tactus_world_add_body(world, &body, NULL);
  tactus_shape* ball = tactus_shape_create_sphere(0.5);
  body.shape = ball;
  body.type = TACTUS_BODY_DYNAMIC;
  body.pose.position.z = 2.0;
  tactus_body_id id = 0;
  tactus_world_add_body(world, &body, &id);
  tactus_shape_release(ground); /* the world keeps what it needs */
  tactus_shape_release(ball);

  for (int i = 0; i < 180; ++i) {
    if (tactus_world_step(world) != TACTUS_OK) return 1;
  }
  tactus_body_state state;
  tactus_world_get_body(world, id, &state);
  printf("the ball rests at height %.3f\n", state.pose.position.z);
  tactus_world_destroy(world);
  return state.pose.position.z > 0.499 && state.pose.position.z < 0.501 ? 0 : 1;
}
