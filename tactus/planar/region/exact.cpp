#include "tactus/planar/region/exact.hpp"

#include "tactus/math/expansion.hpp"
#include "tactus/math/predicates.hpp"

namespace tactus::detail {
namespace {

Expansion<2> difference(double a, double b) { return Expansion<2>(two_difference(a, b)); }

Expansion<4> difference(double a, double a_low, double b, double b_low) {
  return difference(a, b) + difference(a_low, b_low);
}

struct ExactRay {
  Expansion<2> x, y;
  explicit ExactRay(const Ray& r)
      : x(difference(r.to.x, r.from.x)), y(difference(r.to.y, r.from.y)) {}
};

bool same_direction(const Ray& u, const Ray& v) { return turn(u, v) == 0 && dot_sign(u, v) > 0; }

}  // namespace

PlanarPoint placed(const Vec2& p, const Vec2& t) {
  const TwoTerms x = two_sum(p.x, t.x), y = two_sum(p.y, t.y);
  return {{x.high, y.high}, {x.low, y.low}};
}

int orientation(const PlanarPoint& a, const PlanarPoint& b, const PlanarPoint& c) {
  if (a.low == Vec2{} && b.low == Vec2{} && c.low == Vec2{}) {
    return orient2d(a.high.x, a.high.y, b.high.x, b.high.y, c.high.x, c.high.y);
  }
  const double acx = a.high.x - c.high.x, acy = a.high.y - c.high.y;
  const double bcx = b.high.x - c.high.x, bcy = b.high.y - c.high.y;
  const double left = acx * bcy, right = acy * bcx;
  // Each factor errs by its own rounding and by at most `tail`, the low parts left out; the filter
  // of orient2d pays for the first, the two sums for the second, doubled for all further roundings.
  const auto magnitude = [](const Vec2& v) { return std::fmax(std::fabs(v.x), std::fabs(v.y)); };
  const double tail = std::fmax(magnitude(a.low), magnitude(b.low)) + magnitude(c.low);
  const double lengths = (std::fabs(acx) + std::fabs(bcy)) + (std::fabs(acy) + std::fabs(bcx));
  const double error = 2.0 * kOrient2dError * (std::fabs(left) + std::fabs(right)) +
                       2.0 * tail * (lengths + 2.0 * tail);
  if (left - right > error) return 1;
  if (left - right < -error) return -1;
  const auto ax = difference(a.high.x, a.low.x, c.high.x, c.low.x);
  const auto ay = difference(a.high.y, a.low.y, c.high.y, c.low.y);
  const auto bx = difference(b.high.x, b.low.x, c.high.x, c.low.x);
  const auto by = difference(b.high.y, b.low.y, c.high.y, c.low.y);
  return (ax * by - ay * bx).sign();
}

bool on_segment(const PlanarPoint& p, const PlanarPoint& a, const PlanarPoint& b) {
  const int xa = compare(p.high.x, p.low.x, a.high.x, a.low.x);
  const int xb = compare(p.high.x, p.low.x, b.high.x, b.low.x);
  const int ya = compare(p.high.y, p.low.y, a.high.y, a.low.y);
  const int yb = compare(p.high.y, p.low.y, b.high.y, b.low.y);
  return xa * xb <= 0 && ya * yb <= 0 && orientation(a, b, p) == 0;
}

bool segments_meet(const PlanarPoint& p0, const PlanarPoint& p1, const PlanarPoint& q0,
                   const PlanarPoint& q1) {
  const int u = orientation(p0, p1, q0) * orientation(p0, p1, q1);
  if (u > 0) return false;
  const int v = orientation(q0, q1, p0) * orientation(q0, q1, p1);
  if (v > 0) return false;
  return (u < 0 && v < 0) || on_segment(q0, p0, p1) || on_segment(q1, p0, p1) ||
         on_segment(p0, q0, q1) || on_segment(p1, q0, q1);
}

int exact_turn(const Ray& u, const Ray& v) {
  // A difference of doubles is zero only of equal ones: edges along one axis need no more.
  const Vec2 s = u.to - u.from, t = v.to - v.from;
  if ((s.x == 0.0 || t.y == 0.0) && (s.y == 0.0 || t.x == 0.0)) return 0;
  const ExactRay a(u), b(v);
  return (a.x * b.y - a.y * b.x).sign();
}
int exact_dot_sign(const Ray& u, const Ray& v) {
  const ExactRay a(u), b(v);
  return (a.x * b.x + a.y * b.y).sign();
}

bool holds(const Sector& s, const Ray& d) {
  if (same_direction(d, s.start)) return true;
  if (same_direction(d, s.end)) return false;
  const int opening = turn(s.start, s.end);
  if (opening > 0) return turn(s.start, d) > 0 && turn(d, s.end) > 0;
  if (opening < 0) return !(turn(s.end, d) > 0 && turn(d, s.start) > 0);
  return turn(s.start, d) > 0;
}

bool sectors_meet(const Sector& a, const Sector& b) {
  return holds(a, b.start) || holds(b, a.start);
}

bool strictly_inside(const Sector& sector, const Ray& direction) {
  return holds(sector, direction) && !same_direction(direction, sector.start);
}

}  // namespace tactus::detail
