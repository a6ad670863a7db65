#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "tactus/query.hpp"
#include "tests/support/every_kind.hpp"

// Poses at which the distance has a kink, or a derivative although something is aligned.
namespace tactus::detail {
namespace {

struct Case {
  const char* name;
  Shape a;
  Pose pose_a;
  Shape b;
  Pose pose_b;
};

Derivatives derivatives_of(const Case& c) {
  Derivatives d;
  QueryOptions options;
  options.derivatives = &d;
  const DistanceResult r = distance(c.a, c.pose_a, c.b, c.pose_b, options);
  EXPECT_EQ(r.unique, d.smooth) << c.name;
  EXPECT_EQ(r.status, Status::converged) << c.name;
  return d;
}

Pose up(double z) { return Pose::translation({0.0, 0.0, z}); }
Pose lying(const Vec3& position) { return {position, Quat{std::sqrt(0.5), std::sqrt(0.5), 0, 0}}; }
Pose tipped(const Vec3& position) {
  const double half = 0.39269908169872414;  // an eighth of a turn
  return {position, Quat{std::cos(half), std::sin(half), 0, 0}};
}

const Shape kBox = Box({1.0, 1.0, 1.0});
const Shape kCylinder = Cylinder(0.5, 1.0);
const Shape kCapsule = Capsule(0.2, 1.0);
const Shape kCone = Cone(0.5, 1.0);

std::vector<Case> kinks() {
  const Shape plane = HalfSpace({0.0, 0.0, 1.0}, 0.0);
  const Shape custom = CustomConvex(std::make_shared<test::FlatThing>());
  const Shape box_mesh = test::prism_mesh({{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}}, 0.5);
  const Shape legs = Compound({{kBox, Pose::translation({-2.0, 0.0, 0.0})},
                               {Shape(Sphere(0.5)), Pose::translation({2.0, 0.0, 0.0})}});
  return {
      {"two discs facing", kCylinder, {}, kCylinder, up(2.0)},
      {"discs of two sizes, beside",
       kCylinder,
       {},
       Cylinder(0.2, 1.0),
       Pose::translation({0.4, 0.0, 2.0})},
      {"disc and face", kCylinder, {}, kBox, up(2.0)},
      {"base of a cone and face", kBox, {}, kCone, up(2.0)},
      {"faces", kBox, {}, kBox, Pose::translation({0.3, 0.2, 2.0})},
      {"faces that share an edge", kBox, {}, kBox, Pose::translation({1.0, 0.2, 2.0})},
      {"faces overlapping", kBox, {}, kBox, Pose::translation({0.3, 0.2, 0.9})},
      {"an edge over a face", kBox, {}, kBox, tipped({0.0, 0.0, 2.0})},
      {"a capsule on a face", kBox, {}, kCapsule, lying({0.0, 0.0, 2.0})},
      {"fingers side by side", kCapsule, {}, kCapsule, Pose::translation({1.0, 0.0, 0.3})},
      {"cylinders side by side", kCylinder, {}, kCylinder, Pose::translation({2.0, 0.0, 0.3})},
      {"cylinder lying on a face", kBox, {}, kCylinder, lying({0.0, 0.0, 2.0})},
      {"cylinder lying on a plane", plane, {}, kCylinder, lying({0.0, 0.0, 2.0})},
      {"box on a plane", plane, {}, kBox, up(2.0)},
      {"a box known by its support function on a plane", plane, {}, custom, up(2.0)},
      {"two of these", custom, {}, custom, up(2.0)},
      {"mesh and face", box_mesh, {}, kBox, up(2.0)},
      {"mesh and mesh", box_mesh, {}, box_mesh, Pose::translation({0.2, 0.0, 2.0})},
      {"mesh on a plane", plane, {}, box_mesh, up(2.0)},
      {"two feet on a plane", plane, {}, legs, up(0.6)},
      {"centre in centre", kBox, {}, Sphere(0.2), {}},
      {"on the axis of a cylinder", Cylinder(0.5, 4.0), {}, Sphere(0.2), up(0.1)},
      {"two centres", Sphere(1.0), {}, Sphere(0.5), {}},
      {"as deep along two faces", kBox, {}, Sphere(0.1), Pose::translation({0.4, 0.4, 0.1})},
      {"corner at corner", kBox, {}, kBox, Pose::translation({1.0, 1.0, 1.0})},
  };
}

std::vector<Case> derivable() {
  const Shape seam = Compound(
      {{kBox, Pose::translation({-0.5, 0.0, 0.0})}, {kBox, Pose::translation({0.5, 0.0, 0.0})}});
  const Shape box_mesh = test::prism_mesh({{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}}, 0.5);
  return {
      {"a ball over the seam of two parts", seam, {}, Sphere(0.3), up(2.0)},
      {"a ball over the seam of two triangles", box_mesh, {}, Sphere(0.3), up(2.0)},
      {"the tip of a cone over a face",
       kBox,
       {},
       kCone,
       {{0.1, 0.0, 2.0}, Quat{0.0, 1.0, 0.0, 0.0}}},
      {"edges that cross",
       kBox,
       tipped({}),
       kBox,
       {{0.0, 0.0, 2.0},
        Quat{std::sqrt(0.5), 0, 0, std::sqrt(0.5)} *
            Quat{0.92387953251128674, 0.38268343236508977, 0, 0}}},
      {"capsules that cross",
       kCapsule,
       lying({}),
       kCapsule,
       {{0.0, 0.0, 1.0}, Quat{std::sqrt(0.5), 0, std::sqrt(0.5), 0}}},
      {"a ball pressed into a face", kBox, {}, Sphere(0.3), up(0.45)},
      {"corners of faces above each other", kBox, {}, kBox, Pose::translation({1.0, 1.0, 2.0})},
      {"a ball beside a cylinder", kCylinder, {}, Sphere(0.3), Pose::translation({2.0, 0.0, 0.1})},
  };
}

TEST(DerivativeCases, NoneWhereTheMinimumIsNotTheOnlyOne) {
  for (const Case& c : kinks()) EXPECT_FALSE(derivatives_of(c).smooth) << c.name;
}

TEST(DerivativeCases, OneWhereItIs) {
  for (const Case& c : derivable()) EXPECT_TRUE(derivatives_of(c).smooth) << c.name;
}

// An overlap and contacts are asked for the sign, or for more; their derivatives are those of the
// distance.
TEST(DerivativeCases, AreTheSameForEveryQuery) {
  Random random(7);
  const std::vector<test::NamedShape> shapes = test::every_kind(random);
  std::vector<Manifold> manifolds(64);
  for (const test::NamedShape& a : shapes) {
    for (const test::NamedShape& b : shapes) {
      SCOPED_TRACE(a.name + " - " + b.name);
      // Open meshes are left out, since the three queries ask them for different distances.
      if (a.name == "open mesh" || b.name == "open mesh") continue;
      const Pose pose_a = random_pose(random, 0.6), pose_b = random_pose(random, 0.6);
      Derivatives of_distance, of_overlap, of_contacts;
      QueryOptions options;
      options.derivatives = &of_distance;
      const DistanceResult r = distance(a.shape, pose_a, b.shape, pose_b, options);
      if (r.status == Status::unsupported) continue;
      options.derivatives = &of_overlap;
      overlap(a.shape, pose_a, b.shape, pose_b, options);
      options.derivatives = &of_contacts;
      contacts(a.shape, pose_a, b.shape, pose_b, manifolds, options);
      for (const Derivatives* d : {&of_overlap, &of_contacts}) {
        EXPECT_EQ(d->smooth, of_distance.smooth);
        if (!of_distance.smooth) continue;
        EXPECT_LE(norm(d->linear_b - of_distance.linear_b), 2e-6);
        EXPECT_LE(norm(d->angular_a - of_distance.angular_a), 4e-6);
      }
    }
  }
}

// Poses as files have them: the axes agree to seven digits.
TEST(DerivativeCases, NoneWhereFacesAgreeToSevenDigits) {
  Derivatives d;
  QueryOptions options;
  options.derivatives = &d;
  const Pose pose{{0.1, 0.0, 2.0}, normalized(Quat{0.7071068, 0.0, 0.0, 0.7071067})};
  const Pose leant{{0.1, 0.0, 2.0}, normalized(Quat{1.0, 1e-8, 3e-8, 0.3})};
  for (const Pose& p : {pose, leant}) {
    distance(kBox, {}, kBox, p, options);
    EXPECT_FALSE(d.smooth);
  }
}

}  // namespace
}  // namespace tactus::detail
