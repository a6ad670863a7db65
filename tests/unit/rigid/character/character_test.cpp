// Characters: where they end, by distances that the controller has not asked for, and the ways that
// geometry tells.
#include "tactus/character.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "tactus/query.hpp"
#include "tests/support/dynamics_scene.hpp"
#include "tests/support/effort.hpp"

namespace tactus::detail {
namespace {

constexpr double kStep = 1.0 / 60.0;

/// The shapes that characters have here: 1.8 high, 0.6 wide, about their middle.
Shape character_shape(int i) {
  switch (i % 4) {
    case 0:
      return Capsule(0.3, 1.2);
    case 1:
      return Box({0.6, 0.6, 1.8});
    case 2:
      return Cylinder(0.3, 1.8);
    default: {
      std::vector<Vec3> points;
      for (const double z : {-0.9, 0.9})
        for (const auto& [x, y] :
             {std::pair{0.3, 0.0}, {0.1, 0.28}, {-0.25, 0.15}, {-0.2, -0.2}, {0.15, -0.25}})
          points.push_back({x, y, z});
      return Convex(points);
    }
  }
}

/// How many of these shapes a test takes.
int kinds() { return std::min(test::effort(4), 4); }

BodyId add_fixed(World& world, const Shape& shape, const Pose& pose, double friction = 0.5) {
  BodyDefinition body{shape, pose};
  body.type = BodyType::fixed;
  body.material.friction = friction;
  return world.add(body);
}

BodyId add_character(World& world, const Shape& shape, const Vec3& place) {
  BodyDefinition body{shape, Pose::translation(place)};
  body.type = BodyType::kinematic;
  return world.add(body);
}

BodyId add_kinematic(World& world, const Shape& shape, const Pose& pose, const Vec3& linear,
                     const Vec3& angular = {}) {
  BodyDefinition body{shape, pose, linear, angular};
  body.type = BodyType::kinematic;
  return world.add(body);
}

/// The least distance of a character to any fixed or kinematic body.
double gap_of(const World& world, BodyId character) {
  const Body& self = world.body(character);
  double gap = std::numeric_limits<double>::infinity();
  QueryOptions bare;
  for (const Body& body : world.bodies()) {
    if (body.id() == character || body.is_sensor() || body.is_dynamic()) continue;
    const auto* mesh = std::get_if<Mesh>(&body.shape().geometry());
    bare.signed_distance = mesh == nullptr || mesh->closed();
    gap = std::min(gap,
                   distance(self.shape(), self.pose(), body.shape(), body.pose(), bare).distance);
  }
  return gap;
}

/// Walks for a time, and says how near it came to a body at the end of a step.
double walk(World& world, CharacterController& walker, const CharacterInput& input,
            double seconds) {
  double least = std::numeric_limits<double>::infinity();
  CharacterInput now = input;
  for (int i = 0; i < static_cast<int>(std::round(seconds / world.settings().time_step)); ++i) {
    walker.update(now);
    now.jump = 0.0;
    require_done(world.step());
    least = std::min(least, gap_of(world, walker.body()));
  }
  return least;
}

const Vec3& place(const World& world, BodyId body) { return world.body(body).center_of_mass(); }

TEST(Character, GoesOverTilesAsOverAFloor) {
  for (int kind = 0; kind < kinds(); ++kind) {
    World world;
    const double width = 0.43;
    for (int i = 0; i < 43; ++i)
      add_fixed(world, Box({width, 4, 0.2}), Pose::translation({width * (i + 0.5) - 1, 0, -0.1}));
    const BodyId id = add_character(world, character_shape(kind), {0, 0, 0.95});
    CharacterController walker(world, id);
    walk(world, walker, {}, 0.5);
    const Vec3 start = place(world, id);
    EXPECT_GE(walk(world, walker, {{3, 0, 0}}, 5.0), 0.0099);
    EXPECT_NEAR(place(world, id).x - start.x, 15.0, 1e-6) << kind;
    EXPECT_NEAR(place(world, id).y, 0.0, 1e-9) << kind;
    EXPECT_NEAR(place(world, id).z, 0.91, 1e-6) << kind;
    EXPECT_EQ(walker.report().support, CharacterSupport::ground);
    EXPECT_FALSE(walker.report().hindered);
  }
}

TEST(Character, JumpsAsHighAsItsSpeedSays) {
  for (const double rate : {30.0, 60.0, 240.0}) {
    WorldSettings settings;
    settings.time_step = 1.0 / rate;
    World world(settings);
    test::add_ground(world);
    const BodyId id = add_character(world, Capsule(0.3, 1), {0, 0, 0.81});
    CharacterController walker(world, id);
    walk(world, walker, {}, 0.2);
    const double start = place(world, id).z, speed = 4.0, gravity = 9.81;
    double highest = start;
    for (int i = 0; i < static_cast<int>(0.7 * rate); ++i) {
      walker.update({{}, i == 0 ? speed : 0.0});
      require_done(world.step());
      highest = std::max(highest, place(world, id).z);
    }
    // The steps miss the top by half a step at most.
    const double top = speed * speed / (2.0 * gravity);
    EXPECT_LT(highest - start, top + 1e-9) << rate;
    EXPECT_GT(highest - start, top - gravity / (8.0 * rate * rate) - 1e-9) << rate;
  }
}

TEST(Character, SlidesAlongWallsCreasesAndStopsInCorners) {
  for (int kind = 0; kind < kinds(); ++kind) {
    World world;
    test::add_ground(world);
    add_fixed(world, HalfSpace({-1, 0, 0}, -3.0), Pose());
    add_fixed(world, HalfSpace({0, -1, 0}, -4.0), Pose());
    const BodyId id = add_character(world, character_shape(kind), {0, 0, 0.92});
    CharacterController walker(world, id);
    walk(world, walker, {}, 0.2);
    // Along the wall at x = 3.
    EXPECT_GE(walk(world, walker, {{3, 1, 0}}, 2.0), 0.0074);
    EXPECT_NEAR(place(world, id).y, 2.0, 0.01) << kind;
    EXPECT_LE(place(world, id).x, 2.7);
    EXPECT_GE(place(world, id).x, 2.65);
    // Into the corner of both walls and the floor.
    EXPECT_GE(walk(world, walker, {{3, 2, 0}}, 2.0), 0.0074);
    const Vec3 corner = place(world, id);
    walk(world, walker, {{3, 2, 0}}, 1.0);
    EXPECT_LT(norm(place(world, id) - corner), 0.011) << kind;
    EXPECT_TRUE(walker.report().hindered);
  }
}

TEST(Character, ClimbsStepsUpToItsHeightAndFollowsThemDown) {
  for (int kind = 0; kind < kinds(); ++kind) {
    for (const double height : {0.1, 0.2, 0.34}) {
      World world;
      test::add_ground(world);
      for (int i = 0; i < 6; ++i) {
        const int up = std::min(i + 1, 6 - i);
        add_fixed(world, Box({0.5, 4, height * up}),
                  Pose::translation({1.0 + 0.5 * (i + 0.5), 0, 0.5 * height * up}));
      }
      const BodyId id = add_character(world, character_shape(kind), {0, 0, 0.95});
      CharacterController walker(world, id);
      walk(world, walker, {}, 0.3);
      double highest = 0.0, least = 1.0;
      for (int i = 0; i < 240; ++i) {
        least = std::min(least, walk(world, walker, {{1.5, 0, 0}}, kStep));
        highest = std::max(highest, place(world, id).z);
        EXPECT_NE(walker.report().support, CharacterSupport::air)
            << kind << " " << height << " " << place(world, id).x;
      }
      EXPECT_GE(least, 0.0074) << kind << " " << height;
      EXPECT_NEAR(highest, 0.91 + 3 * height, 0.02) << kind << " " << height;
      EXPECT_GT(place(world, id).x, 5.5) << kind << " " << height;
      EXPECT_NEAR(place(world, id).z, 0.91, 1e-4);
    }
  }
}

TEST(Character, ClimbsHoweverSlowlyItWalks) {
  for (int kind = 0; kind < kinds(); ++kind) {
    for (const double speed : {0.5, 0.06, 0.012}) {
      World world;
      test::add_ground(world);
      add_fixed(world, Box({2, 4, 0.25}), Pose::translation({1.4, 0, 0.125}));
      const BodyId id = add_character(world, character_shape(kind), {0.06, 0, 0.91});
      CharacterController walker(world, id);
      walk(world, walker, {{speed, 0, 0}}, 0.03 / speed);
      EXPECT_EQ(walker.report().support, CharacterSupport::ground);
      walk(world, walker, {{speed, 0, 0}}, 0.35 / std::max(speed, 0.06));
      EXPECT_GT(place(world, id).z, 0.95) << kind << " " << speed;
    }
  }
}

TEST(Character, IsStoppedByStepsThatAreTooHigh) {
  for (int kind = 0; kind < kinds(); ++kind) {
    World world;
    test::add_ground(world);
    add_fixed(world, Box({2, 4, 0.4}), Pose::translation({2.0, 0, 0.2}));
    const BodyId id = add_character(world, character_shape(kind), {0, 0, 0.92});
    CharacterController walker(world, id);
    EXPECT_GE(walk(world, walker, {{3, 0, 0}}, 2.0), 0.0074);
    EXPECT_LT(place(world, id).x, 0.7) << kind;
    EXPECT_NEAR(place(world, id).z, 0.91, 0.02) << kind;
  }
}

TEST(Character, WalksSlopesUpToItsAngleAndSlidesFromSteeperOnes) {
  for (int kind = 0; kind < kinds(); ++kind) {
    for (const double angle : {0.2, 0.6, 0.8, 0.95, 1.2}) {
      World world;
      test::add_ground(world);
      // A plane that rises along x from the origin.
      add_fixed(world, HalfSpace({-std::sin(angle), 0, std::cos(angle)}, 0.0), Pose());
      const BodyId id = add_character(world, character_shape(kind), {-2, 0, 0.95});
      CharacterController walker(world, id);
      walk(world, walker, {}, 0.3);
      EXPECT_GE(walk(world, walker, {{2, 0, 0}}, 2.0), 0.0074) << kind << " " << angle;
      const bool can = angle < walker.settings().max_slope;
      if (can) {
        // Its level speed is that on the floor.
        EXPECT_NEAR(place(world, id).x, 2.0, 0.05) << kind << " " << angle;
        EXPECT_GT(place(world, id).z, 0.5 + 1.4 * std::tan(angle));
        const double high = place(world, id).z;
        walk(world, walker, {}, 0.5);
        EXPECT_NEAR(place(world, id).z, high, 1e-4) << "stays on the slope";
        for (int i = 0; i < 60; ++i) {
          walk(world, walker, {{-2, 0, 0}}, kStep);
          EXPECT_EQ(walker.report().support, CharacterSupport::ground) << kind << " " << angle;
        }
      } else {
        EXPECT_LT(place(world, id).z, 1.0) << kind << " " << angle;
        // Set down on the slope, it slides to its foot.
        world.set_pose(id, Pose::translation({2, 0, 2 * std::tan(angle) + 1.5}));
        walk(world, walker, {}, 0.8);
        EXPECT_NE(walker.report().support, CharacterSupport::ground);
        walk(world, walker, {}, 3.0);
        EXPECT_LT(place(world, id).z, 1.0) << kind << " " << angle;
      }
    }
  }
}

TEST(Character, RidesOnPlatformsAlongTheArc) {
  for (int kind = 0; kind < kinds(); ++kind) {
    World world;
    add_kinematic(world, Cylinder(4.0, 0.2), Pose::translation({0, 0, -0.1}), {0.5, 0, 0.3},
                  {0, 0, 1.0});
    const BodyId id = add_character(world, character_shape(kind), {3, 0, 0.95});
    CharacterController walker(world, id);
    walk(world, walker, {}, 0.5);
    const auto local = [&] { return world.bodies().front().pose().to_local(place(world, id)); };
    const Vec3 start = local();
    EXPECT_GE(walk(world, walker, {}, 3.0), 0.0074);
    EXPECT_NEAR(norm(local() - start), 0.0, 1e-6) << kind;
    EXPECT_EQ(walker.report().ground, world.bodies().front().id());
  }
}

TEST(Character, IsPushedByKinematicBodiesAndStuckWhereThereIsNoRoom) {
  World world;
  test::add_ground(world);
  add_kinematic(world, Box({0.2, 4, 2}), Pose::translation({-2, 0, 1.1}), {2, 0, 0});
  const BodyId bar =
      add_kinematic(world, Box({0.2, 6, 0.5}), Pose::translation({0, 8, 1.0}), {}, {0, 0, 2});
  const BodyId pushed = add_character(world, Capsule(0.3, 1.2), {0, 0, 0.92});
  const BodyId swept = add_character(world, Box({0.6, 0.6, 1.8}), {1.5, 8, 0.92});
  CharacterController one(world, pushed), two(world, swept);
  for (int i = 0; i < 120; ++i) {
    one.update({});
    two.update({});
    require_done(world.step());
    EXPECT_GE(gap_of(world, pushed), 0.0074) << i;
    EXPECT_GE(gap_of(world, swept), 0.0074) << i;
  }
  EXPECT_GT(place(world, pushed).x, 2.3);
  EXPECT_GT(norm(place(world, swept) - Vec3{1.5, 8, 0.91}), 0.5);
  world.remove(bar);
  add_fixed(world, HalfSpace({-1, 0, 0}, -3.2), Pose());
  bool stuck = false;
  for (int i = 0; i < 60; ++i) {
    stuck = stuck || one.update({}).stuck;
    require_done(world.step());
  }
  EXPECT_TRUE(stuck);
}

TEST(Character, LeavesAnOverlapItWasSetDownIn) {
  Random random(5);
  for (int i = 0; i < test::effort(40); ++i) {
    World world;
    test::add_ground(world);
    for (int k = 0; k < 4; ++k)
      add_fixed(world, Box({1.0, 1.0, 1.0}),
                Pose({3.0 * k - 4.5, 0, 0.5}, test::random_rotation(random)));
    const BodyId id =
        add_character(world, character_shape(i),
                      {random.uniform(-5, 5), random.uniform(-0.4, 0.4), random.uniform(0.3, 1.2)});
    CharacterController walker(world, id);
    const bool stuck = walker.update({}).stuck;
    require_done(world.step());
    EXPECT_FALSE(stuck) << i;
    EXPECT_GE(gap_of(world, id), 0.0074) << i;
  }
}

TEST(Character, JumpsAsHighAsPhysicsSays) {
  TACTUS_LONG_TEST();
  for (const double step : {1.0 / 60.0, 1.0 / 1000.0, 1.0 / 20000.0}) {
    WorldSettings settings;
    settings.time_step = step;
    World world(settings);
    test::add_ground(world);
    const BodyId id = add_character(world, Capsule(0.3, 1.2), {0, 0, 0.91});
    CharacterController walker(world, id);
    walk(world, walker, {}, 3 * step);
    const double floor = place(world, id).z;
    double highest = 0.0;
    walker.update({{}, 2.0});
    for (int i = 0; i * step < 0.25; ++i) {
      require_done(world.step());
      highest = std::max(highest, place(world, id).z - floor);
      walker.update({});
    }
    EXPECT_NEAR(highest, 2.0 * 2.0 / (2 * 9.81), 2.0 * step + 0.003) << step;
    walk(world, walker, {}, 0.3);
    EXPECT_EQ(walker.report().support, CharacterSupport::ground);
    EXPECT_NEAR(place(world, id).z, floor, 1e-3);
  }
}

TEST(Character, PushesMovingBodiesByABoundedForce) {
  // A crate of 50 kg with friction 0.4 takes 196 N to slide.
  for (const double force : {100.0, 400.0}) {
    World world;
    test::add_ground(world, {.friction = 0.4});
    Material wood{.friction = 0.4};
    wood.density = 50.0;
    const BodyId crate = test::add_body(world, Box({1, 1, 1}), {1.5, 0, 0.5}, wood);
    const BodyId id = add_character(world, Capsule(0.3, 1.2), {0, 0, 0.92});
    CharacterSettings settings;
    settings.max_force = force;
    CharacterController walker(world, id, settings);
    walk(world, walker, {{1.5, 0, 0}}, 3.0);
    if (force < 196.0) {
      EXPECT_NEAR(place(world, crate).x, 1.5, 0.02);
    } else {
      EXPECT_GT(place(world, crate).x, 3.0);
    }
    EXPECT_LT(place(world, id).x, place(world, crate).x - 0.79);
  }
}

TEST(Character, PressesOnWhatItStandsOn) {
  // Two supports of a beam bear it and the character.
  World world;
  test::add_ground(world);
  Material light;
  light.density = 100.0;
  const BodyId beam = test::add_body(world, Box({4, 1, 0.2}), {0, 0, 0.1}, light);
  const BodyId id = add_character(world, Capsule(0.3, 1.2), {0.5, 0, 1.12});
  CharacterController walker(world, id);
  walk(world, walker, {}, 1.0);
  const auto load = [&] {
    double sum = 0.0;
    for (const Contact& contact : world.contacts())
      if (contact.body_b == beam || contact.body_a == beam) sum += contact.normal_impulse;
    return sum / world.contact_time();
  };
  EXPECT_NEAR(load(), (80.0 + 70.0) * 9.81, 1.0);
  walk(world, walker, {{}, 3.0}, 0.2);
  EXPECT_NEAR(load(), 80.0 * 9.81, 1.0);
}

/// Random rooms of fixed and moving obstacles of all kinds.
struct Room {
  World world;
  Random random;
  std::vector<BodyId> walkers;

  explicit Room(std::uint64_t seed) : random(seed) {
    test::add_ground(world);
    for (const Vec3& n : {Vec3{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}})
      add_fixed(world, HalfSpace(n, -6.0), Pose());
    for (int i = 0; i < 14; ++i) add_obstacle(i);
    for (int i = 0; i < 2; ++i)
      walkers.push_back(add_character(world, character_shape(static_cast<int>(seed) + i),
                                      {i == 0 ? -3.0 : 3.0, random.uniform(-3, 3), 2.5}));
  }

  void add_obstacle(int i) {
    const Vec3 at{random.uniform(-5, 5), random.uniform(-5, 5), random.uniform(0, 1.2)};
    const Pose pose(at, test::random_rotation(random));
    const Vec3 size{random.uniform(0.2, 2.5), random.uniform(0.2, 2.5), random.uniform(0.02, 0.8)};
    const Shape shape = i % 3 == 0   ? scaled(test::mixed_shape(i), 3.0)
                        : i % 3 == 1 ? Shape(Box(size))
                                     : Shape(open_sheet(size));
    if (i % 7 == 6)
      add_kinematic(world, shape, pose, {random.uniform(-0.5, 0.5), 0, 0},
                    {0, 0, random.uniform(-0.5, 0.5)});
    else
      add_fixed(world, shape, pose);
  }

  /// A bent sheet without thickness.
  static Mesh open_sheet(const Vec3& s) {
    TriangleMesh mesh;
    mesh.vertices = {{-s.x, -s.y, 0}, {s.x, -s.y, 0}, {s.x, s.y, s.z}, {-s.x, s.y, 0}};
    mesh.triangles = {{0, 1, 2}, {0, 2, 3}};
    return Mesh(mesh);
  }

  CharacterInput input(int step) {
    const double speed = step % 90 < 30 ? 40.0 : 3.0;
    const Vec3 way{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
    return {way * speed, step % 40 == 30 ? 4.0 : 0.0};
  }
};

TEST(Character, EndsNoStepInABodyInRandomRooms) {
  int judged = 0, hindered = 0, climbed = 0;
  for (int seed = 0; seed < test::effort(12); ++seed) {
    Room room(static_cast<std::uint64_t>(seed));
    std::vector<CharacterController> walkers;
    walkers.reserve(room.walkers.size());
    for (const BodyId id : room.walkers) walkers.emplace_back(room.world, id);
    CharacterInput input;
    for (int step = 0; step < 120; ++step) {
      if (step % 10 == 0) input = room.input(step);
      std::vector<bool> free;
      std::vector<double> before;
      for (std::size_t i = 0; i < walkers.size(); ++i) {
        CharacterController& walker = walkers[i];
        before.push_back(gap_of(room.world, walker.body()));
        const CharacterReport& report =
            walker.update(input, std::span(room.walkers).subspan(i + 1));
        free.push_back(before.back() > 0.0 && !report.stuck);
        hindered += report.hindered ? 1 : 0;
        climbed += report.climbed > 0.0 ? 1 : 0;
      }
      input.jump = 0.0;
      require_done(room.world.step());
      // One that is stuck may be so in the other.
      if (!free[0] || !free[1]) continue;
      for (std::size_t i = 0; i < walkers.size(); ++i) {
        ++judged;
        // Three quarters of the gap, or what it began with.
        const double least = std::min(0.0075, 0.999 * before[i]);
        EXPECT_GE(gap_of(room.world, walkers[i].body()), least - 1e-9)
            << seed << " " << step << " " << i << " " << before[i];
        for (int axis = 0; axis < 2; ++axis)
          EXPECT_LT(std::fabs(place(room.world, walkers[i].body())[axis]), 6.0) << seed;
        EXPECT_GT(place(room.world, walkers[i].body()).z, 0.5) << seed << " " << step;
      }
    }
  }
  EXPECT_GT(judged, 100 * test::effort(12));
  // Few rooms may have neither.
  if (test::effort(12) >= 12) {
    EXPECT_GT(hindered, 100);
    EXPECT_GT(climbed, 0);
  }
}

// Bodies that it pushes, climbs and presses on; a sensor, which they do not meet, as well.
TEST(Character, EndsNoStepDeepInMovingBodies) {
  for (int seed = 0; seed < test::effort(4); ++seed) {
    World world;
    test::add_pile(world, 12, 2.0, {.friction = 0.5, .density = seed % 2 == 0 ? 50.0 : 600.0});
    BodyDefinition body{character_shape(seed), Pose::translation({0, 0, 4})};
    body.type = BodyType::kinematic;
    body.sensor = seed % 3 == 0;
    const BodyId id = world.add(body);
    CharacterController walker(world, id);
    Random random(static_cast<std::uint64_t>(seed));
    CharacterInput input;
    double deepest = 0.0;
    for (int step = 0; step < 200; ++step) {
      if (step % 30 == 0)
        input = {{random.uniform(-4, 4), random.uniform(-4, 4), 0}, step % 90 == 0 ? 4.0 : 0.0};
      walker.update(input);
      input.jump = 0.0;
      require_done(world.step());
      const Body& self = world.body(id);
      for (const Body& other : world.bodies())
        if (other.id() != id)
          deepest = std::max(
              deepest, -distance(self.shape(), self.pose(), other.shape(), other.pose()).distance);
      EXPECT_LT(world.statistics().max_speed, 12.0);
    }
    // All that falls on it overlaps it as contacts of the world let it.
    EXPECT_LT(deepest, 0.02) << seed;
  }
}

TEST(Character, PassesNoSheetAtAnySpeed) {
  for (const double speed : {1.0, 30.0, 1e3, 1e5}) {
    for (int kind = 0; kind < kinds(); ++kind) {
      World world;
      test::add_ground(world);
      TriangleMesh sheet;
      sheet.vertices = {{3, -50, -1}, {3, 50, -1}, {3.2, 0, 60}};
      sheet.triangles = {{0, 1, 2}};
      add_fixed(world, Mesh(sheet), Pose());
      const BodyId id = add_character(world, character_shape(kind), {0, 0, 0.92});
      CharacterController walker(world, id);
      EXPECT_GT(walk(world, walker, {{speed, 0.1, 0}}, 0.3), 0.0) << speed << " " << kind;
      EXPECT_LT(place(world, id).x, 3.5) << speed << " " << kind;
    }
  }
}

TEST(Character, IsTheSameForAnyThreadsAndAfterARestore) {
  std::vector<std::uint64_t> hashes;
  for (const int threads : {1, 3}) {
    WorldSettings settings;
    settings.max_threads = threads;
    World world(settings);
    test::add_pile(world, 30, 2.0, {});
    add_kinematic(world, Box({1, 1, 0.2}), Pose::translation({0, 0, 0.6}), {0.1, 0, 0},
                  {0, 0, 0.5});
    const BodyId id = add_character(world, Capsule(0.2, 0.6), {0, 0, 3.5});
    WorldState middle;
    const auto go_on = [&] {
      CharacterController walker(world, id);
      for (int i = 0; i < 40; ++i) {
        walker.update({{1.0, 0.3, 0}, i == 30 ? 3.0 : 0.0});
        require_done(world.step());
        if (i == 39) hashes.push_back(world.state_hash());
      }
    };
    for (int i = 0; i < 40; ++i) require_done(world.step());
    middle = world.save();
    go_on();
    world.restore(middle);
    go_on();
  }
  EXPECT_EQ(hashes, std::vector<std::uint64_t>(4, hashes.front()));
}

TEST(Character, RefusesWhatIsNone) {
  World world;
  const BodyId ball = test::add_body(world, Sphere(1), {});
  const BodyId plane = add_kinematic(world, HalfSpace({0, 0, 1}, -5), Pose(), {});
  const BodyId id = add_character(world, Sphere(1), {5, 0, 0});
  EXPECT_THROW(CharacterController(world, 99), InvalidInput);
  EXPECT_THROW(CharacterController(world, ball), InvalidInput);
  EXPECT_THROW(CharacterController(world, plane), InvalidInput);
  CharacterSettings settings;
  settings.max_slope = 2.0;
  EXPECT_THROW(CharacterController(world, id, settings), InvalidInput);
  CharacterController walker(world, id);
  EXPECT_THROW(walker.update({{}, -1.0}), InvalidInput);
  world.remove(id);
  EXPECT_THROW(walker.update({}), InvalidInput);
}

}  // namespace
}  // namespace tactus::detail
