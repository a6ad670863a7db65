#ifndef TACTUS_TACTUS_H
#define TACTUS_TACTUS_H

/// The C interface: what other languages and engines bind to. Plain C99, the library `tactus_c`
/// (CMake target tactus::c). Guide: docs/guide/c-interface.md.
///
/// Binary interface. Within a major version, 0 included, functions, constants, and fields at the
/// end of structs that begin with `struct_size` are added, and nothing is removed, moved or given
/// another meaning. Structs without `struct_size` never change. So a program runs with every later
/// library of the same major version without being compiled again. A struct with `struct_size` is
/// filled by its `_default` function first, with the size that the program knows.
///
/// Errors. No function throws. One that can fail returns a `tactus_error`, or null in place of a
/// new object; `tactus_last_error` then tells why. Unless it says otherwise, a call that fails
/// changes nothing and writes nothing. Only within a query about meshes, compounds or very deep
/// overlaps, running out of memory ends the program.
///
/// Conventions. Lengths are in any one unit, angles in radians. A pose maps the shape's own frame
/// to the world. A normal points from A to B. A distance is negative in overlap. Truth values are
/// `int32_t`, 0 or 1. Arrays belong to the caller, and are not kept after the call.
///
/// Threads. A function may be called from any thread. Shapes are immutable: all threads may use one
/// at once. A world may be used by one thread at a time; functions that take a const one may run at
/// the same time. The last error belongs to the thread.

#include <stddef.h>
#include <stdint.h>

// CMake defines TACTUS_C_BUILD for the library's own build, TACTUS_C_SHARED for programs that use a
// shared one.
#if defined(_WIN32) && defined(TACTUS_C_BUILD)
#define TACTUS_API __declspec(dllexport)
#elif defined(_WIN32) && defined(TACTUS_C_SHARED)
#define TACTUS_API __declspec(dllimport)
#elif defined(__GNUC__)
#define TACTUS_API __attribute__((visibility("default")))
#else
#define TACTUS_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

// ---------------------------------------------------------------- values

/// Whether a call succeeded. Later versions may return further codes.
enum tactus_error_values {
  TACTUS_OK = 0,
  TACTUS_INVALID_INPUT = 1,  ///< a value that is refused; the last error names the field
  TACTUS_OUT_OF_MEMORY = 2,  ///< memory ran out
  TACTUS_MISUSE = 3,         ///< a null pointer where an object or an array is needed
  TACTUS_STEP_FAILED = 4,    ///< a world could not step, and is what it was before
  TACTUS_INTERNAL = 5        ///< an error that the library did not expect
};
typedef int32_t tactus_error;

/// How a query ended. Whatever the status, the bracket of the answer holds. Answers may have
/// statuses that are added later.
enum tactus_status_values {
  TACTUS_STATUS_CONVERGED = 0,        ///< the bracket is as narrow as the options asked
  TACTUS_STATUS_ITERATION_LIMIT = 1,  ///< a cap was reached first; the bracket is wider
  TACTUS_STATUS_PRECISION_LIMIT = 2,  ///< rounding stopped the progress; the bracket is wider
  TACTUS_STATUS_INVALID_INPUT = 3,    ///< a number was not finite; the bracket is unbounded
  TACTUS_STATUS_UNSUPPORTED = 4,      ///< this pair or method has no answer; unbounded
  TACTUS_STATUS_LOCAL_MINIMUM = 5     ///< a depth not proved the least: a true way out
};
typedef int32_t tactus_status;

/// The algorithm that is asked for, or that gave the bracket. `TACTUS_METHOD_AUTO` serves all
/// pairs; an algorithm by name answers alone, and TACTUS_STATUS_UNSUPPORTED for pairs that it does
/// not serve. Answers may name methods that are added later.
enum tactus_method_values {
  TACTUS_METHOD_AUTO = 0,
  TACTUS_METHOD_CLOSED_FORM = 1,
  TACTUS_METHOD_GJK = 2,
  TACTUS_METHOD_GJK_NESTEROV = 3,
  TACTUS_METHOD_GJK_SIGNED_VOLUMES = 4,
  TACTUS_METHOD_EPA = 5,
  TACTUS_METHOD_SAT = 9
};
typedef int32_t tactus_method;

/// Whether bodies meet.
enum tactus_answer_values {
  TACTUS_NO = 0,
  TACTUS_YES = 1,
  TACTUS_UNDECIDED = 2  ///< they touch within rounding, or the query ended early
};
typedef int32_t tactus_answer;

/// How a body of a world moves.
enum tactus_body_type_values {
  TACTUS_BODY_FIXED = 0,      ///< never moves
  TACTUS_BODY_KINEMATIC = 1,  ///< moves by its velocities, which nothing but the caller changes
  TACTUS_BODY_DYNAMIC = 2     ///< moved by gravity, forces and contacts
};
typedef int32_t tactus_body_type;

/// Axes of the world along which a body does not move, or about which it does not turn.
enum tactus_lock_values {
  TACTUS_LOCK_X = 1,
  TACTUS_LOCK_Y = 2,
  TACTUS_LOCK_Z = 4,
  TACTUS_LOCK_RX = 8,
  TACTUS_LOCK_RY = 16,
  TACTUS_LOCK_RZ = 32
};

/// In which directions the bodies of a world move.
enum tactus_plane_values {
  TACTUS_PLANE_NONE = 0,  ///< in all
  TACTUS_PLANE_XY = 1     ///< along x and y, and about z
};
typedef int32_t tactus_plane;

/// The kind of a shape.
enum tactus_shape_type_values {
  TACTUS_SHAPE_SPHERE = 0,
  TACTUS_SHAPE_BOX = 1,
  TACTUS_SHAPE_CAPSULE = 2,
  TACTUS_SHAPE_CYLINDER = 3,
  TACTUS_SHAPE_CONE = 4,
  TACTUS_SHAPE_ELLIPSOID = 5,
  TACTUS_SHAPE_CONVEX = 6,
  TACTUS_SHAPE_MESH = 7,
  TACTUS_SHAPE_HALFSPACE = 8,
  TACTUS_SHAPE_COMPOUND = 9
};
typedef int32_t tactus_shape_type;

/// A point or a vector.
typedef struct tactus_vec3 {
  double x, y, z;
} tactus_vec3;

/// A rotation w + xi + yj + zk. Its norm may differ from 1 by at most 1e-3, and is divided out.
typedef struct tactus_quat {
  double w, x, y, z;
} tactus_quat;

/// A rigid placement: turns by the quaternion, then moves by the position. A pose of zeros is none,
/// and is refused; where a pointer to a pose is null, the identity is meant.
typedef struct tactus_pose {
  tactus_vec3 position;
  tactus_quat quaternion;
} tactus_pose;

/// The pose that moves nothing.
TACTUS_API tactus_pose tactus_pose_identity(void);

// ---------------------------------------------------------------- version and errors

/// Version of the library that runs, as "major.minor.patch". Lives as long as the program.
TACTUS_API const char* tactus_version_string(void);
/// Version as three numbers; a null pointer leaves its number out.
TACTUS_API void tactus_version(int* major, int* minor, int* patch);

/// Why the last call of this thread that failed did so, as "field: reason"; empty when none has.
/// Calls that succeed leave it. Valid until the next call of this thread that fails; text beyond
/// some hundred characters is cut off.
TACTUS_API const char* tactus_last_error(void);
/// The code of that call, which tells why a constructor has returned null; TACTUS_OK when none has
/// failed.
TACTUS_API tactus_error tactus_last_error_code(void);
/// The field that it names, such as "radius" or "parts[2].pose"; empty when it names none.
TACTUS_API const char* tactus_last_error_field(void);

/// Names as in messages and files, "invalid_input", "converged", "gjk"; "unknown" for other
/// numbers. They live as long as the program.
TACTUS_API const char* tactus_error_name(tactus_error error);
TACTUS_API const char* tactus_status_name(tactus_status status);
TACTUS_API const char* tactus_method_name(tactus_method method);

// ---------------------------------------------------------------- shapes

/// A shape: an immutable value that counts its owners. Every function that makes one gives the
/// caller one ownership, to be returned by `tactus_shape_release`. Worlds and compounds keep what
/// they need by themselves, so that the caller may release a shape right after handing it over.
typedef struct tactus_shape tactus_shape;

/// One more owner; returns the shape. Null stays null. Safe from any thread that owns the shape.
TACTUS_API tactus_shape* tactus_shape_retain(tactus_shape* shape);
/// One owner less; the last one frees it. Null is no error.
TACTUS_API void tactus_shape_release(tactus_shape* shape);

/// Ball about the origin, `radius` >= 0. Null and TACTUS_INVALID_INPUT (`radius`) for a radius that
/// is negative or not finite; likewise all functions below for their arguments.
TACTUS_API tactus_shape* tactus_shape_create_sphere(double radius);
/// Box with full edge lengths `size` >= 0, centred, edges along the axes.
TACTUS_API tactus_shape* tactus_shape_create_box(tactus_vec3 size);
/// Segment of this length along z, centred, grown by a ball of this radius.
TACTUS_API tactus_shape* tactus_shape_create_capsule(double radius, double length);
/// Circular cylinder along z, centred.
TACTUS_API tactus_shape* tactus_shape_create_cylinder(double radius, double length);
/// Circular cone along z: base at -length/2, apex at +length/2.
TACTUS_API tactus_shape* tactus_shape_create_cone(double radius, double length);
/// Ellipsoid with semi-axes `radii` > 0 along x, y, z.
TACTUS_API tactus_shape* tactus_shape_create_ellipsoid(tactus_vec3 radii);
/// All x with normal . x <= offset. The normal, of any length but zero, is normalised together with
/// the offset.
TACTUS_API tactus_shape* tactus_shape_create_halfspace(tactus_vec3 normal, double offset);
/// Convex hull of `count` points, at least one; flat sets, too. The points are copied. Cost:
/// O(n log n).
TACTUS_API tactus_shape* tactus_shape_create_convex(const tactus_vec3* vertices, size_t count);
/// Triangle surface: three indices of vertices for each triangle, which are copied. A closed one,
/// seen from outside in whichever sense, bounds a body; an open one is its bare surface. Cost: some
/// microsecond per triangle.
TACTUS_API tactus_shape* tactus_shape_create_mesh(const tactus_vec3* vertices, size_t vertex_count,
                                                  const uint32_t* triangles, size_t triangle_count);
/// Surface of a grid of heights, centred about the z axis: `heights` row by row from lower y, each
/// of `columns` values from lower x; at least 2 columns and rows, spacings > 0. With a `thickness`
/// > 0 it is closed by walls and a floor so far below the lowest point: a body with an inside, in
/// which nothing sinks unseen. With 0 it is the bare surface.
TACTUS_API tactus_shape* tactus_shape_create_heightfield(const double* heights, uint32_t columns,
                                                         uint32_t rows, double spacing_x,
                                                         double spacing_y, double thickness);
/// Rigid union of `count` shapes at poses in the frame of the compound; null `poses` puts all at
/// the origin. Distance is the least, depth the largest over the parts.
TACTUS_API tactus_shape* tactus_shape_create_compound(const tactus_shape* const* parts,
                                                      const tactus_pose* poses, size_t count);
/// Another rounding of the same geometry: a convex shape grown by a ball of `rounding_radius` >= 0,
/// in place of the rounding that it has. Refused (`rounding`) of meshes, half-spaces and compounds.
TACTUS_API tactus_shape* tactus_shape_create_rounded(const tactus_shape* shape,
                                                     double rounding_radius);

/// The kind of the shape; -1 of null.
TACTUS_API tactus_shape_type tactus_shape_get_type(const tactus_shape* shape);
/// Tight axis-aligned box of the shape at the pose, moved outwards by rounding; unbounded sides are
/// infinite.
TACTUS_API tactus_error tactus_shape_get_box(const tactus_shape* shape, const tactus_pose* pose,
                                             tactus_vec3* lower, tactus_vec3* upper);
/// Volume, centre of mass and inertia of the shape of unit density, in its own frame: the inertia
/// about the centre of mass as a 3x3 matrix by rows. Null pointers leave a value out. Overlaps of
/// parts of a compound count twice. TACTUS_INVALID_INPUT for a half-space.
TACTUS_API tactus_error tactus_shape_get_mass(const tactus_shape* shape, double* volume,
                                              tactus_vec3* center, double* inertia);

// ---------------------------------------------------------------- queries

/// Options of queries. A null pointer to them takes the defaults.
typedef struct tactus_options {
  uint64_t struct_size;     ///< set by `tactus_options_default`
  double tolerance;         ///< wanted width of the bracket, relative to the pair's size; 1e-8
  double max_distance;      ///< stop when proved farther than this; infinite
  double margin;            ///< contacts are reported up to this gap, >= 0; 0
  tactus_method method;     ///< TACTUS_METHOD_AUTO
  int32_t max_iterations;   ///< cap of the work of each loop, from 1 to 2^20; 1000
  int32_t signed_distance;  ///< 0 asks for the distance of a mesh's bare surface; 1
  int32_t union_depth;      ///< 1 asks for the depth of a compound's union, not of one part; 0
} tactus_options;

/// Fills the options with the defaults; `struct_size` is sizeof(tactus_options). Bytes of a struct
/// that is longer than the library knows become zero, which asks for nothing.
TACTUS_API tactus_error tactus_options_default(tactus_options* options, size_t struct_size);

/// Signed distance with its proof: lower <= truth <= upper and lower <= distance <= upper, whatever
/// the status. No field is ever NaN; without an answer `distance` is infinite, the bracket reaches
/// from minus to plus infinity, and normal and points mean nothing.
typedef struct tactus_result {
  double distance, lower, upper;   ///< negative: minus the penetration depth
  tactus_vec3 normal;              ///< unit, world, from A to B
  tactus_vec3 point_a, point_b;    ///< world; point_b - point_a = distance * normal
  tactus_status status;            ///< how the query ended
  tactus_method method;            ///< what gave the bracket
  int32_t iterations;              ///< support evaluations
  int32_t unique;                  ///< 0 where several normals or points are equally good
  int32_t part_a, part_b;          ///< parts of compounds that it refers to, else -1
  int32_t triangle_a, triangle_b;  ///< triangles of meshes that it refers to, else -1
} tactus_result;

/// One point of a contact patch. depth = (point_a - point_b) . normal: negative for a gap.
typedef struct tactus_contact_point {
  tactus_vec3 point_a, point_b;  ///< world, on the surfaces of A and B
  double depth;
  uint64_t feature;  ///< stays the same from step to step while the same features touch
} tactus_contact_point;

/// A contact patch: up to four points with one normal.
typedef struct tactus_manifold {
  tactus_vec3 normal;  ///< unit, world, from A to B
  tactus_contact_point points[4];
  int32_t count;           ///< how many of the points are there
  int32_t part_a, part_b;  ///< parts of compounds, else -1
  int32_t reserved;        ///< 0
} tactus_manifold;

/// First contact of bodies that move: no contact before `time`, and for a hit some contact up to
/// `time_upper`.
typedef struct tactus_cast_result {
  double time, time_upper;       ///< in lengths of the motion, from 0 to 1; infinite without a hit
  double distance;               ///< at `time`: 0 within rounding, or minus the depth at the start
  tactus_vec3 normal;            ///< unit, world, from A to B
  tactus_vec3 point_a, point_b;  ///< world, at `time`; not set without contact
  tactus_answer hit;             ///< NO: proved apart all the way
  tactus_status status;          ///< how the query ended
  tactus_method method;          ///< what gave the bracket
  int32_t iterations;            ///< support evaluations; of an impact, poses looked at
  int32_t unique;                ///< 0 where several normals or points are equally good
  int32_t part_a, part_b;        ///< parts of compounds that touch first, else -1
  int32_t reserved;              ///< 0
} tactus_cast_result;

/// Velocities of a body during one unit of time, world frame.
typedef struct tactus_motion {
  tactus_vec3 linear;   ///< of its origin
  tactus_vec3 angular;  ///< radians, about its own origin
} tactus_motion;

/// Signed distance of shape A at pose_a from shape B at pose_b. TACTUS_INVALID_INPUT for a pose or
/// an option that is refused; the result then says that there is no answer. What the query itself
/// cannot answer (two half-spaces, an open mesh with signed_distance) is no error: see `status`.
TACTUS_API tactus_error tactus_query_distance(const tactus_shape* a, const tactus_pose* pose_a,
                                              const tactus_shape* b, const tactus_pose* pose_b,
                                              const tactus_options* options, tactus_result* result);

/// Whether two shapes share a point. Faster than the distance: it stops when the sign is proved,
/// which `proof`, if not null, shows by its bracket.
TACTUS_API tactus_error tactus_query_overlap(const tactus_shape* a, const tactus_pose* pose_a,
                                             const tactus_shape* b, const tactus_pose* pose_b,
                                             const tactus_options* options, tactus_answer* answer,
                                             tactus_result* proof);

/// Contact patches up to the gap options->margin: one of a convex pair, one for each touching
/// pair of parts of compounds, one for each normal of meshes. The first `capacity` of them are
/// written to `manifolds`, which may be null for a capacity of 0. `needed` becomes the number that
/// there is. `distance`, if not null, becomes that of the whole pair.
TACTUS_API tactus_error tactus_query_contacts(const tactus_shape* a, const tactus_pose* pose_a,
                                              const tactus_shape* b, const tactus_pose* pose_b,
                                              const tactus_options* options,
                                              tactus_manifold* manifolds, size_t capacity,
                                              size_t* needed, tactus_result* distance);

/// Where the ray origin + t * direction, 0 <= t <= max_t (which may be infinite), first meets a
/// shape. `time` is t, the normal points out of the shape, which is A. A direction of zero or
/// numbers that are not finite: TACTUS_STATUS_INVALID_INPUT.
TACTUS_API tactus_error tactus_query_ray(const tactus_shape* shape, const tactus_pose* pose,
                                         tactus_vec3 origin, tactus_vec3 direction, double max_t,
                                         const tactus_options* options, tactus_cast_result* result);

/// First contact of two shapes that move along straight lines without turning: at time t, from 0 to
/// 1, they are shifted by t * motion.
TACTUS_API tactus_error tactus_query_cast(const tactus_shape* a, const tactus_pose* pose_a,
                                          tactus_vec3 motion_a, const tactus_shape* b,
                                          const tactus_pose* pose_b, tactus_vec3 motion_b,
                                          const tactus_options* options,
                                          tactus_cast_result* result);

/// First contact of two shapes that move and turn at constant velocities, from time 0 to 1. Null
/// motions stand still.
TACTUS_API tactus_error tactus_query_impact(const tactus_shape* a, const tactus_pose* pose_a,
                                            const tactus_motion* motion_a, const tactus_shape* b,
                                            const tactus_pose* pose_b,
                                            const tactus_motion* motion_b,
                                            const tactus_options* options,
                                            tactus_cast_result* result);

/// A body of a batch. The shape stays with the caller and may serve many bodies.
typedef struct tactus_placed_shape {
  const tactus_shape* shape;
  tactus_pose pose;
} tactus_placed_shape;

/// A pair of places in the list of bodies of a batch.
typedef struct tactus_pair {
  uint64_t a, b;
} tactus_pair;

/// Signed distances of many pairs: results[i] is that of bodies[pairs[i].a] and bodies[pairs[i].b],
/// with the bits of the single query. `max_threads` includes the caller's; 0 takes all processors.
/// No result depends on it. TACTUS_INVALID_INPUT when a pair refers beyond the bodies, or a pose is
/// refused (`bodies[i].pose`); then nothing is written.
TACTUS_API tactus_error tactus_batch_distance(const tactus_placed_shape* bodies, size_t body_count,
                                              const tactus_pair* pairs, size_t pair_count,
                                              const tactus_options* options, int32_t max_threads,
                                              tactus_result* results);

#ifdef __cplusplus
}
#endif

#include "tactus/tactus_world.h"

#endif
