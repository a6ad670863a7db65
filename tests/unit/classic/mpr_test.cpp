#include "tactus/classic/mpr.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tests/support/measured.hpp"

namespace tactus::detail {
namespace {

struct Pair {
  Shape a, b;
  Pose pose_b = Pose();
  Cso cso() const { return {core_of(a), Pose(), core_of(b), pose_b}; }
};

MprResult ask(const Pair& pair, const MprOptions& options = {}) { return mpr(pair.cso(), options); }

TEST(Mpr, BoxesApartHaveAnAxis) {
  const MprResult r = ask({Box({1, 1, 1}), Box({1, 1, 1}), Pose::translation({3, 0.2, 0.1})});
  EXPECT_EQ(r.outcome, MprOutcome::separated);
  EXPECT_LT(r.bounds.value, 0.0);
  EXPECT_GE(r.bounds.value, -2.01);
  EXPECT_GE(norm(r.bounds.b - r.bounds.a), 2.0);
}

TEST(Mpr, OverlapIsABallInATetrahedron) {
  const MprResult r = ask({Box({1, 1, 1}), Box({1, 1, 1}), Pose::translation({0.8, 0.2, 0.1})});
  EXPECT_EQ(r.outcome, MprOutcome::overlapping);
  EXPECT_GT(r.bounds.inside, 0.01);
  EXPECT_LE(r.bounds.inside, 0.2);
}

// The first support point lies on the ray, beside no plane through it: taking "not beyond" for
// "before" there, as the printed case distinction does, leads the portal away from the ray.
TEST(Mpr, SpheresHaveTheirDepthAlongTheCentreRay) {
  const MprResult r = ask({Sphere(1), Sphere(2), Pose::translation({0, 0, 2.5})});
  EXPECT_EQ(r.outcome, MprOutcome::overlapping);
  EXPECT_EQ(r.ray, (Vec3{0, 0, 1}));
  EXPECT_LE(r.ray_lower, 0.5);
  EXPECT_GE(r.ray_upper, 0.5);
  EXPECT_NEAR(r.ray_upper, r.ray_lower, 1e-12);
  EXPECT_NEAR(r.bounds.a.z, 1.0, 1e-12);
  EXPECT_NEAR(r.bounds.b.z, 0.5, 1e-12);
}

// The surface is met where the ray leads, not where it is nearest.
TEST(Mpr, TheRayMissesTheLeastDepth) {
  const Pair pair{Box({4, 1, 2}), Box({2, 1, 2}), Pose::translation({2.4, 0.7, 0})};
  const MprResult r = ask(pair);
  EXPECT_EQ(r.outcome, MprOutcome::overlapping);
  EXPECT_NEAR(r.normal.x, 1.0, 1e-15);
  EXPECT_NEAR(r.normal_depth, 0.6, 1e-14);
  EXPECT_NEAR(r.ray_upper, 0.625, 2e-13);
  EXPECT_NEAR(r.ray_lower, 0.625, 2e-13);
  Epa epa;
  EXPECT_NEAR(test::measured(pair.cso(), {}, epa).distance, -0.3, 1e-15);
}

TEST(Mpr, DepthAlongAVelocity) {
  const Pair pair{Box({4, 1, 2}), Box({2, 1, 2}), Pose::translation({2.4, 0.7, 0})};
  MprOptions options;
  options.ray = {0, 1, 0};
  const MprResult up = ask(pair, options);
  EXPECT_NEAR(up.ray_lower, 0.3, 2e-13);
  EXPECT_NEAR(up.ray_upper, 0.3, 2e-13);
  EXPECT_NEAR(up.normal.y, 1.0, 1e-15);
  // Out through the far side: 3 + 2.4.
  options.ray = {-1, 0, 0};
  EXPECT_NEAR(ask(pair, options).ray_upper, 5.4, 1e-13);
  options.ray = {0.6, 0.8, 0};
  const MprResult oblique = ask(pair, options);
  EXPECT_NEAR(oblique.ray_upper, 0.3 / 0.8, 2e-13);
  EXPECT_NEAR(norm(oblique.bounds.a - oblique.bounds.b - options.ray * oblique.ray_upper), 0.0,
              1e-13);
}

// The printed form starts along minus the centre, which is zero here.
TEST(Mpr, ConcentricBodiesAreDecided) {
  EXPECT_EQ(ask({Box({1, 1, 1}), Box({1, 1, 1})}).outcome, MprOutcome::overlapping);
  EXPECT_EQ(ask({Sphere(1), Sphere(1)}).outcome, MprOutcome::overlapping);
  EXPECT_EQ(ask({Cylinder(1, 1), Sphere(0.2), Pose::translation({0, 0, 1e-13})}).outcome,
            MprOutcome::overlapping);
}

// f(n) <= 0 as a miss would lose the contact of boxes at rest on each other.
TEST(Mpr, TouchingIsNeitherMissNorHit) {
  const Pair pair{Box({1, 1, 1}), Box({1, 1, 1}), Pose::translation({0.2, 0.1, 1.0})};
  EXPECT_EQ(ask(pair).outcome, MprOutcome::undecided);
  const ConvexAnswer r = answer_by_mpr(pair.cso(), {});
  EXPECT_LE(r.lower, 0.0);
  EXPECT_GE(r.upper, 0.0);
  EXPECT_LE(r.upper - r.lower, 1e-13);
  EXPECT_NEAR(r.n.z, 1.0, 1e-15);
}

// With a "centre" outside the body, the tetrahedron that holds the origin is none of A - B.
TEST(Mpr, ACentreOutsideTheBodyProvesNonsense) {
  const Pair pair{Convex(std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}),
                  Sphere(0.05), Pose::translation({0.45, 0.45, 0.45})};
  EXPECT_EQ(ask(pair).outcome, MprOutcome::separated);
  Cso wrong = pair.cso();
  wrong.a.center = {0.5, 0.5, 0.5};  // the middle of the bounding box
  wrong.b.center = {0.01, 0.0, 0.0};
  EXPECT_EQ(mpr(wrong, {}).outcome, MprOutcome::overlapping);
}

TEST(Mpr, TheCapLeavesATrueBracket) {
  const Pair pair{Ellipsoid({1, 0.5, 0.7}), Ellipsoid({0.8, 0.6, 0.4}),
                  Pose::translation({1.2, 0.3, 0.2})};
  Epa epa;
  const ConvexAnswer truth = test::measured(pair.cso(), {}, epa);
  for (int most = 1; most < 40; ++most) {
    ConvexOptions options;
    options.max_iterations = most;
    const ConvexAnswer r = answer_by_mpr(pair.cso(), options);
    EXPECT_LE(r.iterations, most + 1);
    EXPECT_LE(r.lower, truth.upper);
    EXPECT_GE(r.upper, truth.lower);
    if (most < 5) {
      EXPECT_EQ(r.status, Status::iteration_limit);
    }
  }
}

TEST(Mpr, EveryStepIsTraced) {
  struct Count : Observer {
    void simplex(const SimplexEvent& s) override {
      ++steps;
      EXPECT_STREQ(s.state.stage, "mpr");
      EXPECT_NEAR(norm(s.direction), 1.0, 1e-15);
    }
    int steps = 0;
  } count;
  MprOptions options;
  options.observer = &count;
  const MprResult r = ask({Sphere(1), Box({1, 1, 1}), Pose::translation({0.3, 0.4, 0.5})}, options);
  EXPECT_EQ(count.steps, r.bounds.iterations);
}

}  // namespace
}  // namespace tactus::detail
