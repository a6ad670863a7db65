#include "tactus/dynamics/contact/contact_solver.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace tactus::detail {
namespace {

constexpr double kHalf = 0.5;

/// The lower face of a unit box on ground that never moves.
ContactPatch face_on_ground() {
  ContactPatch patch;
  patch.body_b = 1;
  patch.center_b = {0.0, 0.0, kHalf};
  patch.manifold.normal = {0.0, 0.0, 1.0};
  for (const double x : {-kHalf, kHalf}) {
    for (const double y : {-kHalf, kHalf}) {
      ContactPoint& point = patch.manifold.points[static_cast<std::size_t>(patch.manifold.count++)];
      point.point_a = point.point_b = {x, y, 0.0};
      point.depth = 1e-4;
    }
  }
  patch.surface.friction = 0.5;
  patch.size = 1.0;
  patch.spread = 0.7;
  patch.reach = 0.1;
  return patch;
}

// A box that slides, twists and tilts: the load moves between its corners, and friction with it.
TEST(ContactSolver, BodiesArePushedByTheSumOfTheImpulses) {
  WorldSettings settings;
  const double substep = settings.time_step / settings.substeps;
  std::vector<SolverBody> bodies(2);
  SolverBody& box = bodies[1];
  box.inverse_mass = 1.0;
  box.inverse_inertia = Mat3::identity();
  box.radius = 0.87;
  box.linear = {0.5, 0.2, 0.0};
  box.angular = {0.03, -0.02, 0.8};
  const std::vector<ContactPatch> patches{face_on_ground()};
  const std::vector<PatchImpulses> start(1);
  ContactSolver solver;
  solver.prepare(patches, start, 1.0, bodies, settings);
  // Mass and inertia are 1: changes of the velocities are impulses.
  const auto add = [&](auto&& sweep) {
    const Vec3 linear = box.linear, angular = box.angular;
    sweep();
    box.push += box.linear - linear;
    box.twist += box.angular - angular;
  };
  double moved = 0.0;
  const BothVec3 before = solver.constraints()[0].load_center;
  for (int i = 0; i < 12; ++i) {
    box.left = substep;
    box.linear += Vec3{0.0, 0.0, -9.81 * substep} + box.push;
    box.angular += box.twist;
    add([&] { solver.solve(bodies); });
    box.shift += box.linear * substep;
    box.turn += box.angular * substep;
    add([&] { solver.relax(bodies); });
    const ContactConstraint& c = solver.constraints()[0];
    const ContactConstraint::Push push = c.push();
    EXPECT_NEAR(norm(push.linear - box.push), 0.0, 1e-13) << i;
    EXPECT_NEAR(norm(push.angular.b() - box.twist), 0.0, 1e-13) << i;
    moved = std::max(moved, norm((c.load_center - before).b()));
  }
  EXPECT_GT(moved, 0.01);
}

// An impact has moved the body within the substep: its inertia is that of where it is now.
TEST(ContactSolver, RowsFollowABodyThatAnImpactHasMoved) {
  WorldSettings settings;
  const double substep = settings.time_step / settings.substeps;
  std::vector<SolverBody> bodies(2);
  SolverBody& box = bodies[1];
  box.inverse_mass = 1.0;
  box.inverse_inertia = Mat3::zero();
  for (int i = 0; i < 3; ++i) box.inverse_inertia(i, i) = 1.0 + i;
  box.steady_inertia = false;
  box.radius = 0.87;
  box.linear = {0.5, 0.2, -0.01};
  box.angular = {0.03, -0.02, 0.8};
  bodies[0].left = box.left = substep;
  const std::vector<ContactPatch> patches{face_on_ground()};
  const std::vector<PatchImpulses> start(1);
  ContactSolver solver;
  solver.prepare(patches, start, 1.0, bodies, settings);
  box.inverse_inertia(0, 1) = box.inverse_inertia(1, 0) = 0.3;
  box.left = 0.25 * substep;
  const Vec3 angular = box.angular;
  solver.solve(bodies);
  const Vec3 change = box.inverse_inertia * solver.constraints()[0].push().angular.b();
  EXPECT_GT(norm(change), 1e-3);
  EXPECT_NEAR(norm(box.angular - angular - change), 0.0, 1e-13);
}

}  // namespace
}  // namespace tactus::detail
