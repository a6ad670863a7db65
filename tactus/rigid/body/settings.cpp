#include <array>
#include <cmath>
#include <string>

#include "tactus/core.hpp"
#include "tactus/rigid/body/periodic.hpp"
#include "tactus/world.hpp"

namespace tactus {
using namespace detail;
namespace {

void require(bool condition, const char* field, const char* reason) {
  if (!condition) throw InvalidInput(field, reason);
}

bool positive(double value) { return value > 0.0 && std::isfinite(value); }
bool at_least_zero(double value) { return value >= 0.0 && std::isfinite(value); }

void validate(const PeriodicShear& shear, const WorldSettings& settings) {
  const auto check = [&](int axis, const char* field) {
    require(axis >= 0 && axis < 3, field, "must be an axis, 0 to 2");
    require(settings.periodic[static_cast<std::size_t>(axis)].has_value(), field,
            "must be a periodic axis");
  };
  check(shear.flow, "shear.flow");
  check(shear.gradient, "shear.gradient");
  require(shear.flow != shear.gradient, "shear.gradient", "must be another axis than shear.flow");
  require(std::isfinite(shear.rate), "shear.rate", "must be finite");
  require(settings.sleep_time == 0.0, "sleep_time", "must be 0 in a world under shear");
  require(settings.plane == MotionPlane::none || (shear.flow < 2 && shear.gradient < 2),
          "shear.gradient", "must lie in the plane of the world");
}

void validate(const ElasticContacts& elastic, const WorldSettings& settings) {
  require(positive(elastic.young), "elastic.young", "must be finite and positive");
  require(elastic.poisson >= 0.0 && elastic.poisson <= 0.5, "elastic.poisson",
          "must lie in [0, 0.5]");
  require(elastic.rayleigh_part > 0.0 && elastic.rayleigh_part <= 0.5, "elastic.rayleigh_part",
          "must lie in (0, 0.5]");
  require(settings.sleep_time == 0.0, "sleep_time", "must be 0 in a world with elastic contacts");
  require(!settings.shear, "shear", "is not for a world with elastic contacts");
}

}  // namespace

std::string_view to_string(Detector detector) {
  constexpr std::string_view kNames[] = {"closed_form", "iterative"};
  return detail::name_in(kNames, detector);
}

std::string_view to_string(ContactPoints points) {
  constexpr std::string_view kNames[] = {"manifold", "one"};
  return detail::name_in(kNames, points);
}

std::string_view to_string(PlaneContact place) {
  constexpr std::string_view kNames[] = {"midpoint", "on_plane"};
  return detail::name_in(kNames, place);
}

std::string_view to_string(MotionPlane plane) {
  constexpr std::string_view kNames[] = {"none", "xy"};
  return detail::name_in(kNames, plane);
}

std::string_view to_string(Quality quality) {
  constexpr std::string_view kNames[] = {"default", "fast"};
  return detail::name_in(kNames, quality);
}

WorldSettings settings_of(Quality quality) {
  WorldSettings settings;
  if (quality == Quality::fast) {
    settings.substeps = 4;
    settings.load_overlap = 0.0;
    settings.least_impact = 0.005;
  }
  return settings;
}

std::string_view to_string(StepError error) {
  constexpr std::string_view kNames[] = {"none",      "motion", "force",      "place", "crowded",
                                         "no_answer", "joint",  "not_finite", "memory"};
  return detail::name_in(kNames, error);
}

std::string to_text(const StepFailure& failure) {
  std::string text(to_string(failure.error));
  if (!failure.bodies.empty()) {
    text += failure.bodies.size() == 1 ? ": body" : ": bodies";
    for (const BodyId id : failure.bodies) text += " " + std::to_string(id);
  }
  return text + ": " + failure.reason;
}

void validate(const WorldSettings& settings) {
  require(is_finite(settings.gravity), "gravity", "must be finite");
  require(positive(settings.time_step), "time_step", "must be finite and positive");
  require(settings.substeps >= 1 && settings.substeps <= 10000, "substeps",
          "must lie between 1 and 10000");
  require(settings.max_threads >= 0, "max_threads", "must not be negative");
  require(at_least_zero(settings.load_overlap), "load_overlap", "must be finite and not negative");
  require(at_least_zero(settings.sleep_time), "sleep_time", "must be finite and not negative");
  require(at_least_zero(settings.sleep_speed), "sleep_speed", "must be finite and not negative");
  require(at_least_zero(settings.contact_margin), "contact_margin",
          "must be finite and not negative");
  require(settings.contact_frequency > 0.0 && settings.contact_frequency <= 0.5,
          "contact_frequency", "must lie in (0, 0.5]");
  require(positive(settings.contact_damping), "contact_damping", "must be finite and positive");
  require(positive(settings.max_push_speed), "max_push_speed", "must be finite and positive");
  require(at_least_zero(settings.restitution_threshold), "restitution_threshold",
          "must be finite and not negative");
  require(at_least_zero(settings.least_impact), "least_impact", "must be finite and not negative");
  require(at_least_zero(settings.linear_damping), "linear_damping",
          "must be finite and not negative");
  require(at_least_zero(settings.angular_damping), "angular_damping",
          "must be finite and not negative");
  detail::validate_periodic(settings.periodic);
  if (settings.shear) validate(*settings.shear, settings);
  if (settings.elastic) validate(*settings.elastic, settings);
}

}  // namespace tactus
