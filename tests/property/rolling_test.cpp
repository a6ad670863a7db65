// Friction of rolling without slip does no work: whatever the body, its energy stays.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tactus/core/random.hpp"
#include "tactus/world.hpp"
#include "tests/support/effort.hpp"

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

}  // namespace
}  // namespace tactus::detail
