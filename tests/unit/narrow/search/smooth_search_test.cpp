#include "tactus/narrow/search/smooth_search.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tactus/core/random.hpp"
#include "tactus/query.hpp"
#include "tactus/query/plan/pair_table.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/random_shapes.hpp"

namespace tactus::detail {
namespace {

constexpr double kEndless = std::numeric_limits<double>::infinity();
const Quat kAcrossX = normalized(Quat{1, 1, 0, 0});  // turns the z axis into -y

bool ask(const Cso& cso, const Vec3& start, SmoothCritical& out) {
  return search_critical(cso, normalized(start), kEndless, 190, out);
}

// Sides of two crossed cylinders: the common perpendicular of the axes less both radii.
TEST(SmoothSearch, CrossedCylindersTouchAlongTheCommonPerpendicular) {
  const Shape a = Cylinder(0.4, 3), b = Cylinder(0.3, 3);
  for (const double gap : {0.5, 1e-6, -1e-6, -0.2}) {
    const Cso cso(core_of(a), Pose(), core_of(b), Pose({0.7 + gap, 0.1, 0.2}, kAcrossX));
    SmoothCritical r;
    ASSERT_TRUE(ask(cso, {0.8, 0.5, 0.3}, r));
    EXPECT_NEAR(r.value, -gap, 1e-14);
    EXPECT_NEAR(r.n.x, 1.0, 1e-14);
    EXPECT_NEAR(r.a.z, 0.2, 9e-15);
    EXPECT_NEAR(r.b.y, 0.0, 1e-15);
    EXPECT_EQ(r.proof == SphereProof::proved, gap < 0.0);
  }
}

TEST(SmoothSearch, ApexRimAndDiscOfAConeMeetABox) {
  const Shape cone = Cone(0.5, 1.0), box = Box({2, 2, 2});
  const auto value = [&](const Pose& pose_box) {
    const Cso cso(core_of(cone), Pose(), core_of(box), pose_box);
    SmoothCritical r;
    EXPECT_TRUE(ask(cso, pose_box.position() + Vec3{0.1, 0.2, 0.0}, r));
    EXPECT_LE(norm((r.a - r.b) - r.n * r.value), 1e-14);
    return r.value;
  };
  EXPECT_NEAR(value(Pose::translation({0.1, 0.2, 1.75})), -0.25, 1e-14);   // the apex over a face
  EXPECT_NEAR(value(Pose::translation({1.75, 0.2, -1.2})), -0.25, 1e-14);  // the rim beside one
  EXPECT_NEAR(value(Pose::translation({0.9, 0.8, -1.9})), -0.4, 2e-15);    // its disc over one
  // A corner of the box over the disc.
  const double third = 1.0 / std::sqrt(3.0);
  const Quat on_corner = normalized(Quat{1.0 + third, third, -third, 0});
  EXPECT_NEAR(value(Pose({0.1, 0.1, -0.8 - std::sqrt(3.0)}, on_corner)), -0.3, 1e-14);
}

TEST(SmoothSearch, EllipsoidsAlongAnAxis) {
  const Shape a = Ellipsoid({1, 0.5, 0.7}), b = Ellipsoid({0.6, 0.9, 0.8});
  const Cso cso(core_of(a), Pose(), core_of(b), Pose::translation({2, 0, 0}));
  SmoothCritical r;
  ASSERT_TRUE(ask(cso, {1, 0.4, -0.3}, r));
  EXPECT_NEAR(-r.value - (core_of(a).radius + core_of(b).radius), 0.4, 1e-14);
  EXPECT_LE(r.iterations, 8);
}

TEST(SmoothSearch, StopsAtTheDistanceThatIsEnough) {
  const Shape c = Cylinder(1, 2);
  const Cso cso(core_of(c), Pose(), core_of(c),
                Pose({7, 3, 2}, normalized(Quat{1, 0.2, 0.3, 0.4})));
  SmoothCritical r;
  ASSERT_TRUE(search_critical(cso, cso.between_centers(), 1.0, 190, r));
  EXPECT_EQ(r.iterations, 1);
  EXPECT_LT(r.value, -1.0);
  EXPECT_LE(-r.value, norm(r.a - r.b));
}

Shape random_body(Random& random, int kind) {
  const double x = random.uniform(0.1, 1.0), y = random.uniform(0.1, 1.0);
  const double z = random.uniform(0.1, 1.0);
  if (kind == 0) return Box({x, y, z});
  if (kind == 1) return Cylinder(x, y);
  if (kind == 2) return Cone(x, y);
  if (kind == 3) return Ellipsoid({x, y, z});
  return Capsule(0.3 * x, y);
}

Vec3 random_vector(Random& random, double most) {
  const double x = random.uniform(-most, most), y = random.uniform(-most, most);
  return {x, y, random.uniform(-most, most)};
}

// Against a search that shares none of its steps.
TEST(SmoothSearch, AgreesWithTheSearchBySimplexAndPolytope) {
  Random random(77);
  QueryOptions by_simplex;
  by_simplex.method = Method::gjk;
  by_simplex.tolerance = 1e-10;
  int proved = 0, overlapping = 0, separated = 0;
  for (int i = 0; i < test::effort(1500); ++i) {
    const Shape a = random_body(random, static_cast<int>(random.below(5)));
    const Shape b = random_body(random, static_cast<int>(random.below(5)));
    if (pair_row(a, b).search != PairSearch::steps) continue;
    const Pose pose_a(random_vector(random, 0.5), random_rotation(random));
    const Pose pose_b(random_vector(random, 0.8), random_rotation(random));
    const Cso cso(core_of(a), pose_a, core_of(b), pose_b);
    SmoothCritical r;
    if (!search_critical(cso, cso.between_centers(), kEndless, 190, r)) continue;
    EXPECT_LE(norm((r.a - r.b) - r.n * r.value), cso.error_bound) << i;
    EXPECT_NEAR(cso.value(r.n), r.value, cso.error_bound) << i;
    const DistanceResult right = distance(a, pose_a, b, pose_b, by_simplex);
    const double mine = -r.value - (cso.a.radius + cso.b.radius);
    overlapping += r.value > 0.0 ? 1 : 0;
    separated += r.value < 0.0 ? 1 : 0;
    // Any minimum bounds the depth; a proved one, and that of separated cores, is the answer.
    EXPECT_LE(mine, right.upper + cso.error_bound) << i;
    if (r.value < 0.0 || r.proof == SphereProof::proved) {
      EXPECT_GE(mine, right.lower - cso.error_bound) << i;
      proved += r.value > 0.0 ? 1 : 0;
    }
    if (r.proof == SphereProof::lower) {
      EXPECT_LT(cso.value(r.lower), r.value) << i;
    }
  }
  EXPECT_GT(separated, test::effort(1500) / 10);
  EXPECT_GT(proved, overlapping / 2);
}

TEST(SmoothSearch, SignsHaveBracketsOnTheirSideOfZero) {
  Random random(78);
  int decided = 0, asked = 0;
  for (int i = 0; i < test::effort(1500); ++i) {
    const Shape a = random_body(random, static_cast<int>(random.below(5)));
    const Shape b = random_body(random, static_cast<int>(random.below(5)));
    if (pair_row(a, b).search != PairSearch::steps) continue;
    const Pose pose_b(random_vector(random, 0.8), random_rotation(random));
    const Cso cso(core_of(a), Pose(), core_of(b), pose_b);
    ++asked;
    SignAnswer sign;
    if (!search_smooth_sign(cso.a, cso.b, cso.rotation, cso.translation, {}, 190, sign)) continue;
    ++decided;
    const DistanceResult right = distance(a, Pose(), b, pose_b);
    EXPECT_LE(sign.lower, right.upper) << i;
    EXPECT_GE(sign.upper, right.lower) << i;
    EXPECT_TRUE(sign.lower > 0.0 || sign.upper < 0.0) << i;
  }
  EXPECT_GT(decided, asked * 8 / 10);
}

// The apex has gone straight into a face: the ball in the box about it is the depth, to the pair's
// rounding, and seen from either body the first direction is enough.
TEST(SmoothSearch, AWitnessInsideTheOtherBodyIsAnOverlap) {
  const Shape cone = Cone(0.5, 2.0), box = Box({4.0, 4.0, 2.0});
  const Vec3 over{0.0, 0.0, 1.75};
  SignAnswer sign;
  ASSERT_TRUE(search_smooth_sign(core_of(cone), core_of(box), Mat3::identity(), over, {}, 9, sign));
  EXPECT_EQ(sign.iterations, 1);
  EXPECT_NEAR(sign.upper, -0.25, 1e-13);
  EXPECT_NEAR(sign.lower, -0.25, 1e-13);
  ASSERT_TRUE(
      search_smooth_sign(core_of(box), core_of(cone), Mat3::identity(), -over, {}, 9, sign));
  EXPECT_EQ(sign.iterations, 1);
  EXPECT_NEAR(sign.upper, -0.25, 1e-13);
}

TEST(SmoothSearch, SignsOfConcentricBodiesNeedNoDirection) {
  const Shape cylinder = Cylinder(0.5, 2.0), ellipsoid = Ellipsoid({0.3, 0.4, 0.6});
  SignAnswer sign;
  ASSERT_TRUE(
      search_smooth_sign(core_of(cylinder), core_of(ellipsoid), Mat3::identity(), {}, {}, 9, sign));
  EXPECT_LT(sign.upper, 0.0);
}

}  // namespace
}  // namespace tactus::detail
