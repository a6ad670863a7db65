#include "tactus/classic/epa_classic.hpp"

#include <gtest/gtest.h>

#include "tactus/check.hpp"
#include "tactus/query.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/random_shapes.hpp"

namespace tactus::detail {
namespace {

Cso cso_of(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b) {
  return {core_of(a), pose_a, core_of(b), pose_b};
}

EpaClassicResult run(const Shape& a, const Shape& b, const Pose& pose_b,
                     const EpaClassicOptions& options = {}) {
  EpaClassic epa;
  return epa.run(cso_of(a, {}, b, pose_b), options);
}

TEST(GjkClassic, DistanceOfBodiesApart) {
  Random random(1);
  for (int i = 0; i < test::effort(500); ++i) {
    const Shape a = Ellipsoid({0.5, 0.3, 0.4}), b = Box({0.8, 0.5, 0.6});
    const Pose pose_a = random_pose(random, 0.1), pose_b = random_pose(random, 2.0);
    const DistanceResult right = distance(a, pose_a, b, pose_b);
    Simplex simplex;
    GjkClassicOptions options;
    options.eps = 1e-10;
    const Cso cso = cso_of(a, pose_a, b, pose_b);
    const GjkClassicResult r = gjk_classic(cso, simplex, options);
    ASSERT_EQ(r.outcome == GjkClassicOutcome::separated, right.distance > 0.0) << i;
    if (r.outcome != GjkClassicOutcome::separated) continue;
    EXPECT_LE(-r.value, right.upper + cso.error_bound);
    EXPECT_GE(r.distance, right.lower - cso.error_bound);
    EXPECT_LE(r.distance, right.distance * (1.0 + 1e-9) + cso.error_bound);
  }
}

TEST(EpaClassic, DepthWithinTheRelativeStopAndTheProofHolds) {
  Random random(2);
  EpaClassic epa;
  EpaClassicOptions options;
  int overlapping = 0;
  for (int i = 0; i < test::effort(1000); ++i) {
    const Shape a = Ellipsoid({random.uniform(0.3, 1.0), 0.5, 0.8});
    const Shape b = Ellipsoid({0.4, random.uniform(0.3, 1.0), 0.9});
    const Pose pose_a = random_pose(random, 0.1), pose_b = random_pose(random, 1.0);
    const DistanceResult right = distance(a, pose_a, b, pose_b);
    const Cso cso = cso_of(a, pose_a, b, pose_b);
    const EpaClassicResult r = epa.run(cso, options);
    // Every f(n) bounds the depth from above, whatever happened.
    ASSERT_GE(r.best_value, -right.upper - cso.error_bound) << i;
    ASSERT_LE(epa.proved_depth(options), -right.lower + cso.error_bound) << i;
    if (!(right.upper < -1e-9)) continue;
    ++overlapping;
    if (r.outcome != EpaClassicOutcome::converged) continue;
    EXPECT_TRUE(r.collision);
    EXPECT_NEAR(r.depth, -right.distance, 2e-7);
    EXPECT_GE(epa.proved_depth(options), r.depth - 1e-12);
  }
  EXPECT_GT(overlapping, test::effort(1000) / 4);
}

TEST(EpaClassic, BoxesAreExactAfterAFewFaces) {
  const EpaClassicResult r = run(Box({2.0, 2.0, 2.0}), Box({1.0, 1.0, 1.0}),
                                 Pose({1.25, 0.1, 0.2}, normalized(Quat{1.0, 0.02, 0.03, 0.01})));
  const DistanceResult right =
      distance(Box({2.0, 2.0, 2.0}), {}, Box({1.0, 1.0, 1.0}),
               Pose({1.25, 0.1, 0.2}, normalized(Quat{1.0, 0.02, 0.03, 0.01})));
  EXPECT_EQ(r.outcome, EpaClassicOutcome::converged);
  EXPECT_NEAR(r.depth, -right.distance, 1e-14);
  EXPECT_LT(r.iterations, 40);
}

TEST(EpaClassic, ASphereIsFoundAfterAFewPoints) {
  const Pose place = Pose::translation({0.9, 0.5, 0.3});
  EpaClassicOptions options;
  options.eps = 1e-10;
  const EpaClassicResult faces = run(Sphere(1.0), Sphere(0.7), place, options);
  options.spheres = true;
  const EpaClassicResult sphere = run(Sphere(1.0), Sphere(0.7), place, options);
  EXPECT_EQ(faces.outcome, EpaClassicOutcome::converged);
  EXPECT_EQ(sphere.outcome, EpaClassicOutcome::sphere);
  EXPECT_LT(sphere.iterations, faces.iterations);
  const double depth = 1.7 - norm(Vec3{0.9, 0.5, 0.3});
  EXPECT_NEAR(sphere.depth, depth, 2e-14);
  EXPECT_NEAR(norm(cross(sphere.n, Vec3{0.9, 0.5, 0.3})), 0.0, 9e-15);
}

// The counter-example to taking |v| - 2m as the depth: a coarse stop loses a shallow collision.
TEST(EpaClassic, MarginAndACoarseStopLoseAShallowCollision) {
  const Shape a = Ellipsoid({0.5, 0.7, 0.9}), b = Ellipsoid({0.9, 0.6, 0.5});
  const Pose place = Pose::translation({1.4 - 1e-5, 0.0, 0.0});
  EpaClassicOptions options;
  options.eps = 0.1;
  options.margin = 0.01;
  const EpaClassicResult coarse = run(a, b, place, options);
  options.eps = 1e-8;
  const EpaClassicResult fine = run(a, b, place, options);
  EXPECT_FALSE(coarse.collision);
  EXPECT_TRUE(fine.collision);
  EXPECT_NEAR(fine.depth, 1e-5, 2e-10);
  // The upper bound of the depth holds even where the collision is missed.
  EXPECT_GE(coarse.best_value, 1e-5 - 1e-14);
}

TEST(EpaClassic, MarginShiftsTheGapOfBodiesApart) {
  EpaClassicOptions options;
  options.eps = 1e-9;
  options.margin = 0.05;
  const Pose place = Pose::translation({1.25, 0.0, 0.0});
  const EpaClassicResult r = run(Ellipsoid({0.5, 0.7, 0.9}), Sphere(0.7), place, options);
  EXPECT_FALSE(r.collision);
  EXPECT_NEAR(r.depth, -0.05, 6e-11);
}

TEST(EpaClassic, TheCapEndsTheSearch) {
  EpaClassicOptions options;
  options.max_iterations = 3;
  const EpaClassicResult r = run(Ellipsoid({0.5, 0.7, 0.9}), Ellipsoid({0.9, 0.6, 0.5}),
                                 Pose::translation({0.2, 0.1, 0}), options);
  EXPECT_NE(r.outcome, EpaClassicOutcome::converged);
  EXPECT_LE(r.iterations, 3 + 3 + 12);
}

class CountingSink : public Observer {
 public:
  void simplex(const SimplexEvent& e) override {
    gjk += std::string_view(e.state.stage) == "gjk_classic" ? 1 : 0;
    epa += std::string_view(e.state.stage) == "epa_classic" ? 1 : 0;
  }
  int gjk = 0, epa = 0;
};

TEST(EpaClassic, ReportsItsSteps) {
  CountingSink sink;
  EpaClassicOptions options;
  options.observer = &sink;
  const EpaClassicResult r = run(Ellipsoid({0.5, 0.7, 0.9}), Ellipsoid({0.9, 0.6, 0.5}),
                                 Pose::translation({0.2, 0.1, 0.0}), options);
  EXPECT_GT(sink.gjk, 0);
  EXPECT_GT(sink.epa, 0);
  EXPECT_LE(sink.gjk + sink.epa, r.iterations);
}

// As a query: every bracket holds, from far apart through touching to concentric.
TEST(EpaClassic, BracketsOfTheQueryHold) {
  Random random(3);
  const std::vector<Shape> shapes = every_convex_shape(random);
  QueryOptions classic;
  classic.method = Method::epa_classic;
  for (const double reach : {1.0, 0.3, 1e-3, 0.0}) {
    for (const Shape& a : shapes) {
      for (const Shape& b : shapes) {
        const Pose pose_a = random_pose(random, reach), pose_b = random_pose(random, reach);
        const DistanceResult right = distance(a, pose_a, b, pose_b);
        const DistanceResult r = distance(a, pose_a, b, pose_b, classic);
        EXPECT_LE(r.lower, right.upper) << to_string(a.type()) << '-' << to_string(b.type());
        EXPECT_GE(r.upper, right.lower) << to_string(a.type()) << '-' << to_string(b.type());
        EXPECT_LE(r.lower, r.distance);
        EXPECT_LE(r.distance, r.upper);
        EXPECT_TRUE(is_finite(r.point_a) && is_finite(r.point_b));
        if (r.status == Status::converged) {
          EXPECT_LE(r.upper - r.lower, 2e-8);
        }
      }
    }
  }
}

TEST(EpaClassic, TouchingBoxesKeepABracketAroundZero) {
  QueryOptions classic;
  classic.method = Method::epa_classic;
  const DistanceResult r = distance(Box({1.0, 1.0, 1.0}), {}, Box({1.0, 1.0, 1.0}),
                                    Pose::translation({1.0, 0.0, 0.0}), classic);
  EXPECT_LE(r.lower, 0.0);
  EXPECT_GE(r.upper, 0.0);
}

}  // namespace
}  // namespace tactus::detail
