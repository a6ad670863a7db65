// Rays that were undecided at edges and corners, whose witness was off the surface, or that an open
// mesh left unproved; distances of bare surfaces of closed meshes, which were signed.
#include <gtest/gtest.h>

#include "tactus/check.hpp"
#include "tactus/query.hpp"
#include "tests/support/meshes.hpp"

namespace tactus::detail {
namespace {

const TriangleMesh kSquare{{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}, {{0, 1, 2}, {0, 2, 3}}};
const TriangleMesh kCube = test::cube_mesh();

void expect_proved_hit(const Shape& shape, const Shape& moving, const Vec3& start,
                       const Vec3& motion, double time) {
  Certificate certificate;
  QueryOptions options;
  options.certificate = &certificate;
  const Pose pose = Pose::translation(start);
  const CastResult r = cast(moving, pose, motion, shape, Pose(), {}, options);
  EXPECT_EQ(r.hit, Overlap::yes);
  EXPECT_EQ(r.status, Status::converged);
  EXPECT_NEAR(r.time, time, 1e-13);
  EXPECT_NEAR(r.time_upper, time, 1e-12);
  EXPECT_TRUE(certificate.touches);
  const CheckReport report = check(moving, pose, motion, shape, Pose(), {}, r, &certificate);
  EXPECT_TRUE(report.ok) << report.failure;
}

TEST(RayCases, EdgesAndCorners) {
  const Shape point = Sphere(0.0);
  expect_proved_hit(Mesh(kSquare), point, {0.5, 0.5, 1}, {0, 0, -2}, 0.5);
  expect_proved_hit(Mesh(kSquare), point, {0.5, 0.50001, 1}, {0, 0, -2}, 0.5);
  expect_proved_hit(Mesh(kSquare), point, {0, 0, 1}, {0, 0, -2}, 0.5);
  expect_proved_hit(Mesh(kSquare), point, {1, 0.3, 1}, {0, 0, -2}, 0.5);
  expect_proved_hit(Mesh(kCube), point, {0, 0, 3}, {0, 0, -4}, 0.5);
  expect_proved_hit(Mesh(kCube), point, {3, 3, 3}, {-4, -4, -4}, 0.5);
  expect_proved_hit(Mesh(kCube), point, {1, 3, 3}, {0, -4, -4}, 0.5);
  expect_proved_hit(Convex(kCube.vertices), point, {3, 3, 3}, {-4, -4, -4}, 0.5);
  expect_proved_hit(Mesh(kSquare), Sphere(0.1), {0.5, 0.5, 1}, {0, 0, -2}, 0.45);
  expect_proved_hit(Mesh(kSquare), Sphere(0.3), {0.3, 0.1, 3}, {0, 0, -4}, 0.675);
}

TEST(RayCases, InThePlaneOfASquareAndAlongItsDiagonal) {
  const Shape point = Sphere(0.0);
  expect_proved_hit(Mesh(kSquare), point, {-1, 0.5, 0}, {2, 0, 0}, 0.5);
  expect_proved_hit(Mesh(kSquare), point, {-1, -1, 0}, {2, 2, 0}, 0.5);
  EXPECT_EQ(cast(point, Pose::translation({-1, 1.5, 0}), {2, 0, 0}, Mesh(kSquare), Pose(), {}).hit,
            Overlap::no);
}

TEST(RayCases, StartsOnTheSurface) {
  for (const Vec3& motion : {Vec3{0, 0, -1}, Vec3{0, 0, 1}, Vec3{1, 0, 0}, Vec3{}}) {
    const CastResult r =
        cast(Sphere(0.0), Pose::translation({0.5, 0.5, 0}), motion, Mesh(kSquare), Pose(), {});
    EXPECT_EQ(r.hit, Overlap::yes);
    EXPECT_EQ(r.time, 0.0);
  }
}

TEST(RayCases, WitnessesLieOnTheFace) {
  const CastResult r =
      cast(Sphere(0.0), Pose::translation({0.3, 0.1, 3}), {0, 0, -3}, Mesh(kCube), Pose(), {});
  EXPECT_NEAR(r.point_b.z, 1.0, 1e-15);
  EXPECT_NEAR(r.point_a.z, 1.0, 4e-15);
}

TEST(RayCases, BareSurfaceOfAClosedMesh) {
  const Mesh cube(kCube);
  QueryOptions bare_options;
  bare_options.signed_distance = false;
  const auto from_surface = [&](const Shape& other, const Pose& pose) {
    Certificate certificate;
    QueryOptions options = bare_options;
    options.certificate = &certificate;
    const DistanceResult r = distance(cube, Pose(), other, pose, options);
    EXPECT_EQ(r.status, Status::converged);
    const CheckReport report = check(bare(cube), Pose(), bare(other), pose, r, &certificate);
    EXPECT_TRUE(report.ok || r.distance < 0.1) << report.failure;
    // For the solid body the answer of its bare surface is false where the other one lies inside.
    const bool inside = cube.holds(pose.position());
    EXPECT_EQ(check(cube, Pose(), other, pose, r, &certificate).ok, !inside && r.distance > 0.1);
    return r.distance;
  };
  const Shape ball = Sphere(0.25);
  EXPECT_NEAR(from_surface(ball, Pose()), 0.75, 1e-12);
  EXPECT_NEAR(from_surface(ball, Pose::translation({0.5, 0, 0})), 0.25, 1e-12);
  EXPECT_NEAR(from_surface(ball, Pose::translation({1.1, 0, 0})), 0.0, 1e-12);
  EXPECT_NEAR(from_surface(ball, Pose::translation({2, 0, 0})), 0.75, 1e-12);
  TriangleMesh small = kCube;
  for (Vec3& v : small.vertices) v = v * 0.5;
  EXPECT_NEAR(from_surface(Mesh(small), Pose::translation({0.1, 0, 0})), 0.4, 1e-12);
  // A compound's parts too; and the signed one is as it was.
  EXPECT_NEAR(from_surface(Compound({{ball, Pose()}}), Pose()), 0.75, 1e-12);
  EXPECT_LT(distance(cube, Pose(), ball, Pose()).distance, -1.0);
}

}  // namespace
}  // namespace tactus::detail
