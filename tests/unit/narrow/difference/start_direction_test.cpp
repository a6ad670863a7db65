// The first direction of a search between hulls, against the normal that the search finds.
#include "tactus/narrow/difference/start_direction.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "fuzz/random_values.hpp"
#include "tactus/query.hpp"

namespace tactus::detail {
namespace {

Convex hull_on_ellipsoid(Random& random, int count, const Vec3& radii) {
  std::vector<Vec3> points;
  for (int i = 0; i < count; ++i)
    points.push_back(component_product(fuzz::direction(random), radii) + Vec3{3.0, 0.0, -1.0});
  return Convex(points);
}

StartDirection guess_for(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b) {
  const Pose pose = relative(pose_a, pose_b);
  return start_direction(core_of(a), core_of(b), pose.rotation(), pose.position());
}

TEST(StartDirection, IsNearerToTheNormalThanTheLineOfCentres) {
  Random random(71);
  const Shape a = hull_on_ellipsoid(random, 600, {1.0, 0.5, 0.3});
  const Shape b = hull_on_ellipsoid(random, 600, {0.4, 0.9, 0.6});
  double guessed = 0.0, by_centers = 0.0;
  for (int i = 0; i < 100; ++i) {
    const Pose pose_a(fuzz::direction(random), fuzz::rotation(random));
    Pose pose_b(fuzz::direction(random) * 8.0, fuzz::rotation(random));
    const DistanceResult far = distance(a, pose_a, b, pose_b);
    // At a gap of a tenth of the size: the witnesses stay the same.
    pose_b = detail::unchecked_pose(pose_b.position() - far.normal * (far.distance - 0.1),
                                    pose_b.rotation());
    const Vec3 n = pose_a.direction_to_local(far.normal);
    const StartDirection guess = guess_for(a, pose_a, b, pose_b);
    const Vec3 centers = pose_a.to_local(pose_b.to_world(core_of(b).center)) - core_of(a).center;
    guessed += norm(cross(normalized(guess.n), n));
    by_centers += norm(cross(normalized(centers), n));
    EXPECT_GT(dot(guess.n, n), 0.0);
  }
  EXPECT_LT(guessed, 0.5 * by_centers);
}

TEST(StartDirection, TellsClearSeparationsFromDeepOverlaps) {
  Random random(72);
  const Shape a = hull_on_ellipsoid(random, 300, {0.5, 0.5, 0.5});
  const auto at = [&](double distance) {
    return guess_for(a, Pose{}, a, Pose::translation({distance, 0.0, 0.0})).separation;
  };
  // Balls of radius 0.5: (distance - 1) / 1.
  EXPECT_NEAR(at(1.5), 0.5, 0.05);
  EXPECT_NEAR(at(1.0), 0.0, 0.05);
  EXPECT_NEAR(at(0.5), -0.5, 0.05);
}

// Where there is no ellipsoid to speak of, it is from centre to centre, and queries go on as ever.
TEST(StartDirection, FlatHullsAndCommonCentresAreNoDanger) {
  Random random(73);
  std::vector<Vec3> disc;
  for (int i = 0; i < 200; ++i) {
    const Vec3 p = fuzz::direction(random);
    disc.push_back(normalized(Vec3{p.x, p.y, 0.0}));
  }
  const Shape flat = Convex(disc);
  const Shape round = hull_on_ellipsoid(random, 200, {1.0, 1.0, 1.0});
  const Vec3 middle = core_of(round).center;
  for (const Vec3& shift : {Vec3{}, Vec3{0.0, 0.0, 0.5}, Vec3{1e-200, 0.0, 0.0}}) {
    for (const Shape* a : {&flat, &round}) {
      for (const Shape* b : {&flat, &round}) {
        const Pose pose_a = Pose::translation(a == &round ? -middle : Vec3{});
        const Pose pose_b = Pose::translation((b == &round ? -middle : Vec3{}) + shift);
        const StartDirection guess = guess_for(*a, pose_a, *b, pose_b);
        EXPECT_TRUE(is_finite(guess.n));
        EXPECT_TRUE(std::isfinite(guess.separation));
        const DistanceResult r = distance(*a, pose_a, *b, pose_b);
        EXPECT_EQ(r.status, Status::converged);
        const bool apart = a == &flat && b == &flat && shift.z > 0.0;
        if (apart) {
          EXPECT_NEAR(r.distance, 0.5, 1e-12);
        } else {
          EXPECT_LE(r.distance, 1e-12);
        }
        EXPECT_EQ(overlap(*a, pose_a, *b, pose_b).overlap == Overlap::no, apart);
      }
    }
  }
}

}  // namespace
}  // namespace tactus::detail
