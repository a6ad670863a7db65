#pragma once

#include "tactus/narrow/difference/core.hpp"

namespace tactus::detail {

/// The convex hull of a body's first and last pose: its support function is the larger of the two.
///
/// A body that only moves along a straight line never leaves the hull. One that turns as well, at
/// constant velocities and by at most half a turn, leaves it by at most `bulge()`: the hull grown
/// by that holds the whole motion. Meshes and compounds are taken as their convex hulls. Refers to
/// the shape, does not own it. Source: huotari2011; the bulge is ours (docs/algorithms/casts.md).
class SweptHull final : public SupportFunction {
 public:
  /// The shape must not be a half-space, and the poses must be finite: callers see to it.
  SweptHull(const Shape& shape, const Pose& start, const Pose& end);

  Vec3 support(const Vec3& direction) const noexcept override;
  /// Length by which the hull must be grown to hold the motion; 0 without rotation.
  double bulge() const { return bulge_; }
  /// The hull grown by its bulge, for the narrow phase; its frame is the world.
  Core core() const;

 private:
  const Shape& shape_;
  Pose start_, end_;
  double bulge_ = 0.0;
};

}  // namespace tactus::detail
