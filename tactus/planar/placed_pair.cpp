#include "tactus/planar/placed_pair.hpp"

namespace tactus::detail {

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
  for (std::size_t j = 0; j < b.size(); ++j) {
    const Box2 box = box_of(b.start(j) + shift, b.end(j) + shift);
    a.tree().search([&](const Box2& node) { return node.squared_distance(box); },
                    [&] { return best.squared; }, [&](std::size_t i) { improve(i, j); });
  }
  return best;
}

}  // namespace tactus::detail
