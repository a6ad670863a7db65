#include "tactus/world.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "tests/support/dynamics_scene.hpp"
#include "tests/support/effort.hpp"

namespace tactus::detail {
namespace {

using test::add_body;
using test::add_ground;
using test::run;

TEST(World, IdsAreStableAndNeverUsedTwice) {
  World world;
  const BodyId first = add_body(world, Sphere(1.0), {0, 0, 0});
  const BodyId second = add_body(world, Sphere(1.0), {5, 0, 0});
  world.remove(first);
  const BodyId third = add_body(world, Sphere(1.0), {10, 0, 0});
  EXPECT_NE(third, first);
  EXPECT_NE(third, second);
  EXPECT_FALSE(world.contains(first));
  EXPECT_EQ(world.body(second).pose().position(), (Vec3{5, 0, 0}));
  BodyDefinition named{Sphere(1.0), Pose::translation({20, 0, 0})};
  named.id = 77;
  EXPECT_EQ(world.add(named), 77u);
  EXPECT_THROW(world.add(named), InvalidInput);
  EXPECT_EQ(add_body(world, Sphere(1.0), {30, 0, 0}), 78u);
  named.id = ~BodyId{0};
  EXPECT_THROW(world.add(named), InvalidInput);
  ASSERT_EQ(world.bodies().size(), 4u);
  for (std::size_t i = 1; i < 4; ++i) EXPECT_LT(world.bodies()[i - 1].id(), world.bodies()[i].id());
}

TEST(World, ManyBodiesGoAtOnceAsOneByOne) {
  const auto pile = [] {
    auto world = std::make_unique<World>();
    add_ground(*world);
    std::vector<BodyId> balls;
    for (int i = 0; i < 40; ++i)
      balls.push_back(add_body(*world, Sphere(0.5), {i % 4 * 1.0, i / 4 % 2 * 1.0, 0.5 + i / 8}));
    world->add_joint(
        joint_at(JointType::ball, world->body(balls[0]), world->body(balls[1]), {0.5, 0.0, 0.5}));
    run(*world, 0.5);
    return std::pair(std::move(world), balls);
  };
  const auto [at_once, balls] = pile();
  const std::vector<BodyId> gone{balls[30], balls[1], balls[7], balls[12], balls[7]};
  const auto before = at_once->state_hash();
  const BodyId missing[] = {balls[3], 999};
  EXPECT_THROW(at_once->remove(missing), InvalidInput);
  EXPECT_EQ(at_once->state_hash(), before);
  at_once->remove(gone);
  const auto [in_turn, same] = pile();
  for (std::size_t i = 0; i < 4; ++i) in_turn->remove(gone[i]);
  EXPECT_EQ(at_once->bodies().size(), 37u);
  EXPECT_TRUE(at_once->joints().empty());
  EXPECT_EQ(at_once->state_hash(), in_turn->state_hash());
  for (const Contact& contact : at_once->contacts())
    EXPECT_TRUE(at_once->contains(contact.body_a) && at_once->contains(contact.body_b));
  run(*at_once, 0.5);
  run(*in_turn, 0.5);
  EXPECT_EQ(at_once->state_hash(), in_turn->state_hash());
}

TEST(World, UnknownIdsAndBadNumbersAreRefused) {
  World world;
  const BodyId id = add_body(world, Sphere(1.0), {0, 0, 0});
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(world.body(99), InvalidInput);
  EXPECT_THROW(world.remove(99), InvalidInput);
  EXPECT_THROW(world.exclude(id, 99), InvalidInput);
  EXPECT_THROW(world.exclude(id, id), InvalidInput);
  EXPECT_THROW(world.set_velocity(id, {nan, 0, 0}, {}), InvalidInput);
  EXPECT_THROW(world.set_pose(id, Pose::translation({nan, 0, 0})), InvalidInput);
  EXPECT_THROW(world.apply_impulse(id, {nan, 0, 0}, {}), InvalidInput);
  WorldSettings bad;
  bad.time_step = -1.0;
  EXPECT_THROW(World{bad}, InvalidInput);
}

TEST(World, OpenMeshesCannotMoveAlsoInsideCompounds) {
  const Mesh mesh(TriangleMesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}});
  World world;
  EXPECT_THROW(world.add(BodyDefinition{mesh}), InvalidInput);
  EXPECT_THROW(world.add(BodyDefinition{Compound({{mesh, Pose()}})}), InvalidInput);
  EXPECT_TRUE(world.bodies().empty());
  BodyDefinition fixed{mesh};
  fixed.type = BodyType::fixed;
  world.add(fixed);
  EXPECT_EQ(world.bodies().size(), 1u);
}

TEST(World, FreeFallFollowsTheParabola) {
  World world;
  const BodyId id = add_body(world, Cone(0.3, 0.8), {0, 0, 0}, {}, {1.0, 0.0, 5.0});
  const Vec3 start = world.body(id).center_of_mass();
  run(world, 1.0);
  const Vec3 moved = world.body(id).center_of_mass() - start;
  EXPECT_NEAR(moved.x, 1.0, 3e-13);
  EXPECT_NEAR(moved.z, 5.0 - 0.5 * 9.81,
              0.5 * 9.81 * world.settings().time_step / world.settings().substeps * 1.01);
  EXPECT_NEAR(world.body(id).linear_velocity().z, 5.0 - 9.81, 4e-13);
}

TEST(World, FreeSpinKeepsEnergyAndMomentumAndTurnsAboutTheCentreOfMass) {
  WorldSettings settings;
  settings.gravity = {};
  settings.substeps = 1;
  World world(settings);
  BodyDefinition definition{test::mixed_shape(7)};
  definition.angular_velocity = {0.5, 8.0, 0.3};
  const BodyId id = world.add(definition);
  const Vec3 center = world.body(id).center_of_mass();
  const double energy = world.body(id).kinetic_energy();
  const Vec3 spin = world.body(id).spin();
  for (int i = 0; i < 100000; ++i) world.step();
  EXPECT_NEAR(world.body(id).kinetic_energy() / energy, 1.0, 1e-10);
  EXPECT_LT(norm(world.body(id).spin() - spin), 1e-10 * norm(spin));
  EXPECT_LT(norm(world.body(id).center_of_mass() - center), 1e-14);
}

TEST(World, CollisionKeepsMomentum) {
  WorldSettings settings;
  settings.gravity = {};
  World world(settings);
  Material bouncy;
  bouncy.restitution = 0.7;
  add_body(world, Box({1.0, 0.6, 0.4}), {0, 0, 0}, bouncy, {2.0, 0, 0});
  add_body(world, Cylinder(0.4, 1.2), {3.0, 0.3, 0.1}, bouncy, {-1.0, 0, 0});
  const auto momenta = [&] {
    Vec3 linear, angular;
    for (const Body& body : world.bodies()) {
      const Vec3 p = body.linear_velocity() * body.mass().mass;
      linear += p;
      angular += cross(body.center_of_mass(), p) + body.spin();
    }
    return std::pair(linear, angular);
  };
  const auto [linear, angular] = momenta();
  const Vec3 velocity = world.bodies()[1].linear_velocity();
  run(world, 2.0);
  const auto [linear_end, angular_end] = momenta();
  EXPECT_GT(norm(world.bodies()[1].linear_velocity() - velocity), 1.0);
  EXPECT_GT(norm(world.bodies()[0].angular_velocity()), 0.1);
  EXPECT_LT(norm(linear_end - linear), 4e-14 * norm(linear));
  EXPECT_LT(norm(angular_end - angular), 2e-11 * norm(angular));
}

TEST(World, ElasticHeadOnCollisionSwapsVelocities) {
  WorldSettings settings;
  settings.gravity = {};
  World world(settings);
  Material elastic;
  elastic.restitution = 1.0;
  const BodyId a = add_body(world, Sphere(0.5), {0, 0, 0}, elastic, {3, 0, 0});
  const BodyId b = add_body(world, Sphere(0.5), {2, 0, 0}, elastic, {-1, 0, 0});
  run(world, 1.0);
  EXPECT_NEAR(world.body(a).linear_velocity().x, -1.0, 1e-9);
  EXPECT_NEAR(world.body(b).linear_velocity().x, 3.0, 1e-9);
}

TEST(World, FiltersAndExclusionsLetBodiesPass) {
  const auto falls_through = [](auto&& change) {
    World world;
    const BodyId ground = add_ground(world);
    BodyDefinition body{Sphere(0.5), Pose::translation({0, 0, 0.6})};
    change(body);
    const BodyId id = world.add(body);
    if (body.filter.category == 4) world.exclude(id, ground);
    run(world, 1.0);
    return world.body(id).center_of_mass().z < -1.0;
  };
  EXPECT_FALSE(falls_through([](BodyDefinition&) {}));
  EXPECT_TRUE(falls_through([](BodyDefinition& d) { d.filter.mask = 2; }));
  EXPECT_TRUE(falls_through([](BodyDefinition& d) { d.filter.category = 0; }));
  EXPECT_TRUE(falls_through([](BodyDefinition& d) { d.filter.category = 4; }));
}

TEST(World, KinematicBodiesMoveByTheirVelocityAlone) {
  World world;
  BodyDefinition pusher{Box({1, 1, 1}), Pose::translation({0, 0, 0.5}), {0.5, 0, 0}, {0, 0, 1.0}};
  pusher.type = BodyType::kinematic;
  const BodyId id = world.add(pusher);
  add_ground(world);
  const BodyId pushed = add_body(world, Sphere(0.4), {1.2, 0, 0.4});
  run(world, 2.0);
  EXPECT_LT(norm(world.body(id).center_of_mass() - Vec3{1.0, 0, 0.5}), 3e-13);
  EXPECT_NEAR(world.body(id).pose().rotation()(0, 0), std::cos(2.0), 6e-14);
  EXPECT_GT(world.body(pushed).center_of_mass().x, 1.5);
}

TEST(World, RemovedBodyNoLongerCarries) {
  World world;
  add_ground(world);
  const BodyId low = add_body(world, Box({1, 1, 1}), {0, 0, 0.5});
  const BodyId high = add_body(world, Box({1, 1, 1}), {0, 0, 1.5});
  run(world, 0.5);
  EXPECT_NEAR(world.body(high).center_of_mass().z, 1.5, 1e-3);
  world.remove(low);
  for (const Contact& contact : world.contacts()) EXPECT_NE(contact.body_a, low);
  run(world, 1.0);
  EXPECT_NEAR(world.body(high).center_of_mass().z, 0.5, 5e-4);
}

TEST(World, ApplyImpulseChangesBothMotions) {
  WorldSettings settings;
  settings.gravity = {};
  World world(settings);
  BodyDefinition body{Sphere(1.0)};
  body.mass = BodyMass{2.0, {}, Mat3::identity() * 4.0};
  const BodyId id = world.add(body);
  world.apply_impulse(id, {0, 6, 0}, {1, 0, 0});
  EXPECT_EQ(world.body(id).linear_velocity(), (Vec3{0, 3, 0}));
  EXPECT_EQ(world.body(id).angular_velocity(), (Vec3{0, 0, 1.5}));
}

TEST(World, OverlapsAreListedWithDepth) {
  World world;
  add_ground(world);
  const BodyId a = add_body(world, Sphere(0.5), {0, 0, 0.4});
  const BodyId b = add_body(world, Sphere(0.5), {0.7, 0, 0.6});
  add_body(world, Sphere(0.5), {5, 0, 0.5});
  const auto found = world.overlaps(1e-6);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].body_b, a);
  EXPECT_NEAR(found[0].depth, 0.1, 2e-15);
  EXPECT_NEAR(found[0].relative_depth, 0.1, 2e-15);
  EXPECT_EQ(found[1].body_a, a);
  EXPECT_EQ(found[1].body_b, b);
  EXPECT_NEAR(found[1].depth, 1.0 - std::sqrt(0.53), 7e-15);
  EXPECT_EQ(world.overlaps(0.2).size(), 1u);
}

// An open floor has no inside, but bodies in it have a way out.
TEST(World, OverlapsWithAnOpenFloorAreListed) {
  World world;
  const Mesh floor(
      TriangleMesh{{{-2, -2, 0}, {2, -2, 0}, {2, 2, 0}, {-2, 2, 0}}, {{0, 1, 2}, {0, 2, 3}}});
  BodyDefinition fixed{floor};
  fixed.type = BodyType::fixed;
  world.add(fixed);
  add_body(world, Sphere(0.5), {0.3, 0.1, 0.4});
  const auto found = world.overlaps(1e-6);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NEAR(found[0].depth, 0.1, 2e-15);
}

TEST(World, StatisticsCountWhatIsThere) {
  World world;
  add_ground(world);
  const BodyId id = add_body(world, Box({1, 1, 1}), {0, 0, 0.5 - 1e-4});
  add_body(world, Sphere(1.0), {10, 0, 20});
  const StepStatistics& s = world.step();
  EXPECT_EQ(s.bodies, 3);
  EXPECT_EQ(s.moving, 2);
  EXPECT_EQ(s.contacts, 1);
  EXPECT_EQ(s.contact_points, 4);
  EXPECT_NEAR(s.deepest_penetration, 1e-4, 1e-15);
  EXPECT_NEAR(s.mean_relative_penetration, 1e-4, 1e-15);
  EXPECT_NEAR(s.max_speed, 9.81 / 60.0, 1e-9);
  EXPECT_NEAR(s.max_relative_speed, 0.5 * 9.81 / 60.0, 1e-9);
  EXPECT_NEAR(s.potential_energy / 9.81,
              world.body(id).mass().mass * 0.5 + world.bodies()[2].mass().mass * 20.0, 10.0);
  ASSERT_EQ(world.contacts().size(), 4u);
  for (const Contact& contact : world.contacts()) {
    EXPECT_NEAR(contact.depth, 1e-4, 1e-15);
    EXPECT_NEAR(contact.normal.z, 1.0, 1e-12);
    EXPECT_NEAR(contact.normal_impulse, 1000.0 * 9.81 / 60.0 / world.settings().substeps / 4.0,
                2.0);
  }
}

TEST(World, AbsurdMotionIsRefusedByName) {
  World world;
  test::add_ground(world);
  const BodyId id = test::add_body(world, Sphere(0.5), {0, 0, 2});
  world.step();
  const std::uint64_t before = world.state_hash();
  for (const Vec3& velocity : {Vec3{1e300, 0, 0}, Vec3{0, -1e10, 0}}) {
    world.set_velocity(id, velocity, {});
    const std::uint64_t hash = world.state_hash();
    EXPECT_EQ(world.step().failure.error, StepError::motion);
    EXPECT_EQ(world.state_hash(), hash);
  }
  world.set_velocity(id, {}, {0, 0, 1e7});
  EXPECT_EQ(world.step().failure.error, StepError::motion);
  EXPECT_NE(world.state_hash(), before);
  world.set_velocity(id, {0, 0, 500.0}, {0, 0, 200.0});
  world.step();
}

// Two hundred balls in one place are pushed apart.
TEST(World, ACrowdInOnePlaceIsSolved) {
  TACTUS_LONG_TEST();
  World crowd;
  for (int i = 0; i < 200; ++i) add_body(crowd, Sphere(0.5), {0, 0, 0});
  crowd.step();
  // All 19,900 pairs overlap at first; many are apart when the step looks for pairs again.
  EXPECT_GT(crowd.statistics().candidate_pairs, 10000);
}

TEST(World, ARemovedBodyLeavesNoMemoryToANamesake) {
  World world;
  add_ground(world);
  const BodyId box = add_body(world, Box({1, 1, 1}), {0, 0, 0.5});
  world.step();
  ASSERT_EQ(world.save().pairs.size(), 1u);
  world.remove(box);
  EXPECT_TRUE(world.save().pairs.empty());
  EXPECT_TRUE(world.save().points.empty());
  BodyDefinition again{Box({1, 1, 1}), Pose::translation({0, 0, 5.0})};
  again.id = box;
  world.add(again);
  EXPECT_TRUE(world.save().pairs.empty());
  world.step();
  EXPECT_TRUE(world.save().pairs.empty());
}

}  // namespace
}  // namespace tactus::detail
