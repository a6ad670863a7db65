#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tactus/query.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/meshes.hpp"
#include "tests/support/random_shapes.hpp"

// Derivatives of the signed distance against finite differences, for every pair that has a
// distance.
namespace tactus::detail {
namespace {

constexpr double kStep = 1e-5;
// Error of a central difference by the third derivative, at most some 1 / gap^2 for bodies of about
// unit size, times a sixth of the square of the step; with a margin of a hundred.
constexpr double kThird = 1e-6;
// Differences known less well than this judge nothing.
constexpr double kUsable = 2e-3;
constexpr double kNear = 0.05;

struct Difference {
  double slope, error;
};

Pose moved(const Pose& p, int axis, double by) {
  Vec3 shift;
  shift[axis % 3] = by;
  if (axis < 3) return detail::unchecked_pose(p.position() + shift, p.rotation());
  const Quat turn = normalized(Quat{1.0, 0.5 * shift.x, 0.5 * shift.y, 0.5 * shift.z});
  return detail::unchecked_pose(p.position(), to_matrix(turn) * p.rotation());
}

template <class Ask>
Difference difference(const DistanceResult& here, const Ask& ask) {
  const DistanceResult more = ask(kStep), less = ask(-kStep);
  const double forward = (more.distance - here.distance) / kStep;
  const double backward = (here.distance - less.distance) / kStep;
  const double width =
      (more.upper - more.lower) + 2.0 * (here.upper - here.lower) + (less.upper - less.lower);
  return {0.5 * (forward + backward), std::fabs(forward - backward) + width / kStep + kThird};
}

std::vector<Shape> every_shape(Random& random) {
  std::vector<Shape> shapes = every_convex_shape(random);
  shapes.push_back(HalfSpace({0.0, 0.6, 0.8}, -0.5));
  shapes.push_back(Mesh(test::sphere_mesh(1)));
  shapes.push_back(
      Compound({{Shape(Box({0.4, 0.3, 0.5})), Pose::translation({0.3, 0.0, 0.1})},
                {Shape(Ellipsoid({0.3, 0.2, 0.4})), Pose::translation({-0.3, 0, 0})}}));
  return shapes;
}

int judged_of(const Shape& a, const Shape& b, Random& random, int poses) {
  int judged = 0;
  QueryOptions tight;
  tight.tolerance = 1e-13;
  for (int n = 0; n < poses; ++n) {
    const Pose pa = random_pose(random, 2.0);
    const Pose pb = random_pose(random, 2.0);
    Derivatives d;
    QueryOptions options = tight;
    options.derivatives = &d;
    const DistanceResult r = distance(a, pa, b, pb, options);
    // Two meshes don't say whether they have other witnesses.
    const bool meshes = a.type() == ShapeType::mesh && b.type() == ShapeType::mesh;
    if ((!d.smooth && !meshes) || r.distance < kNear) continue;
    for (int axis = 0; axis < 6; ++axis) {
      const Difference of_a =
          difference(r, [&](double by) { return distance(a, moved(pa, axis, by), b, pb, tight); });
      const Difference of_b =
          difference(r, [&](double by) { return distance(a, pa, b, moved(pb, axis, by), tight); });
      if (of_a.error > kUsable || of_b.error > kUsable) continue;
      ++judged;
      const int i = axis % 3;
      EXPECT_NEAR((axis < 3 ? d.linear_a : d.angular_a)[i], of_a.slope, of_a.error);
      EXPECT_NEAR((axis < 3 ? d.linear_b : d.angular_b)[i], of_b.slope, of_b.error);
    }
  }
  return judged;
}

TEST(Derivatives, AreThoseOfFiniteDifferencesForEveryPair) {
  Random random(83);
  const std::vector<Shape> shapes = every_shape(random);
  for (const Shape& a : shapes) {
    for (const Shape& b : shapes) {
      SCOPED_TRACE(std::string(to_string(a.type())) + "-" + std::string(to_string(b.type())));
      if (distance(a, Pose(), b, Pose::translation({9, 9, 9})).status == Status::unsupported)
        continue;
      EXPECT_GT(judged_of(a, b, random, 40), 20);
    }
  }
}

// In overlap they are those of the depth.
TEST(Derivatives, AreThoseOfDepthsToo) {
  Random random(84);
  const std::vector<Shape> shapes = every_convex_shape(random);
  int judged = 0;
  for (const Shape& a : shapes) {
    for (int n = 0; n < test::effort(60); ++n) {
      const Shape b = Sphere(0.3);
      const Pose pa = random_pose(random, 0.4), pb = random_pose(random, 0.4);
      Derivatives d;
      QueryOptions options;
      options.tolerance = 1e-13;
      options.derivatives = &d;
      const DistanceResult r = distance(a, pa, b, pb, options);
      options.derivatives = nullptr;
      if (!d.smooth || r.distance > 0.0) continue;
      for (int axis = 0; axis < 6; ++axis) {
        const Difference of_a = difference(
            r, [&](double by) { return distance(a, moved(pa, axis, by), b, pb, options); });
        if (of_a.error > kUsable) continue;
        ++judged;
        EXPECT_NEAR((axis < 3 ? d.linear_a : d.angular_a)[axis % 3], of_a.slope, of_a.error);
      }
    }
  }
  EXPECT_GT(judged, 200);
}

}  // namespace
}  // namespace tactus::detail
