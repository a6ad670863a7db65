#include "tactus/io/run/live_soft.hpp"

#include <algorithm>

#include "tactus/io/json/json_fields.hpp"
#include "tactus/io/json/json_text.hpp"
#include "tactus/io/json/known_names.hpp"
#include "tactus/io/run/live_world.hpp"
#include "tactus/io/scene/responses.hpp"
#include "tactus/io/scene/scene_json.hpp"

namespace tactus::io {

using nlohmann::json;

namespace {

// Part of the way to its goal that a pulled vertex is led in one step.
constexpr double kPullRate = 0.3;
// Most of it, as a part of the reach: what lies between is dragged along, not torn.
constexpr double kPullMost = 1.0;

void set_material(JsonFields& fields, soft::DeformableMaterial& m) {
  m.young = fields.number("young", m.young);
  m.poisson = fields.number("poisson", m.poisson);
  m.damping = fields.number("damping", m.damping);
  m.friction = fields.number("friction", m.friction);
  validate(m);
}

}  // namespace

LiveSoft::LiveSoft(std::string_view scene, const std::filesystem::path& folder)
    : LiveSoft(parse_json(scene), folder) {}

LiveSoft::LiveSoft(json scene, const std::filesystem::path& folder)
    : document_(std::move(scene)),
      scene_(scene_from_json(document_, folder)),
      rigid_(build_rigid_world(scene_)),
      world_(build_deformable_world(scene_, rigid_.get())) {
  if (scene_.deformables.empty()) throw InvalidInput("deformables", "are missing");
}

void LiveSoft::act(std::string_view text) { perform(parse_json(text)); }

void LiveSoft::perform(const json& act) {
  JsonFields fields(act, "");
  const std::string what = fields.text("do");
  if (what == "set") {
    change_settings(act);
  } else if (what == "pull") {
    pull(act);
  } else if (what == "release") {
    fields.finish();
    release();
  } else {
    throw InvalidInput("do", "must be set, pull or release");
  }
  // A pull that follows the pointer replaces the one that has not yet acted.
  const std::uint64_t now = world_.step_count();
  if (what == "pull" && !acts_.empty() && acts_.back().first == now) {
    const json& last = acts_.back().second;
    const bool same = last["do"] == "pull" && last["body"] == act["body"] &&
                      last["vertex"] == act["vertex"] && last["reach"] == act["reach"];
    if (same) acts_.pop_back();
  }
  acts_.emplace_back(now, act);
}

// A world with other settings and materials that goes on from the same state.
void LiveSoft::change_settings(const json& act) {
  JsonFields fields(act, "");
  fields.find("do");
  Scene next = scene_;
  next.deformable.gravity = fields.vector("gravity", next.deformable.gravity);
  next.world.gravity = next.deformable.gravity;
  for (SceneDeformable& body : next.deformables) set_material(fields, body.definition.material);
  if (fields.find("response") != nullptr) {
    next.response = choice_of<soft::DeformableResponse>(fields.text("response"), "response");
    if (next.response != scene_.response && world_.step_count() > 0)
      throw InvalidInput("response", "is chosen before the first step");
    try {
      refuse_response(next);
    } catch (const InvalidInput& error) {
      throw InvalidInput("response", error.what());
    }
  }
  fields.finish();
  next.deformable.contacts = next.response == soft::DeformableResponse::continuous;
  std::unique_ptr<World> rigid = build_rigid_world(next);
  soft::DeformableWorld world = build_deformable_world(next, rigid.get());
  if (world_.step_count() > 0 || pull_) {
    world.restore(world_.save());
    if (rigid) rigid->restore(rigid_->save());
  }
  world_ = std::move(world);
  rigid_ = std::move(rigid);
  scene_ = std::move(next);
}

void LiveSoft::pull(const json& act) {
  JsonFields fields(act, "");
  fields.find("do");
  Pull next;
  next.body = static_cast<soft::DeformableId>(
      fields.integer("body", 1, static_cast<std::int64_t>(world_.bodies())) - 1);
  const auto x = world_.positions(next.body);
  next.vertex = static_cast<std::uint32_t>(
      fields.integer("vertex", 0, static_cast<std::int64_t>(x.size()) - 1));
  next.to = fields.vector("to");
  const double reach = fields.number("reach");
  if (!(reach > 0.0)) throw InvalidInput("reach", "must be positive");
  fields.finish();
  if (pull_ && pull_->body == next.body && pull_->vertex == next.vertex) {
    pull_->to = next.to;
    return;
  }
  release();
  const soft::DeformableState state = world_.save();
  std::size_t first = 0;
  for (soft::DeformableId b = 0; b < next.body; ++b) first += world_.positions(b).size();
  for (std::uint32_t i = 0; i < x.size(); ++i) {
    const Vec3 offset = x[i] - x[next.vertex];
    if (norm(offset) > reach || state.held[first + i] != 0) continue;
    next.led.push_back(i);
    next.offsets.push_back(offset);
  }
  pull_ = std::move(next);
}

void LiveSoft::release() {
  if (!pull_) return;
  for (const std::uint32_t i : pull_->led) world_.release(pull_->body, i);
  pull_.reset();
}

void LiveSoft::lead() {
  if (!pull_) return;
  const auto& pull = *pull_;
  const Vec3 at = world_.positions(pull.body)[pull.vertex];
  Vec3 way = (pull.to - at) * kPullRate;
  double size = 0.0;
  for (const Vec3& offset : pull.offsets) size = std::max(size, norm(offset));
  const double most = kPullMost * size, length = norm(way);
  if (size > 0.0 && length > most) way = way * (most / length);
  for (std::size_t k = 0; k < pull.led.size(); ++k)
    world_.lead(pull.body, pull.led[k], at + way + pull.offsets[k]);
}

const soft::DeformableStatistics& LiveSoft::step() {
  lead();
  require_done(step_deformables(scene_, world_, rigid_.get()));
  return world_.statistics();
}

std::uint64_t LiveSoft::state_hash() const { return io::state_hash(world_, rigid_.get()); }

std::string LiveSoft::line() const {
  nlohmann::ordered_json out;
  out["scene"] = document_;
  out["steps"] = world_.step_count();
  out["acts"] = json::array();
  for (const auto& [step, act] : acts_) out["acts"].push_back({step, act});
  out["hash"] = hash_text(state_hash());
  return json_dump(out);
}

}  // namespace tactus::io
