#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "tactus/bvh/mesh_distance.hpp"
#include "tactus/narrow/pair/triangle_core.hpp"
#include "tactus/query/plan/pair_state.hpp"
#include "tactus/shape.hpp"

namespace tactus::detail {

/// Pairs of volumes and triangles that a search through a hierarchy looks at, for each of
/// `max_iterations`.
inline constexpr std::int64_t kVisitsPerIteration = 2000;
/// Visits that the caller's `max_iterations` allows.
inline std::int64_t most_visits(int max_iterations) {
  return kVisitsPerIteration * std::max(max_iterations, 1);
}

/// A triangle of a mesh and what it shows about a convex body; axes of the mesh, seen from the
/// body's origin.
struct TriangleAnswer {
  ConvexAnswer answer;
  std::uint32_t triangle = bvh::MeshPairCache::kNone;
};

/// The nearest triangle of a mesh, and the least that the others are known to be away.
struct MeshSearchResult {
  TriangleAnswer nearest;  ///< of least upper bound, which its witnesses prove
  /// Least lower bound of all triangles but those that were measured and are farther.
  double lower = std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();  ///< least one of those measured
  int iterations = 0;
  bool all_listed = true;             ///< all near ones were found, and there was room for them
  Status status = Status::converged;  ///< of the first triangle measured that was not finished
  bool capped = false;                ///< `max_visits` ended the search
};

/// A mesh and a convex body, placed. Branch and bound over the mesh's hierarchy: a volume is
/// bounded against the box of the body's core, grown by its ball; leaves by `triangle_to_core`.
class MeshAndBody {
 public:
  MeshAndBody(const Mesh& mesh, const Pose& pose_mesh, const Shape& body, const Pose& pose_body);

  struct Options {
    TriangleCoreOptions leaf;
    double max_distance = std::numeric_limits<double>::infinity();  ///< stop when proved farther
    bool sign_only = false;                           ///< stop once the sign is proved
    std::uint32_t start = bvh::MeshPairCache::kNone;  ///< a triangle that is likely to be near
    std::vector<TriangleAnswer>* near = nullptr;  ///< receives all triangles nearer than `within`
    double within = 0.0;
    std::size_t most = std::numeric_limits<std::size_t>::max();  ///< of these
    /// Cap of volumes and triangles; what is left then may be as near as its volumes.
    std::int64_t max_visits = std::numeric_limits<std::int64_t>::max();
    /// Triangles that are known to be apart: ascending, left out.
    std::span<const std::uint32_t> apart;
    /// Where not null, the search looks at these alone, and at `start`: the others are at least
    /// `beyond` away.
    const std::vector<std::uint32_t>* around = nullptr;
    double beyond = 0.0;
  };
  /// The nearest triangle of the bare surface. At least one is measured. No allocation, but for
  /// `near`.
  MeshSearchResult search(const Options& options) const;

  /// The triangles around the body: `kept`, or, where these do not reach as far as `needed`, listed
  /// anew for some more than that. Cost: of a new list that of a search.
  const LocalTriangles& triangles_around(double needed, Shared<LocalTriangles>& kept) const;

  CorePlace core_place() const;
  /// The smaller of the extents of mesh and body.
  double smaller_extent() const;

  /// Does the mesh's body hold the body's centre? Then it holds all of a body that its surface
  /// does not meet.
  bool holds_center() const { return mesh_.holds(center_in_mesh()); }
  /// A point inside the body, mesh's frame.
  Vec3 center_in_mesh() const { return origin_ + rotation_ * core_of(body_).center; }

  /// This pair with the body moved by `shift`, axes of the mesh.
  MeshAndBody moved(const Vec3& shift) const;

  const Mesh& mesh() const { return mesh_; }
  const Shape& body() const { return body_; }
  const Mat3& rotation() const { return rotation_; }  ///< of the body's frame in the mesh's
  const Vec3& origin() const { return origin_; }      ///< of the body's frame in the mesh's
  /// Bound of the rounding of a length between the two.
  double rounding() const { return rounding_; }
  /// Largest lengths of the pair, to compare with.
  double size() const { return size_; }
  /// A translation of the body that separates them whatever they look like, axes of the mesh.
  Vec3 surely_out() const;

  Triangle triangle(std::uint32_t index) const;
  /// Farthest coordinate of mesh and body along n, unit, axes of the mesh, from the body's origin.
  double mesh_support(const Vec3& n) const;
  double body_support(const Vec3& n) const;
  /// The body's farthest point, from its origin.
  Vec3 body_point(const Vec3& n) const;

 private:
  void place();
  // Triangles that may be nearer than `within`, ascending; false, and some of them, where these are
  // many.
  bool list_around(double within, std::vector<std::uint32_t>& triangles) const;

  const Mesh& mesh_;
  const Shape& body_;
  Mat3 rotation_;
  Vec3 origin_;
  Vec3 box_center_, box_half_;  ///< of the core, body's frame
  double ball_ = 0.0;           ///< that the box is grown by
  double rounding_ = 0.0, size_ = 0.0;
};

/// Bound of the rounding of lengths between two meshes. `pose` is that of B in A's frame.
double rounding_of(const Mesh& a, const Mesh& b, const Pose& pose);

/// The largest coordinate of a mesh along n (mesh's frame), and the vertex that has it.
struct FarthestVertex {
  double value = -std::numeric_limits<double>::infinity();
  std::uint32_t vertex = 0, triangle = 0;
  int others = 0;  ///< vertices at other places as far, up to `rounding`; those seen
};
/// Cost: some hundred volumes. `n` need not be unit.
FarthestVertex farthest_vertex(const Mesh& mesh, const Vec3& n, double rounding);

/// Has a vertex of a triangle at least this coordinate along n (mesh's frame)? Cost: some ten
/// volumes where all are clearly below.
bool reaches(const Mesh& mesh, const Vec3& n, double height);

/// Vertices of triangles whose coordinate along n is at least `height`, ascending.
std::vector<std::uint32_t> far_vertices(const Mesh& mesh, const Vec3& n, double height);

}  // namespace tactus::detail
