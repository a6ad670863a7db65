// The proof of a triangle by the formulas of f, against sampled directions.
#include "tactus/narrow/proof/face_proof.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "tactus/core/random.hpp"
#include "tests/support/effort.hpp"

namespace tactus::detail {
namespace {

constexpr int kSamples = 400;

Vec3 random_direction(Random& random) {
  for (;;) {
    const Vec3 v{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
    if (squared_norm(v) > 1e-2 && squared_norm(v) < 1.0) return normalized(v);
  }
}

Shape random_shape(Random& random) {
  const Vec3 d{random.uniform(0.3, 1.0), random.uniform(0.3, 1.0), random.uniform(0.3, 1.0)};
  switch (random.below(6)) {
    case 0:
      return Cylinder(d.x, 2.0 * d.y);
    case 1:
      return Cone(d.x, 2.0 * d.y);
    case 2:
      return Box(d * 2.0);
    default:
      return Ellipsoid(d);
  }
}

// Two bodies with the origin deep inside A - B.
Cso random_pair(Random& random) {
  const Shape a = random_shape(random), b = random_shape(random);
  const Quat turn = normalized(Quat{random.uniform(-1, 1), random.uniform(-1, 1),
                                    random.uniform(-1, 1), random.uniform(-1, 1)});
  return Cso(core_of(a), Pose(), core_of(b),
             Pose(random_direction(random) * random.uniform(0.0, 0.2), turn));
}

struct Triangle {
  std::array<Vec3, 3> point;
  const Vec3* corner[3] = {&point[0], &point[1], &point[2]};

  Vec3 direction(double u, double v) const {
    if (u + v > 1.0) {
      u = 1.0 - u;
      v = 1.0 - v;
    }
    return normalized(point[0] * (1.0 - u - v) + point[1] * u + point[2] * v);
  }
};

// Three short vectors about a direction, which none of the levels below reaches.
void fill(Triangle& t, Random& random, const Vec3& about, double width) {
  for (Vec3& p : t.point)
    p = (about + random_direction(random) * (width * random.uniform())) * 1e-3;
}

TEST(FaceProof, WhatIsProvedHoldsAndAWrongLevelIsNot) {
  Random random(12, 3);
  int proved = 0, cases = 0;
  for (int trial = 0; trial < test::effort(1000); ++trial) {
    const Cso cso = random_pair(random);
    Triangle t;
    fill(t, random, random_direction(random), std::pow(10.0, random.uniform(-3.0, 0.0)));
    double least = std::numeric_limits<double>::infinity();
    for (int i = 0; i < kSamples; ++i) {
      // Corners and sides among them.
      const double u = i < 3 ? (i == 1 ? 1.0 : 0.0) : random.uniform();
      const double v = i < 3 ? (i == 2 ? 1.0 : 0.0) : i % 4 == 0 ? 0.0 : random.uniform();
      least = std::min(least, cso.value(t.direction(u, v)));
    }
    if (!(least > 0.0)) continue;
    ++cases;
    for (const double below : {1e-1, 1e-2, 1e-4, 1e-9}) {
      FaceProof proof;
      proof.level = least * (1.0 - below);
      proof.budget = 128;
      if (!prove_face(cso, t.corner, proof)) continue;
      proved += below > 1e-3;
      for (int i = 0; i < kSamples; ++i)
        EXPECT_GE(cso.value(t.direction(random.uniform(), random.uniform())),
                  proof.level - cso.error_bound);
    }
    FaceProof wrong;
    wrong.level = least + 2.0 * cso.error_bound;
    wrong.budget = 128;
    EXPECT_FALSE(prove_face(cso, t.corner, wrong));
  }
  EXPECT_GT(cases, 0);
  EXPECT_GT(proved, cases);
}

// A minimum inside the triangle was looked for only where the corners ran counterclockwise.
TEST(FaceProof, TheOrderOfTheCornersDoesNotMatter) {
  Random random(12, 5);
  int proved = 0, refused = 0;
  for (int trial = 0; trial < test::effort(2000); ++trial) {
    // One round body about the lowest direction, so that the minimum often lies inside.
    const Cso cso(core_of(Ellipsoid({1.0, 0.8, 0.5})), Pose(), core_of(Sphere(1.0)), Pose());
    Vec3 corner[3];
    const Vec3 about = normalized(Vec3{0, 0, 1} + random_direction(random) * 0.3);
    for (Vec3& n : corner) n = normalized(about + random_direction(random) * 0.4);
    const Vec3 turned[3] = {corner[1], corner[0], corner[2]};
    const double level = cso.value(about) * random.uniform(0.8, 1.0);
    const bool holds = holds_to_second_order(cso, corner, level);
    EXPECT_EQ(holds_to_second_order(cso, turned, level), holds);
    (holds ? proved : refused) += 1;
  }
  EXPECT_GT(proved, 0);
  EXPECT_GT(refused, 0);
}

TEST(FaceProof, CapsAndCornersCountAsProved) {
  // An ellipsoid about a point: f(n) = sqrt(x^2 + y^2 + z^2 / 4) - 1/4, least at the poles.
  const Cso cso(core_of(Ellipsoid({1.0, 1.0, 0.5})), Pose(), core_of(Sphere(1.0)), Pose());
  Triangle t;
  t.point = {Vec3{0.01, 0.0, 0.05}, Vec3{-0.005, 0.008, 0.05}, Vec3{-0.005, -0.008, 0.05}};
  const double depth = cso.value({0.0, 0.0, 1.0});
  FaceProof proof;
  proof.level = depth + 1e-3;
  proof.budget = 1000;
  EXPECT_FALSE(prove_face(cso, t.corner, proof));
  // A cap around the pole holds all of it: its bound is handed on.
  const Cap cap{{0.0, 0.0, 1.0}, 0.97, depth};
  proof.caps = &cap;
  proof.cap_count = 1;
  EXPECT_TRUE(prove_face(cso, t.corner, proof));
  EXPECT_EQ(proof.lower, depth);
  // By a corner that lies beyond the level in every direction of the triangle.
  FaceProof held;
  held.level = depth + 1e-3;
  held.budget = 1000;
  t.point[0] = t.point[0] * 10.0;
  EXPECT_TRUE(prove_face(cso, t.corner, held));
  EXPECT_EQ(held.lower, std::numeric_limits<double>::infinity());
}

TEST(FaceProof, FindsAMinimumBetweenCentreAndSides) {
  // As above; the pole lies inside, but nearer to one corner.
  const Cso cso(core_of(Ellipsoid({1.0, 1.0, 0.5})), Pose(), core_of(Sphere(1.0)), Pose());
  Triangle t;
  t.point = {Vec3{0.03, 0.0, 1.0} * 1e-3, Vec3{-0.01, 0.02, 1.0} * 1e-3,
             Vec3{-0.01, -0.02, 1.0} * 1e-3};
  for (const double above : {1e-5, 1e-6, 1e-7}) {
    FaceProof proof;
    proof.level = cso.value({0.0, 0.0, 1.0}) + above;
    proof.budget = 128;
    EXPECT_FALSE(prove_face(cso, t.corner, proof));
  }
}

TEST(FaceProof, GivesUpWithinItsBudget) {
  // Cylinders on one axis: f is the same on a whole circle, which a few pieces do not prove.
  const Core core = core_of(Cylinder(0.5, 2.0));
  const Cso cso(core, Pose(), core, Pose());
  Triangle t;
  t.point = {Vec3{1.0, 0.5, 0.0} * 1e-3, Vec3{1.0, -0.2, 0.4} * 1e-3, Vec3{1.0, -0.2, -0.4} * 1e-3};
  FaceProof proof;
  proof.level = cso.value({1.0, 0.0, 0.0});
  proof.budget = 1000;
  EXPECT_FALSE(prove_face(cso, t.corner, proof));
  EXPECT_LT(proof.budget, 500);
  EXPECT_GE(proof.budget, 0);
}

}  // namespace
}  // namespace tactus::detail
