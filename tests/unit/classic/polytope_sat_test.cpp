#include "tactus/classic/polytope_sat.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include "tests/support/random_shapes.hpp"

namespace tactus::detail {
namespace {

Cso cso_of(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b) {
  return {core_of(a), pose_a, core_of(b), pose_b};
}

ConvexAnswer searched(const Cso& cso) {
  Epa epa;
  return search_pair(cso, {}, epa);
}

Shape flat_hull(Random& random) {
  std::vector<Vec3> points;
  for (int i = 0; i < 6; ++i)
    points.push_back({random.uniform(-0.6, 0.6), random.uniform(-0.6, 0.6), 0.25});
  return Convex(points);
}

// Solids of all kinds against everything; every fourth pair nearly parallel.
TEST(PolytopeSat, DepthIsThatOfTheExpandingPolytope) {
  Random random(31);
  int overlapping = 0;
  for (int n = 0; n < 1500; ++n) {
    const std::array<Shape, 2> solid{random_hull(random, 4 + n % 12), Box({0.9, 0.7, 0.5})};
    const std::array<Shape, 6> other{random_hull(random, 4 + n % 9),
                                     Box({0.5, 0.6, 0.8}),
                                     Capsule(0.1, 0.7),
                                     Sphere(0.1),
                                     flat_hull(random),
                                     random_hull(random, 2)};
    const Shape& a = solid[static_cast<std::size_t>(n) % 2];
    const Shape& b = n % 4 == 0 ? a : other[static_cast<std::size_t>(n / 2) % 6];
    const double tilt = std::pow(10.0, -random.uniform(1.0, 17.0));
    const Pose turned = n % 4 == 0
                            ? Pose(Vec3{random.uniform(-0.3, 0.3), 0.1, 0.05},
                                   normalized(Quat{1.0, tilt * random.uniform(-1, 1), tilt, tilt}))
                            : random_pose(random, 0.4);
    const bool swap = n % 3 == 0;
    const Cso cso = swap ? cso_of(b, turned, a, Pose()) : cso_of(a, Pose(), b, turned);
    ASSERT_TRUE(has_polytope_axes(cso.a, cso.b));
    const BoxAxes axes = separate_polytopes(cso);
    const ConvexAnswer truth = searched(cso);
    const double radius = cso.a.radius + cso.b.radius;
    EXPECT_NEAR(cso.value(axes.n), -axes.separation, cso.error_bound) << n;
    if (axes.separation > 0.0) {
      EXPECT_LE(axes.separation - radius, truth.upper) << n;
      continue;
    }
    ++overlapping;
    EXPECT_NEAR(axes.separation - radius, truth.distance, 3.0 * cso.error_bound) << n;
    const ConvexAnswer answer = answer_by_polytope_axes(cso, {});
    EXPECT_LE(norm(answer.point_b - answer.point_a - answer.n * answer.distance),
              16.0 * cso.error_bound)
        << n;
  }
  EXPECT_GT(overlapping, 700);
}

TEST(PolytopeSat, SeparatedAnswerIsABracketAndStopsEarly) {
  Random random(32);
  int exact = 0;
  int wide = 0;
  for (int n = 0; n < 500; ++n) {
    const Shape a = random_hull(random, 12);
    const Shape b = random_hull(random, 9);
    const Cso cso = cso_of(a, Pose(), b, random_pose(random, 1.5));
    const ConvexAnswer truth = searched(cso);
    if (truth.distance <= 0.01) continue;
    const ConvexAnswer answer = answer_by_polytope_axes(cso, {});
    EXPECT_GT(answer.lower, 0.0) << n;
    EXPECT_LE(answer.lower, truth.upper) << n;
    EXPECT_GE(answer.upper, truth.lower) << n;
    if (answer.status == Status::converged) {
      ++exact;
      EXPECT_NEAR(answer.distance, truth.distance, 3e-14) << n;
    } else {
      ++wide;
    }
    ConvexOptions sign;
    sign.sign_only = true;
    const ConvexAnswer early = answer_by_polytope_axes(cso, sign);
    EXPECT_GT(early.lower, 0.0) << n;
    EXPECT_LE(early.iterations, answer.iterations) << n;
  }
  EXPECT_GT(exact, 50);
  EXPECT_GT(wide, 50);
}

TEST(PolytopeSat, EqualCubesFaceOnFaceAreUnique) {
  std::vector<Vec3> corners;
  for (int i = 0; i < 8; ++i)
    corners.push_back({(i & 1) - 0.5, ((i >> 1) & 1) - 0.5, ((i >> 2) & 1) - 0.5});
  const Shape cube = Convex(corners);
  const ConvexAnswer r =
      answer_by_polytope_axes(cso_of(cube, Pose(), cube, Pose::translation({0.1, 0.2, 0.9})), {});
  EXPECT_NEAR(r.distance, -0.1, 1e-15);
  EXPECT_EQ(r.n, (Vec3{0, 0, 1}));
  EXPECT_TRUE(r.unique);
  const ConvexAnswer centred = answer_by_polytope_axes(cso_of(cube, Pose(), cube, Pose()), {});
  EXPECT_NEAR(centred.distance, -1.0, 1e-15);
  EXPECT_FALSE(centred.unique);
}

TEST(PolytopeSat, NeedsASolidAndFewEdges) {
  Random random(33);
  const auto core = [](const Shape& s) { return core_of(s); };
  const Shape small = random_hull(random, 12);
  const Shape flat = flat_hull(random);
  EXPECT_TRUE(has_polytope_axes(core(small), core(flat)));
  EXPECT_FALSE(has_polytope_axes(core(flat), core(flat)));
  EXPECT_FALSE(has_polytope_axes(core(small), core(Cylinder(0.5, 1.0))));
  std::vector<Vec3> ring;
  for (int i = 0; i < 400; ++i) {
    const double angle = 0.0157 * i;
    ring.push_back({std::cos(angle), std::sin(angle), i % 2 == 0 ? 0.1 : -0.1});
  }
  const Shape large = Convex(ring);
  EXPECT_FALSE(has_polytope_axes(core(large), core(large)));
}

}  // namespace
}  // namespace tactus::detail
