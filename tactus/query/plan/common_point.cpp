#include "tactus/query/plan/common_point.hpp"

#include <algorithm>

#include "tactus/narrow/search/gjk.hpp"

namespace tactus::detail {
namespace {

// Weights of the origin in a tetrahedron that holds it: the volumes that it cuts off each corner's
// opposite side. Of a flat one, those of the nearest point that is already known stay.
void weigh_origin(Simplex& simplex) {
  double volume[4], sum = 0.0;
  for (int i = 0; i < 4; ++i) {
    const Vec3& p = simplex.point[(i + 1) % 4].w;
    const Vec3& q = simplex.point[(i + 2) % 4].w;
    const Vec3& r = simplex.point[(i + 3) % 4].w;
    volume[i] = (i % 2 == 0 ? 1.0 : -1.0) * dot(p, cross(q, r));
    sum += volume[i];
  }
  if (sum == 0.0) return;
  for (int i = 0; i < 4; ++i) simplex.weight[i] = std::clamp(volume[i] / sum, 0.0, 1.0);
}

}  // namespace

CommonPoint common_point(const Cso& cso) {
  Simplex simplex;
  const GjkResult found = gjk(cso, simplex, cso.between_centers(), {});
  if (found.outcome == GjkOutcome::overlapping && simplex.size == 4) weigh_origin(simplex);
  return {simplex.closest_a(), simplex.closest_b()};
}

}  // namespace tactus::detail
