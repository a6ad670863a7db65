#include "tactus/narrow/pair/box_patch.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tactus/core/random.hpp"
#include "tactus/narrow/pair/manifold.hpp"
#include "tests/support/measured.hpp"

namespace tactus::detail {
namespace {

struct BoxScene {
  Shape a, b;
  Pose pose_b;  ///< in A's frame
};

// Two boxes of sides 0.3 to 1, B `gap` away along the normal: anyhow, or on A and nearly level.
BoxScene boxes_at(Random& random, bool level, double gap) {
  const auto draw = [&](double low, double high) {
    const double x = random.uniform(low, high), y = random.uniform(low, high);
    return Vec3{x, y, random.uniform(low, high)};
  };
  const Shape a = Box(draw(0.3, 1.0)), b = Box(draw(0.3, 1.0));
  const double turn = random.uniform(-3.0, 3.0);
  Quat rotation{std::cos(turn), 0.0, 0.0, std::sin(turn)};
  const Vec3 tilt = draw(-1.0, 1.0) * (level ? std::pow(10.0, random.uniform(-9.0, -1.5)) : 1.0);
  rotation.x += tilt.x;
  rotation.y += tilt.y;
  Vec3 place = draw(-0.2, 0.2);
  (level ? place.z : place.x) = random.below(2) == 0 ? 3.0 : -3.0;
  const Pose far(place, normalized(rotation));
  Epa epa;
  const Cso cso(core_of(a), Pose(), core_of(b), far);
  const ConvexAnswer found = test::measured(cso, {}, epa);
  return {a, b, Pose(place - found.n * (found.distance - gap), normalized(rotation))};
}

Vec3 placed(const BoxPatch& patch, const Vec3& p, const Pose& pose_b) {
  const Mat3 axes = patch.turned(Mat3::identity());
  return patch.of_b ? pose_b.to_world(axes * p) : axes * p;
}

// The point with the same feature, the nearest one to `a` where two cuts of an edge share it.
const PatchPoint* find_point(const Patch& patch, std::uint64_t feature, const Vec3& a) {
  const PatchPoint* best = nullptr;
  for (int i = 0; i < patch.count; ++i) {
    const PatchPoint& p = patch.point[i];
    if (p.feature == feature && (best == nullptr || norm(p.a - a) < norm(best->a - a))) best = &p;
  }
  return best;
}

// Expects the points of `make_patch` from `make_box_patch`; returns the kind of patch.
BoxPatchKind compare(const BoxScene& scene, double threshold) {
  const Cso cso(core_of(scene.a), Pose(), core_of(scene.b), scene.pose_b);
  Epa epa;
  const ConvexAnswer answer = test::measured(cso, {}, epa);
  const Patch wanted = make_patch(cso, answer, threshold);
  BoxPatch found;
  const BoxAnswer given{answer.n, answer.distance, 2.0 * std::min(cso.a.reach, cso.b.reach)};
  const BoxPatchKind kind = make_box_patch(cso, given, threshold, found);
  if (kind == BoxPatchKind::witness) {
    EXPECT_EQ(wanted.count, 1);
    EXPECT_EQ(wanted.point[0].feature, kWitnessFeature);
  }
  if (kind != BoxPatchKind::points) return kind;
  EXPECT_EQ(found.patch.count, wanted.count);
  for (int i = 0; i < found.patch.count; ++i) {
    const PatchPoint& p = found.patch.point[i];
    const Vec3 a = placed(found, p.a, scene.pose_b), b = placed(found, p.b, scene.pose_b);
    const PatchPoint* const same = find_point(wanted, p.feature, a);
    if (same == nullptr) {
      ADD_FAILURE() << "no such feature";
      continue;
    }
    EXPECT_NEAR(p.depth, same->depth, 2e-14);
    EXPECT_LE(norm(a - same->a), 1e-13);
    EXPECT_LE(norm(b - same->b), 1e-13);
  }
  return kind;
}

TEST(BoxPatch, ThePointsAndFeaturesOfThePatchOfAnyPolytopes) {
  Random random(31);
  int kinds[3] = {0, 0, 0};
  for (int i = 0; i < 3000; ++i) {
    const bool level = i % 2 == 0;
    const BoxScene scene = boxes_at(random, level, -random.uniform(1e-4, 0.1));
    ++kinds[static_cast<int>(compare(scene, 0.0))];
    if (level) compare(scene, 0.02);
  }
  EXPECT_LE(kinds[static_cast<int>(BoxPatchKind::undecided)], 3);
  EXPECT_GE(kinds[static_cast<int>(BoxPatchKind::witness)], 300);
  EXPECT_GE(kinds[static_cast<int>(BoxPatchKind::points)], 1800);
}

TEST(BoxPatch, FacesThatLineUpKeepTheirCorners) {
  for (const double shift : {0.0, 0.5}) {
    const BoxScene scene{Box({1, 1, 1}), Box({1, 1, 1}), Pose::translation({shift, 0.0, 0.999})};
    EXPECT_EQ(compare(scene, 0.0), BoxPatchKind::points);
  }
}

TEST(BoxPatch, FlatAndNarrowBoxesAreLeftToOthers) {
  for (const Vec3& sides : {Vec3{1, 1, 1e-9}, Vec3{1, 1, 1e-3}, Vec3{200, 1, 1}}) {
    const BoxScene scene{Box({1, 1, 1}), Box(sides),
                         Pose::translation({0, 0, 0.499 + 0.5 * sides.z})};
    EXPECT_EQ(compare(scene, 0.0), BoxPatchKind::undecided);
  }
}

}  // namespace
}  // namespace tactus::detail
