// Convex bodies that spin in corners: at the end of no step one is deeper in what stands fast than
// kMostDepth of its size, from any spin about any axis.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "tactus/mesh.hpp"
#include "tactus/world.hpp"
#include "tests/support/dynamics_scene.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/meshes.hpp"

namespace tactus::detail {
namespace {

/// Depth allowed, relative to size: as much as a touching body may turn within a substep without a
/// look at it; faster ones are looked at more often. Far above the overlap under a load
/// (WorldSettings::load_overlap: 3.5 * 7e-4).
constexpr double kMostDepth = 0.02;

Vec3 axis_of_spin(Random& random) {
  for (;;) {
    const double x = random.uniform(-1.0, 1.0), y = random.uniform(-1.0, 1.0);
    const Vec3 v{x, y, random.uniform(-1.0, 1.0)};
    if (squared_norm(v) <= 1.0 && squared_norm(v) > 0.01) return normalized(v);
  }
}

enum class Wall { half_space, box, mesh };

/// Faces of the corner at the origin that opens towards all positive axes.
void add_corner(World& world, int walls, Wall kind) {
  const Vec3 normals[] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
  constexpr double kWide = 20.0;
  for (int i = 0; i < walls; ++i) {
    const Vec3& n = normals[i];
    const Vec3 size{n.x > 0.0 ? 1.0 : kWide, n.y > 0.0 ? 1.0 : kWide, n.z > 0.0 ? 1.0 : kWide};
    BodyDefinition wall{HalfSpace(n, 0.0)};
    if (kind != Wall::half_space) {
      TriangleMesh mesh = test::cube_mesh();
      for (Vec3& v : mesh.vertices) v = Vec3{v.x * size.x, v.y * size.y, v.z * size.z} * 0.5;
      wall.shape = kind == Wall::box ? Shape(Box(size)) : Shape(Mesh(mesh));
      wall.pose = Pose::translation(n * -0.5);
    }
    wall.type = BodyType::fixed;
    world.add(wall);
  }
}

struct Deepest {
  double depth = 0.0;
  int step = 0;
};

/// Deepest overlap, over the steps, of a body that starts just free of the walls.
Deepest spin(Random& random, const Shape& shape, int walls, Wall kind, double speed) {
  WorldSettings settings;
  settings.max_threads = 1;
  World world(settings);
  add_corner(world, walls, kind);
  const Mat3 axes = to_matrix(test::random_rotation(random));
  const Vec3 below = bounding_box(shape, Pose::from_matrix({}, axes)).lower;
  BodyDefinition body{shape};
  body.pose = Pose::from_matrix(Vec3{1e-4, 1e-4, 1e-4} - below, axes);
  body.angular_velocity = axis_of_spin(random) * speed;
  world.add(body);
  Deepest deepest;
  for (int step = 0; step < 60; ++step) {
    require_done(world.step());
    for (const BodyOverlap& overlap : world.overlaps(0.0)) {
      if (overlap.relative_depth > deepest.depth) deepest = {overlap.relative_depth, step};
    }
  }
  return deepest;
}

TEST(SpinInCorner, NoBodyIsPressedIntoItsWalls) {
  const int rounds = test::effort(3);
  Random random(43);
  double most = 0.0;
  for (int round = 0; round < rounds; ++round) {
    for (int kind = 0; kind < 8; ++kind) {
      const double radius = random.uniform(0.1, 0.2), length = random.uniform(0.2, 0.8);
      const Shape shape = kind < 7 ? test::mixed_shape(kind) : Shape(Capsule(radius, length));
      for (const Wall wall : {Wall::half_space, Wall::box, Wall::mesh}) {
        const int walls = 1 + static_cast<int>(random.below(3));
        const double speed = random.below(2) == 0 ? 83.0 : random.uniform(5.0, 200.0);
        const Deepest found = spin(random, shape, walls, wall, speed);
        most = std::max(most, found.depth);
        EXPECT_LT(found.depth, kMostDepth)
            << "shape " << kind << ", " << walls << " walls of kind " << static_cast<int>(wall)
            << ", " << speed << " rad/s, step " << found.step << ", round " << round;
      }
    }
  }
  RecordProperty("deepest", std::to_string(most));
}

}  // namespace
}  // namespace tactus::detail
