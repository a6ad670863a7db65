#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tactus/core/constants.hpp"
#include "tactus/core/random.hpp"
#include "tactus/query.hpp"
#include "tactus/query/plan/pair_state.hpp"

// Wherever a search begins, its bracket is true. Touching bodies in positions of symmetry have
// several minima of nearly the same depth: a proof with a hole in it shows there.
namespace tactus::detail {
namespace {

constexpr int kPairs = 6000;
constexpr int kStarts = 5;

Vec3 any_direction(Random& random) {
  const double z = random.uniform(-1.0, 1.0), angle = random.uniform(0.0, 2.0 * kPi);
  const double across = std::sqrt(1.0 - z * z);
  return {across * std::cos(angle), across * std::sin(angle), z};
}

// Often one that other bodies have, too.
double any_length(Random& random) {
  constexpr double kCommon[] = {0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0};
  return random.below(2) == 0 ? kCommon[random.below(7)] : random.uniform(0.3, 1.0);
}

Shape any_shape(Random& random, double y) {
  const double x = any_length(random), z = any_length(random);
  switch (random.below(5)) {
    case 0:
      return Box({x, y, z});
    case 1:
      return Ellipsoid({x, y, z});
    case 2:
      return Cylinder(x, y);
    default:
      return Cone(x, y);
  }
}

// About an axis of the frame by multiples of 45 degrees, exact or nearly, or in any way.
Quat any_rotation(Random& random, bool aligned) {
  constexpr Vec3 kAxes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const Vec3 axis = aligned ? kAxes[random.below(3)] : any_direction(random);
  double half =
      aligned ? 0.125 * kPi * static_cast<double>(random.below(9)) : random.uniform(-kPi, kPi);
  if (random.below(4) == 0) half += random.uniform(-1e-9, 1e-9);
  return {std::cos(half), axis.x * std::sin(half), axis.y * std::sin(half),
          axis.z * std::sin(half)};
}

TEST(StartProperty, NoStartChangesTheTruth) {
  Random random(20261122);
  int shallow = 0;
  for (int pair = 0; pair < kPairs; ++pair) {
    const bool aligned = random.below(4) != 0;
    const double length = any_length(random);
    const Shape a = any_shape(random, length);
    const Shape b = any_shape(random, aligned ? length : any_length(random));
    const Quat rotation = any_rotation(random, aligned);
    const Vec3 line = aligned ? Vec3{1.0, 0.0, 0.0} : any_direction(random);
    // Along the line until they touch, then in by a depth of any order of magnitude.
    double way = 5.0;
    for (int step = 0; step < 60; ++step) {
      const double gap = distance(a, Pose(), b, Pose(line * way, rotation)).distance;
      if (!(gap > 1e-13 && way > -5.0)) break;
      way -= gap;
    }
    way -= std::pow(10.0, random.uniform(-13.0, -1.0));
    const Pose pose_b(line * way, rotation);
    double lower = -std::numeric_limits<double>::infinity(), upper = -lower;
    for (int start = 0; start <= kStarts; ++start) {
      QueryCache cache;
      if (start > 0) warm_start(cache).direction = any_direction(random);
      const DistanceResult r = distance(a, Pose(), b, pose_b, {}, start > 0 ? &cache : nullptr);
      lower = std::max(lower, r.lower);
      upper = std::min(upper, r.upper);
      shallow += r.distance < 0.0 && r.distance > -1e-6 ? 1 : 0;
    }
    EXPECT_LE(lower, upper) << "pair " << pair;
  }
  EXPECT_GT(shallow, kPairs);
}

}  // namespace
}  // namespace tactus::detail
