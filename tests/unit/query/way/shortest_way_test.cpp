#include "tactus/query/way/shortest_way.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tactus/core/random.hpp"
#include "tactus/query/way/shortest_within.hpp"
#include "tests/support/effort.hpp"

namespace tactus::detail {
namespace {

Vec3 random_unit(Random& random) {
  const double x = random.uniform(-1, 1), y = random.uniform(-1, 1);
  return normalized(Vec3{x, y, random.uniform(-1, 1)});
}

// The shortest vector beyond planes: no random vector beyond them is shorter, and it is beyond all.
TEST(ShortestWithin, NoVectorBeyondThePlanesIsShorter) {
  Random random(1);
  int found = 0;
  for (int i = 0; i < test::effort(300); ++i) {
    std::vector<Beyond> planes;
    for (int k = 0; k < 1 + i % 7; ++k)
      planes.push_back({random_unit(random), random.uniform(-0.2, 1.0)});
    const ShortestWithin s = shortest_within(planes, 0.0, 1e6);
    if (s.outcome == ShortestWithin::Outcome::found) {
      ++found;
      for (const Beyond& p : planes) EXPECT_GE(dot(p.n, s.x), p.offset - 1e-13 * (1.0 + norm(s.x)));
      EXPECT_NEAR(s.bound, norm(s.x), 1e-12 * (1.0 + norm(s.x)));
    }
    for (int k = 0; k < 200; ++k) {
      const Vec3 y = random_unit(random) * random.uniform(0.0, 3.0);
      bool beyond = true;
      for (const Beyond& p : planes) beyond = beyond && dot(p.n, y) >= p.offset;
      if (!beyond) continue;
      EXPECT_NE(s.outcome, ShortestWithin::Outcome::none);
      EXPECT_GE(norm(y), s.bound - 1e-12);
    }
  }
  EXPECT_GT(found, test::effort(300) / 2);
}

TEST(ShortestWithin, PlanesThatFaceEachOtherLeaveNothing) {
  const Beyond planes[] = {{{1, 0, 0}, 0.5}, {{-1, 0, 0}, -0.4}};
  EXPECT_EQ(shortest_within(planes, 0.0, 10.0).outcome, ShortestWithin::Outcome::none);
  const Beyond slab[] = {{{1, 0, 0}, 0.4}, {{-1, 0, 0}, -0.5}};
  const ShortestWithin s = shortest_within(slab, 0.0, 10.0);
  EXPECT_EQ(s.outcome, ShortestWithin::Outcome::found);
  EXPECT_NEAR(norm(s.x), 0.4, 1e-15);
  // Longer than the limit is none.
  EXPECT_EQ(shortest_within(slab, 0.0, 0.3).outcome, ShortestWithin::Outcome::none);
}

// Faces hold all corners, and every vector outside of the polytope is beyond one of them.
TEST(InnerPolytope, WhatIsOutsideIsBeyondAFace) {
  Random random(2);
  for (int i = 0; i < test::effort(40); ++i) {
    std::vector<Vec3> points, directions;
    const Vec3 middle = random_unit(random),
               radii{random.uniform(0.1, 2), random.uniform(0.1, 2), 1};
    const auto support = [&](const Vec3& n) {
      const Vec3 scaled{radii.x * n.x, radii.y * n.y, radii.z * n.z};
      const double length = norm(scaled);
      return middle + Vec3{radii.x * scaled.x, radii.y * scaled.y, radii.z * scaled.z} / length;
    };
    for (int k = 0; k < 8; ++k) {
      directions.push_back(random_unit(random));
      points.push_back(support(directions.back()));
    }
    InnerPolytope polytope;
    ASSERT_TRUE(polytope.start(points, directions, 1e-12));
    for (int k = 0; k < 30; ++k) {
      const Vec3 n = random_unit(random);
      polytope.insert(support(n), n);
    }
    ASSERT_EQ(polytope.points().size(), polytope.directions().size());
    for (int k = 0; k < 100; ++k) {
      // Outside of the ellipsoid, so outside of the polytope.
      const Vec3 d = random_unit(random);
      const Vec3 y = middle + Vec3{radii.x * d.x, radii.y * d.y, radii.z * d.z} * 1.001;
      bool beyond = false, corners_below = true;
      for (const InnerPolytope::Face& f : polytope.faces()) {
        if (!f.alive) continue;
        beyond = beyond || dot(f.plane.n, y) >= f.plane.offset;
        for (const Vec3& p : polytope.points())
          corners_below = corners_below && dot(f.plane.n, p) <= f.plane.offset + 1e-12;
      }
      EXPECT_TRUE(beyond);
      EXPECT_TRUE(corners_below);
    }
  }
}

/// Balls that hold translations.
class Balls : public BlockedShifts {
 public:
  struct Ball {
    Vec3 centre;
    double radius;
  };
  explicit Balls(std::vector<Ball> balls) : balls_(std::move(balls)) {}
  bool meeting(const Vec3& x, std::vector<BlockedBy>& found) override {
    for (std::uint32_t i = 0; i < balls_.size(); ++i) {
      const Vec3 out = x - balls_[i].centre;
      const double depth = balls_[i].radius - norm(out);
      if (depth > 0.0) found.push_back({i, depth, normalized(out)});
    }
    std::sort(found.begin(), found.end(),
              [](const auto& a, const auto& b) { return a.depth > b.depth; });
    return true;
  }
  Vec3 support(std::uint32_t set, const Vec3& n) const override {
    return balls_[set].centre + n * balls_[set].radius;
  }

 private:
  std::vector<Ball> balls_;
};

ShortestWayOptions options_of(double known, int nodes = 4000) {
  ShortestWayOptions options;
  options.known = known;
  options.width = 1e-6;
  options.clear = 1e-12;
  options.rounding = 1e-14;
  options.max_nodes = nodes;
  return options;
}

TEST(ShortestWay, LeavesOneBallByItsNearestSide) {
  Balls balls({{{0.25, 0, 0}, 1.0}});
  const ShortestWay way = shortest_way(balls, options_of(5.0));
  EXPECT_TRUE(way.found);
  EXPECT_NEAR(way.most, 0.75, 6e-11);
  EXPECT_LE(way.least, 0.75);
  EXPECT_GE(way.least, way.most - 2e-6);
}

// Two balls side by side: the way out is the nearest place of the circle in which they cut each
// other, 0.8 about a point 0.3 off.
TEST(ShortestWay, LeavesTwoBallsWhereTheyCutEachOther) {
  Balls balls({{{-0.6, 0.3, 0}, 1.0}, {{0.6, 0.3, 0}, 1.0}});
  const ShortestWay way = shortest_way(balls, options_of(5.0));
  EXPECT_NEAR(way.most, 0.5, 1e-10);
  EXPECT_LE(way.least, 0.5);
  EXPECT_GE(way.least, way.most - 2e-6);
}

// Where the whole circle is as near, no proof gets as narrow; the bracket is true.
TEST(ShortestWay, ACircleOfWaysOutIsBracketed) {
  Balls balls({{{-0.6, 0, 0}, 1.0}, {{0.6, 0, 0}, 1.0}});
  const ShortestWay way = shortest_way(balls, options_of(5.0));
  EXPECT_NEAR(way.most, 0.8, 5e-3);
  EXPECT_LE(way.least, 0.8);
  EXPECT_GE(way.least, way.most - 1e-2);
}

// A search that is ended early still brackets the truth.
TEST(ShortestWay, EndedEarlyItStillBrackets) {
  for (int nodes = 1; nodes < 40; ++nodes) {
    Balls balls({{{-0.6, 0, 0}, 1.0}, {{0.6, 0, 0}, 1.0}});
    const ShortestWay way = shortest_way(balls, options_of(5.0, nodes));
    EXPECT_LE(way.least, 0.8 + 1e-12);
    EXPECT_GE(way.most, 0.8 - 1e-12);
  }
}

}  // namespace
}  // namespace tactus::detail
