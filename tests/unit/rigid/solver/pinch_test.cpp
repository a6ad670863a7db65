#include "tactus/rigid/solver/pinch.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tactus/world.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/random_shapes.hpp"

namespace tactus::detail {
namespace {

/// A ball of size 1 between a wall (body 0) and a press (body 2), with the overlaps of both.
struct Squeeze {
  std::vector<SolverBody> bodies{3};
  std::vector<ContactPatch> patches;

  Squeeze(double overlap_wall, double overlap_press, double speed, const Vec3& press_normal) {
    bodies[1].inverse_mass = 1.0;
    bodies[2].linear = press_normal * speed;
    patches = {patch(0, 1, {1.0, 0.0, 0.0}, overlap_wall),
               patch(1, 2, -press_normal, overlap_press)};
  }
  static ContactPatch patch(std::uint32_t a, std::uint32_t b, const Vec3& normal, double depth) {
    ContactPatch p;
    p.body_a = a;
    p.body_b = b;
    p.size = 1.0;
    p.manifold.normal = normal;
    p.manifold.count = 1;
    p.manifold.points[0].depth = depth;
    return p;
  }
  bool pinched() const {
    std::vector<char> found;
    find_pinched(patches, bodies, nullptr, found);
    EXPECT_EQ(found[0], found[1]);
    return found[0] != 0;
  }
};

TEST(Pinch, TakesOverlapsOfOpposedPartners) {
  const Vec3 opposed{-1.0, 0.0, 0.0}, beside{0.0, 1.0, 0.0};
  EXPECT_TRUE(Squeeze(0.01, 0.01, 0.5, opposed).pinched());
  EXPECT_TRUE(Squeeze(0.01, -1e-6, 0.5, opposed).pinched());
  EXPECT_TRUE(Squeeze(-1e-6, 0.01, 0.5, opposed).pinched());
  EXPECT_FALSE(Squeeze(0.001, 0.001, 0.5, opposed).pinched()) << "as loads overlap";
  EXPECT_FALSE(Squeeze(0.01, 0.01, 0.0, opposed).pinched()) << "as a gripper holds";
  EXPECT_FALSE(Squeeze(0.01, 0.01, -0.5, opposed).pinched()) << "as a gripper opens";
  EXPECT_TRUE(Squeeze(0.06, 0.01, 0.0, opposed).pinched()) << "in a slot that is too narrow";
  EXPECT_FALSE(Squeeze(0.06, 0.06, 0.5, beside).pinched()) << "a way out is open";
}

TEST(Pinch, NeedsPartnersThatNothingMoves) {
  Squeeze free(0.06, 0.06, 0.5, {-1.0, 0.0, 0.0});
  free.bodies[2].inverse_mass = 1.0;
  EXPECT_FALSE(free.pinched());
}

TEST(Pinch, ARowIsPinchedAtThePress) {
  // Wall, two balls, press; the balls push each other along x.
  std::vector<SolverBody> bodies(4);
  bodies[1].inverse_mass = bodies[2].inverse_mass = 1.0;
  bodies[3].linear = {-0.5, 0.0, 0.0};
  std::vector<ContactPatch> patches{Squeeze::patch(0, 1, {1.0, 0.0, 0.0}, 1e-6),
                                    Squeeze::patch(1, 2, {1.0, 0.0, 0.0}, 1e-5),
                                    Squeeze::patch(2, 3, {1.0, 0.0, 0.0}, 0.01)};
  std::vector<char> found;
  const auto pinched = [&] {
    find_pinched(patches, bodies, nullptr, found);
    EXPECT_EQ(found[0], 0);
    EXPECT_EQ(found[1], 0);
    return found[2] != 0;
  };
  EXPECT_TRUE(pinched());
  patches[1].manifold.points[0].depth = -1e-6;
  EXPECT_FALSE(pinched()) << "nothing holds the ball at the press";
  patches[1].manifold.points[0].depth = 1e-5;
  patches[1].manifold.normal = {0.0, 1.0, 0.0};
  EXPECT_FALSE(pinched()) << "it is held from another side";
}

BodyDefinition plate(double x, double speed) {
  BodyDefinition d{.shape = Box({0.4, 4.0, 4.0})};
  d.type = BodyType::kinematic;
  d.pose = Pose::translation({x, 0.0, 0.0});
  d.linear_velocity = {speed, 0.0, 0.0};
  return d;
}

/// The fastest that a body between plates which close to half of its width ever moves, and the
/// speed at which they close.
struct Crushed {
  double fastest = 0.0, closing = 0.0;
};

Crushed crush(const Shape& shape, const Quat& turn, const Vec3& place, double friction,
              double speed_a, double speed_b) {
  WorldSettings settings;
  settings.gravity = {};
  World world(settings);
  world.add(plate(-1.2, speed_a));
  world.add(plate(1.2, -speed_b));
  BodyDefinition body{.shape = shape};
  body.pose = Pose(place, turn);
  body.material.friction = friction;
  const BodyId id = world.add(body);
  Crushed result{0.0, speed_a + speed_b};
  for (double gap = 2.0; gap > 0.3; gap -= result.closing / 60.0) {
    require_done(world.step());
    result.fastest = std::max(result.fastest, norm(world.body(id).linear_velocity()));
  }
  return result;
}

TEST(Pinch, WhatPlatesCrushIsNoFasterThanThey) {
  Random random(4504);
  const std::vector<Shape> shapes{Sphere(0.5), Box({0.9, 0.8, 0.7}), Capsule(0.3, 0.4),
                                  Ellipsoid({0.5, 0.4, 0.3}), Cylinder(0.4, 0.8)};
  const int cases = test::effort(30);
  for (int i = 0; i < cases; ++i) {
    const Shape& shape = shapes[static_cast<std::size_t>(i) % shapes.size()];
    const double speed = std::pow(10.0, random.uniform(-1.0, 0.7));
    const double friction = i % 3 == 0 ? 0.0 : random.uniform(0.0, 1.0);
    const Vec3 place{random.uniform(-0.2, 0.2), random.uniform(-1.0, 1.0),
                     random.uniform(-1.0, 1.0)};
    const Crushed crushed =
        crush(shape, random_rotation(random), place, friction, speed, i % 2 == 0 ? 0.0 : speed);
    EXPECT_LT(crushed.fastest, 2.0 * crushed.closing) << i << ", friction " << friction;
  }
}

// Without friction of their own: half of a body hangs over the edges of both plates.
TEST(Pinch, AtTheEdgesOfPlatesBodiesStayAsSlow) {
  Random random(4506);
  const std::vector<Shape> shapes{Box({0.9, 0.8, 0.7}), Capsule(0.3, 0.4),
                                  Ellipsoid({0.5, 0.4, 0.3})};
  const int cases = test::effort(24);
  for (int i = 0; i < cases; ++i) {
    const Vec3 place{random.uniform(-0.2, 0.2), random.uniform(1.7, 1.95),
                     random.uniform(-1.0, 1.0)};
    const Crushed crushed = crush(shapes[static_cast<std::size_t>(i) % shapes.size()],
                                  random_rotation(random), place, 0.0, 1.0, 1.0);
    EXPECT_LT(crushed.fastest, 2.0 * crushed.closing) << i;
  }
}

TEST(Pinch, ARowOfTwoIsNotShotOut) {
  TACTUS_LONG_TEST();
  Random random(4505);
  for (int i = 0; i < 6; ++i) {
    WorldSettings settings;
    settings.gravity = {};
    World world(settings);
    world.add(plate(-1.2, 0.5));
    world.add(plate(1.2, 0.0));
    BodyId ids[2];
    for (int k = 0; k < 2; ++k) {
      BodyDefinition ball{.shape = Sphere(0.5)};
      ball.pose =
          Pose::translation({k - 0.5, random.uniform(-0.05, 0.05), random.uniform(-0.05, 0.05)});
      ids[k] = world.add(ball);
    }
    double fastest = 0.0;
    for (int step = 0; step < 150; ++step) {
      require_done(world.step());
      for (const BodyId id : ids)
        fastest = std::max(fastest, norm(world.body(id).linear_velocity()));
    }
    EXPECT_LT(fastest, 5.0) << "ten times the speed of the press";
  }
}

TEST(Pinch, AGripperHoldsWhatItPresses) {
  // Two fingers close by 2 % of the size and stop; friction then carries the box.
  World world;
  const BodyId a = world.add(plate(-0.71, 0.1)), b = world.add(plate(0.71, -0.1));
  BodyDefinition body{.shape = Box({1.0, 1.0, 1.0})};
  body.material.friction = 0.8;
  const BodyId id = world.add(body);
  for (int i = 0; i < 12; ++i) require_done(world.step());
  world.set_velocity(a, {}, {});
  world.set_velocity(b, {}, {});
  const double held = world.body(id).center_of_mass().z;
  for (int i = 0; i < 120; ++i) require_done(world.step());
  EXPECT_NEAR(world.body(id).center_of_mass().z, held, 0.01);
}

}  // namespace
}  // namespace tactus::detail
