#include "lab/planar_truth.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>

#include "lab/whole.hpp"

// Source: docs/algorithms/planar-depth.md.

namespace tactus::detail::lab {
namespace {

constexpr long double kInfinity = std::numeric_limits<long double>::infinity();

struct Edge {
  GridPoint from, to;
};

GridPoint difference(const GridPoint& a, const GridPoint& b) { return {a.x - b.x, a.y - b.y}; }
Int128 cross(const GridPoint& a, const GridPoint& b) {
  return Int128{a.x} * b.y - Int128{a.y} * b.x;
}
Int128 dot(const GridPoint& a, const GridPoint& b) { return Int128{a.x} * b.x + Int128{a.y} * b.y; }
int turn(const GridPoint& a, const GridPoint& b, const GridPoint& c) {
  return sign_of(cross(difference(b, a), difference(c, a)));
}
long double length(const GridPoint& a) { return std::sqrt(to_real(dot(a, a))); }
bool same_direction(const GridPoint& u, const GridPoint& v) {
  return cross(u, v) == 0 && dot(u, v) > 0;
}

bool on_segment(const GridPoint& p, const Edge& e) {
  return turn(e.from, e.to, p) == 0 && dot(difference(p, e.from), difference(p, e.to)) <= 0;
}

bool meet(const Edge& a, const Edge& b) {
  if (on_segment(a.from, b) || on_segment(a.to, b) || on_segment(b.from, a) ||
      on_segment(b.to, a)) {
    return true;
  }
  return turn(a.from, a.to, b.from) * turn(a.from, a.to, b.to) < 0 &&
         turn(b.from, b.to, a.from) * turn(b.from, b.to, a.to) < 0;
}

Int128 twice_area(const GridRing& ring) {
  Int128 sum = 0;
  for (std::size_t i = 0; i < ring.size(); ++i) {
    sum += cross(difference(ring[i], ring[0]), difference(ring[(i + 1) % ring.size()], ring[0]));
  }
  return sum;
}

// With the interior to the left; segments of no length are left out.
std::vector<Edge> edges_of(const GridRings& rings) {
  std::vector<Edge> out;
  for (std::size_t k = 0; k < rings.size(); ++k) {
    GridRing ring = rings[k];
    if ((twice_area(ring) > 0) != (k == 0)) std::reverse(ring.begin(), ring.end());
    for (std::size_t i = 0; i < ring.size(); ++i) {
      const GridPoint& next = ring[(i + 1) % ring.size()];
      if (!(ring[i] == next)) out.push_back({ring[i], next});
    }
  }
  return out;
}

/// A place with a common denominator, which is positive.
template <class Int>
struct Place {
  Int x, y, w;
};

template <class Int>
Int side_of(const Place<Int>& p, const Edge& e) {
  const GridPoint d = difference(e.to, e.from);
  return Int{d.x} * (p.y - Int{e.from.y} * p.w) - Int{d.y} * (p.x - Int{e.from.x} * p.w);
}

// Inside: an edge of the region is crossed oddly often on the way to the right. On an edge: where
// the other's interior lies on the same side.
template <class Int>
bool interior_beside(const Place<Int>& p, const GridPoint& along, const std::vector<Edge>& edges) {
  bool inside = false;
  for (const Edge& e : edges) {
    const int below = sign_of(Int{e.from.y} * p.w - p.y), above = sign_of(Int{e.to.y} * p.w - p.y);
    const int left = sign_of(Int{e.from.x} * p.w - p.x), right = sign_of(Int{e.to.x} * p.w - p.x);
    if (below * above > 0) continue;
    const int side = sign_of(side_of(p, e));
    if (side == 0 && left * right <= 0) return dot(difference(e.to, e.from), along) > 0;
    if ((below <= 0) != (above <= 0) && (side > 0) == (below <= 0)) inside = !inside;
  }
  return inside;
}

template <class Int>
struct Part {
  Int above, below;  ///< below is positive
};

// Places on `e` where its relation to the other boundary may change, its ends included.
template <class Int>
std::vector<Part<Int>> parts_of(const Edge& e, const std::vector<Edge>& others) {
  std::vector<Part<Int>> parts{{Int{0}, Int{1}}, {Int{1}, Int{1}}};
  const GridPoint u = difference(e.to, e.from);
  const auto add = [&](Int128 above, Int128 below) {
    if (below < 0) {
      above = -above;
      below = -below;
    }
    if (above > 0 && above < below) parts.push_back({Int(above), Int(below)});
  };
  for (const Edge& o : others) {
    const GridPoint v = difference(o.to, o.from), gap = difference(o.from, e.from);
    const Int128 area = cross(u, v);
    if (area != 0) {
      add(cross(gap, v), area);
    } else if (cross(u, gap) == 0) {
      add(dot(gap, u), dot(u, u));
      add(dot(difference(o.to, e.from), u), dot(u, u));
    }
  }
  std::sort(parts.begin(), parts.end(), [](const Part<Int>& s, const Part<Int>& t) {
    return sign_of(s.above * t.below - t.above * s.below) < 0;
  });
  return parts;
}

// Some piece of a boundary in the interior of B, or along B's boundary with the interiors on one
// side: every piece of the common interior is bounded by such.
template <class Int>
bool enters(const std::vector<Edge>& a, const std::vector<Edge>& b) {
  for (const Edge& e : a) {
    const GridPoint u = difference(e.to, e.from);
    const auto parts = parts_of<Int>(e, b);
    for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
      const auto &s = parts[i], &t = parts[i + 1];
      if (sign_of(s.above * t.below - t.above * s.below) == 0) continue;
      const Int above = s.above * t.below + t.above * s.below;
      const Int below = Int{2} * s.below * t.below;
      const Place<Int> p{Int{e.from.x} * below + Int{u.x} * above,
                         Int{e.from.y} * below + Int{u.y} * above, below};
      if (interior_beside(p, u, b)) return true;
    }
  }
  return false;
}

long double point_distance(const GridPoint& p, const Edge& e) {
  const GridPoint s = difference(e.to, e.from), o = difference(p, e.from);
  const Int128 along = dot(o, s), square = dot(s, s);
  if (along <= 0) return length(o);
  if (along >= square) return length(difference(p, e.to));
  return std::fabs(to_real(cross(s, o))) / std::sqrt(to_real(square));
}

/// The difference of two triangles, a convex polygon that turns to the left.
using Piece = std::vector<GridPoint>;

Piece difference_of(const std::array<GridPoint, 3>& a, const std::array<GridPoint, 3>& b) {
  Piece points;
  for (const GridPoint& p : a) {
    for (const GridPoint& q : b) points.push_back(difference(p, q));
  }
  std::sort(points.begin(), points.end(), [](const GridPoint& p, const GridPoint& q) {
    return p.x != q.x ? p.x < q.x : p.y < q.y;
  });
  points.erase(std::unique(points.begin(), points.end()), points.end());
  Piece hull;
  for (const int pass : {0, 1}) {
    const std::size_t base = hull.size();
    for (const GridPoint& p : points) {
      while (hull.size() >= base + 2 && turn(hull[hull.size() - 2], hull.back(), p) <= 0) {
        hull.pop_back();
      }
      hull.push_back(p);
    }
    hull.pop_back();
    if (pass == 0) std::reverse(points.begin(), points.end());
  }
  return hull;
}

/// The directions from `start` to `end`, to the left, at most half around.
struct Cone {
  GridPoint start, end;
};

bool holds_beyond(const Cone& cone, const GridPoint& d) {
  return same_direction(cone.start, d) || (cross(cone.start, d) > 0 && cross(d, cone.end) > 0);
}

template <class Int>
class FreePlaces {
 public:
  FreePlaces(const GridRings& a, const GridRings& b, long double bound) : bound_(bound) {
    const auto of_a = triangles_of(a), of_b = triangles_of(b);
    for (const auto& t : of_a) {
      for (const auto& s : of_b) pieces_.push_back(difference_of(t, s));
    }
  }

  long double nearest() {
    find_candidates();
    std::sort(candidates_.begin(), candidates_.end(),
              [](const Candidate& s, const Candidate& t) { return s.distance < t.distance; });
    for (const Candidate& c : candidates_) {
      if (is_free(c.place)) return c.distance;
    }
    return kInfinity;
  }

 private:
  struct Candidate {
    long double distance;
    Place<Int> place;
  };

  void add(const Place<Int>& p) {
    const long double x = to_real(p.x), y = to_real(p.y), w = to_real(p.w);
    const long double distance = std::sqrt(x * x + y * y) / w;
    if (distance <= bound_) candidates_.push_back({distance, p});
  }

  void find_candidates() {
    std::vector<Edge> near;
    for (const Piece& piece : pieces_) {
      for (std::size_t i = 0; i < piece.size(); ++i) {
        const Edge e{piece[i], piece[(i + 1) % piece.size()]};
        if (point_distance({}, e) > bound_) continue;
        near.push_back(e);
        add({Int{e.from.x}, Int{e.from.y}, Int{1}});
        add({Int{e.to.x}, Int{e.to.y}, Int{1}});
        const GridPoint s = difference(e.to, e.from);
        const Int128 along = -dot(e.from, s), square = dot(s, s);
        if (along <= 0 || along >= square) continue;
        add({Int{e.from.x} * Int(square) + Int{s.x} * Int(along),
             Int{e.from.y} * Int(square) + Int{s.y} * Int(along), Int(square)});
      }
    }
    for (std::size_t i = 0; i < near.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) add_crossing(near[i], near[j]);
    }
  }

  void add_crossing(const Edge& e, const Edge& o) {
    if (std::min(e.from.x, e.to.x) > std::max(o.from.x, o.to.x) ||
        std::min(o.from.x, o.to.x) > std::max(e.from.x, e.to.x) ||
        std::min(e.from.y, e.to.y) > std::max(o.from.y, o.to.y) ||
        std::min(o.from.y, o.to.y) > std::max(e.from.y, e.to.y)) {
      return;
    }
    if (turn(e.from, e.to, o.from) * turn(e.from, e.to, o.to) >= 0) return;
    if (turn(o.from, o.to, e.from) * turn(o.from, o.to, e.to) >= 0) return;
    const GridPoint u = difference(e.to, e.from), v = difference(o.to, o.from),
                    gap = difference(o.from, e.from);
    Int128 area = cross(u, v), part = cross(gap, v);
    if (area < 0) {
      area = -area;
      part = -part;
    }
    add({Int{e.from.x} * Int(area) + Int{u.x} * Int(part),
         Int{e.from.y} * Int(area) + Int{u.y} * Int(part), Int(area)});
  }

  // Some direction leads out of all pieces at once.
  bool is_free(const Place<Int>& p) {
    cones_.clear();
    for (const Piece& piece : pieces_) {
      if (inside_or_cone(piece, p)) return false;
    }
    return cones_.empty() || std::any_of(cones_.begin(), cones_.end(), [&](const Cone& cone) {
             return std::none_of(cones_.begin(), cones_.end(),
                                 [&](const Cone& other) { return holds_beyond(other, cone.end); });
           });
  }

  bool inside_or_cone(const Piece& piece, const Place<Int>& p) {
    std::size_t on = 0;
    std::array<std::size_t, 2> edges{};
    for (std::size_t i = 0; i < piece.size(); ++i) {
      const int side = sign_of(side_of(p, Edge{piece[i], piece[(i + 1) % piece.size()]}));
      if (side < 0) return false;
      if (side == 0 && on < 2) edges[on++] = i;
    }
    if (on == 0) return true;
    const auto along = [&](std::size_t i) {
      return difference(piece[(i + 1) % piece.size()], piece[i]);
    };
    const GridPoint first = along(edges[0]);
    if (on == 1) {
      cones_.push_back({first, {-first.x, -first.y}});
      return false;
    }
    // At the corner between the last edge and the first, or between two in a row.
    const GridPoint second = along(edges[1]);
    const bool wraps = edges[1] != edges[0] + 1;
    const GridPoint in = wraps ? second : first, out = wraps ? first : second;
    cones_.push_back({out, {-in.x, -in.y}});
    return false;
  }

  std::vector<Piece> pieces_;
  std::vector<Candidate> candidates_;
  std::vector<Cone> cones_;
  long double bound_;
};

/// Brute force over the segments of a contour.
class Toucher {
 public:
  Toucher(const GridRing& ring, bool closed, const GridPoint& centre, long double reach,
          long double unsure)
      : ring_(ring), closed_(closed), p_(centre), reach_(reach), unsure_(unsure) {}

  std::vector<TrueTouch> all() const {
    std::vector<TrueTouch> out;
    for (std::size_t i = 0; i < segments(); ++i) {
      if (along(i) == GridPoint{}) continue;
      if (has_foot(i)) {
        add_foot(out, i);
        continue;
      }
      const bool at_start = dot(difference(p_, start(i)), along(i)) <= 0;
      const auto before = step(i, -1), after = step(i, 1);
      if (at_start && !before) add(out, corner(TouchKind::end, i, start(i), 0));
      if (!at_start && !after) add(out, corner(TouchKind::end, i, end(i), length(along(i))));
      if (at_start && before && dot(difference(p_, start(i)), along(*before)) >= 0) {
        const bool straight = same_direction(along(*before), along(i));
        add(out, corner(straight ? TouchKind::segment : TouchKind::convex, i, start(i), 0));
      }
    }
    return out;
  }

 private:
  std::size_t segments() const { return ring_.size() - (closed_ ? 0 : 1); }
  const GridPoint& start(std::size_t i) const { return ring_[i]; }
  const GridPoint& end(std::size_t i) const { return ring_[(i + 1) % ring_.size()]; }
  GridPoint along(std::size_t i) const { return difference(end(i), start(i)); }
  bool has_foot(std::size_t i) const {
    const Int128 t = dot(difference(p_, start(i)), along(i));
    return t > 0 && t < dot(along(i), along(i));
  }
  long double height(std::size_t i) const {
    return std::fabs(to_real(cross(along(i), difference(p_, start(i))))) / length(along(i));
  }

  std::optional<std::size_t> step(std::size_t i, int direction) const {
    const auto n = static_cast<int>(segments());
    for (int k = 1; k < n; ++k) {
      int j = static_cast<int>(i) + k * direction;
      if (!closed_ && (j < 0 || j >= n)) return std::nullopt;
      j = (j + n) % n;
      if (!(along(static_cast<std::size_t>(j)) == GridPoint{})) return j;
    }
    return std::nullopt;
  }

  void add_foot(std::vector<TrueTouch>& out, std::size_t i) const {
    const GridPoint s = along(i);
    TrueTouch t;
    t.segment = i;
    const long double part = to_real(dot(difference(p_, start(i)), s)) / to_real(dot(s, s));
    t.x = static_cast<long double>(start(i).x) + part * static_cast<long double>(s.x);
    t.y = static_cast<long double>(start(i).y) + part * static_cast<long double>(s.y);
    t.part = part * length(s);
    t.distance = height(i);
    for (const int direction : {-1, 1}) {
      const auto k = step(i, direction);
      if (!k || *k == i || !has_foot(*k) || height(*k) > reach_ + unsure_) continue;
      const Int128 bend = direction > 0 ? cross(s, along(*k)) : cross(along(*k), s);
      // A centre on the segment itself counts as on its right side.
      const bool left = cross(s, difference(p_, start(i))) > 0;
      if (bend == 0 || left != (bend > 0)) continue;
      if (height(*k) > reach_ - unsure_) {
        t.kind_optional = t.kind != TouchKind::concave;
      } else {
        t.kind = TouchKind::concave;
        t.kind_optional = false;
      }
    }
    add(out, t);
  }

  TrueTouch corner(TouchKind kind, std::size_t i, const GridPoint& at, long double part) const {
    TrueTouch t;
    t.kind = kind;
    t.segment = i;
    t.x = static_cast<long double>(at.x);
    t.y = static_cast<long double>(at.y);
    t.part = part;
    t.distance = length(difference(p_, at));
    return t;
  }
  void add(std::vector<TrueTouch>& out, TrueTouch t) const {
    if (t.distance > reach_ + unsure_) return;
    t.optional = t.distance > reach_ - unsure_;
    out.push_back(t);
  }

  const GridRing& ring_;
  bool closed_;
  GridPoint p_;
  long double reach_, unsure_;
};

// The diagonal runs in the interior: it starts between the edges at its first corner.
bool starts_inside(const GridPoint& from, const GridPoint& to, const std::vector<Edge>& boundary) {
  const auto next =
      std::find_if(boundary.begin(), boundary.end(), [&](const Edge& e) { return e.from == from; });
  const auto last =
      std::find_if(boundary.begin(), boundary.end(), [&](const Edge& e) { return e.to == from; });
  const GridPoint out = difference(next->to, from), back = difference(last->from, from),
                  d = difference(to, from);
  if (same_direction(d, out) || same_direction(d, back)) return false;
  const Int128 opening = cross(out, back);
  if (opening > 0) return cross(out, d) > 0 && cross(d, back) > 0;
  if (opening < 0) return !(cross(back, d) > 0 && cross(d, out) > 0);
  return cross(out, d) > 0;
}

}  // namespace

std::vector<std::array<GridPoint, 3>> triangles_of(const GridRings& rings) {
  const std::vector<Edge> boundary = edges_of(rings);
  std::vector<Edge> all = boundary;
  const std::size_t n = boundary.size();
  std::vector<std::vector<bool>> linked(n, std::vector<bool>(n));
  const auto number = [&](const GridPoint& p) {
    return static_cast<std::size_t>(
        std::find_if(boundary.begin(), boundary.end(), [&](const Edge& e) { return e.from == p; }) -
        boundary.begin());
  };
  for (std::size_t i = 0; i < n; ++i) linked[i][number(boundary[i].to)] = true;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const Edge d{boundary[i].from, boundary[j].from};
      if (linked[i][j] || linked[j][i] || !starts_inside(d.from, d.to, boundary)) continue;
      const bool blocked = std::any_of(all.begin(), all.end(), [&](const Edge& e) {
        const bool shared = e.from == d.from || e.from == d.to || e.to == d.from || e.to == d.to;
        if (!shared) return meet(e, d);
        // A corner in common, and more than that only along one line.
        const GridPoint& other = e.from == d.from || e.from == d.to ? e.to : e.from;
        return on_segment(other, d) && !(other == d.from) && !(other == d.to);
      });
      if (blocked) continue;
      linked[i][j] = linked[j][i] = true;
      all.push_back(d);
    }
  }
  std::vector<std::array<GridPoint, 3>> out;
  Int128 sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) {
      if (!linked[i][j] && !linked[j][i]) continue;
      for (std::size_t k = i + 1; k < n; ++k) {
        const GridPoint &p = boundary[i].from, &q = boundary[j].from, &r = boundary[k].from;
        // Each link is walked with the triangle to its left; edges of the boundary one way alone.
        if (!linked[i][j] || !linked[j][k] || !linked[k][i] || turn(p, q, r) <= 0) continue;
        const bool empty = std::none_of(boundary.begin(), boundary.end(), [&](const Edge& e) {
          const GridPoint& o = e.from;
          return !(o == p) && !(o == q) && !(o == r) && turn(p, q, o) >= 0 && turn(q, r, o) >= 0 &&
                 turn(r, p, o) >= 0;
        });
        if (!empty) continue;
        out.push_back({p, q, r});
        sum += cross(difference(q, p), difference(r, p));
      }
    }
  }
  Int128 area = 0;
  for (std::size_t k = 0; k < rings.size(); ++k) {
    const Int128 twice = twice_area(rings[k]);
    area += (twice > 0) == (k == 0) ? twice : -twice;
  }
  if (sum != area) throw std::logic_error("triangles do not fill the region");
  return out;
}

std::vector<TrueTouch> true_touches(const GridRing& ring, bool closed, const GridPoint& centre,
                                    long double reach, long double unsure) {
  return Toucher(ring, closed, centre, reach, unsure).all();
}

bool true_circle_overlap(const GridRing& ring, bool closed, const GridPoint& centre,
                         std::int64_t radius) {
  const Whole square = Whole{radius} * Whole{radius};
  for (std::size_t i = 0; i + (closed ? 0 : 1) < ring.size(); ++i) {
    const GridPoint &p = ring[i], &q = ring[(i + 1) % ring.size()];
    const GridPoint s = difference(q, p), o = difference(centre, p), e = difference(centre, q);
    const Int128 along = dot(o, s), length = dot(s, s);
    const Whole area{cross(s, o)};
    const bool foot = along > 0 && along < length;
    const Whole left = foot ? area * area : Whole{along > 0 ? dot(e, e) : dot(o, o)};
    if (sign_of(left - (foot ? Whole{length} * square : square)) < 0) return true;
  }
  return false;
}

bool is_simple(const GridRing& ring) {
  std::vector<Edge> edges;
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const GridPoint& next = ring[(i + 1) % ring.size()];
    if (!(ring[i] == next)) edges.push_back({ring[i], next});
  }
  const std::size_t n = edges.size();
  if (n < 3) return false;
  for (std::size_t i = 0; i < n; ++i) {
    const GridPoint u = difference(edges[i].to, edges[i].from);
    const GridPoint v = difference(edges[(i + 1) % n].to, edges[(i + 1) % n].from);
    if (cross(u, v) == 0 && dot(u, v) < 0) return false;
    for (std::size_t j = 0; j < i; ++j) {
      const bool neighbours = i == j + 1 || (j == 0 && i + 1 == n);
      if (!neighbours && meet(edges[i], edges[j])) return false;
    }
  }
  return true;
}

bool true_overlap(const GridRings& a, const GridRings& b, bool small) {
  const auto of_a = edges_of(a), of_b = edges_of(b);
  if (small) return enters<Int128>(of_a, of_b) || enters<Int128>(of_b, of_a);
  return enters<Whole>(of_a, of_b) || enters<Whole>(of_b, of_a);
}

long double true_distance(const GridRings& a, const GridRings& b) {
  const auto of_a = edges_of(a), of_b = edges_of(b);
  long double least = kInfinity;
  for (const Edge& e : of_a) {
    for (const Edge& o : of_b) {
      least = std::min({least, point_distance(e.from, o), point_distance(o.from, e)});
    }
  }
  return least;
}

long double true_depth(const GridRings& a, const GridRings& b, long double bound, bool small) {
  return small ? FreePlaces<Int128>(a, b, bound).nearest()
               : FreePlaces<Whole>(a, b, bound).nearest();
}

}  // namespace tactus::detail::lab
