#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "tactus/deform.hpp"
#include "tests/support/effort.hpp"
#include "tests/unit/soft/sheet.hpp"

namespace tactus::detail {
namespace {

using detail::test::effort;
using detail::test::sheet;
using detail::test::trampoline;

constexpr double kGravity = 9.81;

/// A rigid world and deformables that step together.
struct Coupled {
  World rigid;
  DeformableWorld soft;
  int crossings = 0;
  double gained = 0.0;  ///< most energy that a step has added

  explicit Coupled(double rate, const Vec3& gravity = {0.0, 0.0, -kGravity}, int threads = 0)
      : rigid(rigid_settings(rate, gravity, threads)),
        soft(soft_settings(rate, gravity, threads)) {}

  static WorldSettings rigid_settings(double rate, const Vec3& gravity, int threads) {
    WorldSettings s;
    s.time_step = 1.0 / rate;
    s.gravity = gravity;
    s.max_threads = threads;
    return s;
  }
  static DeformableSettings soft_settings(double rate, const Vec3& gravity, int threads) {
    DeformableSettings s;
    s.time_step = 1.0 / rate;
    s.gravity = gravity;
    s.max_threads = threads;
    return s;
  }

  BodyId add(const Shape& shape, double density, const Vec3& place, const Vec3& velocity = {}) {
    BodyDefinition d{shape};
    d.material.density = density;
    d.pose = Pose::translation(place);
    d.linear_velocity = velocity;
    const BodyId id = rigid.add(d);
    soft.add_obstacle(rigid, id);
    return id;
  }
  void add_trampoline() { soft.add(trampoline()); }
  void run(int steps) {
    for (int k = 0; k < steps; ++k) {
      const double before = soft.step_count() == 0 ? std::numeric_limits<double>::infinity()
                                                   : soft.statistics().energy();
      gained = std::fmax(gained, soft.step(rigid).energy() - before);
      crossings += static_cast<int>(soft.crossings().size());
    }
  }
  std::uint64_t hash() const { return rigid.state_hash() ^ (soft.state_hash() * 31); }
};

/// Masses of a shell's vertices: a third of each triangle's area at each corner.
std::vector<double> shell_masses(const DeformableDefinition& d) {
  std::vector<double> masses(d.vertices.size(), 0.0);
  for (const auto& t : d.triangles) {
    const Vec3 a = d.vertices[t[0]], b = d.vertices[t[1]], c = d.vertices[t[2]];
    const double area = 0.5 * norm(cross(b - a, c - a));
    for (const std::uint32_t i : t)
      masses[i] += area * d.material.density * d.material.thickness / 3.0;
  }
  return masses;
}

TEST(DeformableCoupling, MomentumIsKept) {
  // From a ball of a fiftieth of the cloth's mass to one of ten times it.
  for (const double density : {1.5, 75.0, 750.0}) {
    Coupled c(240.0, {});
    DeformableDefinition cloth = sheet(1.0, 10, {});
    cloth.material.young = 1e6;
    c.soft.add(cloth);
    const BodyId id = c.add(Sphere(0.1), density, {0.013, 0.017, 0.12}, {0.1, 0.0, -1.0});
    const std::vector<double> masses = shell_masses(cloth);
    const auto momentum = [&] {
      const Body& ball = c.rigid.body(id);
      Vec3 sum = ball.linear_velocity() * ball.mass().mass;
      const auto v = c.soft.velocities(0);
      for (std::size_t i = 0; i < v.size(); ++i) sum += v[i] * masses[i];
      return sum;
    };
    const Vec3 before = momentum();
    Vec3 given;
    for (int k = 0; k < effort(60); ++k) {
      c.run(1);
      given += c.soft.load(0).force / 240.0;
      EXPECT_LT(norm(momentum() - before), 9e-13 * norm(before)) << "density " << density;
    }
    const Body& ball = c.rigid.body(id);
    EXPECT_GT(ball.linear_velocity().z, -0.9999);
    // The loads are what the ball was given.
    const Vec3 gained = (ball.linear_velocity() - Vec3{0.1, 0.0, -1.0}) * ball.mass().mass;
    EXPECT_LT(norm(gained - given), 3e-14 * norm(gained));
    EXPECT_EQ(c.crossings, 0);
    EXPECT_LE(c.gained, 0.0);
  }
}

TEST(DeformableCoupling, ABallComesToRestOnATrampoline) {
  TACTUS_LONG_TEST();
  Coupled c(60.0);
  c.add_trampoline();
  const BodyId id = c.add(Sphere(0.1), 1000.0, {0.013, 0.017, 0.12});
  c.run(300);
  const Body& ball = c.rigid.body(id);
  EXPECT_EQ(c.crossings, 0);
  EXPECT_LE(c.gained, 0.0);
  EXPECT_LT(norm(ball.linear_velocity()), 1e-3);
  EXPECT_LT(c.soft.statistics().largest_speed, 1e-3);
  // It hangs in the cloth, whose force is its weight.
  EXPECT_LT(ball.center_of_mass().z, 0.0);
  const double weight = ball.mass().mass * kGravity;
  const Vec3 force = c.soft.load(0).force;
  EXPECT_NEAR(force.z, weight, 2e-5 * weight);
  EXPECT_LT(std::hypot(force.x, force.y), 4e-4 * weight);
}

TEST(DeformableCoupling, VeryLightBodiesRestToo) {
  // A ball of 0.4 g on a cloth of 0.3 kg.
  Coupled c(60.0);
  c.add_trampoline();
  const BodyId id = c.add(Sphere(0.1), 0.1, {0.013, 0.017, 0.12});
  c.run(120);
  EXPECT_EQ(c.crossings, 0);
  EXPECT_LE(c.gained, 0.0);
  EXPECT_LT(norm(c.rigid.body(id).linear_velocity()), 1e-3);
}

TEST(DeformableCoupling, LoadsAreHandedOnThroughRigidBodies) {
  TACTUS_LONG_TEST();
  Coupled c(240.0);
  c.add_trampoline();
  const BodyId lower = c.add(Box({0.3, 0.3, 0.1}), 300.0, {0.013, 0.017, 0.06});
  const BodyId upper = c.add(Box({0.2, 0.2, 0.1}), 300.0, {0.013, 0.017, 0.165});
  c.run(720);
  EXPECT_EQ(c.crossings, 0);
  // The cloth carries both, and they stand on each other.
  const double weight =
      kGravity * (c.rigid.body(lower).mass().mass + c.rigid.body(upper).mass().mass);
  EXPECT_NEAR(c.soft.load(0).force.z, weight, 4e-4 * weight);
  EXPECT_NEAR(c.soft.load(1).force.z, 0.0, 1e-3 * weight);
  const double apart =
      norm(c.rigid.body(upper).center_of_mass() - c.rigid.body(lower).center_of_mass());
  EXPECT_NEAR(apart, 0.1, 2e-6);
}

TEST(DeformableCoupling, NothingIsFastEnoughToPass) {
  for (const double speed : {30.0, 1000.0, 1e5}) {
    Coupled c(60.0, {});
    c.add_trampoline();
    const BodyId id = c.add(Box({0.05, 0.06, 0.07}), 100.0, {0.013, 0.017, 0.7}, {0, 0, -speed});
    c.rigid.set_velocity(id, {0, 0, -speed}, {5.0, 7.0, 11.0});
    c.run(30);
    EXPECT_EQ(c.crossings, 0);
    EXPECT_LE(c.gained, 0.0);
    double lowest = 0.0;
    for (const Vec3& v : c.soft.positions(0)) lowest = std::fmin(lowest, v.z);
    EXPECT_GT(c.rigid.body(id).center_of_mass().z, lowest);
  }
}

TEST(DeformableCoupling, BodiesFarAwayMoveAsInTheirWorldAlone) {
  Coupled c(60.0);
  c.add_trampoline();
  const BodyId id = c.add(Box({0.1, 0.2, 0.3}), 1000.0, {0.0, 0.0, 20.0});
  c.rigid.set_velocity(id, {1.0, 0.0, 0.0}, {1.0, 2.0, 3.0});
  World alone(c.rigid.settings());
  alone.add({.shape = Box({0.1, 0.2, 0.3}), .pose = Pose::translation({0.0, 0.0, 20.0})});
  alone.set_velocity(id, {1.0, 0.0, 0.0}, {1.0, 2.0, 3.0});
  for (int k = 0; k < 60; ++k) {
    c.run(1);
    alone.step();
  }
  EXPECT_EQ(c.rigid.state_hash(), alone.state_hash());
}

TEST(DeformableCoupling, AKinematicBodyWaitsWhereItCannotGoOn) {
  Coupled c(60.0);
  DeformableDefinition cloth = sheet(1.0, 8, {});
  for (std::uint32_t i = 0; i < cloth.vertices.size(); ++i) cloth.fixed.push_back(i);
  c.soft.add(cloth);
  BodyDefinition d{.shape = Box({0.2, 0.2, 0.2}), .type = BodyType::kinematic};
  d.pose = Pose::translation({0.013, 0.017, 0.2});
  d.linear_velocity = {0.0, 0.0, -1.0};
  const BodyId id = c.rigid.add(d);
  c.soft.add_obstacle(c.rigid, id);
  c.run(30);
  EXPECT_EQ(c.crossings, 0);
  EXPECT_TRUE(c.soft.statistics().held_back);
  EXPECT_GT(c.rigid.body(id).center_of_mass().z, 0.1);
  EXPECT_LT(c.rigid.body(id).center_of_mass().z, 0.12);
  EXPECT_EQ(c.rigid.body(id).linear_velocity(), (Vec3{0.0, 0.0, -1.0}));
  EXPECT_EQ(c.soft.load(0), RigidLoad{});
}

/// Two bodies that fall on a trampoline and on each other.
void fill(Coupled& c) {
  c.add_trampoline();
  c.add(Sphere(0.1), 500.0, {0.013, 0.017, 0.12}, {0.0, 0.0, -1.0});
  c.add(Box({0.15, 0.12, 0.1}), 300.0, {0.053, 0.027, 0.3}, {0.0, 0.0, -3.0});
}

TEST(DeformableCoupling, SameBitsForAnyNumberOfThreads) {
  TACTUS_LONG_TEST();
  std::vector<std::uint64_t> hashes;
  for (const int threads : {1, 2, 3}) {
    Coupled c(60.0, {0.0, 0.0, -kGravity}, threads);
    fill(c);
    c.run(30);
    hashes.push_back(c.hash());
  }
  EXPECT_EQ(hashes[0], hashes[1]);
  EXPECT_EQ(hashes[0], hashes[2]);
}

TEST(DeformableCoupling, SavesAndContinues) {
  TACTUS_LONG_TEST();
  Coupled whole(60.0);
  fill(whole);
  // In the air, and where the two lean on each other.
  for (const int steps : {10, 50}) {
    whole.run(steps);
    Coupled later(60.0);
    fill(later);
    later.rigid.restore(whole.rigid.save());
    later.soft.restore(whole.soft.save());
    EXPECT_EQ(whole.hash(), later.hash());
    whole.run(10);
    later.run(10);
    EXPECT_EQ(whole.hash(), later.hash());
  }
}

/// The field that is refused; empty where nothing is.
std::string refused(const std::function<void()>& call) {
  try {
    call();
  } catch (const InvalidInput& error) {
    return error.field();
  }
  return "";
}

TEST(DeformableCoupling, RefusesWhatDoesNotFit) {
  Coupled c(60.0);
  c.add_trampoline();
  const BodyId ball = c.add(Sphere(0.1), 1000.0, {0.0, 0.0, 0.3});
  EXPECT_EQ(refused([&] { c.soft.add_obstacle(c.rigid, 77); }), "body");
  EXPECT_EQ(refused([&] { c.soft.add_obstacle(c.rigid, ball); }), "body");
  const BodyId sensor =
      c.rigid.add({.shape = Sphere(0.1), .type = BodyType::fixed, .sensor = true});
  EXPECT_EQ(refused([&] { c.soft.add_obstacle(c.rigid, sensor); }), "body");
  EXPECT_EQ(refused([&] { c.soft.add_obstacle(c.rigid, ball + 5, 0.0); }), "body");
  const BodyId other = c.rigid.add({.shape = Sphere(0.1), .type = BodyType::fixed});
  EXPECT_EQ(refused([&] { c.soft.add_obstacle(c.rigid, other, 0.0); }), "tolerance");
  EXPECT_EQ(refused([&] { c.soft.load(9); }), "obstacle");
  EXPECT_EQ(refused([&] { c.soft.step(); }), "world");

  World slower(Coupled::rigid_settings(50.0, {0.0, 0.0, -kGravity}, 0));
  EXPECT_EQ(refused([&] { c.soft.step(slower); }), "time_step");
  World lighter(Coupled::rigid_settings(60.0, {}, 0));
  EXPECT_EQ(refused([&] { c.soft.step(lighter); }), "gravity");
  WorldSettings repeated = Coupled::rigid_settings(60.0, {0.0, 0.0, -kGravity}, 0);
  repeated.periodic[0] = PeriodicAxis{0.0, 9.0};
  World periodic(repeated);
  EXPECT_EQ(refused([&] { c.soft.step(periodic); }), "periodic");
  World empty(Coupled::rigid_settings(60.0, {0.0, 0.0, -kGravity}, 0));
  EXPECT_EQ(refused([&] { c.soft.step(empty); }), "world");

  DeformableState state = c.soft.save();
  state.rigid.clear();
  EXPECT_EQ(refused([&] { c.soft.restore(state); }), "rigid");
  // A body that was put into the cloth.
  c.rigid.set_pose(ball, Pose::translation({0.0, 0.0, 0.02}));
  EXPECT_EQ(refused([&] { c.soft.step(c.rigid); }), "bodies[0]");
}

}  // namespace
}  // namespace tactus::detail
