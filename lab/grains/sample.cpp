#include "lab/grains/grains.hpp"

namespace tactus::detail::lab::grains {

Material surface(double friction, double restitution) {
  Material material;
  material.friction = friction;
  material.restitution = restitution;
  material.density = kDensity;
  return material;
}

BodyId add_wall(World& world, const Vec3& normal, double offset, const Material& material) {
  BodyDefinition wall{HalfSpace(normal, offset)};
  wall.type = BodyType::fixed;
  wall.material = material;
  return world.add(wall);
}

BodyDefinition grain(Random& random, const Material& material) {
  BodyDefinition body{Sphere(0.5 * kDiameter * random.uniform(0.9, 1.1))};
  body.material = material;
  return body;
}

Vec3 lattice_place(std::uint64_t i, int along, int across) {
  const auto a = static_cast<std::uint64_t>(along), b = static_cast<std::uint64_t>(across);
  return {static_cast<double>(i % a) + 0.5, static_cast<double>(i / a % b) + 0.5,
          static_cast<double>(i / (a * b)) + 0.5};
}

std::vector<BodyId> dynamic_bodies(const World& world) {
  std::vector<BodyId> found;
  for (const Body& body : world.bodies())
    if (body.is_dynamic()) found.push_back(body.id());
  return found;
}

double mass_of(const World& world, const std::vector<BodyId>& bodies) {
  double mass = 0.0;
  for (const BodyId id : bodies) mass += world.body(id).mass().mass;
  return mass;
}

}  // namespace tactus::detail::lab::grains
