/* The C interface as a program in C sees it: C99, its header alone, known answers. */
#include <stdlib.h>

#include "checks.h"
#include "tactus/tactus.h"

/* Answers with closed forms err by a few roundings of lengths of about 5; a hull, a mesh and a
   curved body are searched to a bracket of 1e-8 of the size. Boxes and times of rays are moved to
   the safe side, by some hundred roundings. */
static const double kFormula = 1e-14, kSearch = 1e-7, kSafe = 1e-12;

static tactus_vec3 vec(double x, double y, double z) {
  tactus_vec3 v;
  v.x = x;
  v.y = y;
  v.z = z;
  return v;
}

static tactus_pose at(double x, double y, double z) {
  tactus_pose pose = tactus_pose_identity();
  pose.position = vec(x, y, z);
  return pose;
}

/* The corners and triangles of the cube from -1 to 1. */
static const tactus_vec3 kCorners[8] = {{-1, -1, -1}, {1, -1, -1}, {-1, 1, -1}, {1, 1, -1},
                                        {-1, -1, 1},  {1, -1, 1},  {-1, 1, 1},  {1, 1, 1}};
static const uint32_t kTriangles[36] = {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
                                        2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};

/* The shape's distance from a ball of this radius at this place, on its outside along the normal;
   takes the shape. */
static void check_shape(tactus_shape* shape, tactus_shape_type type, double radius,
                        tactus_vec3 place, double expected, tactus_vec3 normal, double tolerance) {
  tactus_shape* ball = tactus_shape_create_sphere(radius);
  const tactus_pose there = at(place.x, place.y, place.z);
  tactus_result r;
  CHECK(shape != NULL);
  CHECK(tactus_shape_get_type(shape) == type);
  CHECK(tactus_query_distance(shape, NULL, ball, &there, NULL, &r) == TACTUS_OK);
  CHECK_NEAR(r.distance, expected, tolerance);
  CHECK(r.lower <= r.distance && r.distance <= r.upper);
  CHECK(r.lower <= expected + kFormula && expected - kFormula <= r.upper);
  CHECK(r.status == TACTUS_STATUS_CONVERGED);
  CHECK_NEAR(r.normal.x, normal.x, tolerance);
  CHECK_NEAR(r.normal.y, normal.y, tolerance);
  CHECK_NEAR(r.normal.z, normal.z, tolerance);
  CHECK_NEAR(r.point_b.x - r.point_a.x, r.distance * r.normal.x, kFormula);
  CHECK_NEAR(r.point_b.y - r.point_a.y, r.distance * r.normal.y, kFormula);
  CHECK_NEAR(r.point_b.z - r.point_a.z, r.distance * r.normal.z, kFormula);
  tactus_shape_release(ball);
  tactus_shape_release(shape);
}

static void test_shapes(void) {
  const tactus_vec3 x = vec(1, 0, 0), z = vec(0, 0, 1), beside = vec(3, 0, 0), above = vec(0, 0, 3);
  check_shape(tactus_shape_create_sphere(1), TACTUS_SHAPE_SPHERE, 0.5, beside, 1.5, x, kFormula);
  check_shape(tactus_shape_create_box(vec(2, 4, 6)), TACTUS_SHAPE_BOX, 0.5, beside, 1.5, x,
              kFormula);
  check_shape(tactus_shape_create_capsule(0.5, 2), TACTUS_SHAPE_CAPSULE, 0.25, above, 1.25, z,
              kFormula);
  check_shape(tactus_shape_create_cylinder(1, 4), TACTUS_SHAPE_CYLINDER, 0.5, beside, 1.5, x,
              kFormula);
  check_shape(tactus_shape_create_cylinder(1, 4), TACTUS_SHAPE_CYLINDER, 0.5, above, 0.5, z,
              kFormula);
  check_shape(tactus_shape_create_cone(1, 2), TACTUS_SHAPE_CONE, 0.25, above, 1.75, z, kFormula);
  check_shape(tactus_shape_create_ellipsoid(vec(1, 2, 2.5)), TACTUS_SHAPE_ELLIPSOID, 0.25, above,
              0.25, z, kSearch);
  check_shape(tactus_shape_create_halfspace(vec(0, 0, 2), 2), TACTUS_SHAPE_HALFSPACE, 0.5, above,
              1.5, z, kFormula);
  check_shape(tactus_shape_create_convex(kCorners, 8), TACTUS_SHAPE_CONVEX, 0.5, beside, 1.5, x,
              kSearch);
  check_shape(tactus_shape_create_mesh(kCorners, 8, kTriangles, 12), TACTUS_SHAPE_MESH, 0.5, beside,
              1.5, x, kSearch);
  /* Overlaps: the ball's centre is 0.25 below the face, or its lowest point is. */
  check_shape(tactus_shape_create_box(vec(2, 2, 2)), TACTUS_SHAPE_BOX, 0.5, vec(0.75, 0, 0), -0.75,
              x, kFormula);
  check_shape(tactus_shape_create_mesh(kCorners, 8, kTriangles, 12), TACTUS_SHAPE_MESH, 0.5,
              vec(1.25, 0, 0), -0.25, x, kSearch);
}

static void test_compound_and_rounding(void) {
  tactus_shape *ball = tactus_shape_create_sphere(1), *compound, *box, *rounded, *twice;
  const tactus_shape* parts[2];
  tactus_pose poses[2], there = at(5, 0, 0);
  tactus_result r;
  tactus_vec3 lower, upper;
  parts[0] = parts[1] = ball;
  poses[0] = at(-2, 0, 0);
  poses[1] = at(2, 0, 0);
  compound = tactus_shape_create_compound(parts, poses, 2);
  CHECK(tactus_query_distance(compound, NULL, ball, &there, NULL, &r) == TACTUS_OK);
  CHECK_NEAR(r.distance, 1, kFormula);
  CHECK(r.part_a == 1 && r.part_b == -1);
  CHECK(tactus_shape_get_box(compound, &there, &lower, &upper) == TACTUS_OK);
  CHECK_NEAR(lower.x, 2, kSafe);
  CHECK(lower.x <= 2 && 8 <= upper.x);
  CHECK_NEAR(upper.x, 8, kSafe);
  CHECK_NEAR(upper.z, 1, kSafe);
  /* Owners: the compound keeps its parts. */
  CHECK(tactus_shape_retain(ball) == ball);
  tactus_shape_release(ball);
  CHECK(tactus_query_distance(compound, NULL, ball, &there, NULL, &r) == TACTUS_OK);
  tactus_shape_release(ball);
  box = tactus_shape_create_box(vec(1, 1, 1));
  CHECK(tactus_query_distance(compound, NULL, box, &there, NULL, &r) == TACTUS_OK);
  CHECK_NEAR(r.distance, 1.5, kFormula);
  rounded = tactus_shape_create_rounded(box, 0.25);
  CHECK(tactus_query_distance(compound, NULL, rounded, &there, NULL, &r) == TACTUS_OK);
  CHECK_NEAR(r.distance, 1.25, kFormula);
  twice = tactus_shape_create_rounded(rounded, 0.5);
  CHECK(tactus_query_distance(compound, NULL, twice, &there, NULL, &r) == TACTUS_OK);
  CHECK_NEAR(r.distance, 1.0, kFormula);
  tactus_shape_release(compound);
  tactus_shape_release(box);
  tactus_shape_release(rounded);
  tactus_shape_release(twice);
}

static void test_mass(void) {
  tactus_shape* box = tactus_shape_create_box(vec(1, 2, 3));
  double volume = 0, inertia[9];
  tactus_vec3 center;
  CHECK(tactus_shape_get_mass(box, &volume, &center, inertia) == TACTUS_OK);
  CHECK_NEAR(volume, 6, kFormula);
  CHECK_NEAR(center.z, 0, kFormula);
  CHECK_NEAR(inertia[0], 6.0 * (4 + 9) / 12, 1e-13);
  CHECK_NEAR(inertia[8], 6.0 * (1 + 4) / 12, 1e-13);
  CHECK_NEAR(inertia[1], 0, kFormula);
  tactus_shape_release(box);
}

/* A quarter turn about z brings the long edge of A to where B stands. */
static void test_pose_turns(void) {
  tactus_shape *box = tactus_shape_create_box(vec(2, 6, 2)), *ball = tactus_shape_create_sphere(1);
  tactus_pose turned = tactus_pose_identity(), there = at(5, 0, 0);
  tactus_result r;
  turned.quaternion.w = turned.quaternion.z = sqrt(0.5);
  CHECK(tactus_query_distance(box, &turned, ball, &there, NULL, &r) == TACTUS_OK);
  CHECK_NEAR(r.distance, 1, kFormula);
  tactus_shape_release(box);
  tactus_shape_release(ball);
}

static void test_options(void) {
  tactus_shape *a = tactus_shape_create_sphere(1), *b = tactus_shape_create_sphere(1);
  const tactus_pose there = at(5, 0, 0);
  tactus_options options;
  tactus_result r;
  struct {
    tactus_options known;
    double later;
  } longer;
  CHECK(tactus_options_default(&options, sizeof options) == TACTUS_OK);
  CHECK(options.struct_size == sizeof options);
  CHECK_NEAR(options.tolerance, 1e-8, 0);
  CHECK(options.max_distance > 1e300 && options.margin == 0);
  CHECK(options.max_iterations == 1000 && options.signed_distance == 1);
  options.method = TACTUS_METHOD_GJK;
  CHECK(tactus_query_distance(a, NULL, b, &there, &options, &r) == TACTUS_OK);
  CHECK(r.method == TACTUS_METHOD_GJK);
  CHECK_NEAR(r.distance, 3, kSearch);
  options.method = TACTUS_METHOD_SAT;
  CHECK(tactus_query_distance(a, NULL, b, &there, &options, &r) == TACTUS_OK);
  CHECK(r.status == TACTUS_STATUS_UNSUPPORTED && r.distance > 1e300);
  /* A program of a later version: its new field is zero, or asks for what this library lacks. */
  CHECK(tactus_options_default(&longer.known, sizeof longer) == TACTUS_OK);
  CHECK(longer.known.struct_size == sizeof longer && longer.later == 0);
  CHECK(tactus_query_distance(a, NULL, b, &there, &longer.known, &r) == TACTUS_OK);
  longer.later = 1;
  CHECK(tactus_query_distance(a, NULL, b, &there, &longer.known, &r) == TACTUS_INVALID_INPUT);
  CHECK(tactus_options_default(&options, 8) == TACTUS_INVALID_INPUT);
  tactus_shape_release(a);
  tactus_shape_release(b);
}

static void test_overlap_and_contacts(void) {
  tactus_shape *box = tactus_shape_create_box(vec(2, 2, 2)), *both;
  const tactus_shape* parts[2];
  tactus_pose poses[2];
  const tactus_pose above = at(0, 0, 1.75), beside = at(4, 0, 0);
  tactus_answer answer;
  tactus_result proof, whole;
  tactus_manifold manifolds[4];
  size_t needed = 9;
  int i;
  CHECK(tactus_query_overlap(box, NULL, box, &above, NULL, &answer, &proof) == TACTUS_OK);
  CHECK(answer == TACTUS_YES && proof.upper < 0);
  CHECK(tactus_query_overlap(box, NULL, box, &beside, NULL, &answer, NULL) == TACTUS_OK);
  CHECK(answer == TACTUS_NO);
  CHECK(tactus_query_contacts(box, NULL, box, &above, NULL, manifolds, 4, &needed, &whole) ==
        TACTUS_OK);
  CHECK(needed == 1 && manifolds[0].count == 4);
  CHECK_NEAR(whole.distance, -0.25, kFormula);
  CHECK_NEAR(manifolds[0].normal.z, 1, kFormula);
  for (i = 0; i < 4; ++i) {
    const tactus_contact_point* p = &manifolds[0].points[i];
    CHECK_NEAR(p->depth, 0.25, kFormula);
    CHECK_NEAR(p->point_a.z, 1, kFormula);
    CHECK_NEAR(p->point_b.z, 0.75, kFormula);
    CHECK_NEAR(fabs(p->point_a.x), 1, kFormula);
  }
  CHECK(tactus_query_contacts(box, NULL, box, &beside, NULL, NULL, 0, &needed, NULL) == TACTUS_OK);
  CHECK(needed == 0);
  /* Two parts that touch need two places; one is written where there is room for one. */
  parts[0] = parts[1] = box;
  poses[0] = at(-3, 0, 1.75);
  poses[1] = at(3, 0, 1.75);
  both = tactus_shape_create_compound(parts, poses, 2);
  tactus_shape_release(box);
  box = tactus_shape_create_box(vec(20, 20, 2));
  memset(manifolds, 0, sizeof manifolds);
  CHECK(tactus_query_contacts(box, NULL, both, NULL, NULL, manifolds, 1, &needed, NULL) ==
        TACTUS_OK);
  CHECK(needed == 2);
  CHECK(manifolds[0].count == 4 && manifolds[1].count == 0);
  tactus_shape_release(box);
  tactus_shape_release(both);
}

/* More patches than a call has room for without memory: each of seven parts has its own. */
static void test_many_contacts(void) {
  tactus_shape *ball = tactus_shape_create_sphere(1), *row, *ground;
  const tactus_shape* parts[7];
  tactus_pose poses[7];
  tactus_manifold manifolds[7];
  size_t needed = 0;
  int i;
  for (i = 0; i < 7; ++i) {
    parts[i] = ball;
    poses[i] = at(3.0 * i, 0, 0.5);
  }
  row = tactus_shape_create_compound(parts, poses, 7);
  ground = tactus_shape_create_halfspace(vec(0, 0, 1), 0);
  CHECK(tactus_query_contacts(ground, NULL, row, NULL, NULL, manifolds, 7, &needed, NULL) ==
        TACTUS_OK);
  CHECK(needed == 7);
  for (i = 0; i < 7; ++i) {
    CHECK(manifolds[i].part_b == i && manifolds[i].count == 1);
    CHECK_NEAR(manifolds[i].points[0].depth, 0.5, kFormula);
    CHECK_NEAR(manifolds[i].points[0].point_b.x, 3.0 * i, kFormula);
  }
  tactus_shape_release(ball);
  tactus_shape_release(row);
  tactus_shape_release(ground);
}

static void test_casts(void) {
  tactus_shape *ball = tactus_shape_create_sphere(1), *box = tactus_shape_create_box(vec(2, 2, 2));
  const tactus_pose there = at(5, 0, 0);
  tactus_motion motion = {{6, 0, 0}, {0, 0, 0}};
  tactus_cast_result r;
  CHECK(tactus_query_ray(ball, &there, vec(0, 0, 0), vec(2, 0, 0), 10, NULL, &r) == TACTUS_OK);
  CHECK(r.hit == TACTUS_YES);
  CHECK_NEAR(r.time, 2, kSafe);
  CHECK(r.time <= 2 && 2 <= r.time_upper);
  CHECK_NEAR(r.normal.x, -1, kFormula);
  CHECK_NEAR(r.point_a.x, 4, kFormula);
  CHECK(tactus_query_ray(ball, &there, vec(0, 0, 0), vec(2, 0, 0), 1.9, NULL, &r) == TACTUS_OK);
  CHECK(r.hit == TACTUS_NO && r.time > 1e300);
  CHECK(tactus_query_ray(ball, &there, vec(0, 0, 0), vec(0, 0, 0), 1, NULL, &r) == TACTUS_OK);
  CHECK(r.status == TACTUS_STATUS_INVALID_INPUT);
  /* The gap of 3 is closed at relative speed 6 after half the way. */
  CHECK(tactus_query_cast(box, NULL, vec(4, 0, 0), ball, &there, vec(-2, 0, 0), NULL, &r) ==
        TACTUS_OK);
  CHECK(r.hit == TACTUS_YES);
  CHECK_NEAR(r.time, 0.5, kSearch);
  CHECK(r.time <= 0.5 && 0.5 <= r.time_upper);
  CHECK_NEAR(r.normal.x, 1, kFormula);
  CHECK(tactus_query_impact(box, NULL, &motion, ball, &there, NULL, NULL, &r) == TACTUS_OK);
  CHECK(r.hit == TACTUS_YES);
  CHECK_NEAR(r.time, 0.5, kSearch);
  /* A long box along y is apart from the ball, and meets it while it turns about z towards it. */
  tactus_shape_release(box);
  box = tactus_shape_create_box(vec(0.5, 8, 0.5));
  motion.linear = vec(0, 0, 0);
  CHECK(tactus_query_impact(box, NULL, &motion, ball, &there, NULL, NULL, &r) == TACTUS_OK);
  CHECK(r.hit == TACTUS_NO);
  motion.angular = vec(0, 0, 3);
  CHECK(tactus_query_impact(box, NULL, &motion, ball, &there, NULL, NULL, &r) == TACTUS_OK);
  CHECK(r.hit == TACTUS_YES && r.time > 0.1 && r.time < 0.6);
  tactus_shape_release(ball);
  tactus_shape_release(box);
}

static void test_batch(void) {
  enum { kBodies = 5, kPairs = 20 };
  tactus_shape* shapes[kBodies];
  tactus_placed_shape bodies[kBodies];
  tactus_pair pairs[kPairs];
  tactus_result results[kPairs], alone;
  size_t count = 0;
  int a, b;
  shapes[0] = tactus_shape_create_sphere(1);
  shapes[1] = tactus_shape_create_box(vec(1, 2, 3));
  shapes[2] = tactus_shape_create_convex(kCorners, 8);
  shapes[3] = tactus_shape_create_cone(1, 2);
  shapes[4] = tactus_shape_create_mesh(kCorners, 8, kTriangles, 12);
  for (a = 0; a < kBodies; ++a) {
    bodies[a].shape = shapes[a];
    bodies[a].pose = at(1.5 * a, 0.3 * a * a, -0.7 * a);
    for (b = 0; b < kBodies; ++b) {
      if (a == b) continue;
      pairs[count].a = (uint64_t)a;
      pairs[count++].b = (uint64_t)b;
    }
  }
  CHECK(tactus_batch_distance(bodies, kBodies, pairs, kPairs, NULL, 0, results) == TACTUS_OK);
  for (count = 0; count < kPairs; ++count) {
    const tactus_placed_shape *p = &bodies[pairs[count].a], *q = &bodies[pairs[count].b];
    CHECK(tactus_query_distance(p->shape, &p->pose, q->shape, &q->pose, NULL, &alone) == TACTUS_OK);
    CHECK(memcmp(&alone, &results[count], sizeof alone) == 0);
  }
  results[0].distance = 17;
  pairs[kPairs - 1].b = kBodies;
  CHECK(tactus_batch_distance(bodies, kBodies, pairs, kPairs, NULL, 1, results) ==
        TACTUS_INVALID_INPUT);
  CHECK(results[0].distance == 17);
  bodies[3].pose.quaternion.w = 2;
  CHECK(tactus_batch_distance(bodies, kBodies, pairs, 1, NULL, 1, results) == TACTUS_INVALID_INPUT);
  CHECK_TEXT(tactus_last_error_field(), "bodies[3].pose.quaternion");
  CHECK(tactus_batch_distance(NULL, 0, NULL, 0, NULL, 0, NULL) == TACTUS_OK);
  for (a = 0; a < kBodies; ++a) tactus_shape_release(shapes[a]);
}

/* Null, with this code, field and beginning of the text. */
static void check_refused(tactus_shape* shape, tactus_error code, const char* field) {
  CHECK(shape == NULL);
  CHECK(tactus_last_error_code() == code);
  CHECK_TEXT(tactus_last_error_field(), field);
  CHECK(strncmp(tactus_last_error(), field, strlen(field)) == 0);
  CHECK(strlen(tactus_last_error()) > strlen(field) + 2);
}

static void test_errors(void) {
  tactus_shape *ball = tactus_shape_create_sphere(1), *open;
  const tactus_shape* parts[2];
  tactus_pose poses[2], bad = at(0, 0, 0);
  const uint32_t outside[3] = {0, 1, 8};
  const tactus_vec3 infinite[2] = {{0, 0, 0}, {0, HUGE_VAL, 0}};
  tactus_options options;
  tactus_result r;
  check_refused(tactus_shape_create_sphere(-1), TACTUS_INVALID_INPUT, "radius");
  check_refused(tactus_shape_create_sphere(NAN), TACTUS_INVALID_INPUT, "radius");
  check_refused(tactus_shape_create_box(vec(1, -1, 1)), TACTUS_INVALID_INPUT, "size");
  check_refused(tactus_shape_create_cone(1, -1), TACTUS_INVALID_INPUT, "length");
  check_refused(tactus_shape_create_ellipsoid(vec(1, 0, 1)), TACTUS_INVALID_INPUT, "radii");
  check_refused(tactus_shape_create_halfspace(vec(0, 0, 0), 1), TACTUS_INVALID_INPUT, "normal");
  check_refused(tactus_shape_create_convex(NULL, 0), TACTUS_INVALID_INPUT, "vertices");
  check_refused(tactus_shape_create_convex(infinite, 2), TACTUS_INVALID_INPUT, "vertices[1]");
  check_refused(tactus_shape_create_convex(NULL, 3), TACTUS_MISUSE, "vertices");
  check_refused(tactus_shape_create_mesh(kCorners, 8, outside, 1), TACTUS_INVALID_INPUT,
                "triangles[0]");
  check_refused(tactus_shape_create_mesh(kCorners, 8, NULL, 1), TACTUS_MISUSE, "triangles");
  check_refused(tactus_shape_create_rounded(ball, -1), TACTUS_INVALID_INPUT, "rounding");
  check_refused(tactus_shape_create_rounded(NULL, 1), TACTUS_MISUSE, "shape");
  parts[0] = ball;
  parts[1] = NULL;
  check_refused(tactus_shape_create_compound(parts, NULL, 2), TACTUS_MISUSE, "parts[1]");
  parts[1] = ball;
  poses[0] = poses[1] = at(0, 0, 0);
  poses[1].quaternion.w = 0;
  check_refused(tactus_shape_create_compound(parts, poses, 2), TACTUS_INVALID_INPUT,
                "parts[1].pose.quaternion");
  check_refused(tactus_shape_create_sphere(-1), TACTUS_INVALID_INPUT, "radius");
  /* A call that succeeds leaves the last error. */
  CHECK(tactus_query_distance(ball, NULL, ball, NULL, NULL, &r) == TACTUS_OK);
  CHECK_TEXT(tactus_last_error_field(), "radius");

  bad.position.y = NAN;
  r.distance = 0;
  CHECK(tactus_query_distance(ball, NULL, ball, &bad, NULL, &r) == TACTUS_INVALID_INPUT);
  CHECK_TEXT(tactus_last_error_field(), "pose_b.position");
  CHECK(r.status == TACTUS_STATUS_INVALID_INPUT && r.lower < -1e300 && r.upper > 1e300);
  CHECK(tactus_query_distance(NULL, NULL, ball, NULL, NULL, &r) == TACTUS_MISUSE);
  CHECK_TEXT(tactus_last_error(), "a: is null");
  CHECK(tactus_query_distance(ball, NULL, ball, NULL, NULL, NULL) == TACTUS_MISUSE);
  CHECK_TEXT(tactus_last_error_field(), "result");

  memset(&options, 0, sizeof options);
  CHECK(tactus_query_distance(ball, NULL, ball, NULL, &options, &r) == TACTUS_INVALID_INPUT);
  CHECK_TEXT(tactus_last_error_field(), "tactus_options.struct_size");
  CHECK(tactus_options_default(&options, sizeof options) == TACTUS_OK);
  options.method = 12;
  CHECK(tactus_query_distance(ball, NULL, ball, NULL, &options, &r) == TACTUS_INVALID_INPUT);
  CHECK_TEXT(tactus_last_error_field(), "options.method");
  options.method = TACTUS_METHOD_AUTO;
  options.tolerance = NAN;
  CHECK(tactus_query_distance(ball, NULL, ball, NULL, &options, &r) == TACTUS_INVALID_INPUT);
  CHECK_TEXT(tactus_last_error_field(), "options.tolerance");

  /* No error: the pair has no answer. */
  open = tactus_shape_create_mesh(kCorners, 8, kTriangles, 1);
  CHECK(open != NULL);
  CHECK(tactus_query_distance(open, NULL, ball, NULL, NULL, &r) == TACTUS_OK);
  CHECK(r.status == TACTUS_STATUS_UNSUPPORTED);
  tactus_shape_release(open);
  tactus_shape_release(ball);
  tactus_shape_release(NULL);
}

/* More than any memory holds: nothing is read. */
static void test_out_of_memory(void) {
  CHECK(tactus_shape_create_convex(kCorners, SIZE_MAX) == NULL);
  CHECK(tactus_last_error_code() == TACTUS_OUT_OF_MEMORY);
  CHECK_TEXT(tactus_last_error_field(), "");
}

static void test_names(void) {
  int major = -1, minor = -1, patch = -1;
  char text[32];
  tactus_version(&major, &minor, &patch);
  sprintf(text, "%d.%d.%d", major, minor, patch);
  CHECK_TEXT(tactus_version_string(), text);
  tactus_version(NULL, NULL, NULL);
  CHECK_TEXT(tactus_error_name(TACTUS_MISUSE), "misuse");
  CHECK_TEXT(tactus_error_name(-1), "unknown");
  CHECK_TEXT(tactus_status_name(TACTUS_STATUS_LOCAL_MINIMUM), "local_minimum");
  CHECK_TEXT(tactus_status_name(6), "unknown");
  CHECK_TEXT(tactus_method_name(TACTUS_METHOD_GJK), "gjk");
  CHECK_TEXT(tactus_method_name(-1), "unknown");
}

/* Sizes and places never change, but for structs with `struct_size`, which may grow. */
static void test_layout(void) {
  CHECK(sizeof(tactus_pose) == 56);
  CHECK(sizeof(tactus_options) >= 48);
  CHECK(offsetof(tactus_options, method) == 32);
  CHECK(sizeof(tactus_result) == 128);
  CHECK(offsetof(tactus_result, status) == 96);
  CHECK(sizeof(tactus_contact_point) == 64);
  CHECK(sizeof(tactus_manifold) == 296);
  CHECK(sizeof(tactus_cast_result) == 128);
  CHECK(offsetof(tactus_cast_result, hit) == 96);
  CHECK(sizeof(tactus_world_settings) >= 128);
  CHECK(offsetof(tactus_world_settings, substeps) == 120);
  CHECK(sizeof(tactus_body_state) == 144);
  CHECK(sizeof(tactus_contact) == 104);
  CHECK(sizeof(tactus_step_statistics) == 72);
  CHECK(sizeof(tactus_ray_hit) == 72);
  if (sizeof(void*) == 8) {
    CHECK(sizeof(tactus_placed_shape) == 64);
    CHECK(offsetof(tactus_body_definition, friction) == 168);
    CHECK(offsetof(tactus_body_definition, category) == 312);
    CHECK(sizeof(tactus_body_definition) >= 352);
  }
}

int main(void) {
  test_names();
  test_layout();
  test_shapes();
  test_compound_and_rounding();
  test_mass();
  test_pose_turns();
  test_options();
  test_overlap_and_contacts();
  test_many_contacts();
  test_casts();
  test_batch();
  test_errors();
  test_out_of_memory();
  printf("C interface: %d checks, %d failed\n", checks, failures);
  return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
