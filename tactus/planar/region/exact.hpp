#pragma once

#include "tactus/math/predicates.hpp"
#include "tactus/planar.hpp"

/// Exact signs in the plane, within the range of orient2d.
namespace tactus::detail {

/// A point whose coordinates are exact sums of two doubles, `high` the rounded one.
struct PlanarPoint {
  Vec2 high, low;
};

inline PlanarPoint placed(const Vec2& p) { return {p, {}}; }
/// p + t, exactly.
PlanarPoint placed(const Vec2& p, const Vec2& t);

/// Sign of one coordinate minus another: -1, 0, 1.
inline int compare(double high_a, double low_a, double high_b, double low_b) {
  if (high_a != high_b) return high_a < high_b ? -1 : 1;
  return low_a < low_b ? -1 : (low_a > low_b ? 1 : 0);
}
inline bool same(const PlanarPoint& a, const PlanarPoint& b) {
  return a.high == b.high && a.low == b.low;
}

/// +1 when a, b, c turn to the left, 0 when they are exactly on one line.
int orientation(const PlanarPoint& a, const PlanarPoint& b, const PlanarPoint& c);
inline int orientation(const Vec2& a, const Vec2& b, const Vec2& c) {
  return orient2d(a.x, a.y, b.x, b.y, c.x, c.y);
}

/// Exact: p lies on the closed segment a b.
bool on_segment(const PlanarPoint& p, const PlanarPoint& a, const PlanarPoint& b);

/// Exact: the closed segments p0 p1 and q0 q1 have a point in common.
bool segments_meet(const PlanarPoint& p0, const PlanarPoint& p1, const PlanarPoint& q0,
                   const PlanarPoint& q1);

/// A direction, kept as the two points whose difference it is.
struct Ray {
  Vec2 from, to;
};
int exact_turn(const Ray& u, const Ray& v);
int exact_dot_sign(const Ray& u, const Ray& v);

/// Sign of the cross product of two directions.
inline int turn(const Ray& u, const Ray& v) {
  const Vec2 s = u.to - u.from, t = v.to - v.from;
  const double left = s.x * t.y, right = s.y * t.x;
  const double error = kOrient2dError * (std::fabs(left) + std::fabs(right));
  if (left - right > error) return 1;
  return left - right < -error ? -1 : exact_turn(u, v);
}
/// Sign of the dot product of two directions.
inline int dot_sign(const Ray& u, const Ray& v) {
  const Vec2 s = u.to - u.from, t = v.to - v.from;
  const double first = s.x * t.x, second = s.y * t.y;
  const double error = kOrient2dError * (std::fabs(first) + std::fabs(second));
  if (first + second > error) return 1;
  return first + second < -error ? -1 : exact_dot_sign(u, v);
}

/// The directions met when turning to the left from `start` to `end`: more than none of them, less
/// than all.
struct Sector {
  Ray start, end;
};
/// True when the sector, with its start and without its end, holds the direction.
bool holds(const Sector& s, const Ray& d);
/// True when the two open sectors have a direction in common.
bool sectors_meet(const Sector& a, const Sector& b);

/// True when the open sector holds the direction.
bool strictly_inside(const Sector& sector, const Ray& direction);

}  // namespace tactus::detail
