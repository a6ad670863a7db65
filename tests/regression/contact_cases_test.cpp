#include <gtest/gtest.h>

#include <array>

#include "tactus/query/contacts.hpp"
#include "tactus/query/membership.hpp"

namespace tactus {
namespace {

TEST(ContactCases, PointsOverANarrowFaceAreOnIt) {
  // The plane of a face of width 1e-6 is known to 1e-10 at its ends; a clipped point was lifted
  // along it and lay 2e-10 beside the face.
  const Shape sliver =
      Convex(std::array{Vec3{-0.95011453821596437, 0.70525007712734356, -0.95010855136283512},
                        Vec3{-0.42066484563873296, 0.52116429880909365, 0.71724122389904754},
                        Vec3{-0.6853895730482521, 0.61320693399226411, -0.11643268777577651}});
  const Shape box = Box({1, 1, 0.7});
  const Pose pose(
      Vec3{-0.14546906260052092, -0.11915350233826273, 0.13856375011114413},
      Quat{0.41320401543247753, 0.24512084206868362, -0.30267747790811467, 0.8231430973902405});
  QueryOptions options;
  options.threshold = 5.0;
  std::array<Manifold, 1> out;
  ASSERT_EQ(contacts(sliver, Pose(), box, pose, out, options).manifolds, 1);
  EXPECT_EQ(out[0].count, 3);
  for (const ContactPoint& p : out[0].span()) {
    EXPECT_LE(distance_outside(sliver, p.point_a), 1e-15);
    EXPECT_LE(distance_outside(box, pose.to_local(p.point_b)), 1e-15);
    EXPECT_NEAR(dot(p.point_a - p.point_b, out[0].normal), p.depth, 1e-12);
  }
}

}  // namespace
}  // namespace tactus
