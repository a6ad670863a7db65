#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tactus/core/constants.hpp"
#include "tactus/world.hpp"

namespace tactus {
namespace {

constexpr double kG = 9.81;

std::vector<BodyId> moving(const World& world) {
  std::vector<BodyId> ids;
  for (const Body& body : world.bodies())
    if (body.is_dynamic()) ids.push_back(body.id());
  return ids;
}

// A column of boxes: each carries those above it, so that the mean pressure along z is that of half
// of the column, and nothing presses sideways.
TEST(GrainMeasures, AColumnCarriesItsWeight) {
  World world;
  BodyDefinition floor{HalfSpace({0.0, 0.0, 1.0}, 0.0)};
  floor.type = BodyType::fixed;
  world.add(floor);
  const int count = 5;
  double weight = 0.0;
  for (int i = 0; i < count; ++i) {
    const BodyId id = world.add(
        {.shape = Box({1.0, 2.0, 0.5}), .pose = Pose::translation({0, 0, 0.25 + 0.5 * i})});
    weight = kG * world.body(id).mass().mass;
  }
  for (int i = 0; i < 120; ++i) world.step();
  const double volume = 1.0 * 2.0 * 0.5 * count;
  const GrainMeasures all = measure_grains(world, moving(world), volume);
  EXPECT_EQ(all.bodies, 5u);
  EXPECT_EQ(all.contacts, 5u);
  EXPECT_NEAR(all.coordination, 9.0 / 5.0, 1e-15);
  EXPECT_NEAR(all.solid_fraction, 1.0, 1e-12);
  // The contact under body i carries count - i weights over half a body below and above it.
  double carried = 0.0;
  for (int i = 0; i < count; ++i) carried += (count - i) * weight * (i == 0 ? 0.25 : 0.5);
  EXPECT_NEAR(all.stress(2, 2), carried / volume, 1e-3 * carried / volume);
  EXPECT_NEAR(all.stress(0, 0), 0.0, 1e-3 * all.stress(2, 2));
  EXPECT_NEAR(all.fabric(2, 2), 1.0, 1e-9);
  EXPECT_NEAR(trace(all.fabric), 1.0, 1e-12);
  // The topmost body alone: one contact, half a body below its centre.
  const BodyId top = world.bodies().back().id();
  const GrainMeasures one = measure_grains(world, std::vector<BodyId>{top, top}, 1.0);
  EXPECT_EQ(one.bodies, 1u);
  EXPECT_EQ(one.contacts, 1u);
  EXPECT_NEAR(one.stress(2, 2), 0.25 * weight, 1e-3 * weight);
}

// A ball held between two opposite faces of a periodic space by its own image: the way to a contact
// on the far side is that to the nearest image.
TEST(GrainMeasures, WaysInAPeriodicWorldLeadToTheNearestImage) {
  WorldSettings settings;
  settings.gravity = {};
  settings.periodic[0] = PeriodicAxis{0.0, 2.0};
  World world(settings);
  for (const double x : {0.02, 1.0}) {
    BodyDefinition ball{Sphere(0.49)};
    ball.pose = Pose::translation({x, 0.0, 0.0});
    world.add(ball);
  }
  // Drawn together through the face and in the middle.
  for (int i = 0; i < 30; ++i) {
    world.apply_force(world.bodies()[0].id(), {300.0, 0.0, 0.0});
    world.apply_force(world.bodies()[1].id(), {-300.0, 0.0, 0.0});
    world.step();
  }
  const GrainMeasures found = measure_grains(world, moving(world), 2.0);
  ASSERT_GE(found.contacts, 1u);
  // Two ways of a radius each, at the force of the contact.
  double force = 0.0;
  for (const Contact& c : world.contacts()) force += c.normal_impulse / world.contact_time();
  EXPECT_NEAR(found.stress(0, 0), force * 0.98 / 2.0, 0.01 * force);
}

TEST(GrainMeasures, RefusesBadInput) {
  World world;
  EXPECT_THROW(measure_grains(world, {}, 0.0), InvalidInput);
  EXPECT_THROW(measure_grains(world, {}, std::nan("")), InvalidInput);
  EXPECT_THROW(measure_grains(world, std::vector<BodyId>{7}, 1.0), InvalidInput);
  const GrainMeasures none = measure_grains(world, {}, 1.0);
  EXPECT_EQ(none.bodies, 0u);
  EXPECT_EQ(none.coordination, 0.0);
}

}  // namespace
}  // namespace tactus
