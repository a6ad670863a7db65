#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "tactus/core/constants.hpp"
#include "tactus/core/random.hpp"
#include "tactus/query.hpp"
#include "tests/support/meshes.hpp"

// Finite input of any size and any cap of the work: no NaN, no throw, and an end.
namespace tactus::detail {
namespace {

constexpr double kLargest = std::numeric_limits<double>::max();

bool has_nan(const Vec3& v) { return std::isnan(v.x) || std::isnan(v.y) || std::isnan(v.z); }

void expect_sound(const DistanceResult& r) {
  EXPECT_LE(r.lower, r.distance);
  EXPECT_LE(r.distance, r.upper);
  EXPECT_FALSE(has_nan(r.normal) || has_nan(r.point_a) || has_nan(r.point_b));
  if (std::isfinite(r.distance)) return;
  EXPECT_EQ(r.distance, kInfinity);
  EXPECT_EQ(r.lower, -kInfinity);
  EXPECT_EQ(r.upper, kInfinity);
  EXPECT_NE(r.status, Status::converged);
}

void expect_sound(const CastResult& r) {
  EXPECT_GE(r.time, 0.0);
  EXPECT_GE(r.time_upper, r.time);
  EXPECT_FALSE(std::isnan(r.distance));
  EXPECT_FALSE(has_nan(r.normal) || has_nan(r.point_a) || has_nan(r.point_b));
}

std::vector<Shape> shapes_of(double size) {
  const std::vector<Vec3> points{
      {-size, -size, -size}, {size, -size, 0}, {0, size, -size}, {0, 0, size}};
  const Shape box = Box({size, 1.0, 1.0});
  TriangleMesh mesh = test::sphere_mesh(1);
  for (Vec3& v : mesh.vertices) v = v * size;
  return {Sphere(size),
          box,
          Capsule(1.0, size),
          Cylinder(size, 1.0),
          Cone(1.0, size),
          Ellipsoid({size, 1.0, 1.0}),
          Convex(points),
          Shape(Box({1.0, 1.0, 1.0}), size),
          HalfSpace({0.6, 0.8, 0.0}, 0.5 * size),
          Mesh(mesh),
          Compound({{box, Pose::translation({0.0, -size, size})}, {Sphere(1.0), Pose()}})};
}

void expect_all_sound(const Shape& a, const Pose& pa, const Shape& b, const Pose& pb,
                      const Vec3& motion) {
  Derivatives d;
  QueryOptions options;
  options.derivatives = &d;
  const DistanceResult r = distance(a, pa, b, pb, options);
  expect_sound(r);
  EXPECT_FALSE(has_nan(d.linear_a) || has_nan(d.angular_a) || has_nan(d.angular_b));
  if (!std::isfinite(r.distance)) {
    EXPECT_TRUE(!d.smooth && d.linear_a == Vec3{});
  }
  const OverlapResult o = overlap(a, pa, b, pb);
  expect_sound(o.proof);
  if (o.overlap == Overlap::no) {
    EXPECT_GT(o.proof.lower, 0.0);
  }
  std::array<Manifold, 8> manifolds;
  expect_sound(contacts(a, pa, b, pb, manifolds).distance);
  expect_sound(cast(a, pa, {}, b, pb, motion));
  expect_sound(impact(a, pa, {motion, {0, 0, 1}}, b, pb, {}));
  const Pose moved = detail::unchecked_pose(-pb.position(), pb.rotation());
  (void)swept_overlap(a, pa, pa, b, pb, moved);
}

TEST(Limits, SizesToTheEndOfTheRange) {
  for (const double size : {1e-300, 1e-60, 1e45, 1e60, 1e120, 1e160, 1e200, 1e300}) {
    for (const Shape& a : shapes_of(size)) {
      for (const double other : {1.0, size}) {
        for (const Shape& b : shapes_of(other)) {
          SCOPED_TRACE(std::string(to_string(a.type())) + "-" + std::string(to_string(b.type())) +
                       " " + std::to_string(std::log10(size)));
          expect_all_sound(a, Pose(), b, Pose::translation({0.3, 0.4, 0.5}), {1, 0, 0});
        }
      }
    }
  }
}

TEST(Limits, PositionsAndMotionsWhoseDifferencesOverflow) {
  const Pose turned(Vec3{}, normalized(Quat{1, 0.3, -0.2, 0.5}));
  for (const double far : {1e60, 1e160, kLargest}) {
    const Pose pa = detail::unchecked_pose({far, -far, far}, turned.rotation());
    const Pose pb = detail::unchecked_pose({-far, far, far}, turned.rotation());
    for (const Shape& a : shapes_of(1.0)) {
      for (const Shape& b : shapes_of(1.0)) {
        SCOPED_TRACE(std::string(to_string(a.type())) + "-" + std::string(to_string(b.type())));
        expect_all_sound(a, pa, b, pb, {1, 0, 0});
        EXPECT_NE(distance(a, pa, b, pb).status, Status::invalid_input);
        expect_all_sound(a, Pose(), b, Pose::translation({3, 0, 0}), {-far, far, 0.0});
        expect_sound(ray_cast(a, pa, {0, 0, 0}, {1, 0, 0}, kInfinity));
        expect_sound(ray_cast(a, Pose(), {3, 0, 0}, {-far, 0, 0}, kInfinity));
      }
    }
  }
}

// The support point of so long an ellipsoid was (infinity / infinity).
TEST(Limits, LongEllipsoidOverAPlane) {
  const HalfSpace floor({0.0, 0.28, 0.96}, 0.25);
  for (const double size : {1e60, 1e155, 1e250}) {
    const Ellipsoid needle({1.0, size, 2.0});
    const DistanceResult r = distance(needle, Pose(), floor, Pose());
    expect_sound(r);
    EXPECT_EQ(r.status, Status::precision_limit);
    EXPECT_EQ(overlap(floor, Pose(), needle, Pose()).overlap, Overlap::undecided);
  }
  EXPECT_EQ(distance(Sphere(1.0), Pose(), HalfSpace({0, 0, 1}, 1e55), Pose()).status,
            Status::precision_limit);
  EXPECT_EQ(distance(Sphere(1.0), Pose(), HalfSpace({0, 0, 1}, 1e45), Pose()).status,
            Status::converged);
}

// A refusal never looks like a miss.
TEST(Limits, CastOfAHugeHull) {
  const double size = 3e61;
  const Convex hull(
      std::vector<Vec3>{{-size, 0, -size}, {size, 0, -size}, {0, size, 0}, {0, 0, 2 * size}});
  const CastResult r = cast(hull, Pose(), {}, Cylinder(1, 2), Pose(), {0, 0, 2});
  expect_sound(r);
  EXPECT_EQ(r.hit, Overlap::undecided);
  EXPECT_EQ(r.status, Status::precision_limit);
  EXPECT_EQ(r.time, 0.0);
  const CastResult ray = ray_cast(Sphere(1.0), Pose(), {5, 0, 0}, {-1e200, 0, 0}, 1.0);
  EXPECT_EQ(ray.hit, Overlap::undecided);
  EXPECT_EQ(ray_cast(Sphere(1.0), Pose(), {5, 0, 0}, {-1e-200, 0, 0}, kInfinity).status,
            Status::precision_limit);
}

// Two million poses of a long rod were looked at, whatever the cap.
TEST(Limits, CapOfAnImpact) {
  const Cylinder rod(0.3, 4e15);
  const Compound pair(
      {{Box({0.5, 0.6, 0.7}), Pose()}, {Box({0.6, 0.2, 0.9}), Pose::translation({-2e8, 0, 0})}});
  const Pose start(Vec3{-0.5, 0.2, 0.1}, normalized(Quat{0.8, 0.3, 0.5, 0.1}));
  const RigidMotion turning{{2.0, -0.4, 0.9}, {0.4, 0.2, 0.9}};
  QueryOptions options;
  for (const int cap : {1, 3, 10}) {
    options.max_iterations = cap;
    const CastResult r = impact(rod, start, turning, pair, Pose(), {{}, {0.6, 0, 0}}, options);
    expect_sound(r);
    // The last step may go a little beyond.
    EXPECT_LE(r.iterations, 2000 * cap + 100);
    const CastResult two =
        impact(rod, start, turning, Box({1, 1, 1}), Pose::translation({9, 0, 0}), {}, options);
    expect_sound(two);
    EXPECT_LE(two.iterations, 20 * cap + 100);
  }
}

// A capped cast of meshes is early, never late, and says so.
TEST(Limits, CapOfACastOfMeshes) {
  const Mesh ball(test::sphere_mesh(4));
  const Pose pose_b = Pose::translation({4.0, 0.3, 0.2});
  const Vec3 motion{-4.0, 0.1, 0.0};
  const CastResult whole = cast(ball, Pose(), {}, ball, pose_b, motion);
  ASSERT_EQ(whole.hit, Overlap::yes);
  EXPECT_EQ(whole.status, Status::converged);
  QueryOptions options;
  int ended = 0;
  for (const int cap : {1, 2, 1000}) {
    options.max_iterations = cap;
    for (const Vec3& way : {motion, Vec3{-4.0, -0.3, -0.2}, Vec3{-9.0, 0.0, 0.0}}) {
      const CastResult r = cast(ball, Pose(), {}, ball, pose_b, way, options);
      const CastResult truth = cast(ball, Pose(), {}, ball, pose_b, way);
      expect_sound(r);
      EXPECT_NE(r.hit, Overlap::no);
      EXPECT_LE(r.time, truth.time_upper);
      EXPECT_GE(r.time_upper, truth.time);
      ended += r.status == Status::iteration_limit ? 1 : 0;
      if (cap == 1000) {
        EXPECT_EQ(r.time, truth.time);
      }
    }
  }
  // Facing sheets touch everywhere at once, so that no order of the search spares anything.
  TriangleMesh sheet;
  for (std::uint32_t i = 0; i < 41 * 41; ++i)
    sheet.vertices.push_back({0.1 * (i / 41), 0.1 * (i % 41), 0.0});
  for (std::uint32_t i = 0; i < 41 * 40; ++i) {
    if (i % 41 == 40) continue;
    sheet.triangles.push_back({i, i + 41, i + 42});
    sheet.triangles.push_back({i, i + 42, i + 1});
  }
  const Mesh flat(std::move(sheet));
  for (const int cap : {1, 1000}) {
    options.max_iterations = cap;
    const CastResult r =
        cast(flat, Pose(), {}, flat, Pose::translation({0, 0, 1}), {0, 0, -2}, options);
    expect_sound(r);
    EXPECT_NE(r.hit, Overlap::no);
    EXPECT_LE(r.time, 0.5);
    EXPECT_GE(r.time_upper, 0.5);
    ended += r.status == Status::iteration_limit ? 1 : 0;
  }
  EXPECT_EQ(ended, 1);
}

// Features of a box so long that rounding hides its other edges were walked around for ever.
TEST(Limits, WalkOverFeaturesEnds) {
  Random random(29);
  QueryOptions options;
  options.method = Method::v_clip;
  options.max_iterations = 1 << 20;
  int most = 0;
  for (int n = 0; n < 400; ++n) {
    const auto rotation = [&] {
      return normalized(Quat{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1),
                             random.uniform(-1, 1)});
    };
    const Shape bar(Box({0.5, 0.75, 1e16}), 0.2);
    const Pose pa(Vec3{0.6, 0.2, -1.0}, rotation());
    const Pose pb(Vec3{0.4, -0.1, 0.1}, rotation());
    const DistanceResult r = distance(Capsule(0.3, 0.6), pa, bar, pb, options);
    expect_sound(r);
    most = std::max(most, r.iterations);
  }
  EXPECT_LE(most, 100);
}

}  // namespace
}  // namespace tactus::detail
