#pragma once

#include <cstdint>

#include "tactus/math/vec3.hpp"

namespace tactus {

class SupportFunction;
namespace detail {
struct PreparedHull;
}

/// What remains of a convex body when its ball is taken away; decides how supports and second-order
/// steps are made.
enum class CoreKind : std::uint8_t {
  point,
  segment,
  box,
  triangle,
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
/// refers to the data of the shape that made it, does not own them. Source: design, core plus
/// radius; schneider2014 (inner parallel bodies, section 3.1).
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
  const detail::PreparedHull* hull = nullptr;  ///< polytope
  const Vec3* corners = nullptr;            ///< triangle: three, of a mesh; not a shape by itself
  const SupportFunction* custom = nullptr;  ///< custom

  bool is_polytope() const { return kind <= CoreKind::polytope; }
  /// True when the piece has a support point that moves with the direction.
  bool is_smooth(Piece piece) const {
    return kind == CoreKind::ellipsoid || kind == CoreKind::cylinder ||
           (kind == CoreKind::cone && piece == 1);
  }
};

}  // namespace tactus
