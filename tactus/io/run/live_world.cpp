#include "tactus/io/run/live_world.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tactus/io/json/json_fields.hpp"
#include "tactus/io/json/json_shape.hpp"
#include "tactus/io/json/json_text.hpp"
#include "tactus/io/scene/scene_json.hpp"

namespace tactus::io {

using nlohmann::json;

namespace {

// A pulled point closes this part of its way in one step.
constexpr double kPullRate = 0.2;
// Most change of speed that the spring gives in one step, in body sizes per time.
constexpr double kPullSpeed = 20.0;
// Part of the turning that stays from step to step while a body is pulled.
constexpr double kTurnKept = 0.9;

Pose read_pose(JsonFields& fields) {
  try {
    return pose_from_json(fields.require("pose"));
  } catch (const InvalidInput& error) {
    throw error.within(fields.path_of("pose"));
  }
}

/// Momentum per speed at a point with this lever, at least.
double least_mass_at(const Body& body, const Vec3& lever) {
  const Mat3& inverse = body.inverse_inertia();
  const double turning = inverse(0, 0) + inverse(1, 1) + inverse(2, 2);
  return 1.0 / (body.inverse_mass() + dot(lever, lever) * turning);
}

}  // namespace

LiveWorld::LiveWorld(std::string_view scene, const std::filesystem::path& folder)
    : LiveWorld(parse_json(scene), folder) {}

LiveWorld::LiveWorld(json scene, const std::filesystem::path& folder)
    : document_(std::make_shared<const json>(std::move(scene))),
      scene_(std::make_shared<const Scene>(scene_from_json(*document_, folder))),
      world_(build_world(*scene_)) {}

void LiveWorld::act(std::string_view text) { perform(parse_json(text)); }

void LiveWorld::perform(const json& act) {
  JsonFields fields(act, "");
  const std::string what = fields.text("do");
  if (what == "set") {
    change_settings(act);
  } else if (what == "push") {
    const BodyId body = body_of(act, "body");
    const Vec3 impulse = fields.vector("impulse"), point = fields.vector("point");
    fields.find("body");
    fields.finish();
    world_->apply_impulse(body, impulse, point);
  } else if (what == "pull") {
    const Pull next{body_of(act, "body"), fields.vector("point"), fields.vector("to")};
    fields.find("body");
    fields.finish();
    pull_ = next;
  } else if (what == "release") {
    fields.finish();
    pull_.reset();
  } else if (what == "add") {
    add_body(act);
  } else {
    throw InvalidInput("do", "must be set, push, pull, release or add");
  }
  // A pull that follows the pointer replaces the one that has not yet acted.
  const std::uint64_t now = world_->step_count();
  if (what == "pull" && !acts_.empty() && acts_.back().step == now &&
      acts_.back().what->at("do") == "pull") {
    acts_.pop_back();
  }
  acts_.push_back({now, std::make_shared<const json>(act)});
}

BodyId LiveWorld::body_of(const json& act, const char* field) const {
  JsonFields fields(act, "");
  const auto id = static_cast<BodyId>(
      fields.integer(field, 1, static_cast<std::int64_t>(scene_->bodies.size())));
  if (!world_->contains(id)) throw InvalidInput(field, "has not entered the world");
  return id;
}

// A world with other settings and materials that goes on from the same state.
void LiveWorld::change_settings(const json& act) {
  JsonFields fields(act, "");
  fields.find("do");
  Scene next = *scene_;
  next.world.gravity = fields.vector("gravity", next.world.gravity);
  next.world.substeps = static_cast<int>(fields.integer("substeps", 1, 1000, next.world.substeps));
  if (next.impulse) next.impulse->gravity = next.world.gravity;
  for (const char* name : {"friction", "restitution"}) {
    if (fields.find(name) == nullptr) continue;
    const double value = fields.number(name);
    for (SceneBody& body : next.bodies) {
      Material& material = body.definition.material;
      (name[0] == 'f' ? material.friction : material.restitution) = value;
      validate(material);
    }
  }
  fields.finish();
  world_ = continue_world(next, world_->save());
  scene_ = std::make_shared<const Scene>(std::move(next));
}

void LiveWorld::add_body(const json& act) {
  JsonFields fields(act, "");
  fields.find("do");
  fields.find("like");
  SceneBody body = scene_->bodies[static_cast<std::size_t>(body_of(act, "like") - 1)];
  body.definition.pose = read_pose(fields);
  body.definition.linear_velocity = fields.vector("linear_velocity", {});
  body.definition.angular_velocity = fields.vector("angular_velocity", {});
  fields.finish();
  body.definition.id = scene_->bodies.size() + 1;
  body.first_step = 0;
  auto next = std::make_shared<Scene>(*scene_);
  next->bodies.push_back(body);
  world_->add(body.definition);
  scene_ = std::move(next);
}

// One impulse per step that takes the point a part of its way, and holds it against gravity.
void LiveWorld::pull(const Pull& by) {
  const Body& body = world_->body(by.body);
  if (!body.is_dynamic()) return;
  const double dt = scene_->world.time_step;
  const Vec3 point = body.pose().to_world(by.point);
  Vec3 change =
      (by.to - point) * (kPullRate / dt) - body.velocity_at(point) - scene_->world.gravity * dt;
  const double most = kPullSpeed * body.size(), speed = norm(change);
  if (speed > most) change = change * (most / speed);
  world_->set_velocity(body.id(), body.linear_velocity(), body.angular_velocity() * kTurnKept);
  const Vec3 lever = point - body.center_of_mass();
  world_->apply_impulse(body.id(), change * least_mass_at(body, lever), point);
}

const StepStatistics& LiveWorld::step() {
  begin_step(*scene_, world_->step_count(), *world_);
  if (pull_) pull(*pull_);
  return require_done(world_->step());
}

LiveMoment LiveWorld::save() const {
  LiveMoment moment;
  moment.document_ = document_;
  moment.scene_ = scene_;
  moment.state_ = world_->save();
  moment.pull_ = pull_;
  moment.acts_ = acts_;
  return moment;
}

void LiveWorld::restore(const LiveMoment& moment) {
  if (moment.document_ != document_) throw InvalidInput("moment", "is one of another world");
  world_ = continue_world(*moment.scene_, moment.state_);
  scene_ = moment.scene_;
  pull_ = moment.pull_;
  acts_ = moment.acts_;
}

std::size_t LiveMoment::bytes() const {
  return sizeof *this + state_.bodies.size() * sizeof(BodyMotion) +
         state_.pairs.size() * sizeof(PairMemory) +
         state_.manifolds.size() * sizeof(ManifoldMemory) +
         state_.points.size() * sizeof(ContactPointMemory) +
         state_.joints.size() * sizeof(JointMemory) + acts_.size() * sizeof(Act);
}

std::string LiveWorld::line() const {
  nlohmann::ordered_json out;
  out["scene"] = *document_;
  out["steps"] = world_->step_count();
  out["acts"] = json::array();
  for (const auto& [step, act] : acts_) out["acts"].push_back({step, *act});
  out["hash"] = hash_text(state_hash());
  return json_dump(out);
}

std::string hash_text(std::uint64_t hash) { return fmt::format("{:016x}", hash); }

}  // namespace tactus::io
