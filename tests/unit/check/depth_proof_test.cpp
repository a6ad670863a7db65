// The checker's own proof of a depth: accepts what is true, refuses a millionth more.
#include "tactus/check/depth_proof.hpp"

#include <gtest/gtest.h>

#include "tactus/query.hpp"

namespace tactus::detail {
namespace {

struct Overlap {
  Shape a, b;
  Pose pose;
};

const Overlap kOverlaps[] = {
    {Sphere(1.0), Sphere(0.5), Pose::translation({1.2, 0, 0})},
    {Box({1, 1, 1}), Box({1, 2, 1}), Pose({0.7, 0.2, 0.1}, normalized(Quat{1, 0.2, 0.3, 0.4}))},
    {Cylinder(0.4, 1.0), Cylinder(0.3, 0.8),
     Pose({0.3, 0.3, 0.2}, normalized(Quat{1, 0.5, -0.3, 0.4}))},
    {Cone(0.4, 1.0), Box({0.5, 0.6, 0.7}),
     Pose({0.2, 0.3, 0.2}, normalized(Quat{1, 0.5, -0.3, 0.4}))},
    {Ellipsoid({0.5, 0.3, 0.2}), Ellipsoid({0.4, 0.3, 0.5}),
     Pose({0.3, 0.2, 0.1}, normalized(Quat{1, 0.5, -0.3, 0.4}))},
    // A point within the rim: f is nearly the depth over an arc of directions.
    {Cone(0.8, 1.6), Box({0, 0, 0}), Pose::translation({0.8 - 1e-9, 0, -0.8 + 1e-9})},
};

TEST(DepthProof, AcceptsTheTruthAndRefusesMore) {
  for (const Overlap& o : kOverlaps) {
    const DistanceResult r = distance(o.a, Pose(), o.b, o.pose);
    ASSERT_LT(r.upper, 0.0);
    const Pose identity;
    const PosedPair pair{o.a, identity, o.b, o.pose};
    EXPECT_TRUE(proves_depth(pair, r.normal, -r.distance - 1e-13)) << to_string(o.a.type());
    EXPECT_FALSE(proves_depth(pair, r.normal, -r.distance + 1e-9)) << to_string(o.a.type());
  }
}

TEST(DepthProof, FindsASmallerDepthElsewhere) {
  // The direction handed in is not the least one, and the claim is that of the direction.
  const Shape box = Box({1, 1, 1});
  const Pose identity, pose = Pose::translation({0.9, 0.2, 0.1});
  const PosedPair pair{box, identity, box, pose};
  EXPECT_TRUE(proves_depth(pair, {0, 1, 0}, 0.1 - 1e-13));
  EXPECT_FALSE(proves_depth(pair, {0, 1, 0}, 0.8));
  EXPECT_FALSE(proves_depth(pair, {0, 1, 0}, 0.1 + 1e-9));
}

TEST(DepthProof, SeparatedBodiesHaveNoDepth) {
  const Shape ball = Sphere(1.0);
  const Pose identity, pose = Pose::translation({2.5, 0, 0});
  EXPECT_FALSE(proves_depth({ball, identity, ball, pose}, {1, 0, 0}, 1e-12));
}

}  // namespace
}  // namespace tactus::detail
