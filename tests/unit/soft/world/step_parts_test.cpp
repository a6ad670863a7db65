// Parts of a step of deformables, each alone: momenta of groups, the energy guard, what is led.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tactus/core/random.hpp"
#include "tactus/soft/model/structure.hpp"
#include "tactus/soft/world/energy_guard.hpp"
#include "tactus/soft/world/led_way.hpp"
#include "tests/support/effort.hpp"
#include "tests/unit/soft/sheet.hpp"

namespace tactus::detail {
namespace {

Vec3 random_vector(Random& rng) {
  const double x = rng.uniform(-1.0, 1.0), y = rng.uniform(-1.0, 1.0), z = rng.uniform(-1.0, 1.0);
  return {x, y, z};
}

/// Two sheets at random velocities, and an end of the step at random places.
struct Step {
  explicit Step(int seed, int held = 0) : rng(static_cast<std::uint64_t>(seed)) {
    for (int b = 0; b < 2; ++b) {
      const DeformableDefinition d = test::sheet(1.0, 3, {});
      SoftWorldData::BodyPart part;
      part.structure = make_structure(d);
      part.first = static_cast<std::uint32_t>(data.positions.size());
      part.count = static_cast<std::uint32_t>(d.vertices.size());
      for (const Vec3& v : d.vertices) data.positions.push_back(v + Vec3{0.0, 0.0, 1.0 * b});
      data.bodies.push_back(std::move(part));
    }
    data.velocities.resize(data.positions.size());
    data.held.resize(data.positions.size(), 0);
    data.targets = data.positions;
    for (int i = 0; i < held; ++i) {
      data.held[static_cast<std::size_t>(i)] = 1;
      data.targets[static_cast<std::size_t>(i)] += random_vector(rng);
    }
    data.prepare();
    problem.model = &data.model;
    problem.time_step = 0.01;
    problem.gravity = random_vector(rng) * 10.0;
    problem.start = data.positions;
    problem.led = data.held;
    for (const TieElement& t : data.model.ties)
      problem.start_lengths.push_back(norm(t.sum(problem.start)));
    for (std::size_t i = 0; i < data.positions.size(); ++i) {
      problem.velocity.push_back(random_vector(rng));
      end.push_back(data.positions[i] + random_vector(rng) * 0.01);
      data.velocities[i] = random_vector(rng);
    }
    links = BodyLinks(problem);
    contacts.clear(problem.start.size());
  }

  Random rng;
  SoftWorldData data;
  StepProblem problem;
  BodyLinks links;
  Contacts contacts;
  std::vector<Vec3> end;
  RigidCourses rigid{data, {}, problem};
  GroupMomentum momentum{problem, links, rigid, data.velocities};
};

double largest(const Vec3& v) { return max_abs(v); }

TEST(GroupMomentum, GroupsGetTheMomentaOfTheStartAndOfGravity) {
  for (int seed = 1; seed <= test::effort(20); ++seed) {
    Step s(seed);
    const std::vector<Party> groups = s.momentum.free_groups();
    ASSERT_EQ(groups.size(), 2u);
    s.momentum.keep(groups, s.end);
    for (const Party& group : groups) {
      // Summed here anew, about the origin: the angular momentum of the start is about the centre
      // that the group was to reach.
      Vec3 wanted, now;
      double mass = 0.0;
      for (const std::uint32_t i : group.vertices) {
        const double m = s.data.model.masses[i];
        mass += m;
        wanted += (s.problem.velocity[i] + s.problem.gravity * s.problem.time_step) * m;
        now += s.data.velocities[i] * m;
      }
      EXPECT_LT(largest(now - wanted), 1e-12 * mass * 10.0);
      const GroupMotion due = s.momentum.wanted(group), got = s.momentum.present(group, s.end);
      EXPECT_LT(largest(got.angular - due.angular), 1e-12 * mass * 10.0);
    }
  }
}

TEST(GroupMomentum, MotionWithinAGroupGoesAndItsMotionAsAWholeStays) {
  for (int seed = 1; seed <= test::effort(20); ++seed) {
    Step s(seed);
    const std::vector<Party> groups = s.momentum.free_groups();
    std::vector<GroupMotion> before;
    before.reserve(groups.size());
    for (const Party& g : groups) before.push_back(s.momentum.present(g, s.end));
    s.momentum.scale(groups, s.end, 0.0, 1.0);
    double kinetic = 0.0;
    for (std::size_t i = 0; i < s.data.velocities.size(); ++i)
      kinetic += 0.5 * s.data.model.masses[i] * squared_norm(s.data.velocities[i]);
    double common = 0.0;
    for (std::size_t g = 0; g < groups.size(); ++g) {
      const GroupMotion now = s.momentum.present(groups[g], s.end);
      EXPECT_LT(largest(now.linear - before[g].linear), 1e-12 * now.mass);
      EXPECT_LT(largest(now.angular - before[g].angular), 1e-12 * now.mass);
      common += before[g].energy();
    }
    // Nothing is left but motion as rigid bodies.
    EXPECT_NEAR(kinetic, common, 1e-12 * common);
  }
}

TEST(EnergyGuard, TakesWhatIsTooMuchFromTheMotionAndNoMore) {
  int kept = 0, stopped = 0;
  for (int seed = 1; seed <= std::max(2, test::effort(40)); ++seed) {
    Step s(seed);
    const std::vector<Party> groups = s.momentum.free_groups();
    const EnergyGuard guard(s.problem, s.contacts, s.rigid, s.momentum, s.data.velocities);
    DeformableStatistics out;
    guard.measure(s.end, out);
    const double position = out.energy() - out.kinetic_energy;
    const double common = s.momentum.common_energy(groups, s.end);
    // Between nothing and all of the motion is allowed to stay.
    const double least = common / out.kinetic_energy;
    const double share = s.rng.uniform(0.0, seed % 2 == 0 ? least : 1.0);
    const double most = position + share * out.kinetic_energy;
    const bool can_keep = share * out.kinetic_energy > common;
    EXPECT_EQ(guard.can_keep(most, groups, s.end, out), can_keep);
    (can_keep ? kept : stopped) += 1;
    guard.slow_down(most, groups, s.end, out);
    guard.measure(s.end, out);
    EXPECT_NEAR(out.energy(), most, 1e-10 * (std::fabs(most) + out.kinetic_energy));
    if (can_keep) {
      EXPECT_NEAR(s.momentum.common_energy(groups, s.end), common, 1e-10 * common);
    }
  }
  EXPECT_GT(kept, 0);
  EXPECT_GT(stopped, 0);
}

TEST(LedWay, HeldVerticesComeToTheirEndsAndNeverPassTheirBounds) {
  for (int seed = 1; seed <= test::effort(20); ++seed) {
    Step s(seed, 5);
    std::vector<Vec3> wanted = s.data.positions, x = s.data.positions;
    for (std::size_t i = 0; i < 5; ++i) wanted[i] = s.data.targets[i];
    LedWay led(s.data, s.problem, s.rigid, wanted);
    EXPECT_TRUE(led.any());
    int rounds = 0;
    do {
      const std::vector<Vec3> reference = x;
      std::vector<double> bounds;
      bounds.reserve(x.size());
      for (std::size_t i = 0; i < x.size(); ++i) bounds.push_back(s.rng.uniform(0.05, 0.2));
      led.advance(wanted, reference, bounds, x);
      for (std::size_t i = 0; i < x.size(); ++i) ASSERT_LE(norm(x[i] - reference[i]), bounds[i]);
    } while (!led.has_arrived() && ++rounds < 100);
    EXPECT_EQ(x, wanted);
    led.advance(wanted, x, std::vector<double>(x.size(), 0.0), x);
    EXPECT_FALSE(led.has_moved());
    EXPECT_TRUE(led.has_arrived());
  }
}

}  // namespace
}  // namespace tactus::detail
