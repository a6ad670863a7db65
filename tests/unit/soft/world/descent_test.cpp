#include "tactus/soft/world/descent.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tactus/core/random.hpp"
#include "tests/unit/soft/sheet.hpp"

namespace tactus::detail {
namespace {

/// Two crumpled sheets, one on the other at about the contact distance.
struct TwoSheets {
  SoftModel model;
  StepProblem problem;
  Contacts contacts;
  static constexpr double kDistance = 0.01;

  explicit TwoSheets(std::uint64_t seed) {
    Random random(seed);
    for (int k = 0; k < 2; ++k) {
      const DeformableDefinition d = test::sheet(0.2, 4, {0.01 * k, 0.007 * k, kDistance * k});
      model.add_body(make_structure(d), 0.3);
      for (const Vec3& v : d.vertices) {
        const auto small = [&] { return random.uniform(-0.3, 0.3) * kDistance; };
        const double x = small(), y = small(), z = small();
        problem.start.push_back(d.pose.to_world(v) + Vec3{x, y, z});
      }
    }
    model.finish_bodies();
    problem.model = &model;
    problem.time_step = 0.01;
    problem.gravity = {0.0, 0.0, -9.81};
    problem.max_threads = 1;
    problem.led.assign(problem.start.size(), 0);
    for (std::size_t i = 0; i < problem.start.size(); ++i) {
      const auto slow = [&] { return random.uniform(-0.05, 0.05); };
      const double x = slow(), y = slow(), z = slow();
      problem.velocity.push_back({x, y, z});
    }
    for (const TieElement& t : model.ties)
      problem.start_lengths.push_back(norm(t.sum(problem.start)));
    Contacts::Settings settings;
    settings.r = kDistance;
    settings.slip = 1e-7;
    settings.max_threads = 1;
    contacts.search(model.surfaces, problem.start, 3.0 * kDistance, model.stiffness, model.friction,
                    settings);
  }

  /// Sweeps that raised the energy.
  int raises() const {
    Descent descent(problem, contacts, problem.start);
    std::vector<Vec3> x = problem.start;
    int count = 0;
    for (int k = 0; k < 8; ++k) {
      const double before = problem.energy(x, contacts);
      descent.sweep(x);
      if (problem.energy(x, contacts) > before + 1e-14 * std::fabs(before)) ++count;
    }
    return count;
  }
};

// Where moves are taken as the local models give them, some of these sweeps raise it.
TEST(Descent, NoSweepRaisesTheEnergy) {
  std::size_t pairs = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const TwoSheets sheets(seed);
    pairs += sheets.contacts.active().size();
    EXPECT_EQ(sheets.raises(), 0) << "seed " << seed;
  }
  EXPECT_GT(pairs, 1000U);
}

}  // namespace
}  // namespace tactus::detail
