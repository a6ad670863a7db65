#include <gtest/gtest.h>

#include "tactus/check.hpp"
#include "tests/support/effort.hpp"

namespace {

using namespace tactus;
using namespace tactus::planar;

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed * 2862933555777941757ULL + 3037000493ULL) {}
  double between(double low, double high) {
    state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
    return low + (high - low) * static_cast<double>(state_ >> 33) / 2147483648.0;
  }
  Vec2 in_square(double half) {
    const double x = between(-half, half), y = between(-half, half);
    return {x, y};
  }

 private:
  std::uint64_t state_;
};

std::vector<Vec2> star(Random& random, int count) {
  std::vector<Vec2> points;
  for (int k = 0; k < count; ++k) {
    const double angle = 6.283185307179586 * k / count, r = random.between(0.2, 1.0);
    points.push_back({r * std::cos(angle), r * std::sin(angle)});
  }
  return points;
}

PlanarShape any_shape(Random& random, int kind) {
  if (kind == 0) return Circle(random.between(0.1, 0.8));
  if (kind == 1) return Contour(star(random, 9), random.between(0, 1) < 0.5);
  return Region(star(random, 11));
}

PlanarResult distance_of(const PlanarShape& a, const Pose2& pa, const PlanarShape& b,
                         const Pose2& pb) {
  return std::visit(
      [&](const auto& x, const auto& y) {
        if constexpr (requires { distance(x, pa, y, pb); })
          return distance(x, pa, y, pb);
        else
          return swapped(distance(y, pb, x, pa));
      },
      a, b);
}
bool overlap_of(const PlanarShape& a, const Pose2& pa, const PlanarShape& b, const Pose2& pb) {
  return std::visit(
      [&](const auto& x, const auto& y) {
        if constexpr (requires { overlap(x, pa, y, pb); })
          return overlap(x, pa, y, pb);
        else
          return overlap(y, pb, x, pa);
      },
      a, b);
}
PlanarCast cast_of(const PlanarShape& a, const Pose2& pa, const PlanarMotion& ma,
                   const PlanarShape& b, const Pose2& pb, const PlanarMotion& mb) {
  return std::visit(
      [&](const auto& x, const auto& y) {
        if constexpr (requires { cast(x, pa, ma, y, pb, mb); })
          return cast(x, pa, ma, y, pb, mb);
        else
          return swapped(cast(y, pb, mb, x, pa, ma));
      },
      a, b);
}

struct Pair {
  PlanarShape a, b;
  Pose2 pa, pb;
};
Pair draw(int k) {
  Random random(k);
  Pair p{any_shape(random, k % 3), any_shape(random, (k / 3) % 3), {}, {}};
  const Vec2 far = k % 5 == 0 ? Vec2{1e4, -2e4} : Vec2{};
  p.pa = Pose2{random.in_square(1) + far, random.between(-3, 3)};
  p.pb = Pose2{random.in_square(1.5) + far, random.between(-3, 3)};
  return p;
}

// True answers are proved, all but the lower bound of a depth; lies are never proved.
TEST(PlanarCheck, DistancesAreProvedAndLiesAreNot) {
  int apart = 0, deep = 0;
  const int count = detail::test::effort(3000);
  for (int k = 0; k < count; ++k) {
    const Pair p = draw(k);
    const PlanarResult r = distance_of(p.a, p.pa, p.b, p.pb);
    const CheckReport truth = check(p.a, p.pa, p.b, p.pb, r);
    ASSERT_FALSE(truth.refuted()) << k << ' ' << truth.failure;
    for (const Claim c :
         {Claim::value, Claim::lower, Claim::normal, Claim::points, Claim::relation}) {
      ASSERT_EQ(truth[c], Proof::proved) << k << ' ' << truth.failure;
    }
    (r.distance < 0.0 ? deep : apart) += 1;
    if (r.distance >= 0.0) {
      ASSERT_EQ(truth[Claim::upper], Proof::proved) << k << truth.failure;
    }
    for (const double slip : {1e-9, 1e-3}) {
      PlanarResult lie = r;
      lie.lower = lie.distance = lie.upper = r.distance + slip;
      // Within a wide bracket it may be the truth.
      if (lie.lower > r.upper) {
        ASSERT_NE(check(p.a, p.pa, p.b, p.pb, lie)[Claim::lower], Proof::proved) << k;
      }
      if (r.distance > 2e-3) {
        lie = r;
        lie.lower = lie.distance = lie.upper = r.distance - slip;
        ASSERT_NE(check(p.a, p.pa, p.b, p.pb, lie)[Claim::upper], Proof::proved) << k;
      }
      lie = r;
      lie.point_a = lie.point_a + Vec2{slip, slip};
      ASSERT_EQ(check(p.a, p.pa, p.b, p.pb, lie)[Claim::relation], Proof::refuted) << k;
      lie = r;
      lie.normal = lie.normal * (1.0 + slip);
      ASSERT_EQ(check(p.a, p.pa, p.b, p.pb, lie)[Claim::normal], Proof::refuted) << k;
    }
  }
  EXPECT_GT(apart, count / 10);
  EXPECT_GT(deep, count / 10);
}

TEST(PlanarCheck, VerdictsOfOverlap) {
  int proved = 0;
  const int count = detail::test::effort(3000);
  for (int k = 0; k < count; ++k) {
    const Pair p = draw(k + 50000);
    const bool truth = overlap_of(p.a, p.pa, p.b, p.pb);
    const CheckReport right = check_overlap(p.a, p.pa, p.b, p.pb, truth);
    ASSERT_NE(right[Claim::verdict], Proof::refuted) << k;
    proved += right.ok ? 1 : 0;
    ASSERT_NE(check_overlap(p.a, p.pa, p.b, p.pb, !truth)[Claim::verdict], Proof::proved) << k;
  }
  EXPECT_GE(proved, count * 99 / 100);
}

TEST(PlanarCheck, Casts) {
  int proved = 0, hits = 0;
  const int count = detail::test::effort(3000);
  for (int k = 0; k < count; ++k) {
    const Pair p = draw(k + 90000);
    Random random(k + 7);
    const PlanarMotion ma{random.in_square(4), 0.0}, mb{random.in_square(4), 0.0};
    const PlanarCast r = cast_of(p.a, p.pa, ma, p.b, p.pb, mb);
    const CheckReport right = check(p.a, p.pa, ma, p.b, p.pb, mb, r);
    ASSERT_FALSE(right.refuted()) << k << ' ' << right.failure;
    proved += right.ok ? 1 : 0;
    if (r.hit != PlanarHit::yes || r.time_upper > 0.99) continue;
    ++hits;
    PlanarCast lie = r;
    lie.time = r.time_upper + 1e-3;
    lie.time_upper = lie.time + 1e-3;
    ASSERT_NE(check(p.a, p.pa, ma, p.b, p.pb, mb, lie)[Claim::time], Proof::proved) << k;
    lie = r;
    lie.hit = PlanarHit::no;
    ASSERT_NE(check(p.a, p.pa, ma, p.b, p.pb, mb, lie)[Claim::verdict], Proof::proved) << k;
    if (r.time > 2e-3) {
      lie = r;
      lie.time = lie.time_upper = r.time - 1e-3;
      ASSERT_NE(check(p.a, p.pa, ma, p.b, p.pb, mb, lie)[Claim::time_upper], Proof::proved) << k;
    }
  }
  EXPECT_GE(proved, count * 97 / 100);
  EXPECT_GT(hits, count / 20);
}

TEST(PlanarCheck, Touches) {
  for (int k = 0; k < detail::test::effort(3000); ++k) {
    Random random(k + 4711);
    const PlanarShape other = any_shape(random, 1 + k % 2);
    const Circle circle(random.between(0.05, 0.9));
    const Pose2 pose(random.in_square(1), 1.0), at(random.in_square(1.5), 0.0);
    std::vector<Touch> found;
    std::visit(
        [&](const auto& o) {
          if constexpr (requires { touches(circle, at, o, pose, found); }) {
            touches(circle, at, o, pose, found);
          }
        },
        other);
    const CheckReport right = check(circle, at, other, pose, found, 0.0);
    ASSERT_TRUE(right.ok) << k << ' ' << right.failure;
    if (found.empty()) continue;
    std::vector<Touch> lie = found;
    lie[0].depth += 1e-9;
    ASSERT_TRUE(check(circle, at, other, pose, lie, 0.0).refuted()) << k;
    lie = found;
    lie[0].part += 1e-9;
    ASSERT_TRUE(check(circle, at, other, pose, lie, 0.0).refuted()) << k;
    // Without the nearest place: the deepest touch, of a centre inside the shallowest.
    double nearest = 1e9;
    for (const Touch& t : found) nearest = std::min(nearest, std::fabs(circle.radius() - t.depth));
    lie = found;
    std::erase_if(lie, [&](const Touch& t) {
      return std::fabs(circle.radius() - t.depth) <= nearest + 1e-6;
    });
    ASSERT_TRUE(check(circle, at, other, pose, lie, 0.0).refuted()) << k;
  }
}

}  // namespace
