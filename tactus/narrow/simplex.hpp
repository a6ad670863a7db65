#pragma once

#include "tactus/narrow/cso.hpp"

namespace tactus {

/// Up to four support points of A - B, with the convex weights of the point of their hull nearest
/// to the origin.
struct Simplex {
  SupportPoint point[4];
  double weight[4] = {1.0, 0.0, 0.0, 0.0};
  int size = 0;

  /// sum of weight * w
  Vec3 closest() const;
  Vec3 closest_a() const;
  Vec3 closest_b() const;
  bool contains(const SupportPoint& p) const;
};

/// Reduces the simplex to the smallest face that holds its point nearest to the origin, and sets
/// the weights. Returns true when a tetrahedron of four points holds the origin (decided by exact
/// predicates); the simplex is then kept. Source: ericson2004rtcd, sections 5.1.5 and 5.1.6
/// (Voronoi regions; degenerate faces are taken apart into edges).
bool reduce(Simplex& simplex);

/// Unit direction from the simplex towards the origin, or as near to it as rounding allows: the
/// normal of a triangle, the part of the origin's direction that is perpendicular to a segment,
/// minus the point itself.
Vec3 toward_origin(const Simplex& simplex);

}  // namespace tactus
