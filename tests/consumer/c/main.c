#include <stdio.h>

#include "tactus/tactus.h"

/* Exits with 0 when the installed C interface answers two questions right, from a program in C. */
int main(void) {
  tactus_shape* ball = tactus_shape_create_sphere(0.5);
  tactus_pose there = tactus_pose_identity();
  tactus_result result;
  tactus_error error;
  there.position.z = 1.25;
  error = tactus_query_distance(ball, NULL, ball, &there, NULL, &result);
  printf("tactus %s: apart by %g\n", tactus_version_string(), result.distance);
  if (error != TACTUS_OK || result.distance != 0.25) return 1;
  there.quaternion.w = 2;
  error = tactus_query_distance(ball, NULL, ball, &there, NULL, &result);
  printf("%s: %s\n", tactus_error_name(error), tactus_last_error());
  tactus_shape_release(ball);
  return error == TACTUS_INVALID_INPUT ? 0 : 1;
}
