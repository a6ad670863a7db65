// Bodies that hold on to one another, against the mechanics of their contacts.
#include <gtest/gtest.h>

#include <cmath>

#include "tactus/core/constants.hpp"
#include "tactus/impulse_world.hpp"
#include "tests/support/dynamics_scene.hpp"

namespace tactus::detail {
namespace {

using test::add_body;
using test::run;

constexpr double kGravity = 9.81;

Material sticky(double adhesion, double friction = 0.5) {
  Material material;
  material.adhesion = adhesion;
  material.friction = friction;
  return material;
}

double mass_of(const World& world, BodyId id) { return 1.0 / world.body(id).inverse_mass(); }

/// Work of adhesion with which a body whose surface has this radius is held on a plane with a
/// force.
double adhesion_for(double force, double radius) { return force / (1.5 * kPi * radius); }

TEST(Adhesion, TheReducedRadiusIsThatOfTheCurvatures) {
  BodyDefinition ball{Sphere(0.2)}, floor{HalfSpace({0, 0, 1}, 0.0)}, slab{Box({4, 4, 0.1})};
  ball.id = floor.id = slab.id = 1;
  BodyDefinition knob{Sphere(0.3)};
  knob.id = 1;
  knob.type = floor.type = slab.type = BodyType::fixed;
  const Body b(ball);
  EXPECT_NEAR(reduced_radius(b, b), 0.1, 1e-12);
  EXPECT_NEAR(reduced_radius(b, Body(floor)), 0.2, 1e-12);
  EXPECT_NEAR(reduced_radius(b, Body(slab)), 0.2, 1e-12);
  EXPECT_NEAR(reduced_radius(Body(knob), b), 0.12, 1e-12);
  EXPECT_EQ(reduced_radius(Body(floor), Body(slab)), 0.0);
  SurfacePair surface;
  surface.adhesion = 2.0;
  EXPECT_NEAR(pull_off_force(b, b, surface), 0.3 * kPi, 1e-12);
}

/// Hangs a body of density 1000 below a ceiling that holds it with `times` its weight.
struct Hanging {
  Hanging(const Shape& shape, double half_height, double times) {
    BodyDefinition ceiling{HalfSpace({0, 0, -1}, 0.0)};
    ceiling.type = BodyType::fixed;
    ceiling.material = sticky(1.0);
    ceiling_id = world.add(ceiling);
    id = add_body(world, shape, {0, 0, -half_height}, sticky(0.0));
    const double weight = kGravity * mass_of(world, id);
    const double adhesion = adhesion_for(times * weight, world.body(id).rolling_radius());
    world.set_material(id, sticky(adhesion * adhesion));
    run(world, 3.0);
  }
  World world;
  BodyId ceiling_id = kNoBody, id = kNoBody;
};

TEST(Adhesion, ABodyHangsUnlessItsWeightIsMoreThanThePullOffForce) {
  struct Case {
    Shape shape;
    double half;
  };
  for (const Case& c : {Case{Sphere(0.5), 0.5}, Case{Box({1, 1, 1}), 0.5},
                        Case{Capsule(0.3, 1.0), 0.8}, Case{Cylinder(0.4, 0.6), 0.3}}) {
    const Hanging held(c.shape, c.half, 1.001);
    EXPECT_NEAR(held.world.body(held.id).center_of_mass().z, -c.half, 1e-4);
    EXPECT_LT(norm(held.world.body(held.id).linear_velocity()), 1e-9);
    const Hanging lost(c.shape, c.half, 0.999);
    EXPECT_LT(lost.world.body(lost.id).center_of_mass().z, -10.0);
  }
}

TEST(Adhesion, ContactsTellTheNetForce) {
  const Hanging held(Box({1, 1, 1}), 0.5, 3.0);
  double force = 0.0;
  for (const Contact& contact : held.world.contacts()) {
    EXPECT_LT(contact.normal_impulse, 0.0);
    // The ceiling has the lesser id, and B hangs on it.
    force -= contact.normal_impulse / held.world.contact_time();
  }
  const double weight = kGravity * mass_of(held.world, held.id);
  EXPECT_NEAR(force / weight, 1.0, 1e-9);
}

TEST(Adhesion, FrictionHoldsByTheLoadAndThePull) {
  // A box slides where the tangent exceeds mu (1 + P / (m g cos)).
  for (const double pull : {0.0, 1.0, 2.0}) {
    const double mu = 0.4;
    for (const double off : {-0.01, 0.01}) {
      double slope = 0.3;
      for (int i = 0; i < 100; ++i) slope = std::atan(mu * (1.0 + pull / std::cos(slope)));
      slope += off;
      WorldSettings settings;
      settings.gravity = {kGravity * std::sin(slope), 0.0, -kGravity * std::cos(slope)};
      World world(settings);
      test::add_ground(world, sticky(1.0, mu));
      const double adhesion = adhesion_for(pull * 1000.0 * kGravity, 0.5);
      // Flat, so that it does not tip over.
      const BodyId id =
          add_body(world, Box({2, 1, 0.5}), {0, 0, 0.25}, sticky(4.0 * adhesion * adhesion, mu));
      run(world, 2.0);
      const double speed = norm(world.body(id).linear_velocity());
      if (off < 0.0)
        EXPECT_LT(speed, 1e-4) << pull;
      else
        EXPECT_GT(speed, 0.05) << pull;
    }
  }
}

TEST(Adhesion, MomentumIsKeptAndSlowGrainsStayTogether) {
  for (const double speed : {0.01, 0.1, 1.0, 10.0}) {
    WorldSettings settings;
    settings.gravity = {};
    World world(settings);
    const Material material = sticky(100.0);
    const BodyId a = add_body(world, Sphere(0.5), {-1, 0.1, 0}, material, {speed, 0, 0});
    const BodyId b = add_body(world, Sphere(0.5), {1, -0.1, 0}, material, {-speed, 0, 0});
    run(world, 2.0 + 1.0 / speed);
    const Body &body_a = world.body(a), &body_b = world.body(b);
    EXPECT_LT(norm(body_a.linear_velocity() + body_b.linear_velocity()), 1e-13 * speed);
    const Vec3 spin = cross(body_a.center_of_mass(), body_a.linear_velocity()) +
                      cross(body_b.center_of_mass(), body_b.linear_velocity());
    const Vec3 own = (body_a.angular_velocity() + body_b.angular_velocity()) * 0.1;
    EXPECT_NEAR(norm(spin + own), 0.2 * speed, 1e-3 * speed);
    // The pair turns about its centre: together while the pull holds it on its circle.
    const double turn = norm(body_a.linear_velocity());
    const double needed = mass_of(world, a) * turn * turn / 0.5;
    SurfacePair surface;
    surface.adhesion = 100.0;
    const double gap = norm(body_a.center_of_mass() - body_b.center_of_mass()) - 1.0;
    if (needed < 0.9 * pull_off_force(body_a, body_b, surface))
      EXPECT_LT(gap, 1e-3) << speed;
    else
      EXPECT_GT(gap, 0.1) << speed;
  }
}

TEST(Adhesion, AWorldThatMovesByImpulsesRefusesIt) {
  ImpulseWorld world;
  BodyDefinition ball{Sphere(0.5)};
  ball.material = sticky(1.0);
  try {
    world.add(ball);
    FAIL() << "took a body that adheres";
  } catch (const InvalidInput& error) {
    EXPECT_EQ(error.field(), "adhesion");
  }
}

}  // namespace
}  // namespace tactus::detail
