#include "tactus/planar/region/convex_pieces.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <utility>

#include "tactus/planar/region/exact.hpp"

namespace tactus::detail {
namespace {

using Ring = std::vector<Vec2>;

/// Part of the area by which the pieces may miss that of the region, by rounding of both.
constexpr double kAreaRounding = 1e-9;

const Vec2& after(const Ring& ring, std::size_t i) { return ring[i + 1 < ring.size() ? i + 1 : 0]; }
const Vec2& before(const Ring& ring, std::size_t i) {
  return ring[i > 0 ? i - 1 : ring.size() - 1];
}

/// A contour with the region to its left, every place once.
Ring ring_of(const Region& region, std::size_t k) {
  Ring ring;
  for (const Vec2& p : region.contours()[k].points())
    if (ring.empty() || !(ring.back() == p)) ring.push_back(p);
  if (ring.size() > 1 && ring.front() == ring.back()) ring.pop_back();
  if (region.interior_is_right(k)) std::reverse(ring.begin(), ring.end());
  return ring;
}

/// Does the way from a corner to a place start inside, which lies to the left of the ring?
bool starts_inside(const Vec2& before, const Vec2& corner, const Vec2& after, const Vec2& to) {
  const bool left_in = orientation(before, corner, to) > 0;
  const bool left_out = orientation(corner, after, to) > 0;
  return orientation(before, corner, after) > 0 ? left_in && left_out : left_in || left_out;
}

bool on_open_segment(const Vec2& p, const Vec2& a, const Vec2& b) {
  return !(p == a) && !(p == b) && on_segment(placed(p), placed(a), placed(b));
}

/// Has the segment no point with the ring in common but its ends?
bool is_clear(const Vec2& a, const Vec2& b, const Ring& ring) {
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const Vec2 &p = ring[i], &q = after(ring, i);
    if (on_open_segment(p, a, b) || on_open_segment(q, a, b)) return false;
    const bool at_end = p == a || p == b || q == a || q == b;
    if (!at_end && segments_meet(placed(a), placed(b), placed(p), placed(q))) return false;
  }
  return true;
}

struct Bridge {
  double squared = 0.0;
  std::uint32_t from = 0, to = 0;  ///< corners of the ring and of the hole
};

/// Joins a hole to the ring along the shortest way between two corners on which nothing lies, which
/// the ring then runs along twice. False where other holes are in the way.
bool join(Ring& ring, const std::vector<Ring>& holes, std::size_t hole) {
  const Ring& inner = holes[hole];
  std::vector<Bridge> bridges;
  for (std::uint32_t i = 0; i < ring.size(); ++i)
    for (std::uint32_t j = 0; j < inner.size(); ++j) {
      const Vec2 way = inner[j] - ring[i];
      bridges.push_back({dot(way, way), i, j});
    }
  std::sort(bridges.begin(), bridges.end(), [](const Bridge& x, const Bridge& y) {
    return x.squared != y.squared ? x.squared < y.squared
                                  : std::pair(x.from, x.to) < std::pair(y.from, y.to);
  });
  for (const Bridge& bridge : bridges) {
    const Vec2 &a = ring[bridge.from], &b = inner[bridge.to];
    if (!starts_inside(before(ring, bridge.from), a, after(ring, bridge.from), b)) continue;
    if (!is_clear(a, b, ring)) continue;
    if (!std::all_of(holes.begin(), holes.end(), [&](const Ring& r) { return is_clear(a, b, r); }))
      continue;
    Ring loop{a};
    for (std::size_t k = 0; k <= inner.size(); ++k)
      loop.push_back(inner[(bridge.to + k) % inner.size()]);
    ring.insert(ring.begin() + bridge.from, loop.begin(), loop.end());
    return true;
  }
  return false;
}

/// The boundary of a region as one ring.
Ring whole_ring(const Region& region) {
  Ring ring = ring_of(region, 0);
  std::vector<Ring> holes;
  for (std::size_t k = 1; k < region.contours().size(); ++k) holes.push_back(ring_of(region, k));
  while (!holes.empty()) {
    std::size_t hole = 0;
    while (hole < holes.size() && !join(ring, holes, hole)) ++hole;
    if (hole == holes.size()) throw InvalidInput("outer", "cannot be cut into pieces");
    holes.erase(holes.begin() + static_cast<std::ptrdiff_t>(hole));
  }
  return ring;
}

bool is_ear(const Ring& ring, std::size_t i) {
  const std::size_t last = ring.size() - 1;
  const std::size_t in = i > 0 ? i - 1 : last, out = i < last ? i + 1 : 0;
  const Vec2 &p = ring[in], &c = ring[i], &n = ring[out];
  if (!starts_inside(before(ring, in), p, c, n) || !starts_inside(c, n, after(ring, out), p))
    return false;
  return std::none_of(ring.begin(), ring.end(), [&](const Vec2& w) {
    return !(w == p) && !(w == c) && !(w == n) && orientation(p, c, w) >= 0 &&
           orientation(c, n, w) >= 0 && orientation(n, p, w) >= 0;
  });
}

/// Cuts ears off, one after the other around the ring.
std::vector<Ring> triangles_of(Ring ring) {
  std::vector<Ring> triangles;
  std::size_t i = 0, tried = 0;
  while (ring.size() > 2 && tried <= ring.size()) {
    i %= ring.size();
    const int turn = orientation(before(ring, i), ring[i], after(ring, i));
    const bool ear = turn > 0 && (ring.size() == 3 || is_ear(ring, i));
    if (ear) triangles.push_back({before(ring, i), ring[i], after(ring, i)});
    // A corner without an angle bounds nothing.
    if (ear || turn == 0) {
      ring.erase(ring.begin() + static_cast<std::ptrdiff_t>(i));
      tried = 0;
    }
    if (!ear && turn != 0) ++tried;
    ++i;
  }
  return triangles;
}

struct ByPlace {
  bool operator()(const std::pair<Vec2, Vec2>& x, const std::pair<Vec2, Vec2>& y) const {
    const double a[] = {x.first.x, x.first.y, x.second.x, x.second.y};
    const double b[] = {y.first.x, y.first.y, y.second.x, y.second.y};
    return std::lexicographical_compare(a, a + 4, b, b + 4);
  }
};

/// Two pieces with the edge from u to v of one and back of the other as one, if that is convex;
/// else empty.
Ring joined(Ring a, Ring b, const Vec2& u, const Vec2& v) {
  std::rotate(a.begin(), std::find(a.begin(), a.end(), v), a.end());
  std::rotate(b.begin(), std::find(b.begin(), b.end(), u), b.end());
  if (orientation(a[a.size() - 2], u, b[1]) < 0 || orientation(b[b.size() - 2], v, a[1]) < 0)
    return {};
  a.pop_back();
  b.pop_back();
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

}  // namespace

std::vector<std::vector<Vec2>> convex_pieces(const Region& region) {
  std::vector<Ring> pieces = triangles_of(whole_ring(region));
  double twice = 0.0;
  for (const Ring& t : pieces) twice += cross(t[1] - t[0], t[2] - t[0]);
  if (!(std::fabs(0.5 * twice - region.mass().area) <= kAreaRounding * region.mass().area))
    throw InvalidInput("outer", "cannot be cut into pieces");
  std::map<std::pair<Vec2, Vec2>, std::size_t, ByPlace> piece_of;  // by edge
  const auto own = [&](std::size_t piece) {
    const Ring& ring = pieces[piece];
    for (std::size_t i = 0; i < ring.size(); ++i) piece_of[{ring[i], after(ring, i)}] = piece;
  };
  std::vector<std::pair<Vec2, Vec2>> edges;
  for (std::size_t k = 0; k < pieces.size(); ++k) {
    own(k);
    for (std::size_t i = 0; i < 3; ++i) edges.emplace_back(pieces[k][i], after(pieces[k], i));
  }
  for (const auto& [u, v] : edges) {
    const auto one = piece_of.find({u, v}), other = piece_of.find({v, u});
    if (one == piece_of.end() || other == piece_of.end()) continue;
    const std::size_t a = one->second, b = other->second;
    Ring both = joined(pieces[a], pieces[b], u, v);
    if (both.empty()) continue;
    piece_of.erase(one);
    piece_of.erase(other);
    pieces[a] = std::move(both);
    pieces[b].clear();
    own(a);
  }
  std::erase_if(pieces, [](const Ring& piece) { return piece.empty(); });
  return pieces;
}

}  // namespace tactus::detail
