#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "tactus/bvh/hierarchy.hpp"
#include "tactus/core.hpp"
#include "tactus/math.hpp"

namespace tactus::detail::bvh {

/// Branch and bound over pairs of nodes, whose volumes' distance bounds that of their triangles
/// from below. Source: lennerz2002 (all five forms); larsen1999.
enum class Strategy : std::uint8_t {
  automatic,        ///< best-first; from an earlier answer greedy
  naive,            ///< every pair of triangles
  depth_first,      ///< children in their order
  representatives,  ///< depth-first; a vertex of each node bounds the distance from above
  greedy,           ///< depth-first, the nearest children first
  best_first        ///< always the pair of nodes with the least bound
};
/// The name as users write it: `auto`, otherwise that of the enumerator.
std::string_view to_string(Strategy strategy);

struct MeshDistanceOptions {
  Strategy strategy = Strategy::automatic;
  double relative_error = 0.0;  ///< stop when (upper - lower) <= this * upper
  double absolute_error = 0.0;  ///< or when (upper - lower) <= this, but for the sign
  double max_distance = std::numeric_limits<double>::infinity();  ///< stop when proved farther
  /// Cap of `volume_tests` and `triangle_tests` together, `naive` apart: what is left then may be
  /// as near as its volumes. Passed by one way down both trees at most.
  std::int64_t max_tests = std::numeric_limits<std::int64_t>::max();
};

/// Triangles whose distance was the least in an earlier query: a first bound for the next.
struct MeshPairCache {
  static constexpr std::uint32_t kNone = 0xffffffffu;
  std::uint32_t triangle_a = kNone, triangle_b = kNone;
  friend bool operator==(const MeshPairCache&, const MeshPairCache&) = default;
};

/// Where an earlier search of a pair of meshes ended: pairs of nodes that hold all pairs of
/// triangles between them, and the directions along which they were apart. Where they still are,
/// nothing else needs to be asked. Any content is safe: a front of other meshes is made anew. Some
/// hundreds of pairs for meshes of thousands of triangles.
struct MeshFront {
  struct Apart {
    std::uint32_t node_a = 0, node_b = 0;
    SeparatingAxis axis;
    friend bool operator==(const Apart&, const Apart&) = default;
  };
  MeshPairCache nearest;
  std::vector<Apart> apart;
  double distance = 0.0;         ///< upper bound, where that search ended
  std::uint64_t fresh_size = 0;  ///< of `apart` when it was made from the roots
  std::uint64_t fingerprint_a = 0, fingerprint_b = 0;
  /// False of one that was read from a file: its first query tests whether it is what a search
  /// could have left.
  bool trusted = true;
  friend bool operator==(const MeshFront& x, const MeshFront& y) {
    return x.nearest == y.nearest && x.apart == y.apart && x.distance == y.distance &&
           x.fresh_size == y.fresh_size && x.fingerprint_a == y.fingerprint_a &&
           x.fingerprint_b == y.fingerprint_b;
  }
};

struct MeshDistance {
  double distance = std::numeric_limits<double>::infinity();  ///< of the points below
  double lower = 0.0;
  double upper = std::numeric_limits<double>::infinity();
  Vec3 point_a, point_b;  ///< world
  Vec3 normal;            ///< unit, from A to B; zero where the surfaces meet
  std::uint32_t triangle_a = MeshPairCache::kNone, triangle_b = MeshPairCache::kNone;
  bool meets = false;   ///< two triangles have a common point, decided exactly
  bool capped = false;  ///< `max_tests` ended the search
  /// Bounds taken, those of pairs of triangles included, and distances of triangles computed.
  std::int64_t volume_tests = 0, triangle_tests = 0;
};

/// A mesh with its hierarchy. Refers to the mesh, does not own it.
struct MeshView {
  const TriangleMesh& mesh;
  const Hierarchy<OrientedBox>& tree;
};

/// Distance of two triangulated surfaces, 0 where they meet, with the points and triangles that
/// attain it: `lower <= distance <= upper` whatever stopped the search, and lower = upper up to
/// rounding when nothing did. Stopped before any triangle, it has no points and `upper` is
/// infinite. The insides of closed meshes do not count.
///
/// Exact up to the rounding of the triangles' distances (1e-14 of the size of the pair), since the
/// volumes only decide what is left out. `cache` is read and written when given. Cost: some tens of
/// microseconds for meshes of thousands of triangles, less near an earlier query. The queue of
/// `best_first` lies on the stack; what does not fit is searched depth-first.
MeshDistance mesh_distance(const MeshView& a, const Pose& pose_a, const MeshView& b,
                           const Pose& pose_b, const MeshDistanceOptions& options = {},
                           MeshPairCache* cache = nullptr);

/// Distance along a motion: by the automatic strategy, from the front of the query before. Takes a
/// third to a half of the time of a first query near that one; far from it as much, since the
/// triangles that were nearest show that the bodies have jumped. Allocates when the front grows.
MeshDistance mesh_distance(const MeshView& a, const Pose& pose_a, const MeshView& b,
                           const Pose& pose_b, MeshFront& front,
                           const MeshDistanceOptions& options = {});

/// As `mesh_distance`, by other bounding volumes, to compare them.
template <class Volume>
MeshDistance mesh_distance_by(const TriangleMesh& mesh_a, const Hierarchy<Volume>& tree_a,
                              const Pose& pose_a, const TriangleMesh& mesh_b,
                              const Hierarchy<Volume>& tree_b, const Pose& pose_b,
                              const MeshDistanceOptions& options = {},
                              MeshPairCache* cache = nullptr);

}  // namespace tactus::detail::bvh
