// The pieces of the impulse-based world against closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tactus/core.hpp"
#include "tactus/core/random.hpp"
#include "tactus/rigid/event/collision.hpp"
#include "tactus/rigid/event/impulse_integration.hpp"
#include "tactus/rigid/event/sphere_gas.hpp"

namespace tactus::detail {
namespace {

/// Mobility at the contact of a ball of mass 1 and radius 1 with the ground: 1 + 5/2 along the
/// ground, 1 across.
Mat3 ball_mobility() { return {{{3.5, 0.0, 0.0}, {0.0, 3.5, 0.0}, {0.0, 0.0, 1.0}}}; }

TEST(IntegrateImpact, BallsSlideOrStickAsTheorySays) {
  for (const double e : {0.0, 0.5, 1.0}) {
    // Sliding all the time: mu times the normal impulse.
    const PointImpulse slides = integrate_impact({ball_mobility(), {3.0, 4.0, -2.0}, 0.1, e});
    const double normal = 2.0 * (1.0 + e);
    EXPECT_NEAR(slides.impulse.z, normal, 1e-13);
    EXPECT_NEAR(slides.impulse.x, -0.1 * normal * 0.6, 2e-15);
    EXPECT_NEAR(slides.impulse.y, -0.1 * normal * 0.8, 4e-15);
    // Sticking: what stops the point.
    const PointImpulse sticks = integrate_impact({ball_mobility(), {0.3, 0.4, -2.0}, 1.0, e});
    EXPECT_NEAR(sticks.impulse.z, normal, 1e-13);
    EXPECT_NEAR(sticks.impulse.x, -0.3 / 3.5, 1e-15);
    EXPECT_NEAR(sticks.impulse.y, -0.4 / 3.5, 1e-15);
    EXPECT_NEAR(sticks.given, e * e * -sticks.taken, 1e-13);
  }
}

// A corner that friction holds: the impulse that stops it, and restitution by the work of the
// normal impulse along the sticking direction.
TEST(IntegrateImpact, StickingCornerEqualsTheClosedForm) {
  const Mat3 k{{{4.0, 0.0, 1.5}, {0.0, 3.0, 0.0}, {1.5, 0.0, 2.5}}};
  const double e = 0.6;
  const PointImpulse r = integrate_impact({k, {0.0, 0.0, -1.0}, 1.0, e});
  // Along (-k02 / k00, 0, 1) the normal speed changes by k22 - k02^2 / k00.
  const double rate = 2.5 - 1.5 * 1.5 / 4.0;
  EXPECT_NEAR(r.impulse.z, (1.0 + e) / rate, 1e-13);
  EXPECT_NEAR(r.impulse.x, -1.5 / 4.0 * (1.0 + e) / rate, 4e-15);
}

TEST(IntegrateImpact, NeverGainsEnergy) {
  Random random(5);
  for (int i = 0; i < 2000; ++i) {
    Mat3 root;
    for (int r = 0; r < 3; ++r) {
      for (int c = 0; c < 3; ++c) root(r, c) = random.uniform(-1.0, 1.0);
    }
    const Mat3 k = root * transpose(root) + Mat3::identity() * 0.05;
    const Vec3 u{random.uniform(-2.0, 2.0), random.uniform(-2.0, 2.0), -random.uniform(0.01, 2.0)};
    const double e = random.uniform();
    const PointImpulse r = integrate_impact({k, u, random.uniform(0.0, 1.5), e});
    const Vec3 after = u + k * r.impulse;
    EXPECT_LE(0.5 * dot(r.impulse, u + after), 1e-9) << i;
    EXPECT_GE(after.z, -1e-9) << i;
    EXPECT_NEAR(r.given, e * e * -r.taken, 3e-13) << i;
  }
}

TEST(MicroCollisions, GiveBackNoMoreThanTheReserve) {
  SolverBody ground, ball;
  ball.inverse_mass = 1.0;
  ball.inverse_inertia = Mat3::identity() * 2.5;
  const ImpactPoint point{both(Vec3{}, Vec3{0.0, 0.0, -1.0}), {0.0, 0.0, 1.0}};
  CollisionLaw law;
  law.friction = 0.5;
  law.micro_speed = 0.01;
  law.most_reserve = 1e-4;
  // Slower than a throw: with nothing to spend it comes back as it came.
  double reserve = 0.0;
  ball.linear = {0.0, 0.0, -0.004};
  EXPECT_TRUE(collide({&point, 1}, law, ground, ball, reserve).micro);
  EXPECT_NEAR(ball.linear.z, 0.004, 1e-15);
  // With enough it is thrown at the speed of micro-collisions, and that is paid for.
  reserve = 1e-4;
  ball.linear = {0.0, 0.0, -0.004};
  const CollisionReport paid = collide({&point, 1}, law, ground, ball, reserve);
  EXPECT_NEAR(ball.linear.z, 0.01, 1e-14);
  EXPECT_NEAR(paid.energy, 0.5 * (1e-4 - 1.6e-5), 1e-15);
  EXPECT_NEAR(reserve, 1e-4 - paid.energy, 1e-15);
  // A faster one loses energy, which fills the reserve up to its bound.
  ball.linear = {0.0, 0.0, -1.0};
  EXPECT_LT(collide({&point, 1}, law, ground, ball, reserve).energy, -0.49);
  EXPECT_NEAR(ball.linear.z, 0.01, 1e-13);
  EXPECT_EQ(reserve, 1e-4);
}

TEST(SphereGas, TwoSpheresMeetAtTheExactTimeAcrossTheBoundary) {
  SphereGas gas(0.5, 10.0, {{1.0, 5.0, 5.0}, {8.0, 5.0, 5.0}}, {{-1.0, 0.0, 0.0}, {0.0, 0.0, 0.0}});
  // The centres are 3 apart through the boundary, and meet at 1.
  gas.advance(1.999);
  EXPECT_EQ(gas.collisions(), 0u);
  gas.advance(2.001);
  EXPECT_EQ(gas.collisions(), 1u);
  EXPECT_NEAR(gas.velocities()[0].x, 0.0, 1e-14);
  EXPECT_NEAR(gas.velocities()[1].x, -1.0, 1e-14);
}

TEST(SphereGas, KeepsEnergyMomentumAndTheSpheresApart) {
  const int side = 8;
  Random random(3);
  std::vector<Vec3> positions, velocities;
  Vec3 momentum;
  for (int i = 0; i < side * side * side; ++i) {
    positions.push_back(
        {i % side * 1.25 + 0.6, i / side % side * 1.25 + 0.6, i / (side * side) * 1.25 + 0.6});
    velocities.push_back(
        {random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0)});
    momentum += velocities.back();
  }
  SphereGas gas(0.5, 10.0, positions, velocities);
  const double energy = gas.energy();
  gas.advance(10.0);
  EXPECT_GT(gas.collisions(), 5000u);
  EXPECT_NEAR(gas.energy(), energy, 3e-14 * energy);
  Vec3 after;
  for (const Vec3& v : gas.velocities()) after += v;
  EXPECT_LT(norm(after - momentum), 2e-12);
  for (std::size_t i = 0; i < gas.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      Vec3 r = gas.position(i) - gas.position(j);
      for (int k = 0; k < 3; ++k) r[k] -= 10.0 * std::floor(r[k] / 10.0 + 0.5);
      EXPECT_GT(norm(r), 1.0 - 1e-12);
    }
  }
  EXPECT_THROW(SphereGas(1.0, 5.0, {}, {}), InvalidInput);
  EXPECT_THROW(SphereGas(1.0, 10.0, {{0.0, 0.0, 0.0}}, {}), InvalidInput);
}

}  // namespace
}  // namespace tactus::detail
