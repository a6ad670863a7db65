// Worlds of two dimensions, and regions of the plane as bodies in them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tactus/core/random.hpp"
#include "tactus/fit.hpp"
#include "tactus/planar.hpp"
#include "tactus/world.hpp"
#include "tests/support/dynamics_scene.hpp"
#include "tests/support/effort.hpp"

namespace tactus::detail {
namespace {

using test::add_body;
using test::effort;
using test::run;

WorldSettings in_plane() {
  WorldSettings settings;
  settings.plane = MotionPlane::xy;
  settings.gravity = {0.0, -9.81, 0.0};
  return settings;
}

TEST(Plane, APileStaysInItBitForBit) {
  World world(in_plane());
  BodyDefinition ground{HalfSpace({0.0, 1.0, 0.0}, 0.0)};
  ground.type = BodyType::fixed;
  world.add(ground);
  std::vector<BodyId> bodies;
  std::vector<double> heights;
  Random random(8);
  for (int i = 0; i < 24; ++i) {
    const Shape shapes[] = {Box({0.4, 0.3, 0.2}), Cylinder(0.2, 0.2), Sphere(0.2),
                            Box({0.2, 0.6, 0.3})};
    BodyDefinition body{shapes[i % 4]};
    // Rounding of an arbitrary depth shows what would move it.
    const double z = random.uniform(-0.02, 0.02), angle = random.uniform(0.0, 6.0);
    body.pose =
        Pose::from_axis_angle({0.5 * (i % 4) - 0.8, 0.5 + 0.7 * (i / 4), z}, {0, 0, 1}, angle);
    body.material.rolling_friction = 0.05;
    body.linear_velocity = {0.3, 0.0, 1.0};
    body.angular_velocity = {1.0, 2.0, 3.0};
    bodies.push_back(world.add(body));
    heights.push_back(world.body(bodies.back()).center_of_mass().z);
  }
  for (int step = 0; step < 60; ++step) {
    require_done(world.step());
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const BodyMotion& m = world.body(bodies[i]).motion();
      ASSERT_EQ(m.position.z, heights[i]);
      ASSERT_EQ(m.linear_velocity.z, 0.0);
      ASSERT_EQ(m.angular_velocity.x, 0.0);
      ASSERT_EQ(m.angular_velocity.y, 0.0);
      ASSERT_EQ(m.orientation.x, 0.0);
      ASSERT_EQ(m.orientation.y, 0.0);
    }
  }
  run(world, 3.5);
  EXPECT_LT(world.statistics().max_speed, 1e-3);
  EXPECT_LT(world.statistics().deepest_relative_penetration, 5e-3);
}

// A ball on a hinge whose axis is z: in space and in the plane the same pendulum.
TEST(Plane, HingesSwingAsInSpace) {
  Vec3 place[2];
  for (const bool flat : {false, true}) {
    WorldSettings settings = in_plane();
    if (!flat) settings.plane = MotionPlane::none;
    World world(settings);
    BodyDefinition post{Sphere(0.1)};
    post.type = BodyType::fixed;
    const BodyId a = world.add(post);
    const BodyId b = add_body(world, Sphere(0.1), {0.6, 0.0, 0.0});
    const BodyId c = add_body(world, Box({0.2, 0.3, 0.1}), {1.1, 0.1, 0.0});
    const Vec3 anchor{};
    world.add_joint(joint_at(JointType::hinge, world.body(a), world.body(b), anchor, {0, 0, 1}));
    world.add_joint(
        joint_at(JointType::hinge, world.body(b), world.body(c), {0.8, 0.0, 0.0}, {0, 0, 1}));
    run(world, 1.0);
    place[flat ? 1 : 0] = world.body(c).center_of_mass();
    if (flat) {
      EXPECT_EQ(place[1].z, 0.0);
    }
  }
  EXPECT_LT(norm(place[0] - place[1]), 1e-6);
}

/// A star-shaped region with a hole or without, not convex.
Region random_region(Random& random, double size) {
  std::vector<Vec2> outer, hole;
  const int corners = 5 + static_cast<int>(random.below(8));
  for (int i = 0; i < corners; ++i) {
    const double angle = 6.283185307179586 * i / corners, r = size * random.uniform(0.35, 1.0);
    outer.push_back({r * std::cos(angle), r * std::sin(angle)});
  }
  if (random.below(2) == 0) return Region(outer);
  for (const Vec2& p : outer) hole.push_back(p * 0.4);
  return Region(outer, {hole});
}

BodyId add_prism(World& world, const Region& region, const Vec3& place, double angle,
                 BodyType type = BodyType::dynamic_body) {
  BodyDefinition body{fit::extruded(region, 0.2)};
  body.pose = Pose::from_axis_angle(place, {0, 0, 1}, angle);
  body.type = type;
  return world.add(body);
}

Region rectangle(double x, double y) { return Region({{-x, -y}, {x, -y}, {x, y}, {-x, y}}); }

/// A trough of one body, open above.
Region trough() {
  return Region({{-2.2, -0.4},
                 {2.2, -0.4},
                 {2.2, 3.0},
                 {1.8, 3.0},
                 {1.8, 0.0},
                 {-1.8, 0.0},
                 {-1.8, 3.0},
                 {-2.2, 3.0}});
}

Pose2 flat(const Body& body) {
  const Mat3& r = body.pose().rotation();
  return Pose2({body.pose().position().x, body.pose().position().y}, std::atan2(r(1, 0), r(0, 0)));
}

struct RegionPile {
  World world;
  std::vector<Region> regions;
  std::vector<BodyId> bodies;

  RegionPile(std::uint64_t seed, int threads, int count = 8) : world(of(threads)) {
    Random random(seed);
    regions.push_back(trough());
    bodies.push_back(add_prism(world, regions.back(), {0, 0, 0}, 0.0, BodyType::fixed));
    for (int i = 0; i < count; ++i) {
      regions.push_back(random_region(random, 0.35));
      const double x = 0.8 * (i % 4) - 1.2;
      bodies.push_back(add_prism(world, regions.back(), {x, 0.6 + 0.8 * (i / 4), 0.0},
                                 random.uniform(0.0, 6.0)));
    }
  }
  static WorldSettings of(int threads) {
    WorldSettings settings = in_plane();
    settings.max_threads = threads;
    return settings;
  }
};

// No region ends deep in another, the trough's inside corners included, and all come to rest.
TEST(Plane, RegionsRestOnEachOtherInATrough) {
  for (int seed = 0; seed < effort(2); ++seed) {
    RegionPile pile(static_cast<std::uint64_t>(seed) + 1, 1);
    run(pile.world, 3.0);
    for (std::size_t i = 0; i < pile.bodies.size(); ++i) {
      const Body& a = pile.world.body(pile.bodies[i]);
      EXPECT_LT(norm(a.linear_velocity()), 0.05) << i;
      for (std::size_t j = i + 1; j < pile.bodies.size(); ++j) {
        const Body& b = pile.world.body(pile.bodies[j]);
        const PlanarResult gap = distance(pile.regions[i], flat(a), pile.regions[j], flat(b));
        EXPECT_GT(gap.distance, -4e-3 * 0.35) << i << ' ' << j;
      }
      if (i > 0) {
        EXPECT_GT(a.center_of_mass().y, -0.1);
        EXPECT_LT(std::fabs(a.center_of_mass().x), 1.9);
      }
    }
  }
}

TEST(Plane, RegionsContinueBitByBitAndOnAnyThreads) {
  RegionPile one(5, 1), four(5, 4), other(5, 1);
  for (int step = 0; step < 40; ++step) {
    one.world.step();
    four.world.step();
  }
  EXPECT_EQ(one.world.state_hash(), four.world.state_hash());
  other.world.restore(one.world.save());
  for (int step = 0; step < 15; ++step) {
    one.world.step();
    other.world.step();
    ASSERT_EQ(one.world.state_hash(), other.world.state_hash()) << step;
  }
}

// A key fits into a notch that is wider by a part in a thousand: convex pieces would have to be
// told which of their faces lie inside, regions have none.
TEST(Plane, AKeySlidesIntoItsNotch) {
  World world(in_plane());
  const double wide = 0.1001;
  const Region notch(
      {{-1, -0.5}, {1, -0.5}, {1, 0}, {wide, 0}, {wide, -0.3}, {-wide, -0.3}, {-wide, 0}, {-1, 0}});
  const Region key({{-0.1, -0.25},
                    {0.1, -0.25},
                    {0.1, 0},
                    {0.4, 0},
                    {0.4, 0.2},
                    {-0.4, 0.2},
                    {-0.4, 0},
                    {-0.1, 0}});
  add_prism(world, notch, {0, 0, 0}, 0.0, BodyType::fixed);
  const BodyId id = add_prism(world, key, {0.0, 0.26, 0.0}, 0.0);
  run(world, 1.5);
  EXPECT_LT(std::fabs(world.body(id).pose().position().y), 1e-3);
  EXPECT_LT(norm(world.body(id).linear_velocity()), 1e-4);
}

// Through a hole that it does not touch; a lid of the same region without it stops it.
TEST(Plane, HolesAreHoles) {
  for (const bool open : {true, false}) {
    WorldSettings settings = in_plane();
    settings.gravity = {};
    World world(settings);
    const std::vector<Vec2> outer{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    const std::vector<Vec2> hole{{-0.9, -0.9}, {0.9, -0.9}, {0.9, 0.9}, {-0.9, 0.9}};
    const Region frame(outer, {hole}), block(outer);
    // A ball inside of the frame bounces there for ever; it starts beside the block.
    add_prism(world, open ? frame : block, {0, 0, 0}, 0.0, BodyType::fixed);
    const BodyId id = add_prism(world, rectangle(0.2, 0.1), {open ? 0.0 : 1.5, 0.0, 0.0}, 0.3);
    world.set_velocity(id, {-3.0, 1.0, 0.0}, {0.0, 0.0, 2.0});
    for (int step = 0; step < 120; ++step) {
      require_done(world.step());
      const Vec3& place = world.body(id).center_of_mass();
      const double far = std::fmax(std::fabs(place.x), std::fabs(place.y));
      if (open) {
        ASSERT_LT(far, 0.81);
      }
      if (!open) {
        ASSERT_GT(far, 1.09);
      }
    }
  }
}

// Fast and thin: it meets a wall as thin within the step.
TEST(Plane, RegionsDoNotTunnel) {
  for (const double speed : {20.0, 200.0}) {
    World world(in_plane());
    add_prism(world, rectangle(0.02, 2.0), {0, 0, 0}, 0.0, BodyType::fixed);
    const Region corner(
        {{-0.3, -0.3}, {0.3, -0.3}, {0.3, -0.28}, {-0.28, -0.28}, {-0.28, 0.3}, {-0.3, 0.3}});
    const BodyId id = add_prism(world, corner, {-2.0, 0.1, 0.0}, 0.4);
    world.set_velocity(id, {speed, 0.0, 0.0}, {0.0, 0.0, 3.0});
    run(world, 0.25);
    EXPECT_LT(world.body(id).center_of_mass().x, 0.0) << speed;
  }
}

// Prisms that lie above each other along z pass.
TEST(Plane, PrismsAtOtherHeightsDoNotMeet) {
  World world(in_plane());
  add_prism(world, rectangle(1.0, 0.1), {0, 0, 0}, 0.0, BodyType::fixed);
  const BodyId id = add_prism(world, rectangle(0.2, 0.2), {0.0, 0.5, 0.2001}, 0.0);
  run(world, 0.5);
  EXPECT_LT(world.body(id).center_of_mass().y, -0.5);
}

}  // namespace
}  // namespace tactus::detail
