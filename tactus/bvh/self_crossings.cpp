#include "tactus/bvh/self_crossings.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "tactus/core/cancellation.hpp"
#include "tactus/mesh/surface/topology.hpp"
#include "tactus/mesh/surface/triangle_meet.hpp"

namespace tactus::detail::bvh {
namespace {

using Tree = Hierarchy<OrientedBox>;
using Corners = std::array<std::uint32_t, 3>;

// Corners of more triangles than this are hubs, but no more than so many of them: each pair of hubs
// costs a look.
constexpr std::uint32_t kManyTriangles = 64;
constexpr std::size_t kMostHubs = 1024;
constexpr std::uint32_t kNone = 0xffffffffu;

/// Each triangle's corners by the first vertex at their places.
std::vector<Corners> places_of(const TriangleMesh& mesh) {
  const std::vector<std::uint32_t> first = first_at_place(mesh);
  std::vector<Corners> corners;
  corners.reserve(mesh.triangles.size());
  for (const auto& t : mesh.triangles) corners.push_back({first[t[0]], first[t[1]], first[t[2]]});
  return corners;
}

bool holds(const Corners& corners, std::uint32_t place) {
  return std::find(corners.begin(), corners.end(), place) != corners.end();
}

// Corners that both triangles have; the others of `a` become kNone.
Corners common(const Corners& a, const Corners& b) {
  Corners both = a;
  for (std::uint32_t& place : both) {
    if (!holds(b, place)) place = kNone;
  }
  return both;
}

bool meet_in_a_corner(const Corners& a, const Corners& b) {
  return std::any_of(a.begin(), a.end(),
                     [&](std::uint32_t place) { return place != kNone && holds(b, place); });
}

/// Some triangles of the surface, with a hierarchy and the corners that all triangles of a node
/// have in common.
struct Part {
  TriangleMesh mesh;
  std::vector<std::uint32_t> source;  ///< of its triangles
  Tree tree;
  std::vector<Corners> shared;  ///< of each node

  Part(TriangleMesh surface, std::vector<std::uint32_t> from, const std::vector<Corners>& corners)
      : mesh(std::move(surface)), source(std::move(from)), tree(mesh), shared(tree.nodes().size()) {
    const auto& nodes = tree.nodes();
    for (std::size_t i = nodes.size(); i-- > 0;) {
      shared[i] = Tree::is_leaf(nodes[i]) ? corners[source[Tree::triangle(nodes[i])]]
                                          : common(shared[i + 1], shared[nodes[i].link]);
    }
  }

  Triangle triangle(std::uint32_t i) const {
    const auto& t = mesh.triangles[i];
    return {{mesh.vertices[t[0]], mesh.vertices[t[1]], mesh.vertices[t[2]]}};
  }
};

/// The triangles round each hub, and the others first.
std::vector<Part> parts_of(const TriangleMesh& mesh, const std::vector<Corners>& corners) {
  std::vector<std::uint32_t> degree(mesh.vertices.size(), 0), hubs;
  for (const Corners& c : corners) {
    for (const std::uint32_t place : c) ++degree[place];
  }
  for (std::uint32_t v = 0; v < degree.size(); ++v) {
    if (degree[v] > kManyTriangles) hubs.push_back(v);
  }
  std::sort(hubs.begin(), hubs.end(), [&](std::uint32_t i, std::uint32_t j) {
    return std::pair(degree[j], i) < std::pair(degree[i], j);
  });
  if (hubs.size() > kMostHubs) hubs.resize(kMostHubs);
  std::vector<std::uint32_t> rank(mesh.vertices.size(), kNone);
  for (std::uint32_t h = 0; h < hubs.size(); ++h) rank[hubs[h]] = h;
  std::vector<std::vector<std::uint32_t>> groups(hubs.size() + 1);
  for (std::uint32_t t = 0; t < corners.size(); ++t) {
    const std::uint32_t best =
        std::min({rank[corners[t][0]], rank[corners[t][1]], rank[corners[t][2]]});
    groups[best == kNone ? 0 : best + 1].push_back(t);
  }
  std::vector<std::uint32_t> name(mesh.vertices.size(), kNone);
  std::vector<Part> parts;
  for (std::vector<std::uint32_t>& group : groups) {
    if (group.empty()) continue;
    TriangleMesh surface;
    std::vector<std::uint32_t> used;
    for (const std::uint32_t t : group) {
      auto& triangle = surface.triangles.emplace_back();
      for (std::size_t k = 0; k < 3; ++k) {
        const std::uint32_t v = mesh.triangles[t][k];
        if (name[v] == kNone) {
          name[v] = static_cast<std::uint32_t>(surface.vertices.size());
          surface.vertices.push_back(mesh.vertices[v]);
          used.push_back(v);
        }
        triangle[k] = name[v];
      }
    }
    for (const std::uint32_t v : used) name[v] = kNone;
    parts.emplace_back(std::move(surface), std::move(group), corners);
  }
  return parts;
}

/// Compares two parts, or one with itself.
class Comparison {
 public:
  Comparison(const Part& a, const Part& b, std::vector<TrianglePair>& found)
      : a_(a),
        b_(b),
        placement_(Mat3::identity(), b.tree.middle() - a.tree.middle(), a.tree.reach(),
                   b.tree.reach()),
        found_(found) {}

  std::int64_t run() {
    const auto &nodes_a = a_.tree.nodes(), &nodes_b = b_.tree.nodes();
    const bool itself = &a_ == &b_;
    std::int64_t looked = 0;
    std::vector<TrianglePair> open{{0, 0}};
    while (!open.empty()) {
      const TrianglePair pair = open.back();
      open.pop_back();
      if (++looked % kVisitsUnasked == 0) end_if_cancelled();
      if (meet_in_a_corner(a_.shared[pair.a], b_.shared[pair.b])) continue;
      const OrientedBox &u = nodes_a[pair.a], &v = nodes_b[pair.b];
      if (itself && pair.a == pair.b) {
        if (Tree::is_leaf(u)) continue;
        const std::uint32_t left = pair.a + 1, right = u.link;
        for (const TrianglePair& next :
             {TrianglePair{left, left}, TrianglePair{right, right}, TrianglePair{left, right}})
          open.push_back(next);
        continue;
      }
      if (lower_bound(u, v, placement_) > 0.0) continue;
      const bool leaf_a = Tree::is_leaf(u), leaf_b = Tree::is_leaf(v);
      if (leaf_a && leaf_b) {
        compare(Tree::triangle(u), Tree::triangle(v));
        continue;
      }
      const bool split_a = leaf_b || (!leaf_a && u.length() >= v.length());
      open.push_back(split_a ? TrianglePair{u.link, pair.b} : TrianglePair{pair.a, v.link});
      open.push_back(split_a ? TrianglePair{pair.a + 1, pair.b} : TrianglePair{pair.a, pair.b + 1});
    }
    return looked;
  }

 private:
  void compare(std::uint32_t i, std::uint32_t j) {
    if (!triangles_meet(a_.triangle(i), b_.triangle(j))) return;
    const auto [low, high] = std::minmax(a_.source[i], b_.source[j]);
    found_.push_back({low, high});
  }

  const Part& a_;
  const Part& b_;
  Placement placement_;
  std::vector<TrianglePair>& found_;
};

}  // namespace

std::vector<TrianglePair> self_crossings(const TriangleMesh& mesh, std::int64_t* looked) {
  const std::vector<Part> parts = parts_of(mesh, places_of(mesh));
  std::vector<TrianglePair> found;
  std::int64_t count = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    for (std::size_t j = i; j < parts.size(); ++j)
      count += Comparison(parts[i], parts[j], found).run();
  }
  std::sort(found.begin(), found.end());
  if (looked != nullptr) *looked = count;
  return found;
}

}  // namespace tactus::detail::bvh
