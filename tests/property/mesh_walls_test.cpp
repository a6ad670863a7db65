// Law: whatever lies on one face of a mesh is stopped by the others, at any speed and spin.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "tactus/core/constants.hpp"
#include "tactus/core/random.hpp"
#include "tactus/fit.hpp"
#include "tactus/world.hpp"
#include "tests/support/effort.hpp"

namespace tactus::detail {
namespace {

/// A floor in the half-plane y < 0 and a ramp from there on, which goes up at this angle; open.
TriangleMesh floor_and_ramp(double angle) {
  const double y = 3.0 * std::cos(angle), z = 3.0 * std::sin(angle);
  TriangleMesh mesh;
  mesh.vertices = {{-3, -4, 0}, {3, -4, 0}, {3, 0, 0}, {-3, 0, 0}, {3, y, z}, {-3, y, z}};
  mesh.triangles = {{0, 1, 2}, {0, 2, 3}, {3, 2, 4}, {3, 4, 5}};
  return mesh;
}

/// A floor with a step up, as a body: its mesh is closed by what lies below.
TriangleMesh solid_step(double height) {
  fit::Heightfield field;
  field.columns = 13;
  field.rows = 9;
  field.spacing_x = field.spacing_y = 0.6;
  field.thickness = 0.5;
  for (int row = 0; row < 9; ++row)
    for (int column = 0; column < 13; ++column) field.heights.push_back(row >= 5 ? height : 0.0);
  return fit::make_heightfield(field);
}

Shape round_shape(Random& random, int kind, double size) {
  switch (kind) {
    case 0:
      return Sphere(0.5 * size);
    case 1:
      return Capsule(0.4 * size, size);
    case 2:
      return Cylinder(0.5 * size, random.uniform(0.2, 1.0) * size);
    case 3:
      return Box({size, random.uniform(0.5, 1.0) * size, random.uniform(0.5, 1.0) * size});
    default:
      return Ellipsoid({0.5 * size, 0.4 * size, 0.45 * size});
  }
}

/// Rolls a body over the floor of a mesh towards its wall, and looks how deep it gets.
void expect_stopped(const TriangleMesh& mesh, double wall, Random& random,
                    const std::string& what) {
  const int kind = static_cast<int>(random.uniform(0.0, 4.999));
  const double size = random.uniform(0.1, 0.3), speed = std::exp(random.uniform(0.7, 3.4));
  World world;
  BodyDefinition ground{Mesh(mesh)};
  ground.type = BodyType::fixed;
  ground.material.friction = random.uniform(0.0, 1.0);
  world.add(ground);
  BodyDefinition body{round_shape(random, kind, size)};
  // Round ones lie on their sides.
  const double half = std::sqrt(0.5);
  const Quat side{half, 0.0, half, 0.0};
  const bool lies = kind == 1 || kind == 2;
  const double radius = kind == 1 ? 0.4 * size : 0.5 * size;
  body.pose = Pose({random.uniform(-1, 1), wall - random.uniform(0.6, 1.2), radius + 1e-4},
                   lies ? side : Quat{1, 0, 0, 0});
  body.linear_velocity = {random.uniform(-0.3, 0.3) * speed, speed, 0};
  body.angular_velocity = {-random.uniform(0.0, 2.0) * speed / radius, 0, 0};
  body.material.friction = ground.material.friction;
  body.material.restitution = random.uniform(0.0, 0.5);
  world.add(body);
  double deepest = 0.0;
  for (int step = 0; step < 40; ++step)
    deepest = std::max(deepest, world.step().deepest_relative_penetration);
  EXPECT_LT(deepest, 0.01) << what << ", kind " << kind << ", size " << size << ", speed " << speed;
}

TEST(MeshWalls, StopWhatRollsOnTheirFloor) {
  Random random(81);
  for (int i = 0; i < test::effort(120); ++i) {
    const double degrees = random.uniform(25.0, 115.0);
    expect_stopped(floor_and_ramp(degrees * kPi / 180.0), 0.0, random,
                   std::to_string(degrees) + " degrees");
  }
}

TEST(MeshWalls, OfSolidsToo) {
  Random random(82);
  for (int i = 0; i < test::effort(80); ++i)
    expect_stopped(solid_step(random.uniform(0.3, 1.0)), 0.0, random, "step");
}

}  // namespace
}  // namespace tactus::detail
