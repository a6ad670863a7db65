#include "tactus/mesh/support/point_boxes.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "tests/support/random_shapes.hpp"

namespace tactus::detail {
namespace {

Vec3 random_unit(Random& random) {
  const double x = random.uniform(-1, 1), y = random.uniform(-1, 1), z = random.uniform(-1, 1);
  return normalized(Vec3{x, y, z});
}

std::vector<std::uint32_t> in_order(std::size_t count) {
  std::vector<std::uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0u);
  return order;
}

double pass(const std::vector<Vec3>& points, const Vec3& n) {
  double best = -std::numeric_limits<double>::infinity();
  for (const Vec3& p : points) best = std::max(best, dot(n, p));
  return best;
}

TEST(PointBoxes, HaveTheBitsOfAPass) {
  Random random(5);
  for (const std::size_t count : {1u, 2u, 7u, 8u, 9u, 100u, 1000u}) {
    std::vector<Vec3> points;
    for (std::size_t i = 0; i < count; ++i)
      points.push_back(random_unit(random) * random.uniform(0.0, 3.0));
    const PointBoxes boxes(points, in_order(count));
    for (int k = 0; k < 100; ++k) {
      const Vec3 n = random_unit(random);
      EXPECT_EQ(boxes.highest(points, n), pass(points, n));
    }
    for (const Vec3& n : {Vec3{1, 0, 0}, Vec3{0, -1, 0}, Vec3{0, 0.6, 0.8}})
      EXPECT_EQ(boxes.highest(points, n), pass(points, n));
  }
}

// The lowest of equals, in whatever order the points are.
TEST(PointBoxes, FindTheFarthestPoint) {
  Random random(6);
  for (const std::size_t count : {1u, 2u, 9u, 100u, 1000u}) {
    std::vector<Vec3> points;
    for (std::size_t i = 0; i < count; ++i)
      points.push_back({std::floor(random.uniform(0.0, 4.0)), std::floor(random.uniform(0.0, 4.0)),
                        random.uniform() < 0.5 ? 1.0 : random.uniform()});
    for (const auto& order : {in_order(count), order_by_place(points)}) {
      const PointBoxes boxes(points, order);
      for (int k = 0; k < 100; ++k) {
        const Vec3 n = k % 2 == 0 ? random_unit(random)
                                  : Vec3{std::floor(random.uniform(-1.0, 2.0)), 0.0, 1.0};
        std::uint32_t lowest = 0;
        for (std::uint32_t i = 1; i < count; ++i) {
          if (dot(n, points[i]) > dot(n, points[lowest])) lowest = i;
        }
        ASSERT_EQ(boxes.farthest(points, n), lowest) << count;
      }
    }
  }
}

// Points as high as the best one so far are not looked at.
TEST(PointBoxes, CostOfFlatGround) {
  std::int64_t least = 0;
  for (const int side : {10, 100, 400}) {
    std::vector<Vec3> points;
    for (int i = 0; i < side; ++i) {
      for (int j = 0; j < side; ++j) points.push_back({0.01 * i, 0.01 * j, 0.0});
    }
    const PointBoxes boxes(points, in_order(points.size()));
    std::int64_t looked = 0;
    for (const Vec3& n : {Vec3{0, 0, 1}, Vec3{0, 0, -1}, Vec3{1, 0, 0}, Vec3{0, 0.6, 0.8}})
      EXPECT_EQ(boxes.highest(points, n, &looked), pass(points, n));
    if (least == 0) least = looked;
    EXPECT_LT(looked, 10 * least + 100) << side;
  }
}

TEST(PointBoxes, LengthsAndNothing) {
  const std::vector<Vec3> points = {{3, -4, 0}, {1, 1, 1}};
  const PointBoxes boxes(points, in_order(2));
  EXPECT_EQ(boxes.radius(), 5.0);
  EXPECT_EQ(boxes.largest(), 4.0);
  EXPECT_EQ(PointBoxes().highest({}, {0, 0, 1}), -std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace tactus::detail
