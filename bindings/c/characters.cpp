// Characters, which walk in a world.
#include <cstddef>
#include <memory>

#include "bindings/c/call.hpp"
#include "bindings/c/handles.hpp"
#include "bindings/c/values.hpp"

using namespace tactus;

namespace {

static_assert(TACTUS_SUPPORT_GROUND == static_cast<int>(CharacterSupport::ground));
static_assert(TACTUS_SUPPORT_SLOPE == static_cast<int>(CharacterSupport::slope));
static_assert(TACTUS_SUPPORT_AIR == static_cast<int>(CharacterSupport::air));

/// Size of the struct in its first version: it never changes when the struct grows.
constexpr std::size_t kFirstSettings = offsetof(tactus_character_settings, air_acceleration) +
                                       sizeof(tactus_character_settings::air_acceleration);

tactus_character_settings default_settings() {
  const CharacterSettings usual;
  return {.struct_size = 0,
          .up = c::from_vec(usual.up),
          .gap = usual.gap,
          .step_height = usual.step_height,
          .max_slope = usual.max_slope,
          .mass = usual.mass,
          .max_force = usual.max_force,
          .air_acceleration = usual.air_acceleration};
}

CharacterSettings to_settings(const tactus_character_settings* settings) {
  if (settings == nullptr) return {};
  const tactus_character_settings given =
      c::read_struct(*settings, kFirstSettings, default_settings(), "tactus_character_settings");
  return {c::to_vec(given.up), given.gap,       given.step_height,     given.max_slope,
          given.mass,          given.max_force, given.air_acceleration};
}

tactus_character_report from_report(const CharacterReport& report) {
  return {.support = static_cast<tactus_character_support>(report.support),
          .hindered = report.hindered ? 1 : 0,
          .stuck = report.stuck ? 1 : 0,
          .reserved = 0,
          .ground = report.ground,
          .ground_point = c::from_vec(report.ground_point),
          .ground_normal = c::from_vec(report.ground_normal),
          .way = c::from_vec(report.way),
          .climbed = report.climbed};
}

}  // namespace

extern "C" {

tactus_error tactus_character_settings_default(tactus_character_settings* settings,
                                               size_t struct_size) {
  return c::call([&] {
    c::write_defaults(c::require(settings, "settings"), struct_size, kFirstSettings,
                      default_settings());
  });
}

tactus_character* tactus_character_create(tactus_world* world, tactus_body_id body,
                                          const tactus_character_settings* settings) {
  tactus_character* made = nullptr;
  c::call([&] {
    made = std::make_unique<tactus_character>(
               CharacterController(c::world_of(world), body, to_settings(settings)))
               .release();
  });
  return made;
}

void tactus_character_destroy(tactus_character* character) { delete character; }

tactus_error tactus_character_update(tactus_character* character, tactus_vec3 velocity, double jump,
                                     tactus_character_report* report) {
  return c::call([&] {
    const CharacterReport& found =
        c::require(character, "character").controller.update({c::to_vec(velocity), jump});
    if (report != nullptr) *report = from_report(found);
  });
}

}  // extern "C"
