/* A motor turns a crank, which moves a piston in its cylinder: how far does the piston go? */
#include <math.h>
#include <stdio.h>

#include "tactus/tactus_world.h"

/* A box of this size at x, which touches nothing. */
static tactus_body_id add_box(tactus_world* world, tactus_body_type type, double length, double x) {
  tactus_body_definition body;
  tactus_body_id id = 0;
  tactus_body_definition_default(&body, sizeof body);
  tactus_shape* shape = tactus_shape_create_box((tactus_vec3){length, 0.1, 0.1});
  body.shape = shape;
  body.type = type;
  body.mask = 0;
  body.pose.position.x = x;
  if (tactus_world_add_body(world, &body, &id) != TACTUS_OK) printf("%s\n", tactus_last_error());
  tactus_shape_release(shape); /* the world keeps what it needs */
  return id;
}

/* A joint of two bodies at x. */
static tactus_joint_definition joint(const tactus_world* world, tactus_joint_type type,
                                     tactus_body_id a, tactus_body_id b, double x,
                                     tactus_vec3 axis) {
  tactus_joint_definition made;
  tactus_joint_definition_default(&made, sizeof made);
  tactus_joint_definition_place(&made, world, type, a, b, (tactus_vec3){x, 0.0, 0.0}, axis);
  return made;
}

int main(void) {
  const tactus_vec3 along = {1.0, 0.0, 0.0}, across = {0.0, 1.0, 0.0};
  tactus_world* world = tactus_world_create(NULL);
  const tactus_body_id block = add_box(world, TACTUS_BODY_FIXED, 0.2, 0.0);
  const tactus_body_id crank = add_box(world, TACTUS_BODY_DYNAMIC, 0.3, 0.15);
  const tactus_body_id rod = add_box(world, TACTUS_BODY_DYNAMIC, 1.0, 0.8);
  const tactus_body_id piston = add_box(world, TACTUS_BODY_DYNAMIC, 0.2, 1.3);

  tactus_joint_definition shaft = joint(world, TACTUS_JOINT_HINGE, block, crank, 0.0, across);
  shaft.parts = TACTUS_JOINT_MOTOR;
  shaft.motor.speed = 6.2831853;
  shaft.motor.max_force = 5000.0;
  const tactus_joint_definition pin = joint(world, TACTUS_JOINT_HINGE, crank, rod, 0.3, across);
  const tactus_joint_definition wrist = joint(world, TACTUS_JOINT_BALL, rod, piston, 1.3, across);
  const tactus_joint_definition bore = joint(world, TACTUS_JOINT_SLIDER, block, piston, 0.0, along);
  const tactus_joint_definition* const joints[] = {&shaft, &pin, &wrist, &bore};
  tactus_joint_id slider = 0;
  for (int i = 0; i < 4; ++i) {
    if (tactus_world_add_joint(world, joints[i], &slider) != TACTUS_OK) {
      printf("%s\n", tactus_last_error());
      return 1;
    }
  }

  double nearest = 0.0, farthest = 0.0;
  for (int i = 0; i < 120; ++i) {
    tactus_joint_state state;
    if (tactus_world_step(world) != TACTUS_OK) return 1;
    tactus_world_get_joint(world, slider, &state);
    nearest = fmin(nearest, state.position);
    farthest = fmax(farthest, state.position);
  }
  printf("the piston goes %.3f, twice the crank's 0.3\n", farthest - nearest);
  tactus_world_destroy(world);
  return fabs(farthest - nearest - 0.6) < 2e-3 ? 0 : 1;
}
