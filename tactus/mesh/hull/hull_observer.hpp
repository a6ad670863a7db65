#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "tactus/mesh.hpp"

namespace tactus::detail {

class Quickhull;

/// A step of the monotone chain: `point` has joined, after the last `removed` points had left.
struct ChainStep {
  bool upper = false;  ///< on the way back
  std::uint32_t point = 0;
  std::size_t removed = 0;
  std::span<const std::uint32_t> chain;  ///< with the point
};

/// Receives the steps of a convex hull. Numbers are those of the points; what is handed over holds
/// for the call alone. Override what is of interest.
class HullObserver {
 public:
  virtual ~HullObserver() = default;

  /// In space: the simplex stands, and every point outside waits in the list of a triangle.
  virtual void begin(const Quickhull&) {}
  /// The farthest point that waits at the triangle `start` comes next: the triangles that see it
  /// and their rim are found, none is removed yet.
  virtual void found(const Quickhull&, std::uint32_t /*start*/, std::uint32_t /*point*/) {}
  /// The cone to the point has closed the hole, and what waited there is dealt to it.
  virtual void grown(const Quickhull&, std::uint32_t /*point*/) {}

  /// In a plane: the order in which the chain takes the points, each place once.
  virtual void order(std::span<const std::uint32_t>) {}
  virtual void chain(const ChainStep&) {}
};

/// `convex_hull`, whose steps the observer is told of: the same hull, bit by bit, by quickhull on
/// one thread however many points there are. Points in a line and single ones have no steps.
ConvexHull observed_hull(std::span<const Vec3> points, HullObserver& observer);

}  // namespace tactus::detail
