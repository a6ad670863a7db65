#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "tactus/ccd.hpp"
#include "tactus/ccd/box_tree.hpp"
#include "tactus/core.hpp"
#include "tactus/math.hpp"

namespace tactus::detail {

/// A half-space normal . x <= offset that nothing may enter.
struct Floor {
  Vec3 normal;
  double offset = 0.0;
  std::uint32_t body = 0;
  double distance(const Vec3& p) const { return dot(normal, p) - offset; }
};

/// Two primitives of the surfaces, by vertices: a vertex and a face, or two edges.
struct PrimitivePair {
  std::array<std::uint32_t, 4> v;
  bool edges = false;
  friend bool operator==(const PrimitivePair&, const PrimitivePair&) = default;
};

/// All surfaces of a world over one list of vertices: those of the bodies, then those of the
/// obstacles.
struct SurfaceSet {
  std::vector<std::uint32_t> body_of;   ///< of each vertex
  std::uint32_t first_obstacle = 0;     ///< bodies from here on are obstacles
  std::vector<std::uint32_t> vertices;  ///< those on surfaces, ascending
  /// Vertices that half-spaces keep out, ascending: all of the bodies, those within solids too. No
  /// surface ends where a half-space begins, so that none would hold them back.
  std::vector<std::uint32_t> kept_out;
  std::vector<std::array<std::uint32_t, 2>> edges;
  std::vector<std::array<std::uint32_t, 3>> faces;
  std::vector<Floor> floors;

  bool is_obstacle(std::uint32_t vertex) const { return body_of[vertex] >= first_obstacle; }
};

/// The continuous query of a pair on the way from `x0` to `x1`.
CcdResult swept(const PrimitivePair& pair, std::span<const Vec3> x0, std::span<const Vec3> x1,
                const CcdOptions& options = {});

/// Calls `take(pair, found)` for all pairs of primitives whose boxes meet, when each vertex sweeps
/// from `x0` to `x1` and all boxes are grown by `half`; not those with a common vertex, nor two of
/// obstacles. In parallel, each chunk with a list `found` of its own; they are returned one after
/// the other, in an order that does not depend on the threads.
template <class Found, class Take>
std::vector<Found> search_pairs(const SurfaceSet& s, std::span<const Vec3> x0,
                                std::span<const Vec3> x1, double half, int max_threads,
                                const Take& take) {
  constexpr std::size_t kGrain = 128;
  const auto box_of = [&](std::span<const std::uint32_t> corners) {
    SweptBox b{x0[corners[0]], x0[corners[0]]};
    for (const std::uint32_t i : corners) {
      b.add(x0[i]);
      b.add(x1[i]);
    }
    if (half > 0.0) {
      const double far = max_abs(b.lower) > max_abs(b.upper) ? max_abs(b.lower) : max_abs(b.upper);
      // A rounding of the sum takes less than this from the box.
      const double grown = half + 0x1p-51 * far;
      b.lower -= Vec3{grown, grown, grown};
      b.upper += Vec3{grown, grown, grown};
    }
    return b;
  };
  std::vector<SweptBox> faces, edges;
  faces.reserve(s.faces.size());
  for (const auto& f : s.faces) faces.push_back(box_of(f));
  edges.reserve(s.edges.size());
  for (const auto& e : s.edges) edges.push_back(box_of(e));
  const BoxTree face_tree(faces), edge_tree(edges);
  const std::size_t nv = s.vertices.size(), chunks_v = (nv + kGrain - 1) / kGrain,
                    chunks_e = (s.edges.size() + kGrain - 1) / kGrain;
  std::vector<Found> found(chunks_v + chunks_e);
  const auto vertex = [&](std::size_t i, Found& mine) {
    const std::uint32_t v = s.vertices[i];
    const bool led = s.is_obstacle(v);
    face_tree.find(box_of({&v, 1}), [&](std::uint32_t k) {
      const auto& f = s.faces[k];
      if (f[0] == v || f[1] == v || f[2] == v || (led && s.is_obstacle(f[0]))) return;
      take(PrimitivePair{{v, f[0], f[1], f[2]}, false}, mine);
    });
  };
  const auto edge = [&](std::size_t i, Found& mine) {
    const auto& e = s.edges[i];
    const bool led = s.is_obstacle(e[0]);
    edge_tree.find(edges[i], [&](std::uint32_t k) {
      const auto& f = s.edges[k];
      if (k <= i || e[0] == f[0] || e[0] == f[1] || e[1] == f[0] || e[1] == f[1]) return;
      if (led && s.is_obstacle(f[0])) return;
      take(PrimitivePair{{e[0], e[1], f[0], f[1]}, true}, mine);
    });
  };
  parallel_for(
      chunks_v + chunks_e, 1,
      [&](std::size_t begin, std::size_t end) {
        for (std::size_t c = begin; c < end; ++c) {
          const bool of_vertices = c < chunks_v;
          const std::size_t first = (of_vertices ? c : c - chunks_v) * kGrain;
          const std::size_t count = of_vertices ? nv : s.edges.size();
          for (std::size_t i = first; i < count && i < first + kGrain; ++i) {
            if (of_vertices) {
              vertex(i, found[c]);
            } else {
              edge(i, found[c]);
            }
          }
        }
      },
      max_threads);
  return found;
}

}  // namespace tactus::detail
