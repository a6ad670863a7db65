#include <gtest/gtest.h>

#include "tests/support/effort.hpp"
#include "tests/support/planar_pairs.hpp"

namespace {

using namespace tactus;
using namespace tactus::detail::test;
using tactus::detail::Random;

// Error allowed of places, depths and forces, relative to the size: 64 * 2^-53.
constexpr double kAllowed = 64.0 / 9007199254740992.0;

class PlanarPointsLaw : public testing::TestWithParam<PlanarGrid> {};
INSTANTIATE_TEST_SUITE_P(Grids, PlanarPointsLaw,
                         testing::Values(PlanarGrid::whole, PlanarGrid::generic));

// The points of a signed distance lie on their own body's boundary, and differ by the distance
// along the normal.
TEST_P(PlanarPointsLaw, OfDistancesLieOnBothBoundaries) {
  const int count = detail::test::effort(3000);
  int deep = 0, off = 0;
  for (int k = 0; k < count; ++k) {
    Random random(static_cast<std::uint64_t>(k));
    const PlanarCase c = planar_case(random, GetParam());
    const Region a = c.region_a(), b = c.region_b();
    const PlanarResult r = distance(a, c.pose_a, b, c.pose_b);
    const double allowed = kAllowed * planar_size(c);
    ASSERT_EQ(r.status, Status::converged) << k;
    const bool holds = from_boundary(c.a, c.pose_a, r.point_a) <= allowed &&
                       from_boundary(c.b, c.pose_b, r.point_b) <= allowed &&
                       norm((r.point_b - r.point_a) - r.normal * r.distance) <= allowed &&
                       std::fabs(norm(r.normal) - 1.0) <= 1e-15;
    EXPECT_TRUE(holds || off > 2) << k << ": " << r.distance << " off "
                                  << from_boundary(c.a, c.pose_a, r.point_a) << ' '
                                  << from_boundary(c.b, c.pose_b, r.point_b);
    off += holds ? 0 : 1;
    deep += r.distance < 0.0 ? 1 : 0;
    if (!c.convex) continue;
    const long double truth = convex_depth(c);
    if (truth > 0.0L) {
      ASSERT_LE(std::fabs(static_cast<double>(truth) + r.distance), 2.0 * allowed) << k;
    } else {
      ASSERT_GE(r.distance, -allowed) << k;
    }
  }
  EXPECT_EQ(off, 0);
  EXPECT_GT(deep, count / 5);
}

// No contact is deeper than the whole pair; its points lie on both boundaries, its normal leads
// from one to the other, and regions that overlap have one.
TEST_P(PlanarPointsLaw, OfContactsLieOnBothBoundariesAndNoneIsTooDeep) {
  const int count = detail::test::effort(3000);
  int off = 0, several = 0;
  PlanarContacts found;
  for (int k = 0; k < count; ++k) {
    Random random(static_cast<std::uint64_t>(k) + 1000000);
    const PlanarCase c = planar_case(random, GetParam());
    const Region a = c.region_a(), b = c.region_b();
    const double threshold = random.below(3) == 0 ? random.uniform(0.0, 0.5) : 0.0;
    contacts(a, c.pose_a, b, c.pose_b, found, threshold);
    const PlanarResult whole = distance(a, c.pose_a, b, c.pose_b);
    const double allowed = kAllowed * planar_size(c);
    if (overlap(a, c.pose_a, b, c.pose_b)) {
      ASSERT_FALSE(found.all().empty()) << k;
    }
    several += found.all().size() > 1 ? 1 : 0;
    for (const PlanarContact& p : found.all()) {
      const bool holds = from_boundary(c.a, c.pose_a, p.point_a) <= allowed &&
                         from_boundary(c.b, c.pose_b, p.point_b) <= allowed &&
                         norm((p.point_b - p.point_a) + p.normal * p.depth) <= allowed &&
                         std::fabs(norm(p.normal) - 1.0) <= 1e-15 && p.depth >= -threshold &&
                         p.depth <= -whole.distance + allowed;
      EXPECT_TRUE(holds || off > 2)
          << k << ": depth " << p.depth << " of " << -whole.distance << ", off "
          << from_boundary(c.a, c.pose_a, p.point_a) << ' '
          << from_boundary(c.b, c.pose_b, p.point_b) << " normal " << p.normal.x << ' '
          << p.normal.y << " a " << p.point_a.x << ' ' << p.point_a.y;
      off += holds ? 0 : 1;
    }
  }
  EXPECT_EQ(off, 0);
  EXPECT_GT(several, count / 10);
}

/// Force, and torque about the origin, of the contacts on A or on B when each presses with its
/// depth along its normal.
struct Wrench {
  Vec2 force;
  double torque = 0.0;

  void add(const Vec2& at, const Vec2& push) {
    force = force + push;
    torque += cross(at, push);
  }
};

Wrench on_b(const PlanarContacts& found) {
  Wrench w;
  for (const PlanarContact& p : found.all()) w.add(p.point_b, p.normal * p.depth);
  return w;
}
Wrench on_a(const PlanarContacts& found) {
  Wrench w;
  for (const PlanarContact& p : found.all()) w.add(p.point_a, p.normal * -p.depth);
  return w;
}

// The contacts of a pair act on A and B with opposite forces and torques: a pair does not turn by
// itself.
TEST_P(PlanarPointsLaw, OfContactsLeaveNoTorqueOnThePair) {
  const int count = detail::test::effort(3000);
  PlanarContacts found;
  double pressed = 0.0;
  for (int k = 0; k < count; ++k) {
    Random random(static_cast<std::uint64_t>(k) + 2000000);
    const PlanarCase c = planar_case(random, GetParam());
    contacts(c.region_a(), c.pose_a, c.region_b(), c.pose_b, found);
    const Wrench to_a = on_a(found), to_b = on_b(found);
    const double size = planar_size(c);
    const double allowed = kAllowed * size * size * static_cast<double>(1 + found.all().size());
    ASSERT_LE(norm(to_a.force + to_b.force), kAllowed * size) << k;
    ASSERT_LE(std::fabs(to_a.torque + to_b.torque), allowed) << k;
    pressed += std::fabs(to_b.torque);
  }
  EXPECT_GT(pressed, count);
}

// Two boxes that lie on each other press in the middle of what they have in common: the sum of the
// contacts goes through it, along the normal.
TEST(PlanarPoints, FlatContactsPressInTheMiddle) {
  PlanarContacts found;
  for (int k = 0; k < detail::test::effort(3000); ++k) {
    Random random(static_cast<std::uint64_t>(k) + 3000000);
    const auto whole = [&](std::uint32_t least, std::uint32_t range) {
      return static_cast<double>(least + random.below(range));
    };
    const double left_a = whole(0, 8), right_a = left_a + whole(8, 8);
    const double left_b = left_a - 4.0 + whole(0, 8), right_b = left_b + whole(8, 8);
    const double deep = random.below(3) == 0 ? 0.0 : random.uniform(0.0, 1.0);
    const Region a({{left_a, 0}, {right_a, 0}, {right_a, 8}, {left_a, 8}});
    const Region b({{left_b, 8.0 - deep}, {right_b, 8.0 - deep}, {right_b, 16}, {left_b, 16}});
    const Pose2 pose = random.below(2) == 0
                           ? Pose2()
                           : Pose2({random.uniform(-4.0, 4.0), 3.0}, random.uniform(-3.0, 3.0));
    contacts(a, pose, b, pose, found);
    ASSERT_EQ(found.all().size(), 2U) << k;
    const double low = std::max(left_a, left_b), high = std::min(right_a, right_b);
    Wrench sum;
    for (const PlanarContact& p : found.all()) {
      ASSERT_NEAR(p.depth, deep, 1e-14) << k;
      // Contacts that only touch have depth 0: both count with weight 1.
      sum.add(pose.to_local(p.point_b) - Vec2{0.5 * (low + high), 8.0},
              pose.direction_to_local(p.normal) * (deep > 0.0 ? p.depth : 1.0));
    }
    ASSERT_NEAR(sum.force.x, 0.0, 1e-13) << k;
    ASSERT_NEAR(sum.torque, 0.0, 1e-12) << k;
  }
}

}  // namespace
