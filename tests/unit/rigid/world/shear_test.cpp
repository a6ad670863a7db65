// Periodic worlds under shear, against closed forms and against the same bodies without faces.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "tactus/core/random.hpp"
#include "tests/support/dynamics_scene.hpp"
#include "tests/support/refusal.hpp"

namespace tactus::detail {
namespace {

using test::add_body;
using test::refusal;
using test::run;

WorldSettings sheared(double length, double rate) {
  WorldSettings settings;
  settings.gravity = {};
  for (auto& axis : settings.periodic) axis = PeriodicAxis{0.0, length};
  settings.shear = PeriodicShear{0, 2, rate};
  return settings;
}

Material surface(double friction, double restitution) {
  Material material;
  material.friction = friction;
  material.restitution = restitution;
  return material;
}

/// Spheres on a grid, at random velocities beside those of the shear.
World gas(const WorldSettings& settings, int side, double radius, double speed,
          const Material& material) {
  World world(settings);
  const double length = settings.periodic[0]->upper;
  const double rate = settings.shear ? settings.shear->rate : 0.0;
  Random random(5);
  for (int i = 0; i < side * side * side; ++i) {
    const int row = i / side;
    const double step = length / side;
    const Vec3 place{step * (i % side), step * (row % side) + 0.3 * radius,
                     step * (row / side) + 0.5 * radius};
    const double x = random.uniform(-speed, speed), y = random.uniform(-speed, speed);
    const double z = random.uniform(-speed, speed);
    add_body(world, Sphere(radius), place, material, {x + rate * place.z, y, z});
  }
  return world;
}

TEST(Shear, WithoutARateAWorldHasTheBitsOfThePlainPeriodicOne) {
  WorldSettings plain = sheared(2.0, 0.0);
  World sheared_world = gas(plain, 4, 0.15, 2.0, surface(0.5, 0.9));
  plain.shear.reset();
  World world = gas(plain, 4, 0.15, 2.0, surface(0.5, 0.9));
  run(sheared_world, 2.0);
  run(world, 2.0);
  EXPECT_EQ(world.state_hash(), sheared_world.state_hash());
}

TEST(Shear, AFreeBodyThatPassesFacesKeepsItsStraightWay) {
  const double length = 2.0, rate = 0.7;
  for (const double up : {0.9, -1.3}) {
    World world(sheared(length, rate));
    const Vec3 start{0.3, 0.4, 1.1}, velocity{0.5, -0.2, up};
    const BodyId id = add_body(world, Sphere(0.1), start, {}, velocity);
    run(world, 10.0);
    const double t = world.time();
    const Vec3 way = start + velocity * t;
    const double passed = std::floor(way.z / length);
    EXPECT_GT(std::fabs(passed), 3.0);
    const Body& body = world.body(id);
    EXPECT_NEAR(body.linear_velocity().x, velocity.x - passed * rate * length, 1e-12);
    EXPECT_EQ(body.linear_velocity().z, up);
    EXPECT_NEAR(body.center_of_mass().z, way.z - passed * length, 1e-9);
    const double x = way.x - passed * rate * length * t - body.center_of_mass().x;
    EXPECT_NEAR(x / length, std::nearbyint(x / length), 1e-9);
    EXPECT_GE(body.center_of_mass().x, 0.0);
    EXPECT_LT(body.center_of_mass().x, length);
  }
}

TEST(Shear, ALatticeThatShearsWithTheSpaceStaysUniform) {
  const WorldSettings settings = sheared(2.0, 1.5);
  World world = gas(settings, 4, 0.1, 0.0, {});
  run(world, 8.0);
  for (const Body& body : world.bodies()) {
    EXPECT_NEAR(body.linear_velocity().x, 1.5 * body.center_of_mass().z, 1e-12);
    EXPECT_EQ(body.linear_velocity().z, 0.0);
  }
}

/// Two balls that meet, in the middle of a space or with a face between them: there B is the image.
struct Pair {
  Pair(bool across, const Material& material, const Vec3& velocity_a, const Vec3& velocity_b,
       double push, double later = 0.0)
      : world(sheared(kLength, kRate)) {
    const Vec3 along = normalized(Vec3{1.0, 0.3, 1.5});
    // The face lies at z = 0: A stays above it, B's image below.
    const Vec3 middle{2.0, 2.0, across ? 0.0 : 2.0};
    run(world, later);
    const double offset = kRate * kLength * world.time();
    a = add(middle + along * 0.32, velocity_a, material, along * -push);
    const Vec3 below = middle - along * 0.32;
    b = add(across ? below + Vec3{offset, 0, kLength} : below,
            across ? velocity_b + Vec3{kRate * kLength, 0, 0} : velocity_b, material, along * push);
  }
  BodyId add(const Vec3& place, const Vec3& velocity, const Material& material, const Vec3& force) {
    BodyDefinition body{Sphere(0.3), Pose::translation(place), velocity};
    body.material = material;
    body.force = force;
    return world.add(body);
  }
  static constexpr double kLength = 4.0, kRate = 0.6;
  World world;
  BodyId a = kNoBody, b = kNoBody;
};

void expect_same(const Pair& inside, const Pair& across, double tolerance) {
  const Body &a = inside.world.body(inside.a), &b = inside.world.body(inside.b);
  const Body &face_a = across.world.body(across.a), &face_b = across.world.body(across.b);
  const Vec3 drift{Pair::kRate * Pair::kLength, 0, 0};
  EXPECT_LT(norm(a.linear_velocity() - face_a.linear_velocity()), tolerance);
  EXPECT_LT(norm(b.linear_velocity() + drift - face_b.linear_velocity()), tolerance);
  EXPECT_LT(norm(a.angular_velocity() - face_a.angular_velocity()), tolerance);
  EXPECT_LT(norm(b.angular_velocity() - face_b.angular_velocity()), tolerance);
  EXPECT_GT(norm(a.angular_velocity()), 0.1);
}

TEST(Shear, AnImpactAcrossAFaceIsThatOfTheSameBodiesInside) {
  const Vec3 down{-0.5, 0.8, -1.5}, up{0.4, 0.1, 0.9};
  for (const double later : {0.0, 1.0}) {
    Pair inside(false, surface(0.4, 0.6), down, up, 0.0, later);
    Pair across(true, surface(0.4, 0.6), down, up, 0.0, later);
    run(inside.world, 0.15);
    run(across.world, 0.15);
    EXPECT_GT(norm(inside.world.body(inside.a).linear_velocity() - down), 0.5);
    expect_same(inside, across, 1e-9);
  }
}

TEST(Shear, AContactThatLastsAcrossAFaceIsThatOfTheSameBodiesInside) {
  const Vec3 aside{-0.4, 0.5, 0.25}, back{0.4, -0.5, -0.25};
  Pair inside(false, surface(0.4, 0.0), aside, back, 2000.0);
  Pair across(true, surface(0.4, 0.0), aside, back, 2000.0);
  run(inside.world, 0.2);
  run(across.world, 0.2);
  ASSERT_FALSE(across.world.contacts().empty());
  EXPECT_GT(across.world.contacts()[0].normal_impulse, 0.0);
  // The way that the place of contact rolls on within a substep is followed inside alone.
  expect_same(inside, across, 5e-3);
}

TEST(Shear, MomentumChangesByTheJumpsAtFacesAlone) {
  const double length = 2.0, rate = 1.0;
  World world = gas(sheared(length, rate), 4, 0.2, 1.0, surface(0.5, 0.8));
  const auto momentum = [&] {
    Vec3 sum;
    for (const Body& body : world.bodies()) sum += body.linear_velocity();
    return sum;
  };
  const Vec3 start = momentum();
  double jumps = 0.0;
  int across = 0;
  for (int step = 0; step < 240; ++step) {
    std::vector<double> before;
    for (const Body& body : world.bodies()) before.push_back(body.center_of_mass().z);
    require_done(world.step());
    for (std::size_t i = 0; i < before.size(); ++i)
      jumps += std::nearbyint((world.bodies()[i].center_of_mass().z - before[i]) / length);
    for (const PairMemory& pair : world.save().pairs) across += pair.image[2] != 0 ? 1 : 0;
  }
  EXPECT_GT(across, 1000);
  const Vec3 change = momentum() - start;
  EXPECT_NEAR(change.x, jumps * rate * length, 1e-9);
  EXPECT_NEAR(change.y, 0.0, 1e-9);
  EXPECT_NEAR(change.z, 0.0, 1e-9);
}

TEST(Shear, NoBitDependsOnThreadsOrOnASaveBetween) {
  WorldSettings settings = sheared(2.0, 0.8);
  settings.max_threads = 1;
  World one = gas(settings, 6, 0.16, 0.5, surface(0.5, 0.3));
  settings.max_threads = 4;
  World many = gas(settings, 6, 0.16, 0.5, surface(0.5, 0.3));
  World continued = gas(settings, 6, 0.16, 0.5, surface(0.5, 0.3));
  run(one, 0.8);
  run(many, 0.4);
  const WorldState half = many.save();
  run(many, 0.4);
  EXPECT_EQ(one.state_hash(), many.state_hash());
  continued.restore(half);
  run(continued, 0.4);
  EXPECT_EQ(one.state_hash(), continued.state_hash());
}

TEST(Shear, AFailedStepLeavesBodiesAndTheirVelocities) {
  World world = gas(sheared(2.0, 0.8), 4, 0.2, 1.0, surface(0.5, 0.3));
  run(world, 1.0);
  const BodyId fast = add_body(world, Sphere(0.01), {0.05, 0.05, 0.05}, {}, {0, 0, 1e9});
  const std::uint64_t before = world.state_hash();
  EXPECT_TRUE(world.step().failure.any());
  EXPECT_EQ(world.state_hash(), before);
  world.remove(fast);
  EXPECT_FALSE(world.step().failure.any());
}

TEST(Shear, RefusesWhatItDoesNotKnow) {
  const auto refused = [](auto change) {
    WorldSettings settings = sheared(2.0, 1.0);
    change(settings);
    return refusal([&] { World world(settings); });
  };
  EXPECT_EQ(refused([](WorldSettings& s) { s.shear->flow = 3; }),
            "shear.flow: must be an axis, 0 to 2");
  EXPECT_EQ(refused([](WorldSettings& s) { s.shear->gradient = 0; }),
            "shear.gradient: must be another axis than shear.flow");
  EXPECT_EQ(refused([](WorldSettings& s) { s.periodic[2].reset(); }),
            "shear.gradient: must be a periodic axis");
  EXPECT_EQ(refused([](WorldSettings& s) { s.shear->rate = INFINITY; }),
            "shear.rate: must be finite");
  EXPECT_EQ(refused([](WorldSettings& s) { s.sleep_time = 1.0; }),
            "sleep_time: must be 0 in a world under shear");
  EXPECT_EQ(refused([](WorldSettings& s) { s.plane = MotionPlane::xy; }),
            "shear.gradient: must lie in the plane of the world");
  World world(sheared(2.0, 1.0));
  BodyDefinition body{Sphere(0.1)};
  body.sensor = true;
  EXPECT_EQ(refusal([&] { world.add(body); }), "sensor: is not for a world under shear");
  body.sensor = false;
  body.type = BodyType::kinematic;
  EXPECT_EQ(refusal([&] { world.add(body); }), "type: must be moving in a world under shear");
  const BodyId a = add_body(world, Sphere(0.1), {0.5, 0.5, 0.5});
  const BodyId b = add_body(world, Sphere(0.1), {1.0, 0.5, 0.5});
  EXPECT_EQ(refusal([&] {
              world.add_joint(joint_at(JointType::ball, world.body(a), world.body(b), {}));
            }),
            "joints: are not for a world under shear");
}

}  // namespace
}  // namespace tactus::detail
