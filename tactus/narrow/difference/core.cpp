#include "tactus/narrow/difference/core.hpp"

#include <algorithm>
#include <cmath>

namespace tactus::detail {
namespace {

// Below this the square of a length underflows (a flat ellipsoid seen face on).
constexpr double kLeastNorm = 1e-140;

Vec3 box_corner(const Vec3& half, Core::Piece piece) {
  return {(piece & 1u) ? -half.x : half.x, (piece & 2u) ? -half.y : half.y,
          (piece & 4u) ? -half.z : half.z};
}

// Farthest point of the circle of radius r at height z; its centre's neighbour on +x when n is the
// axis.
Vec3 rim_point(double r, double z, const Vec3& n) {
  const double across = std::sqrt(n.x * n.x + n.y * n.y);
  if (!(across > 0.0)) return {r, 0.0, z};
  const double scale = r / across;
  return {n.x * scale, n.y * scale, z};
}

Vec3 ellipsoid_point(const Core& core, const Vec3& n) {
  Vec3 scaled = component_product(core.half, n);
  double length = norm(scaled);
  if (!(length > kLeastNorm)) {
    scaled = normalized(scaled, n);
    length = 1.0;
  }
  return component_product(core.half, scaled) * (1.0 / length) - n * core.shrink;
}

// True when the apex of a cone is farther along n than its rim.
bool apex_wins(const Vec3& half, const Vec3& n) {
  return 2.0 * half.z * n.z > half.x * std::sqrt(n.x * n.x + n.y * n.y);
}

}  // namespace

bool has_disc(const Core& core, int side) {
  return core.kind == CoreKind::cylinder || (core.kind == CoreKind::cone && side < 0);
}

void farthest_of_large(const PreparedHull& a, const Vec3& n, const PreparedHull& b, const Vec3& m,
                       DirectionMap::Found& of_a, DirectionMap::Found& of_b) {
  // Both wait for their memory together.
  const DirectionMap::Place place_a = a.directions.place(n);
  const DirectionMap::Place place_b = b.directions.place(m);
  of_a = a.directions.farthest_from(place_a, a.vertices.data(), n);
  of_b = b.directions.farthest_from(place_b, b.vertices.data(), m);
}

void curved_support(const Core& core, const Vec3& n, Vec3& point, Core::Piece& piece) {
  piece = 0;
  switch (core.kind) {
    case CoreKind::cylinder:
      point = rim_point(core.half.x, std::copysign(core.half.z, n.z), n);
      piece = negative(n.z);
      return;
    case CoreKind::cone:
      if (apex_wins(core.half, n)) {
        point = {0.0, 0.0, core.half.z};
      } else {
        point = rim_point(core.half.x, -core.half.z, n);
        piece = 1;
      }
      return;
    case CoreKind::ellipsoid:
      point = ellipsoid_point(core, n);
      return;
    default:
      point = core.custom->support(n);
      return;
  }
}

double support_value(const Core& core, const Vec3& n) { return dot(support(core, n).point, n); }

Vec3 piece_support(const Core& core, Core::Piece piece, const Vec3& n) {
  switch (core.kind) {
    case CoreKind::point:
      return {};
    case CoreKind::segment:
      return {0.0, 0.0, piece == 0 ? core.half.z : -core.half.z};
    case CoreKind::box:
      return box_corner(core.half, piece);
    case CoreKind::triangle:
      return core.corners[piece < 3 ? piece : 0];
    case CoreKind::polytope:
      return core.hull->vertices[piece];
    case CoreKind::cylinder:
      return rim_point(core.half.x, piece == 0 ? core.half.z : -core.half.z, n);
    case CoreKind::cone:
      if (piece == 0) return {0.0, 0.0, core.half.z};
      return rim_point(core.half.x, -core.half.z, n);
    case CoreKind::ellipsoid:
      return ellipsoid_point(core, n);
    case CoreKind::custom:
      return core.custom->support(n);
  }
  return {};
}

}  // namespace tactus::detail
