#include "tactus/rigid/solver/sweep.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <vector>

#include "tactus/core/random.hpp"

namespace tactus::detail {
namespace {

Vec3 random_vector(Random& random, double size) {
  return {random.uniform(-size, size), random.uniform(-size, size), random.uniform(-size, size)};
}

/// Bodies with patches between any of them, of all kinds that sweeps tell apart. Body 0 never
/// moves.
struct Tangle {
  std::vector<SolverBody> bodies;
  std::vector<ContactConstraint> constraints;
  std::vector<std::uint32_t> order;
  SweepRates rates{720.0, 200.0, 0.8, 0.2};

  explicit Tangle(std::uint64_t seed) {
    Random random(seed);
    const std::uint32_t count = 30;
    bodies.resize(count);
    for (SolverBody& body : bodies) {
      body.left = random.uniform() < 0.8 ? 1.0 / 720.0 : random.uniform(0.0, 1.0 / 720.0);
      if (&body == bodies.data()) continue;
      body.linear = random_vector(random, 0.1);
      body.angular = random_vector(random, 0.1);
      body.shift = random_vector(random, 1e-4);
      body.rotation = random_vector(random, 1e-4);
      body.inverse_mass = random.uniform(0.5, 2.0);
      const Mat3 root{
          {random_vector(random, 1.0), random_vector(random, 1.0), random_vector(random, 1.0)}};
      body.inverse_inertia = root * transpose(root) + Mat3::identity();
    }
    for (std::uint32_t i = 0; i < 90; ++i) {
      ContactConstraint c;
      c.body_a = static_cast<std::uint32_t>(random.uniform(0.0, count - 1.0));
      c.body_b =
          c.body_a + 1 + static_cast<std::uint32_t>(random.uniform(0.0, count - 1.0 - c.body_a));
      c.count = static_cast<int>(i) % 5;
      c.age = static_cast<int>(i) % 7;
      c.size = 1.0;
      c.normal = normalized(random_vector(random, 1.0));
      c.tangent[0] = any_perpendicular(c.normal);
      c.tangent[1] = cross(c.normal, c.tangent[0]);
      c.surface.friction = random.uniform();
      c.push_speed = 1.0;
      if (i % 4 == 0) c.gathered = 0.3;
      if (i % 6 == 0) c.rolling_bound = c.torsion_bound = 0.01;
      c.angular_mass = Mat3::identity();
      c.creeps = i % 5 == 0;
      c.held = i % 10 == 0;
      if (i % 3 == 0) c.drive = {0.1, -0.2, 0.3};
      for (int k = 0; k < c.count; ++k) {
        c.points[k].arm = both(random_vector(random, 0.5), random_vector(random, 0.5));
        c.points[k].gap = random.uniform(-1e-4, 1e-4);
        if (i % 3 != 0) c.points[k].normal_impulse = random.uniform(0.0, 1e-3);
        if (!c.creeps) continue;
        for (double& creep : c.points[k].creep) creep = random.uniform(-1e-4, 1e-4);
        for (double& swerve : c.points[k].swerve) swerve = random.uniform(-1e-4, 1e-4);
        c.points[k].bend = random.uniform(-1e-4, 1e-4);
      }
      constraints.push_back(c);
      order.push_back(i);
    }
  }

  /// Sweeps some substeps through turns of so many patches, each a list, or all in one; those
  /// marked are left out.
  void run(const Sweeps& sweeps, std::size_t together, const std::vector<char>& out = {},
           int substeps = 5, bool one_list = false) {
    std::vector<std::span<const std::uint32_t>> turns;
    for (std::size_t first = 0; first < order.size(); first += together)
      turns.push_back(std::span(order).subspan(first, std::min(together, order.size() - first)));
    SweepGroups groups;
    const std::size_t lists = one_list ? 1 : turns.size();
    groups.clear(order.size(), lists);
    if (one_list) groups.fill(0, turns, constraints, bodies);
    for (std::size_t i = 0; i < lists && !one_list; ++i)
      groups.fill(i, std::span(turns).subspan(i, 1), constraints, bodies);
    for (std::uint32_t i = 0; i < out.size(); ++i) groups.leave_out(i, out[i] != 0);
    for (int substep = 0; substep < substeps; ++substep) {
      for (const Sweeps::Sweep sweep : {sweeps.solve, sweeps.relax})
        for (std::size_t i = 0; i < lists && sweep != nullptr; ++i)
          sweep(rates, groups.list(i), bodies.data(), constraints.data());
    }
    for (const std::uint32_t i : order) groups.read(i, constraints[i]);
  }
};

void expect_same_bits(const Vec3& v, const Vec3& w) { EXPECT_EQ(std::memcmp(&v, &w, sizeof v), 0); }

void expect_same(const Tangle& x, const Tangle& y) {
  for (std::size_t i = 0; i < x.bodies.size(); ++i) {
    expect_same_bits(x.bodies[i].linear, y.bodies[i].linear);
    expect_same_bits(x.bodies[i].angular, y.bodies[i].angular);
    expect_same_bits(x.bodies[i].angular_impulse, y.bodies[i].angular_impulse);
  }
  for (std::size_t i = 0; i < x.constraints.size(); ++i) {
    const ContactConstraint &c = x.constraints[i], &d = y.constraints[i];
    EXPECT_EQ(c.age, d.age);
    EXPECT_EQ(c.load, d.load);
    expect_same_bits(c.impulse().linear, d.impulse().linear);
    expect_same_bits(c.rolling_impulse, d.rolling_impulse);
  }
}

TEST(Sweep, HasTheSameBitsInTwoLanesAndInFour) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Tangle two(seed), most(seed);
    two.run(sweeps_in_two_lanes(), 90);
    most.run(sweeps(), 90);
    expect_same(two, most);
  }
}

// Patches one by one, those that push first, as a list takes them.
TEST(Sweep, SideBySideIsAsOneAfterTheOther) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Tangle together(seed), apart(seed);
    std::stable_partition(apart.order.begin(), apart.order.end(), [&](std::uint32_t i) {
      return apart.constraints[i].impulse().linear != Vec3{};
    });
    together.run(sweeps(), 90);
    apart.run(sweeps(), 1);
    expect_same(together, apart);
  }
}

// In each turn those that push first, whatever the turns before and after it hold.
TEST(Sweep, TurnsOfOneListAreAsListsOneAfterTheOther) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    for (const std::size_t together : {7u, 30u, 45u}) {
      Tangle lists(seed), one(seed);
      lists.run(sweeps(), together);
      one.run(sweeps(), together, {}, 5, true);
      expect_same(lists, one);
    }
  }
}

// Bodies at rest, with zeros of either sign, on patches of one to four points: what a lane does in
// points and for friction that only others have leaves no trace.
TEST(Sweep, ZerosHaveTheSameSignSideBySide) {
  const auto rest = [](std::uint64_t seed) {
    Tangle tangle(2);
    Random random(seed);
    const auto zero = [&] { return random.uniform() < 0.5 ? 0.0 : -0.0; };
    for (std::uint32_t i = 0; i < 24; ++i) {
      SolverBody& body = tangle.bodies[i + 1];
      body.linear = {zero(), zero(), zero()};
      body.angular = {zero(), zero(), zero()};
      body.shift = body.rotation = {};
      ContactConstraint& c = tangle.constraints[i];
      c.body_a = 0;
      c.body_b = i + 1;
      c.count = 1 + static_cast<int>(random.uniform(0.0, 4.0));
      c.creeps = c.held = false;
      // Every second one is without friction, which its neighbours have.
      c.surface.friction = i % 2 == 0 ? 0.0 : 0.5;
      c.normal = {0.0, 0.0, 1.0};
      c.tangent[0] = {1.0, 0.0, 0.0};
      c.tangent[1] = {0.0, 1.0, 0.0};
      for (ContactConstraint::Point& p : c.points) {
        p.gap = 1e-3;
        p.normal_impulse = 1e-3;
        p.friction_impulse[0] = p.friction_impulse[1] = i % 2 == 0 ? -0.0 : 1e-6;
      }
    }
    tangle.order.resize(24);
    return tangle;
  };
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Tangle together = rest(seed), apart = rest(seed);
    // Once, since a relaxation gives all zeros one sign by chance.
    together.run({sweeps().solve, nullptr}, 24, {}, 1);
    apart.run({sweeps().solve, nullptr}, 1, {}, 1);
    expect_same(together, apart);
    for (std::size_t i = 0; i < 24; ++i) {
      const auto &c = together.constraints[i], &d = apart.constraints[i];
      for (std::size_t k = 0; k < std::size(c.points); ++k) {
        const auto &p = c.points[k], &q = d.points[k];
        const double here[] = {p.normal_impulse, p.friction_impulse[0], p.friction_impulse[1]};
        const double there[] = {q.normal_impulse, q.friction_impulse[0], q.friction_impulse[1]};
        EXPECT_EQ(std::memcmp(here, there, sizeof here), 0) << i;
      }
    }
  }
}

TEST(Sweep, WhatIsLeftOutStaysAsItIs) {
  Tangle all(3), rest(3);
  std::vector<char> out(90, 0);
  for (std::size_t i = 0; i < out.size(); i += 3) out[i] = 1;
  rest.run(sweeps(), 90, out);
  for (std::size_t i = 0; i < out.size(); i += 3) {
    expect_same_bits(rest.constraints[i].impulse().linear, all.constraints[i].impulse().linear);
    EXPECT_EQ(rest.constraints[i].age, all.constraints[i].age);
  }
  // As if these patches were not there.
  std::erase_if(all.order, [](std::uint32_t i) { return i % 3 == 0; });
  SweepGroups groups;
  groups.clear(90, 1);
  const std::span<const std::uint32_t> turns[] = {all.order};
  groups.fill(0, turns, all.constraints, all.bodies);
  for (int substep = 0; substep < 5; ++substep) {
    for (const Sweeps::Sweep sweep : {sweeps().solve, sweeps().relax})
      sweep(all.rates, groups.list(0), all.bodies.data(), all.constraints.data());
  }
  for (std::size_t i = 0; i < all.bodies.size(); ++i)
    expect_same_bits(rest.bodies[i].linear, all.bodies[i].linear);
}

TEST(SweepGroups, APatchMayGainAndLosePoints) {
  Tangle tangle(5);
  SweepGroups groups;
  groups.clear(90, 1);
  const std::span<const std::uint32_t> turns[] = {tangle.order};
  groups.fill(0, turns, tangle.constraints, tangle.bodies);
  const ContactConstraint other = tangle.constraints[7];
  ContactConstraint& c = tangle.constraints[6];
  ASSERT_EQ(c.count, 1);
  for (const int count : {4, 2, 0, 3}) {
    c.count = count;
    c.gathered = 0.5;
    for (int k = 0; k < count; ++k) c.points[k].normal_impulse = 1.0 + k;
    groups.write(c, 6, tangle.bodies);
    EXPECT_EQ(groups.pushes(6), count > 0);
    ContactConstraint read = c, neighbour = other;
    for (int k = 0; k < count; ++k) read.points[k].normal_impulse = 0.0;
    for (ContactConstraint::Point& p : neighbour.points) p.normal_impulse = 0.0;
    groups.read(6, read);
    groups.read(7, neighbour);
    expect_same_bits(read.impulse().linear, c.impulse().linear);
    expect_same_bits(neighbour.impulse().linear, other.impulse().linear);
  }
}

}  // namespace
}  // namespace tactus::detail
