#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "tactus/core.hpp"
#include "tactus/core/random.hpp"
#include "tactus/fit.hpp"
#include "tactus/planar.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/pictures.hpp"

// Shapes made of whole pixels keep the outline of their pixels.
namespace tactus::detail {
namespace {

using namespace detail;
using test::blank;
using test::Drawing;

// The pixel x to the right and y up of a picture whose row 0 is the uppermost.
void set(Drawing& d, int x, int y, std::uint16_t value = 0) { d.at(x, d.height - 1 - y) = value; }

double area_of(const std::vector<Vec2>& points) {
  double twice = 0.0;
  for (std::size_t i = 0; i < points.size(); ++i)
    twice += cross(points[i], points[(i + 1) % points.size()]);
  return 0.5 * twice;
}

double area_of(const Tracing& tracing) {
  double area = 0.0;
  for (const TracedRegion& region : tracing.regions) {
    area += area_of(region.outer.points);
    for (const TracedContour& hole : region.holes) area += area_of(hole.points);
  }
  return area;
}

// Counter-clockwise from the least corner.
std::vector<Vec2> from_least(std::vector<Vec2> points) {
  const auto least = std::min_element(
      points.begin(), points.end(),
      [](const Vec2& a, const Vec2& b) { return a.x != b.x ? a.x < b.x : a.y < b.y; });
  std::rotate(points.begin(), least, points.end());
  return points;
}

Drawing filled(int width, int height, int x, int y, int w, int h) {
  Drawing d = blank(width, height);
  for (int i = x; i < x + w; ++i) {
    for (int j = y; j < y + h; ++j) set(d, i, j);
  }
  return d;
}

TraceOptions all_shapes() {
  TraceOptions options;
  options.despeckle = 0.0;
  options.foreground = Foreground::dark;
  return options;
}

TEST(PixelOutlines, ARectangleOfAnySizeIsExact) {
  Random random(7);
  for (int i = 0; i < test::effort(600); ++i) {
    const int w = 1 + static_cast<int>(random.below(i % 4 == 0 ? 60 : 15));
    const int h = 1 + static_cast<int>(random.below(i % 4 == 1 ? 60 : 15));
    const int x = static_cast<int>(random.below(9)), y = static_cast<int>(random.below(9));
    const int width = x + w + static_cast<int>(random.below(9));
    const int height = y + h + static_cast<int>(random.below(9));
    if (width == w && height == h) continue;
    TraceOptions options = all_shapes();
    options.pixels = i % 5 == 0;
    const Tracing t = trace_contours(filled(width, height, x, y, w, h).view(), options);
    ASSERT_EQ(t.regions.size(), 1u);
    const double right = x + w, top = y + h;
    EXPECT_EQ(
        from_least(t.regions[0].outer.points),
        (std::vector<Vec2>{{1.0 * x, 1.0 * y}, {right, 1.0 * y}, {right, top}, {1.0 * x, top}}))
        << w << " x " << h;
  }
}

// Strips of one to five pixels, crossed: corners of every kind of polygon of strips, also large.
TEST(PixelOutlines, PolygonsOfStripsAreExact) {
  Random random(9);
  for (int i = 0; i < test::effort(200); ++i) {
    const int size = 20 + static_cast<int>(random.below(40));
    const int w = 1 + static_cast<int>(random.below(5)), h = 2 + static_cast<int>(random.below(4));
    const int x = 3 + static_cast<int>(random.below(10)),
              y = 3 + static_cast<int>(random.below(10));
    Drawing d = blank(size, size);
    for (int k = 1; k < size - 1; ++k) {
      for (int j = 0; j < w; ++j) set(d, x + j, k);
      for (int j = 0; j < h; ++j) set(d, k, y + j);
    }
    const double n = size - 1, x0 = x, x1 = x + w, y0 = y, y1 = y + h;
    const Tracing t = trace_contours(d.view(), all_shapes());
    ASSERT_EQ(t.regions.size(), 1u);
    EXPECT_EQ(from_least(t.regions[0].outer.points), (std::vector<Vec2>{{1, y0},
                                                                        {x0, y0},
                                                                        {x0, 1},
                                                                        {x1, 1},
                                                                        {x1, y0},
                                                                        {n, y0},
                                                                        {n, y1},
                                                                        {x1, y1},
                                                                        {x1, n},
                                                                        {x0, n},
                                                                        {x0, y1},
                                                                        {1, y1}}))
        << w << " and " << h << " at " << x << ", " << y;
  }
}

// Random pixels: nothing touches (Region accepts it), every pixel's centre lies on its side, and
// the area is that of the pixels, but for the corners cut by a 64th where outlines meet.
void expect_pixels(const Drawing& d, const TraceOptions& options) {
  const Tracing t = trace_contours(d.view(), options);
  const std::int64_t inside = std::count(d.values.begin(), d.values.end(), 0);
  int saddles = 0;
  for (int y = 0; y + 1 < d.height; ++y) {
    for (int x = 0; x + 1 < d.width; ++x) {
      const auto at = [&](int i, int j) {
        return d.values[static_cast<std::size_t>(j * d.width + i)];
      };
      if (at(x, y) == at(x + 1, y + 1) && at(x + 1, y) == at(x, y + 1) && at(x, y) != at(x + 1, y))
        ++saddles;
    }
  }
  EXPECT_NEAR(area_of(t), static_cast<double>(inside), saddles / 4096.0 + 1e-9);
  if (saddles == 0) {
    EXPECT_EQ(area_of(t), static_cast<double>(inside));
  }
  for (const TracedRegion& region : t.regions) {
    std::vector<std::vector<Vec2>> holes;
    for (const TracedContour& hole : region.holes) holes.push_back(hole.points);
    EXPECT_NO_THROW(Region(region.outer.points, holes));
    for (const Vec2& p : region.outer.points) {
      EXPECT_LE(std::fabs(p.x - std::round(p.x)), 1.0 / 64.0);
      EXPECT_LE(std::fabs(p.y - std::round(p.y)), 1.0 / 64.0);
    }
  }
}

TEST(PixelOutlines, SmallShapesKeepTheirPixelsAndPixelsKeepsAll) {
  Random random(13);
  for (int i = 0; i < test::effort(300); ++i) {
    const bool small = i % 2 == 0;
    const int size = small ? 11 : 30;
    Drawing d = blank(size + 2, size + 2);
    const std::uint32_t share = 2 + random.below(7);
    for (int x = 1; x <= size; ++x) {
      for (int y = 1; y <= size; ++y) {
        if (random.below(10) < share) set(d, x, y);
      }
    }
    set(d, 1, 1);
    TraceOptions options = all_shapes();
    options.pixels = !small;
    options.saddle = i % 3 == 0   ? SaddleRule::join
                     : i % 3 == 1 ? SaddleRule::split
                                  : SaddleRule::mean;
    expect_pixels(d, options);
  }
}

// Beside a shape with soft edges, too.
TEST(PixelOutlines, StayExactInAGreyPicture) {
  std::vector<Vec2> disc;
  for (int k = 0; k < 100; ++k)
    disc.push_back({80.0 + 30.3 * std::cos(0.02 * k * std::numbers::pi),
                    80.0 + 30.3 * std::sin(0.02 * k * std::numbers::pi)});
  Random random(17);
  for (int i = 0; i < test::effort(20); ++i) {
    Drawing d = test::draw({disc}, 128);
    const int w = 1 + static_cast<int>(random.below(14)),
              h = 2 + static_cast<int>(random.below(14));
    for (int x = 5; x < 5 + w; ++x) {
      for (int y = 7; y < 7 + h; ++y) set(d, x, y);
    }
    const Tracing t = trace_contours(d.view(), all_shapes());
    ASSERT_EQ(t.regions.size(), 2u);
    EXPECT_FALSE(t.binary);
    EXPECT_EQ(from_least(t.regions[0].outer.points),
              (std::vector<Vec2>{{5, 7}, {5.0 + w, 7}, {5.0 + w, 7.0 + h}, {5, 7.0 + h}}));
  }
}

TEST(PixelOutlines, APictureOfOneValueIsItsRectangle) {
  for (const int grey : {0, 1, 100, 200, 255}) {
    const Drawing d = blank(16, 9, grey);
    for (const Foreground side : {Foreground::automatic, Foreground::light, Foreground::dark}) {
      TraceOptions options;
      options.foreground = side;
      const bool outside =
          (side == Foreground::light && grey == 0) || (side == Foreground::dark && grey == 255);
      if (outside) {
        EXPECT_THROW(trace_contours(d.view(), options), InvalidInput);
        continue;
      }
      const Tracing t = trace_contours(d.view(), options);
      ASSERT_EQ(t.regions.size(), 1u) << grey;
      EXPECT_EQ(from_least(t.regions[0].outer.points),
                (std::vector<Vec2>{{0, 0}, {16, 0}, {16, 9}, {0, 9}}));
    }
    TraceOptions inverted;
    inverted.foreground = Foreground::inverted;
    EXPECT_THROW(trace_contours(d.view(), inverted), InvalidInput);
  }
  TraceOptions options;
  options.pixels = true;
  options.error = 0.1;
  EXPECT_THROW(trace_contours(filled(9, 9, 2, 2, 3, 3).view(), options), InvalidInput);
}

}  // namespace
}  // namespace tactus::detail
