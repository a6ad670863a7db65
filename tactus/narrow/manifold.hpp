#pragma once

#include "tactus/narrow/convex_pair.hpp"

namespace tactus {

/// One point of a patch in A's frame; depth = n . (a - b).
struct PatchPoint {
  Vec3 a, b;
  double depth = 0.0;
  std::uint64_t feature = 0;
};

/// Contact patch of one convex pair: at most four points.
struct Patch {
  static constexpr int kCapacity = 4;
  PatchPoint point[kCapacity];
  int count = 0;
};

/// Of the points of one plane across n, the deepest, the farthest from it, and the two that add
/// most area on either side, in their order. Depths that differ by less than `equal_depth` are one.
void keep_four(const PatchPoint* all, int count, const Vec3& n, double equal_depth, Patch& out);

/// Contact patch along the answer's normal: the supporting features of both cores (face, disc,
/// edge, side line or point) clipped against each other in the plane of the better aligned one,
/// points farther apart than `threshold` left out, at most four kept (the deepest, the farthest
/// from it, and the two that span the largest area). The witness pair joins when no clipped point
/// is as deep; that of a search that stopped too early gives way to the farthest points along the
/// normal. Every point is of its body; `a` and `b` lie over each other along the normal, but for
/// lines that cross at a small angle, where they lie beside each other. No point is deeper than
/// -answer.distance, and the deepest is as deep, to 1e-7 of the size or, after an early stop, the
/// width of the bracket. Source: ericson2004rtcd (clipping); docs/algorithms/contacts.md.
Patch make_patch(const Cso& cso, const ConvexAnswer& answer, double threshold);

/// The same against a half-space: `cso.a` is a point that carries the half-space's frame,
/// `answer.n` its normal. The corners of B's supporting feature within `threshold` of the plane.
Patch make_plane_patch(const Cso& cso, const ConvexAnswer& answer, double threshold);

}  // namespace tactus
