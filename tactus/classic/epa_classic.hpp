#pragma once

#include "tactus/classic/gjk_classic.hpp"
#include "tactus/narrow/pair/convex_pair.hpp"

namespace tactus::detail {

struct EpaClassicOptions {
  double eps = 1e-7;          ///< relative: stop when w.v <= (1 + eps) |v|^2; also for GJK
  double margin = 0.0;        ///< each body is grown by a ball of this radius, see below
  bool spheres = false;       ///< try a sphere through a face and its support point
  bool overlap_only = false;  ///< leave bodies that are apart as soon as that is known
  int max_iterations = 400;   ///< cap of GJK and of the polytope's growth, each
  Observer* observer = nullptr;
};

enum class EpaClassicOutcome : std::uint8_t {
  separated,       ///< GJK, or the search for a tetrahedron, found a direction with f(n) < 0
  converged,       ///< the stop rule held, or the nearest face is part of the surface
  sphere,          ///< a sphere was accepted as the surface
  stagnated,       ///< no face is left between the bounds: the last face's values are given
  not_convex,      ///< rounding broke the polytope: the last face's values are given
  no_tetrahedron,  ///< none around the origin was found: no collision is reported
  iteration_limit
};

/// True for the ends that the source counts as numerical errors.
constexpr bool is_abort(EpaClassicOutcome outcome) {
  return outcome == EpaClassicOutcome::stagnated || outcome == EpaClassicOutcome::not_convex;
}

/// Result of the method, margin taken off; A's frame.
struct EpaClassicResult {
  EpaClassicOutcome outcome = EpaClassicOutcome::no_tetrahedron;
  bool collision = false;                                   ///< depth >= 0 was reported
  double depth = -std::numeric_limits<double>::infinity();  ///< |v| - 2 margin; minus the distance
                                                            ///< of bodies apart
  Vec3 n;                                                   ///< unit, along v, from A to B
  double value = std::numeric_limits<double>::infinity();   ///< f(n) of the bodies without margin,
                                                            ///< if it was evaluated
  Vec3 a, b;            ///< witness points, by the weights of v in its face or simplex
  int iterations = 0;   ///< support evaluations, GJK included
  Vec3 best_direction;  ///< unit n of the least f(n) met anywhere
  double best_value = std::numeric_limits<double>::infinity();  ///< that f(n) of the bodies
                                                                ///< without margin
};

/// The expanding polytope in the literal form of the source: floating-point planes, a priority
/// queue of the faces whose nearest point lies inside them, the silhouette search, the relative
/// stop rule, the search for a start tetrahedron, the face's normal where it passes through the
/// origin, the detection of stagnation; margin and sphere interpolation on request.
///
/// For teaching and comparison; `Epa` is the method in use. It may fail: miss a shallow collision
/// or stop in a numerical error. Its depth is |v|, the lower bound, so that with a margin m a depth
/// below eps * 2 m can be reported as a gap. What may be relied upon: `best_value` bounds the depth
/// from above, and `proved_depth` from below. Both hold up to `cso.error_bound`.
///
/// Too large for the stack (some 160 kB); nothing is cleared beforehand. Cost: GJK,
/// then one support evaluation, one silhouette and some six faces per iteration. Source:
/// leemann2017, sections 2.3, 3.3 and 4.3; vandenbergen2001epa; docs/algorithms/epa.md.
class EpaClassic {
 public:
  static constexpr int kMaxVertices = 320;

  EpaClassic() {}  // NOLINT(modernize-use-equals-default,cppcoreguidelines-pro-type-member-init):
                   // storage is not cleared
  EpaClassic(const EpaClassic&) = delete;
  EpaClassic& operator=(const EpaClassic&) = delete;

  EpaClassicResult run(const Cso& cso, const EpaClassicOptions& options);

  /// Proved lower bound of the least f(n) of the bodies without margin, after `run`: minus infinity
  /// when there is no polytope or its faces do not wind around the origin. The faces form a closed
  /// surface by construction; when all of them have the origin strictly inside (exact predicates),
  /// the surface winds around it, and a ball that reaches no face lies in the points' hull.
  double proved_depth(const EpaClassicOptions& options) const;

 private:
  static constexpr int kMaxFaces = 8 * kMaxVertices;

  struct Face {
    std::uint16_t vertex[3];
    std::uint16_t neighbor[3];  ///< across the edge from vertex[i] to vertex[i + 1]
    bool alive;
    Vec3 normal;      ///< unit, outward
    double distance;  ///< of the plane from the origin along the normal
  };
  struct HorizonEdge {
    std::uint16_t tail, head, outside;
  };
  // Arrays whose elements are written before they are read.
  template <class T, int N>
  union Storage {
    Storage() {}  // NOLINT(modernize-use-equals-default)
    T item[N];
  };
  struct Run;

  const Vec3& corner(const Face& f, int i) const { return vertices_.item[f.vertex[i]].w; }
  bool make_face(int a, int b, int c);
  bool is_foot_inside(const Face& face) const;
  bool later(std::uint16_t x, std::uint16_t y) const;
  void push(std::uint16_t face);
  bool start_tetrahedron(Run& run, Simplex& simplex);
  bool search_tetrahedron(Run& run);
  bool build_tetrahedron();
  bool find_silhouette(const Vec3& w, std::uint16_t face);
  bool insert(Run& run, const SupportPoint& p, std::uint16_t face);
  void grow(Run& run);
  bool try_sphere(Run& run, const Face& face, const SupportPoint& p, double value) const;
  void take_face(Run& run, const Face& face) const;
  void report(const Run& run, const Face& face, const SupportPoint& p) const;

  Storage<SupportPoint, kMaxVertices> vertices_;
  Storage<Face, kMaxFaces> faces_;
  Storage<std::uint16_t, kMaxFaces> heap_;
  Storage<HorizonEdge, kMaxVertices> horizon_;
  int vertex_count_ = 0, face_count_ = 0, heap_count_ = 0, horizon_count_ = 0;
};

/// The method as one among the query's: eps is the tolerance asked for, without margin, with
/// spheres. The bracket rests on verified data alone: the least f(n) met, the witness points, and
/// `proved_depth`; it is wide, and the status says so, where the method failed. Without a
/// certificate.
ConvexAnswer answer_epa_classic(const Cso& cso, const ConvexOptions& options);

}  // namespace tactus::detail
