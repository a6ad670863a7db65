#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tactus/check.hpp"
#include "tactus/planar.hpp"

namespace {

using namespace tactus;
using namespace tactus::planar;

// The leftmost corner twice in a row: its segment of no length was taken for the one before, and
// the region refused as one without area.
TEST(PlanarCases, ALeftmostCornerMayBeGivenTwice) {
  const Region region({{0, 0}, {0, 0}, {2, 0}, {2, 3}});
  EXPECT_DOUBLE_EQ(region.mass().area, 3.0);
  const Region last({{0, 0}, {2, 0}, {2, 3}, {0, 0}});
  EXPECT_DOUBLE_EQ(last.mass().area, 3.0);
}

// Fourth powers of lengths decide; below 1e-77 they underflow, and every circle touched nothing.
TEST(PlanarCases, TinyCirclesOverlapTinyContours) {
  const double unit = 0x1p-290;
  const Contour contour({{0, 4 * unit}, {8 * unit, 4 * unit}, {8 * unit, 9 * unit}}, false);
  const Pose2 at({3 * unit, unit}, 0.0);
  EXPECT_TRUE(overlap(Circle(3.5 * unit), at, contour, {}));
  EXPECT_FALSE(overlap(Circle(3 * unit), at, contour, {}));
  EXPECT_FALSE(overlap(Circle(2 * unit), at, contour, {}));
  EXPECT_TRUE(overlap(Circle(4 * unit), {}, Circle(unit), Pose2({4.5 * unit, 0}, 0.0)));
  EXPECT_FALSE(overlap(Circle(4 * unit), {}, Circle(unit), Pose2({5 * unit, 0}, 0.0)));
}

// A triangle exactly as wide as the gap between two teeth: pushed up, it still touched both, and
// its fit without room was taken for the way out.
TEST(PlanarCases, AnExactFitBetweenTeethIsNoWayOut) {
  const Region triangle({{0.25, 0}, {0.375, 0}, {0.375, 0.75}});
  const Region comb({{0, 0},
                     {0.625, 0},
                     {0.625, 0.375},
                     {0.5, 0.375},
                     {0.5, 0.25},
                     {0.375, 0.25},
                     {0.375, 0.375},
                     {0.25, 0.375},
                     {0.25, 0.25},
                     {0.125, 0.25},
                     {0.125, 0.375},
                     {0, 0.375}});
  const PlanarResult r = distance(triangle, {}, comb, {});
  ASSERT_LT(r.distance, 0.0);
  const Pose2 moved(r.point_a - r.point_b, 0.0);
  EXPECT_GT(distance(triangle, {}, comb, moved).distance, 0.0);
}

// The way of a disc out of a narrow corner: the place was pushed out 1e-13 farther than it takes,
// and the answer's points lay beside both bodies.
TEST(PlanarCases, PointsOfADeepDiscLieOnBothBodies) {
  const std::vector<Vec2> points{{0.88348196856677541, 0},
                                 {0.5362605251988094, 0.34463371314106928},
                                 {0.28651892619739033, 0.62738893488806724},
                                 {-0.074524450479411822, 0.51832893831677662},
                                 {-0.65349372781140036, 0.7541719651768094},
                                 {-0.44695922300360413, 0.13123906913700564},
                                 {-0.87533849440010281, -0.25702257224465203},
                                 {-0.58014761395550973, -0.66952603749509276},
                                 {-0.035698673878402427, -0.24828973057400777},
                                 {0.20384449421148176, -0.44635718067026364},
                                 {0.43510610140810496, -0.27962571230283562}};
  const Vec2 centre{-0.31450972951188866, -0.22045975305552515};
  const double radius = 0.40792685584165156;
  const PlanarResult r = distance(Circle(radius), Pose2(centre, 0.0), Region(points), {});
  ASSERT_LT(r.distance, 0.0);
  EXPECT_NEAR(norm(r.point_a - centre), radius, 1e-14);
  std::vector<Touch> found;
  touches(Circle(1e-13), Pose2(r.point_b, 0.0), Contour(points), {}, found);
  ASSERT_FALSE(found.empty());
  EXPECT_GT(found[0].depth, 1e-13 - 1e-14);
}

double off_boundary(const Region& region, const Vec2& p) {
  double least = 1e300;
  for (const Contour& c : region.contours()) {
    least = std::min(least, distance(Circle(0.0), Pose2(p, 0.0), c, {}).distance);
  }
  return least;
}

// Boxes that overlap: the extreme corner lay beside the other's edge, and the place before it off
// that body by as much as the corner is.
TEST(PlanarCases, PointsOfADepthLieOnBothBoxes) {
  const Region inner({{1, 1}, {2, 1}, {2, 2}, {1, 2}}), outer({{0, 0}, {10, 0}, {10, 4}, {0, 4}});
  const PlanarResult r = distance(inner, {}, outer, {});
  EXPECT_NEAR(r.distance, -2.0, 1e-13);
  EXPECT_LE(off_boundary(inner, r.point_a), 1e-13);
  EXPECT_LE(off_boundary(outer, r.point_b), 1e-13);
  EXPECT_LE(norm((r.point_b - r.point_a) - r.normal * r.distance), 1e-14);
  const Region flat({{0, 0}, {2.5, 0}, {2.5, 3}, {0, 3}}),
      post({{0, 0}, {0.5, 0}, {0.5, 4}, {0, 4}});
  const Pose2 pose({-0.25, -1.75}, 0.0);
  const PlanarResult s = distance(flat, {}, post, pose);
  EXPECT_NEAR(s.distance, -0.25, 1e-13);
  EXPECT_LE(off_boundary(flat, s.point_a), 1e-13);
  EXPECT_LE(off_boundary(post, pose.to_local(s.point_b)), 1e-13);
}

// A corner that touches from within, corners on edges, and edges that share corners: crossings at
// one place were walked in the order of the edges' numbers, past the piece that they bound.
TEST(PlanarCases, ContactsOfCornersOnEdgesAreNoDeeperThanThePair) {
  using Points = std::vector<Vec2>;
  const std::pair<Points, Points> cases[] = {
      {{{1, 1}, {1, 2}, {2, 2}}, {{2, 0}, {0, 0}, {0, 4}, {2, 4}}},
      {{{0, 0}, {5, 0}, {4, 8}, {4, 1}}, {{2, 1}, {4, 2}, {-1, -2}}},
      {{{3, 0}, {2, 2}, {2, 1}}, {{0, 0}, {17, 0}, {17, 1}, {2, 1}, {2, 4}, {0, 4}}},
      {{{2, 3}, {1, 1}, {0, 1}}, {{0, 0}, {0, 2}, {4, 2}}},
      {{{2, 7}, {5, 4}, {4, 0}}, {{0, 0}, {11, 0}, {9, 8}, {9, 1}}}};
  for (const auto& [points_a, points_b] : cases) {
    const Region a(points_a), b(points_b);
    const double depth = -distance(a, {}, b, {}).distance;
    PlanarContacts found;
    contacts(a, {}, b, {}, found);
    ASSERT_FALSE(found.all().empty());
    for (const PlanarContact& c : found.all()) {
      EXPECT_LE(c.depth, depth + 1e-13);
      EXPECT_LE(off_boundary(a, c.point_a), 1e-13);
      EXPECT_LE(off_boundary(b, c.point_b), 1e-13);
    }
  }
}

// A contact through a body's own inside: a ring around the other's smaller hole.
TEST(PlanarCases, NoContactLeadsThroughTheCornersOwnBody) {
  const auto box = [](double half) {
    return std::vector<Vec2>{{-half, -half}, {half, -half}, {half, half}, {-half, half}};
  };
  const Region ring(box(3), {box(2)}), plate(box(9), {box(1.75)});
  PlanarContacts found;
  contacts(ring, {}, plate, {}, found, 0.5);
  ASSERT_EQ(found.all().size(), 1U);
  EXPECT_EQ(found.all()[0].depth, -distance(ring, {}, plate, {}).distance);
}

// The first point of an open contour twice: its segment of no length has no normal.
TEST(PlanarCases, ARepeatedFirstPointHasTheNormalOfTheNextSegment) {
  for (const std::vector<Vec2>& points :
       {std::vector<Vec2>{{0, 0}, {0, 0}, {1, 0}}, std::vector<Vec2>{{0, 0}, {1, 0}, {1, 0}}}) {
    const Contour contour(points, false);
    const PlanarResult r = distance(Circle(0.0), {}, contour, {});
    EXPECT_EQ(r.status, Status::converged);
    EXPECT_EQ(r.distance, 0.0);
    EXPECT_EQ(r.normal, (Vec2{0.0, 1.0}));
    const PlanarCast c = cast(Circle(0.0), {}, {{1, 1}, 0.0}, contour, {}, {});
    EXPECT_EQ(c.time, 0.0);
    EXPECT_TRUE(is_finite(c.normal));
  }
}

// Points, normal and distance of a cast were not looked at.
TEST(PlanarCases, AMadeUpPlaceOfACastIsRefuted) {
  const Region box({{0, 0}, {1, 0}, {1, 1}, {0, 1}});
  const Pose2 away({3, 0}, 0.0);
  const PlanarMotion still, left{{-4, 0}, 0.0};
  const PlanarCast right = cast(box, {}, still, box, away, left);
  const auto report = [&](const PlanarCast& told) {
    return check(PlanarShape(box), {}, still, PlanarShape(box), away, left, told);
  };
  EXPECT_TRUE(report(right).ok) << report(right).failure;
  PlanarCast lie = right;
  lie.point_a = lie.point_b = {77, 88};
  EXPECT_EQ(report(lie)[Claim::points], Proof::refuted);
  lie = right;
  lie.distance = 5;
  EXPECT_EQ(report(lie)[Claim::value], Proof::refuted);
  lie = right;
  lie.normal = {0, 1};
  EXPECT_NE(report(lie)[Claim::normal], Proof::proved);
}

// True touches with the centre on the boundary, and two points at one place, were refuted; a
// contour that does not exist was read.
TEST(PlanarCases, TouchesOnTheBoundaryAreProved) {
  const Region box({{0, 0}, {4, 0}, {4, 4}, {0, 4}});
  for (const Vec2& at : {Vec2{2, 0}, Vec2{0, 0}, Vec2{4, 3}, Vec2{1, 4 - 1e-16}}) {
    std::vector<Touch> found;
    touches(Circle(1.0), Pose2(at, 0.0), box, {}, found);
    const CheckReport report = check(Circle(1.0), Pose2(at, 0.0), PlanarShape(box), {}, found, 0.0);
    EXPECT_TRUE(report.ok) << report.failure;
    ASSERT_FALSE(found.empty());
    found[0].contour = 7;
    EXPECT_TRUE(check(Circle(1.0), Pose2(at, 0.0), PlanarShape(box), {}, found, 0.0).refuted());
  }
  const Circle point(0.0);
  const PlanarResult r = distance(point, {}, point, {});
  const CheckReport report = check(PlanarShape(point), {}, PlanarShape(point), {}, r);
  EXPECT_FALSE(report.refuted()) << report.failure;
}

}  // namespace
