#include "tactus/rigid/body/given_mass.hpp"

#include <gtest/gtest.h>

#include "tactus/core.hpp"

namespace tactus::detail {
namespace {

// A ball of radius r: inertia 2/5 m r^2.
TEST(GivenMass, TheRestComesFromTheShape) {
  const Shape ball = Sphere(0.5);
  const BodyMass by_density = GivenMass{}.completed(ball, 100.0);
  EXPECT_NEAR(by_density.inertia(0, 0), 0.4 * by_density.mass * 0.25, 1e-14 * by_density.mass);
  const BodyMass heavy = GivenMass{7.0, std::nullopt, std::nullopt}.completed(ball, 100.0);
  EXPECT_EQ(heavy.mass, 7.0);
  EXPECT_EQ(heavy.center, Vec3());
  EXPECT_NEAR(heavy.inertia(2, 2), 0.4 * 7.0 * 0.25, 1e-14);
  const BodyMass moved =
      GivenMass{std::nullopt, Vec3{0, 0, -0.2}, std::nullopt}.completed(ball, 100.0);
  EXPECT_EQ(moved.center, (Vec3{0, 0, -0.2}));
  EXPECT_EQ(moved.mass, by_density.mass);
  EXPECT_FALSE(GivenMass{}.any());
}

TEST(GivenMass, AShapeWithoutVolumeNeedsAll) {
  const Shape plane = HalfSpace({0, 0, 1}, 0.0);
  const Mat3 inertia = Mat3::identity();
  EXPECT_THROW((GivenMass{1.0, Vec3(), std::nullopt}.completed(plane, 100.0)), InvalidInput);
  EXPECT_EQ((GivenMass{1.0, Vec3{1, 2, 3}, inertia}.completed(plane, 100.0)).center,
            (Vec3{1, 2, 3}));
}

}  // namespace
}  // namespace tactus::detail
