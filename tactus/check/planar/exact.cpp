#include "tactus/check/planar/body.hpp"
#include "tactus/math/expansion.hpp"
#include "tactus/math/predicates.hpp"

// Verdicts that rounding hides, by signs that are exact: of bodies whose coordinates were not
// rounded when they were placed.
namespace tactus::detail {
namespace {

int turn(const Vec2& p, const Vec2& q, const Vec2& r) {
  return orient2d(p.x, p.y, q.x, q.y, r.x, r.y);
}

// For three places on one line: are q and r on the same side of p?
bool same_way(const Vec2& p, const Vec2& q, const Vec2& r) {
  const bool left = q.x<p.x, up = q.y> p.y;
  return q.x != p.x ? r.x != p.x && (r.x < p.x) == left : r.y != p.y && (r.y > p.y) == up;
}
bool is_between(const Vec2& p, const Vec2& q, const Vec2& r) {
  return turn(p, q, r) == 0 && std::fmin(p.x, q.x) <= r.x && r.x <= std::fmax(p.x, q.x) &&
         std::fmin(p.y, q.y) <= r.y && r.y <= std::fmax(p.y, q.y);
}

/// The inside of a region at a place of its boundary: from the first way round to the left to the
/// second.
struct Inside {
  Vec2 first, last;
};

// With the first way, without the last.
bool holds(const Vec2& p, const Inside& s, const Vec2& q) {
  const int opening = turn(p, s.first, s.last), past = turn(p, s.first, q),
            left = turn(p, q, s.last);
  if (past == 0 && same_way(p, s.first, q)) return true;
  if (left == 0 && same_way(p, s.last, q)) return false;
  if (opening > 0) return past > 0 && left > 0;
  if (opening == 0 && !same_way(p, s.first, s.last)) return past > 0;
  return past > 0 || left > 0;
}

// Where `p` lies on segment i without its end.
bool inside_at(const PlanarBody& body, std::size_t i, const Vec2& p, Inside& out) {
  if (p == body.to[i] || !is_between(body.from[i], body.to[i], p)) return false;
  out = {body.to[i], p == body.from[i] ? body.from[body.before(i)] : body.from[i]};
  return true;
}

bool pass_through(const Vec2& p0, const Vec2& p1, const Vec2& q0, const Vec2& q1) {
  return turn(p0, p1, q0) * turn(p0, p1, q1) < 0 && turn(q0, q1, p0) * turn(q0, q1, p1) < 0;
}

// Strictly.
bool is_in(const PlanarBody& region, const Vec2& p) {
  bool inside = false;
  for (std::size_t i = 0; i < region.from.size(); ++i) {
    const Vec2 &q0 = region.from[i], &q1 = region.to[i];
    if (is_between(q0, q1, p)) return false;
    if ((q0.y <= p.y) != (q1.y <= p.y) && (turn(q0, q1, p) > 0) == (q0.y < q1.y)) inside = !inside;
  }
  return inside;
}

// Calls `test` for all pairs of segments whose boxes meet.
template <class Test>
bool any_pair(const PlanarBody& a, const PlanarBody& b, Test&& test) {
  for (std::size_t i = 0; i < a.from.size(); ++i) {
    const Vec2 &p = a.from[i], &q = a.to[i];
    for (std::size_t j = 0; j < b.from.size(); ++j) {
      const Vec2 &r = b.from[j], &s = b.to[j];
      if (std::fmax(p.x, q.x) < std::fmin(r.x, s.x) || std::fmax(r.x, s.x) < std::fmin(p.x, q.x) ||
          std::fmax(p.y, q.y) < std::fmin(r.y, s.y) || std::fmax(r.y, s.y) < std::fmin(p.y, q.y)) {
        continue;
      }
      if (test(i, j)) return true;
    }
  }
  return false;
}

bool regions_meet(const PlanarBody& a, const PlanarBody& b) {
  for (const Vec2& p : a.rings) {
    if (is_in(b, p)) return true;
  }
  for (const Vec2& p : b.rings) {
    if (is_in(a, p)) return true;
  }
  return any_pair(a, b, [&](std::size_t i, std::size_t j) {
    if (pass_through(a.from[i], a.to[i], b.from[j], b.to[j])) return true;
    // At a corner of one on the boundary of the other both insides have a way in common, or not.
    for (const Vec2& p : {a.from[i], b.from[j]}) {
      Inside of_a, of_b;
      if (inside_at(a, i, p, of_a) && inside_at(b, j, p, of_b) &&
          (holds(p, of_a, of_b.first) || holds(p, of_b, of_a.first))) {
        return true;
      }
    }
    return false;
  });
}

bool curve_enters(const PlanarBody& curve, const PlanarBody& region) {
  for (std::size_t i = 0; i < curve.from.size(); ++i) {
    if (is_in(region, curve.from[i]) || is_in(region, curve.to[i])) return true;
  }
  return any_pair(curve, region, [&](std::size_t i, std::size_t j) {
    const Vec2 &from = curve.from[i], &to = curve.to[i];
    if (pass_through(from, to, region.from[j], region.to[j])) return true;
    for (const Vec2& p : {from, to, region.from[j]}) {
      Inside in;
      if (!is_between(from, to, p) || !inside_at(region, j, p, in)) continue;
      for (const Vec2& q : {from, to}) {
        const bool along_first = turn(p, in.first, q) == 0 && same_way(p, in.first, q);
        if (!(q == p) && !along_first && holds(p, in, q)) return true;
      }
    }
    return false;
  });
}

bool curves_meet(const PlanarBody& a, const PlanarBody& b) {
  return any_pair(a, b, [&](std::size_t i, std::size_t j) {
    const Vec2 &p = a.from[i], &q = a.to[i], &r = b.from[j], &s = b.to[j];
    return pass_through(p, q, r, s) || is_between(p, q, r) || is_between(p, q, s) ||
           is_between(r, s, p) || is_between(r, s, q);
  });
}

Expansion<2> difference(double a, double b) { return Expansion<2>(two_difference(a, b)); }

// The segment comes nearer to the point than the radius.
bool is_nearer(const Vec2& c, const Vec2& p, const Vec2& q, double radius) {
  const auto px = difference(c.x, p.x), py = difference(c.y, p.y);
  const auto qx = difference(c.x, q.x), qy = difference(c.y, q.y);
  const auto sx = difference(q.x, p.x), sy = difference(q.y, p.y);
  const auto square = Expansion<2>(two_product(radius, radius));
  if ((px * sx + py * sy).sign() <= 0) return ((px * px + py * py) - square).sign() < 0;
  if ((qx * sx + qy * sy).sign() >= 0) return ((qx * qx + qy * qy) - square).sign() < 0;
  const Expansion<16> area = px * sy - py * sx;
  return (area * area - (sx * sx + sy * sy) * square).sign() < 0;
}

bool disc_meets(const PlanarBody& disc, const PlanarBody& other) {
  const Vec2& centre = disc.from[0];
  if (other.solid && is_in(other, centre)) return true;
  for (std::size_t i = 0; i < other.from.size(); ++i) {
    if (is_nearer(centre, other.from[i], other.to[i], disc.radius)) return true;
  }
  return false;
}

}  // namespace

bool is_inside_exactly(const PlanarBody& region, const Vec2& p) { return is_in(region, p); }

int meet_exactly(const PlanarBody& a, const PlanarBody& b) {
  if (!a.exact || !b.exact) return 0;
  bool meet = false;
  if (a.disc && b.disc) {
    const double radii = a.radius + b.radius;
    if (radii - a.radius != b.radius || radii - b.radius != a.radius) return 0;
    meet = is_nearer(a.from[0], b.from[0], b.from[0], radii);
  } else if (a.disc || b.disc) {
    meet = a.disc ? disc_meets(a, b) : disc_meets(b, a);
  } else if (a.solid && b.solid) {
    meet = regions_meet(a, b);
  } else if (a.solid || b.solid) {
    meet = a.solid ? curve_enters(b, a) : curve_enters(a, b);
  } else {
    meet = curves_meet(a, b);
  }
  return meet ? 1 : -1;
}

}  // namespace tactus::detail
