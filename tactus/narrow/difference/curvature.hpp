#pragma once

#include "tactus/core/constants.hpp"
#include "tactus/narrow/difference/cso.hpp"

namespace tactus::detail {

/// Symmetric 2x2 form on the tangent plane of a direction.
struct TangentForm {
  double xx = 0.0, xy = 0.0, yy = 0.0;

  TangentForm& operator+=(const TangentForm& f) {
    xx += f.xx;
    xy += f.xy;
    yy += f.yy;
    return *this;
  }
  friend TangentForm operator*(const TangentForm& f, double s) {
    return {f.xx * s, f.xy * s, f.yy * s};
  }
  double least_eigenvalue() const {
    const double half = 0.5 * (xx - yy);
    return 0.5 * (xx + yy) - std::sqrt(half * half + xy * xy);
  }
};

/// A unit direction with an orthonormal basis of its tangent plane.
struct TangentFrame {
  Vec3 n, x, y;

  explicit TangentFrame(const Vec3& direction)
      : n(direction), x(any_perpendicular(direction)), y(cross(n, x)) {}
  TangentFrame(const Vec3& direction, const Vec3& first, const Vec3& second)
      : n(direction), x(first), y(second) {}

  /// -R^T applied to all three: the frame as body B sees it.
  TangentFrame seen_by_b(const Cso& cso) const {
    return {-transpose_times(cso.rotation, n), -transpose_times(cso.rotation, x),
            -transpose_times(cso.rotation, y)};
  }
};

/// A smooth piece of a core near a direction. Its support value is  c.n + |M n| - shrink |n|  with
/// a constant c and a linear map M (rim: the projection along the axis times the radius; ellipsoid:
/// the diagonal of its radii).
struct PieceCurvature {
  Vec3 point;            ///< support point of the core's piece, that body's frame
  double length = 0.0;   ///< |M n|
  double stretch = 0.0;  ///< bound of |M t| over all unit t
  Vec3 gradient;         ///< of |M n|
  TangentForm form;      ///< second derivative of |M n| on the tangent plane

  /// Bound of what rounding changes `form` by, as a multiple of the unit form: its entries are made
  /// of some ten operations on numbers of up to stretch^2 / length, which cancel.
  double form_rounding() const { return 16.0 * kUnit * (stretch * (stretch / length)); }
};

/// Curvature of a smooth piece (Core::is_smooth); `frame` in the body's own frame. A rim seen along
/// its axis has infinite entries.
PieceCurvature piece_curvature(const Core& core, Core::Piece piece, const TangentFrame& frame);

}  // namespace tactus::detail
