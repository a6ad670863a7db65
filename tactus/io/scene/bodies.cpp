#include "tactus/io/scene/bodies.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include "tactus/io/json/json_fields.hpp"
#include "tactus/io/json/json_shape.hpp"
#include "tactus/rigid/body/given_mass.hpp"
#include "tactus/shape.hpp"

namespace tactus::io {

using nlohmann::json;

namespace {

CollisionFilter read_filter(const json& object, const std::string& path) {
  JsonFields fields(object, path);
  CollisionFilter filter;
  filter.category =
      static_cast<std::uint64_t>(fields.integer("category", 0, JsonFields::kMostWhole, 1));
  if (fields.find("mask") != nullptr) {
    filter.mask = static_cast<std::uint64_t>(fields.integer("mask", 0, JsonFields::kMostWhole));
  }
  fields.finish();
  return filter;
}

bool is_color(const std::string& text) {
  return text.size() == 7 && text[0] == '#' &&
         text.find_first_not_of("0123456789abcdefABCDEF", 1) == std::string::npos;
}

Appearance read_appearance(JsonFields& fields) {
  Appearance appearance;
  appearance.color = fields.text("color", "");
  if (!appearance.color.empty() && !is_color(appearance.color)) {
    throw InvalidInput(fields.path_of("color"), "must look like #2f6fde");
  }
  appearance.opacity = fields.number("opacity", 1.0);
  if (appearance.opacity <= 0.0 || appearance.opacity > 1.0) {
    throw InvalidInput(fields.path_of("opacity"), "must be above 0 and at most 1");
  }
  return appearance;
}

// Three moments about the axes of the shape, or nine numbers by rows.
Mat3 to_inertia(const json& value, const std::string& path) {
  if (!value.is_array() || (value.size() != 3 && value.size() != 9))
    throw InvalidInput(path, "must have 3 or 9 numbers");
  Mat3 inertia = Mat3::zero();
  for (std::size_t i = 0; i < value.size(); ++i) {
    const double number = JsonFields::to_number(value[i], JsonFields::path_of(path, i));
    const auto at = static_cast<int>(i);
    value.size() == 3 ? inertia(at, at) = number : inertia(at / 3, at % 3) = number;
  }
  return inertia;
}

// Mass, centre and inertia, each from the shape where it is not given.
void read_mass(JsonFields& fields, BodyDefinition& definition) {
  const json *mass = fields.find("mass"), *center = fields.find("center"),
             *inertia = fields.find("inertia");
  if (mass == nullptr && center == nullptr && inertia == nullptr) return;
  if (definition.type != BodyType::dynamic_body) {
    const char* const name = mass != nullptr ? "mass" : center != nullptr ? "center" : "inertia";
    throw InvalidInput(fields.path_of(name), "is for moving bodies");
  }
  detail::GivenMass given;
  if (mass != nullptr) given.mass = fields.number("mass");
  if (center != nullptr) given.center = fields.vector("center");
  if (inertia != nullptr) given.inertia = to_inertia(*inertia, fields.path_of("inertia"));
  try {
    definition.mass = given.completed(definition.shape, definition.material.density);
  } catch (const InvalidInput& error) {
    throw error.within(fields.path());
  }
}

// How the surface runs, and which side it holds: a vector is the linear velocity alone.
void read_surface(JsonFields& fields, BodyDefinition& definition) {
  if (const json* value = fields.find("surface_velocity")) {
    const std::string path = fields.path_of("surface_velocity");
    if (value->is_array()) {
      definition.surface_velocity.linear = JsonFields::to_vector(*value, path);
    } else {
      JsonFields velocity(*value, path);
      definition.surface_velocity = {velocity.vector("linear", {}), velocity.vector("angular", {})};
      velocity.finish();
    }
  }
  if (fields.find("one_way") == nullptr) return;
  definition.one_way = fields.vector("one_way");
  if (max_abs(*definition.one_way) == 0.0)
    throw InvalidInput(fields.path_of("one_way"), "must not be zero");
}

// The area that a stress on a wall acts on: given, or that of the period across the axis.
double servo_area(JsonFields& fields, const Vec3& axis, const WorldSettings& world) {
  if (fields.find("area") != nullptr) {
    const double area = fields.number("area");
    if (!(area > 0.0)) throw InvalidInput(fields.path_of("area"), "must be positive");
    return area;
  }
  double area = 1.0;
  int across = 0;
  for (int i = 0; i < 3; ++i) {
    const auto& period = world.periodic[static_cast<std::size_t>(i)];
    if (axis[i] != 0.0 || !period) continue;
    area *= period->upper - period->lower;
    ++across;
  }
  if (across != 2)
    throw InvalidInput(fields.path_of("area"),
                       "is missing: stress needs one, or two periodic axes");
  return area;
}

// A wall that keeps a force, or a stress.
void read_servo(JsonFields& body, BodyDefinition& definition, const WorldSettings& world) {
  const json* value = body.find("servo");
  if (value == nullptr) return;
  if (definition.type != BodyType::kinematic)
    throw InvalidInput(body.path_of("servo"), "is for kinematic bodies");
  JsonFields fields(*value, body.path_of("servo"));
  Servo servo;
  servo.axis = fields.vector("axis");
  servo.max_speed = fields.number("max_speed");
  servo.mass = fields.number("mass", 0.0);
  const bool stress = fields.find("stress") != nullptr;
  if (stress == (fields.find("force") != nullptr))
    throw InvalidInput(fields.path(), "must have either a force or a stress");
  servo.force = fields.number(stress ? "stress" : "force");
  if (stress) servo.force *= servo_area(fields, servo.axis, world);
  fields.finish();
  try {
    validate(servo);
  } catch (const InvalidInput& error) {
    throw error.within(fields.path());
  }
  definition.servo = servo;
}

// Axes by name: "x" along, "rx" about.
LockedAxes to_lock(const json& value, const std::string& path) {
  constexpr std::array<std::string_view, 6> kAxes{"x", "y", "z", "rx", "ry", "rz"};
  if (!value.is_array()) throw InvalidInput(path, "must be a list of axes");
  LockedAxes lock;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const auto axis = value[i].is_string()
                          ? std::find(kAxes.begin(), kAxes.end(), value[i].get<std::string>())
                          : kAxes.end();
    if (axis == kAxes.end())
      throw InvalidInput(JsonFields::path_of(path, i), "must be x, y, z, rx, ry or rz");
    const auto k = static_cast<std::size_t>(axis - kAxes.begin());
    (k < 3 ? lock.linear : lock.angular)[k % 3] = true;
  }
  return lock;
}

// How gravity and damping act on this body, and the axes that it keeps to.
void read_motion(JsonFields& fields, BodyDefinition& definition) {
  definition.gravity_scale = fields.number("gravity_scale", definition.gravity_scale);
  if (fields.find("linear_damping") != nullptr)
    definition.linear_damping = fields.number("linear_damping");
  if (fields.find("angular_damping") != nullptr)
    definition.angular_damping = fields.number("angular_damping");
  if (const json* value = fields.find("lock"))
    definition.lock = to_lock(*value, fields.path_of("lock"));
}

}  // namespace

void read_body(const json& object, const std::string& path, SceneBuilder& builder) {
  JsonFields fields(object, path);
  const std::string name = fields.text("name", path);
  const std::size_t shape = builder.shape(fields.require("shape"), fields.path_of("shape"));
  const double scale = fields.number("scale", 1.0);
  Pose pose;
  if (const json* value = fields.find("pose")) {
    try {
      pose = pose_from_json(*value);
    } catch (const InvalidInput& error) {
      throw error.within(fields.path_of("pose"));
    }
  }
  const Material material = builder.material(fields.find("material"), fields.path_of("material"));
  try {
    SceneBody body = builder.body(name, shape, scale, pose, material);
    body.definition.type = fields.choice("type", BodyType::dynamic_body);
    body.definition.sensor = fields.boolean("sensor", false);
    body.definition.linear_velocity = fields.vector("linear_velocity", {});
    body.definition.angular_velocity = fields.vector("angular_velocity", {});
    body.definition.force = fields.vector("force", {});
    body.definition.torque = fields.vector("torque", {});
    read_motion(fields, body.definition);
    read_mass(fields, body.definition);
    read_surface(fields, body.definition);
    read_servo(fields, body.definition, builder.scene().world);
    if (const json* filter = fields.find("filter")) {
      body.definition.filter = read_filter(*filter, fields.path_of("filter"));
    }
    body.appearance = read_appearance(fields);
    builder.add(std::move(body));
  } catch (const InvalidInput& error) {
    // Only the scale is refused without its path.
    if (error.field() != "scale") throw;
    throw error.within(path);
  }
  fields.finish();
}

std::optional<BodyMass> mass_of(const SceneBody& body) {
  if (body.definition.type != BodyType::dynamic_body) return {};
  return Body(body.definition).mass();
}

}  // namespace tactus::io
