#include <gtest/gtest.h>

#include <algorithm>

#include "tactus/planar.hpp"
#include "tests/support/effort.hpp"

namespace {

using namespace tactus;
using namespace tactus::planar;
using Points = std::vector<Vec2>;

// Whole coordinates up to this: every number of the oracle is a quotient of small integers, so that
// two of them are equal or differ by more than 2^-40, and long double decides.
constexpr int kGrid = 12;
constexpr long double kApart = 1e-13L;

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed * 2862933555777941757ULL + 3037000493ULL) {}
  int below(int n) {
    state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<int>((state_ >> 33) % static_cast<std::uint64_t>(n));
  }
  double unit() { return below(1 << 30) / static_cast<double>(1 << 30); }

 private:
  std::uint64_t state_;
};

// Grid points in random order, taken as a contour until one does not cross itself; or a comb.
Points random_contour(Random& random) {
  if (random.below(4) == 0) {
    const int teeth = 2 + random.below(2), height = 3 + random.below(6), base = 1 + random.below(2);
    Points comb{{0, 0}, {2.0 * teeth - 1, 0}};
    for (int k = teeth - 1; k >= 0; --k) {
      comb.push_back({2.0 * k + 1, double(height)});
      comb.push_back({2.0 * k, double(height)});
      if (k == 0) break;
      comb.push_back({2.0 * k, double(base)});
      comb.push_back({2.0 * k - 1, double(base)});
    }
    return comb;
  }
  for (;;) {
    const int count = 3 + random.below(5);
    Points points;
    for (int i = 0; i < count; ++i) {
      const int x = random.below(kGrid), y = random.below(kGrid);
      points.push_back({double(x), double(y)});
    }
    try {
      Region region(points);
      return points;
    } catch (const InvalidInput&) {
    }
  }
}

using Contours = std::vector<Points>;

struct Segment {
  Vec2 a, b;
};

std::vector<Segment> segments_of(const Contours& contours, Vec2 shift) {
  std::vector<Segment> out;
  for (const Points& c : contours) {
    for (std::size_t i = 0; i < c.size(); ++i) {
      out.push_back({c[i] + shift, c[(i + 1) % c.size()] + shift});
    }
  }
  return out;
}

std::vector<long double> heights(const std::vector<Segment>& segments, long double x) {
  std::vector<long double> out;
  for (const Segment& s : segments) {
    if ((s.a.x < x) == (s.b.x < x)) continue;
    out.push_back(s.a.y + (x - s.a.x) * (s.b.y - s.a.y) / ((long double)s.b.x - s.a.x));
  }
  std::sort(out.begin(), out.end());
  return out;
}

// By slabs between all places where boundaries turn or cross: no two lines cross inside one, so
// that its middle line speaks for all of it.
bool slabs_overlap(const Contours& a, const Contours& b, Vec2 shift) {
  const auto sa = segments_of(a, {}), sb = segments_of(b, shift);
  std::vector<long double> places;
  for (const auto* side : {&sa, &sb}) {
    for (const Segment& s : *side) places.push_back(s.a.x);
  }
  for (const Segment& s : sa) {
    for (const Segment& r : sb) {
      const Vec2 u = s.b - s.a, v = r.b - r.a;
      const double area = cross(u, v);
      if (area == 0.0) continue;
      places.push_back(s.a.x + (long double)u.x * cross(r.a - s.a, v) / area);
    }
  }
  std::sort(places.begin(), places.end());
  for (std::size_t i = 0; i + 1 < places.size(); ++i) {
    if (places[i + 1] - places[i] < kApart) continue;
    const long double x = (places[i] + places[i + 1]) / 2;
    const auto ya = heights(sa, x), yb = heights(sb, x);
    for (std::size_t k = 0; k + 1 < ya.size(); k += 2) {
      for (std::size_t m = 0; m + 1 < yb.size(); m += 2) {
        if (std::min(ya[k + 1], yb[m + 1]) - std::max(ya[k], yb[m]) > kApart) return true;
      }
    }
  }
  return false;
}

Contours with_hole(Random& random) {
  Contours out{random_contour(random)};
  if (random.below(3) != 0) return out;
  for (int tries = 0; tries < 20; ++tries) {
    const Points hole = random_contour(random);
    try {
      Region region(out[0], {hole});
      out.push_back(hole);
      return out;
    } catch (const InvalidInput&) {
    }
  }
  out[0] = {{-1, -1}, {kGrid + 1, -1}, {kGrid + 1, kGrid + 1}, {-1, kGrid + 1}};
  out.push_back(random_contour(random));
  return out;
}

Region region_of(const Contours& c) { return Region(c[0], {c.begin() + 1, c.end()}); }

TEST(PlanarOverlap, IsThatOfExactSlabs) {
  const int count = detail::test::effort(3000);
  int overlapping = 0;
  for (int k = 0; k < count; ++k) {
    Random random(k);
    const Contours a = with_hole(random), b = with_hole(random);
    const int x = random.below(2 * kGrid) - kGrid, y = random.below(2 * kGrid) - kGrid;
    const Vec2 shift{double(x), double(y)};
    const bool truth = slabs_overlap(a, b, shift);
    overlapping += truth ? 1 : 0;
    ASSERT_EQ(overlap(region_of(a), {}, region_of(b), Pose2(shift, 0.0)), truth) << k;
  }
  EXPECT_GT(overlapping, count / 4);
  EXPECT_LT(overlapping, count * 7 / 8);
}

long double segment_distance(const Segment& s, const Segment& r) {
  long double best = 1e30L;
  const auto point = [&](Vec2 p, const Segment& q) {
    const long double ux = q.b.x - q.a.x, uy = q.b.y - q.a.y, px = p.x - q.a.x, py = p.y - q.a.y;
    const long double t =
        std::clamp((px * ux + py * uy) / (ux * ux + uy * uy), (long double)0, (long double)1);
    best = std::min(best, std::hypot(px - t * ux, py - t * uy));
  };
  point(s.a, r);
  point(s.b, r);
  point(r.a, s);
  point(r.b, s);
  return best;
}

TEST(PlanarDistance, IsThatOfBruteForce) {
  const int count = detail::test::effort(3000);
  for (int k = 0; k < count; ++k) {
    Random random(k + 77777);
    const Contours a = with_hole(random), b = with_hole(random);
    const int x = random.below(4 * kGrid) - 2 * kGrid, y = random.below(4 * kGrid) - 2 * kGrid;
    const Vec2 shift{double(x), double(y)};
    if (slabs_overlap(a, b, shift)) continue;
    long double truth = 1e30L;
    for (const Segment& s : segments_of(a, {})) {
      for (const Segment& r : segments_of(b, shift))
        truth = std::min(truth, segment_distance(s, r));
    }
    const PlanarResult r = distance(region_of(a), {}, region_of(b), Pose2(shift, 0.0));
    ASSERT_LE(r.lower, truth) << k;
    ASSERT_GE(r.upper, truth) << k;
    ASSERT_LE(r.upper - r.lower, 1e-12) << k;
    ASSERT_NEAR(norm((r.point_b - r.point_a) - r.normal * r.distance), 0.0, 1e-13) << k;
  }
}

// Every shorter translation leaves the interiors meeting, the answer's own parts them: both by the
// exact overlap, which the slabs vouch for.
TEST(PlanarDepth, IsTheLeastTranslationThatParts) {
  const int count = detail::test::effort(1500);
  int judged = 0, wide = 0;
  for (int k = 0; k < count; ++k) {
    Random random(k + 1234567);
    const Contours a = with_hole(random), b = with_hole(random);
    const int x = random.below(kGrid) - kGrid / 2, y = random.below(kGrid) - kGrid / 2;
    const Vec2 shift{double(x), double(y)};
    const Region ra = region_of(a), rb = region_of(b);
    if (!overlap(ra, {}, rb, Pose2(shift, 0.0))) continue;
    const PlanarResult r = distance(ra, {}, rb, Pose2(shift, 0.0));
    ++judged;
    wide += r.status == Status::converged ? 0 : 1;
    ASSERT_LT(r.distance, 0.0);
    // The translation, as the witnesses give it: rounding moves it less than it is pushed clear.
    ASSERT_FALSE(overlap(ra, {}, rb, Pose2(shift + (r.point_a - r.point_b), 0.0))) << k;
    ASSERT_LE(norm(r.point_a - r.point_b), -r.lower + 1e-14) << k;
    for (int i = 0; i < 300; ++i) {
      const double length = -r.upper * std::sqrt(random.unit()), angle = random.unit() * 6.2831853;
      const Vec2 t{length * std::cos(angle), length * std::sin(angle)};
      ASSERT_TRUE(overlap(ra, {}, rb, Pose2(shift + t, 0.0))) << k << " " << length;
    }
  }
  EXPECT_GT(judged, count / 3);
  RecordProperty("wide", wide);
  std::printf("%d of %d brackets are wide\n", wide, judged);
}

}  // namespace
