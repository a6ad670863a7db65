#include <gtest/gtest.h>

#include <cmath>

#include "tactus/check.hpp"
#include "tactus/core/constants.hpp"
#include "tactus/query.hpp"
#include "tests/support/meshes.hpp"
#include "tests/support/random_shapes.hpp"

namespace tactus::detail {
namespace {

const RigidMotion kStill{};

CastResult ask(const Shape& a, const Pose& pose_a, const RigidMotion& motion_a, const Shape& b,
               const Pose& pose_b, const RigidMotion& motion_b = {}) {
  Certificate certificate;
  QueryOptions options;
  options.certificate = &certificate;
  const CastResult r = impact(a, pose_a, motion_a, b, pose_b, motion_b, options);
  const CheckReport report = check(a, pose_a, motion_a, b, pose_b, motion_b, r, &certificate);
  EXPECT_TRUE(report.ok) << report.failure;
  return r;
}

void expect_hit(const CastResult& r, double time, double width = 1e-12) {
  EXPECT_EQ(r.hit, Overlap::yes);
  EXPECT_EQ(r.status, Status::converged);
  EXPECT_LE(r.time, time + 1e-15);
  EXPECT_GE(r.time_upper, time - 1e-15);
  EXPECT_LE(r.time_upper - r.time, width);
}

void expect_miss(const CastResult& r) {
  EXPECT_EQ(r.hit, Overlap::no);
  EXPECT_EQ(r.status, Status::converged);
  EXPECT_EQ(r.time, kInfinity);
  EXPECT_EQ(r.time_upper, kInfinity);
}

TEST(Impact, CornerOfATurningBoxMeetsAPlane) {
  // The lowest point of the box at angle w is -(sin w + cos w / 2).
  const Shape box = Box({2, 1, 1});
  const Shape floor = HalfSpace({0, 1, 0}, -0.8);
  const double angle = std::asin(0.8 / std::sqrt(1.25)) - std::atan(0.5);
  for (const double turn : {0.5, 1.0, 6.0, 600.0}) {
    SCOPED_TRACE(turn);
    const RigidMotion spin{{}, {0, 0, -turn}};
    const CastResult r = ask(floor, Pose(), kStill, box, Pose(), spin);
    expect_hit(r, angle / turn);
    EXPECT_LT(norm(r.normal - Vec3{0, 1, 0}), 1e-12);
    EXPECT_LE(r.iterations, 30);
    const CastResult swapped = ask(box, Pose(), spin, floor, Pose(), kStill);
    expect_hit(swapped, angle / turn);
    EXPECT_LT(norm(swapped.normal + Vec3{0, 1, 0}), 1e-12);
  }
}

TEST(Impact, ATurningPlaneMeetsABall) {
  // The plane y = -1 turns about z by w: its distance from (0, 2, 0) is 1 + 2 cos w.
  const Shape floor = HalfSpace({0, 1, 0}, -1.0);
  const RigidMotion spin{{}, {0, 0, 2.0}};
  const CastResult r = ask(floor, Pose(), spin, Sphere(0.5), Pose::translation({0, 2, 0}));
  expect_hit(r, std::acos(-0.25) / 2.0);
  expect_miss(ask(floor, Pose(), {{}, {0, 0, 1.7}}, Sphere(0.5), Pose::translation({0, 2, 0})));
}

TEST(Impact, ARodSweepsABall) {
  // A rod along x, seen from its axis 1.5 away, and a ball at the angle 1.2: they touch when the
  // perpendicular from the ball's centre is as long as both radii.
  const Shape rod = Capsule(0.1, 4.0);
  const Pose along_x = Pose::from_matrix({}, {{{0, 0, 1}, {0, 1, 0}, {-1, 0, 0}}});
  const Vec3 place{1.5 * std::cos(1.2), 1.5 * std::sin(1.2), 0.0};
  const double angle = 1.2 - std::asin(0.2);
  const RigidMotion turn{{}, {0, 0, 2.0}};
  const CastResult r = ask(rod, along_x, turn, Sphere(0.2), Pose::translation(place));
  expect_hit(r, angle / 2.0);
  // The other way round the other half of the rod comes first.
  expect_hit(ask(rod, along_x, {{}, {0, 0, -3.0}}, Sphere(0.2), Pose::translation(place)),
             (kPi - 1.2 - std::asin(0.2)) / 3.0);
}

TEST(Impact, AWholeTurnIsNotNothing) {
  // The first and the last pose are the same.
  const Shape rod = Capsule(0.05, 4.0);
  const Pose along_x = Pose::from_matrix({}, {{{0, 0, 1}, {0, 1, 0}, {-1, 0, 0}}});
  const CastResult r = ask(rod, along_x, {{}, {0, 0, 2.0 * kPi}}, Box({0.2, 0.2, 0.2}),
                           Pose::translation({0, 1.5, 0}));
  EXPECT_EQ(r.hit, Overlap::yes);
  EXPECT_LT(r.time, 0.25);
  expect_miss(ask(rod, along_x, {{}, {0, 0, 2.0 * kPi}}, Box({0.2, 0.2, 0.2}),
                  Pose::translation({0, 1.5, 0.2})));
}

TEST(Impact, ASpinningWheelOnlyFalls) {
  // A cylinder that spins about itself stays where it is, however fast.
  const Shape wheel = Cylinder(1.0, 0.4);
  const Pose on_edge = Pose::from_matrix({0, 0, 1.5}, {{{1, 0, 0}, {0, 0, 1}, {0, -1, 0}}});
  const Shape slab = Box({10, 10, 1});
  const Pose below = Pose::translation({0, 0, -0.5});
  const RigidMotion falling{{0, 0, -1.0}, {0, 1000.0, 0}};
  const CastResult r = ask(slab, below, kStill, wheel, on_edge, falling);
  expect_hit(r, 0.5, 1e-11);
  EXPECT_LE(r.iterations, 40);
  // Rolling a hair above the ground.
  Pose near = on_edge;
  near = detail::unchecked_pose({0, 0, 1.0 + 1e-9}, near.rotation());
  const CastResult rolling = ask(slab, below, kStill, wheel, near, {{3, 0, 0}, {0, 20, 0}});
  expect_miss(rolling);
  EXPECT_LE(rolling.iterations, 40);
}

TEST(Impact, TellsAGrazeFromAHit) {
  // The corner comes down to -sqrt(1.25), and leaves again.
  const Shape box = Box({2, 1, 1});
  const RigidMotion spin{{}, {0, 0, -2.0}};
  const double lowest = std::sqrt(1.25);
  for (const double hair : {1e-6, 1e-9, 1e-11}) {
    SCOPED_TRACE(hair);
    expect_miss(ask(HalfSpace({0, 1, 0}, -lowest - hair), Pose(), kStill, box, Pose(), spin));
    expect_miss(
        ask(box, Pose(), spin, Box({9, 2, 9}), Pose::translation({0, -1 - lowest - hair, 0})));
    const CastResult r =
        ask(HalfSpace({0, 1, 0}, -lowest + hair), Pose(), kStill, box, Pose(), spin);
    EXPECT_EQ(r.hit, Overlap::yes);
    EXPECT_LE(r.iterations, 120);
  }
}

TEST(Impact, FeaturesThatTurnWithTheBodiesConvergeFast) {
  // Face against corner, edge against edge: the best direction turns.
  Random random(3);
  const Shape box = Box({1, 0.8, 0.6});
  int most = 0;
  for (int i = 0; i < 200; ++i) {
    const Pose a = random_pose(random, 0.2);
    const Pose b =
        Pose(random_pose(random, 0.2).position() + Vec3{2.5, 0, 0}, random_rotation(random));
    const RigidMotion spin_a{{1.5, 0, 0}, {random.uniform(-2, 2), random.uniform(-2, 2), 1.0}};
    const RigidMotion spin_b{{-1.5, 0, 0}, {random.uniform(-2, 2), -1.0, random.uniform(-2, 2)}};
    const CastResult r = ask(box, a, spin_a, box, b, spin_b);
    EXPECT_EQ(r.hit, Overlap::yes);
    most = std::max(most, r.iterations);
  }
  EXPECT_LE(most, 120);
}

TEST(Impact, OverlapAtTheStartIsAHitAtZeroWithTheDepth) {
  const CastResult r = ask(Sphere(1.0), Pose(), {{1, 2, 3}, {4, 5, 6}}, Box({2, 2, 2}),
                           Pose::translation({1.75, 0, 0}), {{}, {1, 0, 0}});
  EXPECT_EQ(r.hit, Overlap::yes);
  EXPECT_EQ(r.time, 0.0);
  EXPECT_EQ(r.time_upper, 0.0);
  EXPECT_NEAR(r.distance, -0.25, 1e-14);
  EXPECT_LT(norm(r.normal - Vec3{1, 0, 0}), 1e-12);
}

TEST(Impact, TouchAtTheStart) {
  const Shape box = Box({2, 2, 2});
  const Pose above = Pose::translation({0, 0, 2});
  // Into each other, along each other, away.
  const CastResult into = ask(box, Pose(), kStill, box, above, {{0, 0, -1}, {0, 0, 1}});
  EXPECT_EQ(into.hit, Overlap::yes);
  EXPECT_EQ(into.time, 0.0);
  EXPECT_LT(into.time_upper, 1e-12);
  const CastResult along = ask(box, Pose(), kStill, box, above, {{0, 0, 0}, {0, 0, 1}});
  EXPECT_EQ(along.hit, Overlap::undecided);
  EXPECT_EQ(along.time, 0.0);
  const CastResult away = ask(box, Pose(), kStill, box, above, {{0, 0, 1}, {0, 0, 1}});
  EXPECT_NE(away.hit, Overlap::yes);
}

TEST(Impact, CompoundsTouchWithTheFirstPart) {
  // A dumbbell turns about its middle; its ball at 2 meets the obstacle that the rod would miss.
  const Shape dumbbell = Compound({{Sphere(0.3), Pose::translation({2, 0, 0})},
                                   {Sphere(0.3), Pose::translation({-2, 0, 0})},
                                   {Box({4, 0.1, 0.1}), Pose()}});
  const Vec3 place{0, 2, 0.35};
  const double reach = std::sqrt(0.5 * 0.5 - 0.35 * 0.35);
  const CastResult r =
      ask(dumbbell, Pose(), {{}, {0, 0, 2}}, Sphere(0.2), Pose::translation(place));
  // The ball's centre at (2 sin u, 2 cos u), u before the top: the chord 4 sin(u / 2) is `reach`.
  expect_hit(r, (0.5 * kPi - 2.0 * std::asin(reach / 4.0)) / 2.0, 1e-11);
  EXPECT_EQ(r.part_a, 0);
  EXPECT_EQ(r.part_b, -1);
  const CastResult swapped =
      ask(Sphere(0.2), Pose::translation(place), kStill, dumbbell, Pose(), {{}, {0, 0, -2}});
  EXPECT_EQ(swapped.part_b, 1);
}

TEST(Impact, MeshesTouchWhereTheirTrianglesDo) {
  const Shape ring = Mesh(test::torus_mesh(24, 12, 0.25));
  // A rod through the hole turns until it meets the ring's inside.
  const Shape rod = Capsule(0.1, 3.0);
  const CastResult r = ask(ring, Pose(), kStill, rod, Pose(), {{}, {1.5, 0, 0}});
  EXPECT_EQ(r.hit, Overlap::yes);
  const double t = r.time;
  EXPECT_GT(distance(ring, Pose(), rod, pose_at(Pose(), {{}, {1.5, 0, 0}}, 0.999 * t)).lower, 0.0);
  // Near where it meets a smooth ring: the distance from the circle of radius 1 is 0.35.
  EXPECT_NEAR(1.5 * t, 0.5 * kPi - std::asin(0.35), 0.02);
  expect_miss(ask(ring, Pose(), kStill, rod, Pose(), {{}, {0, 0, 50}}));
  // Two rings, one through the other.
  const CastResult rings =
      ask(ring, Pose(), {{}, {0.3, 0.2, 0.1}}, ring, Pose({1, 0, 0}, normalized(Quat{1, 1, 0, 0})),
          {{-1, 0.1, 0}, {0, 1, 0}});
  EXPECT_EQ(rings.hit, Overlap::yes);
  EXPECT_GT(rings.time, 0.0);
}

TEST(Impact, MeshOfABoxIsABox) {
  TriangleMesh cube;
  for (int i = 0; i < 8; ++i)
    cube.vertices.push_back({i & 1 ? 1.0 : -1.0, i & 2 ? 1.0 : -1.0, i & 4 ? 1.0 : -1.0});
  cube.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                    {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  const Shape mesh = Mesh(cube);
  const Shape box = Box({2, 2, 2});
  const Pose apart = Pose::translation({4, 0.3, 0.2});
  const RigidMotion motion{{-3, 0, 0}, {0.5, 1.5, -1.0}};
  const CastResult right = ask(box, Pose(), kStill, box, apart, motion);
  for (const Shape& a : {mesh, box}) {
    for (const Shape& b : {mesh, box}) {
      const CastResult r = ask(a, Pose(), kStill, b, apart, motion);
      EXPECT_EQ(r.hit, Overlap::yes);
      EXPECT_NEAR(r.time, right.time, 4e-15);
      EXPECT_NEAR(r.time_upper, right.time_upper, 1e-12);
    }
  }
  const Shape floor = HalfSpace({0, 0, 1}, -1.2);
  const RigidMotion tilt{{}, {0.7, 0.2, 0}};
  EXPECT_NEAR(ask(floor, Pose(), kStill, mesh, Pose(), tilt).time,
              ask(floor, Pose(), kStill, box, Pose(), tilt).time, 2e-15);
}

TEST(Impact, FarFromTheOriginNothingIsLost) {
  const Shape box = Box({2, 1, 1});
  const Vec3 far{1e6, -1e6, 1e6};
  const RigidMotion spin{{0, 0, 0}, {0, 0, -1}};
  const Shape slab = Box({8, 1, 8});
  const CastResult near = ask(slab, Pose::translation({0, -1.5, 0}), kStill, box, Pose(), spin);
  const CastResult there = impact(slab, Pose::translation(far + Vec3{0, -1.5, 0}), kStill, box,
                                  Pose::translation(far), spin);
  EXPECT_EQ(there.time, near.time);
  EXPECT_EQ(there.time_upper, near.time_upper);
  EXPECT_LT(norm(there.point_a - far - near.point_a), 2e-11);
}

TEST(Impact, BadInputIsToldApart) {
  const Shape ball = Sphere(1.0);
  const Pose apart = Pose::translation({5, 0, 0});
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(impact(ball, Pose(), {{nan, 0, 0}, {}}, ball, apart, {}).status, Status::invalid_input);
  EXPECT_EQ(impact(ball, Pose(), {{}, {0, kInfinity, 0}}, ball, apart, {}).status,
            Status::invalid_input);
  EXPECT_EQ(impact(HalfSpace({0, 0, 1}, 0), Pose(), {}, HalfSpace({0, 0, 1}, 0), apart, {}).status,
            Status::unsupported);
  QueryOptions options;
  options.method = Method::mpr;
  EXPECT_EQ(impact(ball, Pose(), {}, ball, apart, {}, options).status, Status::unsupported);
  for (const RigidMotion& wild : {RigidMotion{{-1e200, 0, 0}, {}}, RigidMotion{{}, {1e9, 0, 0}},
                                  RigidMotion{{}, {1e300, 0, 0}}}) {
    const CastResult r = impact(Box({1, 1, 1}), Pose(), {}, Box({1, 1, 1}), apart, wild);
    EXPECT_EQ(r.status, Status::precision_limit);
    EXPECT_EQ(r.hit, Overlap::undecided);
    EXPECT_EQ(r.time, 0.0);
  }
  expect_miss(ask(ball, Pose(), kStill, ball, apart));
  expect_miss(ask(ball, Pose(), {{1e-300, 0, 0}, {1e-300, 0, 1e-310}}, Box({1, 1, 1}), apart));
}

TEST(Impact, ACacheChangesNoTruth) {
  const Shape a = Box({1, 2, 3}), b = Cylinder(0.5, 1.0);
  const RigidMotion motion{{-3, 0, 0}, {1, 2, 0.5}};
  const Pose apart = Pose::translation({4, 0.1, 0});
  const CastResult cold = impact(a, Pose(), {}, b, apart, motion);
  QueryCache cache;
  for (int i = 0; i < 3; ++i) {
    const CastResult r = impact(a, Pose(), {}, b, apart, motion, {}, &cache);
    EXPECT_EQ(r.hit, Overlap::yes);
    EXPECT_LE(r.time, cold.time_upper);
    EXPECT_LE(cold.time, r.time_upper);
  }
}

TEST(CheckImpact, RefusesALateTime) {
  const Shape rod = Capsule(0.05, 4.0);
  const Pose along_x = Pose::from_matrix({}, {{{0, 0, 1}, {0, 1, 0}, {-1, 0, 0}}});
  const RigidMotion turn{{}, {0, 0, 2.0 * kPi}};
  const Shape ball = Sphere(0.2);
  const Pose place = Pose::translation({0, 1.5, 0});
  Certificate certificate;
  QueryOptions options;
  options.certificate = &certificate;
  const CastResult r = impact(rod, along_x, turn, ball, place, kStill, options);
  const auto checked = [&](const CastResult& claim) {
    return check(rod, along_x, turn, ball, place, kStill, claim, &certificate);
  };
  ASSERT_TRUE(checked(r).ok) << checked(r).failure;
  CastResult late = r;
  // Half a turn later it looks the same.
  late.time = r.time + 0.5;
  late.time_upper = r.time_upper + 0.5;
  EXPECT_NE(checked(late)[Claim::time], Proof::proved);
  CastResult miss = r;
  miss.hit = Overlap::no;
  miss.time = miss.time_upper = kInfinity;
  EXPECT_NE(checked(miss)[Claim::verdict], Proof::proved);
  CastResult early = r;
  early.time_upper = 0.5 * (r.time + 0.3);
  early.time = 0.9 * r.time;
  EXPECT_NE(checked(early)[Claim::time_upper], Proof::proved);
}

}  // namespace
}  // namespace tactus::detail
