#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "tactus/world.hpp"
#include "tests/support/meshes.hpp"

namespace tactus::detail::test {

/// A box as a closed mesh.
inline TriangleMesh box_mesh(const Vec3& size, const Vec3& center) {
  TriangleMesh mesh = cube_mesh();
  for (Vec3& v : mesh.vertices)
    v = center + Vec3{0.5 * size.x * v.x, 0.5 * size.y * v.y, 0.5 * size.z * v.z};
  return mesh;
}

inline void append(TriangleMesh& mesh, const TriangleMesh& more) {
  const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
  mesh.vertices.insert(mesh.vertices.end(), more.vertices.begin(), more.vertices.end());
  for (const auto& t : more.triangles)
    mesh.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
}

/// How a floor of tiles is made of bodies.
enum class Make { slab, boxes, compound, meshes, one_mesh, hulls };
inline constexpr Make kMakes[] = {Make::boxes, Make::compound, Make::meshes, Make::one_mesh,
                                  Make::hulls};

/// A floor up to z = 0, of tiles behind each other along x in rows along y, odd rows moved on by
/// half a tile. The slab covers what all rows do.
struct Floor {
  Make make = Make::slab;
  double length = 0.5, width = 2.0;
  int tiles = 43, rows = 2;
};

inline void add_fixed(World& world, const Shape& shape, const Vec3& place, double friction,
                      const Vec3& velocity = {}) {
  BodyDefinition definition{shape, Pose::translation(place), velocity};
  definition.type = velocity == Vec3{} ? BodyType::fixed : BodyType::kinematic;
  definition.material.friction = friction;
  definition.material.restitution = 0.0;
  world.add(definition);
}

inline void add_floor(World& world, const Floor& floor, double friction,
                      const Vec3& velocity = {}) {
  const Vec3 size{floor.length, floor.width, 1.0};
  if (floor.make == Make::slab) {
    const double length = floor.length * (floor.tiles + 1);
    add_fixed(world, Box({length, floor.width * floor.rows, 1.0}),
              {0.5 * length - 0.5 * floor.length, 0.0, -0.5}, friction, velocity);
    return;
  }
  std::vector<Compound::Part> parts;
  TriangleMesh all;
  for (int i = 0; i < floor.tiles * floor.rows; ++i) {
    const int row = i / floor.tiles, column = i % floor.tiles;
    const Vec3 place{floor.length * (column + 0.5 * (row % 2)),
                     floor.width * (row - 0.5 * (floor.rows - 1)), -0.5};
    if (floor.make == Make::boxes) add_fixed(world, Box(size), place, friction, velocity);
    if (floor.make == Make::meshes)
      add_fixed(world, Mesh(box_mesh(size, {})), place, friction, velocity);
    if (floor.make == Make::hulls)
      add_fixed(world, Convex(box_mesh(size, {}).vertices), place, friction, velocity);
    parts.push_back({Box(size), Pose::translation(place)});
    append(all, box_mesh(size, place));
  }
  if (floor.make == Make::compound) add_fixed(world, Compound(parts), {}, friction, velocity);
  if (floor.make == Make::one_mesh) add_fixed(world, Mesh(all), {}, friction, velocity);
}

/// A body that is put on the floor and given a velocity.
struct Ride {
  Shape body = Sphere(0.5);
  Pose pose;
  Vec3 velocity;
  double friction = 0.0;
  int steps = 60;
};

struct Way {
  Vec3 end;
  double least = 1e9, most = -1e9;  ///< height
};

inline Way run_over(const Floor& floor, const Ride& ride) {
  World world;
  add_floor(world, floor, ride.friction);
  BodyDefinition body{ride.body, ride.pose, ride.velocity};
  body.material.friction = ride.friction;
  const BodyId id = world.add(body);
  Way way;
  for (int i = 0; i < ride.steps; ++i) {
    world.step();
    way.end = world.body(id).pose().position();
    way.least = std::min(way.least, way.end.z);
    way.most = std::max(way.most, way.end.z);
  }
  return way;
}

/// A body that lies on the floor, and the height of its middle.
struct Lying {
  const char* name;
  Shape shape;
  double height;
  bool turned;  ///< its axis along y
};

inline std::vector<Lying> lying_bodies() {
  const TriangleMesh brick = box_mesh({0.8, 0.6, 0.5}, {});
  return {{"cube", Box({1, 1, 1}), 0.5, false},
          {"small cube", Box({0.3, 0.3, 0.3}), 0.15, false},
          {"cylinder", Cylinder(0.3, 0.8), 0.4, false},
          {"lying cylinder", Cylinder(0.3, 0.8), 0.3, true},
          {"capsule", Capsule(0.3, 0.8), 0.3, true},
          {"sphere", Sphere(0.4), 0.4, false},
          {"hull", Convex(brick.vertices), 0.25, false},
          {"mesh", Mesh(brick), 0.25, false}};
}

/// The pose in which it lies.
inline Pose lying_pose(const Lying& body, double x, double y) {
  const double half = std::sqrt(0.5);
  const Vec3 place{x, y, body.height};
  return body.turned ? Pose(place, Quat{half, half, 0.0, 0.0}) : Pose::translation(place);
}

}  // namespace tactus::detail::test
