#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "tactus/deform.hpp"
#include "tests/support/effort.hpp"
#include "tests/unit/soft/sheet.hpp"

namespace tactus::detail {
namespace {

using detail::test::trampoline;

constexpr double kGravity = 9.81;

DeformableDefinition box(double young, double density, const Vec3& center) {
  const TetrahedralMesh mesh = tetrahedral_box({0.2, 0.2, 0.2}, {3, 3, 3});
  DeformableDefinition d;
  d.vertices = mesh.vertices;
  d.tetrahedra = mesh.tetrahedra;
  d.material.young = young;
  d.material.density = density;
  d.material.damping = 0.01;
  d.pose = Pose::translation(center);
  return d;
}

/// Sum of the contact forces on a body.
Vec3 force_on(const DeformableWorld& world, std::uint32_t body) {
  Vec3 sum;
  for (const DeformableContact& c : world.contacts()) {
    const Vec3 on_b = c.normal * c.normal_force + c.friction_force;
    if (c.body_b == body) sum += on_b;
    if (c.body_a == body) sum -= on_b;
  }
  return sum;
}

/// Expects all contacts in order, with unit normals and distances and forces in their ranges.
void expect_sound(const DeformableWorld& world) {
  ASSERT_EQ(world.contacts().size(), static_cast<std::size_t>(world.statistics().contacts));
  std::uint64_t before = 0;
  for (const DeformableContact& c : world.contacts()) {
    EXPECT_LE(c.body_a, c.body_b);
    EXPECT_LT(c.body_b, world.bodies() + world.obstacles());
    const std::uint64_t pair = (std::uint64_t{c.body_a} << 32u) | c.body_b;
    EXPECT_GE(pair, before);
    before = pair;
    EXPECT_NEAR(norm(c.normal), 1.0, 7e-15);
    EXPECT_GT(c.distance, 0.0);
    EXPECT_LT(c.distance, world.contact_distance());
    EXPECT_GT(c.normal_force, 0.0);
  }
}

TEST(DeformableContacts, ABoxAtRestIsCarriedByItsWeight) {
  DeformableWorld world;
  world.add(box(1e5, 500.0, {0.0, 0.0, 0.1}));
  // The box stands beyond the plane at first.
  world.add_obstacle({HalfSpace({0.0, 0.0, 1.0}, -0.01)});
  EXPECT_TRUE(world.contacts().empty());
  for (int k = 0; k < 240; ++k) world.step();
  expect_sound(world);
  ASSERT_FALSE(world.contacts().empty());
  for (const DeformableContact& c : world.contacts()) {
    EXPECT_EQ(c.body_a, 0u);
    EXPECT_EQ(c.body_b, 1u);
    EXPECT_EQ(c.normal, (Vec3{0.0, 0.0, -1.0}));
    EXPECT_NEAR(c.point.z, -0.01 + 0.5 * c.distance, 1e-15);
  }
  const double weight = 500.0 * 0.008 * kGravity;
  const Vec3 on_box = force_on(world, 0);
  EXPECT_NEAR(on_box.z, weight, 0.01 * weight);
  EXPECT_LT(std::hypot(on_box.x, on_box.y), 0.01 * weight);

  const DeformableState state = world.save();
  world.restore(state);
  EXPECT_TRUE(world.contacts().empty());
}

TEST(DeformableContacts, ABallOnATrampolineTouchesBothSurfaces) {
  TACTUS_LONG_TEST();
  World rigid;
  DeformableWorld soft;
  soft.add(trampoline());
  BodyDefinition ball{Sphere(0.1)};
  ball.pose = Pose::translation({0.013, 0.017, 0.12});
  const BodyId id = rigid.add(ball);
  const std::uint32_t obstacle = soft.add_obstacle(rigid, id);
  for (int k = 0; k < 300; ++k) soft.step(rigid);
  expect_sound(soft);
  ASSERT_FALSE(soft.contacts().empty());
  const Vec3 center = rigid.body(id).pose().position();
  const double r = soft.contact_distance();
  for (const DeformableContact& c : soft.contacts()) {
    EXPECT_EQ(c.body_b, 1u);
    // The ball is a polytope that reaches beyond it by at most a hundredth of its size.
    EXPECT_GT(norm(c.point - center), 0.1 - 1e-9);
    EXPECT_LT(norm(c.point - center), 0.1 + 0.002 + r);
    EXPECT_GT(dot(c.normal, center - c.point), 0.0);
  }
  const Vec3 load = soft.load(obstacle).force, sum = force_on(soft, 1);
  EXPECT_LT(norm(sum - load), 4e-3 * norm(load));
  EXPECT_LT(norm(force_on(soft, 0) + sum), 1e-9 * norm(sum));
}

TEST(DeformableContacts, TwoBoxesPushEachOther) {
  TACTUS_LONG_TEST();
  // The forces are as good as the step has converged.
  DeformableSettings settings;
  settings.tolerance = 1e-6;
  settings.sweeps = 1000;
  DeformableWorld world(settings);
  world.add(box(1e5, 500.0, {0.013, 0.017, 0.33}));
  world.add(box(1e5, 500.0, {0.0, 0.0, 0.11}));
  world.add_obstacle({HalfSpace({0.0, 0.0, 1.0}, 0.0)});
  for (int k = 0; k < 240; ++k) world.step();
  expect_sound(world);
  bool met = false;
  for (const DeformableContact& c : world.contacts()) {
    if (c.body_b != 1) continue;
    met = true;
    EXPECT_LT(c.normal.z, 0.0);
  }
  EXPECT_TRUE(met);
  EXPECT_TRUE(world.statistics().converged);
  const double weight = 500.0 * 0.008 * kGravity;
  EXPECT_NEAR(force_on(world, 0).z, weight, 0.02 * weight);
  EXPECT_NEAR(force_on(world, 1).z, weight, 0.02 * weight);
}

}  // namespace
}  // namespace tactus::detail
