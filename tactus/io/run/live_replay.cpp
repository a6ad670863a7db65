#include <cstdlib>

#include "tactus/io/json/json_fields.hpp"
#include "tactus/io/json/json_text.hpp"
#include "tactus/io/run/live_soft.hpp"
#include "tactus/io/run/live_world.hpp"

namespace tactus::io {

using nlohmann::json;

namespace {

// Steps of a line: more would run for days.
constexpr std::int64_t kMostSteps = 100'000'000;

template <class Live>
Live start(const json& scene, const std::filesystem::path& folder) {
  try {
    return Live(json(scene), folder);
  } catch (const InvalidInput& error) {
    throw error.within("scene");
  }
}

template <class Live>
LiveReplay replay(JsonFields& fields, const std::filesystem::path& folder) {
  Live live = start<Live>(fields.require("scene"), folder);
  const auto steps = static_cast<std::uint64_t>(fields.integer("steps", 0, kMostSteps));
  const auto advance = [&](std::uint64_t end) {
    while (live.world().step_count() < end) live.step();
  };
  const json& acts = fields.array("acts");
  for (std::size_t i = 0; i < acts.size(); ++i) {
    const std::string path = JsonFields::path_of("acts", i);
    const json& entry = acts[i];
    if (!entry.is_array() || entry.size() != 2 || !entry[0].is_number_unsigned())
      throw InvalidInput(path, "must be [step, act]");
    const auto step = entry[0].get<std::uint64_t>();
    if (step < live.world().step_count() || step > steps)
      throw InvalidInput(path, "must not come before the act before it, nor after the last step");
    advance(step);
    try {
      live.perform(entry[1]);
    } catch (const InvalidInput& error) {
      throw error.within(path);
    }
  }
  advance(steps);
  return {steps, live.bodies(), live.state_hash(), {}};
}

bool is_soft(const json& scene) {
  return scene.is_object() && scene.contains("deformables") && !scene["deformables"].empty();
}

}  // namespace

LiveReplay replay_live(std::string_view line, const std::filesystem::path& folder) {
  const json value = parse_json(line);
  JsonFields fields(value, "");
  LiveReplay done = is_soft(fields.require("scene")) ? replay<LiveSoft>(fields, folder)
                                                     : replay<LiveWorld>(fields, folder);
  if (fields.find("hash") != nullptr) {
    const std::string text = fields.text("hash");
    if (text.size() != 16 || text.find_first_not_of("0123456789abcdef") != std::string::npos)
      throw InvalidInput("hash", "must be 16 hexadecimal digits");
    done.expected = std::strtoull(text.c_str(), nullptr, 16);
  }
  fields.finish();
  return done;
}

}  // namespace tactus::io
