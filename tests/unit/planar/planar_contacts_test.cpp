#include <gtest/gtest.h>

#include <algorithm>

#include "tactus/core/random.hpp"
#include "tactus/planar.hpp"
#include "tests/support/effort.hpp"

namespace {

using namespace tactus;
using namespace tactus::planar;

std::vector<Vec2> rectangle(double x0, double y0, double x1, double y1) {
  return {{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}};
}

// Teeth of width 1 pointing down, a gap of 1 between.
Region comb(int teeth) {
  std::vector<Vec2> points;
  for (int k = 0; k < teeth; ++k) {
    points.push_back({2.0 * k, 0});
    points.push_back({2.0 * k + 1, 0});
    if (k + 1 < teeth) {
      points.push_back({2.0 * k + 1, 2});
      points.push_back({2.0 * k + 2, 2});
    }
  }
  points.push_back({2.0 * teeth - 1, 3});
  points.push_back({0, 3});
  return Region(points);
}

PlanarContacts of(const Region& a, const Region& b, const Pose2& pose_b, double threshold = 0.0) {
  PlanarContacts out;
  contacts(a, {}, b, pose_b, out, threshold);
  return out;
}

TEST(PlanarContacts, ParallelEdgesTouchAtBothEnds) {
  const Region floor(rectangle(-10, -1, 10, 0)), box(rectangle(-1, 0, 1, 2));
  const auto expect_pair = [](const PlanarContacts& found, double depth) {
    ASSERT_EQ(found.all().size(), 2U);
    EXPECT_EQ(found.stretches(), 1U);
    for (const PlanarContact& c : found.all()) {
      EXPECT_NEAR(c.depth, depth, 1e-15);
      EXPECT_NEAR(c.normal.y, 1.0, 1e-15);
      EXPECT_EQ(std::fabs(c.point_a.x), 1.0);
    }
    EXPECT_NE(found.all()[0].point_a.x, found.all()[1].point_a.x);
  };
  expect_pair(of(floor, box, {}), 0.0);
  expect_pair(of(floor, box, Pose2({0, 0.125}, 0.0), 0.25), -0.125);
  expect_pair(of(floor, box, Pose2({0, -0.125}, 0.0)), 0.125);
  EXPECT_TRUE(of(floor, box, Pose2({0, 0.25}, 0.0), 0.125).all().empty());
}

TEST(PlanarContacts, OneCornerInAnEdge) {
  const Region floor(rectangle(-10, -1, 10, 0)), tip({{0, 0}, {1, 2}, {-1, 2}});
  const auto found = of(floor, tip, Pose2({3, -0.25}, 0.0));
  ASSERT_EQ(found.all().size(), 1U);
  EXPECT_NEAR(found.all()[0].depth, 0.25, 1e-15);
  EXPECT_EQ(found.all()[0].point_a, (Vec2{3, 0}));
  EXPECT_EQ(found.all()[0].point_b, (Vec2{3, -0.25}));
  // Bodies exchanged.
  PlanarContacts other;
  contacts(tip, Pose2({3, -0.25}, 0.0), floor, {}, other);
  ASSERT_EQ(other.all().size(), 1U);
  EXPECT_NEAR(other.all()[0].normal.y, -1.0, 1e-15);
}

TEST(PlanarContacts, EachToothIsAStretch) {
  const Region floor(rectangle(-10, -1, 30, 0)), teeth = comb(9);
  for (const double height : {0.0, -0.125, 0.0625}) {
    for (const double angle : {0.0, 1e-4}) {
      const auto found = of(floor, teeth, Pose2({0, height}, angle), 0.125);
      EXPECT_EQ(found.stretches(), 9U) << height << ' ' << angle;
      EXPECT_EQ(found.all().size(), 18U) << height << ' ' << angle;
      for (const PlanarContact& c : found.all()) {
        EXPECT_NEAR(c.depth, -height - angle * c.point_b.x, 4e-10);
        EXPECT_NEAR(c.normal.y, 1.0, 1e-7);
      }
    }
  }
}

TEST(PlanarContacts, ABoxInACornerTouchesBothWalls) {
  const Region corner({{0, 0}, {10, 0}, {10, -1}, {-1, -1}, {-1, 10}, {0, 10}}),
      box(rectangle(0, 0, 1, 1));
  for (const double gap : {0.0, 0.0625, -0.0625}) {
    const auto found = of(corner, box, Pose2({gap, gap}, 0.0), 0.125);
    bool up = false, aside = false;
    for (const PlanarContact& c : found.all()) {
      up = up || (c.normal.y > 0.999 && c.point_b.x > 0.5);
      aside = aside || (c.normal.x > 0.999 && c.point_b.y > 0.5);
    }
    EXPECT_TRUE(up && aside) << gap;
  }
}

TEST(PlanarContacts, WithoutCornersInsideTheContactIsThatOfTheDepth) {
  const Region bar(rectangle(-10, -1, 10, 1)), post(rectangle(-1, -10, 1, 10)),
      small(rectangle(-2, -0.5, -1, 0.5));
  const auto crossing = of(bar, post, {});
  ASSERT_EQ(crossing.all().size(), 1U);
  EXPECT_NEAR(crossing.all()[0].depth, 11.0, 3e-12);
  const auto inside = of(bar, small, {});
  ASSERT_EQ(inside.all().size(), 1U);
  EXPECT_NEAR(inside.all()[0].depth, 1.5, 1e-12);
}

TEST(PlanarContacts, OneInTheOtherOrInItsHole) {
  const std::vector<Vec2> wall = rectangle(-5, -5, 5, 5);
  const Region plate(wall), frame(wall, {rectangle(-4, -4, 4, 4)}), box(rectangle(-1, -1, 1, 1));
  for (const double angle : {0.0, 0.7}) {
    const Pose2 pose({0.5, 0.25}, angle);
    EXPECT_TRUE(of(frame, box, pose).all().empty());
    EXPECT_TRUE(of(box, frame, pose).all().empty());
    EXPECT_TRUE(of(plate, box, Pose2({20, 3}, angle)).all().empty());
    for (const bool swapped : {false, true}) {
      const PlanarContacts found = swapped ? of(box, plate, pose) : of(plate, box, pose);
      ASSERT_EQ(found.all().size(), 1U);
      const PlanarResult whole =
          swapped ? distance(box, {}, plate, pose) : distance(plate, {}, box, pose);
      EXPECT_EQ(found.all()[0].depth, -whole.distance);
      EXPECT_GT(found.all()[0].depth, 4.0);
    }
  }
  // The only corner that is asked for lies on the other's boundary.
  const Region wedge(std::vector<Vec2>{{-5, 0}, {0, -1}, {0, 1}});
  const PlanarContacts found = of(plate, wedge, {});
  ASSERT_FALSE(found.all().empty());
  EXPECT_GE(found.all()[0].depth, 0.0);
}

TEST(PlanarContacts, OfCirclesAreTheirTouches) {
  const Region corner({{0, 0}, {10, 0}, {10, -1}, {-1, -1}, {-1, 10}, {0, 10}});
  PlanarContacts found;
  contacts(Circle(1.0), Pose2({0.75, 0.5}, 0.0), corner, {}, found);
  ASSERT_EQ(found.all().size(), 2U);
  for (const PlanarContact& c : found.all()) {
    EXPECT_NEAR(norm((c.point_b - c.point_a) + c.normal * c.depth), 0.0, 1e-15);
    EXPECT_NEAR(norm(c.point_a - Vec2{0.75, 0.5}), 1.0, 1e-15);
  }
  EXPECT_EQ(found.stretches(), 2U);
}

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed * 2862933555777941757ULL + 3037000493ULL) {}
  double between(double low, double high) {
    state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
    return low + (high - low) * static_cast<double>(state_ >> 33) / 2147483648.0;
  }

 private:
  std::uint64_t state_;
};

Region star(Random& random, int count) {
  std::vector<Vec2> points;
  for (int k = 0; k < count; ++k) {
    const double angle = 6.283185307179586 * k / count, r = random.between(0.3, 1.0);
    points.push_back({r * std::cos(angle), r * std::sin(angle)});
  }
  return Region(points);
}

double from_boundary(const Region& region, const Pose2& pose, const Vec2& p) {
  return distance(Circle(0.0), Pose2(p, 0.0), region.contours()[0], pose).distance;
}

// Regions that overlap have a contact with a depth, of others none has; places lie on both
// boundaries, and the same contacts come with the bodies exchanged.
TEST(PlanarContacts, AreThoseOfRandomStars) {
  int touching = 0, several = 0;
  for (int k = 0; k < detail::test::effort(3000); ++k) {
    Random random(k);
    const Region a = star(random, 5 + k % 40), b = star(random, 5 + k % 17);
    const Pose2 pose_a({random.between(-5, 5), 0.5}, random.between(-3, 3));
    const double far = random.between(0.5, 2.0), way = random.between(-3, 3);
    const Pose2 pose_b(pose_a.position() + Vec2{std::cos(way), std::sin(way)} * far,
                       random.between(-3, 3));
    PlanarContacts found, other;
    contacts(a, pose_a, b, pose_b, found);
    const bool meet = overlap(a, pose_a, b, pose_b);
    ASSERT_EQ(!found.all().empty(), meet) << k;
    if (!meet) continue;
    ++touching;
    several += found.stretches() > 1 ? 1 : 0;
    contacts(b, pose_b, a, pose_a, other);
    double deepest = -1.0, deepest_other = -1.0;
    for (const PlanarContact& c : found.all()) {
      deepest = std::max(deepest, c.depth);
      ASSERT_GT(c.depth, 0.0) << k;
      ASSERT_NEAR(norm(c.normal), 1.0, 1e-14) << k;
      ASSERT_NEAR(norm((c.point_b - c.point_a) + c.normal * c.depth), 0.0, 1e-13) << k;
      ASSERT_LE(from_boundary(a, pose_a, c.point_a), 2e-13) << k;
      ASSERT_LE(from_boundary(b, pose_b, c.point_b), 2e-13) << k;
    }
    for (const PlanarContact& c : other.all()) deepest_other = std::max(deepest_other, c.depth);
    ASSERT_NEAR(deepest, deepest_other, 1e-12) << k;
  }
  EXPECT_GT(touching, 100);
  EXPECT_GT(several, 20);
}

// A tiny hole in the middle keeps a region from the path for small convex ones.
Region convex_polygon(detail::Random& random, std::size_t corners, bool with_hole) {
  const double start = random.uniform(0.0, 6.0), stretch = random.uniform(0.5, 1.0);
  std::vector<Vec2> points;
  for (std::size_t i = 0; i < corners; ++i) {
    const double angle =
        start + 6.28318530717958647692 * static_cast<double>(i) / static_cast<double>(corners);
    points.push_back({std::cos(angle), stretch * std::sin(angle)});
  }
  if (!with_hole) return Region(points);
  return Region(points, {{{-1e-3, -1e-3}, {1e-3, -1e-3}, {0.0, 1e-3}}});
}

// Contacts along the way of the whole pair have its roundings, which are not those of a region with
// a hole.
void expect_near_contacts(const PlanarContacts& found, const PlanarContacts& other) {
  ASSERT_EQ(found.all().size(), other.all().size());
  for (std::size_t i = 0; i < found.all().size(); ++i) {
    const PlanarContact &x = found.all()[i], &y = other.all()[i];
    EXPECT_LE(norm(x.point_a - y.point_a), 3e-14);
    EXPECT_LE(norm(x.point_b - y.point_b), 2e-14);
    EXPECT_NEAR(x.depth, y.depth, 2e-14);
    EXPECT_EQ(x.stretch, y.stretch);
  }
}

void expect_same_contacts(const PlanarContacts& found, const PlanarContacts& other) {
  ASSERT_EQ(found.all().size(), other.all().size());
  for (std::size_t i = 0; i < found.all().size(); ++i) {
    const PlanarContact &x = found.all()[i], &y = other.all()[i];
    EXPECT_EQ(x.point_a, y.point_a);
    EXPECT_EQ(x.point_b, y.point_b);
    EXPECT_EQ(x.normal, y.normal);
    EXPECT_EQ(x.depth, y.depth);
    EXPECT_EQ(x.stretch, y.stretch);
  }
}

TEST(PlanarContacts, SmallConvexRegionsHaveTheBitsOfTheGeneralSearch) {
  detail::Random random(41);
  std::size_t several = 0, gaps = 0, along_the_whole = 0;
  for (int k = 0; k < 20000 && !testing::Test::HasFailure(); ++k) {
    const auto count_a = 3 + random.below(14), count_b = 3 + random.below(14);
    detail::Random form_a(random.below(50)), form_b(random.below(50));
    detail::Random again_a = form_a, again_b = form_b;
    const Region a = convex_polygon(form_a, count_a, false);
    const Region b = convex_polygon(form_b, count_b, false);
    const Region holed_a = convex_polygon(again_a, count_a, true);
    const Region holed_b = convex_polygon(again_b, count_b, true);
    const double threshold = random.below(2) == 0 ? 0.0 : random.uniform(0.0, 0.3);
    // Holes are farther away than the threshold.
    const double way = random.uniform(0.0, 6.28), far = random.uniform(1.05 + threshold, 2.2);
    const Vec2 at{far * std::cos(way), far * std::sin(way)};
    const Pose2 pose(at, random.below(4) == 0 ? 0.0 : random.uniform(0.0, 6.28));
    const PlanarContacts found = of(a, b, pose, threshold);
    const PlanarContacts other = of(holed_a, holed_b, pose, threshold);
    const PlanarResult whole = distance(a, {}, b, pose);
    if (found.all().size() == 1 && found.all()[0].depth == -whole.distance &&
        found.all()[0].point_b == whole.point_b) {
      // Crossing bars, whose contact is that of the distance, or nearly.
      ASSERT_EQ(other.all().size(), 1U);
      EXPECT_NEAR(found.all()[0].depth, other.all()[0].depth, 1e-14);
      continue;
    }
    if (std::any_of(found.all().begin(), found.all().end(),
                    [&](const PlanarContact& c) { return c.normal == whole.normal; })) {
      ++along_the_whole;
      expect_near_contacts(found, other);
      continue;
    }
    expect_same_contacts(found, other);
    several += found.all().size() > 1 ? 1U : 0U;
    for (const PlanarContact& c : found.all()) gaps += c.depth < 0.0 ? 1U : 0U;
  }
  EXPECT_GT(several, 2500U);
  EXPECT_LT(along_the_whole, 2000U);
  EXPECT_GT(gaps, 400U);
}

}  // namespace
