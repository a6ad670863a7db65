#ifndef TACTUS_TACTUS_WORLD_H
#define TACTUS_TACTUS_WORLD_H

/// Worlds of the C interface: bodies, joints, characters. A part of tactus.h, which includes it and
/// says what holds for all of it.

#include <stddef.h>
#include <stdint.h>

#include "tactus/tactus.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---------------------------------------------------------------- settings and bodies

/// Rigid bodies under gravity with contacts, stepped in time. The same calls give the same bits, on
/// every machine and for any number of threads.
typedef struct tactus_world tactus_world;
/// All of a world that changes with time, as it was saved.
typedef struct tactus_state tactus_state;

/// Names a body for the life of its world; never used twice. 0 names none.
typedef uint64_t tactus_body_id;

/// How a world steps. Any consistent units; the defaults suit metres, kilograms and seconds.
typedef struct tactus_world_settings {
  uint64_t struct_size;          ///< set by `tactus_world_settings_default`
  tactus_vec3 gravity;           ///< acceleration; (0, 0, -9.81)
  double time_step;              ///< time per step, > 0; 1/60
  double load_overlap;           ///< overlap under load, over the smaller body's size; 7e-4
  double contact_margin;         ///< contacts up to this gap, over the smaller body's size; 0.01
  double contact_frequency;      ///< of the contact springs, in substep rates, (0, 0.5]; 0.25
  double contact_damping;        ///< damping ratio of these springs, > 0; 10
  double max_push_speed;         ///< fastest separation of overlaps, body sizes per time; 3
  double restitution_threshold;  ///< slower approach does not bounce, length per time; 0.1
  double sleep_time;             ///< bodies slow for so long fall asleep; 0: they never do
  double sleep_speed;            ///< speed below which a body is slow, its sizes per time; 0.01
  double linear_damping;         ///< rate at which velocities decay, per time; 0
  double angular_damping;        ///< rate at which rotations decay, per time; 0
  int32_t substeps;              ///< solver steps per step at least, >= 1; 12
  int32_t max_threads;           ///< threads at most; 0: one for each processor
  tactus_plane plane;            ///< TACTUS_PLANE_NONE; in a plane, gravity must be given along it
  int32_t reserved;              ///< 0
  double young;                  ///< > 0: contacts are springs of this Young's modulus, bodies that
                                 ///< move are spheres; 0
  double poisson;                ///< likewise, Poisson's ratio, in [0, 0.5]; 0.25
  double rayleigh_part;          ///< likewise, small steps over the time of a wave, (0, 0.5]; 0.15
  double least_impact;           ///< >= 0; without restitution, approach by less of the size in a
                                 ///< substep is no impact; 0
} tactus_world_settings;

/// Fills the settings with the defaults; `struct_size` is sizeof(tactus_world_settings). As
/// `tactus_options_default`.
TACTUS_API tactus_error tactus_world_settings_default(tactus_world_settings* settings,
                                                      size_t struct_size);

/// Everything that makes a body.
typedef struct tactus_body_definition {
  uint64_t struct_size;          ///< set by `tactus_body_definition_default`
  const tactus_shape* shape;     ///< must be set; the world keeps its own reference
  tactus_pose pose;              ///< of the shape's frame; identity
  tactus_vec3 linear_velocity;   ///< of the centre of mass, length per time; 0
  tactus_vec3 angular_velocity;  ///< world frame, radians per time; 0
  tactus_vec3 force, torque;     ///< act in every step, world frame, about the centre of mass; 0
  double friction;               ///< Coulomb coefficient, >= 0; 0.5
  double restitution;            ///< separation over approach speed, from 0 to 1; 0
  double rolling_friction;       ///< resistance to rolling, >= 0; 0
  double torsional_friction;     ///< resistance to spinning about the normal, >= 0; 0
  double density;                ///< mass per volume, > 0; 1000
  double mass;                   ///< with `has_mass`, in place of the density: > 0
  tactus_vec3 mass_center;       ///< likewise, centre of mass in the shape's frame
  double inertia[9];             ///< about it, by rows; no principal moment above the others' sum
  uint64_t category,
      mask;                ///< two bodies can touch when each one's category is in the other's mask
  tactus_body_id id;       ///< 0: chosen by the world
  tactus_body_type type;   ///< TACTUS_BODY_DYNAMIC
  int32_t sensor;          ///< 1: touches are reported, but nothing is pushed; 0
  int32_t has_mass;        ///< 1: mass, mass_center and inertia are given; 0
  int32_t reserved;        ///< 0
  double gravity_scale;    ///< part of the world's gravity that acts on it; 1
  double linear_damping;   ///< rates at which its velocities decay, per time; below 0, those of the
  double angular_damping;  ///< world apply; -1
  uint32_t lock;           ///< sum of TACTUS_LOCK_...: its velocities along these are always 0; 0
  uint32_t reserved_lock;  ///< 0
  double adhesion;         ///< work of adhesion, energy per area, >= 0; 0
  uint32_t kind;           ///< of its surface, for `tactus_world_set_surface_pair`; 0 names none
  int32_t has_one_way;     ///< 1: `one_way` is given; 0
  tactus_vec3 one_way;     ///< direction of the shape's frame, not zero: it holds what lies on this
                           ///< side of it, and lets through what comes from another one
  tactus_vec3 surface_linear;   ///< how its surface runs against it, as a belt does, shape's frame;
  tactus_vec3 surface_angular;  ///< about the origin of this frame, radians per time; 0
} tactus_body_definition;

/// Fills the definition with the defaults; `struct_size` is sizeof(tactus_body_definition). As
/// `tactus_options_default`. The shape is null.
TACTUS_API tactus_error tactus_body_definition_default(tactus_body_definition* definition,
                                                       size_t struct_size);

/// Where a body is, and how it moves.
typedef struct tactus_body_state {
  tactus_body_id id;
  tactus_pose pose;              ///< of the shape's frame
  tactus_vec3 center_of_mass;    ///< world
  tactus_vec3 linear_velocity;   ///< of the centre of mass, length per time
  tactus_vec3 angular_velocity;  ///< world frame, radians per time
  int32_t asleep;
  int32_t reserved;  ///< 0
} tactus_body_state;

/// A contact point of the last step.
typedef struct tactus_contact {
  tactus_body_id body_a, body_b;  ///< body_a < body_b
  tactus_vec3 point;              ///< world, midway between the surfaces
  tactus_vec3 normal;             ///< unit, world, from A to B
  double depth;                   ///< negative for a gap
  double normal_impulse;          ///< >= 0, on B along the normal; a force when divided by the
                                  ///< time of `tactus_world_get_contact_time`
  tactus_vec3 friction_impulse;   ///< likewise, world, on B
} tactus_contact;

/// Two bodies that touch.
typedef struct tactus_body_pair {
  tactus_body_id body_a, body_b;  ///< body_a < body_b
} tactus_body_pair;

/// Which pairs of bodies `tactus_world_get_touches` lists.
enum tactus_touches_values {
  TACTUS_TOUCHES_ALL = 0,    ///< that touched in the last step
  TACTUS_TOUCHES_BEGUN = 1,  ///< of these, that did not in the step before
  TACTUS_TOUCHES_ENDED = 2   ///< that touched in the step before, and do no longer
};
typedef int32_t tactus_touches;

/// Figures of the last step.
typedef struct tactus_step_statistics {
  uint64_t step;                           ///< steps done
  double time;                             ///< since the world was made
  double deepest_penetration;              ///< length
  double kinetic_energy;                   ///< at the end of the step
  double potential_energy;                 ///< of gravity, zero at the origin
  double max_speed;                        ///< of a centre of mass
  int32_t bodies, dynamic_bodies, asleep;  ///< all; dynamic ones; of these, asleep
  int32_t contacts;                        ///< pairs that touch or overlap
  int32_t contact_points;                  ///< points that touch or overlap
  int32_t substeps;                        ///< solver steps taken
} tactus_step_statistics;

/// Where a ray first meets a body of a world.
typedef struct tactus_ray_hit {
  tactus_body_id body;  ///< 0: it meets none
  double distance;      ///< length from the origin, never beyond the surface
  tactus_vec3 point;    ///< world
  tactus_vec3 normal;   ///< world, unit, outwards
  int32_t part;         ///< of a compound, else -1
  int32_t reserved;     ///< 0
} tactus_ray_hit;

/// A world without bodies; null settings are the defaults. Owned by the caller. Null and
/// TACTUS_INVALID_INPUT for settings that are refused.
TACTUS_API tactus_world* tactus_world_create(const tactus_world_settings* settings);
/// Frees the world with its bodies. Null is no error.
TACTUS_API void tactus_world_destroy(tactus_world* world);

/// Adds a body, and writes its id, if `id` is not null. TACTUS_INVALID_INPUT naming the field.
TACTUS_API tactus_error tactus_world_add_body(tactus_world* world,
                                              const tactus_body_definition* definition,
                                              tactus_body_id* id);
/// Removes a body with its contacts. TACTUS_INVALID_INPUT (`id`) when there is none; likewise all
/// functions below that take the id of a body.
TACTUS_API tactus_error tactus_world_remove_body(tactus_world* world, tactus_body_id id);
/// Two bodies that shall never touch each other, whatever their filters say.
TACTUS_API tactus_error tactus_world_exclude_pair(tactus_world* world, tactus_body_id a,
                                                  tactus_body_id b);

/// Advances by the time step. TACTUS_STEP_FAILED when a body would move farther than can be
/// followed, or memory ran out: the world is then what it was, and the last error tells why.
TACTUS_API tactus_error tactus_world_step(tactus_world* world);

/// Number of bodies; 0 of null.
TACTUS_API size_t tactus_world_get_body_count(const tactus_world* world);
/// State of one body.
TACTUS_API tactus_error tactus_world_get_body(const tactus_world* world, tactus_body_id id,
                                              tactus_body_state* state);
/// States of all bodies by ascending id: the first `capacity` are written to `states`, which may be
/// null for a capacity of 0; `count`, if not null, becomes the number that there is. Likewise the
/// lists below.
TACTUS_API tactus_error tactus_world_get_bodies(const tactus_world* world,
                                                tactus_body_state* states, size_t capacity,
                                                size_t* count);
/// Contact points of the last step, gaps up to contact_margin included, by ids.
TACTUS_API tactus_error tactus_world_get_contacts(const tactus_world* world,
                                                  tactus_contact* contacts, size_t capacity,
                                                  size_t* count);
/// How long the impulses of the contacts took; 0 of null.
TACTUS_API double tactus_world_get_contact_time(const tactus_world* world);
/// Pairs of bodies that touched, began or ended to touch in the last step, by ids.
TACTUS_API tactus_error tactus_world_get_touches(const tactus_world* world, tactus_touches which,
                                                 tactus_body_pair* pairs, size_t capacity,
                                                 size_t* count);
/// Figures of the last step.
TACTUS_API tactus_error tactus_world_get_statistics(const tactus_world* world,
                                                    tactus_step_statistics* statistics);
/// Nearest body on a ray of any direction but zero whose category is in `mask`; `max_distance` is a
/// length, and may be infinite. hit->body is 0 when there is none.
TACTUS_API tactus_error tactus_world_cast_ray(const tactus_world* world, tactus_vec3 origin,
                                              tactus_vec3 direction, double max_distance,
                                              uint64_t mask, tactus_ray_hit* hit);

/// First body whose category is in `mask`, other than `ignored` (0: none), that a shape meets on a
/// straight way, without turning. hit->distance is the part of the way, 0 to 1; hit->part that of
/// the body. hit->body is 0 when there is none.
TACTUS_API tactus_error tactus_world_cast_shape(const tactus_world* world,
                                                const tactus_shape* shape, const tactus_pose* pose,
                                                tactus_vec3 motion, uint64_t mask,
                                                tactus_body_id ignored, tactus_ray_hit* hit);
/// Bodies that a shape overlaps, likewise, by id. The first `capacity` of them are written to
/// `ids`, which may be null for a capacity of 0; `count` becomes the number that there is.
TACTUS_API tactus_error tactus_world_get_overlapping(const tactus_world* world,
                                                     const tactus_shape* shape,
                                                     const tactus_pose* pose, uint64_t mask,
                                                     tactus_body_id ignored, tactus_body_id* ids,
                                                     size_t capacity, size_t* count);
/// The body nearest to a shape, likewise, by signed distance: 0 where all are farther than
/// `max_distance`. `gap`, if not null, becomes the distance of the shape, A, from the body, B.
TACTUS_API tactus_error tactus_world_get_nearest(const tactus_world* world,
                                                 const tactus_shape* shape, const tactus_pose* pose,
                                                 double max_distance, uint64_t mask,
                                                 tactus_body_id ignored, tactus_body_id* id,
                                                 tactus_result* gap);

/// Puts the body's shape frame to a pose; velocities stay.
TACTUS_API tactus_error tactus_world_set_pose(tactus_world* world, tactus_body_id id,
                                              const tactus_pose* pose);
/// Velocity of the centre of mass, and angular velocity, world frame.
TACTUS_API tactus_error tactus_world_set_velocity(tactus_world* world, tactus_body_id id,
                                                  tactus_vec3 linear, tactus_vec3 angular);
/// Momentum given at a world point; without effect unless the body is dynamic.
TACTUS_API tactus_error tactus_world_apply_impulse(tactus_world* world, tactus_body_id id,
                                                   tactus_vec3 impulse, tactus_vec3 point);
/// A force through the centre of mass during the next step, world frame; all that are given add up.
/// Without effect unless the body is dynamic.
TACTUS_API tactus_error tactus_world_apply_force(tactus_world* world, tactus_body_id id,
                                                 tactus_vec3 force);
/// Likewise, on the material point that is at this world point now.
TACTUS_API tactus_error tactus_world_apply_force_at(tactus_world* world, tactus_body_id id,
                                                    tactus_vec3 force, tactus_vec3 point);
/// Likewise a torque.
TACTUS_API tactus_error tactus_world_apply_torque(tactus_world* world, tactus_body_id id,
                                                  tactus_vec3 torque);
/// Replaces the surface of a body, as in tactus_body_definition; its mass stays.
TACTUS_API tactus_error tactus_world_set_surface(tactus_world* world, tactus_body_id id,
                                                 double friction, double restitution,
                                                 double rolling_friction,
                                                 double torsional_friction);

/// A force through the centre of mass and a torque about it in every step to come, world frame, in
/// place of those of the definition. TACTUS_INVALID_INPUT unless the body is dynamic.
TACTUS_API tactus_error tactus_world_set_constant_force(tactus_world* world, tactus_body_id id,
                                                        tactus_vec3 force, tactus_vec3 torque);
/// Gives a kinematic body the velocities that lead its shape frame to a pose in this time, > 0,
/// about one axis: along the way it carries what stands on it.
TACTUS_API tactus_error tactus_world_move_to(tactus_world* world, tactus_body_id id,
                                             const tactus_pose* pose, double duration);
/// How the surface of a body runs against it from now on, as in tactus_body_definition.
TACTUS_API tactus_error tactus_world_set_surface_velocity(tactus_world* world, tactus_body_id id,
                                                          tactus_vec3 linear, tactus_vec3 angular);

/// Surface constants of two bodies in contact.
typedef struct tactus_surface_pair {
  double friction;            ///< Coulomb coefficient, >= 0
  double restitution;         ///< separation over approach speed, from 0 to 1
  double rolling_friction;    ///< resistance to rolling, >= 0
  double torsional_friction;  ///< resistance to spinning about the normal, >= 0
  double adhesion;            ///< work of adhesion, energy per area, >= 0
} tactus_surface_pair;

/// Surfaces of these two kinds, which may be one, have these constants in place of the combined
/// ones; null: the combined ones again. Part of the set-up, not of the state.
TACTUS_API tactus_error tactus_world_set_surface_pair(tactus_world* world, uint32_t kind_a,
                                                      uint32_t kind_b,
                                                      const tactus_surface_pair* surface);

/// A contact patch as it was found, for a rule.
typedef struct tactus_found_contact {
  tactus_body_id body_a, body_b;       ///< body_a < body_b
  tactus_pose pose_a, pose_b;          ///< of the shapes' frames
  tactus_vec3 velocity_a, velocity_b;  ///< of the centres of mass
  tactus_vec3 normal;                  ///< unit, world, from A to B
  tactus_vec3 point;                   ///< world, midway between the surfaces at the deepest point
  double depth;                        ///< there; negative for a gap
  int32_t part_a, part_b;              ///< of compounds, else -1
} tactus_found_contact;

/// Decides on a contact patch: may change the constants, and returns 1 where the patch acts, 0
/// where the bodies shall pass through each other. Must be a pure function of the contact and the
/// data: several threads ask at the same time, in any order, and again within a step.
typedef int32_t (*tactus_contact_rule)(void* data, const tactus_found_contact* contact,
                                       tactus_surface_pair* surface);

/// The rule decides on all contact patches from the next step on; null: none. `data` is handed to
/// it, and must live as long. Part of the set-up, not of the state.
TACTUS_API tactus_error tactus_world_set_contact_rule(tactus_world* world, tactus_contact_rule rule,
                                                      void* data);

// ---------------------------------------------------------------- joints

/// Names a joint for the life of its world; never used twice. 0 names none.
typedef uint64_t tactus_joint_id;

/// Kinds of joints.
enum tactus_joint_type_values {
  TACTUS_JOINT_FIXED = 0,    ///< the frames stay together
  TACTUS_JOINT_BALL = 1,     ///< the anchors stay together
  TACTUS_JOINT_HINGE = 2,    ///< and B turns about the z axis of the frames alone
  TACTUS_JOINT_SLIDER = 3,   ///< B slides along the z axis of A's frame alone
  TACTUS_JOINT_DISTANCE = 4  ///< the anchors keep a distance, or are drawn by a spring
};
typedef int32_t tactus_joint_type;

/// Which parts of a tactus_joint_definition are given.
enum tactus_joint_parts_values {
  TACTUS_JOINT_LIMITS = 1,   ///< lower, upper: of a hinge, a slider or a distance
  TACTUS_JOINT_SWING = 2,    ///< swing: of a ball joint
  TACTUS_JOINT_TWIST = 4,    ///< twist_lower, twist_upper: of a ball joint
  TACTUS_JOINT_MOTOR = 8,    ///< motor: of a hinge or a slider
  TACTUS_JOINT_DRIVE = 16,   ///< drive: of a hinge or a slider without motor, or of a ball joint
  TACTUS_JOINT_SPRING = 32,  ///< spring_frequency, spring_damping_ratio: of a distance
  TACTUS_JOINT_LENGTH = 64   ///< length: of a distance
};

/// Drives a hinge or a slider towards a speed; a speed of 0 brakes.
typedef struct tactus_joint_motor {
  double speed;      ///< of B against A, radians or length per time
  double max_force;  ///< >= 0; a torque for a hinge
} tactus_joint_motor;

/// Draws a joint towards a position as a damped spring that is stable for any stiffness and step.
typedef struct tactus_joint_drive {
  double target;     ///< angle of a hinge, way of a slider, angle about z of a ball joint
  double stiffness;  ///< >= 0: force per length, torque per radian
  double damping;    ///< >= 0: force per speed; one of the two is positive
  double max_force;  ///< > 0, may be infinite; a torque for a hinge and a ball joint
} tactus_joint_drive;

/// Everything that makes a joint.
typedef struct tactus_joint_definition {
  uint64_t struct_size;           ///< set by `tactus_joint_definition_default`
  tactus_body_id body_a, body_b;  ///< must be set, and differ; one of them is dynamic
  tactus_pose frame_a, frame_b;   ///< seen from the bodies' shape frames, origins are the anchors
  tactus_joint_type type;         ///< TACTUS_JOINT_BALL
  uint32_t parts;       ///< sum of TACTUS_JOINT_LIMITS ...: which fields below are given; 0
  double lower, upper;  ///< limits of the angle within [-pi, pi], of way or distance
  double swing;         ///< largest angle between the z axes of the frames, in (0, pi]
  double twist_lower, twist_upper;  ///< limits of the turn about z, within [-pi, pi]
  tactus_joint_motor motor;
  tactus_joint_drive drive;     ///< max_force is infinite
  double spring_frequency;      ///< > 0, per time; 1
  double spring_damping_ratio;  ///< >= 0; 0
  double length;                ///< that is kept, or rest length of the spring
  double break_force;           ///< a mean force of a step above it breaks the joint; infinite
  double break_torque;          ///< likewise
  tactus_joint_id id;           ///< 0: chosen by the world
  int32_t touch;                ///< 1: the two bodies may touch each other; 0
  int32_t reserved;             ///< 0
} tactus_joint_definition;

/// Fills the definition with the defaults; `struct_size` is sizeof(tactus_joint_definition). As
/// `tactus_options_default`.
TACTUS_API tactus_error tactus_joint_definition_default(tactus_joint_definition* definition,
                                                        size_t struct_size);
/// Sets type, bodies and frames of a definition that `tactus_joint_definition_default` has filled,
/// so that the frames coincide at a world point, with z along a world axis of any length but zero,
/// as the bodies lie now.
TACTUS_API tactus_error tactus_joint_definition_place(tactus_joint_definition* definition,
                                                      const tactus_world* world,
                                                      tactus_joint_type type, tactus_body_id body_a,
                                                      tactus_body_id body_b, tactus_vec3 anchor,
                                                      tactus_vec3 axis);

/// A joint and what it did in the last step.
typedef struct tactus_joint_state {
  tactus_joint_id id;
  tactus_body_id body_a, body_b;
  tactus_vec3 force;   ///< on B at its anchor, world
  tactus_vec3 torque;  ///< on B, world
  double position;     ///< angle of a hinge, twist of a ball joint, way of a slider, or distance
  double swing;        ///< of a ball joint: angle between the z axes
  tactus_joint_type type;
  int32_t reserved;  ///< 0
} tactus_joint_state;

/// Adds a joint, and writes its id, if `id` is not null. TACTUS_INVALID_INPUT naming the field.
TACTUS_API tactus_error tactus_world_add_joint(tactus_world* world,
                                               const tactus_joint_definition* definition,
                                               tactus_joint_id* id);
/// Removes a joint. TACTUS_INVALID_INPUT (`id`) when there is none; likewise below.
TACTUS_API tactus_error tactus_world_remove_joint(tactus_world* world, tactus_joint_id id);
/// State of one joint.
TACTUS_API tactus_error tactus_world_get_joint(const tactus_world* world, tactus_joint_id id,
                                               tactus_joint_state* state);
/// States of all joints by ascending id, as `tactus_world_get_bodies`.
TACTUS_API tactus_error tactus_world_get_joints(const tactus_world* world,
                                                tactus_joint_state* states, size_t capacity,
                                                size_t* count);
/// Joints that broke in the last step, and are no longer in the world, likewise.
TACTUS_API tactus_error tactus_world_get_broken_joints(const tactus_world* world,
                                                       tactus_joint_state* states, size_t capacity,
                                                       size_t* count);
/// Replaces the motor of a hinge or a slider; null takes it away.
TACTUS_API tactus_error tactus_world_set_motor(tactus_world* world, tactus_joint_id id,
                                               const tactus_joint_motor* motor);
/// Likewise the drive of a hinge, a slider or a ball joint.
TACTUS_API tactus_error tactus_world_set_drive(tactus_world* world, tactus_joint_id id,
                                               const tactus_joint_drive* drive);

// ---------------------------------------------------------------- characters

/// Moves a kinematic body as a character: with a wanted velocity along the ground, past what is in
/// its way, over steps and slopes, on platforms. Guide: docs/guide/characters.md.
typedef struct tactus_character tactus_character;

/// How a character walks.
typedef struct tactus_character_settings {
  uint64_t struct_size;     ///< set by `tactus_character_settings_default`
  tactus_vec3 up;           ///< not zero; (0, 0, 1)
  double gap;               ///< kept from all bodies, length, > 0; 0.01
  double step_height;       ///< steps up to it are climbed, length, >= 0; 0.35
  double max_slope;         ///< steepest ground that carries, radians, in [0, pi/2); 0.87
  double mass;              ///< presses on dynamic bodies that it stands on, >= 0; 70
  double max_force;         ///< pushes dynamic bodies by at most this force in all, >= 0; 500
  double air_acceleration;  ///< change of the level velocity in the air, per time, >= 0; 5
} tactus_character_settings;

/// Fills the settings with the defaults. As `tactus_options_default`.
TACTUS_API tactus_error tactus_character_settings_default(tactus_character_settings* settings,
                                                          size_t struct_size);

/// Kinds of what carries a character.
enum tactus_character_support_values {
  TACTUS_SUPPORT_GROUND = 0,  ///< on which it can walk
  TACTUS_SUPPORT_SLOPE = 1,   ///< too steep: it slides
  TACTUS_SUPPORT_AIR = 2      ///< nothing
};
typedef int32_t tactus_character_support;

/// Report of what a character does in the step that comes.
typedef struct tactus_character_report {
  tactus_character_support support;  ///< at the end of the step
  int32_t hindered;                  ///< something was in the way
  int32_t stuck;                     ///< it overlaps what leaves no way out, or has no room
  int32_t reserved;                  ///< 0
  tactus_body_id ground;             ///< the body below it, of ground or slope
  tactus_vec3 ground_point;          ///< world, on that body
  tactus_vec3 ground_normal;         ///< unit, up from it
  tactus_vec3 way;                   ///< of the whole step
  double climbed;                    ///< height of a step that was climbed
} tactus_character_report;

/// A character that moves this kinematic body of one convex shape; null settings are the defaults.
/// The world must outlive it. Null and TACTUS_INVALID_INPUT (`id`, `shape`, or a setting).
TACTUS_API tactus_character* tactus_character_create(tactus_world* world, tactus_body_id body,
                                                     const tactus_character_settings* settings);
/// Frees the character; its body stays. Null is no error.
TACTUS_API void tactus_character_destroy(tactus_character* character);
/// To be called before each step of the world: finds the way of the step and gives the body the
/// velocity that leads it there. `velocity` is the wanted one against the ground, of which the
/// level part counts; `jump`, >= 0, the speed at which it takes off where it has ground under it.
/// `report` may be null.
TACTUS_API tactus_error tactus_character_update(tactus_character* character, tactus_vec3 velocity,
                                                double jump, tactus_character_report* report);

// ---------------------------------------------------------------- states

/// A number that is the same for all runs that agree in every bit; 0 of null, or when memory ran
/// out.
TACTUS_API uint64_t tactus_world_get_state_hash(const tactus_world* world);
/// All that changes with time, owned by the caller; null when memory ran out. Forces given for the
/// next step are not part of it.
TACTUS_API tactus_state* tactus_world_save(const tactus_world* world);
/// Continues from a state of this world, or of one made by the same calls, with the same bits.
/// Bodies that the state does not know are removed. TACTUS_INVALID_INPUT when it names a body that
/// the world does not have; nothing has then changed.
TACTUS_API tactus_error tactus_world_restore(tactus_world* world, const tactus_state* state);
/// Frees a saved state. Null is no error.
TACTUS_API void tactus_state_destroy(tactus_state* state);

#ifdef __cplusplus
}
#endif

#endif
