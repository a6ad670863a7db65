#include "tactus/io/ranks/scene_part.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <tuple>

#include "tactus/io/scene/scene_json.hpp"
#include "tactus/rigid/body/step_fault.hpp"
#include "tactus/rigid/exchange/parcel.hpp"

namespace tactus::io {

using nlohmann::json;

namespace {

/// So many bodies that follow each other are first held by one rank.
constexpr BodyId kTogether = 256;

/// Does nothing refer to bodies, and are all there at the start? What the document has wrong is
/// told by whoever reads it.
bool can_be_parts(const json& document) {
  if (!document.is_object()) return false;
  for (const char* name : {"joints", "acts", "characters", "deformables", "deformable"})
    if (document.contains(name)) return false;
  if (document.contains("world") && document["world"].is_object() &&
      document["world"].contains("type") && document["world"]["type"] != "contact")
    return false;
  if (!document.contains("generators") || !document["generators"].is_array()) return false;
  return std::none_of(
      document["generators"].begin(), document["generators"].end(),
      [](const json& entry) { return entry.is_object() && entry.contains("rate"); });
}

}  // namespace

Scene ScenePart::read(const std::filesystem::path& file, std::span<const std::string> assignments) {
  Scene scene = read_scene(file, assignments, [&](const json& document) {
    return can_be_parts(document) ? TakeBody([&](const Scene& read, const SceneBody& body) {
      return take(read, body);
    })
                                  : TakeBody();
  });
  return scene;
}

bool ScenePart::take(const Scene& scene, const SceneBody& body) {
  if (!world_) {
    WorldSettings settings = scene.world;
    settings.max_threads = threads_;
    world_ = std::make_unique<World>(settings);
    set_surface_pairs(scene, *world_);
  }
  const BodyDefinition& definition = body.definition;
  const bool dynamic = definition.type == BodyType::dynamic_body;
  const bool mine = !dynamic || definition.id / kTogether % static_cast<BodyId>(ranks_) ==
                                    static_cast<BodyId>(rank_);
  try {
    detail::StepUndo::add_part(*world_, all_, definition, mine);
  } catch (const InvalidInput& error) {
    throw error.within(body.name);
  }
  if (mine) names_.emplace_back(definition.id, body.name);
  return !dynamic;
}

std::unique_ptr<World> ScenePart::share_out(detail::Exchange& exchange) {
  detail::StepUndo::share_out_parts(*world_, std::move(all_), exchange);
  refuse_overlaps(exchange);
  names_ = {};
  return std::move(world_);
}

/// Each pair is known to one rank at least.
void ScenePart::refuse_overlaps(detail::Exchange& exchange) const {
  detail::Parcel mine;
  mine.add_list(world_->overlaps(kStartOverlap));
  std::vector<BodyOverlap> all;
  for (const std::string& message : exchange.gather(mine.take())) {
    const auto theirs = detail::ParcelReader(message).read_list<BodyOverlap>();
    all.insert(all.end(), theirs.begin(), theirs.end());
  }
  const auto key = [](const BodyOverlap& x) {
    return std::tie(x.body_a, x.body_b, x.shift.x, x.shift.y, x.shift.z);
  };
  std::sort(all.begin(), all.end(), [&](const auto& x, const auto& y) { return key(x) < key(y); });
  all.erase(std::unique(all.begin(), all.end(),
                        [&](const auto& x, const auto& y) { return key(x) == key(y); }),
            all.end());
  io::refuse_overlaps(all, [&](BodyId id) {
    const auto found = std::lower_bound(names_.begin(), names_.end(), std::pair(id, std::string()));
    const bool known = found != names_.end() && found->first == id;
    for (const std::string& name : exchange.gather(known ? found->second : std::string()))
      if (!name.empty()) return name;
    return std::to_string(id);
  });
}

}  // namespace tactus::io
