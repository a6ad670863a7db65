#pragma once

#include <cstdint>

#include "tactus/core/uncleared.hpp"
#include "tactus/narrow/difference/cso.hpp"

namespace tactus::detail {

/// A feature supports a contact while its plane (or line) is within this angle of the plane across
/// n: cosine and sine of 3 degrees. Wide enough for a body that rocks within solver slop, narrow
/// enough that an edge contact stays one.
inline constexpr double kAlignedCosine = 0.99862953475457383;
inline constexpr double kAlignedSine = 0.052335956242943832;
/// A normal that is nearer to that of the reference face is that: over a small gap the normal is
/// less certain than the faces are.
inline constexpr double kFaceNormalsAlike = 1e-6;
/// Features whose alignments differ by less are aligned equally well.
inline constexpr double kSameAlignment = 1e-6;

/// The part of a core that supports a contact along n: none, two corners (a line) or more (a
/// polygon, counter-clockwise about `normal`). Edge i leads from corner i to the next one.
struct Feature {
  static constexpr int kMaxCorners = 32;
  struct Corner {
    Vec3 point;
    std::uint32_t id = 0;
  };
  Uncleared<Corner, kMaxCorners> corner;
  int count = 0;
  std::uint32_t id = 0;
  Vec3 normal;                ///< outward, polygons only
  double alignment = 0.0;     ///< normal . n
  int head = 0, tail = 0;     ///< the ends of a narrow polygon; equal for others
  bool is_disc = false;       ///< the polygon stands for one, about `center`
  bool is_rectangle = false;  ///< of a box
  Vec3 center;

  bool is_line() const { return count == 2; }
  bool is_polygon() const { return count > 2; }
  /// Radius of a disc.
  double radius() const { return norm(corner[0].point - center); }
  Vec3 along() const { return corner[1].point - corner[0].point; }
  const Vec3& start(int edge) const { return corner[edge].point; }
  const Vec3& end(int edge) const { return corner[edge + 1 == count ? 0 : edge + 1].point; }
  int edge_before(int corner_index) const { return (corner_index == 0 ? count : corner_index) - 1; }
  /// Moves the corners out along the normal (of a line, the one nearest to n), to the surface of
  /// the body grown by a ball; returns that normal.
  Vec3 grow(const Vec3& n, double radius);
  void add(const Vec3& p, std::uint32_t corner_id) { corner[count++] = {p, corner_id}; }

  /// Leaves of a polygon that does not look along n its farthest edge, where that lies across n: a
  /// line that may lie beside another one.
  void keep_edge(const Vec3& n);

  /// The outward normal, nearest to n, of the body grown by a ball at a point of a polygon: inside,
  /// on an edge, or on two (-1: none).
  Vec3 normal_near(const Vec3& n, int edge, int other_edge) const;
  /// As `normal_near`, at a corner of a polygon, or at an end of a line (-1: between its ends).
  Vec3 normal_at(const Vec3& n, int corner_index) const;
};

/// The part of v square to n.
inline Vec3 flattened(const Vec3& v, const Vec3& n) { return v - n * dot(v, n); }

/// The feature of A along n, in A's frame. A face without a width (to the rounding of its corners)
/// is a line or nothing.
Feature supporting_feature_of_a(const Cso& cso, const Vec3& n);
/// The feature of B against n, in A's frame.
Feature supporting_feature_of_b(const Cso& cso, const Vec3& n);

}  // namespace tactus::detail
