#include "tactus/classic/separating_plane.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tactus/classic/polytope_sat.hpp"
#include "tests/support/random_shapes.hpp"

namespace tactus::detail {
namespace {

Cso cso_of(const Shape& a, const Shape& b, const Pose& pose_b) {
  return {core_of(a), Pose(), core_of(b), pose_b};
}

TEST(SeparatingPlane, FaceWithAGapProvesApart) {
  const Shape box = Box({1, 1, 1});
  const ConvexAnswer r =
      answer_by_face_planes(cso_of(box, box, Pose::translation({0.2, 0.1, 1.5})), {});
  EXPECT_EQ(r.n, (Vec3{0, 0, 1}));
  EXPECT_NEAR(r.distance, 0.5, 1e-15);
  EXPECT_GT(r.lower, 0.0);
  EXPECT_EQ(r.status, Status::iteration_limit);  // the two points are not the nearest ones
}

TEST(SeparatingPlane, CrossedEdgesStayOpenWhereTheAxesProveAGap) {
  // Two boxes turned onto an edge each, the edges crossing at right angles: no face shows the gap.
  const double eighth = std::sqrt(0.5);
  const Shape box = Box({1, 1, 1});
  const double diagonal = std::sqrt(2.0);
  const Quat about_x = normalized(Quat{1.0 + eighth, eighth, 0.0, 0.0});  // 45 degrees
  const Quat about_y = normalized(Quat{1.0 + eighth, 0.0, eighth, 0.0});
  const Cso cso(core_of(box), Pose(Vec3{}, about_x), core_of(box),
                Pose(Vec3{0, 0, diagonal + 0.05}, about_y));
  const ConvexAnswer open = answer_by_face_planes(cso, {});
  EXPECT_LT(open.lower, 0.0);
  EXPECT_GT(open.upper, 0.05);
  EXPECT_EQ(open.status, Status::iteration_limit);
  EXPECT_NEAR(separate_polytopes(cso).separation, 0.05, 1e-14);
}

TEST(SeparatingPlane, StopsAtTheFirstGapWhenTheSignIsAsked) {
  Random random(81);
  const Shape a = random_hull(random, 30);
  const Cso cso = cso_of(a, a, Pose::translation({5, 1, 2}));
  ConvexOptions sign;
  sign.sign_only = true;
  const ConvexAnswer early = answer_by_face_planes(cso, sign);
  const ConvexAnswer full = answer_by_face_planes(cso, {});
  EXPECT_GT(early.lower, 0.0);
  EXPECT_LT(early.iterations, full.iterations);
  EXPECT_LE(early.lower, full.lower);
}

TEST(SeparatingPlane, NeedsAFace) {
  const Shape box = Box({1, 1, 1});
  EXPECT_TRUE(has_face_planes(core_of(box), core_of(Shape(Sphere(1)))));
  EXPECT_FALSE(has_face_planes(core_of(Shape(Capsule(1, 1))), core_of(Shape(Sphere(1)))));
  EXPECT_FALSE(has_face_planes(core_of(box), core_of(Shape(Cylinder(1, 1)))));
}

}  // namespace
}  // namespace tactus::detail
