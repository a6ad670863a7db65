#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include "tactus/planar.hpp"
#include "tests/support/effort.hpp"

namespace {

using namespace tactus;
using namespace tactus::planar;

// Whole coordinates for contour and centre: all products of the reference below are whole numbers,
// so that it decides kinds exactly, and long double gives lengths to 1e-18.
constexpr int kGrid = 9;

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed * 2862933555777941757ULL + 3037000493ULL) {}
  int below(int n) {
    state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<int>((state_ >> 33) % static_cast<std::uint64_t>(n));
  }

 private:
  std::uint64_t state_;
};

struct Expected {
  TouchKind kind;
  std::size_t segment;
  long double x, y, distance, part;
};

long long whole_dot(Vec2 a, Vec2 b) { return static_cast<long long>(dot(a, b)); }

/// Brute force over all segments, straight from the definition: a local minimum of the distance.
class Reference {
 public:
  Reference(const Contour& c, Vec2 centre, long double reach) : c_(c), p_(centre), reach_(reach) {}

  std::vector<Expected> all() const {
    std::vector<Expected> out;
    for (std::size_t i = 0; i < c_.segments(); ++i) {
      if (length(i) == 0) continue;
      if (const auto h = foot(i)) {
        add(out, {concave(i) ? TouchKind::concave : TouchKind::segment, i, h->x, h->y, h->distance,
                  h->part});
        continue;
      }
      const bool at_start = whole_dot(p_ - c_.start(i), along(i)) <= 0;
      const auto before = step(i, -1), after = step(i, 1);
      if (at_start && !before) add(out, corner(TouchKind::end, i, c_.start(i), 0));
      if (!at_start && !after) add(out, corner(TouchKind::end, i, c_.end(i), length(i)));
      if (at_start && before && whole_dot(p_ - c_.start(i), along(*before)) >= 0) {
        const bool straight =
            cross(along(*before), along(i)) == 0.0 && dot(along(*before), along(i)) > 0.0;
        add(out, corner(straight ? TouchKind::segment : TouchKind::convex, i, c_.start(i), 0));
      }
    }
    return out;
  }

 private:
  struct Foot {
    long double x, y, distance, part;
  };

  Vec2 along(std::size_t i) const { return c_.end(i) - c_.start(i); }
  long double length(std::size_t i) const {
    return std::hypot((long double)along(i).x, along(i).y);
  }

  std::optional<std::size_t> step(std::size_t i, int direction) const {
    const auto n = static_cast<int>(c_.segments());
    for (int k = 1; k < n; ++k) {
      int j = static_cast<int>(i) + k * direction;
      if (!c_.closed() && (j < 0 || j >= n)) return std::nullopt;
      j = (j + n) % n;
      if (length(j) > 0) return j;
    }
    return std::nullopt;
  }

  std::optional<Foot> foot(std::size_t i) const {
    const Vec2 s = along(i), o = p_ - c_.start(i);
    const long long t = whole_dot(o, s), ss = whole_dot(s, s);
    if (t <= 0 || t >= ss) return std::nullopt;
    const long double u = (long double)t / ss;
    return Foot{c_.start(i).x + u * s.x, c_.start(i).y + u * s.y,
                std::fabs((long double)cross(o, s)) / length(i), u * length(i)};
  }

  bool concave(std::size_t i) const {
    for (const int direction : {-1, 1}) {
      const auto k = step(i, direction);
      if (!k || *k == i) continue;
      const auto h = foot(*k);
      if (!h || h->distance > reach_) continue;
      const double turn = direction > 0 ? cross(along(i), along(*k)) : cross(along(*k), along(i));
      // On the segment itself counts as its right side.
      const bool left = cross(along(i), p_ - c_.start(i)) > 0.0;
      if (turn != 0.0 && left == (turn > 0.0)) return true;
    }
    return false;
  }

  Expected corner(TouchKind kind, std::size_t i, Vec2 at, long double part) const {
    const Vec2 d = p_ - at;
    return {kind, i, at.x, at.y, std::hypot((long double)d.x, d.y), part};
  }
  void add(std::vector<Expected>& out, const Expected& e) const {
    if (e.distance <= reach_) out.push_back(e);
  }

  const Contour& c_;
  Vec2 p_;
  long double reach_;
};

TEST(PlanarTouches, AreThoseOfBruteForce) {
  const int count = detail::test::effort(100000);
  int kinds[4] = {};
  for (int k = 0; k < count; ++k) {
    Random random(k);
    std::vector<Vec2> points;
    const int n = 3 + random.below(7);
    for (int i = 0; i < n; ++i) {
      const int x = random.below(kGrid), y = random.below(kGrid);
      points.push_back({double(x), double(y)});
    }
    if (std::all_of(points.begin(), points.end(), [&](Vec2 p) { return p == points[0]; })) continue;
    const Contour contour(points, random.below(2) == 0, Crossings::accept);
    const int x = random.below(kGrid + 6) - 3, y = random.below(kGrid + 6) - 3;
    // No distance of whole points from lines through whole points is near a multiple of 1/1024
    // plus 1/4096 that is not one: the reach decides alike for both.
    const double radius = random.below(4096) / 1024.0 + 1.0 / 4096.0;
    std::vector<Touch> found;
    touches(Circle(radius), Pose2({double(x), double(y)}, 0.0), contour, {}, found);
    const auto right = Reference(contour, {double(x), double(y)}, radius).all();
    ASSERT_EQ(found.size(), right.size()) << k;
    for (std::size_t i = 0; i < found.size(); ++i) {
      const Touch& t = found[i];
      ASSERT_EQ(t.kind, right[i].kind) << k;
      ASSERT_EQ(t.segment, right[i].segment) << k;
      ASSERT_NEAR(t.point.x, static_cast<double>(right[i].x), 1e-14 * kGrid) << k;
      ASSERT_NEAR(t.point.y, static_cast<double>(right[i].y), 1e-14 * kGrid) << k;
      ASSERT_NEAR(t.part, static_cast<double>(right[i].part), 1e-14 * kGrid) << k;
      ASSERT_NEAR(radius - t.depth, static_cast<double>(right[i].distance), 3e-15 * kGrid) << k;
      ASSERT_NEAR(norm(t.normal), 1.0, 1e-15) << k;
      // Adding zero: -0 gives -pi, which the angles leave out.
      ASSERT_NEAR(t.angle, std::atan2(t.normal.y + 0.0, t.normal.x), 1e-15) << k;
      ++kinds[static_cast<int>(t.kind)];
    }
  }
  for (const int times : kinds) EXPECT_GT(times, count / 50);
}

}  // namespace
