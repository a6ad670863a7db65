// Joints of a world.
#include <cstddef>
#include <limits>
#include <optional>
#include <span>

#include "bindings/c/call.hpp"
#include "bindings/c/handles.hpp"
#include "bindings/c/values.hpp"

using namespace tactus;

namespace {

static_assert(TACTUS_JOINT_FIXED == static_cast<int>(JointType::fixed));
static_assert(TACTUS_JOINT_BALL == static_cast<int>(JointType::ball));
static_assert(TACTUS_JOINT_HINGE == static_cast<int>(JointType::hinge));
static_assert(TACTUS_JOINT_SLIDER == static_cast<int>(JointType::slider));
static_assert(TACTUS_JOINT_DISTANCE == static_cast<int>(JointType::distance));

/// Size of the struct in its first version: it never changes when the struct grows.
constexpr std::size_t kFirstJoint =
    offsetof(tactus_joint_definition, reserved) + sizeof(tactus_joint_definition::reserved);
constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr std::uint32_t kAllParts = 2 * TACTUS_JOINT_LENGTH - 1;

tactus_joint_definition default_joint() {
  const JointSpring spring;
  tactus_joint_definition usual{};
  usual.type = TACTUS_JOINT_BALL;
  usual.frame_a = usual.frame_b = tactus_pose_identity();
  usual.drive.max_force = JointDrive{}.max_force;
  usual.spring_frequency = spring.frequency;
  usual.spring_damping_ratio = spring.damping_ratio;
  usual.break_force = usual.break_torque = kNever;
  return usual;
}

JointType to_type(tactus_joint_type type) {
  if (type < TACTUS_JOINT_FIXED || type > TACTUS_JOINT_DISTANCE)
    throw InvalidInput("type", "no such type of joint");
  return static_cast<JointType>(type);
}

JointMotor to_motor(const tactus_joint_motor& motor) { return {motor.speed, motor.max_force}; }

JointDrive to_drive(const tactus_joint_drive& drive) {
  return {drive.target, drive.stiffness, drive.damping, drive.max_force};
}

/// The value where it is given.
template <class T>
std::optional<T> given_if(std::uint32_t parts, std::uint32_t part, const T& value) {
  return (parts & part) != 0 ? std::optional<T>(value) : std::nullopt;
}

/// A force at which a joint breaks: none where it is infinite.
std::optional<double> to_strength(double force) {
  return force == kNever ? std::nullopt : std::optional<double>(force);
}

JointDefinition to_joint(const tactus_joint_definition& definition) {
  const tactus_joint_definition given =
      c::read_struct(definition, kFirstJoint, default_joint(), "tactus_joint_definition");
  if (given.reserved != 0) throw InvalidInput("reserved", "must be 0");
  if (given.parts > kAllParts) throw InvalidInput("parts", "names a part that there is not");
  JointDefinition read;
  read.type = to_type(given.type);
  read.body_a = given.body_a;
  read.body_b = given.body_b;
  read.frame_a = c::to_pose(given.frame_a, "frame_a");
  read.frame_b = c::to_pose(given.frame_b, "frame_b");
  read.limits = given_if<JointLimits>(given.parts, TACTUS_JOINT_LIMITS, {given.lower, given.upper});
  read.swing = given_if(given.parts, TACTUS_JOINT_SWING, given.swing);
  read.twist = given_if<JointLimits>(given.parts, TACTUS_JOINT_TWIST,
                                     {given.twist_lower, given.twist_upper});
  read.motor = given_if(given.parts, TACTUS_JOINT_MOTOR, to_motor(given.motor));
  read.drive = given_if(given.parts, TACTUS_JOINT_DRIVE, to_drive(given.drive));
  read.spring = given_if<JointSpring>(given.parts, TACTUS_JOINT_SPRING,
                                      {given.spring_frequency, given.spring_damping_ratio});
  read.length = given_if(given.parts, TACTUS_JOINT_LENGTH, given.length);
  read.break_force = to_strength(given.break_force);
  read.break_torque = to_strength(given.break_torque);
  read.touch = given.touch != 0;
  read.id = given.id;
  return read;
}

tactus_joint_state from_joint(const Joint& joint) {
  return {.id = joint.definition.id,
          .body_a = joint.definition.body_a,
          .body_b = joint.definition.body_b,
          .force = c::from_vec(joint.force),
          .torque = c::from_vec(joint.torque),
          .position = joint.position,
          .swing = joint.swing,
          .type = static_cast<tactus_joint_type>(joint.definition.type),
          .reserved = 0};
}

void write_joints(std::span<const Joint> joints, tactus_joint_state* states, std::size_t capacity,
                  std::size_t* count) {
  c::require_array(states, capacity, "states");
  c::write_list(joints, states, capacity, count, from_joint);
}

}  // namespace

extern "C" {

tactus_error tactus_joint_definition_default(tactus_joint_definition* definition,
                                             size_t struct_size) {
  return c::call([&] {
    c::write_defaults(c::require(definition, "definition"), struct_size, kFirstJoint,
                      default_joint());
  });
}

tactus_error tactus_joint_definition_place(tactus_joint_definition* definition,
                                           const tactus_world* world, tactus_joint_type type,
                                           tactus_body_id body_a, tactus_body_id body_b,
                                           tactus_vec3 anchor, tactus_vec3 axis) {
  return c::call([&] {
    tactus_joint_definition& out = c::require(definition, "definition");
    c::read_struct(out, kFirstJoint, default_joint(), "tactus_joint_definition");
    const World& in = c::world_of(world);
    const JointDefinition placed = joint_at(to_type(type), in.body(body_a), in.body(body_b),
                                            c::to_vec(anchor), c::to_vec(axis));
    out.type = type;
    out.body_a = body_a;
    out.body_b = body_b;
    out.frame_a = c::from_pose(placed.frame_a);
    out.frame_b = c::from_pose(placed.frame_b);
  });
}

tactus_error tactus_world_add_joint(tactus_world* world, const tactus_joint_definition* definition,
                                    tactus_joint_id* id) {
  return c::call([&] {
    const JointId added =
        c::world_of(world).add_joint(to_joint(c::require(definition, "definition")));
    if (id != nullptr) *id = added;
  });
}

tactus_error tactus_world_remove_joint(tactus_world* world, tactus_joint_id id) {
  return c::call([&] { c::world_of(world).remove_joint(id); });
}

tactus_error tactus_world_get_joint(const tactus_world* world, tactus_joint_id id,
                                    tactus_joint_state* state) {
  return c::call([&] { c::require(state, "state") = from_joint(c::world_of(world).joint(id)); });
}

tactus_error tactus_world_get_joints(const tactus_world* world, tactus_joint_state* states,
                                     size_t capacity, size_t* count) {
  return c::call([&] { write_joints(c::world_of(world).joints(), states, capacity, count); });
}

tactus_error tactus_world_get_broken_joints(const tactus_world* world, tactus_joint_state* states,
                                            size_t capacity, size_t* count) {
  return c::call(
      [&] { write_joints(c::world_of(world).broken_joints(), states, capacity, count); });
}

tactus_error tactus_world_set_motor(tactus_world* world, tactus_joint_id id,
                                    const tactus_joint_motor* motor) {
  return c::call([&] {
    c::world_of(world).set_motor(
        id, motor == nullptr ? std::nullopt : std::optional<JointMotor>(to_motor(*motor)));
  });
}

tactus_error tactus_world_set_drive(tactus_world* world, tactus_joint_id id,
                                    const tactus_joint_drive* drive) {
  return c::call([&] {
    c::world_of(world).set_drive(
        id, drive == nullptr ? std::nullopt : std::optional<JointDrive>(to_drive(*drive)));
  });
}

}  // extern "C"
