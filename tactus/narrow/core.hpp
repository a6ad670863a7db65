#pragma once

#include <cstdint>

#include "tactus/math/mat3.hpp"
#include "tactus/shape/shape.hpp"

namespace tactus {

/// What remains of a convex body when its ball is taken away; decides how supports and second-order
/// steps are made.
enum class CoreKind : std::uint8_t {
  point,
  segment,
  box,
  polytope,
  cylinder,
  cone,
  ellipsoid,
  custom
};

/// A convex body as the narrow phase sees it: a core grown by a ball of radius `radius`.
///
/// Sphere = point + r, capsule = segment + r; `rounding` adds to the radius. An ellipsoid gives
/// away the ball that rolls freely inside it (its least radius of curvature), so that shallow
/// overlaps of ellipsoids are separations of their cores, which have a two-sided proof. A view:
/// refers to the shape, does not own it. Source: design, core plus radius; schneider2014 (inner
/// parallel bodies, section 3.1).
struct Core {
  /// The support set of a core consists of pieces: vertices, rims (circles), or one smooth surface.
  /// A piece knows its support point in any direction near the one where it is the support.
  using Piece = std::uint32_t;

  CoreKind kind = CoreKind::point;
  double radius = 0.0;  ///< of the ball that the core is grown by
  double shrink = 0.0;  ///< part of `radius` taken from an ellipsoid itself
  Vec3 half;    ///< box, segment: half edges; ellipsoid: radii; cylinder, cone: (r, r, half length)
  Vec3 center;  ///< a point inside the core, local frame
  double reach = 0.0;   ///< largest absolute coordinate sum of a core point: scales rounding errors
  double extent = 0.0;  ///< longest extent of the grown body along its axes
  const ConvexHull* hull = nullptr;         ///< polytope
  const SupportFunction* custom = nullptr;  ///< custom

  bool is_polytope() const { return kind <= CoreKind::polytope; }
  /// True when the piece has a support point that moves with the direction.
  bool is_smooth(Piece piece) const {
    return kind == CoreKind::ellipsoid || kind == CoreKind::cylinder ||
           (kind == CoreKind::cone && piece == 1);
  }
};

/// True when the core has a flat disc whose outward normal is the core's z axis (`side` = 1) or its
/// opposite (-1).
bool has_disc(const Core& core, int side);

/// Core of a convex shape (Shape::is_convex_body).
Core make_core(const Shape& shape);

struct CorePoint {
  Vec3 point;
  Core::Piece piece = 0;
};

/// Farthest point of the core along the unit vector `n`, local frame; `hint` is a vertex to start
/// climbing from (large hulls only; any valid value gives the same bits up to ties).
CorePoint support(const Core& core, const Vec3& n, Core::Piece hint = 0);

/// Support value over all vertices or pieces, without climbing: what a proof rests on.
double support_value(const Core& core, const Vec3& n);

/// Support point of one piece along unit `n`, and the derivative of that point with respect to n
/// (symmetric, zero for a vertex).
struct PiecePoint {
  Vec3 point;
  Mat3 derivative;
};
PiecePoint piece_support(const Core& core, Core::Piece piece, const Vec3& n);

}  // namespace tactus
