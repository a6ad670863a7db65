#include "tactus/bvh/mesh_distance.hpp"

#include <algorithm>
#include <cmath>

#include "tactus/mesh/triangle_distance.hpp"

namespace tactus::bvh {
namespace {

// Pairs of nodes that wait at the same time: those beyond are searched depth-first.
constexpr int kQueue = 1024;
// A binary tree of 2^31 nodes, both meshes, two entries per level, should it be that deep.
constexpr int kStack = 512;
// Rounding of the distance of two triangles, relative to the size of the pair, with a margin.
constexpr double kRounding = 1e-14;

struct NodePair {
  double bound;
  std::uint32_t a, b;
  // The top of a heap is the largest: here the least bound; equal ones by the nodes' numbers.
  bool operator<(const NodePair& o) const {
    if (bound != o.bound) return bound > o.bound;
    return a != o.a ? a > o.a : b > o.b;
  }
};

template <class Volume>
class Search {
 public:
  Search(const TriangleMesh& mesh_a, const Hierarchy<Volume>& tree_a, const TriangleMesh& mesh_b,
         const Hierarchy<Volume>& tree_b, const Pose& pose, const MeshDistanceOptions& options)
      : mesh_a_(mesh_a),
        mesh_b_(mesh_b),
        tree_a_(tree_a),
        tree_b_(tree_b),
        nodes_a_(tree_a.nodes().data()),
        nodes_b_(tree_b.nodes().data()),
        rotation_(pose.rotation()),
        translation_((pose.position() - tree_a.middle()) + pose.rotation() * tree_b.middle()),
        placement_(rotation_, translation_, tree_a.reach(), tree_b.reach()),
        options_(options) {
    rounding_ = kRounding * (norm(translation_) + (tree_a.reach() + tree_b.reach()));
  }

  MeshDistance& run(const MeshPairCache* cache) {
    Strategy strategy = options_.strategy;
    const bool warm = cache != nullptr && cache->triangle_a < mesh_a_.triangles.size() &&
                      cache->triangle_b < mesh_b_.triangles.size();
    if (warm) measure(cache->triangle_a, cache->triangle_b);
    if (strategy == Strategy::automatic) strategy = Strategy::best_first;
    if (strategy == Strategy::naive) {
      for (std::uint32_t i = 0; i < mesh_a_.triangles.size(); ++i) {
        for (std::uint32_t j = 0; j < mesh_b_.triangles.size(); ++j) measure(i, j);
      }
    } else {
      const NodePair root{bound_of(0, 0), 0, 0};
      if (strategy == Strategy::best_first) {
        best_first(root);
      } else {
        depth_first(root, strategy);
      }
    }
    const double lower = std::min(least_left_, r_.upper) - rounding_;
    // Lengths whose squares overflow make it no number.
    r_.lower = lower > 0.0 && !r_.meets ? lower : 0.0;
    r_.upper += r_.meets ? 0.0 : rounding_;
    return r_;
  }

  // A point about A's middle to A's frame.
  Vec3 to_a(const Vec3& p) const { return p + tree_a_.middle(); }

 private:
  Vec3 vertex_a(std::uint32_t index) const { return mesh_a_.vertices[index] - tree_a_.middle(); }
  Vec3 vertex_b(std::uint32_t index) const {
    return rotation_ * (mesh_b_.vertices[index] - tree_b_.middle()) + translation_;
  }

  double bound_of(std::uint32_t a, std::uint32_t b) {
    ++r_.volume_tests;
    return lower_bound(nodes_a_[a], nodes_b_[b], placement_);
  }

  // The elementary test.
  void measure(std::uint32_t i, std::uint32_t j) {
    ++r_.triangle_tests;
    const auto& ia = mesh_a_.triangles[i];
    const auto& ib = mesh_b_.triangles[j];
    const Triangle a{{vertex_a(ia[0]), vertex_a(ia[1]), vertex_a(ia[2])}};
    const Triangle b{{vertex_b(ib[0]), vertex_b(ib[1]), vertex_b(ib[2])}};
    const TriangleDistance d = triangle_to_triangle(a, b, r_.upper * r_.upper);
    if (d.beyond || !(d.distance < r_.upper)) {
      if (!d.meets || r_.meets) return;
    }
    r_.upper = r_.distance = d.distance;
    r_.point_a = d.a;
    r_.point_b = d.b;
    r_.normal = d.n;
    r_.triangle_a = i;
    r_.triangle_b = j;
    r_.meets = d.meets;
    wanted_ = d.meets ? -1.0 : d.distance * (1.0 - options_.relative_error);
  }

  // What is at least this far away need not be searched.
  bool settled(double bound) {
    if (bound < wanted_ && bound <= options_.max_distance) return false;
    least_left_ = std::min(least_left_, bound);
    return true;
  }

  bool take_leaves(const NodePair& pair) {
    const Volume& a = nodes_a_[pair.a];
    const Volume& b = nodes_b_[pair.b];
    if (!Hierarchy<Volume>::is_leaf(a) || !Hierarchy<Volume>::is_leaf(b)) return false;
    measure(Hierarchy<Volume>::triangle(a), Hierarchy<Volume>::triangle(b));
    return true;
  }

  // The longer one is taken apart; a leaf stays whole while the other side descends.
  void split(const NodePair& pair, NodePair child[2]) {
    const Volume& a = nodes_a_[pair.a];
    const Volume& b = nodes_b_[pair.b];
    const bool split_a = Hierarchy<Volume>::is_leaf(b) ||
                         (!Hierarchy<Volume>::is_leaf(a) && a.length() >= b.length());
    child[0] = child[1] = pair;
    if (split_a) {
      child[0].a = pair.a + 1;
      child[1].a = a.link;
    } else {
      child[0].b = pair.b + 1;
      child[1].b = b.link;
    }
    for (int i = 0; i < 2; ++i) {
      // A bound never falls on the way down.
      child[i].bound = std::max(pair.bound, bound_of(child[i].a, child[i].b));
    }
  }

  // A point of either node: a corner of a triangle near its middle.
  void meet_representatives(const NodePair& pair) {
    const auto first = [](const Volume* nodes, std::uint32_t node) {
      if (!Hierarchy<Volume>::is_leaf(nodes[node])) node = nodes[node].link;
      while (!Hierarchy<Volume>::is_leaf(nodes[node])) ++node;
      return Hierarchy<Volume>::triangle(nodes[node]);
    };
    const std::uint32_t i = first(nodes_a_, pair.a), j = first(nodes_b_, pair.b);
    const Vec3 a = vertex_a(mesh_a_.triangles[i][0]);
    const Vec3 b = vertex_b(mesh_b_.triangles[j][0]);
    const double d = norm(b - a);
    if (!(d < r_.upper)) return;
    r_.upper = r_.distance = d;
    r_.point_a = a;
    r_.point_b = b;
    r_.normal = normalized(b - a);
    r_.triangle_a = i;
    r_.triangle_b = j;
    wanted_ = d * (1.0 - options_.relative_error);
  }

  void depth_first(const NodePair& root, Strategy strategy) {
    NodePair stack[kStack];
    int size = 0;
    stack[size++] = root;
    while (size > 0) {
      const NodePair pair = stack[--size];
      if (settled(pair.bound) || take_leaves(pair)) continue;
      if (strategy == Strategy::representatives) meet_representatives(pair);
      NodePair child[2];
      split(pair, child);
      if (strategy == Strategy::greedy && child[1].bound < child[0].bound)
        std::swap(child[0], child[1]);
      stack[size++] = child[1];
      stack[size++] = child[0];
    }
  }

  void best_first(const NodePair& root) {
    NodePair heap[kQueue];
    int size = 0;
    heap[size++] = root;
    while (size > 0) {
      std::pop_heap(heap, heap + size);
      NodePair pair = heap[--size];
      // Its bound is the least of all: none of the others is needed either.
      if (settled(pair.bound)) return;
      // The nearer child is gone on with at once as long as it is not farther than the pair.
      while (true) {
        if (take_leaves(pair)) break;
        NodePair child[2];
        split(pair, child);
        if (child[1].bound < child[0].bound) std::swap(child[0], child[1]);
        if (!settled(child[1].bound)) {
          if (size == kQueue) {
            depth_first(child[1], Strategy::greedy);
          } else {
            heap[size++] = child[1];
            std::push_heap(heap, heap + size);
          }
        }
        if (settled(child[0].bound)) break;
        if (child[0].bound > pair.bound && size > 0 && heap[0].bound < child[0].bound) {
          if (size == kQueue) {
            depth_first(child[0], Strategy::greedy);
          } else {
            heap[size++] = child[0];
            std::push_heap(heap, heap + size);
          }
          break;
        }
        pair = child[0];
      }
    }
  }

  const TriangleMesh& mesh_a_;
  const TriangleMesh& mesh_b_;
  const Hierarchy<Volume>& tree_a_;
  const Hierarchy<Volume>& tree_b_;
  const Volume* nodes_a_;
  const Volume* nodes_b_;
  Mat3 rotation_;
  Vec3 translation_;
  Placement placement_;
  const MeshDistanceOptions& options_;
  double rounding_ = 0.0;
  double wanted_ = std::numeric_limits<double>::infinity();
  double least_left_ = std::numeric_limits<double>::infinity();
  MeshDistance r_;
};

}  // namespace

std::string_view to_string(Strategy strategy) {
  switch (strategy) {
    case Strategy::automatic:
      return "auto";
    case Strategy::naive:
      return "naive";
    case Strategy::depth_first:
      return "depth_first";
    case Strategy::representatives:
      return "representatives";
    case Strategy::greedy:
      return "greedy";
    case Strategy::best_first:
      return "best_first";
  }
  return "";
}

std::optional<Strategy> strategy_from(std::string_view name) {
  for (const Strategy strategy :
       {Strategy::automatic, Strategy::naive, Strategy::depth_first, Strategy::representatives,
        Strategy::greedy, Strategy::best_first}) {
    if (to_string(strategy) == name) return strategy;
  }
  return std::nullopt;
}

template <class Volume>
MeshDistance mesh_distance_by(const TriangleMesh& mesh_a, const Hierarchy<Volume>& tree_a,
                              const Pose& pose_a, const TriangleMesh& mesh_b,
                              const Hierarchy<Volume>& tree_b, const Pose& pose_b,
                              const MeshDistanceOptions& options, MeshPairCache* cache) {
  Search<Volume> search(mesh_a, tree_a, mesh_b, tree_b, relative(pose_a, pose_b), options);
  MeshDistance& r = search.run(cache);
  if (cache != nullptr && r.triangle_a != MeshPairCache::kNone)
    *cache = {r.triangle_a, r.triangle_b};
  r.point_a = pose_a.to_world(search.to_a(r.point_a));
  r.point_b = pose_a.to_world(search.to_a(r.point_b));
  r.normal = pose_a.direction_to_world(r.normal);
  return r;
}

template MeshDistance mesh_distance_by(const TriangleMesh&, const Hierarchy<OrientedBox>&,
                                       const Pose&, const TriangleMesh&,
                                       const Hierarchy<OrientedBox>&, const Pose&,
                                       const MeshDistanceOptions&, MeshPairCache*);
template MeshDistance mesh_distance_by(const TriangleMesh&, const Hierarchy<AlignedBox>&,
                                       const Pose&, const TriangleMesh&,
                                       const Hierarchy<AlignedBox>&, const Pose&,
                                       const MeshDistanceOptions&, MeshPairCache*);
template MeshDistance mesh_distance_by(const TriangleMesh&, const Hierarchy<Ball>&, const Pose&,
                                       const TriangleMesh&, const Hierarchy<Ball>&, const Pose&,
                                       const MeshDistanceOptions&, MeshPairCache*);
template MeshDistance mesh_distance_by(const TriangleMesh&, const Hierarchy<Dop14>&, const Pose&,
                                       const TriangleMesh&, const Hierarchy<Dop14>&, const Pose&,
                                       const MeshDistanceOptions&, MeshPairCache*);

MeshDistance mesh_distance(const MeshView& a, const Pose& pose_a, const MeshView& b,
                           const Pose& pose_b, const MeshDistanceOptions& options,
                           MeshPairCache* cache) {
  return mesh_distance_by(a.mesh, a.tree, pose_a, b.mesh, b.tree, pose_b, options, cache);
}

}  // namespace tactus::bvh
