#include "tactus/io/scene/acts.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "tactus/io/json/json_fields.hpp"
#include "tactus/io/json/json_shape.hpp"
#include "tactus/io/scene/characters.hpp"
#include "tactus/io/scene/named_body.hpp"
#include "tactus/shape/membership.hpp"

namespace tactus::io {

using nlohmann::json;

namespace {

// A time that is a step's but for rounding is that step.
constexpr double kSameStep = 1e-9;
// Steps beyond which a scene's times are slips of the pen.
constexpr double kMostSteps = 1e12;

// The first step that begins at a time or after it.
std::uint64_t step_at(double time, const Scene& scene, const std::string& path) {
  const double steps = time * static_cast<double>(scene.step_rate);
  if (!(steps >= 0.0 && steps <= kMostSteps))
    throw InvalidInput(path, "must be at least 0, and at most 1e12 steps");
  return static_cast<std::uint64_t>(std::ceil(std::max(steps - kSameStep, 0.0)));
}

Pose read_pose(const json& value, const std::string& path) {
  try {
    return pose_from_json(value);
  } catch (const InvalidInput& error) {
    throw error.within(path);
  }
}

void read_move(const json& object, const std::string& path, const Scene& scene, SceneAct& act) {
  JsonFields fields(object, path);
  const SceneBody& body = named_body(fields.require("body"), fields.path_of("body"), scene);
  if (body.definition.type != BodyType::kinematic)
    throw InvalidInput(fields.path_of("body"), body.name + " is not kinematic");
  if (body.definition.servo)
    throw InvalidInput(fields.path_of("body"), body.name + " is moved by its servo");
  act.body = body.definition.id;
  act.target = read_pose(fields.require("pose"), fields.path_of("pose"));
  const std::string duration = fields.path_of("duration");
  act.steps = step_at(fields.number("duration"), scene, duration);
  if (act.steps == 0) throw InvalidInput(duration, "must be positive");
  fields.finish();
}

void read_walk(const json& object, const std::string& path, const Scene& scene, SceneAct& act) {
  JsonFields fields(object, path);
  act.body = named_body(fields.require("body"), fields.path_of("body"), scene).definition.id;
  if (std::none_of(scene.characters.begin(), scene.characters.end(),
                   [&](const SceneCharacter& character) { return character.body == act.body; }))
    throw InvalidInput(fields.path_of("body"), "is no character");
  act.walk = read_input(fields);
  fields.finish();
}

SceneAct read_act(const json& object, const std::string& path, const Scene& scene) {
  JsonFields fields(object, path);
  SceneAct act;
  act.step = step_at(fields.number("time"), scene, fields.path_of("time"));
  const json *removed = fields.find("remove"), *moved = fields.find("move_to"),
             *walks = fields.find("walk");
  if ((removed != nullptr ? 1 : 0) + (moved != nullptr ? 1 : 0) + (walks != nullptr ? 1 : 0) != 1)
    throw InvalidInput(path, "must have one of remove, move_to and walk");
  if (removed != nullptr) {
    act.body = named_body(*removed, fields.path_of("remove"), scene).definition.id;
  } else if (walks != nullptr) {
    read_walk(*walks, fields.path_of("walk"), scene, act);
  } else {
    read_move(*moved, fields.path_of("move_to"), scene, act);
  }
  fields.finish();
  return act;
}

void start(const SceneAct& act, const Scene& scene, RigidWorld& world) {
  if (act.target) {
    world.move_to(act.body, *act.target, static_cast<double>(act.steps) * scene.world.time_step);
  } else {
    world.remove(act.body);
  }
}

// Is the point, seen from the shape's frame, in the shape?
bool holds(const Shape& shape, const Vec3& point) {
  if (const auto* mesh = std::get_if<Mesh>(&shape.geometry())) return mesh->holds(point);
  if (const auto* compound = std::get_if<Compound>(&shape.geometry())) {
    const auto& parts = compound->parts();
    return std::any_of(parts.begin(), parts.end(), [&](const Compound::Part& part) {
      return holds(part.shape, part.pose.to_local(point));
    });
  }
  return detail::distance_outside(shape, point) <= 0.0;
}

}  // namespace

std::vector<SceneAct> read_acts(const json& list, const Scene& scene) {
  std::vector<SceneAct> acts;
  acts.reserve(list.size());
  for (std::size_t i = 0; i < list.size(); ++i)
    acts.push_back(read_act(list[i], JsonFields::path_of("acts", i), scene));
  std::stable_sort(acts.begin(), acts.end(),
                   [](const SceneAct& a, const SceneAct& b) { return a.step < b.step; });
  return acts;
}

SceneRegion read_region(const json& object, const std::string& path, SceneBuilder& builder) {
  JsonFields fields(object, path);
  const std::string name = fields.text("name", path);
  const Shape shape =
      builder.scene().shapes[builder.shape(fields.require("shape"), fields.path_of("shape"))].shape;
  Pose pose;
  if (const json* value = fields.find("pose")) pose = read_pose(*value, fields.path_of("pose"));
  const auto* mesh = std::get_if<Mesh>(&shape.geometry());
  if (mesh != nullptr && !mesh->closed())
    throw InvalidInput(fields.path_of("shape"), "an open mesh has no inside");
  const bool remove = fields.boolean("remove", false);
  fields.finish();
  return {name, shape, pose, remove};
}

std::vector<BodyId> bodies_in(const SceneRegion& region, const RigidWorld& world) {
  std::vector<BodyId> inside;
  for (const Body& body : world.bodies()) {
    if (body.is_dynamic() && holds(region.shape, region.pose.to_local(body.center_of_mass())))
      inside.push_back(body.id());
  }
  return inside;
}

void act_before(const Scene& scene, std::uint64_t step, RigidWorld& world) {
  for (const SceneAct& act : scene.acts) {
    const bool ends = act.target && act.step + act.steps == step;
    if (ends && world.contains(act.body)) world.set_velocity(act.body, {}, {});
  }
  for (const SceneAct& act : scene.acts) {
    if (act.step == step && !act.walk && world.contains(act.body)) start(act, scene, world);
  }
  for (const SceneRegion& region : scene.regions) {
    if (!region.remove) continue;
    const std::vector<BodyId> inside = bodies_in(region, world);
    if (!inside.empty()) world.remove(inside);
  }
}

}  // namespace tactus::io
