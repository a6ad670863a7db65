#pragma once

#include <cstdint>
#include <vector>

#include "tactus/planar/region/exact.hpp"
#include "tactus/planar/region/segment_tree.hpp"

namespace tactus::detail {

/// Most corners of a region that is looked at as a whole, without its tree.
inline constexpr std::size_t kSmallConvex = 16;

/// Corners of a small convex region, coordinate by coordinate, and the outward unit normals of its
/// edges with their heights; the last ones are repeated up to the end of the arrays.
struct Corners {
  double x[kSmallConvex], y[kSmallConvex];
  std::size_t size;
  Vec2 middle;      ///< of the box
  double extent;    ///< largest coordinate
  double shortest;  ///< length of the shortest edge
  double normal_x[kSmallConvex], normal_y[kSmallConvex], height[kSmallConvex];

  Vec2 at(std::size_t i) const { return {x[i], y[i]}; }
  Vec2 normal(std::size_t i) const { return {normal_x[i], normal_y[i]}; }
  /// The outward normal of edge i, as long as the edge.
  Vec2 outwards(std::size_t i) const {
    const Vec2 s = at(next(i)) - at(i);
    return {s.y, -s.x};
  }
  /// Entries up to here serve loops over two, four or eight pairs.
  std::size_t filled() const { return size <= 4 ? 4 : (size <= 8 ? 8 : kSmallConvex); }
  std::size_t next(std::size_t i) const { return i + 1 == size ? 0 : i + 1; }
  std::size_t previous(std::size_t i) const { return (i == 0 ? size : i) - 1; }
};

/// The boundary of a region, without segments of no length, turned so that the interior lies to the
/// left of every edge. Edge i leads from point i to point next[i].
struct Boundary {
  std::vector<Vec2> points;
  std::vector<std::uint32_t> next, previous;
  std::vector<std::uint32_t> rings;  ///< one point of each contour
  SegmentTree tree{0, [](std::size_t) { return Box2{}; }};
  bool small_convex = false;  ///< served by convex_distance
  Corners corners{};          ///< then

  std::size_t size() const { return points.size(); }
  const Vec2& start(std::size_t edge) const { return points[edge]; }
  const Vec2& end(std::size_t edge) const { return points[next[edge]]; }
  Sector sector_at(std::size_t i) const {
    return {{points[i], points[next[i]]}, {points[i], points[previous[i]]}};
  }
  Sector half_plane(std::size_t edge) const {
    return {{start(edge), end(edge)}, {end(edge), start(edge)}};
  }
  /// After the points are known.
  void build_tree() {
    tree = SegmentTree(size(), [this](std::size_t i) { return box_of(start(i), end(i)); });
  }
};

/// Where a point is, exactly, with the boundary moved by `shift`: 1 inside, 0 on it, -1 outside.
int location(const Vec2& point, const Boundary& boundary, const Vec2& shift);
/// As `location`, for a point moved by `shift`, the boundary at rest.
int location_of_moved(const Vec2& point, const Vec2& shift, const Boundary& boundary);

/// True when the interior of `a` and that of `b` moved by `shift` have a point in common; exact.
bool interiors_meet(const Boundary& a, const Boundary& b, const Vec2& shift);

/// True when the regions, boundaries included, have a point in common; exact.
bool closed_sets_meet(const Boundary& a, const Boundary& b, const Vec2& shift);

}  // namespace tactus::detail
