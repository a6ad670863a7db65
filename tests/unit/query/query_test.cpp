// The facade: every kind of pair, statuses, early stops, certificates, derivatives, allocation.
#include "tactus/query.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include "tactus/check.hpp"
#include "tactus/core/random.hpp"
#include "tactus/observer.hpp"
#include "tests/support/random_shapes.hpp"

namespace tactus::detail {
namespace {

TEST(Query, EveryConvexPairPassesTheChecker) {
  Random random(1);
  const std::vector<Shape> shapes = every_convex_shape(random);
  QueryOptions options;
  Certificate certificate;
  options.certificate = &certificate;
  int overlapping = 0;
  for (const Shape& a : shapes) {
    for (const Shape& b : shapes) {
      for (int n = 0; n < 40; ++n) {
        const Pose pa = random_pose(random, 0.5);
        const Pose pb = random_pose(random, 0.5);
        const DistanceResult r = distance(a, pa, b, pb, options);
        overlapping += r.distance < 0.0 ? 1 : 0;
        const CheckReport report = check(a, pa, b, pb, r, &certificate);
        const bool custom = a.type() == ShapeType::custom || b.type() == ShapeType::custom;
        ASSERT_TRUE(custom ? !report.refuted() : report.ok)
            << to_string(a.type()) << "-" << to_string(b.type()) << " " << n << ": "
            << report.failure << " [" << r.lower << ", " << r.upper << "] " << r.distance;
      }
    }
  }
  EXPECT_GT(overlapping, 500);
}

TEST(Query, SwappingTheBodiesSwapsTheAnswer) {
  Random random(2);
  const std::vector<Shape> shapes = every_convex_shape(random);
  for (const Shape& a : shapes) {
    for (const Shape& b : shapes) {
      const Pose pa = random_pose(random, 0.6);
      const Pose pb = random_pose(random, 0.6);
      const DistanceResult ab = distance(a, pa, b, pb);
      const DistanceResult ba = distance(b, pb, a, pa);
      EXPECT_LE(ab.lower, ba.upper);
      EXPECT_GE(ab.upper, ba.lower);
      const bool custom = a.type() == ShapeType::custom || b.type() == ShapeType::custom;
      // A body known by its support function only may reach the cap with a wider bracket.
      const double wide = std::max(ab.upper - ab.lower, ba.upper - ba.lower);
      EXPECT_NEAR(ab.distance, ba.distance, custom ? wide : 1e-13)
          << to_string(a.type()) << "-" << to_string(b.type());
    }
  }
}

TEST(Query, HalfSpaceIsOneSupportEvaluation) {
  const Shape plane = HalfSpace({0, 0, 2}, 1.0);  // z <= 0.5
  const DistanceResult r = distance(plane, Pose(), Box({1, 1, 1}), Pose::translation({3, 4, 0.9}));
  EXPECT_NEAR(r.distance, -0.1, 1e-15);
  EXPECT_EQ(r.normal, (Vec3{0, 0, 1}));
  EXPECT_FALSE(r.unique);
  const DistanceResult s = distance(Sphere(0.5), Pose::translation({0, 0, 2}), plane, Pose());
  EXPECT_NEAR(s.distance, 1.0, 1e-15);
  EXPECT_EQ(s.normal, (Vec3{0, 0, -1}));
  Manifold manifold[1];
  const ContactsResult c =
      contacts(plane, Pose(), Box({1, 1, 1}), Pose::translation({3, 4, 0.9}), manifold);
  ASSERT_EQ(c.manifolds, 1);
  EXPECT_EQ(manifold[0].count, 4);
}

TEST(Query, PairsWithoutAnAnswerSaySo) {
  const Shape plane = HalfSpace({0, 0, 1}, 0.0);
  const DistanceResult r = distance(plane, Pose(), plane, Pose());
  EXPECT_EQ(r.status, Status::unsupported);
  EXPECT_EQ(r.lower, -std::numeric_limits<double>::infinity());
  EXPECT_EQ(r.upper, std::numeric_limits<double>::infinity());
}

TEST(Query, MethodsAnswerForThemselvesOrSayUnsupported) {
  const Shape box = Box({1, 1, 1});
  const Pose turned(Vec3{0.6, 0.5, 0.4}, normalized(Quat{1, 0.3, 0.2, 0.1}));
  const auto ask = [&](Method method, const Shape& a, const Shape& b) {
    QueryOptions options;
    options.method = method;
    return distance(a, Pose(), b, turned, options);
  };
  EXPECT_EQ(ask(Method::automatic, box, box).method, Method::sat);
  EXPECT_EQ(ask(Method::sat, box, box).method, Method::sat);
  EXPECT_EQ(ask(Method::gjk, box, box).method, Method::epa);  // overlapping: the polytope proves it
  EXPECT_NEAR(ask(Method::gjk, box, box).distance, ask(Method::sat, box, box).distance, 1e-15);
  EXPECT_EQ(ask(Method::closed_form, box, Sphere(0.1)).method, Method::closed_form);
  EXPECT_EQ(ask(Method::closed_form, box, Cone(1, 1)).status, Status::unsupported);
  EXPECT_EQ(ask(Method::sat, box, Cone(1, 1)).status, Status::unsupported);
  for (const Method method : {Method::mpr, Method::chung_wang}) {
    const DistanceResult r = ask(method, box, Cone(1, 1));
    EXPECT_EQ(r.method, method);
    EXPECT_EQ(r.status, Status::precision_limit);
    EXPECT_LT(r.upper, 0.0);
  }
}

TEST(Query, PoseThatIsNotFiniteIsInvalidInput) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Pose broken = detail::unchecked_pose({0, nan, 0}, Mat3::identity());
  const DistanceResult r = distance(Sphere(1), broken, Box({1, 1, 1}), Pose());
  EXPECT_EQ(r.status, Status::invalid_input);
  EXPECT_EQ(r.lower, -std::numeric_limits<double>::infinity());
  EXPECT_EQ(overlap(Sphere(1), broken, Sphere(1), Pose()).overlap, Overlap::undecided);
  Manifold manifold[1];
  EXPECT_EQ(contacts(Sphere(1), broken, Sphere(1), Pose(), manifold).manifolds, 0);
}

TEST(Query, HugeCoordinatesNeverGiveNaN) {
  for (const double far : {1e100, 1e200, 1e300}) {
    const DistanceResult r =
        distance(Box({1, 1, 1}), Pose(), Cylinder(1, 1), Pose::translation({far, -far, far}));
    EXPECT_FALSE(std::isnan(r.lower) || std::isnan(r.upper));
    EXPECT_LE(r.lower, r.upper);
  }
}

TEST(Query, CompoundAnswersForTheDeepestPairOfParts) {
  const Shape dumbbell = Compound(
      {{Sphere(0.5), Pose::translation({-1, 0, 0})}, {Sphere(0.5), Pose::translation({1, 0, 0})}});
  const DistanceResult apart =
      distance(dumbbell, Pose(), Sphere(0.25), Pose::translation({0, 0, 0}));
  EXPECT_NEAR(apart.distance, 0.25, 1e-15);
  const DistanceResult deep =
      distance(Sphere(0.5), Pose::translation({1.2, 0, 0}), dumbbell, Pose());
  EXPECT_NEAR(deep.distance, -0.8, 1e-15);
  EXPECT_EQ(deep.part_a, -1);
  EXPECT_EQ(deep.part_b, 1);
  EXPECT_NEAR(deep.normal.x, -1.0, 1e-15);
  Manifold manifold[4];
  const ContactsResult c =
      contacts(dumbbell, Pose(), Box({4, 1, 1}), Pose::translation({0, 0, 0.9}), manifold);
  EXPECT_EQ(c.manifolds, 2);
  EXPECT_FALSE(c.truncated);
  const ContactsResult one =
      contacts(dumbbell, Pose(), Box({4, 1, 1}), Pose::translation({0, 0, 0.9}), {manifold, 1});
  EXPECT_TRUE(one.truncated);
}

TEST(Query, CompoundWithAPlaneAndWithACompound) {
  const Shape table = Compound({{Box({2, 2, 0.2}), Pose::translation({0, 0, 1})},
                                {Box({0.2, 0.2, 1}), Pose::translation({0, 0, 0.5})}});
  EXPECT_NEAR(distance(table, Pose(), HalfSpace({0, 0, 1}, 0.1), Pose()).distance, -0.1, 1e-15);
  // The upper table's leg stands 0.05 above the lower one's top, then 0.05 in it.
  EXPECT_NEAR(distance(table, Pose(), table, Pose::translation({0, 0, 1.15})).distance, 0.05,
              1e-15);
  EXPECT_NEAR(distance(table, Pose(), table, Pose::translation({0, 0, 1.05})).distance, -0.05,
              1e-15);
  EXPECT_NEAR(distance(table, Pose(), table, Pose::translation({3, 0, 0})).distance, 1.0, 1e-15);
}

TEST(Query, OverlapAgreesWithTheSignOfTheDistance) {
  Random random(4);
  const std::vector<Shape> shapes = every_convex_shape(random);
  for (int n = 0; n < 3000; ++n) {
    const Shape& a = shapes[random.below(static_cast<std::uint32_t>(shapes.size()))];
    const Shape& b = shapes[random.below(static_cast<std::uint32_t>(shapes.size()))];
    const Pose pa = random_pose(random, 0.6);
    const Pose pb = random_pose(random, 0.6);
    const OverlapResult o = overlap(a, pa, b, pb);
    const DistanceResult d = distance(a, pa, b, pb);
    ASSERT_NE(o.overlap, Overlap::undecided) << n << " " << d.distance;
    EXPECT_EQ(o.overlap == Overlap::yes, d.distance < 0.0);
    EXPECT_LE(o.proof.lower, d.upper);
    EXPECT_GE(o.proof.upper, d.lower);
    EXPECT_LE(o.proof.iterations, d.iterations + 8)
        << to_string(a.type()) << "-" << to_string(b.type()) << ' ' << d.distance;
  }
}

TEST(Query, KissingIsUndecidedWithZeroInTheBracket) {
  const OverlapResult o =
      overlap(Box({1, 1, 1}), Pose(), Box({1, 1, 1}), Pose::translation({1, 0.2, 0.1}));
  EXPECT_EQ(o.overlap, Overlap::undecided);
  EXPECT_LE(o.proof.lower, 0.0);
  EXPECT_GE(o.proof.upper, 0.0);
  EXPECT_NEAR(o.proof.normal.x, 1.0, 1e-12);
}

TEST(Query, MaxDistanceStopsEarly) {
  QueryOptions options;
  options.max_distance = 1.0;
  const Pose far(Vec3{7, 3, 2}, normalized(Quat{1, 0.2, 0.3, 0.4}));
  const DistanceResult stopped = distance(Cylinder(1, 2), Pose(), Cylinder(1, 2), far, options);
  const DistanceResult full = distance(Cylinder(1, 2), Pose(), Cylinder(1, 2), far);
  EXPECT_GT(stopped.lower, 1.0);
  EXPECT_LT(stopped.iterations, full.iterations);
  EXPECT_LE(stopped.lower, full.upper);
  EXPECT_GE(stopped.upper, full.lower);
}

TEST(Query, ContactThresholdReportsGaps) {
  Manifold manifold[1];
  const Pose above = Pose::translation({0, 0, 1.004});
  EXPECT_EQ(contacts(Box({1, 1, 1}), Pose(), Box({1, 1, 1}), above, manifold).manifolds, 0);
  QueryOptions options;
  options.margin = 0.01;
  ASSERT_EQ(contacts(Box({1, 1, 1}), Pose(), Box({1, 1, 1}), above, manifold, options).manifolds,
            1);
  EXPECT_EQ(manifold[0].count, 4);
  for (const ContactPoint& p : manifold[0].span()) EXPECT_NEAR(p.depth, -0.004, 1e-15);
}

TEST(Query, DerivativesMatchFiniteDifferences) {
  Random random(6);
  constexpr double kStep = 1e-6;
  const std::vector<Shape> shapes{Sphere(0.4), Ellipsoid({0.5, 0.3, 0.4}), Capsule(0.2, 0.6),
                                  Shape(Box({0.4, 0.3, 0.2}), 0.1)};
  int judged = 0;
  for (int n = 0; n < 300; ++n) {
    const Shape& a = shapes[random.below(4)];
    const Shape& b = shapes[random.below(4)];
    const Pose pa = random_pose(random, 0.6);
    const Pose pb = random_pose(random, 0.6);
    Derivatives d;
    QueryOptions options;
    options.derivatives = &d;
    const DistanceResult r = distance(a, pa, b, pb, options);
    if (!d.smooth || r.distance < -0.1) continue;
    ++judged;
    for (int i = 0; i < 3; ++i) {
      Vec3 e;
      e[i] = kStep;
      const auto moved = [&](const Pose& p, double side) {
        return detail::unchecked_pose(p.position() + e * side, p.rotation());
      };
      const auto turned = [&](const Pose& p, double side) {
        const Quat turn =
            normalized(Quat{1.0, 0.5 * side * e.x, 0.5 * side * e.y, 0.5 * side * e.z});
        return detail::unchecked_pose(p.position(), to_matrix(turn) * p.rotation());
      };
      const auto slope = [&](const Pose& a1, const Pose& b1, const Pose& a0, const Pose& b0) {
        return (distance(a, a1, b, b1).distance - distance(a, a0, b, b0).distance) / (2.0 * kStep);
      };
      EXPECT_NEAR(slope(moved(pa, 1), pb, moved(pa, -1), pb), d.linear_a[i], 3e-8);
      EXPECT_NEAR(slope(pa, moved(pb, 1), pa, moved(pb, -1)), d.linear_b[i], 2e-8);
      EXPECT_NEAR(slope(turned(pa, 1), pb, turned(pa, -1), pb), d.angular_a[i], 3e-8);
      EXPECT_NEAR(slope(pa, turned(pb, 1), pa, turned(pb, -1)), d.angular_b[i], 2e-8);
    }
  }
  EXPECT_GT(judged, 100);
}

TEST(Query, CacheNeverChangesTheTruthAndGivesTheSameBits) {
  Random random(8);
  const Shape a = random_hull(random, 60);
  const Shape b = Cylinder(0.4, 0.8);
  QueryCache cache;
  QueryCache twin;
  for (int n = 0; n < 200; ++n) {
    const double t = 0.01 * n;
    const Pose pb(Vec3{0.9 - 0.3 * t, 0.1 * t, 0.2}, normalized(Quat{1, 0.1 * t, 0.05, 0.2 * t}));
    const DistanceResult warm = distance(a, Pose(), b, pb, {}, &cache);
    const DistanceResult again = distance(a, Pose(), b, pb, {}, &twin);
    const DistanceResult cold = distance(a, Pose(), b, pb);
    EXPECT_EQ(warm.distance, again.distance);
    EXPECT_EQ(warm.normal, again.normal);
    EXPECT_EQ(cache, twin);
    EXPECT_LE(warm.lower, cold.upper);
    EXPECT_GE(warm.upper, cold.lower);
  }
}

struct EventCounter : Observer {
  void simplex(const SimplexEvent& e) override {
    ++(std::string_view(e.state.stage) == "gjk" ? gjk : epa);
    EXPECT_LE(e.points.size(), 4u);
    EXPECT_NEAR(norm(e.direction), 1.0, 1e-14);
  }
  void plane(const PlaneEvent& e) override {
    ++planes;
    least = std::min(least, e.offset);
  }
  void cap(const CapEvent& e) override {
    ++caps;
    depth = e.depth;
  }
  void ray(const RayEvent& e) override {
    ++rays;
    EXPECT_LE(norm(e.point + e.motion * -e.time), 1e-14);
    time = e.time;
  }
  void segment(const SegmentEvent& e) override {
    ++answers;
    answer = e;
  }
  int gjk = 0, epa = 0, planes = 0, caps = 0, rays = 0, answers = 0;
  double least = 1e300, depth = 0.0, time = 0.0;
  SegmentEvent answer;
};

TEST(Query, ObserverSeesEveryStage) {
  EventCounter seen;
  const Shape box = Box({1, 1, 1}), cylinder = Cylinder(0.5, 1);
  const Pose pose_b(Vec3{0.4, 0.3, 0.2}, normalized(Quat{1, 0.3, 0.1, 0}));
  QueryOptions options;
  options.observer = &seen;
  // By default steps on the direction sphere, and the proof that the depth is the least.
  const DistanceResult r = distance(box, Pose(), cylinder, pose_b, options);
  EXPECT_EQ(seen.gjk + seen.epa, 0);
  EXPECT_GT(seen.planes, 0);
  EXPECT_NEAR(seen.least, -r.distance, 1e-12);
  EXPECT_EQ(seen.answers, 1);
  EXPECT_EQ(seen.answer.normal, r.normal);
  EXPECT_EQ(seen.answer.state.upper, r.upper);
  options.method = Method::gjk;
  distance(box, Pose(), cylinder, pose_b, options);
  EXPECT_GT(seen.gjk, 0);
  EXPECT_GT(seen.epa, 0);
  EXPECT_GT(seen.caps, 0);
  EXPECT_EQ(seen.answers, 2);
  const CastResult hit =
      cast(box, Pose(), {4, 0, 0}, cylinder, Pose::translation({3, 0.2, 0}), {}, options);
  EXPECT_GT(seen.rays, 0);
  EXPECT_LE(seen.time, hit.time_upper);
}

// Each classic method tells of what it looks at.
TEST(Query, ObserverSeesClassicMethods) {
  const Shape box = Box({1, 1, 1}),
              hull = Convex(std::vector<Vec3>{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {-1, -1, -1}});
  const Pose apart = Pose::translation({2.5, 0.4, 0.3});
  for (const Method method : {Method::gjk, Method::mpr, Method::chung_wang, Method::sat,
                              Method::separating_plane, Method::v_clip, Method::epa_classic}) {
    EventCounter seen;
    QueryOptions options;
    options.method = method;
    options.observer = &seen;
    const DistanceResult r = distance(hull, Pose(), box, apart, options);
    ASSERT_NE(r.status, Status::unsupported) << to_string(method);
    EXPECT_GT(seen.gjk + seen.epa + seen.planes + seen.answers, 1) << to_string(method);
  }
}

}  // namespace
}  // namespace tactus::detail
