#include "tactus/planar/placed_pair.hpp"

namespace tactus::detail {

PlanarResult invalid_planar() {
  PlanarResult r;
  r.status = Status::invalid_input;
  r.distance = r.upper = kPlanarInfinity;
  r.lower = -kPlanarInfinity;
  return r;
}

NearestPlaces nearest_places(const Edges& a, const Edges& b, const Vec2& shift) {
  NearestPlaces best;
  const auto improve = [&best](const Vec2& p, const Vec2& q0, const Vec2& q1, bool p_of_a) {
    const Vec2 foot = foot_on(p, q0, q1), d = foot - p;
    if (!(dot(d, d) < best.squared)) return;
    best = {dot(d, d), p_of_a ? p : foot, p_of_a ? foot : p};
  };
  for (std::size_t j = 0; j < b.size(); ++j) {
    const Vec2 q0 = b.start(j) + shift, q1 = b.end(j) + shift;
    const Box2 box = box_of(q0, q1);
    a.tree().search([&](const Box2& node) { return node.squared_distance(box); },
                    [&] { return best.squared; },
                    [&](std::size_t i) {
                      improve(a.start(i), q0, q1, true);
                      improve(a.end(i), q0, q1, true);
                      improve(q0, a.start(i), a.end(i), false);
                      improve(q1, a.start(i), a.end(i), false);
                    });
  }
  return best;
}

}  // namespace tactus::detail
