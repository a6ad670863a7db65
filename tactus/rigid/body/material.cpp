#include <algorithm>
#include <cmath>

#include "tactus/core.hpp"
#include "tactus/world.hpp"

namespace tactus {
using namespace detail;
namespace {

void require_at_least_zero(double value, const char* field) {
  if (!(value >= 0.0) || !std::isfinite(value))
    throw InvalidInput(field, "must be finite and not negative");
}

}  // namespace

void validate(const Material& material) {
  validate(SurfacePair{material.friction, material.restitution, material.rolling_friction,
                       material.torsional_friction, material.adhesion});
  if (!(material.density > 0.0) || !std::isfinite(material.density))
    throw InvalidInput("density", "must be finite and positive");
}

void validate(const SurfacePair& surface) {
  require_at_least_zero(surface.friction, "friction");
  require_at_least_zero(surface.rolling_friction, "rolling_friction");
  require_at_least_zero(surface.torsional_friction, "torsional_friction");
  require_at_least_zero(surface.adhesion, "adhesion");
  if (!(surface.restitution >= 0.0 && surface.restitution <= 1.0))
    throw InvalidInput("restitution", "must lie between 0 and 1");
}

SurfacePair combine(const Material& a, const Material& b) {
  return {std::sqrt(a.friction * b.friction), std::max(a.restitution, b.restitution),
          std::max(a.rolling_friction, b.rolling_friction),
          std::max(a.torsional_friction, b.torsional_friction), std::sqrt(a.adhesion * b.adhesion)};
}

}  // namespace tactus
