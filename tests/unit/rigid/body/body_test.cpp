#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tactus/core/random.hpp"
#include "tactus/world.hpp"

namespace tactus::detail {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

template <class F>
std::string field_refused_by(F&& f) {
  try {
    f();
  } catch (const InvalidInput& error) {
    return error.field();
  }
  return "accepted";
}

std::string refused_field(const BodyDefinition& definition) {
  return field_refused_by([&] { Body body(definition); });
}

TEST(Body, MassComesFromShapeAndDensity) {
  BodyDefinition definition{Box({1.0, 2.0, 3.0})};
  definition.material.density = 10.0;
  const Body body(definition);
  EXPECT_DOUBLE_EQ(body.mass().mass, 60.0);
  EXPECT_NEAR(body.mass().inertia(0, 0), 60.0 * (4.0 + 9.0) / 12.0, 1e-12);
  EXPECT_DOUBLE_EQ(body.inverse_mass(), 1.0 / 60.0);
  EXPECT_FALSE(body.has_isotropic_inertia());
  EXPECT_TRUE(Body({Sphere(1.0)}).has_isotropic_inertia());
}

TEST(Body, CentreOfMassNeedNotBeTheOrigin) {
  // A cone's centre of mass lies a quarter of its height above the base.
  BodyDefinition definition{Cone(1.0, 4.0), Pose({1.0, 2.0, 3.0}, {0.0, 1.0, 0.0, 0.0})};
  const Body body(definition);
  EXPECT_LT(norm(body.mass().center - Vec3{0.0, 0.0, -1.0}), 1e-12);
  EXPECT_LT(norm(body.center_of_mass() - Vec3{1.0, 2.0, 4.0}), 1e-12);
  EXPECT_LT(norm(body.pose().position() - Vec3{1.0, 2.0, 3.0}), 1e-12);
}

TEST(Body, GivenMassIsTaken) {
  BodyDefinition definition{Sphere(1.0)};
  definition.mass = BodyMass{3.0, {0.1, 0.0, 0.0}, Mat3::diagonal({1.0, 2.0, 3.0})};
  const Body body(definition);
  EXPECT_EQ(body.mass().mass, 3.0);
  EXPECT_EQ(body.inverse_inertia()(1, 1), 0.5);
}

TEST(Body, FixedBodiesHaveNoVelocityAndInfiniteMass) {
  BodyDefinition definition{HalfSpace({0.0, 0.0, 1.0}, 0.0), Pose(), {1.0, 0.0, 0.0}};
  definition.type = BodyType::fixed;
  const Body body(definition);
  EXPECT_EQ(body.inverse_mass(), 0.0);
  EXPECT_EQ(body.linear_velocity(), Vec3{});
  EXPECT_EQ(body.kinetic_energy(), 0.0);
}

TEST(Body, EnergyOfMotion) {
  BodyDefinition definition{Sphere(1.0), Pose(), {3.0, 0.0, 4.0}, {0.0, 2.0, 0.0}};
  definition.mass = BodyMass{2.0, {}, Mat3::identity() * 5.0};
  const Body body(definition);
  EXPECT_DOUBLE_EQ(body.kinetic_energy(), 0.5 * (2.0 * 25.0 + 5.0 * 4.0));
  EXPECT_EQ(body.velocity_at({1.0, 0.0, 0.0}), (Vec3{3.0, 0.0, 2.0}));
}

TEST(Body, BadInputIsNamed) {
  const auto with = [](auto&& change) {
    BodyDefinition definition{Sphere(1.0)};
    change(definition);
    return refused_field(definition);
  };
  EXPECT_EQ(with([](BodyDefinition&) {}), "accepted");
  EXPECT_EQ(with([](BodyDefinition& d) { d.shape = HalfSpace({0, 0, 1}, 0.0); }), "shape");
  EXPECT_EQ(with([](BodyDefinition& d) { d.shape = Box({1.0, 1.0, 0.0}); }), "shape");
  EXPECT_EQ(with([](BodyDefinition& d) {
              d.shape = Compound({{HalfSpace({0, 0, 1}, 0.0), Pose()}});
              d.mass = BodyMass{1.0, {}, Mat3::identity()};
            }),
            "shape");
  EXPECT_EQ(with([](BodyDefinition& d) { d.pose = Pose::translation({kNan, 0.0, 0.0}); }), "pose");
  EXPECT_EQ(with([](BodyDefinition& d) { d.linear_velocity.x = kNan; }), "linear_velocity");
  EXPECT_EQ(with([](BodyDefinition& d) { d.angular_velocity.x = kNan; }), "angular_velocity");
  EXPECT_EQ(with([](BodyDefinition& d) { d.material.friction = -0.1; }), "friction");
  EXPECT_EQ(with([](BodyDefinition& d) { d.material.restitution = 1.1; }), "restitution");
  EXPECT_EQ(with([](BodyDefinition& d) { d.material.rolling_friction = kNan; }),
            "rolling_friction");
  EXPECT_EQ(with([](BodyDefinition& d) { d.material.torsional_friction = -1; }),
            "torsional_friction");
  EXPECT_EQ(with([](BodyDefinition& d) { d.material.adhesion = -1; }), "adhesion");
  EXPECT_EQ(with([](BodyDefinition& d) { d.material.density = 0.0; }), "density");
  EXPECT_EQ(with([](BodyDefinition& d) { d.mass = BodyMass{0.0, {}, {}}; }), "mass.mass");
  EXPECT_EQ(with([](BodyDefinition& d) { d.mass = BodyMass{1.0, {kNan, 0, 0}, {}}; }),
            "mass.center");
  EXPECT_EQ(with([](BodyDefinition& d) { d.mass = BodyMass{1.0, {}, Mat3::diagonal({1, 1, -1})}; }),
            "mass.inertia");
  EXPECT_EQ(with([](BodyDefinition& d) {
              d.mass = BodyMass{1.0, {}, {{{1, 0.5, 0}, {0, 1, 0}, {0, 0, 1}}}};
            }),
            "mass.inertia");
}

// A body of random points has its inertia; that with a moment above the sum of the others has none.
TEST(Body, TakesInertiasOfBodiesAlone) {
  detail::Random random(17);
  const auto accepted = [](const Mat3& inertia) {
    BodyDefinition d{Sphere(1.0)};
    d.id = 1;
    d.mass = BodyMass{1.0, {}, inertia};
    try {
      const Body body(d);
      return true;
    } catch (const InvalidInput& error) {
      EXPECT_EQ(error.field(), "mass.inertia");
      return false;
    }
  };
  for (int i = 0; i < 200; ++i) {
    // Moments of flat bodies too, of any size, about any axes.
    const double x = random.uniform(0.1, 1.0), y = random.uniform(0.1, 1.0);
    const double z = i % 2 == 0 ? 0.0 : random.uniform(0.0, 1.0);
    const double size = std::pow(10.0, random.uniform(-12.0, 12.0));
    const double w = random.uniform(-1.0, 1.0), u = random.uniform(-1.0, 1.0);
    const Mat3 axes = to_matrix(normalized(Quat{w, u, random.uniform(-1.0, 1.0), 0.3}));
    const auto about = [&](const Vec3& moments) {
      return axes * Mat3::diagonal(moments * size) * transpose(axes);
    };
    EXPECT_TRUE(accepted(about({y + z, x + z, x + y})));
    EXPECT_FALSE(accepted(about({y, x, (x + y) * 1.01})));
  }
  EXPECT_FALSE(accepted(Mat3::diagonal({1, 1, 5})));
  EXPECT_TRUE(accepted(Mat3::diagonal({0.0833, 0.0833, 0.1667})));  // a square plate, rounded
}

TEST(Material, CombinationIsSymmetric) {
  const Material ice{0.01, 0.1, 0.02, 0.0, 900.0, 0, 0.02},
      rubber{1.0, 0.9, 0.08, 0.5, 1100.0, 0, 2.0};
  const SurfacePair pair = combine(ice, rubber), swapped = combine(rubber, ice);
  EXPECT_DOUBLE_EQ(pair.friction, 0.1);
  EXPECT_EQ(pair.restitution, 0.9);
  EXPECT_EQ(pair.rolling_friction, 0.08);
  EXPECT_EQ(pair.torsional_friction, 0.5);
  EXPECT_DOUBLE_EQ(pair.adhesion, 0.2);
  EXPECT_EQ(pair.adhesion, swapped.adhesion);
  EXPECT_EQ(pair.friction, swapped.friction);
  EXPECT_EQ(pair.restitution, swapped.restitution);
  EXPECT_EQ(pair.rolling_friction, swapped.rolling_friction);
  EXPECT_EQ(pair.torsional_friction, swapped.torsional_friction);
}

TEST(WorldSettings, BadInputIsNamed) {
  const auto with = [](auto&& change) {
    WorldSettings settings;
    change(settings);
    return field_refused_by([&] { validate(settings); });
  };
  EXPECT_EQ(with([](WorldSettings&) {}), "accepted");
  EXPECT_EQ(with([](WorldSettings& s) { s.gravity.y = kNan; }), "gravity");
  EXPECT_EQ(with([](WorldSettings& s) { s.time_step = 0.0; }), "time_step");
  EXPECT_EQ(with([](WorldSettings& s) { s.substeps = 0; }), "substeps");
  EXPECT_EQ(with([](WorldSettings& s) { s.contact_margin = -1.0; }), "contact_margin");
  EXPECT_EQ(with([](WorldSettings& s) { s.contact_frequency = 0.6; }), "contact_frequency");
  EXPECT_EQ(with([](WorldSettings& s) { s.contact_damping = 0.0; }), "contact_damping");
  EXPECT_EQ(with([](WorldSettings& s) { s.max_push_speed = 0.0; }), "max_push_speed");
  EXPECT_EQ(with([](WorldSettings& s) { s.restitution_threshold = -1.0; }),
            "restitution_threshold");
  EXPECT_EQ(with([](WorldSettings& s) { s.least_impact = -0.1; }), "least_impact");
  EXPECT_EQ(with([](WorldSettings& s) { s.linear_damping = kNan; }), "linear_damping");
  EXPECT_EQ(with([](WorldSettings& s) { s.angular_damping = -1.0; }), "angular_damping");
}

}  // namespace
}  // namespace tactus::detail
