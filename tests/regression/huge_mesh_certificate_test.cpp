// A mesh beyond single precision: its volumes are infinite, and the certificate of an impact threw.
#include <gtest/gtest.h>

#include "tactus/check.hpp"
#include "tactus/query.hpp"

namespace tactus::detail {
namespace {

TEST(HugeMesh, ACertificateIsMadeOfVolumesBeyondSinglePrecision) {
  TriangleMesh two_points;
  two_points.vertices = {{0.0, 0.0, -1.0}, {0.0, 0.0, 7e38}};
  two_points.triangles = {{0, 0, 0}, {1, 1, 1}};
  const Shape mesh = Mesh(two_points), point = Sphere(0.0);
  Certificate certificate;
  QueryOptions options;
  options.certificate = &certificate;
  CastResult r;
  ASSERT_NO_THROW(r = impact(mesh, Pose(), {}, point, Pose(), {}, options));
  EXPECT_EQ(r.hit, Overlap::no);
  EXPECT_FALSE(
      check(mesh, Pose(), RigidMotion{}, point, Pose(), RigidMotion{}, r, &certificate).refuted());
}

}  // namespace
}  // namespace tactus::detail
