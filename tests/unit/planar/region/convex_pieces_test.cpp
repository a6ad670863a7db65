#include "tactus/planar/region/convex_pieces.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>
#include <vector>

#include "tactus/core/random.hpp"
#include "tactus/planar/region/exact.hpp"
#include "tests/support/effort.hpp"

namespace tactus::detail {
namespace {

using test::effort;
using Ring = std::vector<Vec2>;

double area_of(const Ring& ring) {
  double twice = 0.0;
  for (std::size_t i = 0; i < ring.size(); ++i)
    twice += cross(ring[i] - ring[0], ring[(i + 1) % ring.size()] - ring[0]);
  return 0.5 * twice;
}

/// Counter-clockwise and convex, to the last bit; with the region's corners alone; their areas add
/// up, and none of them meets another's inside.
void expect_cover(const Region& region) {
  const std::vector<Ring> pieces = convex_pieces(region);
  std::set<std::pair<double, double>> corners;
  for (const Contour& contour : region.contours())
    for (const Vec2& p : contour.points()) corners.emplace(p.x, p.y);
  double area = 0.0;
  for (const Ring& piece : pieces) {
    ASSERT_GE(piece.size(), 3u);
    for (std::size_t i = 0; i < piece.size(); ++i) {
      const Vec2 &p = piece[i], &q = piece[(i + 1) % piece.size()];
      EXPECT_EQ(corners.count({p.x, p.y}), 1u);
      EXPECT_GE(orientation(p, q, piece[(i + 2) % piece.size()]), 0);
    }
    area += area_of(piece);
  }
  EXPECT_NEAR(area, region.mass().area, 1e-12 * region.mass().area);
  for (std::size_t i = 0; i < pieces.size(); ++i)
    for (std::size_t j = i + 1; j < pieces.size(); ++j)
      EXPECT_FALSE(overlap(Region(pieces[i]), {}, Region(pieces[j]), {})) << i << ' ' << j;
}

Ring star(Random& random, const Vec2& center, double least, double most, int corners) {
  Ring ring;
  for (int i = 0; i < corners; ++i) {
    const double angle = 6.283185307179586 * i / corners, r = random.uniform(least, most);
    ring.push_back(center + Vec2{r * std::cos(angle), r * std::sin(angle)});
  }
  return ring;
}

TEST(ConvexPieces, CoverStarsWithHolesExactly) {
  Random random(3);
  for (int i = 0; i < effort(40); ++i) {
    // With six corners and more no edge comes nearer to the middle than 0.86 of the least radius.
    Ring outer = star(random, {}, 0.6, 3.0, 6 + static_cast<int>(random.below(20)));
    std::vector<Ring> holes;
    const int count = static_cast<int>(random.below(6));
    for (int k = 0; k < count; ++k) {
      const double angle = 6.283185307179586 * k / count;
      const Vec2 center{0.3 * std::cos(angle), 0.3 * std::sin(angle)};
      holes.push_back(star(random, center, 0.04, 0.12, 3 + static_cast<int>(random.below(7))));
      if (random.below(2) == 0) std::reverse(holes.back().begin(), holes.back().end());
    }
    if (random.below(2) == 0) std::reverse(outer.begin(), outer.end());
    expect_cover(Region(outer, holes));
  }
}

TEST(ConvexPieces, CoverCornersOnLines) {
  // Corners on straight edges, edges in line, holes whose corners are in line with others.
  expect_cover(
      Region({{0, 0}, {1, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {2, 2}, {2, 3}, {0, 3}, {0, 1}}));
  std::vector<Ring> holes;
  for (int x = 0; x < 4; ++x)
    for (int y = 0; y < 3; ++y) {
      const double l = 1.0 + 2.0 * x, b = 1.0 + 2.0 * y;
      holes.push_back({{l, b}, {l + 1, b}, {l + 1, b + 1}, {l, b + 1}});
    }
  expect_cover(Region({{0, 0}, {9, 0}, {9, 7}, {0, 7}}, holes));
}

TEST(ConvexPieces, LeaveConvexRegionsWhole) {
  Ring ring;
  for (int i = 0; i < 12; ++i)
    ring.push_back({std::cos(0.5235987755982988 * i), std::sin(0.5235987755982988 * i)});
  EXPECT_EQ(convex_pieces(Region(ring)).size(), 1u);
  std::reverse(ring.begin(), ring.end());
  EXPECT_EQ(convex_pieces(Region(ring)).size(), 1u);
}

// A comb of four teeth: no more than twice as many pieces as the five of teeth and back.
TEST(ConvexPieces, JoinWhatIsConvex) {
  Ring comb{{0, 0}, {7, 0}};
  for (int i = 3; i >= 0; --i) {
    comb.push_back({2.0 * i + 1, 2});
    comb.push_back({2.0 * i, 2});
    if (i == 0) break;
    comb.push_back({2.0 * i, 1});
    comb.push_back({2.0 * i - 1, 1});
  }
  EXPECT_LE(convex_pieces(Region(comb)).size(), 10u);
  expect_cover(Region(comb));
}

}  // namespace
}  // namespace tactus::detail
