#include "tactus/character.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "tactus/core/constants.hpp"
#include "tactus/rigid/character/walk.hpp"

namespace tactus {

std::string_view to_string(CharacterSupport support) {
  constexpr std::string_view kNames[] = {"ground", "slope", "air"};
  return detail::name_in(kNames, support);
}

void validate(const CharacterSettings& settings) {
  const auto require = [](bool fine, const char* field, const char* reason) {
    if (!fine) throw InvalidInput(field, reason);
  };
  require(is_finite(settings.up) && max_abs(settings.up) > 0.0, "up",
          "must be finite and not zero");
  require(settings.gap > 0.0 && std::isfinite(settings.gap), "gap", "must be finite and positive");
  require(settings.max_slope >= 0.0 && settings.max_slope < 0.5 * detail::kPi, "max_slope",
          "must be at least 0 and below a quarter turn");
  constexpr const char* kReason = "must be finite and not negative";
  const auto not_negative = [](double x) { return x >= 0.0 && std::isfinite(x); };
  require(not_negative(settings.step_height), "step_height", kReason);
  require(not_negative(settings.mass), "mass", kReason);
  require(not_negative(settings.max_force), "max_force", kReason);
  require(not_negative(settings.air_acceleration), "air_acceleration", kReason);
}

CharacterController::CharacterController(World& world, BodyId body,
                                         const CharacterSettings& settings)
    : world_(&world), body_(body), settings_(settings) {
  validate(settings);
  const Body& moved = world.body(body);
  if (moved.type() != BodyType::kinematic) throw InvalidInput("id", "is not of a kinematic body");
  if (!moved.shape().is_convex_body()) throw InvalidInput("shape", "must be convex");
  const auto& periodic = world.settings().periodic;
  if (std::any_of(periodic.begin(), periodic.end(),
                  [](const auto& axis) { return axis.has_value(); }))
    throw InvalidInput("world", "repeats");
}

void CharacterController::set_settings(const CharacterSettings& settings) {
  validate(settings);
  settings_ = settings;
}

const CharacterReport& CharacterController::update(const CharacterInput& input,
                                                   std::span<const BodyId> waiting) {
  if (!is_finite(input.velocity)) throw InvalidInput("velocity", "must be finite");
  if (!(input.jump >= 0.0) || !std::isfinite(input.jump))
    throw InvalidInput("jump", "must be finite and not negative");
  report_ = detail::Walk(*world_, world_->body(body_), settings_, waiting).run(input);
  return report_;
}

}  // namespace tactus
