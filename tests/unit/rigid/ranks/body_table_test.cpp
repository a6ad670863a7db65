#include "tactus/rigid/ranks/body_table.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <vector>

namespace tactus::detail {
namespace {

BodyDefinition ball(BodyId id) {
  BodyDefinition body{Sphere(0.5)};
  body.id = id;
  body.pose = Pose::translation({static_cast<double>(id), 2.0, 3.0});
  body.linear_velocity = {0.0, 0.1 * static_cast<double>(id), 0.0};
  return body;
}

// A thousand balls are one ball and a thousand ids.
TEST(BodyTable, BodiesThatDifferInPlaceAndVelocityAreOneKind) {
  std::vector<Body> bodies;
  for (BodyId id = 3; id < 1003; ++id) bodies.emplace_back(ball(id));
  BodyTable table;
  table.assign(bodies);
  EXPECT_EQ(table.size(), 1000u);
  EXPECT_EQ(table.kinds(), 1u);
  EXPECT_TRUE(table.contains(3));
  EXPECT_TRUE(table.contains(1002));
  EXPECT_FALSE(table.contains(2));
  EXPECT_FALSE(table.contains(1003));
  const Body made = table.make(7);
  EXPECT_EQ(made.id(), 7u);
  EXPECT_EQ(made.mass().mass, bodies[4].mass().mass);
  EXPECT_EQ(made.center_of_mass(), Vec3{});
  EXPECT_EQ(made.linear_velocity(), Vec3{});
}

TEST(BodyTable, FindsIdsWithGaps) {
  std::vector<Body> bodies;
  for (const BodyId id : {2, 5, 9}) bodies.emplace_back(ball(id));
  BodyTable table;
  EXPECT_FALSE(table.contains(2));
  table.assign(bodies);
  EXPECT_EQ(table.id(1), 5u);
  EXPECT_TRUE(table.contains(9));
  EXPECT_FALSE(table.contains(3));
  EXPECT_EQ(table.make(5).id(), 5u);
}

// Whatever else makes a difference to a step makes another kind.
TEST(BodyTable, BodiesThatDifferInAnythingElseAreNot) {
  const std::vector<Vec3> corners{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const std::vector<std::function<void(BodyDefinition&)>> changes{
      [](BodyDefinition& b) { b.shape = Sphere(0.25); },
      [](BodyDefinition& b) { b.shape = Shape(Sphere(0.5), 0.1); },
      [](BodyDefinition& b) { b.shape = Box({1, 1, 1}); },
      [&](BodyDefinition& b) { b.shape = Convex(corners); },
      [](BodyDefinition& b) { b.shape = Compound({{Sphere(0.5), Pose()}}); },
      [](BodyDefinition& b) { b.material.friction = 0.25; },
      [](BodyDefinition& b) { b.material.restitution = 0.25; },
      [](BodyDefinition& b) { b.material.rolling_friction = 0.25; },
      [](BodyDefinition& b) { b.material.torsional_friction = 0.25; },
      [](BodyDefinition& b) { b.material.density = 2000.0; },
      [](BodyDefinition& b) { b.material.adhesion = 0.25; },
      [](BodyDefinition& b) { b.material.kind = 4; },
      [](BodyDefinition& b) { b.filter.category = 4; },
      [](BodyDefinition& b) { b.filter.mask = 4; },
      [](BodyDefinition& b) { b.sensor = true; },
      [](BodyDefinition& b) { b.gravity_scale = 0.5; },
      [](BodyDefinition& b) { b.linear_damping = 0.0; },
      [](BodyDefinition& b) { b.angular_damping = 0.0; },
      [](BodyDefinition& b) { b.lock.linear[1] = true; },
      [](BodyDefinition& b) { b.lock.angular[1] = true; },
      [](BodyDefinition& b) { b.mass = BodyMass{3.0, {}, Mat3::identity()}; },
      [](BodyDefinition& b) { b.force = {0.0, 0.0, 1.0}; },
      [](BodyDefinition& b) { b.torque = {0.0, 0.0, 1.0}; },
      [](BodyDefinition& b) { b.surface_velocity.linear = {1.0, 0.0, 0.0}; },
      [](BodyDefinition& b) { b.one_way = Vec3{0.0, 0.0, 1.0}; },
      [](BodyDefinition& b) { b.type = BodyType::kinematic; },
  };
  std::vector<Body> bodies;
  for (int round = 0; round < 2; ++round) {
    bodies.emplace_back(ball(bodies.size() + 1));
    for (const auto& change : changes) {
      BodyDefinition body = ball(bodies.size() + 1);
      change(body);
      bodies.emplace_back(body);
    }
  }
  BodyTable table;
  table.assign(bodies);
  // Shapes that share their data are one where they are copies: here those of two rounds are not.
  EXPECT_EQ(table.kinds(), changes.size() + 3);
  EXPECT_TRUE(table.has_sensors());
  for (const Body& body : bodies) {
    const Body made = table.make(body.id());
    EXPECT_EQ(made.material(), body.material());
    EXPECT_EQ(made.filter(), body.filter());
    EXPECT_EQ(made.lock(), body.lock());
    EXPECT_EQ(made.shape().type(), body.shape().type());
    EXPECT_EQ(made.inverse_mass(), body.inverse_mass());
    EXPECT_EQ(made.constant_force(), body.constant_force());
    EXPECT_EQ(made.constant_torque(), body.constant_torque());
    EXPECT_EQ(made.one_way(), body.one_way());
    EXPECT_EQ(made.linear_damping(), body.linear_damping());
  }
}

}  // namespace
}  // namespace tactus::detail
