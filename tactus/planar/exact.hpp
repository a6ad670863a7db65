#pragma once

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
  return orientation(placed(a), placed(b), placed(c));
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
/// Sign of the cross product of two directions.
int turn(const Ray& u, const Ray& v);
/// Sign of the dot product of two directions.
int dot_sign(const Ray& u, const Ray& v);

/// The directions met when turning to the left from `start` to `end`: more than none of them, less
/// than all.
struct Sector {
  Ray start, end;
};
/// True when the two open sectors have a direction in common.
bool sectors_meet(const Sector& a, const Sector& b);

/// True when the open sector holds the direction.
bool strictly_inside(const Sector& sector, const Ray& direction);

}  // namespace tactus::detail
