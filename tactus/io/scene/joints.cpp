#include "tactus/io/scene/joints.hpp"

#include <array>
#include <nlohmann/json.hpp>

#include "tactus/io/json/json_fields.hpp"
#include "tactus/io/json/known_names.hpp"
#include "tactus/io/scene/named_body.hpp"

namespace tactus::io {

using nlohmann::json;

namespace {

/// The entries of an array of two.
std::array<const json*, 2> two_of(const json& value, const std::string& path) {
  if (!value.is_array() || value.size() != 2) throw InvalidInput(path, "must have two entries");
  return {&value[0], &value[1]};
}

const SceneBody& body_at_start(const json& value, const std::string& path, const Scene& scene) {
  const SceneBody& body = named_body(value, path, scene);
  if (body.first_step != 0) throw InvalidInput(path, body.name + " is not there at the start");
  return body;
}

JointType read_type(JsonFields& fields) {
  return choice_of<JointType>(fields.text("type"), fields.path_of("type"));
}

/// Where the bodies are at the start; fields of the frames.
void read_frames(JsonFields& fields, const SceneBody& a, const SceneBody& b,
                 JointDefinition& joint) {
  const Pose &pose_a = a.definition.pose, &pose_b = b.definition.pose;
  if (joint.type == JointType::distance) {
    const std::string path = fields.path_of("anchors");
    const auto anchors = two_of(fields.require("anchors"), path);
    const auto point = [&](std::size_t i) {
      return JsonFields::to_vector(*anchors[i], JsonFields::path_of(path, i));
    };
    joint.frame_a = Pose::translation(pose_a.to_local(point(0)));
    joint.frame_b = Pose::translation(pose_b.to_local(point(1)));
    return;
  }
  const Vec3 anchor = fields.vector("anchor");
  const bool limited = fields.find("swing") != nullptr || fields.find("twist") != nullptr;
  const bool driven = fields.find("drive") != nullptr && fields.find("axis") != nullptr;
  const bool has_axis = joint.type == JointType::hinge || joint.type == JointType::slider ||
                        (joint.type == JointType::ball && (limited || driven));
  const Pose frame = joint_frame(anchor, has_axis ? fields.vector("axis") : Vec3{0.0, 0.0, 1.0});
  joint.frame_a = relative(pose_a, frame);
  joint.frame_b = relative(pose_b, frame);
}

std::optional<JointLimits> read_limits(JsonFields& fields, const char* name) {
  const json* value = fields.find(name);
  if (value == nullptr) return {};
  const std::string path = fields.path_of(name);
  const auto limits = two_of(*value, path);
  return JointLimits{JsonFields::to_number(*limits[0], JsonFields::path_of(path, 0)),
                     JsonFields::to_number(*limits[1], JsonFields::path_of(path, 1))};
}

void read_forces(JsonFields& fields, JointDefinition& joint) {
  joint.limits = read_limits(fields, "limits");
  if (fields.find("swing") != nullptr) joint.swing = fields.number("swing");
  joint.twist = read_limits(fields, "twist");
  if (const json* value = fields.find("motor")) {
    JsonFields motor(*value, fields.path_of("motor"));
    joint.motor = JointMotor{motor.number("speed"), motor.number("max_force")};
    motor.finish();
  }
  if (const json* value = fields.find("drive"))
    joint.drive = read_drive(*value, fields.path_of("drive"));
  if (fields.find("break_force") != nullptr) joint.break_force = fields.number("break_force");
  if (fields.find("break_torque") != nullptr) joint.break_torque = fields.number("break_torque");
  if (const json* value = fields.find("spring")) {
    JsonFields spring(*value, fields.path_of("spring"));
    joint.spring = JointSpring{spring.number("frequency"), spring.number("damping_ratio", 0.0)};
    spring.finish();
  }
  if (fields.find("length") != nullptr) joint.length = fields.number("length");
}

}  // namespace

// One that needs no bound leaves `max_force` out.
JointDrive read_drive(const json& value, const std::string& path) {
  JsonFields fields(value, path);
  JointDrive drive;
  drive.target = fields.number("target", 0.0);
  drive.stiffness = fields.number("stiffness", 0.0);
  drive.damping = fields.number("damping", 0.0);
  if (fields.find("max_force") != nullptr) drive.max_force = fields.number("max_force");
  fields.finish();
  return drive;
}

JointDefinition read_joint(const json& object, const std::string& path, const Scene& scene) {
  JsonFields fields(object, path);
  JointDefinition joint;
  joint.type = read_type(fields);
  const std::string bodies_path = fields.path_of("bodies");
  const auto names = two_of(fields.require("bodies"), bodies_path);
  const SceneBody& a = body_at_start(*names[0], JsonFields::path_of(bodies_path, 0), scene);
  const SceneBody& b = body_at_start(*names[1], JsonFields::path_of(bodies_path, 1), scene);
  if (a.definition.type != BodyType::dynamic_body && b.definition.type != BodyType::dynamic_body)
    throw InvalidInput(bodies_path, "neither of them is moving");
  if (&a == &b) throw InvalidInput(bodies_path, "must be two");
  joint.body_a = a.definition.id;
  joint.body_b = b.definition.id;
  try {
    read_frames(fields, a, b, joint);
    read_forces(fields, joint);
    joint.touch = fields.boolean("touch", false);
    validate(joint);
  } catch (const InvalidInput& error) {
    // Errors of the library, such as those of `validate`, come without the path.
    if (error.field().starts_with(path)) throw;
    throw error.within(path);
  }
  fields.finish();
  return joint;
}

}  // namespace tactus::io
