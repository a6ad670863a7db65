#pragma once

#include <cstdint>
#include <limits>
#include <string_view>

#include "tactus/math.hpp"
#include "tactus/simd/four_floats.hpp"

namespace tactus::detail::bvh {

using Float4 = four_floats::Lanes;

/// Beyond such lengths numbers of single precision may be infinite: volumes tell nothing, and all
/// triangles are looked at.
inline constexpr double kLargestOfVolumes = 1e37;

/// Mesh B as mesh A sees it, and what the rounding of single precision may cost: volumes are stored
/// in single precision about their mesh's origin, and a bound computed with them is `slack` too
/// large at most, which is taken off.
struct Placement {
  Mat3 rotation;                    ///< of B's frame in A's
  Vec3 translation;                 ///< of B's middle from A's middle, A's frame
  Float4 column[3], row[3], shift;  ///< the same in single precision
  float slack = 0.0f;
  /// Before slack is taken off, bounds above this need not be good, only bounds.
  float enough = std::numeric_limits<float>::infinity();

  /// `reach_a`, `reach_b`: largest distance of a vertex from the middle of its mesh.
  Placement(const Mat3& rotation_of_b, const Vec3& between_middles, double reach_a, double reach_b);

  /// Bounds above `bound` need not be good from now on.
  void ask_up_to(double bound);
};

// Bounding volumes of a hierarchy. Each is made of points (three per triangle), has a lower bound
// of the distance to another one of its kind, a length that says which of two should be split
// first, and a name, as users write it.

/// The points that a volume shall hold, about the middle of the mesh, and their second moments.
struct PointRange {
  const Vec3* corners = nullptr;         ///< three per triangle
  const std::uint32_t* items = nullptr;  ///< the triangles of the range
  std::size_t count = 0;
  Mat3 axes;  ///< principal axes of the surface in the range, as rows; the first is the longest

  template <class Visit>
  void each_point(Visit&& visit) const {
    for (std::size_t i = 0; i < count; ++i) {
      const Vec3* corner = corners + 3 * std::size_t{items[i]};
      visit(corner[0]);
      visit(corner[1]);
      visit(corner[2]);
    }
  }
};

/// A box along the principal axes. The bound: how far the boxes are apart along the line between
/// two points of theirs that are nearly the nearest. Source: gottschalk1996obbtree (fitting); the
/// bound is ours.
struct alignas(16) OrientedBox {
  float axis[3][4];  ///< unit axis, and the half extent along it
  float center[3];
  std::uint32_t link;  ///< of the hierarchy; here because it fills a cache line

  static constexpr std::string_view kName = "obb";
  static OrientedBox fit(const PointRange& range);
  double length() const { return static_cast<double>(axis[0][3] + axis[1][3] + axis[2][3]); }
};
double lower_bound(const OrientedBox& a, const OrientedBox& b, const Placement& p);
/// The bounds of two pairs in little more than the time of one; the same bits.
void lower_bounds(const OrientedBox* const a[2], const OrientedBox* const b[2], const Placement& p,
                  double bound[2]);

/// A direction along which a box was apart from another one, in the frame of the box's mesh.
struct SeparatingAxis {
  float n[3] = {0.0f, 0.0f, 0.0f};  ///< unit, or zero: none is known
  float high = 0.0f;                ///< how far the box reaches along it
  friend bool operator==(const SeparatingAxis&, const SeparatingAxis&) = default;
};
/// The bound, and the direction it was found along.
double lower_bound(const OrientedBox& a, const OrientedBox& b, const Placement& p,
                   SeparatingAxis& axis);
/// How far a box B is apart from the one that `axis` was found with, along it, on other poses than
/// then. Cheaper than a new bound: only B is looked at.
double lower_bound_along(const SeparatingAxis& axis, const OrientedBox& b, const Placement& p);
/// How far a box reaches along n, in its mesh's axes.
double farthest(const OrientedBox& box, const Vec3& n);

/// A box along the axes of the mesh.
struct AlignedBox {
  float center[3], half[3];
  std::uint32_t link;

  static constexpr std::string_view kName = "aabb";
  static AlignedBox fit(const PointRange& range);
  double length() const { return static_cast<double>(half[0] + half[1] + half[2]); }
};
double lower_bound(const AlignedBox& a, const AlignedBox& b, const Placement& p);

/// A ball about the middle of the points' box.
struct Ball {
  float center[3], radius;
  std::uint32_t link;

  static constexpr std::string_view kName = "sphere";
  static Ball fit(const PointRange& range);
  double length() const { return static_cast<double>(radius); }
};
double lower_bound(const Ball& a, const Ball& b, const Placement& p);

/// Slabs across the seven axes (x, y, z and the four diagonals of the cube, normalised): fixed
/// directions hull with fourteen faces. The bound: slabs of one against the box of the other.
/// Source: lennerz2002 (FDH14; the directions must be normalised).
struct Dop14 {
  float low[7], high[7];
  std::uint32_t link;

  static constexpr std::string_view kName = "dop14";
  static Dop14 fit(const PointRange& range);
  /// Unit vector across the slab `i`.
  static Vec3 axis(int i);
  double length() const {
    return static_cast<double>((high[0] - low[0]) + (high[1] - low[1]) + (high[2] - low[2]));
  }
};
double lower_bound(const Dop14& a, const Dop14& b, const Placement& p);

/// All points within a radius of a rectangle along the two longest principal axes. The bound: how
/// far the rectangles are apart along the line between two points of theirs that are nearly the
/// nearest, less the radii. Source: larsen1999 (rectangle swept spheres); the bound is ours.
struct alignas(16) SweptRectangle {
  float axis[3][4];  ///< unit; of the first two also the half extent, of the normal the radius
  float center[3];
  std::uint32_t link;

  static constexpr std::string_view kName = "rss";
  static SweptRectangle fit(const PointRange& range);
  /// Near that of a box about it.
  double length() const { return static_cast<double>(axis[0][3] + axis[1][3] + 3.0f * axis[2][3]); }
};
double lower_bound(const SweptRectangle& a, const SweptRectangle& b, const Placement& p);

/// The bounds of two pairs.
template <class Volume>
void lower_bounds(const Volume* const a[2], const Volume* const b[2], const Placement& p,
                  double bound[2]) {
  for (int i = 0; i < 2; ++i) bound[i] = lower_bound(*a[i], *b[i], p);
}

}  // namespace tactus::detail::bvh
