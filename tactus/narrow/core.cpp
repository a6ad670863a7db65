#include "tactus/narrow/core.hpp"

#include <algorithm>
#include <cmath>

#include "tactus/mesh/vertex_search.hpp"

namespace tactus {
namespace {

// Below this the square of a length underflows (a flat ellipsoid seen face on).
constexpr double kLeastNorm = 1e-140;

// Farthest vertex, the lowest index among equals.
std::uint32_t farthest(const ConvexHull& hull, const Vec3& n) {
  if (!hull.directions.empty()) return hull.directions.farthest(hull.vertices.data(), n);
  return farthest_by_scan(hull.vertices, n);
}

Core::Piece negative(double x) { return std::signbit(x) ? 1u : 0u; }

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

CorePoint support(const Core& core, const Vec3& n, Core::Piece /*hint*/) {
  switch (core.kind) {
    case CoreKind::point:
      return {};
    case CoreKind::segment:
      return {{0.0, 0.0, std::copysign(core.half.z, n.z)}, negative(n.z)};
    case CoreKind::box:
      // No branches: the signs of a search are hard to predict.
      return {{std::copysign(core.half.x, n.x), std::copysign(core.half.y, n.y),
               std::copysign(core.half.z, n.z)},
              negative(n.x) | negative(n.y) << 1u | negative(n.z) << 2u};
    case CoreKind::polytope: {
      const std::uint32_t vertex = farthest(*core.hull, n);
      return {core.hull->vertices[vertex], vertex};
    }
    case CoreKind::cylinder:
      return {rim_point(core.half.x, std::copysign(core.half.z, n.z), n), negative(n.z)};
    case CoreKind::cone:
      if (apex_wins(core.half, n)) return {{0.0, 0.0, core.half.z}, 0};
      return {rim_point(core.half.x, -core.half.z, n), 1};
    case CoreKind::ellipsoid:
      return {ellipsoid_point(core, n), 0};
    case CoreKind::custom:
      return {core.custom->support(n), 0};
  }
  return {};
}

double support_value(const Core& core, const Vec3& n) { return dot(support(core, n).point, n); }

PiecePoint piece_support(const Core& core, Core::Piece piece, const Vec3& n) {
  PiecePoint result{{}, Mat3::zero()};
  const auto rim = [&](double z) {
    const double r = core.half.x;
    result.point = rim_point(r, z, n);
    const double across = std::sqrt(n.x * n.x + n.y * n.y);
    if (across > 0.0) {
      const Vec3 tangent{-n.y / across, n.x / across, 0.0};
      result.derivative = outer(tangent, tangent) * (r / across);
    }
  };
  switch (core.kind) {
    case CoreKind::point:
      break;
    case CoreKind::segment:
      result.point = {0.0, 0.0, piece == 0 ? core.half.z : -core.half.z};
      break;
    case CoreKind::box:
      result.point = box_corner(core.half, piece);
      break;
    case CoreKind::polytope:
      result.point = core.hull->vertices[piece];
      break;
    case CoreKind::cylinder:
      rim(piece == 0 ? core.half.z : -core.half.z);
      break;
    case CoreKind::cone:
      if (piece == 0) {
        result.point = {0.0, 0.0, core.half.z};
      } else {
        rim(-core.half.z);
      }
      break;
    case CoreKind::ellipsoid: {
      // s(n) = D n / |r n| with D = diag(r^2): ds/dn = D / |r n| - (D n)(D n)^T / |r n|^3, and the
      // given-away ball takes off shrink * (I - n n^T).
      const Vec3 scaled = component_product(core.half, n);
      const double length = norm(scaled);
      const Vec3 grown = component_product(core.half, scaled) / length;
      result.point = grown - n * core.shrink;
      result.derivative = Mat3::diagonal(component_product(core.half, core.half) / length) -
                          outer(grown, grown) * (1.0 / length) -
                          (Mat3::identity() - outer(n, n)) * core.shrink;
      break;
    }
    case CoreKind::custom:
      result.point = core.custom->support(n);
      break;
  }
  return result;
}

}  // namespace tactus
