#pragma once

#include <cstdint>

#include "tactus/core/uncleared.hpp"
#include "tactus/math.hpp"

namespace tactus::detail {

/// One point of a patch in A's frame; depth = n . (a - b).
struct PatchPoint {
  Vec3 a, b;
  double depth = 0.0;
  std::uint64_t feature = 0;
};

/// Contact patch of one convex pair: at most four points.
struct Patch {
  static constexpr int kCapacity = 4;
  Uncleared<PatchPoint, kCapacity> point;
  int count = 0;
};

/// How the points of a patch are seen.
struct PatchView {
  Vec3 n;             ///< unit, of all points
  Vec3 axis;          ///< unit, fixed to a body: decides between choices that are equally good
  double size = 0.0;  ///< of the smaller body: what is the same length is so to a part of this
};

/// A direction without symmetries: its projections on the planes of the axes are two degrees or
/// more from every multiple of 7.5.
inline constexpr Vec3 kUneven{0.86208, 0.32230, 0.39104};
/// Two bodies see n alike when its places along that direction differ by less.
inline constexpr double kAlike = 1e-6;
/// Is it the frame of B that decides between equal choices? The same for (A, B) and (B, A), and for
/// poses nearby, unless n looks alike from both bodies. `rotation_of_b`: B's axes in A's frame.
bool decided_by_b(const Vec3& n, const Mat3& rotation_of_b);
/// `PatchView::axis` in A's frame.
Vec3 deciding_axis(const Vec3& n, const Mat3& rotation_of_b);

/// Lengths below this part of the size of the smaller body are one: far above the noise of poses
/// (1e-9), a tenth of what points may move by.
inline constexpr double kSameLength = 1e-7;
/// Depths that differ by less than this part of the size count as equal.
inline constexpr double kEqualDepth = 2e-8;

/// At most four of the points, which are reordered. Of those that touch (all that are as deep as
/// the deepest, where none does): one of the deepest among the largest quadrangle, a triangle where
/// that has nearly the same area, or the ends of a line. Points that do not touch fill up the rest,
/// each the one that adds most. Which is the same for all inputs that differ by less than roundings
/// and noise: areas decide, and, where these are equal, the places along the view's axis.
/// Source: docs/algorithms/contacts.md.
void keep_four(PatchPoint* all, int count, const PatchView& view, Patch& out);

/// A corner of a polygon as it is seen along n.
struct FlatPoint {
  double x, y;
  double place;  ///< along the view's axis
  double depth;
};
struct FlatView {
  /// A quadrangle cut by four sides has eight corners; bent by noise, 19 at most.
  static constexpr int kMostPoints = 20;
  double axis_x, axis_y;  ///< the view's axis, as it is seen
  double size;            ///< of the smaller body
};
/// As `keep_four`, of 1 to 20 corners of a convex polygon, counter-clockwise: which ones are `kept`
/// (room for four), and how many.
int keep_four(const FlatPoint* ring, int count, const FlatView& view, int* kept);

/// Numbers of points at the front of a list.
struct Facet {
  int corners = 0;  ///< those that touch, and those of the facet
  int near = 0;     ///< these, and those that lie up to 1e-3 of the size above the facet
};
/// Points whose gaps are no linear function of the place (of a mesh): moves those of the facet of
/// the gaps' lower hull that leads from the deepest point least steeply to the front. The others
/// cannot touch before these. Those that lie little above the facet come next: they touch soon
/// after.
Facet keep_facet(PatchPoint* all, int count, const PatchView& view);
/// As the other one, of the corners of a facet. Points beside a deeper one that touches make room
/// for those that are near the facet.
void keep_four(PatchPoint* all, const Facet& facet, const PatchView& view, Patch& out);

}  // namespace tactus::detail
