#pragma once

#include "tactus/math.hpp"
#include "tactus/shape.hpp"

namespace tactus::detail {

/// Two bounded convex shapes, placed.
struct PosedPair {
  const Shape& a;
  const Pose& pose_a;
  const Shape& b;
  const Pose& pose_b;
};

/// Proves that two convex shapes overlap by at least `depth` > 0 in every direction, from their
/// support functions alone.
///
/// The direction sphere is cut into triangles, beginning with eight about `least` (unit, world: the
/// direction in which the depth is attained, where the finest triangles are needed). Any point q of
/// A - B proves f(m) >= min q.n_j for all m in a triangle of corners n_j, as long as that is not
/// negative; q is the mixture of the corners' support points that does best. A triangle whose bound
/// falls short is cut in two, across the edge along which the support points turn most. True when
/// all are proved; false when f falls below `depth` at a corner, or too many triangles are needed
/// (directions of nearly equal depth over a wide area).
/// Cost: some thousand support evaluations. Source: design, the independent checker;
/// docs/algorithms/proof-of-depth.md.
bool proves_depth(const PosedPair& pair, const Vec3& least, double depth);

}  // namespace tactus::detail
