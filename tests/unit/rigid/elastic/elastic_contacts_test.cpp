// Balls whose contacts are springs, against closed forms.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "tactus/core/constants.hpp"
#include "tactus/core/random.hpp"
#include "tactus/world.hpp"
#include "tests/support/dynamics_scene.hpp"
#include "tests/support/refusal.hpp"

namespace tactus::detail {
namespace {

constexpr double kYoung = 5e6, kPoisson = 0.3;
/// Young's modulus of two bodies of this material together.
constexpr double kTogether = kYoung / (2.0 * (1.0 - kPoisson * kPoisson));

World elastic_world(double time_step = 1e-4, const Vec3& gravity = {}) {
  WorldSettings settings;
  settings.gravity = gravity;
  settings.time_step = time_step;
  settings.elastic = ElasticContacts{kYoung, kPoisson, 0.05};
  return World(settings);
}

Material material(double friction, double restitution) {
  Material result;
  result.friction = friction;
  result.restitution = restitution;
  return result;
}

BodyId add_ball(World& world, double radius, const Vec3& position, const Vec3& velocity,
                const Material& of) {
  BodyDefinition ball{.shape = Sphere(radius)};
  ball.pose = Pose::translation(position);
  ball.linear_velocity = velocity;
  ball.material = of;
  return world.add(ball);
}

TEST(ElasticContacts, AnElasticImpactIsThatOfHertz) {
  for (const double speed : {0.1, 1.0, 5.0}) {
    World world = elastic_world(1e-5);
    const Material steel = material(0.0, 1.0);
    const BodyId a = add_ball(world, 0.02, {-0.0201, 0.0, 0.0}, {speed, 0.0, 0.0}, steel);
    const BodyId b = add_ball(world, 0.01, {0.0101, 0.0, 0.0}, {}, steel);
    const double mass_a = world.body(a).mass().mass, mass_b = world.body(b).mass().mass;
    const double mass = mass_a * mass_b / (mass_a + mass_b), radius = 0.02 * 0.01 / 0.03;
    const double most =
        std::pow(15.0 * mass * speed * speed / (16.0 * kTogether * std::sqrt(radius)), 0.4);
    const double lasting = 2.9432678 * most / speed;
    double deepest = 0.0, time = 0.0;
    for (int i = 0; i < 4000; ++i) {
      world.step();
      const double depth = world.contacts().empty() ? 0.0 : world.contacts()[0].depth;
      deepest = std::max(deepest, depth);
      time += depth > 0.0 ? world.settings().time_step : 0.0;
    }
    EXPECT_NEAR(deepest, most, 2e-3 * most) << speed;
    EXPECT_NEAR(time, lasting, 2.0 * world.settings().time_step + 1e-3 * lasting) << speed;
    // As of two elastic balls that meet head on.
    EXPECT_NEAR(world.body(b).linear_velocity().x, 2.0 * mass_a / (mass_a + mass_b) * speed,
                1e-5 * speed);
    EXPECT_NEAR(world.body(a).linear_velocity().x, (mass_a - mass_b) / (mass_a + mass_b) * speed,
                1e-5 * speed);
  }
}

TEST(ElasticContacts, RestitutionDoesNotDependOnSpeed) {
  for (const double restitution : {0.1, 0.5, 0.9}) {
    for (const double speed : {0.05, 0.5, 3.0}) {
      World world = elastic_world(1e-3);
      test::add_ground(world, material(0.0, restitution));
      const BodyId ball =
          add_ball(world, 0.01, {0.0, 0.0, 0.0101}, {0.0, 0.0, -speed}, material(0.0, restitution));
      for (int i = 0; i < 100; ++i) world.step();
      EXPECT_NEAR(world.body(ball).linear_velocity().z, restitution * speed, 0.01 * speed)
          << restitution << " " << speed;
    }
  }
}

TEST(ElasticContacts, ABallRestsAsDeepAsItsWeightAsks) {
  World world = elastic_world(1e-3, {0.0, 0.0, -9.81});
  test::add_ground(world, material(0.5, 0.3));
  const BodyId ball = add_ball(world, 0.05, {0.0, 0.0, 0.05}, {}, material(0.5, 0.3));
  for (int i = 0; i < 2000; ++i) world.step();
  const double weight = 9.81 * world.body(ball).mass().mass;
  const double depth = std::pow(0.75 * weight / (kTogether * std::sqrt(0.05)), 2.0 / 3.0);
  EXPECT_NEAR(world.body(ball).center_of_mass().z, 0.05 - depth, 1e-4 * depth);
  ASSERT_EQ(world.contacts().size(), 1u);
  EXPECT_NEAR(world.contacts()[0].normal_impulse / world.contact_time(), weight, 1e-6 * weight);
}

TEST(ElasticContacts, AnObliqueImpactSlipsAsCoulombSays) {
  World world = elastic_world(1e-3);
  const double friction = 0.2, fall = 0.01, slide = 0.05;
  test::add_ground(world, material(friction, 1.0));
  const BodyId ball =
      add_ball(world, 0.01, {0.0, 0.0, 0.0101}, {slide, 0.0, -fall}, material(friction, 1.0));
  for (int i = 0; i < 40; ++i) world.step();
  const double lost = friction * 2.0 * fall;
  EXPECT_NEAR(world.body(ball).linear_velocity().z, fall, 1e-4 * fall);
  EXPECT_NEAR(world.body(ball).linear_velocity().x, slide - lost, 1e-3 * lost);
  EXPECT_NEAR(world.body(ball).angular_velocity().y, 2.5 * lost / 0.01, 3e-3 * 2.5 * lost / 0.01);
}

TEST(ElasticContacts, ABallRollsDownASlopeAndAResistingOneStays) {
  const double slope = 0.2;
  for (const double rolling : {0.0, 0.3}) {
    World world = elastic_world(1e-3, {9.81 * std::sin(slope), 0.0, -9.81 * std::cos(slope)});
    Material rough = material(0.6, 0.1);
    rough.rolling_friction = rolling;
    test::add_ground(world, rough);
    const BodyId ball = add_ball(world, 0.02, {0.0, 0.0, 0.02}, {}, rough);
    for (int i = 0; i < 1000; ++i) world.step();
    const double rolled = 5.0 / 7.0 * 9.81 * std::sin(slope);
    const Vec3 velocity = world.body(ball).linear_velocity();
    EXPECT_NEAR(velocity.x, rolling == 0.0 ? rolled : 0.0, rolling == 0.0 ? 2e-3 * rolled : 1e-6);
  }
}

// Nesterenko's solitary wave: a blow on a row of balls that just touch runs on unchanged.
TEST(ElasticContacts, AWaveRunsThroughARowAsNesterenkoFound) {
  World world = elastic_world(1e-4);
  const double radius = 0.05, density = 1000.0;
  std::vector<BodyId> row;
  for (int i = 0; i < 40; ++i)
    row.push_back(add_ball(world, radius, {2.0 * radius * i, 0.0, 0.0},
                           {i == 0 ? 1.0 : 0.0, 0.0, 0.0}, material(0.0, 1.0)));
  double strongest = 0.0, at_20 = 0.0, at_30 = 0.0, fastest_20 = 0.0, fastest_30 = 0.0;
  for (int i = 0; i < 2200; ++i) {
    world.step();
    const auto peak = [&](std::size_t ball, double& fastest, double& when) {
      const double speed = world.body(row[ball]).linear_velocity().x;
      if (!(speed > fastest)) return;
      fastest = speed;
      when = world.time();
    };
    peak(20, fastest_20, at_20);
    peak(30, fastest_30, at_30);
    for (const Contact& contact : world.contacts())
      if (contact.body_a == row[24])
        strongest = std::max(strongest, contact.normal_impulse / world.contact_time());
  }
  const double speed = 10.0 * 2.0 * radius / (at_30 - at_20);
  const double expected =
      0.6802 *
      std::cbrt(2.0 * kYoung /
                (2.0 * radius * std::pow(density, 1.5) * (1.0 - kPoisson * kPoisson))) *
      std::pow(strongest, 1.0 / 6.0);
  EXPECT_NEAR(speed, expected, 0.02 * expected);  // a theory of long waves
  EXPECT_NEAR(fastest_30, fastest_20, 1e-3 * fastest_20);
}

// Across a face of a periodic space as in the middle of it.
TEST(ElasticContacts, BallsMeetAcrossAFace) {
  const auto meet = [](double from) {
    WorldSettings settings;
    settings.gravity = {};
    settings.time_step = 1e-3;
    settings.periodic[0] = PeriodicAxis{0.0, 1.0};
    settings.elastic = ElasticContacts{kYoung, kPoisson};
    World world(settings);
    add_ball(world, 0.05, {from, 0.0, 0.0}, {1.0, 0.0, 0.0}, material(0.3, 0.7));
    const double other = from + 0.15 < 1.0 ? from + 0.15 : from - 0.85;
    const BodyId hit = add_ball(world, 0.05, {other, 0.02, 0.0}, {}, material(0.3, 0.7));
    for (int i = 0; i < 200; ++i) world.step();
    return world.body(hit).linear_velocity();
  };
  EXPECT_GT(norm(meet(0.3)), 0.3);
  EXPECT_LT(norm(meet(0.9) - meet(0.3)), 1e-11);
}

// Walls that no detection at the start of a step has foreseen.
TEST(ElasticContacts, ABallThatIsThrownBackMeetsTheOtherWall) {
  World world = elastic_world(0.2);
  for (const double side : {-1.0, 1.0}) {
    BodyDefinition wall{.shape = Box({0.2, 1.0, 1.0})};
    wall.type = BodyType::fixed;
    wall.pose = Pose::translation({0.5 * side, 0.0, 0.0});
    wall.material = material(0.0, 1.0);
    world.add(wall);
  }
  const BodyId ball = add_ball(world, 0.05, {}, {5.0, 0.0, 0.0}, material(0.0, 1.0));
  for (int i = 0; i < 20; ++i) {
    world.step();
    EXPECT_LT(std::fabs(world.body(ball).center_of_mass().x), 0.4) << i;
  }
  EXPECT_NEAR(norm(world.body(ball).linear_velocity()), 5.0, 0.01);
}

World make_pile(int threads) {
  WorldSettings settings;
  settings.time_step = 1e-3;
  settings.max_threads = threads;
  settings.elastic = ElasticContacts{kYoung, kPoisson};
  World world(settings);
  Material rough = material(0.5, 0.5);
  rough.rolling_friction = 0.1;
  rough.torsional_friction = 0.1;
  test::add_ground(world, rough);
  for (const double side : {-1.0, 1.0}) {
    BodyDefinition wall{.shape = Box({0.02, 0.2, 0.2})};
    wall.type = BodyType::fixed;
    wall.pose = Pose::translation({0.05 * side, 0.0, 0.1});
    wall.material = rough;
    world.add(wall);
  }
  Random random(9);
  for (int i = 0; i < 60; ++i)
    add_ball(world, random.uniform(0.006, 0.01),
             {random.uniform(-0.025, 0.025), random.uniform(-0.03, 0.03), 0.02 + 0.008 * i},
             {random.uniform(-0.2, 0.2), random.uniform(-0.2, 0.2), -0.5}, rough);
  return world;
}

TEST(ElasticContacts, SameBitsForAnyThreadsAndContinued) {
  World whole = make_pile(1), threaded = make_pile(2), continued = make_pile(1);
  for (int i = 0; i < 500; ++i) {
    ASSERT_FALSE(whole.step().failure.any());
    threaded.step();
    World next = make_pile(1);
    next.restore(continued.save());
    continued = std::move(next);
    continued.step();
    ASSERT_EQ(whole.state_hash(), threaded.state_hash()) << i;
    ASSERT_EQ(whole.state_hash(), continued.state_hash()) << i;
  }
  EXPECT_GT(whole.contacts().size(), 30u);
}

// Momentum and angular momentum of a free cloud of balls that collide.
TEST(ElasticContacts, KeepMomentum) {
  World world = elastic_world(1e-3);
  Random random(5);
  for (int i = 0; i < 30; ++i)
    add_ball(world, 0.01,
             {random.uniform(-0.05, 0.05), random.uniform(-0.05, 0.05), 0.03 * i - 0.45},
             {0.0, 0.0, 0.45 - 0.03 * i}, material(0.4, 0.8));
  const auto momenta = [&] {
    Vec3 linear, angular;
    for (const Body& body : world.bodies()) {
      const Vec3 momentum = body.linear_velocity() * body.mass().mass;
      linear += momentum;
      angular += cross(body.center_of_mass(), momentum) + body.spin();
    }
    return std::pair(linear, angular);
  };
  const auto [linear, angular] = momenta();
  int touched = 0;
  for (int i = 0; i < 1500; ++i) {
    world.step();
    touched += world.statistics().contacts > 0 ? 1 : 0;
  }
  const auto [linear_then, angular_then] = momenta();
  const double mass = world.bodies()[0].mass().mass;
  EXPECT_GT(touched, 20);
  EXPECT_LT(norm(linear_then - linear), 1e-12 * mass);
  EXPECT_LT(norm(angular_then - angular), 1e-4 * mass * 0.05);
}

/// Grains in a space that repeats, under a wall that keeps a force.
World make_pressed(double restitution, bool dull_pairs) {
  WorldSettings settings;
  settings.time_step = 1.0 / 120.0;
  settings.periodic[0] = settings.periodic[1] = PeriodicAxis{0.0, 0.4};
  settings.elastic = ElasticContacts{2e6};
  World world(settings);
  Material rough = material(0.4, restitution);
  rough.rolling_friction = rough.torsional_friction = 0.01;
  rough.density = 2500.0;
  rough.kind = 1;
  if (dull_pairs) world.set_surface_pair(1, 1, SurfacePair{.friction = 0.4});
  test::add_ground(world, rough);
  BodyDefinition press{.shape = HalfSpace({0.0, 0.0, -1.0}, -0.45)};
  press.type = BodyType::kinematic;
  press.material = rough;
  press.servo = Servo{.axis = {0.0, 0.0, -1.0}, .force = 800.0, .max_speed = 0.3};
  world.add(press);
  Random random(4);
  for (int z = 0; z < 4; ++z)
    for (int y = 0; y < 4; ++y)
      for (int x = 0; x < 4; ++x)
        add_ball(world, 0.04,
                 {0.05 + 0.1 * x + random.uniform(-0.005, 0.005),
                  0.05 + 0.1 * y + random.uniform(-0.005, 0.005), 0.05 + 0.1 * z},
                 {}, rough);
  return world;
}

TEST(ElasticContacts, APackUnderAWallComesToRestAndBearsItsForce) {
  // Restitutions are those of the materials, or of pairs of them.
  for (const auto& [restitution, dull_pairs] :
       {std::pair(0.0, false), std::pair(0.8, false), std::pair(0.8, true)}) {
    World world = make_pressed(restitution, dull_pairs);
    for (int i = 0; i < 600; ++i) ASSERT_FALSE(world.step().failure.any());
    ASSERT_EQ(world.servos().size(), 1u);
    EXPECT_NEAR(world.servos()[0].load, 800.0, 0.8) << restitution;
    EXPECT_LT(world.statistics().max_relative_speed, 1e-3) << restitution;
  }
}

TEST(ElasticContacts, AStepThatWouldTakeForEverIsNotDone) {
  WorldSettings settings;
  settings.elastic = ElasticContacts{2e11};
  World world(settings);
  add_ball(world, 1e-6, {}, {0.0, 0.0, 1.0}, material(0.5, 0.5));
  const std::uint64_t before = world.state_hash();
  const StepFailure failure = world.step().failure;
  EXPECT_EQ(failure.error, StepError::motion);
  EXPECT_NE(failure.reason.find("small steps"), std::string::npos);
  EXPECT_EQ(world.state_hash(), before);
}

TEST(ElasticContacts, RefusesByName) {
  World world = elastic_world();
  const auto refused = [&](const BodyDefinition& body) {
    return test::refusal([&] { world.add(body); });
  };
  EXPECT_EQ(refused({.shape = Box({1, 1, 1})}),
            "shape: must be a sphere: elastic contacts move balls");
  BodyDefinition sticky{.shape = Sphere(1.0)};
  sticky.material.adhesion = 1.0;
  EXPECT_EQ(refused(sticky), "material.adhesion: is not for a world with elastic contacts");
  const auto settings = [](const auto& change) {
    WorldSettings wrong;
    wrong.elastic = ElasticContacts{1e6};
    change(wrong);
    return test::refusal([&] { validate(wrong); });
  };
  EXPECT_EQ(settings([](WorldSettings& s) { s.elastic->young = 0.0; }),
            "elastic.young: must be finite and positive");
  EXPECT_EQ(settings([](WorldSettings& s) { s.elastic->poisson = 0.6; }),
            "elastic.poisson: must lie in [0, 0.5]");
  EXPECT_EQ(settings([](WorldSettings& s) { s.elastic->rayleigh_part = 1.0; }),
            "elastic.rayleigh_part: must lie in (0, 0.5]");
  EXPECT_EQ(settings([](WorldSettings& s) { s.sleep_time = 1.0; }),
            "sleep_time: must be 0 in a world with elastic contacts");
}

}  // namespace
}  // namespace tactus::detail
