#include <gtest/gtest.h>

#include <vector>

#include "tactus/planar.hpp"

namespace {

using namespace tactus;

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

}  // namespace
