#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "tactus/core.hpp"
#include "tactus/math.hpp"

namespace tactus::ccd {

/// A vertex and a triangle whose four corners move along straight lines, each at constant speed,
/// during t in [0, 1].
struct MovingVertexFace {
  Vec3 vertex_t0;
  Vec3 face_t0[3];
  Vec3 vertex_t1;
  Vec3 face_t1[3];
};

/// Two segments whose four ends move in the same way.
struct MovingEdges {
  Vec3 a_t0[2];
  Vec3 b_t0[2];
  Vec3 a_t1[2];
  Vec3 b_t1[2];
};

/// How the first contact of moving vertices, edges and faces is found.
enum class CcdMethod : std::uint8_t {
  conservative,  ///< misses nothing: the default
  bisection,     ///< unsafe: the first change of sign of the volume between samples, halved
  cardano,       ///< unsafe: the roots of the cubic by formula
};
inline constexpr CcdMethod kCcdMethods[] = {CcdMethod::conservative, CcdMethod::bisection,
                                            CcdMethod::cardano};
std::string_view to_string(CcdMethod method);

/// Options of a continuous query; the defaults serve.
struct CcdOptions {
  /// Two things are in contact when they are no farther apart than this, >= 0, a length.
  double min_separation = 0.0;
  /// Contact is looked for until this time, in [0, 1].
  double until = 1.0;
  /// Intervals of time that are looked at before what is left counts as a hit.
  int max_intervals = 2000;
  CcdMethod method = CcdMethod::conservative;
};

/// First contact of two moving primitives.
struct CcdResult {
  /// False: it is proved that they never touch. True: they touch, or come as near as rounding can
  /// tell, or the effort was not enough to exclude it.
  bool hit = false;
  double time = 1.0;                  ///< no contact before; of a hit
  double time_upper = 1.0;            ///< when `proved`, there is contact at or before this time
  bool proved = false;                ///< the contact itself is proved, not only its possibility
  Status status = Status::converged;  ///< iteration_limit: `max_intervals` were not enough
  Vec3 normal{0.0, 0.0, 1.0};         ///< unit, at `time`: from the face to the vertex, from A to B
  /// Barycentric weights of the places in contact at `time`, to rounding: of the face's corners, or
  /// of both edges' second ends (and 0).
  Vec3 weights;
  std::int32_t intervals = 0;  ///< looked at; 0 where the end positions alone exclude a contact
};

/// First contact of a vertex with a triangle. Never misses one: each interval of time that is left
/// out is excluded by an inequality that holds with all roundings, and what cannot be excluded is a
/// hit; false alarms are pairs that come together within some roundings of time, or that
/// `max_intervals` did not suffice for. Triangles and motions of any kind: without an area, without
/// a motion, coplanar, sliding. Answers do not depend on a scale by powers of two (while nothing
/// over- or underflows) and on exact translations. Coordinates that are not finite, a
/// `min_separation` that is not or is below 0, an `until` that is no number: Status::invalid_input
/// and a hit at 0. Never throws, no allocation. Cost: some 50 ns where the end positions exclude a
/// contact, half a microsecond for a plain hit, bounded by `max_intervals` times some 0.3 us.
/// Source: docs/algorithms/continuous-collision.md.
/// @code{.cpp}
/// const ccd::MovingVertexFace fall{{0.2, 0.2, 1},
///                                  {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
///                                  {0.2, 0.2, -1},
///                                  {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}};
/// const ccd::CcdResult r = vertex_face(fall);
/// assert(r.hit && r.time <= 0.5 && 0.5 <= r.time_upper);
/// @endcode
CcdResult vertex_face(const MovingVertexFace& motion, const CcdOptions& options = {}) noexcept;

/// First contact of two segments, otherwise as `vertex_face`.
CcdResult edge_edge(const MovingEdges& motion, const CcdOptions& options = {}) noexcept;

/// Many of them, on as many threads as `max_threads` says (0: all processors), each with the bits
/// of the single call. `out` is resized.
void vertex_face(std::span<const MovingVertexFace> motions, std::vector<CcdResult>& out,
                 const CcdOptions& options = {}, int max_threads = 0);
void edge_edge(std::span<const MovingEdges> motions, std::vector<CcdResult>& out,
               const CcdOptions& options = {}, int max_threads = 0);

/// A surface whose vertices move along straight lines during t in [0, 1]: a view of the caller's
/// lists, which must live as long as the call.
struct MovingSurface {
  std::span<const Vec3> vertices_t0;
  std::span<const Vec3> vertices_t1;  ///< as many
  std::span<const std::array<std::uint32_t, 3>> triangles;
};

/// A contact of two surfaces in motion.
struct SurfaceImpact {
  enum class Kind : std::uint8_t {
    vertex_face,  ///< a vertex of the first surface and a triangle of the second
    face_vertex,  ///< a triangle of the first and a vertex of the second
    edge_edge
  };
  Kind kind = Kind::vertex_face;
  /// Numbers of the vertex and the triangle, in the order of the surfaces; of edges the smaller
  /// vertex of each, `other_a` and `other_b` the larger ones.
  std::uint32_t a = 0, b = 0, other_a = 0, other_b = 0;
  CcdResult contact;
};
std::string_view to_string(SurfaceImpact::Kind kind);

/// How pairs of vertices and faces that can meet are found; the answer is the same.
enum class SurfaceBroad : std::uint8_t {
  tree,  ///< a tree of boxes over the faces
  hash   ///< cells of a grid, sought along the ways of the vertices
};
std::string_view to_string(SurfaceBroad broad);

/// How far the pairs of the hash got.
struct HashStages {
  std::uint64_t found = 0;       ///< faces in the places of the cells on the ways
  std::uint64_t collisions = 0;  ///< of them those of other cells
  std::uint64_t boxes = 0;       ///< pairs whose boxes meet
  std::uint64_t paths = 0;       ///< of them those whose way passes through the face's box
};

/// First contacts of moving surfaces, and what the search for them took.
struct SurfaceImpacts {
  std::vector<SurfaceImpact> impacts;  ///< by time, then kind, then numbers
  HashStages hash;                     ///< of `SurfaceBroad::hash`
  std::uint64_t vertex_face_candidates = 0, edge_edge_candidates = 0;  ///< pairs of boxes that meet
  // Wall-clock seconds.
  double tree_seconds = 0.0, search_seconds = 0.0;
};

/// Options of `surface_impacts`.
struct SurfaceCcdOptions {
  CcdOptions primitives;
  SurfaceBroad vertex_face = SurfaceBroad::tree;  ///< edges are always found by a tree
  int max_threads = 0;                            ///< 0: all processors
  const std::atomic<bool>* cancel = nullptr;      ///< set from anywhere: what was found by then
};

/// All contacts of vertices, edges and faces of two moving surfaces, none missed: trees of boxes
/// that hold each face and edge during the whole motion give the pairs that can meet, and each is
/// answered at once, so that memory holds what is found and not the candidates. A surface that lies
/// within the other without touching it has no contact. The same answer for any number of threads.
/// Throws InvalidInput (`a.vertices_t1`, `b.triangles[i]`, ...): other counts at the end than at
/// the start, coordinates that are not finite, corners that do not exist. Cost: O(n log n) for the
/// trees, some 0.1 us for each candidate. Source: docs/algorithms/continuous-collision.md.
SurfaceImpacts surface_impacts(const MovingSurface& a, const MovingSurface& b,
                               const SurfaceCcdOptions& options = {});

/// As `surface_impacts`, of a surface with itself: each pair once, none with a corner in common.
SurfaceImpacts self_impacts(const MovingSurface& surface, const SurfaceCcdOptions& options = {});

}  // namespace tactus::ccd

namespace tactus::detail {
using namespace ::tactus::ccd;
}  // namespace tactus::detail

// Names of 0.1, until 0.3. Types warn; functions and constants cannot.
#ifndef TACTUS_WITHOUT_DEPRECATED
namespace tactus {
using CcdMethod [[deprecated("tactus::ccd::CcdMethod")]] = ccd::CcdMethod;
using CcdOptions [[deprecated("tactus::ccd::CcdOptions")]] = ccd::CcdOptions;
using CcdResult [[deprecated("tactus::ccd::CcdResult")]] = ccd::CcdResult;
using HashStages [[deprecated("tactus::ccd::HashStages")]] = ccd::HashStages;
using MovingEdges [[deprecated("tactus::ccd::MovingEdges")]] = ccd::MovingEdges;
using MovingSurface [[deprecated("tactus::ccd::MovingSurface")]] = ccd::MovingSurface;
using MovingVertexFace [[deprecated("tactus::ccd::MovingVertexFace")]] = ccd::MovingVertexFace;
using SurfaceBroad [[deprecated("tactus::ccd::SurfaceBroad")]] = ccd::SurfaceBroad;
using SurfaceCcdOptions [[deprecated("tactus::ccd::SurfaceCcdOptions")]] = ccd::SurfaceCcdOptions;
using SurfaceImpact [[deprecated("tactus::ccd::SurfaceImpact")]] = ccd::SurfaceImpact;
using SurfaceImpacts [[deprecated("tactus::ccd::SurfaceImpacts")]] = ccd::SurfaceImpacts;
using ccd::edge_edge;
using ccd::kCcdMethods;
using ccd::self_impacts;
using ccd::surface_impacts;
using ccd::to_string;
using ccd::vertex_face;
[[deprecated("tactus::from_string")]] inline std::optional<ccd::CcdMethod> ccd_method_from(
    std::string_view name) {
  return from_string<ccd::CcdMethod>(name);
}
[[deprecated("tactus::from_string")]] inline std::optional<ccd::SurfaceBroad> surface_broad_from(
    std::string_view name) {
  return from_string<ccd::SurfaceBroad>(name);
}
}  // namespace tactus
#endif
