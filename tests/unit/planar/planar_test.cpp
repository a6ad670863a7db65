#include "tactus/planar.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace {

using namespace tactus;
using namespace tactus::planar;
using Points = std::vector<Vec2>;

std::vector<Vec2> rectangle(double x0, double y0, double x1, double y1) {
  return {{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}};
}

std::vector<Touch> touched(double radius, Vec2 centre, const Contour& contour) {
  std::vector<Touch> out;
  touches(Circle(radius), Pose2(centre, 0.0), contour, {}, out);
  return out;
}

TEST(Contour, NamesBothSegmentsThatCross) {
  const std::vector<Vec2> eight{{0, 0}, {2, 2}, {2, 0}, {0, 2}};
  try {
    Contour contour(eight);
    FAIL();
  } catch (const InvalidInput& error) {
    EXPECT_STREQ(error.what(), "points: segments 0 and 2 cross or touch");
  }
  EXPECT_EQ(Contour(eight, true, Crossings::accept).segments(), 4U);
  EXPECT_THROW(Contour({{0, 0}, {2, 0}, {1, 0}}, false), InvalidInput);
  EXPECT_THROW(Contour({{1, 1}, {1, 1}, {1, 1}}), InvalidInput);
  EXPECT_THROW(Contour({{0, 0}, {std::nan(""), 1}}, false), InvalidInput);
  EXPECT_NO_THROW(Contour({{0, 0}, {0, 0}, {1, 0}, {1, 1}, {1, 1}}));
}

TEST(Region, KnowsItsMass) {
  // 4 x 2 less 1 x 1 in the middle: inertia 8 (16 + 4) / 12 - (1 + 1) / 12.
  const Region region(rectangle(0, 0, 4, 2), {rectangle(1.5, 0.5, 2.5, 1.5)});
  EXPECT_NEAR(region.mass().area, 7.0, 1e-14);
  EXPECT_NEAR(region.mass().centroid.x, 2.0, 1e-14);
  EXPECT_NEAR(region.mass().centroid.y, 1.0, 1e-14);
  EXPECT_NEAR(region.mass().inertia, 160.0 / 12.0 - 2.0 / 12.0, 1e-13);
  EXPECT_NEAR(region.bounding_radius(), std::sqrt(5.0), 1e-14);
}

TEST(Region, RefusesHolesThatAreNone) {
  const auto outer = rectangle(0, 0, 4, 4);
  EXPECT_THROW(Region(outer, {rectangle(5, 5, 6, 6)}), InvalidInput);
  EXPECT_THROW(Region(outer, {rectangle(0, 1, 1, 2)}), InvalidInput);
  EXPECT_THROW(Region(outer, {rectangle(1, 1, 3, 3), rectangle(1.5, 1.5, 2, 2)}), InvalidInput);
  EXPECT_THROW(Region(outer, {rectangle(1.5, 1.5, 2, 2), rectangle(1, 1, 3, 3)}), InvalidInput);
}

TEST(Touches, SegmentFromEitherSide) {
  const Contour line({{0, 0}, {4, 0}}, false);
  for (const double side : {1.0, -1.0}) {
    const auto found = touched(1.0, {1.0, 0.75 * side}, line);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].kind, TouchKind::segment);
    EXPECT_EQ(found[0].point, (Vec2{1.0, 0.0}));
    EXPECT_EQ(found[0].part, 1.0);
    EXPECT_EQ(found[0].normal, (Vec2{0.0, side}));
    EXPECT_NEAR(found[0].angle, side * std::acos(0.0), 1e-15);
    EXPECT_EQ(found[0].depth, 0.25);
  }
  EXPECT_TRUE(touched(1.0, {1.0, 1.5}, line).empty());
}

TEST(Touches, EndCornerAndCentreOnTheContour) {
  const Contour line({{0, 0}, {4, 0}, {4, 0}, {4, 4}}, false);
  auto found = touched(1.0, {-0.5, 0.0}, line);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].kind, TouchKind::end);
  EXPECT_EQ(found[0].depth, 0.5);
  found = touched(1.0, {4.0, 4.5}, line);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].kind, TouchKind::end);
  EXPECT_EQ(found[0].segment, 2U);
  EXPECT_EQ(found[0].part, 4.0);
  found = touched(1.0, {4.3, -0.4}, line);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].kind, TouchKind::convex);
  EXPECT_EQ(found[0].segment, 2U);
  EXPECT_NEAR(found[0].depth, 0.5, 1e-15);
  found = touched(1.0, {2.0, 0.0}, line);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].depth, 1.0);
  EXPECT_EQ(found[0].normal, (Vec2{0.0, -1.0}));
}

TEST(Touches, ConcaveCornerTwiceSmallerIndexFirst) {
  const Contour square(rectangle(0, 0, 4, 4));
  const auto found = touched(1.0, {0.5, 0.75}, square);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].segment, 0U);
  EXPECT_EQ(found[1].segment, 3U);
  for (const Touch& t : found) EXPECT_EQ(t.kind, TouchKind::concave);
  EXPECT_EQ(found[0].depth, 0.25);
  EXPECT_EQ(found[1].depth, 0.5);
}

TEST(Touches, CentreInsideARegionIsDeeper) {
  const Region region(rectangle(0, 0, 4, 10));
  std::vector<Touch> out;
  touches(Circle(0.5), Pose2({1.0, 5.0}, 0.0), region, {}, out);
  ASSERT_EQ(out.size(), 1U);
  EXPECT_EQ(out[0].depth, 1.5);
  EXPECT_EQ(out[0].normal, (Vec2{-1.0, 0.0}));
}

TEST(Touches, OfConvexRegionsFromOutsideAreThoseOfTheirContours) {
  std::vector<Touch> of_region, of_contour;
  int several = 0;
  for (int n = 3; n <= 18; ++n) {
    for (int k = 0; k < 400; ++k) {
      std::vector<Vec2> points;
      for (int i = 0; i < n; ++i) {
        points.push_back(Pose2({}, 6.28 * (i + 0.3 * ((i * k) % 3)) / n).to_world({1.0, 0.0}));
      }
      if (k % 2 == 1) std::reverse(points.begin(), points.end());
      const Region region(points);
      const double far = 1.0 + 0.002 * k;
      const Pose2 at(Pose2({}, 0.37 * k).to_world({far, 0.0}), 0.0);
      const Circle circle(k % 5 == 0 ? 2.5 : 0.3);
      touches(circle, at, region, {}, of_region);
      touches(circle, at, region.contours()[0], {}, of_contour);
      ASSERT_EQ(of_region.size(), of_contour.size()) << n << " " << k;
      several += of_region.size() > 1 ? 1 : 0;
      for (std::size_t i = 0; i < of_region.size(); ++i) {
        EXPECT_EQ(of_region[i].segment, of_contour[i].segment);
        EXPECT_EQ(of_region[i].kind, of_contour[i].kind);
        EXPECT_EQ(of_region[i].depth, of_contour[i].depth);
        EXPECT_EQ(of_region[i].normal, of_contour[i].normal);
        EXPECT_EQ(of_region[i].angle, of_contour[i].angle);
      }
    }
  }
  EXPECT_GT(several, 100);
}

TEST(Touches, CentreOnARegionsBoundaryLooksOutwards) {
  const Points outer = rectangle(0, 0, 4, 10), hole = rectangle(1, 1, 3, 9);
  for (const bool turned : {false, true}) {
    const auto as_given = [&](Points p) { return turned ? Points(p.rbegin(), p.rend()) : p; };
    const Region region(as_given(outer), {as_given(hole)});
    std::vector<Touch> out;
    touches(Circle(0.5), Pose2({4.0, 5.0}, 0.0), region, {}, out);
    ASSERT_EQ(out.size(), 1U);
    EXPECT_EQ(out[0].normal, (Vec2{1.0, 0.0}));
    touches(Circle(0.5), Pose2({3.0, 5.0}, 0.0), region, {}, out);
    ASSERT_EQ(out.size(), 1U);
    EXPECT_EQ(out[0].normal, (Vec2{-1.0, 0.0}));
    EXPECT_EQ(out[0].contour, 1U);
  }
}

TEST(Pose2, RefusesWhatIsNoPose) {
  EXPECT_THROW(Pose2({std::nan(""), 0.0}, 0.0), InvalidInput);
  EXPECT_THROW(Pose2({0.0, 0.0}, 1e7), InvalidInput);
}

TEST(Overlap, IsExactAtTouching) {
  const Region square(rectangle(0, 0, 1, 1));
  const double ulp = 1.0 / 9007199254740992.0;
  EXPECT_FALSE(overlap(square, {}, square, Pose2({1.0, 0.0}, 0.0)));
  EXPECT_TRUE(overlap(square, {}, square, Pose2({1.0 - ulp, 0.0}, 0.0)));
  EXPECT_TRUE(overlap(square, {}, square, {}));
  const Region frame(rectangle(0, 0, 3, 3), {rectangle(1, 1, 2, 2)});
  EXPECT_FALSE(overlap(frame, {}, square, Pose2({1.0, 1.0}, 0.0)));
  EXPECT_TRUE(overlap(frame, {}, square, Pose2({1.0, 1.0 + 2 * ulp}, 0.0)) ||
              overlap(frame, {}, square, Pose2({1.0, 1.0 + 4 * ulp}, 0.0)));
  EXPECT_TRUE(overlap(frame, {}, square, {}));
}

void expect_depth(const PlanarResult& r, double depth) {
  EXPECT_LE(r.lower, -depth);
  EXPECT_GE(r.upper, -depth);
  EXPECT_LE(r.upper - r.lower, 1e-12);
  EXPECT_EQ(r.status, Status::converged);
}

TEST(Depth, OfSquares) {
  const Region square(rectangle(0, 0, 1, 1));
  expect_depth(distance(square, {}, square, {}), 1.0);
  const PlanarResult r = distance(square, {}, square, Pose2({0.75, 0.25}, 0.0));
  expect_depth(r, 0.25);
  EXPECT_NEAR(r.normal.x, 1.0, 1e-12);
}

TEST(Depth, GoesThroughAHoleOnlyWithRoom) {
  const Region peg(rectangle(0, 0, 1, 1));
  const Region tight(rectangle(-2, -2, 3, 3), {rectangle(0, 0, 1, 1)});
  const Region roomy(rectangle(-2, -2, 3, 3), {rectangle(0, 0, 1.125, 1.25)});
  // An exact fit has no room: neither does one that is wider along one side only.
  expect_depth(distance(tight, {}, peg, Pose2({0.25, 0.0}, 0.0)), 2.75);
  const Region slot(rectangle(-2, -2, 3, 3), {rectangle(0, 0, 1, 1.5)});
  expect_depth(distance(slot, {}, peg, Pose2({0.25, 0.0}, 0.0)), 2.75);
  expect_depth(distance(roomy, {}, peg, Pose2({0.25, 0.0}, 0.0)), 0.125);
}

TEST(Depth, OfCombsIsThatOfTheWholeNotOfTheTeeth) {
  std::vector<Vec2> points{{0, 0}, {5, 0}};
  for (int k = 2; k >= 0; --k) {
    points.push_back({2.0 * k + 1, 3});
    points.push_back({2.0 * k + 0, 3});
    if (k > 0) {
      points.push_back({2.0 * k, 1});
      points.push_back({2.0 * k - 1, 1});
    }
  }
  const Region comb(points);
  // A square of width 2 over the teeth: sideways 4 or 3, upwards 1.
  const Region block(rectangle(1, 2, 3, 4));
  expect_depth(distance(comb, {}, block, {}), 1.0);
  // A comb in itself: upwards 3, sideways by one gap the bases still meet.
  expect_depth(distance(comb, {}, comb, {}), 3.0);
}

TEST(Distance, ApartAndTouching) {
  const Region square(rectangle(0, 0, 1, 1));
  const PlanarResult r = distance(square, {}, square, Pose2({4.0, 5.0}, 0.0));
  EXPECT_LE(r.lower, 5.0);
  EXPECT_GE(r.upper, 5.0);
  EXPECT_LE(r.upper - r.lower, 1e-13);
  EXPECT_NEAR(r.normal.x, 0.6, 1e-15);
  EXPECT_EQ(distance(square, Pose2({}, 0.3), square, Pose2({1e6, 0.0}, 0.3)).status,
            Status::converged);
  const PlanarResult touching = distance(square, {}, square, Pose2({0.0, 1.0}, 0.0));
  EXPECT_EQ(touching.distance, 0.0);
}

}  // namespace
