#include "tactus/narrow/search/ray_cast.hpp"

#include "tactus/core/constants.hpp"
#include "tactus/narrow/search/observe.hpp"

namespace tactus::detail {

RayCastResult gjk_ray_cast(const MovingCso& moving, const Vec3& start,
                           const RayCastOptions& options) {
  RayCastResult r;
  const double radius = moving.start.a.radius + moving.start.b.radius;
  Simplex simplex;
  Vec3 n = start;
  double nearest = std::numeric_limits<double>::infinity();
  while (r.iterations < options.max_iterations) {
    SupportPoint p = moving.start.support(n);
    ++r.iterations;
    p.w += moving.motion * r.time;
    const double lower =
        -dot(n, p.w) - radius - moving.start.error_bound - moving.rounding_of_motion(r.time);
    const bool apart = lower > 0.0;
    if (apart) {
      const double approach = moving.approach(n);
      r.normal = n;
      const double next = (r.time + lower / approach) * (1.0 - 4.0 * kUnit);
      r.miss = !(approach > 0.0) || next > options.last;
      if (r.miss) return r;
      if (next > r.time) {
        r.time = next;
        nearest = std::numeric_limits<double>::infinity();
        // Recomputed from the points of the bodies, so that the moves do not add up their rounding.
        for (int i = 0; i < simplex.size; ++i) {
          SupportPoint& q = simplex.point[i];
          q.w = (q.a - q.b) + moving.motion * r.time;
        }
        p.w = (p.a - p.b) + moving.motion * r.time;
      }
    }
    if (options.observer != nullptr) {
      const SearchState state{"ray_cast", r.iterations, r.time, options.last, radius};
      observe(*options.observer, state, simplex, p);
      options.observer->ray({state, moving.motion * -r.time, -moving.motion, r.time});
    }
    if (simplex.contains(p)) {
      // Seen from the new place, the known points may be closest elsewhere.
      if (!apart || reduce(simplex)) return r;
    } else {
      simplex.point[simplex.size++] = p;
      if (reduce(simplex)) return r;
    }
    const double distance = norm(simplex.closest());
    if (distance - radius <= options.gap || !(distance < nearest)) return r;
    nearest = distance;
    n = toward_origin(simplex);
  }
  return r;
}

}  // namespace tactus::detail
