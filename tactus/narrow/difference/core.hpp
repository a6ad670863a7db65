#pragma once

#include <cmath>
#include <cstdint>

#include "tactus/math.hpp"
#include "tactus/shape.hpp"
#include "tactus/shape/access.hpp"
#include "tactus/shape/prepared_hull.hpp"

namespace tactus::detail {

/// True when the core has a flat disc whose outward normal is the core's z axis (`side` = 1) or its
/// opposite (-1).
bool has_disc(const Core& core, int side);

/// Has the core faces or edges? One without touches at one point.
inline bool has_features(const Core& core) {
  return core.kind != CoreKind::point && core.kind != CoreKind::ellipsoid &&
         core.kind != CoreKind::custom;
}

struct CorePoint {
  Vec3 point;
  Core::Piece piece = 0;
};

inline Core::Piece negative(double x) { return std::signbit(x) ? 1u : 0u; }
void curved_support(const Core& core, const Vec3& n, Vec3& point, Core::Piece& piece);
void farthest_of_large(const PreparedHull& a, const Vec3& n, const PreparedHull& b, const Vec3& m,
                       DirectionMap::Found& of_a, DirectionMap::Found& of_b);

/// Farthest vertex of a hull along n: the lowest index among equals.
inline DirectionMap::Found farthest_vertex(const detail::PreparedHull& hull, const Vec3& n) {
  return hull.directions.farthest(hull.vertices.data(), n);
}

/// The farthest vertices of two small or two large hulls, along n and m: sought together. False for
/// other cores.
inline bool farthest_of_both(const Core& a, const Vec3& n, const Core& b, const Vec3& m,
                             DirectionMap::Found& of_a, DirectionMap::Found& of_b) {
  if (a.kind != CoreKind::polytope || b.kind != CoreKind::polytope) return false;
  if (a.hull->directions.small() && b.hull->directions.small()) {
    std::uint32_t found[2];
    VertexGroups::farthest_of_both(a.hull->directions.groups(), n, b.hull->directions.groups(), m,
                                   found);
    of_a = {&a.hull->vertices[found[0]], found[0]};
    of_b = {&b.hull->vertices[found[1]], found[1]};
    return true;
  }
  if (!a.hull->directions.large() || !b.hull->directions.large()) return false;
  detail::farthest_of_large(*a.hull, n, *b.hull, m, of_a, of_b);
  return true;
}

/// Farthest point of the core along the unit vector `n`, local frame. The flat cores are inline:
/// two such calls are made in every step of every search.
[[gnu::always_inline]] inline void support(const Core& core, const Vec3& n, Vec3& point,
                                           Core::Piece& piece) {
  switch (core.kind) {
    case CoreKind::point:
      point = {};
      piece = 0;
      return;
    case CoreKind::segment:
      point = {0.0, 0.0, std::copysign(core.half.z, n.z)};
      piece = detail::negative(n.z);
      return;
    case CoreKind::box:
      // No branches: the signs of a search are hard to predict.
      point = {std::copysign(core.half.x, n.x), std::copysign(core.half.y, n.y),
               std::copysign(core.half.z, n.z)};
      piece = detail::negative(n.x) | detail::negative(n.y) << 1u | detail::negative(n.z) << 2u;
      return;
    case CoreKind::triangle: {
      // The lowest index among equals.
      const double p = dot(core.corners[0], n), q = dot(core.corners[1], n);
      piece = q > p ? 1u : 0u;
      if (dot(core.corners[2], n) > (q > p ? q : p)) piece = 2;
      point = core.corners[piece];
      return;
    }
    case CoreKind::polytope: {
      // The lowest index among equals.
      const DirectionMap::Found found = farthest_vertex(*core.hull, n);
      point = *found.point;
      piece = found.vertex;
      return;
    }
    case CoreKind::cylinder:
    case CoreKind::cone:
    case CoreKind::ellipsoid:
    case CoreKind::custom:
      detail::curved_support(core, n, point, piece);
      return;
  }
}
inline CorePoint support(const Core& core, const Vec3& n) {
  CorePoint r;
  support(core, n, r.point, r.piece);
  return r;
}

/// Support value over all vertices or pieces: what a proof rests on.
double support_value(const Core& core, const Vec3& n);

/// Support point of one piece along unit `n`.
Vec3 piece_support(const Core& core, Core::Piece piece, const Vec3& n);

}  // namespace tactus::detail
