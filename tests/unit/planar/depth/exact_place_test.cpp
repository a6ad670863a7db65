#include "tactus/planar/depth/exact_place.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tactus/planar/region/access.hpp"

namespace tactus::detail {
namespace {

Region box_region(double x0, double y0, double x1, double y1) {
  return Region(std::vector<Vec2>{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}});
}

// The slide of B's lower left corner along the hole's side that looks to the right.
Slide along_left_side(const Boundary& a, const Boundary& b, double x) {
  Slide s;
  for (std::uint32_t i = 0; i < a.size(); ++i) {
    if (a.start(i).x == x && a.end(i).x == x && std::fabs(a.start(i).y) <= 1.0) s.edge = i;
  }
  for (std::uint32_t j = 0; j < b.size(); ++j) {
    if (b.points[j] == Vec2{0.0, 0.0}) s.corner = j;
  }
  return s;
}

bool fits(double width) {
  const Region a(std::vector<Vec2>{{-5, -5}, {5, -5}, {5, 5}, {-5, 5}},
                 {std::vector<Vec2>{{0, -1}, {0, 1}, {width, 1}, {width, -1}}});
  const Region b = box_region(0, 0, 1, 0.5);
  const Vec2 shift{0.25, 0.125};
  const ExactPair pair(PlanarAccess::boundary(a), PlanarAccess::boundary(b), shift);
  EXPECT_TRUE(pair.in_range());
  const Slide slide = along_left_side(PlanarAccess::boundary(a), PlanarAccess::boundary(b), 0.0);
  const ExactPlace place = pair.nearest(slide);
  EXPECT_EQ(place.rounded, (Vec2{-0.25, 0.0}));
  return pair.has_room(place, 1e-13);
}

TEST(ExactPlace, RoomOfOneRoundingIsRoom) {
  EXPECT_FALSE(fits(1.0));
  EXPECT_TRUE(fits(std::nextafter(1.0, 2.0)));
  EXPECT_FALSE(fits(std::nextafter(1.0, 0.0)));
}

TEST(ExactPlace, NearestOfASlideMayBeItsEnd) {
  const Region a = box_region(0, 0, 4, 1), b = box_region(0, 0, 1, 1);
  Slide s;  // B's corner at the origin on A's right side
  for (std::uint32_t i = 0; i < 4; ++i)
    if (PlanarAccess::boundary(a).start(i) == Vec2{4, 0}) s.edge = i;
  for (std::uint32_t j = 0; j < 4; ++j)
    if (PlanarAccess::boundary(b).points[j] == Vec2{0, 0}) s.corner = j;
  const auto nearest = [&](double y) {
    return ExactPair(PlanarAccess::boundary(a), PlanarAccess::boundary(b), {0.5, y})
        .nearest(s)
        .rounded;
  };
  EXPECT_EQ(nearest(0.25), (Vec2{3.5, 0.0}));
  EXPECT_EQ(nearest(-0.25), (Vec2{3.5, 0.25}));
  EXPECT_EQ(nearest(1.5), (Vec2{3.5, -0.5}));
}

// Sectors by their directions, counter-clockwise.
Sector sector(const Vec2& start, const Vec2& end) { return {{{}, start}, {{}, end}}; }
bool leaves(const Sector& a, const Sector& b, const Vec2& direction) {
  const auto way = way_out(a, b);
  return way && strictly_inside(*way, {{}, direction});
}

TEST(WayOut, OfCornersWallsAndNotches) {
  const Sector right_corner = sector({-1, 0}, {0, -1});  // a quarter, below and to the left
  const Sector wall_below = sector({-1, 0}, {1, 0});
  const Sector above = sector({1, 0}, {-1, 0});
  EXPECT_TRUE(leaves(wall_below, above, {0.01, 1}));
  EXPECT_TRUE(leaves(wall_below, above, {-5, 1}));
  EXPECT_FALSE(leaves(wall_below, above, {1, 0}));
  EXPECT_FALSE(leaves(wall_below, above, {1, -1}));
  // Corner to corner: all but a quarter.
  const Sector opposite = sector({1, 0}, {0, 1});
  EXPECT_TRUE(leaves(right_corner, opposite, {1, -0.1}));
  EXPECT_TRUE(leaves(right_corner, opposite, {-0.1, 1}));
  EXPECT_FALSE(leaves(right_corner, opposite, {-1, -1}));
  EXPECT_FALSE(leaves(right_corner, opposite, {-1, 0}));
  // A corner that fills a notch leaves it where the notch opens to.
  const Sector notched = sector({0, 1}, {1, 0});  // three quarters
  EXPECT_TRUE(leaves(notched, opposite, {1, 1}));
  EXPECT_TRUE(leaves(notched, opposite, {1, 0.01}));
  EXPECT_FALSE(leaves(notched, opposite, {1, -0.01}));
  EXPECT_TRUE(leaves(opposite, notched, {-1, -1}));
  EXPECT_FALSE(leaves(opposite, notched, {1, 1}));
  EXPECT_FALSE(way_out(notched, right_corner).has_value());  // it lies in the body
  EXPECT_FALSE(way_out(wall_below, right_corner).has_value());
  EXPECT_FALSE(way_out(notched, notched).has_value());
  EXPECT_FALSE(way_out(opposite, opposite).has_value());
}

}  // namespace
}  // namespace tactus::detail
