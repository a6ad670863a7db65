#pragma once

#include <span>

#include "tactus/narrow/difference/cso.hpp"

namespace tactus::detail {

/// Edges and faces whose angle with the plane across the normal is smaller count as lying in it.
/// Far above the rounding of poses and of the normals of a search, far below angles that differ by
/// chance.
inline constexpr double kFeatureTilt = 1e-6;
/// Witnesses that can move by less than this part of the smaller body's size count as one.
inline constexpr double kOnePlace = 1e-6;

/// The directions, square to a normal n, along which a pair of nearest (or deepest) points can move
/// while both stay on their bodies and in the planes across n.
///
/// The pairs of points that are equally near are those whose points lie in the supporting features
/// of both bodies along n, and have the same vector between them: for a face, edge or disc F of A
/// through a, and G of B through b, all (a + v, b + v) with a + v in F and b + v in G. F and G are
/// convex, so that more than one such pair exists exactly when a short v does: when a small circle
/// about the witnesses has a point inside of F - a and G - b. Each side of a feature that is nearer
/// than the circle's radius takes an arc off it; what all arcs together leave is either nothing,
/// the whole circle, or has an end of one of them. Source: ours; danskin1967 for what it means
/// (docs/algorithms/derivatives.md).
class FreeDirections {
 public:
  /// `n`: unit, from A to B. `radius`: of the circle. `noise`: bound of the rounding of a length.
  FreeDirections(const Vec3& n, double radius, double noise);

  /// Takes off what leads out of a core's feature along `outward` (n for A, -n for B), at its point
  /// `at`. The core lies in the frame of n, turned by `rotation`; `at` is in the core's own frame.
  void stay_on(const Core& core, const Mat3& rotation, const Vec3& outward, const Vec3& at);
  /// Takes off what leads out of the hull of these points, seen from `at`.
  void stay_in(std::span<const Vec3> points, const Vec3& outward, const Vec3& at);

  /// Is no direction left, so that the witnesses are the only ones?
  bool none() const;

 private:
  struct Spot {
    double x, y;
  };
  /// direction . v <= reach
  struct Side {
    Spot direction;
    double reach;
  };
  /// As many sides of a feature as can be so near to one place. More are left out, which leaves too
  /// many directions rather than too few.
  static constexpr int kMostSides = 24;

  class Feature;
  void stay_on_feature(Feature& feature);
  void add(const Spot& direction, double reach);
  bool is_left(const Spot& v) const;

  Vec3 n_, along_x_, along_y_;
  double radius_, noise_;
  bool fixed_ = false;  ///< a feature is one point
  int count_ = 0;
  Side sides_[kMostSides];
};

}  // namespace tactus::detail
