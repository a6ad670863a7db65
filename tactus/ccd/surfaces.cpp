#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>
#include <string>
#include <tuple>

#include "tactus/ccd.hpp"
#include "tactus/ccd/box_tree.hpp"
#include "tactus/ccd/first_contact.hpp"
#include "tactus/ccd/hash_observer.hpp"
#include "tactus/ccd/moving_hash.hpp"

namespace tactus::ccd {
using namespace detail;
namespace {

using Clock = std::chrono::steady_clock;
using Edge = std::array<std::uint32_t, 2>;
using Kind = SurfaceImpact::Kind;

constexpr std::size_t kGrain = 64;  // leaves, or vertices in a hash

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

void require_valid(const MovingSurface& s, const std::string& name) {
  if (s.vertices_t0.size() != s.vertices_t1.size()) {
    throw InvalidInput(name + ".vertices_t1", std::to_string(s.vertices_t1.size()) +
                                                  " vertices, at the start there are " +
                                                  std::to_string(s.vertices_t0.size()));
  }
  const auto each = [&](std::span<const Vec3> vertices, const char* field) {
    for (std::size_t i = 0; i < vertices.size(); ++i) {
      if (!is_finite(vertices[i]))
        throw InvalidInput(name + field + "[" + std::to_string(i) + "]", "must be finite");
    }
  };
  each(s.vertices_t0, ".vertices_t0");
  each(s.vertices_t1, ".vertices_t1");
  for (std::size_t i = 0; i < s.triangles.size(); ++i) {
    for (const std::uint32_t corner : s.triangles[i]) {
      if (corner >= s.vertices_t0.size())
        throw InvalidInput(name + ".triangles[" + std::to_string(i) + "]",
                           "there is no vertex " + std::to_string(corner));
    }
  }
}

/// Vertices, edges and faces of a surface that can meet another one, with the box of each over the
/// whole motion, grown by half of the least separation.
struct Parts {
  MovingSurface surface;
  double grown;  ///< half of the least separation
  std::vector<std::uint32_t> vertices, faces;
  std::vector<Edge> edges;
  /// End points of an edge, at the start and at the end of the motion.
  struct Ends {
    Vec3 t0[2], t1[2];
  };
  std::vector<Ends> ends;
  std::vector<SweptBox> vertex_boxes, edge_boxes, face_boxes;

  /// All faces.
  Parts(const MovingSurface& s, double separation)
      // Half of it for each of both boxes, and what its rounding may take.
      : surface(s), grown(0.5 * separation * (1.0 + 1e-12)) {
    face_boxes.reserve(s.triangles.size());
    faces.resize(s.triangles.size());
    std::iota(faces.begin(), faces.end(), 0u);
    for (const std::array<std::uint32_t, 3>& t : s.triangles) face_boxes.push_back(box(t));
  }

  /// Leaves out the faces that do not meet a box; then finds the edges and vertices of the others.
  void finish(const SweptBox* region) {
    if (region != nullptr) {
      std::size_t kept = 0;
      for (std::size_t i = 0; i < faces.size(); ++i) {
        if (!meet(face_boxes[i], *region)) continue;
        faces[kept] = faces[i];
        face_boxes[kept++] = face_boxes[i];
      }
      faces.resize(kept);
      face_boxes.resize(kept);
    }
    find_edges_and_vertices();
    vertex_boxes.reserve(vertices.size());
    for (const std::uint32_t i : vertices) vertex_boxes.push_back(box({&i, 1}));
    edge_boxes.reserve(edges.size());
    ends.reserve(edges.size());
    for (const Edge& e : edges) {
      edge_boxes.push_back(box(e));
      ends.push_back({{surface.vertices_t0[e[0]], surface.vertices_t0[e[1]]},
                      {surface.vertices_t1[e[0]], surface.vertices_t1[e[1]]}});
    }
  }

  /// Collects the edges and vertices of `faces`, in order, each once.
  void find_edges_and_vertices() {
    // Edges by their lower vertex, in lists one behind the other.
    std::vector<std::uint32_t> first(surface.vertices_t0.size() + 1, 0);
    std::vector<char> used(surface.vertices_t0.size(), 0);
    const auto each_edge = [&](const auto& take) {
      for (const std::uint32_t face : faces) {
        const std::array<std::uint32_t, 3>& t = surface.triangles[face];
        for (std::size_t k = 0; k < 3; ++k) take(t[k], t[(k + 1) % 3]);
      }
    };
    each_edge([&](std::uint32_t v, std::uint32_t w) {
      ++first[std::min(v, w) + 1];
      used[v] = 1;
    });
    for (std::size_t i = 1; i < first.size(); ++i) first[i] += first[i - 1];
    std::vector<std::uint32_t> higher(3 * faces.size()), end(first.begin(), first.end() - 1);
    each_edge(
        [&](std::uint32_t v, std::uint32_t w) { higher[end[std::min(v, w)]++] = std::max(v, w); });
    for (std::uint32_t v = 0; v < used.size(); ++v) {
      if (used[v] != 0) vertices.push_back(v);
      const auto from = higher.begin() + first[v], to = higher.begin() + first[v + 1];
      std::sort(from, to);
      for (auto w = from; w != to; ++w)
        if (w == from || *w != *(w - 1)) edges.push_back({v, *w});
    }
  }

  /// Around all faces; of a surface with faces.
  SweptBox whole() const {
    SweptBox all = face_boxes.front();
    for (const SweptBox& b : face_boxes) all.add(b);
    return all;
  }

  SweptBox box(std::span<const std::uint32_t> corners) const {
    const Vec3 first = surface.vertices_t0[corners.front()];
    SweptBox b{first, first};
    for (const std::uint32_t i : corners) {
      b.add(surface.vertices_t0[i]);
      b.add(surface.vertices_t1[i]);
    }
    if (grown > 0.0) {
      // A rounding of the sum takes less than this from the box.
      const double largest = std::fmax(max_abs(b.lower), max_abs(b.upper));
      const double all = grown + 0x1p-51 * largest;
      b.lower -= Vec3{all, all, all};
      b.upper += Vec3{all, all, all};
    }
    return b;
  }
};

// Most candidates are excluded by their end positions, read where they are.
CcdResult ask_face(const MovingSurface& v, std::uint32_t vertex, const MovingSurface& f,
                   std::uint32_t face, const CcdOptions& options) {
  const auto& [i, j, k] = f.triangles[face];
  const std::span<const Vec3> f0 = f.vertices_t0, f1 = f.vertices_t1;
  const Vec3 &v0 = v.vertices_t0[vertex], &v1 = v.vertices_t1[vertex];
  const bool plain = options.method == CcdMethod::conservative;
  if (plain && EndCorners<3>(v0, f0[i], f0[j], f0[k], v1, f1[i], f1[j], f1[k])
                   .are_apart(options.min_separation))
    return {};
  const MovingVertexFace motion{v0, {f0[i], f0[j], f0[k]}, v1, {f1[i], f1[j], f1[k]}};
  return plain ? search_contact(motion, options) : vertex_face(motion, options);
}

CcdResult ask_edges(const Parts::Ends& a, const Parts::Ends& b, const CcdOptions& options) {
  const bool plain = options.method == CcdMethod::conservative;
  if (plain && EndCorners<4>(a.t0[0], a.t0[1], b.t0[0], b.t0[1], a.t1[0], a.t1[1], b.t1[0], b.t1[1])
                   .are_apart(options.min_separation))
    return {};
  const MovingEdges motion{
      {a.t0[0], a.t0[1]}, {b.t0[0], b.t0[1]}, {a.t1[0], a.t1[1]}, {b.t1[0], b.t1[1]}};
  return plain ? search_contact(motion, options) : edge_edge(motion, options);
}

bool has_corner(const std::array<std::uint32_t, 3>& t, std::uint32_t v) {
  return t[0] == v || t[1] == v || t[2] == v;
}

bool share_a_corner(const Edge& x, const Edge& y) {
  return x[0] == y[0] || x[0] == y[1] || x[1] == y[0] || x[1] == y[1];
}

/// Results of one chunk of a search.
struct Found {
  std::vector<SurfaceImpact> impacts;
  HashStages hash;
  std::uint64_t candidates = 0;
};

/// The faces of a surface, in a tree or in a hash.
class Faces {
 public:
  Faces(std::span<const SweptBox> boxes, SurfaceBroad broad)
      : hashed_(broad == SurfaceBroad::hash),
        tree_(hashed_ ? std::span<const SweptBox>{} : boxes),
        hash_(hashed_ ? boxes : std::span<const SweptBox>{}) {}

  /// Null where they are in a hash.
  const BoxTree* tree() const { return hashed_ ? nullptr : &tree_; }
  const MovingHash& hash() const { return hash_; }

 private:
  bool hashed_;
  BoxTree tree_;
  MovingHash hash_;
};

/// Tells an observer of one vertex.
struct VertexWatch {
  HashObserver& observer;
  std::uint32_t vertex;
  std::span<const std::uint32_t> faces;  ///< the surface's numbers of the hash's faces

  void way(std::span<const MovingHash::Cell> cells) const { observer.way(vertex, cells); }
  void found(std::uint32_t face, const MovingHash::Cell& cell, HashEnd end) const {
    observer.found(vertex, faces[face], cell, end);
  }
};

class Impacts {
 public:
  /// `observer`: told of the steps of the hash, or null.
  Impacts(const Parts& a, const Parts& b, const SurfaceCcdOptions& options,
          HashObserver* observer = nullptr)
      : a_(a), b_(b), options_(options), observer_(observer), self_(&a == &b) {}

  /// `start`: when the work on both surfaces began.
  SurfaceImpacts run(Clock::time_point start) {
    const BoxTree edges_b(b_.edge_boxes);
    const Faces faces_b(b_.face_boxes, options_.vertex_face);
    const Faces faces_a(self_ ? std::span<const SweptBox>{} : a_.face_boxes, options_.vertex_face);
    out_.tree_seconds = seconds_since(start);
    const Clock::time_point search = Clock::now();
    out_.vertex_face_candidates += vertices_and_faces(a_, b_, faces_b, Kind::vertex_face);
    if (!self_)
      out_.vertex_face_candidates += vertices_and_faces(b_, a_, faces_a, Kind::face_vertex);
    out_.edge_edge_candidates += edges_and_edges(edges_b);
    std::sort(out_.impacts.begin(), out_.impacts.end(),
              [](const SurfaceImpact& x, const SurfaceImpact& y) {
                return std::tuple(x.contact.time, x.kind, x.a, x.b, x.other_a, x.other_b) <
                       std::tuple(y.contact.time, y.kind, y.a, y.b, y.other_a, y.other_b);
              });
    out_.search_seconds = seconds_since(search);
    return std::move(out_);
  }

 private:
  bool cancelled() const {
    return options_.cancel != nullptr && options_.cancel->load(std::memory_order_relaxed);
  }

  // In chunks, each with a list of its own, so that the order does not depend on threads.
  template <class Search>
  std::uint64_t search(std::size_t count, const Search& each) {
    std::vector<Found> found(count / kGrain + 1);
    parallel_for(
        count, kGrain,
        [&](std::size_t begin, std::size_t end) {
          if (cancelled()) return;
          Found& mine = found[begin / kGrain];
          for (std::size_t i = begin; i < end; ++i) each(i, mine);
        },
        options_.max_threads);
    std::uint64_t candidates = 0;
    for (const Found& f : found) {
      candidates += f.candidates;
      out_.hash.found += f.hash.found;
      out_.hash.collisions += f.hash.collisions;
      out_.hash.boxes += f.hash.boxes;
      out_.hash.paths += f.hash.paths;
      out_.impacts.insert(out_.impacts.end(), f.impacts.begin(), f.impacts.end());
    }
    return candidates;
  }

  std::uint64_t vertices_and_faces(const Parts& of_vertices, const Parts& of_faces,
                                   const Faces& faces, Kind kind) {
    const auto silent = [](std::uint32_t, const CcdResult&) {};
    const auto ask = [&](std::uint32_t vertex, std::uint32_t of_kept, Found& found,
                         const auto& tell) {
      const std::uint32_t face = of_faces.faces[of_kept];
      if (self_ && has_corner(of_faces.surface.triangles[face], vertex)) return;
      ++found.candidates;
      const CcdResult r =
          ask_face(of_vertices.surface, vertex, of_faces.surface, face, options_.primitives);
      tell(face, r);
      if (!r.hit) return;
      const bool swap = kind == Kind::face_vertex;
      found.impacts.push_back({kind, swap ? face : vertex, swap ? vertex : face, 0, 0, r});
    };
    if (const BoxTree* tree = faces.tree()) {
      const BoxTree vertices(of_vertices.vertex_boxes);
      return search(vertices.leaves(), [&](std::size_t leaf, Found& found) {
        vertices.find_of_leaf(leaf, *tree, [&](std::uint32_t i, std::uint32_t face) {
          ask(of_vertices.vertices[i], face, found, silent);
        });
      });
    }
    const auto look = [&](std::size_t i, Found& found, const auto& watch, const auto& tell) {
      const std::uint32_t vertex = of_vertices.vertices[i];
      const MovingSurface& s = of_vertices.surface;
      faces.hash().find(
          s.vertices_t0[vertex], s.vertices_t1[vertex], of_vertices.vertex_boxes[i], found.hash,
          [&](std::uint32_t face) { ask(vertex, face, found, tell); }, watch);
    };
    const std::size_t count = of_vertices.vertices.size();
    if (observer_ == nullptr) {
      return search(count, [&](std::size_t i, Found& found) {
        look(i, found, MovingHash::Unwatched(), silent);
      });
    }
    observer_->table(kind, faces.hash(), of_faces.faces);
    return search(count, [&](std::size_t i, Found& found) {
      const std::uint32_t vertex = of_vertices.vertices[i];
      look(i, found, VertexWatch{*observer_, vertex, of_faces.faces},
           [&](std::uint32_t face, const CcdResult& r) { observer_->answered(vertex, face, r); });
    });
  }

  std::uint64_t edges_and_edges(const BoxTree& edges) {
    const auto ask = [&](std::uint32_t i, std::uint32_t j, Found& found) {
      const Edge &x = a_.edges[i], &y = b_.edges[j];
      if (self_ && share_a_corner(x, y)) return;
      ++found.candidates;
      const CcdResult r = ask_edges(a_.ends[i], b_.ends[j], options_.primitives);
      if (r.hit) found.impacts.push_back({Kind::edge_edge, x[0], y[0], x[1], y[1], r});
    };
    if (self_) {
      return search(edges.leaves(), [&](std::size_t leaf, Found& found) {
        edges.find_pairs_of_leaf(leaf, [&](std::uint32_t i, std::uint32_t j) {
          ask(std::min(i, j), std::max(i, j), found);
        });
      });
    }
    const BoxTree edges_a(a_.edge_boxes);
    return search(edges_a.leaves(), [&](std::size_t leaf, Found& found) {
      edges_a.find_of_leaf(leaf, edges,
                           [&](std::uint32_t i, std::uint32_t j) { ask(i, j, found); });
    });
  }

  const Parts &a_, &b_;
  const SurfaceCcdOptions& options_;
  HashObserver* observer_;
  bool self_;
  SurfaceImpacts out_;
};

}  // namespace

std::string_view to_string(SurfaceImpact::Kind kind) {
  constexpr std::string_view kNames[] = {"vertex_face", "face_vertex", "edge_edge"};
  return detail::name_in(kNames, kind);
}

std::string_view to_string(SurfaceBroad broad) {
  constexpr std::string_view kNames[] = {"tree", "hash"};
  return detail::name_in(kNames, broad);
}

namespace {

SurfaceImpacts find_impacts(const MovingSurface& a, const MovingSurface& b,
                            const SurfaceCcdOptions& options, HashObserver* observer) {
  const Clock::time_point start = Clock::now();
  require_valid(a, "a");
  require_valid(b, "b");
  const double separation = options.primitives.min_separation;
  Parts of_a(a, separation), of_b(b, separation);
  if (of_a.faces.empty() || of_b.faces.empty()) return {};
  const SweptBox whole_a = of_a.whole(), whole_b = of_b.whole();
  of_a.finish(&whole_b);
  of_b.finish(&whole_a);
  return Impacts(of_a, of_b, options, observer).run(start);
}

}  // namespace

SurfaceImpacts surface_impacts(const MovingSurface& a, const MovingSurface& b,
                               const SurfaceCcdOptions& options) {
  return find_impacts(a, b, options, nullptr);
}

SurfaceImpacts self_impacts(const MovingSurface& surface, const SurfaceCcdOptions& options) {
  const Clock::time_point start = Clock::now();
  require_valid(surface, "surface");
  Parts parts(surface, options.primitives.min_separation);
  parts.finish(nullptr);
  return Impacts(parts, parts, options).run(start);
}

}  // namespace tactus::ccd

namespace tactus::detail {

ccd::SurfaceImpacts observed_impacts(const ccd::MovingSurface& a, const ccd::MovingSurface& b,
                                     const ccd::CcdOptions& options, HashObserver& observer) {
  const ccd::SurfaceCcdOptions hashed{
      .primitives = options, .vertex_face = ccd::SurfaceBroad::hash, .max_threads = 1};
  return ccd::find_impacts(a, b, hashed, &observer);
}

}  // namespace tactus::detail
