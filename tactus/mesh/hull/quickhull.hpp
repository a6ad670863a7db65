#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "tactus/math.hpp"
#include "tactus/mesh/hull/hull_observer.hpp"
#include "tactus/mesh/hull/hull_surface.hpp"

namespace tactus::detail {

/// Quickhull: every point that is not yet a vertex waits in the list of one triangle that it sees.
/// A step takes the farthest point of a list and grows the surface by it. A point above a removed
/// triangle and outside the grown hull is strictly above one of the new triangles: the triangles
/// that see it are connected, so they cross the hole's rim somewhere, and the new triangle at that
/// edge lies in the angle between the old two. So the lists of the removed triangles are dealt to
/// the new ones only, and what none of them sees is inside. Source: barber1996quickhull.
///
/// Coordinates must be at most 1 in size, and zero or large enough that orient3d is exact.
class Quickhull {
 public:
  /// `observer`: told of the steps of `grow_at`, or null.
  Quickhull(std::span<const Vec3> points, HullSurface surface, HullObserver* observer = nullptr);

  /// Appends each point to the list of the first of the triangles that it sees; inside of all it is
  /// forgotten.
  void deal(std::span<const std::uint32_t> waiting, std::span<const std::uint32_t> triangles);
  /// Grows the surface by the farthest point in the list of a triangle, and deals the lists of all
  /// that saw it to the new triangles, `surface().cone()`. False, and nothing happens, when foreign
  /// triangles are in the way.
  bool grow_at(std::uint32_t t);
  /// Grows the hull until no point waits, but for the lists of triangles where `grow_at` fails.
  void run();

  const HullSurface& surface() const { return surface_; }
  /// First point in the list of a triangle, and the next one in its list; kNoIndex at the end.
  std::uint32_t first_waiting(std::uint32_t t) const { return lists_[t].first; }
  std::uint32_t next_waiting(std::uint32_t point) const { return waiting_[point]; }
  /// The point of the list that is the farthest from the triangle's plane.
  std::uint32_t farthest(std::uint32_t t) const { return lists_[t].farthest; }

 private:
  struct List {
    std::uint32_t first = kNoIndex, last = kNoIndex;
    std::uint32_t farthest = kNoIndex;
    double farthest_height = 0.0;
  };
  struct Plane {
    Vec3 origin, normal;  // the normal is not unit, and rounded
    double error = 0.0;   // bound of the rounding error of the height of any point
  };

  Plane plane(std::uint32_t t) const;
  double height(std::uint32_t t, const Plane& plane, std::uint32_t point) const;
  void deal_to_planes(std::uint32_t point, std::span<const std::uint32_t> triangles);

  std::span<const Vec3> points_;
  HullSurface surface_;
  std::vector<std::uint32_t> waiting_;  // next point in the same list
  std::vector<List> lists_;
  std::vector<Plane> planes_;  // of the triangles that are dealt to
  HullObserver* observer_;
};

/// Triangulated boundary of the convex hull of `points`, started from `simplex`: four indices with
/// orient3d(points of 0, 1, 2, 3) < 0. No triangle is degenerate. Neighbouring triangles may be
/// exactly coplanar, and then a corner may lie on an edge or inside a face of the hull. `observer`:
/// as above.
std::vector<HullTriangle> quickhull(std::span<const Vec3> points,
                                    const std::array<std::uint32_t, 4>& simplex,
                                    HullObserver* observer = nullptr);

}  // namespace tactus::detail
