#include "tactus/narrow/pair/free_directions.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace tactus::detail {
namespace {

const Vec3 kUp{0.0, 0.0, 1.0};
constexpr double kCircle = 1e-6, kNoise = 1e-14;

using Points = std::vector<Vec3>;

bool is_alone(const Points& a, const Points& b, const Vec3& at = {}) {
  FreeDirections free(kUp, kCircle, kNoise);
  free.stay_in(a, kUp, at);
  free.stay_in(b, -kUp, at);
  return free.none();
}

const Points kSquare{{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}};

TEST(FreeDirections, APointStaysWhereItIs) {
  EXPECT_TRUE(is_alone(kSquare, {{0, 0, 0}}));
  EXPECT_TRUE(is_alone({{0, 0, 0}, {0, 0, -1}}, kSquare));
}

TEST(FreeDirections, FacesAndLinesThatLieOnEachOtherAreFree) {
  EXPECT_FALSE(is_alone(kSquare, kSquare));
  EXPECT_FALSE(is_alone(kSquare, {{-2, 0.3, 0}, {2, -0.3, 0}}));
  EXPECT_FALSE(is_alone({{-1, 0, 0}, {1, 0, 0}}, {{0, 0, 0}, {3, 0, 0}}));
  // A common edge, inside of it and at its end.
  const Points beside{{1, -1, 0}, {3, -1, 0}, {3, 1, 0}, {1, 1, 0}};
  EXPECT_FALSE(is_alone(kSquare, beside, {1, 0.5, 0}));
  EXPECT_FALSE(is_alone(kSquare, beside, {1, 1, 0}));
}

TEST(FreeDirections, CornersAndCrossingsAreNot) {
  EXPECT_TRUE(is_alone({{-1, 0, 0}, {1, 0, 0}}, {{-1, -1, 0}, {1, 1, 0}}));
  EXPECT_TRUE(is_alone({{-1, 0, 0}, {1, 0, 0}}, {{-1, -1e-4, 0}, {1, 1e-4, 0}}));
  EXPECT_TRUE(is_alone({{-1, 0, 0}, {0, 0, 0}}, {{0, 0, 0}, {3, 0, 0}}));
  EXPECT_TRUE(is_alone(kSquare, {{1, 1, 0}, {3, 1, 0}, {3, 3, 0}, {1, 3, 0}}, {1, 1, 0}));
}

// Points off the plane by more than the angle `kFlatAngle` (1e-6) are no part of the feature.
TEST(FreeDirections, CountsWhatLiesInThePlane) {
  const Points leaning{{-1, 0, 1e-4}, {1, 0, -1e-4}};
  EXPECT_TRUE(is_alone(leaning, kSquare, {-1, 0, 1e-4}));
  const Points nearly{{-1, 0, 1e-7}, {1, 0, -1e-7}};
  EXPECT_FALSE(is_alone(nearly, kSquare, {-1, 0, 1e-7}));
}

TEST(FreeDirections, DiscsOverlapOrTouch) {
  const Core disc = core_of(Shape(Cylinder(1.0, 0.0)));
  const auto alone = [&](double apart, double at) {
    FreeDirections free(kUp, kCircle, kNoise);
    free.stay_on(disc, Mat3::identity(), kUp, {at, 0, 0});
    free.stay_on(disc, Mat3::identity(), -kUp, {at - apart, 0, 0});
    return free.none();
  };
  EXPECT_FALSE(alone(0.0, 0.3));
  EXPECT_FALSE(alone(0.0, 1.0));
  EXPECT_FALSE(alone(1.5, 1.0));
}

// More corners than there is room for on the stack.
TEST(FreeDirections, TakesFacesWithManyCorners) {
  Points round, far;
  for (int i = -100; i <= 100; ++i) {
    const double x = 0.01 * i, y = 1.0 - x * x;
    round.push_back({x, y, 0});
    round.push_back({x, -y, 0});
  }
  EXPECT_FALSE(is_alone(round, kSquare));
  EXPECT_TRUE(is_alone(round, {{1, 0, 0}, {2, 1, 0}, {2, -1, 0}}, {1, 0, 0}));
}

}  // namespace
}  // namespace tactus::detail
