#include "tactus/planar/region/placed_pair.hpp"

#include <algorithm>
#include <cmath>

namespace tactus::detail {

namespace {

// How near any edges are, squared, by pairs of runs, the nearest first. Edge by edge, those that
// come first would be compared with all that may be nearer than the first few were.
double nearest_squared(const Edges& a, const Edges& b, const Vec2& shift, double known) {
  double best = known;
  const auto edges = [&](std::size_t i, std::size_t j) {
    const Vec2 p0 = a.start(i), p1 = a.end(i), q0 = b.start(j) + shift, q1 = b.end(j) + shift;
    const auto take = [&](const Vec2& p, const Vec2& from, const Vec2& to) {
      const Vec2 d = foot_on(p, from, to) - p;
      best = std::min(best, dot(d, d));
    };
    take(p0, q0, q1);
    take(p1, q0, q1);
    take(q0, p0, p1);
    take(q1, p0, p1);
  };
  a.tree().search_pairs(
      b.tree(), [&](const Box2& box) { return Box2{box.low + shift, box.high + shift}; },
      [&] { return best; },
      [&](std::size_t first_a, std::size_t end_a, std::size_t first_b, std::size_t end_b) {
        for (std::size_t j = first_b; j < end_b; ++j) {
          for (std::size_t i = first_a; i < end_a; ++i) edges(i, j);
        }
      });
  return best;
}

}  // namespace

NearestPlaces nearest_places(const Edges& a, const Edges& b, const Vec2& shift,
                             const PlanarCache& near) {
  NearestPlaces best;
  const auto improve = [&](std::size_t i, std::size_t j) {
    const Vec2 p0 = a.start(i), p1 = a.end(i), q0 = b.start(j) + shift, q1 = b.end(j) + shift;
    const auto take = [&](const Vec2& p, const Vec2& from, const Vec2& to, bool p_of_a) {
      const Vec2 foot = foot_on(p, from, to), d = foot - p;
      if (!(dot(d, d) < best.squared)) return;
      best = {dot(d, d),
              p_of_a ? p : foot,
              p_of_a ? foot : p,
              {static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j)}};
    };
    take(p0, q0, q1, true);
    take(p1, q0, q1, true);
    take(q0, p0, p1, false);
    take(q1, p0, p1, false);
  };
  if (near.edge_a < a.size() && near.edge_b < b.size()) improve(near.edge_a, near.edge_b);
  // The limit lets ties pass: of places that are as near, those on the first edges win.
  const double limit = std::nextafter(nearest_squared(a, b, shift, best.squared), kInfinity);
  for (std::size_t j = 0; j < b.size(); ++j) {
    const Box2 box = box_of(b.start(j) + shift, b.end(j) + shift);
    a.tree().search([&](const Box2& node) { return node.squared_distance(box); },
                    [&] { return std::min(best.squared, limit); },
                    [&](std::size_t i) { improve(i, j); });
  }
  return best;
}

Vec2 direction_between(const Edges& a, const Edges& b, const Vec2& shift, const NearestPlaces& n,
                       double size) {
  const Vec2 way = n.on_b - n.on_a;
  if (n.squared > kNearPair * kNearPair * size * size) return unit_along(way);
  const std::size_t i = n.edges.edge_a, j = n.edges.edge_b;
  const bool within_a = !(n.on_a == a.start(i)) && !(n.on_a == a.end(i));
  const bool within_b = !(n.on_b == b.start(j) + shift) && !(n.on_b == b.end(j) + shift);
  if (!within_a && !within_b) return unit_along(way);
  // To the right of A's edge, or to the left of B's; of a curve on the side that the way tells.
  const Vec2 s = within_a ? a.end(i) - a.start(i) : b.start(j) - b.end(j);
  const Vec2 normal = unit_along({s.y, -s.x});
  const bool region = (within_a ? a : b).region() != nullptr;
  return region || dot(normal, way) >= 0.0 ? normal : -normal;
}

}  // namespace tactus::detail
