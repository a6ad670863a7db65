// Motion of bodies in contact, against closed-form mechanics.
#include <gtest/gtest.h>

#include "tactus/impulse_world.hpp"
#include "tests/support/dynamics_scene.hpp"

namespace tactus::detail {
namespace {

using test::add_body;
using test::add_ground;
using test::run;

constexpr double kGravity = 9.81;

/// Heights of the next peaks of a body's lowest point that starts at `height` above the ground.
std::vector<double> bounce_peaks(const Shape& shape, double half_height, double restitution,
                                 int count) {
  World world;
  Material material;
  material.restitution = restitution;
  add_ground(world, material);
  const BodyId id = add_body(world, shape, {0, 0, 1.0 + half_height}, material);
  std::vector<double> peaks;
  bool rising = false;
  for (int i = 0; i < 1000 && static_cast<int>(peaks.size()) < count; ++i) {
    world.step();
    const double speed = world.body(id).linear_velocity().z;
    if (rising && speed <= 0.0) {
      peaks.push_back(world.body(id).center_of_mass().z - half_height +
                      speed * speed / (2.0 * kGravity));
      rising = false;
    }
    if (speed > 0.1) rising = true;
  }
  return peaks;
}

TEST(Bounce, PeaksFollowTheRestitution) {
  const auto peaks = bounce_peaks(Sphere(0.1), 0.1, 0.8, 5);
  ASSERT_EQ(peaks.size(), 5u);
  double expected = 1.0;
  for (const double peak : peaks) {
    expected *= 0.64;
    EXPECT_NEAR(peak / expected, 1.0, 2e-3);
  }
}

TEST(Bounce, ElasticBallKeepsItsHeight) {
  const auto peaks = bounce_peaks(Sphere(0.1), 0.1, 1.0, 10);
  ASSERT_EQ(peaks.size(), 10u);
  EXPECT_NEAR(peaks.back(), 1.0, 3e-13);
}

TEST(Bounce, FaceLandingKeepsTheBoxLevel) {
  const auto peaks = bounce_peaks(Box({0.2, 0.3, 0.2}), 0.1, 0.8, 2);
  ASSERT_EQ(peaks.size(), 2u);
  EXPECT_NEAR(peaks[0] / 0.64, 1.0, 3e-5);
  EXPECT_NEAR(peaks[1] / 0.4096, 1.0, 2e-4);
}

TEST(Bounce, WithoutRestitutionTheBallStays) {
  EXPECT_TRUE(bounce_peaks(Sphere(0.1), 0.1, 0.0, 1).empty());
}

/// A body on a slope of tangent 0.5, released at rest; how far it went down after `seconds`.
struct Slope {
  explicit Slope(const Shape& shape, double height, const Material& material)
      : normal(normalized(Vec3{-0.5, 0.0, 1.0})), start(normal * height) {
    add_ground(world, material, normal);
    const double half_angle = 0.5 * std::atan(0.5);
    BodyDefinition body{shape, Pose(start, {std::cos(half_angle), 0, -std::sin(half_angle), 0})};
    body.material = material;
    id = world.add(body);
  }
  double slid(double seconds) {
    run(world, seconds);
    return dot(start - world.body(id).center_of_mass(), normalized(Vec3{1.0, 0.0, 0.5}));
  }
  World world;
  Vec3 normal, start;
  BodyId id = kNoBody;
};

const double kSine = std::sin(std::atan(0.5)), kCosine = std::cos(std::atan(0.5));

Material with_friction(double friction, double rolling = 0.0) {
  Material material;
  material.friction = friction;
  material.rolling_friction = rolling;
  return material;
}

TEST(Friction, BlockSlidesByCoulombsLaw) {
  for (const double friction : {0.0, 0.2, 0.4}) {
    Slope slope(Box({1, 1, 1}), 0.5, with_friction(friction));
    const double expected = 0.5 * kGravity * (kSine - friction * kCosine) * 4.0;
    EXPECT_NEAR(slope.slid(2.0) / expected, 1.0, 0.02) << friction;
  }
}

// Half a substep of acceleration would be 0.002.
TEST(Friction, VelocityOfASlidingBlockBelongsToTheEndOfTheStep) {
  World world;
  add_ground(world, with_friction(0.2));
  const BodyId id = add_body(world, Box({1, 1, 0.5}), {0, 0, 0.25}, with_friction(0.2), {3, 0, 0});
  run(world, 0.5);
  const double h = world.settings().time_step, before = world.body(id).center_of_mass().x;
  world.step();
  const double velocity = world.body(id).linear_velocity().x;
  world.step();
  EXPECT_NEAR((world.body(id).center_of_mass().x - before) / (2.0 * h), velocity, 3e-10);
}

TEST(Friction, BlockJustAboveTheLimitSlides) {
  Slope slope(Box({1, 1, 0.5}), 0.25, with_friction(0.49));
  const double expected = 0.5 * kGravity * (kSine - 0.49 * kCosine) * 25.0;
  EXPECT_NEAR(slope.slid(5.0) / expected, 1.0, 1e-3);
}

TEST(Friction, BlockJustBelowTheLimitStays) {
  Slope slope(Box({1, 1, 0.5}), 0.25, with_friction(0.51));
  EXPECT_NEAR(slope.slid(5.0), 0.0, 1e-5);
}

TEST(Friction, ActsAgainstTheSlidingWhateverItsDirection) {
  // A square spinning block on level ground: friction opposes each point's motion, so that the path
  // stays straight.
  World world;
  add_ground(world, with_friction(0.3));
  const Vec3 direction = normalized(Vec3{2.0, 1.0, 0.0});
  const BodyId id =
      add_body(world, Box({1, 1, 0.2}), {0, 0, 0.1}, with_friction(0.3), direction * 3.0);
  run(world, 3.0);
  const Vec3 moved = world.body(id).center_of_mass() - Vec3{0, 0, 0.1};
  EXPECT_NEAR(dot(moved, direction) / (9.0 / (2.0 * 0.3 * kGravity)), 1.0, 0.02);
  EXPECT_LT(norm(cross(moved, direction)), 8e-4);
  EXPECT_LT(norm(world.body(id).linear_velocity()), 4e-14);
}

// The next lowest point of the rim comes down while the one that touches is held.
TEST(Rolling, WobblingDiscsDoNotSink) {
  for (const double turning : {10.0, 20.0}) {
    World world;
    add_ground(world, {});
    const double tilt = 0.8, height = 0.2 * std::sin(tilt) + 0.05 * std::cos(tilt);
    BodyDefinition disc{Cylinder(0.2, 0.1)};
    disc.pose = Pose({0, 0, height + 1e-4}, Quat{std::cos(tilt / 2), std::sin(tilt / 2), 0, 0});
    disc.angular_velocity = {0, 0, turning};
    world.add(disc);
    double deepest = 0.0;
    for (int i = 0; i < 180; ++i)
      deepest = std::max(deepest, world.step().deepest_relative_penetration);
    EXPECT_LT(deepest, 8e-4) << turning;
  }
}

TEST(Rolling, BallRollsDownWithFiveSeventhsOfTheAcceleration) {
  Slope slope(Sphere(0.5), 0.5, with_friction(1.0));
  const double expected = 0.5 * 5.0 / 7.0 * kGravity * kSine * 4.0;
  EXPECT_NEAR(slope.slid(2.0) / expected, 1.0, 0.01);
}

TEST(Rolling, ResistanceHoldsABallUpToItsTangent) {
  Slope held(Sphere(0.5), 0.5, with_friction(1.0, 0.52));
  EXPECT_NEAR(held.slid(3.0), 0.0, 6e-5);
  Slope rolling(Sphere(0.5), 0.5, with_friction(1.0, 0.3));
  const double expected = 0.5 * 5.0 / 7.0 * kGravity * (kSine - 0.3 * kCosine) * 4.0;
  EXPECT_NEAR(rolling.slid(2.0) / expected, 1.0, 0.02);
}

TEST(Rolling, TorsionStopsASpinningBall) {
  const auto spin_after = [](double torsion) {
    World world;
    Material material;
    material.torsional_friction = torsion;
    add_ground(world, material);
    BodyDefinition ball{Sphere(0.5), Pose::translation({0, 0, 0.5}), {}, {0, 0, 10.0}};
    ball.material = material;
    const BodyId id = world.add(ball);
    run(world, 0.5);
    return world.body(id).angular_velocity().z;
  };
  EXPECT_NEAR(spin_after(0.0), 10.0, 1e-6);
  // Torque 0.1 * 0.5 * m g over the inertia 0.4 m r^2.
  EXPECT_NEAR(spin_after(0.1), 10.0 - 0.5 * 0.05 * kGravity / (0.4 * 0.25), 0.05);
}

TEST(Stack, TowerOfTwentyBoxesStandsStill) {
  World world;
  add_ground(world);
  BodyId top = kNoBody;
  for (int i = 0; i < 20; ++i) top = add_body(world, Box({1, 1, 1}), {0, 0, 0.5 + i});
  run(world, 5.0);
  const Vec3 p = world.body(top).center_of_mass();
  EXPECT_NEAR(p.z, 19.5, 0.01);
  EXPECT_LT(std::hypot(p.x, p.y), 0.02);
  EXPECT_LT(world.statistics().rms_relative_speed, 0.01);
  EXPECT_LT(world.statistics().mean_relative_penetration, 5e-4);
}

TEST(Stack, HeavyOnLightHolds) {
  World world;
  add_ground(world);
  Material heavy;
  heavy.density = 20000.0;
  add_body(world, Box({1, 1, 1}), {0, 0, 0.5});
  const BodyId top = add_body(world, Box({1, 1, 1}), {0, 0, 1.5}, heavy);
  run(world, 5.0);
  EXPECT_NEAR(world.body(top).center_of_mass().z, 1.5, 0.005);
}

TEST(Stack, OverlappingBodiesPartWithoutExploding) {
  World world;
  add_ground(world);
  add_body(world, Box({1, 1, 1}), {0, 0, 0.5});
  add_body(world, Box({1, 1, 1}), {0, 0, 1.3});
  double fastest = 0.0;
  for (int i = 0; i < 120; ++i) fastest = std::max(fastest, world.step().max_speed);
  EXPECT_LT(fastest, world.settings().max_push_speed * 1.1);
  EXPECT_TRUE(world.overlaps(2e-3).empty());
}

TEST(Impact, ObliqueElasticSpheresFollowTheLineOfCentres) {
  // Fast enough that the line of centres turns by half a radian within the step of the impact.
  WorldSettings settings;
  settings.gravity = {};
  World world(settings);
  Material smooth;
  smooth.restitution = 1.0;
  smooth.friction = 0.0;
  const double radius = 0.1, offset = 0.12, speed = 6.0;
  const BodyId a = add_body(world, Sphere(radius), {0, 0, 0}, smooth, {speed, 0, 0});
  const BodyId b = add_body(world, Sphere(radius), {1.0, offset, 0}, smooth);
  run(world, 0.5);
  const double sine = offset / (2.0 * radius);
  const Vec3 line{std::sqrt(1.0 - sine * sine), sine, 0.0};
  const Vec3 expected = line * (speed * line.x);
  EXPECT_LT(norm(world.body(b).linear_velocity() - expected), 1e-4 * speed);
  EXPECT_LT(norm(world.body(a).linear_velocity() - (Vec3{speed, 0, 0} - expected)), 1e-4 * speed);
  EXPECT_LT(norm(world.body(a).angular_velocity()), 3e-12);
}

TEST(Impact, PassingCloseByTouchesNothing) {
  // The ball falls one metre per step past the side of a box; before the step, the nearest feature
  // is the upper edge, and the plane through it lies in the ball's way.
  for (int start = 0; start < 20; ++start) {
    WorldSettings settings;
    settings.gravity = {};
    World world(settings);
    BodyDefinition box{Box({1, 1, 1})};
    box.type = BodyType::fixed;
    world.add(box);
    const BodyId ball =
        add_body(world, Sphere(0.1), {0.62, 0, 1.3 + 0.05 * start}, {}, {0, 0, -60.0});
    run(world, 0.1);
    EXPECT_EQ(world.body(ball).linear_velocity(), (Vec3{0, 0, -60.0})) << start;
  }
}

TEST(Speed, BulletsDoNotPassThinWalls) {
  for (int shot = 0; shot < 20; ++shot) {
    WorldSettings settings;
    settings.gravity = {};
    World world(settings);
    BodyDefinition wall{Box({0.01, 4.0, 4.0}), Pose::translation({3.0 + 0.37 * shot, 0, 0})};
    wall.type = BodyType::fixed;
    world.add(wall);
    const BodyId id =
        add_body(world, Sphere(0.05), {0, 0.3, 0.2}, {}, {500.0, 2.0 * shot, -1.0 * shot});
    run(world, 0.5);
    EXPECT_LT(world.body(id).center_of_mass().x, 3.0 + 0.37 * shot) << shot;
  }
}

// A box on the ground, with another one on it that makes the load so many weights of the first.
StepStatistics at_rest_under(double weights, double load_overlap) {
  WorldSettings settings;
  settings.load_overlap = load_overlap;
  World world(settings);
  add_ground(world);
  add_body(world, Box({1, 1, 1}), {0, 0, 0.5});
  Material heavy;
  heavy.density = 1000.0 * (weights - 1.0);
  if (weights > 1.0) add_body(world, Box({1, 1, 1}), {0, 0, 1.5}, heavy);
  run(world, 3.0);
  return world.statistics();
}

// The overlap under a load F is F / (m w^2), with the mass m of both bodies against each other and
// w = 2 pi contact_frequency per substep.
TEST(Loads, HeavyOnesTakeMoreSubsteps) {
  const auto overlap = [](double weights, int substeps) {
    const double frequency = 2.0 * 3.14159265358979323846 * 0.25 * 60.0 * substeps;
    return weights * kGravity / (frequency * frequency);
  };
  const StepStatistics light = at_rest_under(1.0, 1e-4);
  EXPECT_EQ(light.substeps, 12);
  EXPECT_NEAR(light.deepest_penetration / overlap(1.0, 12), 1.0, 3e-9);
  const StepStatistics some = at_rest_under(20.0, 1e-4);
  EXPECT_GT(overlap(20.0, 12), 1e-4);
  EXPECT_GT(some.substeps, 12);
  EXPECT_LT(some.substeps, 96);
  EXPECT_LT(some.deepest_penetration, 1e-4);
  const StepStatistics heavy = at_rest_under(1000.0, 1e-4);
  EXPECT_EQ(heavy.substeps, 96);
  EXPECT_NEAR(heavy.deepest_penetration / overlap(1000.0, 96), 1.0, 0.01);
  const StepStatistics soft = at_rest_under(1000.0, 0.0);
  EXPECT_EQ(soft.substeps, 12);
  EXPECT_NEAR(soft.deepest_penetration / overlap(1000.0, 12), 1.0, 0.05);
}

TEST(Loads, ATallTowerStands) {
  World world;
  add_ground(world);
  for (int i = 0; i < 60; ++i) add_body(world, Box({1, 1, 1}), {0, 0, 0.5 + i});
  run(world, 5.0);
  const Vec3 top = world.bodies().back().center_of_mass();
  EXPECT_NEAR(top.z, 59.5, 0.005);
  EXPECT_LT(std::hypot(top.x, top.y), 0.01);
}

}  // namespace
}  // namespace tactus::detail
