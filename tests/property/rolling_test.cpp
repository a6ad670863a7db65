// Friction of rolling without slip does no work: whatever the body, its energy stays.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tactus/core/random.hpp"
#include "tactus/world.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/random_shapes.hpp"

namespace tactus::detail {
namespace {

Vec3 vector_in(Random& random, double most) {
  const double x = random.uniform(-most, most);
  const double y = random.uniform(-most, most);
  return {x, y, random.uniform(-most, most)};
}

Quat any_turn(Random& random) {
  const Vec3 v = vector_in(random, 1.0);
  return normalized(Quat{1.0, v.x, v.y, v.z});
}

/// Farthest point of an ellipsoid along a direction of its own frame.
Vec3 farthest(const Vec3& radii, const Vec3& d) {
  const Vec3 e{d.x * radii.x, d.y * radii.y, d.z * radii.z};
  return Vec3{e.x * radii.x, e.y * radii.y, e.z * radii.z} * (1.0 / norm(e));
}

// Ellipsoids, and balls as such, with the centre of mass off the middle, roll from a random place
// at a random velocity.
TEST(RollingProperty, EnergyStays) {
  for (int i = 0; i < test::effort(12); ++i) {
    Random random(7, static_cast<std::uint64_t>(i));
    const double size = std::pow(10.0, random.uniform(-0.7, 0.3));
    const double turning = std::sqrt(9.81 / size);
    const Vec3 radii =
        i % 3 == 0 ? Vec3{1, 1, 1} * size
                   : Vec3{size, size * random.uniform(0.75, 1.0), size * random.uniform(0.75, 1.0)};
    const Shape shape = i % 3 == 0 ? Shape(Sphere(size)) : Shape(Ellipsoid(radii));
    World world;
    Material rough;
    rough.friction = 5.0;
    BodyDefinition ground{HalfSpace({0, 0, 1}, 0.0)};
    ground.type = BodyType::fixed;
    ground.material = rough;
    world.add(ground);
    BodyDefinition body{shape};
    body.material = rough;
    body.id = 2;
    BodyMass mass = Body(body).mass();
    mass.center = vector_in(random, 0.15 * size);
    body.mass = mass;
    const Quat turn = any_turn(random);
    const Mat3 axes = to_matrix(turn);
    const Vec3 low = axes * farthest(radii, transpose_times(axes, Vec3{0, 0, -1}));
    body.pose = Pose({0, 0, -low.z}, turn);
    body.angular_velocity = vector_in(random, 0.3 * turning);
    body.linear_velocity = cross(low - axes * mass.center, body.angular_velocity);
    const BodyId id = world.add(body);
    for (int step = 0; step < 6; ++step) world.step();
    const auto energy = [&] {
      return world.statistics().kinetic_energy + world.statistics().potential_energy;
    };
    const double start = energy(), scale = mass.mass * 9.81 * size;
    double most = 0.0, moved = 0.0;
    while (world.time() < 3.0) {
      world.step();
      most = std::max(most, std::fabs(energy() - start) / scale);
      moved = std::max(moved, norm(world.body(id).linear_velocity()));
    }
    EXPECT_LT(most, 2e-5) << i;
    EXPECT_GT(moved, 0.0) << i;
  }
}

// Dice with rounded corners roll over floors of every make, and lose energy at most.
TEST(RollingProperty, DiceGainNoEnergy) {
  Random random(12);
  for (int i = 0; i < test::effort(12); ++i) {
    const Box plate({40, 40, 1});
    const Pose below = Pose::translation({0, 0, -0.5});
    std::vector<Vec3> corners;
    for (int k = 0; k < 8; ++k)
      corners.emplace_back(k & 1 ? 20 : -20, k & 2 ? 20 : -20, k & 4 ? 0.5 : -0.5);
    BodyDefinition ground{i % 3 == 0   ? Shape(plate)
                          : i % 3 == 1 ? Shape(Convex(corners))
                                       : Shape(Compound({{plate, Pose()}})),
                          below};
    ground.type = BodyType::fixed;
    const double size = random.uniform(0.05, 0.3);
    BodyDefinition die{i % 2 == 0 ? Shape(Box(Vec3{size, size, size}), 0.3 * size)
                                  : Shape(random_hull(random, 4).geometry(), 0.2)};
    die.pose = Pose({0, 0, 1.2}, any_turn(random));
    die.angular_velocity = vector_in(random, 6.0);
    die.linear_velocity = vector_in(random, 2.0);
    World world;
    world.add(ground);
    const BodyId id = world.add(die);
    const auto energy = [&] {
      const Body& body = world.body(id);
      return body.kinetic_energy() + 9.81 * body.mass().mass * body.center_of_mass().z;
    };
    const double start = energy();
    double least = start, gained = 0.0;
    for (int step = 0; step < 180; ++step) {
      world.step();
      gained = std::max(gained, energy() - least);
      least = std::min(least, energy());
    }
    EXPECT_LT(gained, 1e-4 * start) << i;
    EXPECT_LT(least, 0.99 * start) << i;
  }
}

}  // namespace
}  // namespace tactus::detail
