#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tactus/core.hpp"
#include "tactus/core/random.hpp"
#include "tactus/fit.hpp"
#include "tactus/fit/box/box_search.hpp"
#include "tactus/fit/box/calipers.hpp"
#include "tests/support/boxes.hpp"
#include "tests/support/effort.hpp"

namespace tactus::detail::fit {
namespace {

using test::holds;
using test::random_points;
using test::random_rotation;

double volume_along(const std::vector<Vec3>& points, const Mat3& axes) {
  double volume = 1.0;
  for (const Vec3& axis : axes.row) {
    double low = dot(axis, points[0]), high = low;
    for (const Vec3& p : points) {
      low = std::min(low, dot(axis, p));
      high = std::max(high, dot(axis, p));
    }
    volume *= high - low;
  }
  return volume;
}

Mat3 turned(const Mat3& axes, const Vec3& by) {
  return axes * to_matrix(normalized(Quat{1.0, by.x, by.y, by.z}));
}

// The least volume over many rotations, the best of which go down by random turns of ever smaller
// angles.
double least_by_sampling(const std::vector<Vec3>& points, Random& random) {
  constexpr std::size_t kSamples = 2000, kKept = 6;
  constexpr int kTries = 60;
  struct Sample {
    double volume;
    Mat3 axes;
  };
  std::vector<Sample> samples;
  for (std::size_t i = 0; i < kSamples; ++i) {
    const Mat3 axes = random_rotation(random);
    samples.push_back({volume_along(points, axes), axes});
  }
  std::sort(samples.begin(), samples.end(),
            [](const Sample& x, const Sample& y) { return x.volume < y.volume; });
  samples.resize(kKept);
  double least = samples[0].volume;
  for (Sample& sample : samples) {
    for (double angle = 0.1; angle > 1e-11; angle *= 0.5) {
      for (int i = 0; i < kTries; ++i) {
        const Mat3 axes = turned(sample.axes, random_points(random, 1)[0] * angle);
        const double volume = volume_along(points, axes);
        if (volume < sample.volume) sample = {volume, axes};
      }
    }
    least = std::min(least, sample.volume);
  }
  return least;
}

void expect_holds_all(const OrientedBox& box, const std::vector<Vec3>& points) {
  for (const Vec3& p : points) ASSERT_TRUE(holds(box, p));
}

TEST(MinimumBox, OfARotatedBoxIsItself) {
  Random random(1);
  for (int i = 0; i < test::effort(200); ++i) {
    const Mat3 turn = random_rotation(random);
    const Vec3 half{random.uniform(0.2, 1.0), random.uniform(0.2, 1.0), random.uniform(0.2, 1.0)};
    const Vec3 center = random_points(random, 1)[0];
    std::vector<Vec3> points = test::box_corners(center, turn, half);
    for (Vec3& p : random_points(random, 30))
      points.push_back(center + transpose_times(turn, component_product(p, half)));
    const MinimumBox result = minimum_box(points);
    const double volume = 8.0 * (half.x * half.y * half.z);
    EXPECT_NEAR(result.box.volume(), volume, 1e-12 * volume) << i;
    EXPECT_LE(result.lower, volume * (1.0 + 1e-13));
    EXPECT_GE(result.lower, volume * (1.0 - 1e-11));
    expect_holds_all(result.box, points);
  }
}

TEST(MinimumBox, OfTheRegularTetrahedronIsTheCube) {
  Random random(2);
  for (int i = 0; i < test::effort(50); ++i) {
    const Mat3 turn = random_rotation(random);
    std::vector<Vec3> points = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
    for (Vec3& p : points) p = turn * p;
    const double edge = 2.0 * std::sqrt(2.0);
    const double volume = edge * edge * edge / (2.0 * std::sqrt(2.0));
    EXPECT_NEAR(minimum_box(points).box.volume(), volume, 1e-12 * volume);
  }
}

// The least box of these neither has a face on a face, nor is it found by principal axes.
TEST(MinimumBox, NoSampledBoxIsSmaller) {
  Random random(3);
  double widest = 0.0;
  for (int i = 0; i < test::effort(60); ++i) {
    std::vector<Vec3> points = random_points(random, 4 + static_cast<int>(random.below(9)));
    const Vec3 stretch{1.0, random.uniform(0.05, 1.0), random.uniform(0.05, 1.0)};
    const Mat3 turn = random_rotation(random);
    for (Vec3& p : points) p = turn * component_product(p, stretch);
    const MinimumBox result = minimum_box(points);
    const double sampled = least_by_sampling(points, random);
    EXPECT_GE(sampled, result.box.volume() * (1.0 - 1e-9)) << i;
    EXPECT_GE(sampled, result.lower) << i;
    EXPECT_GE(result.box.volume(), result.lower);
    EXPECT_GE(result.lower, result.box.volume() * (1.0 - 1e-9)) << i;
    widest = std::max(widest, sampled / result.box.volume());
    expect_holds_all(result.box, points);
  }
  // The sampling is a yardstick only if it comes near.
  EXPECT_LT(widest, 1.01);
}

// Two ways that share nothing but the widths of the hull.
TEST(MinimumBox, SearchAndCalipersAgree) {
  Random random(4);
  for (int i = 0; i < test::effort(60); ++i) {
    std::vector<Vec3> points = random_points(random, 6 + static_cast<int>(random.below(100)));
    const double thin = i % 3 == 0 ? 1.0 : random.uniform(1e-3, 1.0);
    const Mat3 turn = random_rotation(random);
    for (Vec3& p : points) {
      if (i % 2 == 0) p = normalized(p);
      p = turn * component_product(p, {1.0, i % 4 == 0 ? thin : 1.0, thin});
    }
    const ConvexHull hull = convex_hull(points);
    const HullWidths widths(hull);
    const Turn start = widths.turn(Mat3::identity());
    const BoxSearch search = search_rotations(widths, start);
    const FlushSearch flush = search_flush(hull, widths, start);
    EXPECT_LE(search.lower, flush.best.volume) << i;
    EXPECT_LE(flush.lower, search.best.volume) << i;
    EXPECT_LE(search.best.volume, 1.001 * search.lower) << i;
    EXPECT_LE(search.best.volume, flush.best.volume * 1.000002) << i;
  }
}

TEST(MinimumBox, BeyondTheLimitOfPairsIsProvedToAThousandth) {
  Random random(5);
  std::vector<Vec3> points = random_points(random, 4000);
  for (Vec3& p : points) p = component_product(normalized(p), {1.0, 0.9, 0.8});
  const MinimumBox result = minimum_box(points);
  EXPECT_EQ(result.box.method, BoxMethod::search);
  EXPECT_GE(result.lower * 1.001, result.box.volume() * (1.0 - 1e-12));
  EXPECT_LE(result.lower, result.box.volume());
  // The ellipsoid's own box, nearly.
  EXPECT_NEAR(result.box.volume(), 8.0 * 0.9 * 0.8, 0.05);
  expect_holds_all(result.box, points);
}

TEST(MinimumBox, ThinBodies) {
  Random random(6);
  for (const double thin : {1e-2, 1e-4, 1e-6, 1e-8, 1e-10, 1e-13}) {
    for (const double narrow : {1.0, 1e-3, 1e-6}) {
      const Mat3 turn = random_rotation(random);
      const Vec3 half{1.0, narrow, narrow * thin};
      const std::vector<Vec3> points = test::box_corners({}, turn, half);
      const MinimumBox result = minimum_box(points);
      // Corners are rounded to 1e-16, and so is the thinnest side.
      const double rounding = 1e-14 / half.z;
      EXPECT_LE(result.box.volume(), 8.0 * half.x * half.y * half.z * (1.0 + rounding))
          << thin << " " << narrow;
      EXPECT_LE(result.lower, result.box.volume());
      expect_holds_all(result.box, points);
    }
  }
}

TEST(MinimumBox, FlatPointsGetTheLeastRectangle) {
  Random random(7);
  for (int i = 0; i < test::effort(100); ++i) {
    const Mat3 turn = i % 2 == 0 ? Mat3::identity() : random_rotation(random);
    // An equilateral triangle with points inside: side by height, 1 by the root of 3/4.
    std::vector<Vec3> points = {{0, 0, 0}, {1, 0, 0}, {0.5, std::sqrt(0.75), 0}, {0.5, 0.3, 0}};
    for (Vec3& p : points) p = turn * p;
    const MinimumBox result = minimum_box(points);
    EXPECT_NEAR(4.0 * result.box.half.x * result.box.half.y, std::sqrt(0.75), 1e-12);
    EXPECT_LE(result.box.half.z, 1e-14);
    EXPECT_LE(result.lower, result.box.volume());
    expect_holds_all(result.box, points);
  }
}

TEST(MinimumBox, CollinearAndSinglePoints) {
  const MinimumBox line = minimum_box(std::vector<Vec3>{{0, 0, 0}, {1, 2, 2}, {3, 6, 6}});
  EXPECT_NEAR(line.box.half.x, 4.5, 1e-13);
  EXPECT_LE(line.box.half.y, 1e-14);
  const MinimumBox point = minimum_box(std::vector<Vec3>{{1, 2, 3}, {1, 2, 3}});
  EXPECT_EQ(point.box.center, (Vec3{1, 2, 3}));
  EXPECT_EQ(point.box.volume(), 0.0);
  EXPECT_EQ(point.lower, 0.0);
}

TEST(MinimumBox, ManyEquallyGoodBoxes) {
  // Prisms over regular polygons, and a ball of points on a grid of angles.
  constexpr double kTurn = 6.283185307179586;
  for (const int sides : {3, 5, 6, 12, 60}) {
    std::vector<Vec3> points;
    for (int i = 0; i < sides; ++i) {
      for (const double z : {-3.0, 3.0})
        points.push_back({std::cos(kTurn * i / sides), std::sin(kTurn * i / sides), z});
    }
    const MinimumBox result = minimum_box(points);
    EXPECT_GE(result.lower, result.box.volume() * (1.0 - 1e-9)) << sides;
    expect_holds_all(result.box, points);
    // Upright: a side of the polygon on a side of the rectangle.
    double least = 1e9;
    const std::vector<Vec3> all = points;
    for (int i = 0; i < sides; ++i) {
      const double angle = kTurn * (i + 0.5) / sides;
      const Vec3 x{std::cos(angle), std::sin(angle), 0.0}, y{-x.y, x.x, 0.0};
      least = std::min(least, volume_along(all, {{x, y, {0.0, 0.0, 1.0}}}));
    }
    EXPECT_LE(result.box.volume(), least * (1.0 + 1e-12)) << sides;
  }
}

TEST(MinimumBox, PlaceAndScaleDoNotMatter) {
  Random random(8);
  const std::vector<Vec3> points = random_points(random, 25);
  const MinimumBox result = minimum_box(points);
  std::vector<Vec3> moved = points;
  for (Vec3& p : moved) p = p * 0x1p-200;
  const MinimumBox small = minimum_box(moved);
  EXPECT_EQ(small.box.axes, result.box.axes);
  EXPECT_EQ(small.box.volume(), result.box.volume() * 0x1p-600);
  EXPECT_EQ(small.lower, result.lower * 0x1p-600);
  moved = points;
  for (Vec3& p : moved) p = p + Vec3{1e6, -2e6, 3e6};
  EXPECT_NEAR(minimum_box(moved).box.volume(), result.box.volume(), 1e-8);
}

TEST(MinimumBox, RefusesNoPoints) {
  EXPECT_THROW(minimum_box(std::vector<Vec3>{}), InvalidInput);
  EXPECT_THROW(minimum_box(std::vector<Vec3>{{0, 0, std::nan("")}}), InvalidInput);
}

}  // namespace
}  // namespace tactus::detail::fit
