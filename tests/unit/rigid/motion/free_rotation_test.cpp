#include "tactus/rigid/motion/free_rotation.hpp"

#include <gtest/gtest.h>

namespace tactus::detail {
namespace {

struct Invariants {
  double energy;
  Vec3 momentum;
};

Invariants invariants(const Rotation& r, const Mat3& inertia) {
  const Mat3& axes = r.axes;
  const Vec3 momentum = axes * (inertia * transpose_times(axes, r.angular_velocity));
  return {0.5 * dot(r.angular_velocity, momentum), momentum};
}

TEST(FreeRotation, KeepsEnergyAndMomentumOver100000Steps) {
  // Spun about the middle axis with a disturbance, the body tumbles over and over: the hardest
  // case.
  const Mat3 inertia = {{{2.0, 0.1, 0.0}, {0.1, 1.0, 0.2}, {0.0, 0.2, 0.4}}};
  Rotation r{{}, {}, {0.3, 10.0, -0.2}};
  const Invariants start = invariants(r, inertia);
  double energy_drift = 0.0, momentum_drift = 0.0;
  for (int step = 0; step < 100000; ++step) {
    r = rotate_freely(r, inertia, inverse(inertia), 1.0 / 60.0);
    const Invariants now = invariants(r, inertia);
    energy_drift = std::max(energy_drift, std::fabs(now.energy / start.energy - 1.0));
    momentum_drift =
        std::max(momentum_drift, norm(now.momentum - start.momentum) / norm(start.momentum));
  }
  EXPECT_LT(energy_drift, 1e-10);
  EXPECT_LT(momentum_drift, 1e-10);
  EXPECT_NEAR(norm(r.orientation), 1.0, 1e-15);
}

TEST(FreeRotation, IsOfSecondOrder) {
  const Mat3 inertia = Mat3::diagonal({1.0, 2.0, 3.0});
  const auto end = [&](int steps) {
    Rotation r{{}, {}, {1.0, 2.0, -0.5}};
    for (int i = 0; i < steps; ++i) r = rotate_freely(r, inertia, inverse(inertia), 1.0 / steps);
    return r.angular_velocity;
  };
  const Vec3 reference = end(6400);
  const double coarse = norm(end(100) - reference);
  const double fine = norm(end(200) - reference);
  EXPECT_GT(coarse, 1e-7);
  EXPECT_NEAR(coarse / fine, 4.0, 0.2);
}

TEST(FreeRotation, SymmetricTopPrecessesAtTheKnownRate) {
  // Torque-free symmetric top: its axis turns about the angular momentum L at the rate L / I1.
  const Mat3 inertia = Mat3::diagonal({2.0, 2.0, 1.0});
  Rotation r{{}, {}, {1.0, 0.0, 3.0}};
  const Vec3 momentum = invariants(r, inertia).momentum;
  const double period = 2.0 * 3.14159265358979323846 / (norm(momentum) / 2.0);
  const Vec3 axis = r.axes.column(2);
  for (int i = 0; i < 4000; ++i) r = rotate_freely(r, inertia, inverse(inertia), period / 4000);
  EXPECT_LT(norm(r.axes.column(2) - axis), 1e-5);
}

TEST(FreeRotation, VeryFastSpinKeepsMomentum) {
  const Mat3 inertia = Mat3::diagonal({1.0, 2.0, 3.0});
  Rotation r{{}, {}, {1e5, 2e5, -3e4}};
  const Vec3 momentum = invariants(r, inertia).momentum;
  for (int i = 0; i < 100; ++i) r = rotate_freely(r, inertia, inverse(inertia), 1.0 / 60.0);
  EXPECT_LT(norm(invariants(r, inertia).momentum - momentum), 9e-13 * norm(momentum));
}

TEST(SteadyRotation, TurnsByTheWholeAngle) {
  // A right angle about z: x becomes y.
  const double right_angle = 0.5 * 3.14159265358979323846;
  const Quat q = rotate_steadily({}, {0.0, 0.0, right_angle * 8.0}, 0.125);
  EXPECT_LT(norm(to_matrix(q).column(0) - Vec3{0.0, 1.0, 0.0}), 2e-9);
}

}  // namespace
}  // namespace tactus::detail
