#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "lab/extended.hpp"
#include "tactus/core/random.hpp"
#include "tactus/mesh/surface/triangle_distance.hpp"
#include "tests/support/big_integer.hpp"

namespace tactus::detail {

inline Vec3 random_corner(Random& random, double reach = 1.0) {
  const double x = random.uniform(-reach, reach);
  const double y = random.uniform(-reach, reach);
  const double z = random.uniform(-reach, reach);
  return {x, y, z};
}

inline Triangle random_triangle(Random& random, double reach = 1.0) {
  Triangle t;
  for (Vec3& c : t.corner) c = random_corner(random, reach);
  return t;
}

inline Triangle moved(const Triangle& t, const Vec3& by) {
  return {{t.corner[0] + by, t.corner[1] + by, t.corner[2] + by}};
}

/// Largest distance of two corners of the pair.
inline double size_of(const Triangle& a, const Triangle& b) {
  const Vec3 all[6] = {a.corner[0], a.corner[1], a.corner[2],
                       b.corner[0], b.corner[1], b.corner[2]};
  double size = 0.0;
  for (const Vec3& p : all) {
    for (const Vec3& q : all) size = std::max(size, norm(q - p));
  }
  return size;
}

/// A sliver: the third corner beside the first edge, by `width`.
inline Triangle random_sliver(Random& random, double width) {
  Triangle t = random_triangle(random);
  const Vec3 edge = t.corner[1] - t.corner[0];
  const double along = random.uniform(-0.2, 1.2);
  t.corner[2] = t.corner[0] + edge * along + random_corner(random, width);
  return t;
}

inline double log_uniform(Random& random, double lowest_exponent, double highest_exponent) {
  return std::pow(10.0, random.uniform(lowest_exponent, highest_exponent));
}

inline constexpr int kTriangleClasses = 14;

/// A pair of a degenerate class, 0 <= kind < kTriangleClasses.
inline std::pair<Triangle, Triangle> random_pair(Random& random, int kind) {
  Triangle a = random_triangle(random), b = random_triangle(random);
  const Vec3 apart = random_corner(random, 2.0);
  switch (kind) {
    case 0:  // any
      return {a, moved(b, apart)};
    case 1:  // slivers
      return {random_sliver(random, log_uniform(random, -17, -1)),
              moved(random_sliver(random, log_uniform(random, -17, -1)), apart * 0.3)};
    case 2:  // a sliver near a triangle
      return {random_sliver(random, log_uniform(random, -17, -1)), moved(b, apart * 0.3)};
    case 3: {  // nearly parallel: two edges differ by little
      b = a;
      for (Vec3& c : b.corner) c += random_corner(random, log_uniform(random, -17, -1));
      return {a, moved(b, random_corner(random, log_uniform(random, -17, 0)))};
    }
    case 4: {  // moved copies, their corners turned
      const Triangle c = moved(a, apart * log_uniform(random, -12, 0));
      return {a, {{c.corner[1], c.corner[2], c.corner[0]}}};
    }
    case 5: {  // on a small grid: shared corners, coplanar, collinear, coincident
      for (Triangle* t : {&a, &b}) {
        for (Vec3& c : t->corner) {
          const double x = random.below(4), y = random.below(4), z = random.below(3);
          c = {x, y, z};
        }
      }
      return {a, b};
    }
    case 6: {  // in one plane of the grid
      for (Triangle* t : {&a, &b}) {
        for (Vec3& c : t->corner) {
          const double x = random.below(6), y = random.below(6);
          c = {x, y, 2.0 * x - y};
        }
      }
      return {a, b};
    }
    case 7: {  // sizes of different order, the small one near a point of the large one
      const double small = log_uniform(random, -9, 0);
      const double s = random.uniform(), t = random.uniform(0.0, 1.0 - s);
      const Vec3 p =
          a.corner[0] + (a.corner[1] - a.corner[0]) * s + (a.corner[2] - a.corner[0]) * t;
      for (Vec3& c : b.corner) c = p + c * small;
      return {a, moved(b, apart * small)};
    }
    case 8: {  // sharing an edge, a corner, or a point of an edge
      const std::uint32_t shared = random.below(3);
      b.corner[0] = a.corner[1];
      if (shared == 1) b.corner[2] = a.corner[0];
      if (shared == 2) b.corner[0] = (a.corner[0] + a.corner[1]) * 0.5;
      return {a, b};
    }
    case 9: {  // far from the origin
      const Vec3 far = random_corner(random, log_uniform(random, 3, 9));
      return {moved(a, far), moved(moved(b, apart), far)};
    }
    case 10: {  // just touching: a corner or an edge near the face or an edge
      const double s = random.uniform(), t = random.uniform(0.0, 1.0 - s);
      const bool edge = random.below(2) == 0;
      const double inside = edge ? 0.0 : t;
      const Vec3 p =
          a.corner[0] + (a.corner[1] - a.corner[0]) * s + (a.corner[2] - a.corner[0]) * inside;
      const Vec3 gap = random_corner(random, log_uniform(random, -17, -3));
      const double where = edge ? random.uniform() : 0.0;
      const Vec3 q = b.corner[0] + (b.corner[1] - b.corner[0]) * where;
      return {a, moved(b, (p + gap) - q)};
    }
    case 11:  // points and segments
      if (random.below(2) == 0) a.corner[2] = a.corner[random.below(2)];
      if (random.below(2) == 0) b.corner[1] = b.corner[0];
      if (random.below(3) == 0) b.corner[2] = b.corner[0];
      return {a, moved(b, apart * 0.3)};
    case 12: {  // a corner above the inside of a sliver
      a = random_sliver(random, log_uniform(random, -10, -1));
      const Vec3 u = a.corner[1] - a.corner[0], v = a.corner[2] - a.corner[0];
      const Vec3 n = normalized(cross(u, v));
      const double height = log_uniform(random, -6, 0);
      const double s = random.uniform(0.1, 0.4), t = random.uniform(0.1, 0.4);
      b.corner[0] = a.corner[0] + u * s + v * t + n * height;
      for (int i = 1; i < 3; ++i) {
        const double above = random.uniform(0.1, 1.0);
        b.corner[i] = b.corner[0] + n * above + random_corner(random, 0.05);
      }
      return {a, b};
    }
    default: {  // needles: a short edge and two long ones
      const double width = log_uniform(random, -17, -1);
      a.corner[1] = a.corner[0] + random_corner(random, width);
      const Vec3 p = a.corner[0] + (a.corner[2] - a.corner[0]) * random.uniform(0.9, 1.1);
      return {a, moved(b, p - b.corner[0] + random_corner(random, log_uniform(random, -17, 0)))};
    }
  }
}

/// Distances in extended precision by trying every pair of features, with exact normals: some 1e-18
/// of the size off.
class TriangleReference {
 public:
  static double distance(const Triangle& a, const Triangle& b) {
    return TriangleReference(a, b).run();
  }

  static double to_point(const Vec3& p, const Triangle& t) { return distance({{p, p, p}}, t); }

 private:
  using Real = lab::Real;
  using Point = lab::Point;

  TriangleReference(const Triangle& a, const Triangle& b) {
    for (int i = 0; i < 3; ++i) {
      a_[i] = Point(a.corner[i]) - Point(a.corner[0]);
      b_[i] = Point(b.corner[i]) - Point(a.corner[0]);
    }
    normal_a_ = normal(a);
    normal_b_ = normal(b);
  }

  double run() {
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j)
        edges(a_[i], a_[(i + 1) % 3] - a_[i], b_[j], b_[(j + 1) % 3] - b_[j]);
    }
    face(a_, normal_a_, b_);
    face(b_, normal_b_, a_);
    return static_cast<double>(std::sqrt(square_));
  }

  void consider(const Point& p, const Point& q) {
    square_ = std::min(square_, lab::dot(q - p, q - p));
  }

  static Real foot(const Point& r, const Point& edge) {
    const Real square = lab::dot(edge, edge);
    return square > 0 ? std::clamp<Real>(lab::dot(r, edge) / square, 0, 1) : 0;
  }

  void edges(const Point& a, const Point& u, const Point& b, const Point& v) {
    const Point r = b - a;
    const auto add = [&](Real s, Real t) { consider(a + u * s, b + v * t); };
    for (const Real end : {0.0L, 1.0L}) {
      add(end, foot(u * end - r, v));
      add(foot(r + v * end, u), end);
    }
    const Point n = lab::cross(u, v);
    const Real square = lab::dot(n, n);
    if (!(square > 0)) return;
    const Real s = lab::dot(lab::cross(r, v), n) / square;
    const Real t = lab::dot(lab::cross(r, u), n) / square;
    if (s >= 0 && s <= 1 && t >= 0 && t <= 1) add(s, t);
  }

  // Exact up to its last rounding: that of a sliver would be noise otherwise.
  static Point normal(const Triangle& t) {
    const test::BigVector n = test::true_cross(t.corner[0], t.corner[1], t.corner[2]);
    constexpr int kShift = 2 * test::BigVector::kShift;
    return {n.x.value(kShift), n.y.value(kShift), n.z.value(kShift)};
  }

  void face(const Point* f, const Point& n, const Point* other) {
    const Real square = lab::dot(n, n);
    if (!(square > 0)) return;
    const auto inside = [&](const Point& q) {
      for (int k = 0; k < 3; ++k) {
        if (lab::dot(lab::cross(f[(k + 1) % 3] - f[k], q - f[k]), n) < 0) return false;
      }
      return true;
    };
    Real height[3];
    for (int i = 0; i < 3; ++i) {
      height[i] = lab::dot(n, other[i] - f[0]);
      const Point q = other[i] - n * (height[i] / square);
      if (inside(q)) consider(other[i], q);
    }
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3;
      if (!(height[i] * height[j] < 0)) continue;
      const Point x = other[i] + (other[j] - other[i]) * (height[i] / (height[i] - height[j]));
      if (inside(x)) square_ = 0;
    }
  }

  Point a_[3], b_[3], normal_a_, normal_b_;
  Real square_ = std::numeric_limits<Real>::infinity();
};

}  // namespace tactus::detail
