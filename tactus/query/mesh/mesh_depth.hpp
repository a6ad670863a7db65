#pragma once

#include <algorithm>
#include <span>

#include "tactus/bvh/mesh_distance.hpp"
#include "tactus/math.hpp"
#include "tactus/mesh/surface/triangle_meet.hpp"
#include "tactus/query.hpp"
#include "tactus/query/mesh/mesh_search.hpp"
#include "tactus/query/way/shortest_way.hpp"

namespace tactus::detail {

/// Ways out to try: unit vectors, none twice, as many as there is room for.
struct Directions {
  static constexpr int kCapacity = 64;
  // Directions whose cosine exceeds this are one.
  static constexpr double kSame = 1.0 - 1e-14;
  Vec3 n[kCapacity];
  int count = 0;

  void add(const Vec3& direction) {
    const Vec3 unit = normalized(direction, {});
    if (!(squared_norm(unit) > 0.0) || !is_finite(unit) || count == kCapacity) return;
    for (int i = 0; i < count; ++i) {
      if (dot(n[i], unit) > kSame) return;
    }
    n[count++] = unit;
  }
  void add_both(const Vec3& direction) {
    add(direction);
    add(-direction);
  }
  void add_normal(const Triangle& t) {
    add_both(cross(t.corner[1] - t.corner[0], t.corner[2] - t.corner[0]));
  }
};

/// Bracket of the shortest translation that separates a mesh from another body.
struct MeshDepth {
  double least = -std::numeric_limits<double>::infinity();  ///< proved: no shorter one does;
                                                            ///< negative where they may be apart
  double most = std::numeric_limits<double>::infinity();    ///< one of this length does
  /// Length and direction (unit, of the other body's way out, axes of the mesh) of the translation
  /// after which they touch: that of length `most` less what makes its gap visible. The length is
  /// negative where they are apart.
  double length = std::numeric_limits<double>::infinity();
  Vec3 n;
  Vec3 point_a, point_b;  ///< point_a - point_b = length * n, axes of the mesh; see `origin`
  std::uint32_t triangle_a = bvh::MeshPairCache::kNone, triangle_b = bvh::MeshPairCache::kNone;
};

/// How far a search for a depth goes.
struct DepthEffort {
  double width = 0.0;    ///< of a bracket that is narrow enough
  int max_nodes = 1000;  ///< of the search for the shortest way
};

/// A translation is this many roundings longer than what only touches, so that its gap is seen.
inline constexpr double kClearOfTouch = 8.0;

/// The way out that is searched for among `blocked`: length, direction and both bounds of `out`,
/// whose `least` is what is known before. `far`: a translation that surely frees the bodies;
/// `across`: the direction of one without length. False where the bracket is wider than asked, or
/// no way was found but `far`.
bool find_way(BlockedShifts& blocked, const Vec3& far, const Vec3& across, double rounding,
              const DepthEffort& effort, MeshDepth& out);
/// Takes the way along n that leaves the whole other body behind where it is shorter; its bodies
/// touch after `length`, which is negative where they are apart: then they are not pushed.
void go_beyond(const Vec3& n, double length, double rounding, MeshDepth& out);

/// Depth of a mesh and a convex body that meets its surface in the triangles `near` (some of them,
/// when not `all`), or lies inside. Points are seen from the body's origin.
/// `options.max_iterations` bounds each search for what meets after a shift. Allocates.
MeshDepth mesh_depth(const MeshAndBody& pair, std::span<const TriangleAnswer> near, bool all,
                     const DepthEffort& effort, const QueryOptions& options);

/// Options of a search for triangles near a body, from those of the caller.
MeshAndBody::Options search_options(const QueryOptions& options);

}  // namespace tactus::detail
