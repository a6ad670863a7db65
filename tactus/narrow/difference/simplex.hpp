#pragma once

#include "tactus/core/constants.hpp"
#include "tactus/narrow/difference/cso.hpp"

namespace tactus::detail {

/// Convex weights of up to four points, the point of their hull that they give, and where the
/// origin lies from it.
struct Nearest {
  double weight[4] = {0.0, 0.0, 0.0, 0.0};
  Vec3 point;
  Vec3 toward;  ///< of any length: across the edge or face that holds `point`, within rounding also
                ///< where `point` itself is little more; zero when even that is lost
};

/// Up to four support points of A - B, with the convex weights of the point of their hull nearest
/// to the origin.
struct Simplex {
  // The first `size` points are valid: a search makes, copies and grows many simplices, of which
  // clearing would be a fifth of the cost.
  union {
    SupportPoint point[4];
  };
  double weight[4] = {1.0, 0.0, 0.0, 0.0};
  int size = 0;

  Simplex() {}  // NOLINT(modernize-use-equals-default,cppcoreguidelines-pro-type-member-init)
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): operator= sets the valid points
  Simplex(const Simplex& other) { *this = other; }
  Simplex& operator=(const Simplex& other) {
    if (this == &other) return *this;
    size = other.size;
    for (int i = 0; i < 4; ++i) weight[i] = other.weight[i];
    for (int i = 0; i < size; ++i) point[i] = other.point[i];
    return *this;
  }

  /// sum of weight * w
  Vec3 closest() const;
  Vec3 closest_a() const;
  Vec3 closest_b() const;
  bool contains(const SupportPoint& p) const;
  /// Takes these weights and drops the points without one.
  void keep(const Nearest& nearest);
};

/// The point of the simplex nearest to the origin. Returns true when a tetrahedron of four points
/// holds the origin (decided exactly); `out` is then without meaning. Source: ericson2004rtcd,
/// sections 5.1.5 and 5.1.6 (Voronoi regions; degenerate faces are taken apart into edges).
bool nearest_to_origin(const Simplex& simplex, Nearest& out);

/// Reduces the simplex to the smallest face that holds its point nearest to the origin, and sets
/// the weights. Returns true when the simplex holds the origin; it is then kept.
bool reduce(Simplex& simplex);

/// Bound of the rounding of a sum of up to four products of three differences of coordinates up to
/// `largest`.
inline double volume_error(double largest) {
  // Up to 24 products of three numbers, eight roundings each.
  constexpr double kRoundings = 24.0 * 8.0 * kUnit;
  return kRoundings * (largest * largest * largest);
}

/// Radius of a ball about the origin inside a tetrahedron of four points that holds it, rounded
/// down; not positive when rounding leaves none. Not the largest such ball.
double inner_radius(const Vec3* corners);

/// Unit direction from the nearest point towards the origin, or as near to it as rounding allows:
/// the normal of a triangle, the part of the origin's direction that is perpendicular to a segment,
/// minus the point itself.
Vec3 toward_origin(const Simplex& simplex);
inline Vec3 toward_origin(const Nearest& nearest) {
  const double square = squared_norm(nearest.toward);
  // Neither over- nor underflowed.
  if (square > 1e-280 && square < 1e280) return nearest.toward * (1.0 / std::sqrt(square));
  return normalized(nearest.toward, -normalized(nearest.point, {0.0, 0.0, -1.0}));
}

}  // namespace tactus::detail
