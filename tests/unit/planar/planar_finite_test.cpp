#include <gtest/gtest.h>

#include <variant>

#include "tactus/core/random.hpp"
#include "tactus/planar.hpp"
#include "tests/support/effort.hpp"

namespace {

using namespace tactus;
using namespace tactus::planar;
using tactus::detail::Random;

// Zeros, equal numbers, and numbers whose squares or products leave the range of doubles.
double any_number(Random& random, std::uint32_t most) {
  constexpr double kNumbers[] = {0,      0,      1,      1,      2,     0.3,  5e-324, 1e-310,
                                 1e-200, 1e-160, 1e-150, 1e-100, 1e-20, 1e80, 1e90};
  double number = kNumbers[random.below(most)];
  if (random.below(3) == 0) number *= random.uniform(0.5, 1.0);
  return random.below(2) == 0 ? number : -number;
}

std::vector<Vec2> any_points(Random& random, std::uint32_t most, std::uint32_t least) {
  std::vector<Vec2> points;
  const std::uint32_t count = least + random.below(4);
  for (std::uint32_t i = 0; i < count; ++i) {
    const double x = any_number(random, most), y = any_number(random, most);
    points.push_back({x, y});
    if (random.below(6) == 0) points.push_back(points.back());
  }
  return points;
}

PlanarShape any_shape(Random& random, std::uint32_t most) {
  for (;;) {
    try {
      const std::uint32_t kind = random.below(3);
      if (kind == 0) return Circle(std::fabs(any_number(random, most)));
      if (kind == 1) {
        const bool closed = random.below(2) == 0;
        return Contour(any_points(random, most, 2), closed, Crossings::accept);
      }
      return Region(any_points(random, most, 3));
    } catch (const InvalidInput&) {
    }
  }
}

Pose2 any_pose(Random& random, std::uint32_t most) {
  if (random.below(2) == 0) return {};
  const double x = any_number(random, most), y = any_number(random, most);
  return {{x, y}, random.below(2) == 0 ? 0.0 : random.uniform(-3.0, 3.0)};
}

bool is_unit(const Vec2& n) { return std::fabs(norm(n) - 1.0) <= 1e-14; }

// Whatever the shapes: numbers, in their order, and unit normals.
TEST(PlanarFinite, NoAnswerIsNotANumber) {
  for (int k = 0; k < detail::test::effort(20000); ++k) {
    Random random(static_cast<std::uint64_t>(k));
    const std::uint32_t ranges[] = {13, 6, 15};
    const std::uint32_t most = ranges[random.below(3)];
    const PlanarShape a = any_shape(random, most), b = any_shape(random, most);
    const Pose2 pa = any_pose(random, most), pb = any_pose(random, most);
    const double x = any_number(random, most), y = any_number(random, most);
    const PlanarMotion motion{{x, y}, random.below(3) == 0 ? random.uniform(-3.0, 3.0) : 0.0};
    const auto ask = [&](const auto& s, const auto& t) {
      if constexpr (requires { distance(s, pa, t, pb); }) {
        const PlanarResult r = distance(s, pa, t, pb);
        ASSERT_TRUE(r.lower <= r.distance && r.distance <= r.upper) << k;
        ASSERT_TRUE(is_finite(r.point_a) && is_finite(r.point_b) && is_unit(r.normal)) << k;
        const PlanarCast c = cast(s, pa, motion, t, pb, {});
        ASSERT_TRUE(c.time <= c.time_upper && is_unit(c.normal)) << k;
        ASSERT_TRUE(is_finite(c.point_a) && is_finite(c.point_b)) << k;
      }
      if constexpr (requires(PlanarContacts out) { contacts(s, pa, t, pb, out); }) {
        PlanarContacts found;
        contacts(s, pa, t, pb, found, random.below(2) == 0 ? 0.0 : 1.0);
        for (const PlanarContact& c : found.all()) {
          ASSERT_TRUE(is_finite(c.point_a) && is_finite(c.point_b) && is_unit(c.normal)) << k;
          ASSERT_TRUE(std::isfinite(c.depth)) << k;
        }
      }
      if constexpr (requires(std::vector<Touch> out) { touches(s, pa, t, pb, out); }) {
        std::vector<Touch> found;
        touches(s, pa, t, pb, found);
        for (const Touch& touch : found) {
          ASSERT_TRUE(is_finite(touch.point) && is_unit(touch.normal)) << k;
          ASSERT_TRUE(std::isfinite(touch.depth + touch.part + touch.angle)) << k;
        }
      }
    };
    std::visit(ask, a, b);
  }
}

// A pose that is not finite gets no answer from any query, nor do positions so far apart that their
// distance has no square.
TEST(PlanarFinite, PosesThatAreNotFiniteGetNoAnswer) {
  const Circle circle(1.0);
  const Contour contour({{0, 0}, {1, 0}}, false);
  const Region region({{0, 0}, {1, 0}, {0, 1}});
  for (const double bad :
       {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN(), 1e200}) {
    const Pose2 out = Pose2().turned_by(0.0, {bad, 0.0});
    for (const bool first : {true, false}) {
      const Pose2 pa = first ? out : Pose2(), pb = first ? Pose2() : out;
      const auto ask = [&](const auto& a, const auto& b) {
        const PlanarResult r = distance(a, pa, b, pb);
        EXPECT_EQ(r.status, Status::invalid_input);
        EXPECT_EQ(r.lower, -std::numeric_limits<double>::infinity());
        EXPECT_EQ(r.upper, std::numeric_limits<double>::infinity());
        const PlanarOverlap o = overlap(a, pa, b, pb);
        EXPECT_EQ(o.status, Status::invalid_input);
        EXPECT_EQ(o.overlap, PlanarHit::undecided);
        const PlanarCast c = cast(a, pa, {{1, 0}, 0.0}, b, pb, {});
        EXPECT_EQ(c.status, Status::invalid_input);
        EXPECT_EQ(c.hit, PlanarHit::undecided);
        if constexpr (requires(PlanarContacts found) { contacts(a, pa, b, pb, found); }) {
          PlanarContacts found;
          EXPECT_EQ(found.status(), Status::unsupported);
          contacts(a, pa, b, pb, found);
          EXPECT_EQ(found.status(), Status::invalid_input);
          EXPECT_TRUE(found.all().empty());
        }
        if constexpr (requires(std::vector<Touch> found) { touches(a, pa, b, pb, found); }) {
          std::vector<Touch> found;
          EXPECT_EQ(touches(a, pa, b, pb, found), Status::invalid_input);
          EXPECT_TRUE(found.empty());
        }
      };
      ask(circle, circle);
      ask(circle, contour);
      ask(circle, region);
      ask(contour, contour);
      ask(contour, region);
      ask(region, region);
    }
  }
  EXPECT_EQ(PlanarResult().status, Status::unsupported);
  EXPECT_EQ(PlanarOverlap().overlap, PlanarHit::undecided);
  EXPECT_EQ(PlanarCast().hit, PlanarHit::undecided);
  EXPECT_EQ(overlap(region, {}, region, {}).status, Status::converged);
}

}  // namespace
