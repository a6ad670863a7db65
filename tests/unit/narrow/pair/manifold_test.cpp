#include "tactus/narrow/pair/manifold.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "tactus/core/random.hpp"
#include "tactus/shape/membership.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/measured.hpp"

namespace tactus::detail {
namespace {

double deepest(const Patch& patch) {
  double most = -1e300;
  for (int i = 0; i < patch.count; ++i) most = std::max(most, patch.point[i].depth);
  return most;
}

// `searched`: by a search with these options, whatever the pair's row says.
Patch patch_of(const Shape& a, const Pose& pa, const Shape& b, const Pose& pb,
               double threshold = 0.01, const ConvexOptions* searched = nullptr) {
  const Cso cso(core_of(a), pa, core_of(b), pb);
  Epa epa;
  const ConvexAnswer answer =
      searched != nullptr ? search_pair(cso, *searched, epa) : test::measured(cso, {}, epa);
  const Patch patch = make_patch(cso, answer, threshold);
  const Pose b_in_a = relative(pa, pb);
  // To the default tolerance of the answer, or the width that an early stop left.
  const double exact = 5e-8, width = answer.upper - answer.lower;
  for (int i = 0; i < patch.count; ++i) {
    const PatchPoint& p = patch.point[i];
    EXPECT_LE(p.depth, -answer.distance + 1e-12);
    EXPECT_GE(p.depth, -threshold - 1e-12);
    EXPECT_NEAR(dot(p.a - p.b, answer.n), p.depth, exact * cso.size());
    EXPECT_LE(distance_outside(a, p.a), 4e-14);
    EXPECT_LE(distance_outside(b, b_in_a.to_local(p.b)), 5e-13);
  }
  EXPECT_NEAR(deepest(patch), -answer.distance, width + exact * cso.size());
  return patch;
}

TEST(Manifold, BoxOnBoxHasTheFourCornersOfTheOverlap) {
  const Patch p =
      patch_of(Box({2, 2, 1}), Pose(), Box({1, 1, 1}), Pose::translation({0.2, 0.1, 0.99}));
  ASSERT_EQ(p.count, 4);
  for (int i = 0; i < 4; ++i) {
    EXPECT_NEAR(p.point[i].depth, 0.01, 1e-15);
    EXPECT_NEAR(std::fabs(p.point[i].a.x - 0.2), 0.5, 4e-15);
    EXPECT_NEAR(std::fabs(p.point[i].a.y - 0.1), 0.5, 1e-12);
    EXPECT_NEAR(p.point[i].a.z, 0.5, 1e-15);
  }
}

TEST(Manifold, ALineAcrossTheEdgeOfABoxIsOnePoint) {
  const Core capsule = core_of(Capsule(0.1, 1.0)), box = core_of(Box({1, 1, 1}));
  const Mat3 level = Mat3::identity();
  for (const double degrees : {0.0, 2.9, 3.1, 45.0, 86.9, 87.1, 90.0}) {
    const double angle = degrees * M_PI / 180.0;
    const Vec3 n{std::sin(angle), 0.0, std::cos(angle)};
    const bool edge = degrees > 3.0 && degrees < 87.0;
    // The edge is along y.
    for (const double turn : {0.0, 2.9, 3.1, 30.0}) {
      const Vec3 across = cross(n, Vec3{0.0, 1.0, 0.0});
      const double turned = turn * M_PI / 180.0;
      const Vec3 axis = Vec3{0.0, 1.0, 0.0} * std::cos(turned) + across * std::sin(turned);
      const Mat3 along = Mat3::from_columns(cross(axis, n), n, axis);
      const bool lone = edge && turn > 3.0;
      EXPECT_EQ(is_lone_witness(capsule, along, box, level, n, 1e-15), lone) << degrees;
      EXPECT_EQ(is_lone_witness(box, level, capsule, along, n, 1e-15), lone) << degrees;
      // A flat box has no face there but an edge all the same.
      const Core flat = core_of(Box({1, 1, 1e-17}));
      EXPECT_FALSE(is_lone_witness(capsule, along, flat, level, n, 1e-15)) << degrees;
    }
  }
}

// Bodies with a line that lies along an edge touch it at both ends of what they have in common.
TEST(Manifold, ALineAlongAnEdgeHasTwoPoints) {
  Random random(17);
  const Box block({0.6, 0.6, 1.0});
  const std::vector<Vec3> corners = [&] {
    std::vector<Vec3> all;
    for (int i = 0; i < 8; ++i)
      all.push_back(
          {(i & 1) != 0 ? 0.3 : -0.3, (i & 2) != 0 ? 0.3 : -0.3, (i & 4) != 0 ? 0.5 : -0.5});
    return all;
  }();
  const Shape edged[] = {block, Convex(corners), Shape(Box({0.5, 0.5, 0.9}), 0.05)};
  const struct {
    Shape shape;
    double reach;  ///< of the line from the middle
  } lined[] = {
      {Capsule(0.1, 0.6), 0.1}, {Cylinder(0.1, 0.6), 0.1}, {Box({0.2, 0.2, 0.6}), std::sqrt(0.02)}};
  int shorter = 0;
  for (int i = 0; i < test::effort(300); ++i) {
    const std::size_t which = random.below(3);
    const Shape& a = edged[which];
    const Vec3 edge = which < 2 ? Vec3{0.3, 0.3, 0.0} : Vec3{0.25, 0.25, 0.0};
    const auto& b = lined[random.below(3)];
    // Towards the edge, 10 to 80 degrees from one face: an edge of the box looks back.
    const double about = random.uniform(0.2, 1.37), overlap = random.uniform(-0.01, 0.01);
    const double along = random.uniform(-0.6, 0.6),
                 lean = std::pow(10.0, random.uniform(-9.0, -2.0));
    // An edge that is in another leaves through a face.
    const double gap = b.shape.type() == ShapeType::box ? std::fabs(overlap) + lean : -overlap;
    const Vec3 n{std::cos(about), std::sin(about), 0.0};
    const Pose pose =
        Pose::from_axis_angle(
            edge + Vec3{0.0, 0.0, along} + n * (b.reach + a.rounding_radius() + gap), {0, 0, 1},
            about + 0.25 * M_PI) *
        Pose::from_axis_angle(
            {}, normalized(Vec3{random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0), 0.01}), lean);
    const Patch p = patch_of(a, Pose(), b.shape, pose, 0.02);
    // A third one where the deepest lies between them.
    ASSERT_TRUE(p.count == 2 || (p.count == 3 && lean > 1e-4) || lean > 5e-3) << i << ' ' << lean;
    const double common = std::min(0.5, along + 0.3) - std::max(-0.5, along - 0.3);
    double apart = 0.0;
    for (int k = 1; k < p.count; ++k) {
      for (int j = 0; j < k; ++j) apart = std::max(apart, norm(p.point[j].a - p.point[k].a));
    }
    shorter += std::fabs(apart - common) > 0.07 ? 1 : 0;
  }
  // Edges of boxes that cross at a thousandth of a radian, seldom: seen twice in 30,000.
  EXPECT_LE(shorter, test::effort(300) / 1000 + 1);
}

TEST(Manifold, EdgeOnEdgeIsOnePoint) {
  const Quat tilt_x = normalized(Quat{std::cos(M_PI / 8), std::sin(M_PI / 8), 0, 0});
  const Quat tilt_y = normalized(Quat{std::cos(M_PI / 8), 0, std::sin(M_PI / 8), 0});
  const Patch p = patch_of(Box({1, 1, 1}), Pose(Vec3{}, tilt_x), Box({1, 1, 1}),
                           Pose(Vec3{0, 0, std::sqrt(2.0) - 0.01}, tilt_y));
  ASSERT_EQ(p.count, 1);
  EXPECT_NEAR(p.point[0].depth, 0.01, 3e-15);
}

TEST(Manifold, EdgeOnFaceIsTwoPoints) {
  const Quat tilt = normalized(Quat{std::cos(M_PI / 8), std::sin(M_PI / 8), 0, 0});
  const double height = 0.5 + 0.5 * std::sqrt(2.0) - 0.001;
  const Patch p = patch_of(Box({3, 3, 1}), Pose(), Box({1, 1, 1}), Pose(Vec3{0, 0, height}, tilt));
  ASSERT_EQ(p.count, 2);
  EXPECT_NEAR(std::fabs(p.point[0].a.x - p.point[1].a.x), 1.0, 1e-12);
}

TEST(Manifold, CylinderStandsOnFourAndLiesOnTwo) {
  const Patch standing =
      patch_of(Box({3, 3, 1}), Pose(), Cylinder(0.5, 1.0), Pose::translation({0, 0, 0.999}));
  EXPECT_EQ(standing.count, 4);
  const Quat lay = normalized(Quat{std::sqrt(0.5), std::sqrt(0.5), 0, 0});
  const Patch lying =
      patch_of(Box({3, 3, 1}), Pose(), Cylinder(0.5, 1.0), Pose(Vec3{0, 0, 0.999}, lay));
  ASSERT_EQ(lying.count, 2);
  EXPECT_NEAR(norm(lying.point[0].a - lying.point[1].a), 1.0, 1e-9);
}

TEST(Manifold, ConeRestsOnItsSideLine) {
  const double radius = 0.5;
  const double length = 1.0;
  // Turn the slanted side down: the side's normal makes the angle atan(radius / length) with the xy
  // plane.
  const double angle = std::atan2(radius, length) + M_PI / 2;
  const Quat turn{std::cos(angle / 2), 0, std::sin(angle / 2), 0};
  const Shape cone = Cone(radius, length);
  const Core core = core_of(cone);
  const Pose placed(Vec3{}, turn);
  const Vec3 down = placed.direction_to_local({0, 0, -1});
  const double low = support_value(core, down);
  const Patch p = patch_of(Box({4, 4, 1}), Pose(), cone, Pose(Vec3{0, 0, 0.5 + low - 1e-4}, turn));
  EXPECT_EQ(p.count, 2);
}

TEST(Manifold, RoundBodiesTouchInOnePoint) {
  EXPECT_EQ(patch_of(Sphere(1.0), Pose(), Box({1, 1, 1}), Pose::translation({0, 0, 1.49})).count,
            1);
  EXPECT_EQ(
      patch_of(Ellipsoid({1, 0.5, 0.4}), Pose(), Box({4, 4, 1}), Pose::translation({0, 0, 0.89}))
          .count,
      1);
}

TEST(Manifold, ParallelCapsulesShareTheOverlapOfTheirSides) {
  const Patch p =
      patch_of(Capsule(0.2, 2.0), Pose(), Capsule(0.2, 1.0), Pose::translation({0.399, 0, 0.8}));
  ASSERT_EQ(p.count, 2);
  std::array<double, 2> z{p.point[0].a.z, p.point[1].a.z};
  std::sort(z.begin(), z.end());
  EXPECT_NEAR(z[0], 0.3, 4e-15);
  EXPECT_NEAR(z[1], 1.0, 1e-12);
}

TEST(Manifold, TinyPerturbationsKeepFeaturesAndMovePointsLittle) {
  Random random(11);
  const Shape lower = Box({2, 2, 1});
  for (const Shape& upper : {Shape(Box({1, 1, 1})), Shape(Cylinder(0.5, 1.0))}) {
    const Pose pose(Vec3{0.1, 0.2, 0.995}, normalized(Quat{1, 0, 0, 0.2}));
    const Patch base = patch_of(lower, Pose(), upper, pose);
    for (int n = 0; n < 200; ++n) {
      const auto tiny = [&] { return random.uniform(-1e-9, 1e-9); };
      const Vec3 shift{tiny(), tiny(), tiny()};
      const Quat turn = normalized(Quat{1, tiny(), tiny(), 0.2 + tiny()});
      const Patch moved = patch_of(lower, Pose(), upper, Pose(pose.position() + shift, turn));
      ASSERT_EQ(moved.count, base.count);
      std::set<std::uint64_t> ids, ids_moved;
      for (int i = 0; i < base.count; ++i) {
        ids.insert(base.point[i].feature);
        ids_moved.insert(moved.point[i].feature);
        EXPECT_LE(norm(moved.point[i].a - base.point[i].a), 1e-7);
      }
      EXPECT_EQ(ids, ids_moved);
    }
  }
}

TEST(Manifold, NeverDeeperThanTheAxisOnRandomPairs) {
  Random random(13);
  for (int n = 0; n < 1000; ++n) {
    const auto u = [&] { return random.uniform(0.3, 1.5); };
    const Shape shapes[] = {Box({u(), u(), u()}), Cylinder(u(), u()), Cone(u(), u()),
                            Capsule(u(), u())};
    const Shape& a = shapes[random.below(4)];
    const Shape& b = shapes[random.below(4)];
    const auto v = [&] { return random.uniform(-1, 1); };
    const Pose pose(Vec3{v(), v(), v()}, normalized(Quat{v(), v(), v(), v()}));
    const Cso cso(core_of(a), Pose(), core_of(b), pose);
    Epa epa;
    const ConvexAnswer answer = test::measured(cso, {}, epa);
    if (answer.distance > 0.0) continue;
    const Patch p = patch_of(a, Pose(), b, pose);
    ASSERT_GE(p.count, 1);
  }
}

// Two degrees are within those for which the sides of round bodies share a patch.
constexpr double kSkewed = M_PI / 90;

TEST(Manifold, LinesThatCrossAtASmallAngleGivePointsOfBothLines) {
  const Quat turn{std::cos(kSkewed / 2), std::sin(kSkewed / 2), 0, 0};
  const Pose beside(Vec3{0.39, 0, 0}, turn);
  const Patch capsules = patch_of(Capsule(0.2, 2.0), Pose(), Capsule(0.2, 1.0), beside);
  ASSERT_EQ(capsules.count, 2);
  for (int i = 0; i < 2; ++i) {
    const PatchPoint& p = capsules.point[i];
    EXPECT_NEAR(p.depth, 0.01, 1e-15);
    // The farthest points of the shorter line, half its length from the crossing.
    EXPECT_NEAR(std::fabs(p.b.z), 0.5 * std::cos(kSkewed), 1e-12);
    EXPECT_NEAR(std::fabs(p.b.y), 0.5 * std::sin(kSkewed), 1e-12);
    EXPECT_NEAR(p.b.x, 0.19, 1e-12);
    // Beside them on the longer line.
    EXPECT_NEAR(p.a.z, p.b.z, 4e-15);
    EXPECT_NEAR(p.a.y, 0.0, 1e-12);
    EXPECT_NEAR(p.a.x, 0.2, 1e-12);
  }
  // Lines that are not square to the normal, deep in each other: over the ends along the normal.
  Random random(17);
  int patches = 0;
  for (int n = 0; n < 1000; ++n) {
    const auto u = [&] { return random.uniform(0.3, 1.5); };
    const auto v = [&] { return random.uniform(-0.03, 0.03); };
    const Shape shapes[] = {Capsule(u(), u()), Cylinder(u(), u()), Cone(u(), u())};
    const Pose pose(Vec3{u(), v(), v()}, normalized(Quat{1, v(), v(), v()}));
    const Shape& a = shapes[random.below(3)];
    const Shape& b = shapes[random.below(3)];
    patches += patch_of(a, Pose(), b, pose, 2.0).count > 1 ? 1 : 0;
  }
  EXPECT_GT(patches, 100);
}

TEST(Manifold, SliversSupportLikeTheirLine) {
  // The plane and the tips of a narrow face are known to roundings of its length over its width.
  Random random(23);
  for (int n = 0; n < 2000; ++n) {
    const auto v = [&] { return random.uniform(-1, 1); };
    const Vec3 head{v(), v(), v()}, tail{v(), v(), v()};
    double width = 1.0;
    for (std::uint64_t power = random.below(18); power > 0; --power) width *= 0.1;
    const Vec3 corners[] = {head, tail, (head + tail) * 0.5 + Vec3{v(), v(), v()} * width};
    const Shape sliver = Convex(corners);
    const Pose pose(Vec3{v(), v(), v()} * 0.3, normalized(Quat{v(), v(), v(), v()}));
    for (const Shape& other : {Shape(Box({1, 1, 0.7})), sliver, Shape(Capsule(0.2, 1.0))})
      EXPECT_GE(patch_of(sliver, Pose(), other, pose, 5.0).count, 1);
  }
}

TEST(Manifold, TheDeepestPointStaysAmongPointsNearlyAsDeep) {
  // Six corners that differ by less than a millionth of the depth, each in turn the deepest.
  std::vector<Vec3> corners{{0, 0, 1}};
  for (int i = 0; i < 6; ++i)
    corners.push_back({std::cos(i * M_PI / 3), std::sin(i * M_PI / 3), 0.0});
  const Shape upper = Shape(Convex(corners), 50.0);
  for (int i = 0; i < 6; ++i) {
    const double angle = (i + 0.5) * M_PI / 3;
    const double x = 3e-6 * std::cos(angle), y = 3e-6 * std::sin(angle);
    patch_of(Box({4, 4, 1}), Pose(), upper, Pose(Vec3{0, 0, 0.8}, normalized(Quat{1, x, y, 0})));
  }
}

TEST(Manifold, ASearchThatStoppedEarlyHasPointsAsDeepAsItSays) {
  Random random(19);
  ConvexOptions early;
  early.tolerance = 1.0;
  for (int n = 0; n < 1000; ++n) {
    const auto u = [&] { return random.uniform(0.3, 1.5); };
    const auto v = [&] { return random.uniform(-0.5, 0.5); };
    const Shape a = Ellipsoid({u(), u(), u()});
    const Shape b = Cone(u(), u());
    const Pose pose(Vec3{v(), v(), v()}, normalized(Quat{v(), v(), v(), v()}));
    early.max_iterations = 1 + static_cast<int>(random.below(12));
    const Cso cso(core_of(a), Pose(), core_of(b), pose);
    Epa epa;
    if (search_pair(cso, early, epa).distance < 0.0) patch_of(a, Pose(), b, pose, 0.01, &early);
  }
}

}  // namespace
}  // namespace tactus::detail
