#pragma once

#include "tactus/core/random.hpp"
#include "tactus/world.hpp"

namespace tactus::detail::test {

inline BodyId add_ground(World& world, const Material& material = {},
                         const Vec3& normal = {0.0, 0.0, 1.0}) {
  BodyDefinition ground{HalfSpace(normal, 0.0)};
  ground.type = BodyType::fixed;
  ground.material = material;
  return world.add(ground);
}

inline BodyId add_body(World& world, const Shape& shape, const Vec3& position,
                       const Material& material = {}, const Vec3& velocity = {}) {
  BodyDefinition body{shape, Pose::translation(position), velocity};
  body.material = material;
  return world.add(body);
}

inline void run(World& world, double seconds) {
  const double end = world.time() + seconds - 0.5 * world.settings().time_step;
  while (world.time() < end) require_done(world.step());
}

inline Quat random_rotation(Random& random) {
  const double w = random.uniform(-1.0, 1.0), x = random.uniform(-1.0, 1.0);
  const double y = random.uniform(-1.0, 1.0), z = random.uniform(-1.0, 1.0);
  return normalized(Quat{w, x, y, z});
}

/// One of eight kinds of bodies, about 0.4 across.
inline Shape mixed_shape(int kind) {
  switch (kind % 8) {
    case 0:
      return Sphere(0.2);
    case 1:
      return Box({0.4, 0.3, 0.35});
    case 2:
      return Capsule(0.12, 0.24);
    case 3:
      return Cylinder(0.15, 0.35);
    case 4:
      return Cone(0.2, 0.4);
    case 5:
      return Ellipsoid({0.2, 0.15, 0.12});
    case 6: {
      const Vec3 points[] = {{0.2, 0.0, 0.0},    {-0.2, 0.05, 0.0}, {0.0, 0.2, 0.02},
                             {0.0, -0.2, 0.0},   {0.0, 0.0, 0.15},  {0.03, 0.0, -0.15},
                             {0.12, 0.12, 0.08}, {-0.1, -0.1, 0.1}};
      return Convex(points);
    }
    default:
      return Compound({{Box({0.4, 0.1, 0.1}), Pose()},
                       {Box({0.1, 0.1, 0.3}), Pose::translation({0.15, 0.0, 0.2})}});
  }
}

/// `count` mixed bodies in layers above the floor of a box with the given half width.
inline void add_pile(World& world, int count, double half_width, const Material& material) {
  add_ground(world, material);
  for (const Vec3& normal :
       {Vec3{1.0, 0.0, 0.0}, {-1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, -1.0, 0.0}}) {
    BodyDefinition wall{HalfSpace(normal, -half_width)};
    wall.type = BodyType::fixed;
    wall.material = material;
    world.add(wall);
  }
  Random random(11);
  const int row = static_cast<int>((2.0 * half_width - 0.3) / 0.62);
  for (int i = 0; i < count; ++i) {
    const int column = i % row, line = i / row % row, layer = i / (row * row);
    const double x = (column - 0.5 * (row - 1)) * 0.62 + random.uniform(-0.02, 0.02);
    const double y = (line - 0.5 * (row - 1)) * 0.62 + random.uniform(-0.02, 0.02);
    BodyDefinition body{mixed_shape(i)};
    body.pose = Pose({x, y, 0.5 + 0.7 * layer}, test::random_rotation(random));
    body.material = material;
    world.add(body);
  }
}

}  // namespace tactus::detail::test
