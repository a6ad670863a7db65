#include "lab/physics/trials.hpp"

#include <cmath>
#include <iterator>
#include <utility>

namespace tactus::detail::lab::physics {

Finding compare(std::string name, std::string unit, double theory, double ours, double bound) {
  const double scale = theory == 0.0 ? 1.0 : std::fabs(theory);
  return {std::move(name), std::move(unit), theory, ours, std::fabs(ours - theory) / scale, bound};
}

Finding at_most(std::string name, std::string unit, double ours, double bound) {
  return {std::move(name), std::move(unit), 0.0, ours, ours, bound};
}

std::vector<Trial> trials() {
  std::vector<Trial> all;
  for (auto* const group : {structures, sliding, rolling, impacts, many_impacts, walls, jointed}) {
    std::vector<Trial> some = group();
    std::move(some.begin(), some.end(), std::back_inserter(all));
  }
  return all;
}

BodyId add_fixed(World& world, const Shape& shape, const Pose& pose, const Material& material) {
  BodyDefinition body{shape, pose};
  body.type = BodyType::fixed;
  body.material = material;
  return world.add(body);
}

BodyId add_moving(World& world, const Shape& shape, const Pose& pose, const Material& material,
                  const Vec3& linear, const Vec3& angular) {
  BodyDefinition body{shape, pose, linear, angular};
  body.material = material;
  return world.add(body);
}

void run(World& world, double seconds) {
  const double end = world.time() + seconds - 0.5 * world.settings().time_step;
  while (world.time() < end) require_done(world.step());
}

double energy(const World& world) {
  double sum = 0.0;
  for (const Body& body : world.bodies()) {
    if (!body.is_dynamic()) continue;
    sum += body.kinetic_energy() -
           body.mass().mass * dot(world.settings().gravity, body.center_of_mass());
  }
  return sum;
}

}  // namespace tactus::detail::lab::physics
