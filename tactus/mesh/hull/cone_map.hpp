#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tactus/mesh/hull/hull_surface.hpp"

namespace tactus::detail {

/// Finds the triangle of a closed convex surface whose cone from an inner point holds another
/// point: the six sides of a box around the surface are cut into cells, some two triangles each,
/// and each cell knows a triangle near its middle, from which a walk goes on. The points and
/// triangles must outlive the map. Cost: linear to build; some 0.1 us per point.
class ConeMap {
 public:
  /// `center` lies strictly inside of the surface.
  ConeMap(std::span<const Vec3> points, std::span<const HullTriangle> triangles,
          const Vec3& center);

  /// Certain, as `walk_to`; kNoIndex when the surface is not convex and the walk got lost.
  std::uint32_t locate(const Vec3& p) const;

  /// Number of the cell below a point; cells with near numbers are near each other.
  std::size_t cell(const Vec3& p) const;
  std::size_t cells() const { return start_.size(); }

 private:
  std::span<const Vec3> points_;
  std::span<const HullTriangle> triangles_;
  Vec3 center_;
  Vec3 scale_;            // to a cube of half extents 1
  std::size_t side_ = 1;  // cells along a side of the cube
  std::vector<std::uint32_t> start_;
};

}  // namespace tactus::detail
