#include "tactus/io/run/simulation.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "tactus/io/json/json_fields.hpp"
#include "tactus/io/json/json_shape.hpp"
#include "tactus/io/json/json_text.hpp"
#include "tactus/io/scene/bodies.hpp"
#include "tactus/io/scene/joints.hpp"
#include "tactus/io/scene/scene_json.hpp"

namespace tactus::io {

using nlohmann::json;

namespace {

BodyId read_id(JsonFields& fields, const char* name) {
  return static_cast<BodyId>(fields.integer(name, 1, JsonFields::kMostWhole));
}

BodyId to_id(const json& value, const std::string& path) {
  if (!value.is_number_integer() || value.get<std::int64_t>() < 1)
    throw InvalidInput(path, "must be the id of a body");
  return value.get<BodyId>();
}

Pose read_pose(JsonFields& fields) {
  try {
    return pose_from_json(fields.require("pose"));
  } catch (const InvalidInput& error) {
    throw error.within(fields.path_of("pose"));
  }
}

BodySelection read_selection(JsonFields& fields) {
  BodySelection selection;
  const json* value = fields.find("selection");
  if (value == nullptr) return selection;
  JsonFields of(*value, fields.path_of("selection"));
  if (of.find("mask") != nullptr)
    selection.mask = static_cast<std::uint64_t>(of.integer("mask", 0, JsonFields::kMostWhole));
  if (of.find("ignored") != nullptr) selection.ignored = read_id(of, "ignored");
  selection.sensors = of.boolean("sensors", true);
  of.finish();
  return selection;
}

double read_reach(JsonFields& fields) {
  return fields.number("max_distance", std::numeric_limits<double>::infinity());
}

json pairs_to_json(std::span<const TouchingPair> pairs) {
  json list = json::array();
  for (const TouchingPair& pair : pairs) list.push_back({pair.body_a, pair.body_b});
  return list;
}

json hit_to_json(const std::optional<RayHit>& hit) {
  if (!hit) return nullptr;
  return {{"body", hit->body},
          {"distance", hit->distance},
          {"point", vector_to_json(hit->point)},
          {"normal", vector_to_json(hit->normal)},
          {"part", hit->part}};
}

json hit_to_json(const std::optional<ShapeHit>& hit) {
  if (!hit) return nullptr;
  return {{"body", hit->body},
          {"time", hit->time},
          {"point", vector_to_json(hit->point)},
          {"normal", vector_to_json(hit->normal)}};
}

json hit_to_json(const std::optional<NearestBody>& hit) {
  if (!hit) return nullptr;
  const DistanceResult& gap = hit->gap;
  return {{"body", hit->body},
          {"distance", gap.distance},
          {"lower", gap.lower},
          {"upper", gap.upper},
          {"normal", vector_to_json(gap.normal)},
          {"point_a", vector_to_json(gap.point_a)},
          {"point_b", vector_to_json(gap.point_b)}};
}

json body_to_json(const Body& body) {
  const Quat q = to_quaternion(body.pose().rotation());
  return {{"type", std::string(to_string(body.type()))},
          {"mass", body.mass().mass},
          {"pose",
           {{"position", vector_to_json(body.pose().position())},
            {"quaternion", {q.w, q.x, q.y, q.z}}}},
          {"center_of_mass", vector_to_json(body.center_of_mass())},
          {"linear_velocity", vector_to_json(body.linear_velocity())},
          {"angular_velocity", vector_to_json(body.angular_velocity())},
          {"asleep", body.is_asleep()}};
}

json joint_to_json(const Joint& joint) {
  return {{"bodies", {joint.definition.body_a, joint.definition.body_b}},
          {"force", vector_to_json(joint.force)},
          {"torque", vector_to_json(joint.torque)},
          {"position", joint.position},
          {"swing", joint.swing}};
}

const WorldSettings& read_settings(std::string_view setup, SceneBuilder& builder, Scene& scene) {
  const json document = parse_json(setup);
  JsonFields fields(document, "");
  read_setup(fields, scene, builder);
  fields.finish();
  if (scene.impulse) throw InvalidInput("world.type", "must be contact");
  return scene.world;
}

}  // namespace

Simulation::Simulation(std::string_view setup, const std::filesystem::path& folder)
    : builder_(scene_, folder),
      world_(read_settings(setup, builder_, scene_)),
      named_shapes_(scene_.shapes.size()) {
  set_surface_pairs(scene_, world_);
}

void Simulation::step() {
  const StepStatistics& statistics = world_.step();
  if (statistics.failure.any()) throw InvalidInput("step", to_text(statistics.failure));
}

std::string Simulation::call(std::string_view request) {
  return json_dump(call(parse_json(request)));
}

json Simulation::call(const json& request) {
  JsonFields fields(request, "");
  const std::string what = fields.text("do");
  for (const auto& answer :
       {&Simulation::change, &Simulation::move, &Simulation::ask, &Simulation::remember}) {
    if (const std::optional<json> found = (this->*answer)(what, fields)) return *found;
  }
  throw InvalidInput("do", "there is no call named '" + what + "'");
}

/// Bodies and joints that come and go.
std::optional<json> Simulation::change(const std::string& what, JsonFields& fields) {
  if (what == "add_body") return json{{"body", add_body(fields)}};
  if (what == "add_joint") return json{{"joint", add_joint(fields)}};
  if (what == "remove_bodies") {
    std::vector<BodyId> ids;
    const json& list = fields.require("bodies");
    if (!list.is_array()) throw InvalidInput("bodies", "must be an array of ids");
    ids.reserve(list.size());
    for (std::size_t i = 0; i < list.size(); ++i)
      ids.push_back(to_id(list[i], JsonFields::path_of("bodies", i)));
    fields.finish();
    world_.remove(ids);
    for (const BodyId id : ids) bodies_.erase(id);
    return json::object();
  }
  if (what == "remove_joint") {
    const JointId joint = read_id(fields, "joint");
    fields.finish();
    world_.remove_joint(joint);
    return json::object();
  }
  if (what == "set_motor") {
    const JointId joint = read_id(fields, "joint");
    std::optional<JointMotor> motor;
    if (fields.find("speed") != nullptr || fields.find("max_force") != nullptr)
      motor = JointMotor{fields.number("speed"), fields.number("max_force")};
    fields.finish();
    world_.set_motor(joint, motor);
    return json::object();
  }
  if (what == "set_drive") {
    const JointId joint = read_id(fields, "joint");
    std::optional<JointDrive> drive;
    if (const json* value = fields.find("drive")) drive = read_drive(*value, "drive");
    fields.finish();
    world_.set_drive(joint, drive);
    return json::object();
  }
  return std::nullopt;
}

/// Calls that move bodies.
std::optional<json> Simulation::move(const std::string& what, JsonFields& fields) {
  if (what == "set_pose") {
    const BodyId body = read_id(fields, "body");
    const Pose pose = read_pose(fields);
    fields.finish();
    world_.set_pose(body, pose);
  } else if (what == "set_velocity") {
    const BodyId body = read_id(fields, "body");
    const Vec3 linear = fields.vector("linear"), angular = fields.vector("angular", {});
    fields.finish();
    world_.set_velocity(body, linear, angular);
  } else if (what == "move_to") {
    const BodyId body = read_id(fields, "body");
    const Pose pose = read_pose(fields);
    const double duration = fields.number("duration");
    fields.finish();
    world_.move_to(body, pose, duration);
  } else if (what == "push") {
    const BodyId body = read_id(fields, "body");
    const Vec3 impulse = fields.vector("impulse");
    const Vec3 point = fields.vector("point", world_.body(body).center_of_mass());
    fields.finish();
    world_.apply_impulse(body, impulse, point);
  } else if (what == "force") {
    const BodyId body = read_id(fields, "body");
    const Vec3 force = fields.vector("force");
    const Vec3 point = fields.vector("point", world_.body(body).center_of_mass());
    fields.finish();
    world_.apply_force(body, force, point);
  } else if (what == "torque") {
    const BodyId body = read_id(fields, "body");
    const Vec3 torque = fields.vector("torque");
    fields.finish();
    world_.apply_torque(body, torque);
  } else {
    return std::nullopt;
  }
  return json::object();
}

/// Questions, which change nothing.
std::optional<json> Simulation::ask(const std::string& what, JsonFields& fields) {
  if (what == "body") {
    const BodyId body = read_id(fields, "body");
    fields.finish();
    return body_to_json(world_.body(body));
  }
  if (what == "joint") {
    const JointId joint = read_id(fields, "joint");
    fields.finish();
    return joint_to_json(world_.joint(joint));
  }
  if (what == "touches") {
    fields.finish();
    return touches();
  }
  if (what == "ray") {
    const Vec3 origin = fields.vector("origin"), direction = fields.vector("direction");
    const double reach = read_reach(fields);
    const std::uint64_t mask = read_selection(fields).mask;
    fields.finish();
    return json{{"hit", hit_to_json(world_.ray_cast(origin, direction, reach, mask))}};
  }
  if (what != "cast" && what != "nearest" && what != "overlapping") return std::nullopt;
  const Shape shape = read_shape(fields);
  const Pose pose = read_pose(fields);
  const BodySelection selection = read_selection(fields);
  if (what == "cast") {
    const Vec3 motion = fields.vector("motion");
    fields.finish();
    return json{{"hit", hit_to_json(world_.cast_shape(shape, pose, motion, selection))}};
  }
  if (what == "nearest") {
    const double reach = read_reach(fields);
    fields.finish();
    return json{{"hit", hit_to_json(world_.nearest_body(shape, pose, reach, selection))}};
  }
  fields.finish();
  return json{{"bodies", world_.overlapping(shape, pose, selection)}};
}

/// Snapshots.
std::optional<json> Simulation::remember(const std::string& what, JsonFields& fields) {
  if (what == "save") {
    fields.finish();
    Snapshot snapshot{world_.save(), bodies_, {}};
    for (const Joint& joint : world_.joints()) snapshot.joints.push_back(joint.definition);
    snapshots_.emplace(++last_snapshot_, std::move(snapshot));
    return json{{"snapshot", last_snapshot_}};
  }
  if (what != "restore" && what != "forget") return std::nullopt;
  const auto number = fields.integer("snapshot", 1, JsonFields::kMostWhole);
  fields.finish();
  const auto found = snapshots_.find(number);
  if (found == snapshots_.end()) throw InvalidInput("snapshot", "was forgotten, or never taken");
  if (what == "restore")
    restore(found->second);
  else
    snapshots_.erase(found);
  return json::object();
}

/// Reads it through the scene, which keeps nothing of it but shapes that have a name.
BodyId Simulation::add_body(JsonFields& fields) {
  json body = fields.object();
  body.erase("do");
  const auto drop = [&] {
    scene_.bodies.clear();
    drop_unnamed_shapes();
    scene_.notes.clear();
  };
  try {
    read_body(body, "", builder_);
    BodyDefinition definition = scene_.bodies.back().definition;
    definition.id = kNoBody;
    const BodyId id = world_.add(definition);
    definition.id = id;
    bodies_[id] = std::make_shared<const BodyDefinition>(std::move(definition));
    drop();
    return id;
  } catch (...) {
    drop();
    throw;
  }
}

/// The bodies stand in a scene of their own, as they lie now.
JointId Simulation::add_joint(JsonFields& fields) {
  json joint = fields.object();
  joint.erase("do");
  const json& ids = fields.require("bodies");
  if (!ids.is_array() || ids.size() != 2) throw InvalidInput("bodies", "must be two ids");
  Scene scene;
  json names = json::array();
  for (std::size_t i = 0; i < 2; ++i) {
    const BodyId id = to_id(ids[i], JsonFields::path_of("bodies", i));
    const Body& body = world_.body(id);
    SceneBody& copy = scene.bodies.emplace_back(
        SceneBody{.name = std::to_string(id), .definition = *bodies_.at(id), .appearance = {}});
    copy.definition.pose = body.pose();
    names.push_back(copy.name);
    if (i == 1 && ids[0] == ids[1]) throw InvalidInput("bodies", "must be two");
  }
  joint["bodies"] = names;
  return world_.add_joint(read_joint(joint, "", scene));
}

void Simulation::restore(const Snapshot& snapshot) {
  for (const auto& [id, definition] : snapshot.bodies)
    if (!world_.contains(id)) world_.add(*definition);
  for (const JointDefinition& joint : snapshot.joints) {
    const auto all = world_.joints();
    if (std::none_of(all.begin(), all.end(),
                     [&](const Joint& x) { return x.definition.id == joint.id; })) {
      world_.add_joint(joint);
      continue;
    }
    // Motors and drives are no part of a world's state.
    world_.set_motor(joint.id, joint.motor);
    world_.set_drive(joint.id, joint.drive);
  }
  world_.restore(snapshot.state);
  bodies_ = snapshot.bodies;
}

Shape Simulation::read_shape(JsonFields& fields) {
  const std::size_t place = builder_.shape(fields.require("shape"), "shape");
  Shape shape = scene_.shapes[place].shape;
  drop_unnamed_shapes();
  return shape;
}

void Simulation::drop_unnamed_shapes() {
  scene_.shapes.erase(scene_.shapes.begin() + static_cast<std::ptrdiff_t>(named_shapes_),
                      scene_.shapes.end());
}

json Simulation::touches() const {
  json broken = json::array();
  for (const Joint& joint : world_.broken_joints()) broken.push_back(joint.definition.id);
  return {{"touching", pairs_to_json(world_.touching())},
          {"begun", pairs_to_json(world_.touches_begun())},
          {"ended", pairs_to_json(world_.touches_ended())},
          {"broken", broken}};
}

}  // namespace tactus::io
