// A ball that slides along a wall leaves it a load that halves in every substep, until its inverse
// is beyond all numbers: the centre of such a load was infinite, and friction at it no number. A
// pile of 3000 balls ended with it after 101 steps.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tactus/rigid/solver/contact_solver.hpp"

namespace tactus::detail {
namespace {

TEST(VanishingLoad, FrictionStaysANumber) {
  for (const double spread : {1.0, 0.7}) {
    for (const double load : {1e-300, 2.78e-309, 5e-324}) {
      WorldSettings settings;
      std::vector<SolverBody> bodies(2);
      bodies[1].inverse_mass = 1.0;
      bodies[1].inverse_inertia = Mat3::identity();
      bodies[1].linear = {0.0, -1.5, -4.5};
      bodies[0].left = bodies[1].left = settings.time_step / settings.substeps;
      ContactPatch patch;
      patch.body_b = 1;
      patch.manifold.normal = {1.0, 0.0, 0.0};
      patch.manifold.count = 2;
      for (int k = 0; k < 2; ++k) {
        ContactPoint& point = patch.manifold.points[static_cast<std::size_t>(k)];
        point.point_a = point.point_b = {-8.0, 2.0, 8.0 + 0.1 * k};
      }
      patch.center_b = {-7.5, 2.0, 8.0};
      patch.surface.friction = 0.5;
      patch.size = 1.0;
      patch.spread = spread;
      std::vector<PatchImpulses> impulses(1);
      impulses[0].normal = {load, load, 0.0, 0.0};
      ContactSolver solver;
      Columns columns;
      const Body wall({.shape = Box({1.0, 1.0, 1.0}), .type = BodyType::fixed});
      columns.place(std::vector{wall, Body({Box({1.0, 1.0, 1.0})})}, settings);
      solver.prepare({&patch, 1}, impulses, 1.0, bodies, columns, settings);
      for (int substep = 0; substep < 8; ++substep) {
        solver.solve(bodies, nothing, nothing);
        solver.relax(bodies, nothing, nothing);
      }
      solver.read(0);
      EXPECT_TRUE(is_finite(bodies[1].linear) && is_finite(bodies[1].angular)) << load;
      EXPECT_TRUE(is_finite(solver.constraints()[0].impulse().angular.b())) << load;
      EXPECT_TRUE(is_finite(solver.constraints()[0].load_center.b())) << load;
    }
  }
}

}  // namespace
}  // namespace tactus::detail
