#pragma once

#include <cmath>
#include <limits>

#include "tactus/core/constants.hpp"
#include "tactus/math.hpp"
#include "tactus/narrow/difference/core.hpp"

namespace tactus::detail {

/// A support point of A - B with where it came from; everything in A's frame.
struct SupportPoint {
  Vec3 w;          ///< a - b
  Vec3 a, b;       ///< points of the cores
  Vec3 direction;  ///< unit n with n.w = f(n)
  Core::Piece piece_a = 0, piece_b = 0;
};

/// Roundings that a coordinate or support value of two cores errs by at most.
inline double roundings_of(const Core& a, const Core& b) {
  // Entries of a rotation made from a quaternion err by at most 4 u, those of the product of two
  // by 11 u (u = 2^-53); a rotated coordinate, its sum and the subtraction add 5 u; a final dot
  // product 3 u. Rims and smooth surfaces add a division and a square root, 4 u. Taken with a
  // margin of about three.
  return a.is_polytope() && b.is_polytope() ? 64.0 : 72.0;
}

/// Bound of the absolute error of every coordinate and support value of two cores whose origins are
/// `shift` apart, including the rounding of the poses' matrices.
inline double rounding_bound(const Core& a, const Core& b, const Vec3& shift) {
  const double distance = std::fabs(shift.x) + std::fabs(shift.y) + std::fabs(shift.z);
  return roundings_of(a, b) * kUnit * (a.reach + a.radius + b.reach + b.radius + distance);
}

/// The configuration-space obstacle A - B of two cores, in A's frame: the one object that all
/// iterative methods search. f(n) = max over A - B of n.w; the cores are apart exactly when some
/// f(n) < 0.
struct Cso {
  Core a, b;
  Mat3 rotation;             ///< of B's frame in A's frame
  Vec3 translation;          ///< of B's origin in A's frame
  double error_bound = 0.0;  ///< of coordinates and values: `rounding_bound`

  Cso(const Core& core_a, const Pose& pose_a, const Core& core_b, const Pose& pose_b)
      : a(core_a), b(core_b) {
    const Pose pose = relative(pose_a, pose_b);
    rotation = pose.rotation();
    translation = pose.position();
    error_bound = rounding_bound(a, b, translation);
  }
  /// From B's pose in A's frame.
  Cso(const Core& core_a, const Core& core_b, const Mat3& rotation_of_b, const Vec3& place_of_b)
      : a(core_a),
        b(core_b),
        rotation(rotation_of_b),
        translation(place_of_b),
        error_bound(rounding_bound(core_a, core_b, place_of_b)) {}

  /// A - B with the point `x` (A's frame) in the place of the origin.
  Cso seen_from(const Vec3& x) const {
    Cso shifted = *this;
    shifted.translation += x;
    shifted.error_bound = rounding_bound(a, b, shifted.translation);
    shifted.error_bound = std::fmax(shifted.error_bound, error_bound);
    return shifted;
  }

  /// The support point along unit n, into `s`: a search has the place for it.
  void support(const Vec3& n, SupportPoint& s) const;
  SupportPoint support(const Vec3& n) const {
    SupportPoint s;
    support(n, s);
    return s;
  }

  /// The point of A - B that two pieces support along n, into `s`; n must be unit where a core is
  /// an ellipsoid or custom. False when a core has no such piece.
  bool piece_support(Core::Piece piece_a, Core::Piece piece_b, const Vec3& n,
                     SupportPoint& s) const;

  /// Support point of the whole bodies, that is of the cores grown by their radii.
  SupportPoint grown_support(const Vec3& n) const {
    SupportPoint s = support(n);
    s.a += n * a.radius;
    s.b -= n * b.radius;
    s.w = s.a - s.b;
    return s;
  }

  /// f(n).
  double value(const Vec3& n) const {
    return detail::support_value(a, n) +
           (detail::support_value(b, -transpose_times(rotation, n)) - dot(n, translation));
  }

  /// Unit direction from A's centre to B's.
  Vec3 between_centers() const {
    return normalized(rotation * b.center + translation - a.center, {0.0, 0.0, 1.0});
  }

  bool is_polytope() const { return a.is_polytope() && b.is_polytope(); }
  /// Length scale of the pair.
  double size() const { return a.reach + b.reach; }
};

}  // namespace tactus::detail
