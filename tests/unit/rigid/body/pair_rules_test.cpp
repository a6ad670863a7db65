#include <gtest/gtest.h>

#include <cmath>

#include "tactus/impulse_world.hpp"
#include "tactus/world.hpp"
#include "tests/support/dynamics_scene.hpp"

namespace tactus::detail {
namespace {

using test::add_body;
using test::add_ground;

Material kind(std::uint32_t number) {
  Material material;
  material.friction = 1.0;
  material.kind = number;
  return material;
}

/// How far a box slides in a second on a slope of 0.6 radians.
double slide(World& world, BodyId box) {
  const Vec3 start = world.body(box).center_of_mass();
  test::run(world, 1.0);
  return norm(world.body(box).center_of_mass() - start);
}

TEST(PairRules, ASurfacePairReplacesWhatTheMaterialsCombineTo) {
  const double slope = 0.6;
  const Vec3 normal{std::sin(slope), 0.0, std::cos(slope)};
  World world;
  add_ground(world, kind(1), normal);
  const Pose lying = Pose::from_axis_angle(normal * 0.1, {0, 1, 0}, slope);
  BodyDefinition plate{Box({1, 1, 0.2}), lying};
  plate.material = kind(2);
  const BodyId box = world.add(plate);
  EXPECT_LT(slide(world, box), 1e-4);  // tan 0.6 < 1

  SurfacePair ice;
  world.set_surface_pair(2, 1, ice);
  // A body that was held starts to slide within half a substep.
  EXPECT_NEAR(slide(world, box), 0.5 * 9.81 * std::sin(slope), 9.81 * std::sin(slope) / 720);

  world.set_surface_pair(1, 2, std::nullopt);
  world.set_velocity(box, {}, {});
  EXPECT_LT(slide(world, box), 1e-4);

  // Another pair of kinds is none of theirs.
  world.set_surface_pair(2, 2, ice);
  EXPECT_LT(slide(world, box), 4e-13);
}

TEST(PairRules, AnImpulseWorldKnowsThemToo) {
  ImpulseSettings settings;
  settings.gravity = {};
  ImpulseWorld world(settings);
  BodyDefinition wall{HalfSpace({0, 0, 1}, 0.0)};
  wall.type = BodyType::fixed;
  wall.material = kind(7);
  world.add(wall);
  BodyDefinition ball{Sphere(0.5), Pose::translation({0, 0, 0.6})};
  ball.linear_velocity = {0, 0, -10};
  ball.material = kind(7);
  const BodyId id = world.add(ball);
  SurfacePair bouncy;
  bouncy.restitution = 0.5;
  world.set_surface_pair(7, 7, bouncy);
  for (int i = 0; i < 3; ++i) world.step();
  EXPECT_NEAR(world.body(id).linear_velocity().z, 5.0, 1e-12);
}

TEST(PairRules, NamelessKindsAndBadSurfacesAreRefused) {
  World world;
  EXPECT_THROW(world.set_surface_pair(0, 1, SurfacePair{}), InvalidInput);
  EXPECT_THROW(world.set_surface_pair(1, 0, SurfacePair{}), InvalidInput);
  SurfacePair bad;
  bad.restitution = 1.5;
  EXPECT_THROW(world.set_surface_pair(1, 1, bad), InvalidInput);
}

TEST(ContactModes, OnePointOrFour) {
  for (const ContactPoints points : {ContactPoints::manifold, ContactPoints::one}) {
    WorldSettings settings;
    settings.contact_points = points;
    World world(settings);
    add_ground(world);
    add_body(world, Box({1, 1, 1}), {0, 0, 0.5});
    world.step();
    EXPECT_EQ(world.contacts().size(), points == ContactPoints::one ? 1u : 4u);
  }
}

TEST(ContactModes, APlaneIsTouchedMidwayOrOnIt) {
  for (const PlaneContact place : {PlaneContact::midpoint, PlaneContact::on_plane}) {
    WorldSettings settings;
    settings.plane_contact = place;
    World world(settings);
    add_ground(world);
    add_body(world, Sphere(0.5), {0, 0, 0.498});
    world.step();
    ASSERT_EQ(world.contacts().size(), 1u);
    const Contact& contact = world.contacts()[0];
    EXPECT_NEAR(contact.depth, 0.002, 1e-15);
    EXPECT_NEAR(contact.point.z, place == PlaneContact::on_plane ? 0.0 : -0.001, 1e-15);
  }
}

TEST(ContactModes, TheIterativeDetectorSearches) {
  for (const Detector detector : {Detector::closed_form, Detector::iterative}) {
    WorldSettings settings;
    settings.detector = detector;
    World world(settings);
    add_body(world, Sphere(0.5), {0, 0, 0});
    add_body(world, Sphere(0.5), {0.6, 0, 0.798});
    world.step();
    ASSERT_EQ(world.contacts().size(), 1u);
    EXPECT_NEAR(world.contacts()[0].depth, 1.0 - std::hypot(0.6, 0.798), 2e-15);
    // A formula has nothing to remember.
    const bool searched = world.save().pairs[0].cache != QueryCache();
    EXPECT_EQ(searched, detector == Detector::iterative);
  }
}

}  // namespace
}  // namespace tactus::detail
