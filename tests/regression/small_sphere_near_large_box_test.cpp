// The closed form of point and box took its normal from the difference of two nearby points, so
// that a sphere of 1e-3 hovering 1e-10 above a box of 1e3 got a normal off by rounding / gap, and
// f(n) missed the distance by that angle times the size of the box.
#include <gtest/gtest.h>

#include "tactus/check.hpp"
#include "tactus/core/random.hpp"
#include "tactus/query.hpp"

namespace tactus::detail {
namespace {

TEST(Regression, SmallSphereNearLargeBoxHasAnExactNormal) {
  Random random(1);
  for (int n = 0; n < 500; ++n) {
    const auto v = [&] { return random.uniform(-1.0, 1.0); };
    const Pose box_pose(Vec3{v(), v(), v()}, normalized(Quat{v(), v(), v(), v()}));
    const Vec3 size{1000.0, 800.0, 900.0};
    const double gap = n % 2 == 0 ? 1e-10 : -1e-10;
    // The centre lies gap above a face, an edge (two coordinates outside) or a corner.
    Vec3 local{400.0 * v(), 300.0 * v(), 450.0 + gap};
    if (n % 3 > 0 && gap > 0.0) local.x = 500.0 + gap;
    if (n % 3 > 1 && gap > 0.0) local.y = 400.0 + gap;
    const Pose sphere_pose = Pose::translation(box_pose.to_world(local));
    Certificate certificate;
    QueryOptions options;
    options.certificate = &certificate;
    const Shape sphere = Sphere(1e-3);
    const Shape box = Box(size);
    const DistanceResult r = distance(sphere, sphere_pose, box, box_pose, options);
    const CheckReport report = check(sphere, sphere_pose, box, box_pose, r, &certificate);
    EXPECT_TRUE(report.ok) << report.failure;
    EXPECT_LE(report.direction_residual, 2e-12);
    EXPECT_NEAR(r.distance, gap - 1e-3, 1e-9);
  }
}

}  // namespace
}  // namespace tactus::detail
