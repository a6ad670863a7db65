// The first polytope of EPA: a tetrahedron of support points.
#include <cmath>

#include "tactus/math/predicates.hpp"
#include "tactus/narrow/search/polytope_surface.hpp"

namespace tactus::detail {
namespace {

// The answer for an obstacle without an inside that could be searched, whose plane is across
// `normal`: both sides are equally near.
void take_flat(const Cso& cso, const Simplex& start, const Vec3& normal, EpaResult& result) {
  const SupportPoint up = cso.support(normal);
  const SupportPoint down = cso.support(-normal);
  result.iterations += 2;
  const bool take_up = dot(normal, up.w) <= -dot(normal, down.w);
  result.outcome = EpaOutcome::flat;
  result.unique = false;
  result.best.simplex = start;
  result.best.n = take_up ? normal : -normal;
  result.best.extreme = take_up ? up : down;
  result.best.value = dot(result.best.n, result.best.extreme.w);
}

}  // namespace

bool PolytopeSurface::start(const Cso& cso, const Simplex& start, EpaResult& result) {
  SupportPoint* const p = vertices_.item;
  int count = 0, orientation = 0;
  const double least = cso.error_bound * cso.error_bound;
  // Takes p as the next corner if it is affinely independent of those so far: exactly for the last,
  // beyond rounding before.
  const auto take = [&](const SupportPoint& candidate) {
    if (count == 1 && !(squared_norm(candidate.w - points_.item[0]) > least)) return;
    if (count == 2) {
      const Vec3 first = points_.item[1] - points_.item[0];
      const Vec3 second = candidate.w - points_.item[0];
      if (!(squared_norm(cross(first, second)) > least * squared_norm(first))) return;
    }
    if (count == 3) {
      orientation = orient3d(points_.item[0], points_.item[1], points_.item[2], candidate.w);
      if (orientation == 0) return;
    }
    points_.item[count] = candidate.w;
    p[count++] = candidate;
  };
  for (int i = 0; i < start.size; ++i) take(start.point[i]);
  const auto try_both = [&](const Vec3& n) {
    // The farther side first: the fatter tetrahedron.
    const SupportPoint plus = cso.support(n);
    const SupportPoint minus = cso.support(-n);
    result.iterations += 2;
    const bool plus_first =
        std::fabs(dot(n, plus.w - p[0].w)) >= std::fabs(dot(n, minus.w - p[0].w));
    const int before = count;
    take(plus_first ? plus : minus);
    if (count == before) take(plus_first ? minus : plus);
    return count > before;
  };
  Vec3 normal{0.0, 0.0, 1.0};
  if (count == 1) {
    if (!try_both({1.0, 0.0, 0.0}) && !try_both({0.0, 1.0, 0.0})) try_both({0.0, 0.0, 1.0});
  }
  if (count == 2) {
    const Vec3 along = normalized(p[1].w - p[0].w);
    normal = any_perpendicular(along);
    if (!try_both(normal)) {
      const Vec3 other = cross(along, normal);
      if (!try_both(other)) result.unique = false;
    }
  }
  bool volume = false;
  if (count == 3) {
    normal = normalized(cross(p[1].w - p[0].w, p[2].w - p[0].w));
    volume = try_both(normal);
    // A body thinner than rounding has no inside that could be searched.
    if (volume && !(std::fabs(dot(normal, p[3].w - p[0].w)) > cso.error_bound)) volume = false;
  } else {
    volume = count == 4;
  }
  if (!volume) {
    take_flat(cso, start, normal, result);
    return false;
  }
  // Outward orientation: corner 3 below the first face.
  const std::uint16_t a = orientation > 0 ? 1 : 0, b = orientation > 0 ? 0 : 1;
  vertex_count_ = 4;
  face_count_ = 4;
  make_face(0, a, b, 2);
  make_face(1, a, 3, b);
  make_face(2, b, 3, 2);
  make_face(3, 2, 3, a);
  constexpr std::uint16_t kNeighbor[4][3] = {{6, 10, 14}, {13, 8, 0}, {5, 12, 1}, {9, 4, 2}};
  for (int f = 0; f < 4; ++f) {
    for (int e = 0; e < 3; ++e) faces_.item[f].neighbor[e] = kNeighbor[f][e];
  }
  return true;
}

}  // namespace tactus::detail
