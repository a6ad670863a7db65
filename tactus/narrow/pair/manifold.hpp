#pragma once

#include "tactus/core/uncleared.hpp"
#include "tactus/narrow/pair/convex_pair.hpp"
#include "tactus/narrow/pair/patch_points.hpp"

namespace tactus::detail {

/// All points of which a patch is chosen.
struct PatchPoints {
  static constexpr int kCapacity = 72;
  Uncleared<PatchPoint, kCapacity> point;
  int count = 0;
  void add(const PatchPoint& p) { point[count++] = p; }
};

/// Names the point of a patch that is the witness pair.
inline constexpr std::uint64_t kWitnessFeature = 0xffff'ffff'0000'0000u;

/// Is the witness pair the whole patch? So it is where a core has neither an edge nor a face that
/// looks along n, and of a segment beside an edge of a box. False says nothing. Rotations: of the
/// cores in the frame of n. `rounding`: `rounding_bound` of the pair.
bool is_lone_witness(const Core& a, const Mat3& rotation_a, const Core& b, const Mat3& rotation_b,
                     const Vec3& n, double rounding);

/// Contact patch along the answer's normal: the supporting features of both cores (face, disc,
/// edge, side line or point) clipped against each other in the plane of the better aligned one,
/// points farther apart than `threshold` left out, at most four kept (`keep_four`). The witness
/// pair joins when no clipped point is as deep; that of a search that stopped too early gives way
/// to the farthest points along the normal. Every point is on the surface of its body (of cores
/// with a ball, a custom shape apart), and depth = n . (a - b). No point is deeper than the depth
/// along the normal, and the deepest is as deep, to 1e-7 of the size or, after an early stop, the
/// width of the bracket. Perturbations of 1e-9 move no point by more than 1e-6 of the size, unless
/// the normal jumps. Source: ericson2004rtcd (clipping); docs/algorithms/contacts.md.
Patch make_patch(const Cso& cso, const ConvexAnswer& answer, double threshold);

/// The points of which `make_patch` chooses.
void find_patch_points(const Cso& cso, const ConvexAnswer& answer, double threshold,
                       PatchPoints& out);

/// Points of a patch with a half-space: the corners of B's supporting feature within `threshold` of
/// the plane. `cso.a` is a point that carries the half-space's frame, `answer.n` its normal.
void find_plane_points(const Cso& cso, const ConvexAnswer& answer, double threshold,
                       PatchPoints& out);
Patch make_plane_patch(const Cso& cso, const ConvexAnswer& answer, double threshold);
/// A point on the ball of a rounded polytope around one of its features, moved onto the body:
/// another feature that is one with it within the margins may reach beyond. `outward`: about the
/// normal; `rotation`, `translation`: of the core's frame in that of the point.
Vec3 onto_rounded(const Core& core, const Mat3& rotation, const Vec3& translation,
                  const Vec3& outward, const Vec3& point);

/// How many corners of B's supporting feature are as low as the lowest, to `rounding`.
int count_lowest(const Cso& cso, const ConvexAnswer& answer, double rounding);

}  // namespace tactus::detail
