#ifndef TACTUS_TESTS_C_BODIES_H
#define TACTUS_TESTS_C_BODIES_H

#include "checks.h"
#include "tactus/tactus.h"

/* Bodies of the test programs in C. */

static tactus_vec3 vec(double x, double y, double z) {
  tactus_vec3 v;
  v.x = x;
  v.y = y;
  v.z = z;
  return v;
}

/* Adds a body of this shape at this height, with a density of 1000, and gives its id; takes the
   shape, of which the world keeps what it needs. */
static tactus_body_id add(tactus_world* world, tactus_shape* shape, tactus_body_type type,
                          double height) {
  tactus_body_definition body;
  tactus_body_id id = 0;
  CHECK(tactus_body_definition_default(&body, sizeof body) == TACTUS_OK);
  body.shape = shape;
  body.type = type;
  body.pose.position.z = height;
  CHECK(tactus_world_add_body(world, &body, &id) == TACTUS_OK);
  CHECK(id != 0);
  tactus_shape_release(shape);
  return id;
}

static void step(tactus_world* world, int steps) {
  while (steps-- > 0) CHECK(tactus_world_step(world) == TACTUS_OK);
}

#endif
