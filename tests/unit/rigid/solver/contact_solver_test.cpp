#include "tactus/rigid/solver/contact_solver.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
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

/// A unit box of mass 1 on the ground, about to be solved.
struct BoxOnGround {
  WorldSettings settings;
  double substep = settings.time_step / settings.substeps;
  std::vector<SolverBody> bodies{2};
  SolverBody& box = bodies[1];
  std::vector<ContactPatch> patches{face_on_ground()};
  ContactSolver solver;

  explicit BoxOnGround(const Mat3& inverse_inertia) {
    box.inverse_mass = 1.0;
    box.inverse_inertia = inverse_inertia;
    box.radius = std::sqrt(3.0) * kHalf;
    box.linear = {0.5, 0.2, -0.01};
    box.angular = {0.03, -0.02, 0.8};
    bodies[0].left = box.left = substep;
    Columns columns;
    const Body ground({.shape = Box({1.0, 1.0, 1.0}), .type = BodyType::fixed});
    columns.place(std::vector{ground, Body({Box({1.0, 1.0, 1.0})})}, settings);
    solver.prepare(patches, std::vector<PatchImpulses>(1), 1.0, bodies, columns, settings);
  }
  const ContactConstraint& constraint() {
    solver.read(0);
    return solver.constraints()[0];
  }
};

// A box that slides, twists and tilts: the load moves between its corners, and friction with it.
TEST(ContactSolver, BodiesArePushedByTheSumOfTheImpulses) {
  BoxOnGround scene(Mat3::identity());
  SolverBody& box = scene.box;
  // Mass and inertia are 1: changes of the velocities are impulses.
  const auto add = [&](auto&& sweep) {
    const Vec3 linear = box.linear, angular = box.angular;
    sweep();
    box.impulse += box.linear - linear;
    box.angular_impulse += box.angular - angular;
  };
  double moved = 0.0;
  const BothVec3 before = scene.constraint().load_center;
  for (int i = 0; i < 12; ++i) {
    box.linear += Vec3{0.0, 0.0, -9.81 * scene.substep} + box.impulse;
    box.angular += box.angular_impulse;
    add([&] { scene.solver.solve(scene.bodies, nothing, nothing); });
    box.shift += box.linear * scene.substep;
    box.rotation += box.angular * scene.substep;
    add([&] { scene.solver.relax(scene.bodies, nothing, nothing); });
    const ContactConstraint& c = scene.constraint();
    const ContactConstraint::Impulse impulse = c.impulse();
    EXPECT_NEAR(norm(impulse.linear - box.impulse), 0.0, 1e-14) << i;
    EXPECT_NEAR(norm(impulse.angular.b() - box.angular_impulse), 0.0, 2e-14) << i;
    moved = std::max(moved, norm((c.load_center - before).b()));
  }
  EXPECT_GT(moved, 0.01);
}

// An impact has moved the body within the substep: its inertia is that of where it is now.
TEST(ContactSolver, RowsFollowABodyThatAnImpactHasMoved) {
  Mat3 inverse_inertia = Mat3::zero();
  for (int i = 0; i < 3; ++i) inverse_inertia(i, i) = 1.0 + i;
  BoxOnGround scene(inverse_inertia);
  SolverBody& box = scene.box;
  box.inverse_inertia(0, 1) = box.inverse_inertia(1, 0) = 0.3;
  box.left = 0.25 * scene.substep;
  const Vec3 angular = box.angular;
  scene.solver.solve(scene.bodies, nothing, nothing);
  const Vec3 change = box.inverse_inertia * scene.constraint().impulse().angular.b();
  EXPECT_GT(norm(change), 1e-3);
  EXPECT_NEAR(norm(box.angular - angular - change), 0.0, 6e-15);
}

}  // namespace
}  // namespace tactus::detail
