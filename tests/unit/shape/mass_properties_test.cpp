#include <gtest/gtest.h>

#include <cmath>

#include "tactus/core.hpp"
#include "tactus/math.hpp"
#include "tactus/mesh.hpp"

namespace tactus::detail {
namespace {

void expect_near(const Mat3& a, const Mat3& b, double tolerance) {
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) EXPECT_NEAR(a(r, c), b(r, c), tolerance) << r << ", " << c;
  }
}

void expect_near(const MassProperties& a, const MassProperties& b, double tolerance) {
  EXPECT_NEAR(a.volume, b.volume, tolerance);
  EXPECT_LE(norm(a.center - b.center), tolerance);
  expect_near(a.inertia, b.inertia, tolerance);
}

// Box with a corner at the origin, seen from outside counter-clockwise.
TriangleMesh box_mesh(const Vec3& size) {
  TriangleMesh mesh;
  for (int i = 0; i < 8; ++i) {
    mesh.vertices.push_back(
        {(i & 1) ? size.x : 0.0, (i & 2) ? size.y : 0.0, (i & 4) ? size.z : 0.0});
  }
  mesh.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                    {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  return mesh;
}

MassProperties box_mass(const Vec3& size) {
  const double volume = size.x * size.y * size.z;
  const Vec3 squares = component_product(size, size) * (volume / 12.0);
  return {volume, size * 0.5,
          Mat3::diagonal({squares.y + squares.z, squares.z + squares.x, squares.x + squares.y})};
}

TEST(MeshMass, OfABox) {
  const Vec3 size{1.0, 2.0, 5.0};
  expect_near(mass_properties(box_mesh(size)), box_mass(size), 1e-13);
}

TEST(MeshMass, OfTheUnitCornerTetrahedron) {
  const ConvexHull hull =
      convex_hull(std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}});
  const MassProperties mass = mass_properties(hull);
  EXPECT_NEAR(mass.volume, 1.0 / 6.0, 1e-16);
  EXPECT_LE(norm(mass.center - Vec3{0.25, 0.25, 0.25}), 1e-15);
  // About the origin the integrals of x^2 and x y are 1/60 and 1/120.
  const double square = 1.0 / 60.0 - 1.0 / 96.0, product = 1.0 / 120.0 - 1.0 / 96.0;
  Mat3 expected = Mat3::diagonal(Vec3{1, 1, 1} * (2.0 * square));
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) {
      if (r != c) expected(r, c) = -product;
    }
  }
  expect_near(mass.inertia, expected, 1e-16);
}

TEST(MeshMass, MovesAndTurnsWithTheBody) {
  const Vec3 size{1.0, 2.0, 3.0};
  TriangleMesh mesh = box_mesh(size);
  const Pose pose({7.0, -3.0, 2.0}, {0.5, 0.1, -0.7, 0.5});
  for (Vec3& v : mesh.vertices) v = pose.to_world(v);
  MassProperties expected = box_mass(size);
  expected.center = pose.to_world(expected.center);
  expected.inertia = pose.rotation() * expected.inertia * transpose(pose.rotation());
  expect_near(mass_properties(mesh), expected, 1e-13);
}

TEST(MeshMass, LosesNothingFarFromTheOrigin) {
  TriangleMesh mesh = box_mesh({1.0, 2.0, 4.0});
  const Vec3 far{1048576.0, -2097152.0, 4194304.0};
  for (Vec3& v : mesh.vertices) v += far;
  MassProperties expected = box_mass({1.0, 2.0, 4.0});
  expected.center += far;
  expect_near(mass_properties(mesh), expected, 1e-13);
}

TEST(MeshMass, OfAnInsideOutMeshIsNegative) {
  TriangleMesh mesh = box_mesh({1.0, 2.0, 3.0});
  for (auto& t : mesh.triangles) std::swap(t[1], t[2]);
  const MassProperties mass = mass_properties(mesh);
  EXPECT_NEAR(mass.volume, -6.0, 1e-14);
  EXPECT_LE(norm(mass.center - Vec3{0.5, 1.0, 1.5}), 1e-15);
  expect_near(mass.inertia, box_mass({1.0, 2.0, 3.0}).inertia * -1.0, 1e-13);
}

TEST(MeshMass, WithoutVolumeIsZero) {
  // Both sides of a tilted triangle.
  TriangleMesh mesh;
  mesh.vertices = {{0.1, 0.2, 0.3}, {1.1, 0.7, 0.2}, {0.3, 0.9, 1.7}};
  mesh.triangles = {{0, 1, 2}, {0, 2, 1}};
  const Vec3 mean{0.5, 0.6, 2.2 / 3.0};
  expect_near(mass_properties(mesh), {0.0, mean, Mat3::zero()}, 1e-15);
  for (const std::size_t count : {1u, 2u, 3u}) {
    const std::vector<Vec3> points(mesh.vertices.begin(), mesh.vertices.begin() + long(count));
    const MassProperties mass = mass_properties(convex_hull(points));
    EXPECT_EQ(mass.volume, 0.0);
    EXPECT_EQ(mass.inertia, Mat3::zero());
  }
  EXPECT_EQ(mass_properties(convex_hull(std::vector<Vec3>{{1, 2, 3}})).center, (Vec3{1, 2, 3}));
}

std::string refused_field(const TriangleMesh& mesh) {
  try {
    validate(mesh);
  } catch (const InvalidInput& error) {
    return error.field();
  }
  return "";
}

TEST(ValidateMesh, NamesTheElement) {
  TriangleMesh mesh = box_mesh({1, 1, 1});
  EXPECT_EQ(refused_field(mesh), "");
  EXPECT_EQ(refused_field({}), "vertices");
  EXPECT_EQ(refused_field({mesh.vertices, {}}), "triangles");
  TriangleMesh broken = mesh;
  broken.vertices[3].y = std::nan("");
  EXPECT_EQ(refused_field(broken), "vertices[3]");
  broken = mesh;
  broken.triangles[5][2] = 8;
  EXPECT_EQ(refused_field(broken), "triangles[5]");
}

}  // namespace
}  // namespace tactus::detail
