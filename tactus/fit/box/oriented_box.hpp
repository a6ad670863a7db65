#pragma once

#include <cstdint>
#include <span>

#include "tactus/math/pose.hpp"
#include "tactus/mesh/hull/convex_hull.hpp"

namespace tactus::fit {

/// Where the axes of a box come from: the rungs of the ladder, from cheap to best.
enum class BoxMethod : std::uint8_t {
  given,          ///< chosen by the caller
  points,         ///< principal axes of the points
  hull_vertices,  ///< principal axes of the corners of the convex hull
  hull_surface,   ///< principal axes of the surface of the convex hull, by integrals
  search,         ///< branch and bound over all rotations, to a proved factor
  calipers        ///< least volume of all: two adjacent faces on edges of the hull
};

/// In words, as the program prints it.
const char* name_of(BoxMethod method);

/// A box in any orientation: all x with |axes.row[i] . (x - center)| <= half[i] for i = 0, 1, 2.
struct OrientedBox {
  Vec3 center;
  Mat3 axes;  ///< a rotation; its rows are the directions of the sides, the longest side first
  Vec3 half;  ///< half the lengths of the sides
  BoxMethod method = BoxMethod::given;

  /// Zero or infinite where it is out of the range of numbers.
  double volume() const { return 8.0 * (half.x * half.y * half.z); }
  /// From the frame in which the box is centred and aligned.
  Pose pose() const { return Pose::unchecked(transpose(axes), center); }
};

/// The least box along given axes. `axes`: a rotation up to rounding; the box's axes are its rows,
/// made orthonormal to the last digit and ordered by length. Every point is inside for certain: the
/// sides are rounded outwards, by some 1e-15 of the box's size, which also covers that the axes are
/// orthonormal only up to rounding (the points are inside, too, when the box is drawn as
/// center + sum s_i axes.row[i], |s_i| <= half[i]). Flat and collinear points give sides of that
/// size. Throws InvalidInput (`points`) when there are none or a coordinate is not finite
/// (`points[i]`). Cost: two passes over the points.
OrientedBox box_along(std::span<const Vec3> points, const Mat3& axes);

/// The box along the principal axes of the points (those of their covariance). Clusters of points
/// inside a body turn it. Errors: as for box_along. Cost: three passes.
/// Source: huotari2011; gottschalk1996obbtree.
OrientedBox box_of_points(std::span<const Vec3> points);

/// The box of `points` along the principal axes of the hull's vertices alone: points inside don't
/// count, clusters on the surface do. `hull` must be the hull of the points.
/// Source: huotari2011; gottschalk1996obbtree.
OrientedBox box_of_hull_vertices(std::span<const Vec3> points, const ConvexHull& hull);

/// The box of `points` along the principal axes of the hull's surface (of the polygon when it is
/// flat, of the segment when collinear), whose moments are integrals: how a face is triangulated
/// does not count. `hull` must be the hull of the points.
/// Source: huotari2011; gottschalk1996obbtree.
OrientedBox box_of_hull_surface(std::span<const Vec3> points, const ConvexHull& hull);

namespace detail {

/// Points in a frame of their own: about the middle of their coordinates, divided by a power of two
/// such that the farthest coordinate is between 1/2 and 1. What is computed from the local points
/// neither overflows nor suffers from a place far from the origin.
struct LocalFrame {
  Vec3 middle;
  int exponent = 0;

  explicit LocalFrame(std::span<const Vec3> points);
  Vec3 local(const Vec3& p) const;
};

/// The rows, orthonormal to the last digit and right-handed. The first two must not be parallel.
Mat3 orthonormal(const Mat3& m);

}  // namespace detail
}  // namespace tactus::fit
