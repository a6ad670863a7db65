#include "tactus/rigid/body/given_mass.hpp"

#include "tactus/shape.hpp"

namespace tactus::detail {

BodyMass GivenMass::completed(const Shape& shape, double density) const {
  if (mass && center && inertia) return {*mass, *center, *inertia};
  MassProperties unit;
  try {
    unit = mass_properties(shape);
  } catch (const InvalidInput& error) {
    throw InvalidInput("mass", "center and inertia are needed for this shape: " + error.reason());
  }
  const double by = mass ? *mass / unit.volume : density;
  return {mass.value_or(unit.volume * by), center.value_or(unit.center),
          inertia.value_or(unit.inertia * by)};
}

}  // namespace tactus::detail
