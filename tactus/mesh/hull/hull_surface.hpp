#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "tactus/math/predicates.hpp"

namespace tactus::detail {

/// Triangle of a closed surface: corners counter-clockwise seen from outside, and for each edge
/// corner[i] -> corner[i + 1] the triangle on its other side.
struct HullTriangle {
  std::array<std::uint32_t, 3> corner;
  std::array<std::uint32_t, 3> neighbor;
};

inline constexpr std::uint32_t kNoIndex = std::numeric_limits<std::uint32_t>::max();

/// Does `p` lie strictly outside of the triangle's plane?
inline bool sees(std::span<const Vec3> points, const HullTriangle& triangle, const Vec3& p) {
  const auto& [a, b, c] = triangle.corner;
  return orient3d(points[a], points[b], points[c], p) > 0;
}

/// The triangulated surface of a hull that grows by one point at a time: the triangles that see the
/// point are removed, and the hole is closed by a cone of new ones from its rim (the horizon) to
/// the point. Triangles exactly coplanar with the point stay: since they do not see it, none of the
/// new ones can be degenerate. Source: barber1996quickhull; huotari2011, chapter 4.
class HullSurface {
 public:
  /// Bit of a neighbour's number: the triangle belongs to another part of the surface, which is not
  /// touched here.
  static constexpr std::uint32_t kForeign = 0x80000000u;

  struct RimEdge {
    std::uint32_t tail, head;  ///< counter-clockwise in the removed triangle
    std::uint32_t beyond;      ///< the triangle that stays
  };

  /// The boundary of a tetrahedron: orient3d(points of 0, 1, 2, 3) < 0. `points` is their number.
  HullSurface(std::size_t points, const std::array<std::uint32_t, 4>& simplex);
  /// A part of a surface, with foreign neighbours, or all of one.
  HullSurface(std::size_t points, std::vector<HullTriangle> triangles)
      : triangles_(std::move(triangles)),
        visible_mark_(triangles_.size(), 0),
        at_tail_(points, kNoIndex) {}

  /// Slots of triangles, those of removed ones among them.
  std::size_t slots() const { return triangles_.size(); }
  bool alive(std::uint32_t t) const { return triangles_[t].corner[0] != kNoIndex; }
  const HullTriangle& operator[](std::uint32_t t) const { return triangles_[t]; }
  std::span<const HullTriangle> triangles() const { return triangles_; }
  std::size_t count() const { return triangles_.size() - free_.size(); }

  /// Finds all triangles that see `p`, given one of them, and their rim. False, and nothing is
  /// found, when the removal would touch a foreign triangle.
  bool find_visible(std::span<const Vec3> points, std::uint32_t start, const Vec3& p);
  /// The triangles found, and their rim; those of the cone after `grow`.
  std::span<const std::uint32_t> visible() const { return visible_; }
  std::span<const RimEdge> rim() const { return rim_; }
  std::span<const std::uint32_t> cone() const { return cone_; }
  /// Replaces the visible triangles by the cone to the point of this number. Their slots are free
  /// from then on, but not used before the next call.
  void grow(std::uint32_t apex);

  /// The triangles that are left, numbered anew; `renumbered` gives the number of each slot.
  std::vector<HullTriangle> compact(std::vector<std::uint32_t>& renumbered) const;

 private:
  std::uint32_t make(std::uint32_t a, std::uint32_t b, std::uint32_t c);

  std::vector<HullTriangle> triangles_;
  std::vector<std::uint8_t> visible_mark_;
  std::vector<std::uint32_t> at_tail_;  // new triangle at the rim edge that starts at a point
  std::vector<std::uint32_t> free_;
  std::vector<std::uint32_t> visible_, cone_;
  std::vector<RimEdge> rim_;
};

}  // namespace tactus::detail
