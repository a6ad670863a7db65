#include "tactus/bvh/mesh_distance.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "tactus/bvh/bare_distance.hpp"
#include "tactus/bvh/node_queue.hpp"
#include "tactus/bvh/search_observer.hpp"
#include "tactus/core/cancellation.hpp"
#include "tactus/mesh/surface/triangle_distance.hpp"

namespace tactus::detail::bvh {
namespace {

// A binary tree of 2^31 nodes, both meshes, two entries per level, should it be that deep.
constexpr int kStack = 512;
// Rounding of the distance of two triangles, relative to the size of the pair, with a margin.
constexpr double kRounding = 1e-14;
// Parts of that: what rounding takes from the gap of two triangles along a direction (4e-15 of the
// size, see triangle_distance.cpp), and what distances may differ by to count as equal.
constexpr double kGap = 0.4;
constexpr double kEqual = 0.5;
// Squared length below which a direction has lost digits to underflow.
constexpr double kShortest = 1e-280;

// A front longer than this many times what it was when new has been pulled apart by motion.
constexpr std::size_t kLongest = 2;

// Triangles that were nearest and are now this many times as far apart, and so much of the meshes'
// reach besides, have jumped: following the front would cost up to five times a search from the
// roots. Below, it costs a third of one at most.
constexpr double kJump = 2.0, kStart = 0.02;
// Single precision, with a margin: squared length of a unit vector, and how far a box reaches along
// it, relative to the mesh; well below the slack that bounds have.
constexpr double kUnitInSingle = 1.0 + 1e-6;
constexpr double kHighInSingle = 5e-7;

// Meshes whose balls are this part of their reach apart see each other under nearly one direction:
// a plane across it is tried first. Steps towards it, and nodes looked at for each farthest vertex.
constexpr double kBeyond = 0.5;
constexpr int kApproaches = 6, kMostNodes = 256;
// Volumes are of single precision, relative to the mesh's reach.
constexpr double kVolumeSlack = 1e-6;

// In place of a teller where nobody observes.
struct Silence {
  explicit Silence(SearchObserver*) {}
};

// `Told`: an observer is told of the steps.
template <class Volume, bool Told = false>
class Search {
 public:
  Search(const TriangleMesh& mesh_a, const Hierarchy<Volume>& tree_a, const TriangleMesh& mesh_b,
         const Hierarchy<Volume>& tree_b, const Pose& pose, const MeshDistanceOptions& options,
         SearchObserver* observer = nullptr)
      : mesh_a_(mesh_a),
        mesh_b_(mesh_b),
        tree_a_(tree_a),
        tree_b_(tree_b),
        nodes_a_(tree_a.nodes().data()),
        nodes_b_(tree_b.nodes().data()),
        rotation_(pose.rotation()),
        translation_((pose.position() - tree_a.middle()) + pose.rotation() * tree_b.middle()),
        placement_(rotation_, translation_, tree_a.reach(), tree_b.reach()),
        options_(options),
        most_tests_(options.max_tests),
        teller_(observer) {
    if constexpr (Told) teller_.trees(tree_a, tree_b, rotation_, translation_);
    rounding_ = kRounding * (norm(translation_) + (tree_a.reach() + tree_b.reach()));
  }

  MeshDistance& run(MeshPairCache* cache, MeshFront* front) {
    front_ = front;
    const bool warm = cache != nullptr && cache->triangle_a < mesh_a_.triangles.size() &&
                      cache->triangle_b < mesh_b_.triangles.size();
    if (warm) measure(cache->triangle_a, cache->triangle_b);
    if (front == nullptr) {
      search(warm);
    } else {
      bool followed = false;
      if constexpr (std::is_same_v<Volume, OrientedBox>) followed = follow_front();
      if (!followed) {
        search(false);
        front->fresh_size = front->apart.size();
      }
      front->distance = r_.upper;
    }
    if (cache != nullptr && r_.triangle_a != MeshPairCache::kNone)
      *cache = {r_.triangle_a, r_.triangle_b};
    const double lower = std::min(least_left_, r_.upper - rounding_);
    // Lengths whose squares overflow make it no number.
    r_.lower = lower > 0.0 && !r_.meets ? lower : 0.0;
    r_.upper += r_.meets ? 0.0 : rounding_;
    return r_;
  }

  // Pairs of triangles are measured without being bounded first.
  void without_pair_bound() { bound_pairs_ = false; }

  // A point about A's middle to A's frame.
  Vec3 to_a(const Vec3& p) const { return p + tree_a_.middle(); }

 private:
  Vec3 vertex_a(std::uint32_t index) const { return mesh_a_.vertices[index] - tree_a_.middle(); }
  Vec3 vertex_b(std::uint32_t index) const {
    return rotation_ * (mesh_b_.vertices[index] - tree_b_.middle()) + translation_;
  }

  void search(bool warm) {
    Strategy strategy = options_.strategy;
    if (strategy == Strategy::automatic) strategy = warm ? Strategy::greedy : Strategy::best_first;
    if (strategy == Strategy::naive) {
      for (std::uint32_t i = 0; i < mesh_a_.triangles.size(); ++i) {
        for (std::uint32_t j = 0; j < mesh_b_.triangles.size(); ++j) measure(i, j);
      }
      return;
    }
    if constexpr (std::is_same_v<Volume, OrientedBox>) {
      if (strategy == Strategy::best_first && approach()) {
        leave(0, 0);
        return;
      }
    }
    const NodePair root{bound_of(0, 0), 0, 0};
    if constexpr (Told) teller_.begin(root, r_);
    if (strategy == Strategy::best_first) {
      best_first(root);
    } else {
      depth_first(root, strategy);
    }
  }

  /// A triangle with a farthest vertex, and how far that reaches.
  struct Farthest {
    double height = -std::numeric_limits<double>::infinity();
    std::uint32_t triangle = 0;
    bool known = true;  ///< false where too many nodes were as far
  };

  // Along n, unit, about the middle of the mesh.
  Farthest farthest_triangle(const TriangleMesh& mesh, const Hierarchy<Volume>& tree,
                             const Vec3& n) {
    struct Entry {
      double bound;
      std::uint32_t node;
    };
    const double slack = kVolumeSlack * tree.reach();
    const auto& nodes = tree.nodes();
    Farthest best;
    Entry stack[kStack];
    int size = 0;
    stack[size++] = {std::numeric_limits<double>::infinity(), 0};
    for (int looked = 0; size > 0; ++looked) {
      const Entry entry = stack[--size];
      if (entry.bound <= best.height) continue;
      if (looked >= kMostNodes) {
        best.known = false;
        break;
      }
      ++r_.volume_tests;
      const Volume& node = nodes[entry.node];
      if (Hierarchy<Volume>::is_leaf(node)) {
        const std::uint32_t triangle = Hierarchy<Volume>::triangle(node);
        for (const std::uint32_t vertex : mesh.triangles[triangle]) {
          const double height = dot(n, mesh.vertices[vertex] - tree.middle());
          if (!(height > best.height)) continue;
          best.height = height;
          best.triangle = triangle;
        }
        continue;
      }
      const std::uint32_t left = entry.node + 1, right = node.link;
      Entry low{farthest(nodes[left], n) + slack, left};
      Entry high{farthest(nodes[right], n) + slack, right};
      if (high.bound < low.bound) std::swap(low, high);
      stack[size++] = low;
      stack[size++] = high;
    }
    return best;
  }

  // Far from each other: the triangles that reach farthest towards the other mesh are measured, and
  // a plane across the line between their nearest points may show that no others are nearer. Of
  // pairs of volumes as many would seem as near as there are volumes of A times volumes of B that
  // reach as far. True where the search is over.
  bool approach() {
    const double reach = tree_a_.reach() + tree_b_.reach(), between = norm(translation_);
    if (!(between > (1.0 + kBeyond) * reach && between < kLargestOfVolumes)) return false;
    Vec3 n = translation_ / between;
    for (int i = 0; i < kApproaches; ++i) {
      const Farthest a = farthest_triangle(mesh_a_, tree_a_, n);
      const Farthest b = farthest_triangle(mesh_b_, tree_b_, -transpose_times(rotation_, n));
      if (!a.known || !b.known) return false;
      const double apart = (dot(n, translation_) - a.height) - b.height;
      const double bound = apart - kGap * rounding_;
      const bool known = is_far(bound);
      if (!known) measure(a.triangle, b.triangle);
      if constexpr (Told) teller_.approached(std::max(bound, 0.0), a.triangle, b.triangle, r_);
      if (known || is_far(bound)) return true;
      if (r_.normal == n) return false;
      n = r_.normal;
    }
    return false;
  }

  double bound_of(std::uint32_t a, std::uint32_t b) {
    ++r_.volume_tests;
    return lower_bound(nodes_a_[a], nodes_b_[b], placement_);
  }

  Triangle triangle_a(std::uint32_t i) const {
    const auto& t = mesh_a_.triangles[i];
    return {{vertex_a(t[0]), vertex_a(t[1]), vertex_a(t[2])}};
  }
  Triangle triangle_b(std::uint32_t j) const {
    const auto& t = mesh_b_.triangles[j];
    return {{vertex_b(t[0]), vertex_b(t[1]), vertex_b(t[2])}};
  }

  // Lower bound of the distance of two triangles: the largest of their gaps along the normal of the
  // nearest pair so far (its neighbours are as far apart along it), along the line between their
  // middles, and along their own normals.
  double bound_of(const Triangle& a, const Triangle& b) {
    ++r_.volume_tests;
    const Vec3 apart =
        (b.corner[0] + b.corner[1] + b.corner[2]) - (a.corner[0] + a.corner[1] + a.corner[2]);
    double best = 0.0;
    const auto along = [&](const Vec3& n) {
      const double gap = gap_along(n, a, b);
      if (gap > best) {
        best = gap;
        apart_along_ = n;
      }
      return best >= wanted_;
    };
    const auto along_normal = [&](const Triangle& t) {
      const Vec3 n = cross(t.corner[1] - t.corner[0], t.corner[2] - t.corner[0]);
      return along(dot(n, apart) < 0.0 ? -n : n);
    };
    apart_along_ = apart;
    if (!along(r_.normal) && !along(apart) && !along_normal(a)) along_normal(b);
    return best;
  }

  // Proved: what rounding may add is taken off.
  double gap_along(const Vec3& n, const Triangle& a, const Triangle& b) const {
    const double high_a = a.highest(n);
    const double low_b = b.lowest(n);
    const double width = low_b - high_a, square = squared_norm(n);
    if (!(width > 0.0 && square > kShortest)) return 0.0;
    return std::max(width / std::sqrt(square) - kGap * rounding_, 0.0);
  }

  // The elementary test.
  void measure(std::uint32_t i, std::uint32_t j) { measure(i, triangle_a(i), j, triangle_b(j)); }
  void measure(std::uint32_t i, const Triangle& a, std::uint32_t j, const Triangle& b) {
    ++r_.triangle_tests;
    const TriangleDistance d = triangle_to_triangle(a, b, r_.upper * r_.upper);
    if (!d.beyond) apart_along_ = d.n;
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
    want(d.distance);
    if (d.meets) wanted_ = -1.0;
  }

  // Sets the bound from which on pairs are skipped. A pair that is nearer by less than rounding
  // need not be searched, but one that may meet must be.
  void want(double distance) {
    const double less = distance * (1.0 - options_.relative_error) -
                        std::max(kEqual * rounding_, options_.absolute_error);
    wanted_ = std::max({less, 0.5 * distance * (1.0 - options_.relative_error),
                        std::numeric_limits<double>::min()});
    placement_.ask_up_to(wanted_);
  }

  // True when a pair with this lower bound of its distance need not be searched.
  bool is_far(double bound) {
    if (bound < wanted_ && bound <= options_.max_distance) return false;
    least_left_ = std::min(least_left_, bound);
    return true;
  }
  bool settled(const NodePair& pair) {
    if (!is_far(pair.bound)) return false;
    leave(pair.a, pair.b);
    if constexpr (Told) teller_.left_out(pair, r_);
    return true;
  }
  // Beyond the cap nothing is gone into.
  bool capped(const NodePair& pair) {
    if (++steps_ % kVisitsUnasked == 0 && is_work_cancelled()) most_tests_ = 0;
    if (r_.volume_tests + r_.triangle_tests < most_tests_) return false;
    r_.capped = true;
    least_left_ = std::min(least_left_, pair.bound);
    leave(pair.a, pair.b);
    return true;
  }
  // The pair is not gone into any more.
  void leave(std::uint32_t a, std::uint32_t b) {
    if (front_ != nullptr) front_->apart.push_back({a, b, {}});
  }

  // Takes up the front of the query before. False when there is none for this pair of meshes, when
  // it has become too long, or when the bodies have moved too far for it; a new one is then begun.
  bool follow_front() {
    MeshFront& f = *front_;
    if (!f.apart.empty() && f.fingerprint_a == tree_a_.fingerprint() &&
        f.fingerprint_b == tree_b_.fingerprint() && f.apart.size() <= kLongest * f.fresh_size &&
        r_.upper <= kJump * f.distance + kStart * (tree_a_.reach() + tree_b_.reach()) &&
        (f.trusted || is_sound(f))) {
      search_front();
      return true;
    }
    f.apart.clear();
    f.trusted = true;
    f.fingerprint_a = tree_a_.fingerprint();
    f.fingerprint_b = tree_b_.fingerprint();
    return false;
  }

  // Could a search have left this front? Its nodes exist, and no box of A reaches farther along its
  // direction than the front says.
  bool is_sound(MeshFront& f) const {
    f.trusted = std::all_of(f.apart.begin(), f.apart.end(), [&](const MeshFront::Apart& item) {
      if (item.node_a >= tree_a_.nodes().size() || item.node_b >= tree_b_.nodes().size())
        return false;
      const Vec3 n{static_cast<double>(item.axis.n[0]), static_cast<double>(item.axis.n[1]),
                   static_cast<double>(item.axis.n[2])};
      return squared_norm(n) <= kUnitInSingle &&
             static_cast<double>(item.axis.high) >=
                 reach_along(nodes_a_[item.node_a], n) - kHighInSingle * tree_a_.reach();
    });
    return f.trusted;
  }
  double reach_along(const Volume& node, const Vec3& n) const {
    if (!Hierarchy<Volume>::is_leaf(node)) return farthest(node, n);
    const Triangle t = triangle_a(Hierarchy<Volume>::triangle(node));
    return t.highest(n);
  }

  // Pairs that are not far enough apart along their direction any more get another one, then are
  // taken apart.
  void search_front() {
    std::vector<MeshFront::Apart>& apart = front_->apart;
    std::size_t old = apart.size();
    for (std::size_t i = 0; i < old;) {
      MeshFront::Apart& item = apart[i];
      const Volume& b = nodes_b_[item.node_b];
      if (!is_far(lower_bound_along(item.axis, b, placement_))) {
        const Volume& a = nodes_a_[item.node_a];
        if (Hierarchy<Volume>::is_leaf(a) && Hierarchy<Volume>::is_leaf(b)) {
          follow_leaves(Hierarchy<Volume>::triangle(a), Hierarchy<Volume>::triangle(b), item.axis);
        } else {
          ++r_.volume_tests;
          const double bound = lower_bound(a, b, placement_, item.axis);
          if (!is_far(bound)) {
            // The pairs it is split into go to the end; its place is filled from there.
            const NodePair pair{bound, item.node_a, item.node_b};
            item = apart[--old];
            apart[old] = apart.back();
            apart.pop_back();
            depth_first(pair, Strategy::greedy);
            continue;
          }
        }
      }
      ++i;
    }
  }

  void follow_leaves(std::uint32_t i, std::uint32_t j, SeparatingAxis& axis) {
    const Triangle a = triangle_a(i), b = triangle_b(j);
    const Vec3 before{static_cast<double>(axis.n[0]), static_cast<double>(axis.n[1]),
                      static_cast<double>(axis.n[2])};
    if (is_far(gap_along(before, a, b))) return;
    if (!is_far(bound_of(a, b))) measure(i, a, j, b);
    const Vec3 n = normalized(apart_along_, {});
    const double high = a.highest(n);
    axis = {{static_cast<float>(n.x), static_cast<float>(n.y), static_cast<float>(n.z)},
            static_cast<float>(high)};
  }

  bool take_leaves(const NodePair& pair) {
    const Volume& a = nodes_a_[pair.a];
    const Volume& b = nodes_b_[pair.b];
    if (!Hierarchy<Volume>::is_leaf(a) || !Hierarchy<Volume>::is_leaf(b)) return false;
    const std::uint32_t i = Hierarchy<Volume>::triangle(a), j = Hierarchy<Volume>::triangle(b);
    const Triangle ta = triangle_a(i), tb = triangle_b(j);
    const double bound = bound_pairs_ ? bound_of(ta, tb) : pair.bound;
    const bool measured = !bound_pairs_ || !is_far(bound);
    if (measured) measure(i, ta, j, tb);
    leave(pair.a, pair.b);
    if constexpr (Told) teller_.leaves(pair, i, j, std::max(bound, pair.bound), measured, r_);
    return true;
  }

  // The longer one is taken apart; a leaf stays whole while the other side descends. Without a
  // branch, which nobody could foretell.
  void split(const NodePair& pair, NodePair (&child)[2]) {
    const Volume& a = nodes_a_[pair.a];
    const Volume& b = nodes_b_[pair.b];
    const unsigned leaf_a = Hierarchy<Volume>::is_leaf(a) ? 1 : 0;
    const unsigned leaf_b = Hierarchy<Volume>::is_leaf(b) ? 1 : 0;
    const unsigned longer_a = a.length() >= b.length() ? 1 : 0;
    const bool split_a = (leaf_b | (longer_a & ~leaf_a)) != 0;
    child[0].a = pair.a + (split_a ? 1 : 0);
    child[0].b = pair.b + (split_a ? 0 : 1);
    child[1].a = split_a ? a.link : pair.a;
    child[1].b = split_a ? pair.b : b.link;
    const Volume* const of_a[2] = {nodes_a_ + child[0].a, nodes_a_ + child[1].a};
    const Volume* const of_b[2] = {nodes_b_ + child[0].b, nodes_b_ + child[1].b};
    double bound[2];
    r_.volume_tests += 2;
    lower_bounds(of_a, of_b, placement_, bound);
    // A bound never falls on the way down.
    for (int i = 0; i < 2; ++i) child[i].bound = std::max(pair.bound, bound[i]);
    if constexpr (Told) teller_.split(pair, child, r_);
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
    want(d);
  }

  void depth_first(const NodePair& root, Strategy strategy) {
    NodePair stack[kStack];
    int size = 0;
    stack[size++] = root;
    while (size > 0) {
      const NodePair pair = stack[--size];
      if (settled(pair) || capped(pair) || take_leaves(pair)) continue;
      if (strategy == Strategy::representatives) meet_representatives(pair);
      NodePair child[2];
      split(pair, child);
      // Without a branch, which nobody could foretell.
      const int first = static_cast<int>(strategy == Strategy::greedy) &
                        (child[1].bound < child[0].bound ? 1 : 0);
      stack[size++] = child[1 - first];
      stack[size++] = child[first];
    }
  }

  void best_first(const NodePair& root) {
    NodeQueue queue;
    const auto keep = [&](const NodePair& pair) {
      if (queue.full()) {
        depth_first(pair, Strategy::greedy);
      } else {
        queue.push(pair);
      }
    };
    keep(root);
    while (!queue.empty()) {
      NodePair pair = queue.pop();
      if (settled(pair) || capped(pair)) continue;
      // The nearer child is gone on with at once as long as nothing is nearer, and the first time
      // down to the triangles: their distance keeps others out of the queue.
      while (!take_leaves(pair)) {
        NodePair child[2];
        split(pair, child);
        const int near = child[1].bound < child[0].bound ? 1 : 0;
        if (!settled(child[1 - near])) keep(child[1 - near]);
        if (settled(child[near])) break;
        if (r_.triangle_tests > 0 && !queue.is_least(child[near].bound)) {
          keep(child[near]);
          break;
        }
        pair = child[near];
      }
      queue.scale(r_.upper);
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
  std::int64_t most_tests_, steps_ = 0;
  std::conditional_t<Told, SearchTeller, Silence> teller_;
  bool bound_pairs_ = true;
  MeshFront* front_ = nullptr;
  Vec3 apart_along_;  ///< where the last two triangles were found apart, of any length
  double rounding_ = 0.0;
  double wanted_ = std::numeric_limits<double>::infinity();
  double least_left_ = std::numeric_limits<double>::infinity();
  MeshDistance r_;
};

}  // namespace

std::string_view to_string(Strategy strategy) {
  constexpr std::string_view kNames[] = {"auto",   "naive",     "depth_first", "representatives",
                                         "greedy", "best_first"};
  return detail::name_in(kNames, strategy);
}

namespace {

template <class Volume, bool Told = false>
MeshDistance find(const TriangleMesh& mesh_a, const Hierarchy<Volume>& tree_a, const Pose& pose_a,
                  const TriangleMesh& mesh_b, const Hierarchy<Volume>& tree_b, const Pose& pose_b,
                  const MeshDistanceOptions& options, MeshPairCache* cache, MeshFront* front,
                  bool bound_pairs = true, SearchObserver* observer = nullptr) {
  Search<Volume, Told> search(mesh_a, tree_a, mesh_b, tree_b, relative(pose_a, pose_b), options,
                              observer);
  if (!bound_pairs) search.without_pair_bound();
  MeshDistance& r = search.run(cache, front);
  r.point_a = pose_a.to_world(search.to_a(r.point_a));
  r.point_b = pose_a.to_world(search.to_a(r.point_b));
  r.normal = pose_a.direction_to_world(r.normal);
  return r;
}

}  // namespace

template <class Volume>
MeshDistance mesh_distance_by(const TriangleMesh& mesh_a, const Hierarchy<Volume>& tree_a,
                              const Pose& pose_a, const TriangleMesh& mesh_b,
                              const Hierarchy<Volume>& tree_b, const Pose& pose_b,
                              const MeshDistanceOptions& options, MeshPairCache* cache) {
  return find(mesh_a, tree_a, pose_a, mesh_b, tree_b, pose_b, options, cache, nullptr);
}

template <class Volume>
MeshDistance mesh_distance_without_pair_bound(const TriangleMesh& mesh_a,
                                              const Hierarchy<Volume>& tree_a, const Pose& pose_a,
                                              const TriangleMesh& mesh_b,
                                              const Hierarchy<Volume>& tree_b, const Pose& pose_b,
                                              const MeshDistanceOptions& options) {
  return find(mesh_a, tree_a, pose_a, mesh_b, tree_b, pose_b, options, nullptr, nullptr, false);
}

// For each kind of volume.
#define TACTUS_MESH_DISTANCE(Volume)                                                      \
  template MeshDistance mesh_distance_by(                                                 \
      const TriangleMesh&, const Hierarchy<Volume>&, const Pose&, const TriangleMesh&,    \
      const Hierarchy<Volume>&, const Pose&, const MeshDistanceOptions&, MeshPairCache*); \
  template MeshDistance mesh_distance_without_pair_bound(                                 \
      const TriangleMesh&, const Hierarchy<Volume>&, const Pose&, const TriangleMesh&,    \
      const Hierarchy<Volume>&, const Pose&, const MeshDistanceOptions&);
TACTUS_MESH_DISTANCE(OrientedBox)
TACTUS_MESH_DISTANCE(AlignedBox)
TACTUS_MESH_DISTANCE(Ball)
TACTUS_MESH_DISTANCE(Dop14)
TACTUS_MESH_DISTANCE(SweptRectangle)
#undef TACTUS_MESH_DISTANCE

MeshDistance mesh_distance(const MeshView& a, const Pose& pose_a, const MeshView& b,
                           const Pose& pose_b, const MeshDistanceOptions& options,
                           MeshPairCache* cache) {
  return find(a.mesh, a.tree, pose_a, b.mesh, b.tree, pose_b, options, cache, nullptr);
}

MeshDistance observed_mesh_distance(const MeshView& a, const Pose& pose_a, const MeshView& b,
                                    const Pose& pose_b, const MeshDistanceOptions& options,
                                    SearchObserver& observer) {
  return find<OrientedBox, true>(a.mesh, a.tree, pose_a, b.mesh, b.tree, pose_b, options, nullptr,
                                 nullptr, true, &observer);
}

MeshDistance mesh_distance(const MeshView& a, const Pose& pose_a, const MeshView& b,
                           const Pose& pose_b, MeshFront& front,
                           const MeshDistanceOptions& options) {
  MeshDistanceOptions automatic = options;
  automatic.strategy = Strategy::automatic;
  return find(a.mesh, a.tree, pose_a, b.mesh, b.tree, pose_b, automatic, &front.nearest, &front);
}

}  // namespace tactus::detail::bvh
