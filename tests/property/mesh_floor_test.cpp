// Bodies on triangulated floors move as on a half-space: no edge of the triangulation is felt.
#include <gtest/gtest.h>

#include <cmath>

#include "tactus/query.hpp"
#include "tactus/world.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/meshes.hpp"

namespace tactus::detail {
namespace {

// Both runs do the same arithmetic but for the rounding of contact points.
constexpr double kSame = 1e-13;

void add_grid(TriangleMesh& mesh, std::uint32_t nx, std::uint32_t ny, const Vec3& low,
              const Vec3& high) {
  const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
  for (std::uint32_t j = 0; j <= ny; ++j) {
    for (std::uint32_t i = 0; i <= nx; ++i)
      mesh.vertices.push_back(
          {low.x + (high.x - low.x) * i / nx, low.y + (high.y - low.y) * j / ny, 0.0});
  }
  for (std::uint32_t j = 0; j < ny; ++j) {
    for (std::uint32_t i = 0; i < nx; ++i) {
      const std::uint32_t a = first + j * (nx + 1) + i;
      mesh.triangles.push_back({a, a + 1, a + nx + 2});
      mesh.triangles.push_back({a, a + nx + 2, a + nx + 1});
    }
  }
}

TriangleMesh regular_floor() {
  TriangleMesh mesh;
  add_grid(mesh, 60, 30, {-10, -15, 0}, {50, 15, 0});
  return mesh;
}

// A hundred times as long as wide.
TriangleMesh sliver_floor() {
  TriangleMesh mesh;
  add_grid(mesh, 6, 300, {-10, -15, 0}, {50, 15, 0});
  return mesh;
}

// Rows of different division that share no vertex.
TriangleMesh junction_floor() {
  TriangleMesh mesh;
  for (std::uint32_t row = 0; row < 30; ++row) {
    const double y = -15.0 + row;
    add_grid(mesh, row % 3 == 0 ? 7 : row % 3 == 1 ? 40 : 13, 1, {-10, y, 0}, {50, y + 1.0, 0});
  }
  return mesh;
}

World world_of(const Shape& floor, const Shape& body, const Vec3& position, const Vec3& velocity,
               const Vec3& spin) {
  World world;
  BodyDefinition ground{floor};
  ground.type = BodyType::fixed;
  ground.material.friction = 0.3;
  world.add(ground);
  BodyDefinition thing{body, Pose::translation(position), velocity, spin};
  thing.material.friction = 0.3;
  world.add(thing);
  return world;
}

void expect_same_motion(const Shape& body, const Vec3& position, const Vec3& velocity,
                        const Vec3& spin) {
  const Shape plane = HalfSpace({0, 0, 1}, 0.0);
  for (const TriangleMesh& floor : {regular_floor(), sliver_floor(), junction_floor()}) {
    World on_plane = world_of(plane, body, position, velocity, spin);
    World on_mesh = world_of(Mesh(floor), body, position, velocity, spin);
    double worst = 0.0;
    for (int step = test::effort(400); step > 0; --step) {
      on_plane.step();
      on_mesh.step();
      const Pose &p = on_plane.body(2).pose(), &m = on_mesh.body(2).pose();
      worst = std::max(worst, norm(p.position() - m.position()));
      for (int i = 0; i < 3; ++i)
        worst = std::max(worst, norm(p.rotation().row[i] - m.rotation().row[i]));
    }
    EXPECT_LE(worst, kSame) << floor.triangles.size() << " triangles";
    EXPECT_GT(norm(on_mesh.body(2).pose().position() - position), 0.1);
  }
}

TEST(MeshFloor, ASphereRollsAsOnAHalfSpace) {
  // Slow enough to stay on the floor for 1e4 steps.
  expect_same_motion(Sphere(0.5), {0.1, 0.2, 0.5}, {0.25, 0.08, 0.0}, {-0.16, 0.5, 0.0});
}

TEST(MeshFloor, ABoxSlidesAsOnAHalfSpace) {
  expect_same_motion(Box({1.0, 0.8, 0.4}), {0.1, 0.2, 0.2}, {2.5, 0.4, 0.0}, {0.0, 0.0, 0.3});
}

TEST(MeshFloor, ABoxThatOverhangsKeepsItsEdge) {
  // Half of the box stands out over the border of the floor.
  const Shape floor = Mesh(regular_floor());
  const Shape box = Box({2.0, 1.0, 1.0});
  Manifold patch[4];
  const ContactsResult r =
      contacts(floor, Pose(), box, Pose::translation({50.0, 0.3, 0.499}), patch);
  ASSERT_EQ(r.manifolds, 1);
  EXPECT_NEAR(norm(patch[0].normal - Vec3{0, 0, 1}), 0.0, 1e-15);
  double low = 1e9, high = -1e9;
  for (const ContactPoint& p : patch[0].span()) {
    // A rounding of the height of 0.5, and one of the place of 50.
    EXPECT_NEAR(p.depth, 1e-3, 1e-16);
    EXPECT_LE(p.point_a.x, 50.0 + 1e-14);
    low = std::min(low, p.point_a.x);
    high = std::max(high, p.point_a.x);
  }
  EXPECT_EQ(patch[0].count, 4);
  EXPECT_NEAR(low, 49.0, 1e-14);
  EXPECT_NEAR(high, 50.0, 1e-14);
}

TEST(MeshFloor, AMeshComesToRestOnAMesh) {
  World world;
  BodyDefinition ground{Mesh(regular_floor())};
  ground.type = BodyType::fixed;
  world.add(ground);
  // Two bodies of one mesh, on top of each other.
  const Shape block = Mesh(test::sphere_mesh(0));
  const Mesh cube([] {
    TriangleMesh mesh;
    for (int i = 0; i < 8; ++i) {
      mesh.vertices.push_back(
          {(i & 1) != 0 ? 0.5 : -0.5, (i & 2) != 0 ? 0.5 : -0.5, (i & 4) != 0 ? 0.5 : -0.5});
    }
    mesh.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                      {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
    return mesh;
  }());
  EXPECT_TRUE(std::get<Mesh>(block.geometry()).closed());
  const BodyId low = world.add({cube, Pose::translation({0.3, 0.2, 0.51})});
  const BodyId high = world.add({cube, Pose::translation({0.35, 0.25, 1.53})});
  const BodyId ball = world.add({Sphere(0.3), Pose::translation({0.35, 0.25, 2.4})});
  for (int step = 0; step < 120; ++step) world.step();
  EXPECT_NEAR(world.body(low).pose().position().z, 0.5, 2e-4);
  EXPECT_NEAR(world.body(high).pose().position().z, 1.5, 4e-4);
  EXPECT_NEAR(world.body(ball).pose().position().z, 2.3, 5e-4);
  EXPECT_LT(norm(world.body(high).linear_velocity()), 5e-8);
  // The mass is that of the cube.
  EXPECT_NEAR(world.body(low).mass().mass, world.body(low).material().density, 1e-12);
}

}  // namespace
}  // namespace tactus::detail
