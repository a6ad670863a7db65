// Bodies that move over neighbours that share a surface move as over one body: no seam is felt.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "tactus/core/random.hpp"
#include "tactus/world.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/meshes.hpp"

namespace tactus::detail {
namespace {

constexpr int kTiles = 43;

/// A box as a closed mesh.
TriangleMesh box_mesh(const Vec3& size, const Vec3& center) {
  TriangleMesh mesh = test::cube_mesh();
  for (Vec3& v : mesh.vertices)
    v = center + Vec3{0.5 * size.x * v.x, 0.5 * size.y * v.y, 0.5 * size.z * v.z};
  return mesh;
}

void append(TriangleMesh& mesh, const TriangleMesh& more) {
  const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
  mesh.vertices.insert(mesh.vertices.end(), more.vertices.begin(), more.vertices.end());
  for (const auto& t : more.triangles)
    mesh.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
}

enum class Make { slab, boxes, compound, meshes, one_mesh, hulls };

/// A floor up to z = 0, of tiles of this length one behind the other along x, from -length/2 on.
struct Floor {
  Make make = Make::slab;
  double length = 0.5, width = 4.0;
  int tiles = kTiles;
};

void add_fixed(World& world, const Shape& shape, const Vec3& place, double friction) {
  BodyDefinition definition{shape, Pose::translation(place)};
  definition.type = BodyType::fixed;
  definition.material.friction = friction;
  world.add(definition);
}

void add_floor(World& world, const Floor& floor, double friction) {
  const Vec3 size{floor.length, floor.width, 1.0};
  const auto place = [&](int i) { return Vec3{floor.length * i, 0.0, -0.5}; };
  std::vector<Compound::Part> parts;
  TriangleMesh all;
  switch (floor.make) {
    case Make::slab:
      add_fixed(world, Box({floor.length * floor.tiles, floor.width, 1.0}),
                {0.5 * floor.length * (floor.tiles - 1), 0.0, -0.5}, friction);
      return;
    case Make::boxes:
      for (int i = 0; i < floor.tiles; ++i) add_fixed(world, Box(size), place(i), friction);
      return;
    case Make::meshes:
      for (int i = 0; i < floor.tiles; ++i)
        add_fixed(world, Mesh(box_mesh(size, {})), place(i), friction);
      return;
    case Make::hulls:
      for (int i = 0; i < floor.tiles; ++i)
        add_fixed(world, Convex(box_mesh(size, {}).vertices), place(i), friction);
      return;
    case Make::compound:
      for (int i = 0; i < floor.tiles; ++i)
        parts.push_back({Box(size), Pose::translation(place(i))});
      add_fixed(world, Compound(parts), {}, friction);
      return;
    case Make::one_mesh:
      for (int i = 0; i < floor.tiles; ++i) append(all, box_mesh(size, place(i)));
      add_fixed(world, Mesh(all), {}, friction);
      return;
  }
}

struct Ride {
  Shape body = Sphere(0.5);
  Vec3 place, velocity;
  double friction = 0.0;
  int steps = 120;
  bool lies = false;
};

struct Way {
  Vec3 end;
  double least = 1e9, most = -1e9;  ///< height
};

Way run_over(const Floor& floor, const Ride& run) {
  World world;
  add_floor(world, floor, run.friction);
  BodyDefinition body{run.body, Pose::translation(run.place), run.velocity};
  if (run.lies) body.pose = Pose(run.place, to_quaternion(Mat3{{{0, 0, 1}, {1, 0, 0}, {0, 1, 0}}}));
  body.material.friction = run.friction;
  const BodyId id = world.add(body);
  Way way;
  for (int i = 0; i < run.steps; ++i) {
    world.step();
    way.end = world.body(id).pose().position();
    way.least = std::min(way.least, way.end.z);
    way.most = std::max(way.most, way.end.z);
  }
  return way;
}

TEST(Seams, Explore) {
  struct Moving {
    const char* name;
    Shape shape;
    double height;
    bool lies;
  };
  const std::vector<Moving> shapes{
      {"cube", Box({1, 1, 1}), 0.5, false},
      {"small cube", Box({0.3, 0.3, 0.3}), 0.15, false},
      {"cylinder", Cylinder(0.3, 0.8), 0.4, false},
      {"lying cylinder", Cylinder(0.3, 0.8), 0.3, true},
      {"capsule", Capsule(0.3, 0.8), 0.3, true},
      {"sphere", Sphere(0.4), 0.4, false},
      {"hull", Convex(box_mesh({0.8, 0.6, 0.5}, {}).vertices), 0.25, false},
      {"mesh", Mesh(box_mesh({0.8, 0.6, 0.5}, {})), 0.25, false}};
  const char* names[] = {"slab", "boxes", "compound", "meshes", "one_mesh", "hulls"};
  for (const Moving& m : shapes)
    for (const double speed : {0.5, 2.0, 8.0, 20.0})
      for (const double friction : {0.0, 0.5}) {
            Ride run{m.shape, {0.1, 0.13, m.height}, {speed, 0, 0}, friction, 0, m.lies};
        run.steps = static_cast<int>(std::min(300.0, 18.0 / speed * 60));
        Floor floor;
        const Way slab = run_over(floor, run);
        for (int k = 1; k < 6; ++k) {
          floor.make = static_cast<Make>(k);
          const Way way = run_over(floor, run);
          const double off = std::fabs(way.end.x - slab.end.x) / std::fabs(slab.end.x - 0.1);
          const double up = std::max(way.most - slab.most, slab.least - way.least);
          const double y = std::fabs(way.end.y - slab.end.y);
          if (off > 1e-3 || up > 1e-4 || y > 1e-2)
            std::printf("%s %s v %g mu %g: way %g of %g off %g, height %g y %g\n", m.name,
                        names[k], speed, friction, way.end.x, slab.end.x, off, up, y);
        }
      }
}

}  // namespace
}  // namespace tactus::detail
