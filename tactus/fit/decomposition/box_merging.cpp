#include "tactus/fit/decomposition/box_merging.hpp"

#include <algorithm>
#include <limits>
#include <set>

#include "tactus/core.hpp"
#include "tactus/mesh/surface/topology.hpp"

namespace tactus::detail::fit {
namespace {

struct Box {
  Vec3 lower, upper;
  double volume() const {
    const Vec3 size = upper - lower;
    return size.x * size.y * size.z;
  }
};

Box about(const Box& a, const Box& b) {
  return {component_min(a.lower, b.lower), component_max(a.upper, b.upper)};
}

struct Proposal {
  double excess;
  std::uint32_t a, b;
  friend bool operator<(const Proposal& x, const Proposal& y) {
    if (x.excess != y.excess) return x.excess < y.excess;
    return x.a != y.a ? x.a < y.a : x.b < y.b;
  }
};

/// Groups are named by one of their triangles: the one of the larger neighbourhood's group, so that
/// little is moved.
class Groups {
 public:
  explicit Groups(const TriangleMesh& mesh) : partners_(mesh.triangles.size()) {
    for (const auto& [a, b, c] : mesh.triangles) {
      const Vec3 &p = mesh.vertices[a], &q = mesh.vertices[b], &r = mesh.vertices[c];
      boxes_.push_back(
          {component_min(component_min(p, q), r), component_max(component_max(p, q), r)});
    }
    alive_.assign(boxes_.size(), true);
    const MeshTopology topology = make_topology(mesh);
    for (std::uint32_t v = 0; v < mesh.vertices.size(); ++v) {
      const auto around = topology.triangles_at(v);
      for (std::size_t i = 0; i < around.size(); ++i) {
        for (std::size_t j = i + 1; j < around.size(); ++j) link(around[i], around[j]);
      }
    }
  }

  /// The two groups that are joined next, the second into the first; false when none touch.
  bool next(std::pair<std::uint32_t, std::uint32_t>& pair) {
    while (!queue_.empty()) {
      const Proposal best = *queue_.begin();
      queue_.erase(queue_.begin());
      // Boxes have grown since: such a pair has been proposed anew.
      if (!alive_[best.a] || !alive_[best.b] || best.excess != excess(best.a, best.b)) continue;
      pair = {best.a, best.b};
      if (partners_[best.a].size() < partners_[best.b].size()) std::swap(pair.first, pair.second);
      return true;
    }
    return false;
  }

  void join(std::uint32_t into, std::uint32_t other) {
    alive_[other] = false;
    boxes_[into] = about(boxes_[into], boxes_[other]);
    partners_[into].erase(other);
    for (const std::uint32_t p : partners_[other]) {
      partners_[p].erase(other);
      if (p == into) continue;
      partners_[p].insert(into);
      partners_[into].insert(p);
    }
    partners_[other].clear();
    for (const std::uint32_t p : partners_[into]) propose(into, p);
  }

  void link_all() {
    for (std::uint32_t a = 0; a < alive_.size(); ++a) {
      for (std::uint32_t b = a + 1; alive_[a] && b < alive_.size(); ++b) {
        if (alive_[b]) link(a, b);
      }
    }
  }

 private:
  double excess(std::uint32_t a, std::uint32_t b) const {
    return about(boxes_[a], boxes_[b]).volume() - (boxes_[a].volume() + boxes_[b].volume());
  }
  void propose(std::uint32_t a, std::uint32_t b) {
    queue_.insert({excess(std::min(a, b), std::max(a, b)), std::min(a, b), std::max(a, b)});
  }
  void link(std::uint32_t a, std::uint32_t b) {
    if (!partners_[a].insert(b).second) return;
    partners_[b].insert(a);
    propose(a, b);
  }

  std::vector<Box> boxes_;
  std::vector<bool> alive_;
  std::vector<std::set<std::uint32_t>> partners_;
  std::set<Proposal> queue_;
};

}  // namespace

BoxMerging::BoxMerging(const TriangleMesh& mesh,
                       const std::function<bool(std::size_t groups)>& go_on)
    : mesh_(mesh) {
  constexpr std::size_t kAsk = 64;
  Groups groups(mesh);
  bool linked_all = false;
  while (fewest() > 1) {
    if (fewest() % kAsk == 0 && !go_on(fewest())) return;
    std::pair<std::uint32_t, std::uint32_t> pair;
    if (groups.next(pair)) {
      groups.join(pair.first, pair.second);
      joins_.push_back(pair);
      continue;
    }
    if (linked_all) return;
    groups.link_all();
    linked_all = true;
  }
}

std::vector<ConvexHull> BoxMerging::hulls(std::size_t groups, int threads) const {
  const std::size_t count = mesh_.triangles.size();
  std::vector<std::uint32_t> root(count);
  for (std::uint32_t t = 0; t < count; ++t) root[t] = t;
  const auto find = [&](std::uint32_t t) {
    while (root[t] != t) t = root[t] = root[root[t]];
    return t;
  };
  for (std::size_t i = 0; i < joins_.size() && count - i > groups; ++i)
    root[find(joins_[i].second)] = find(joins_[i].first);
  std::vector<std::uint32_t> place(count, std::numeric_limits<std::uint32_t>::max());
  std::vector<std::vector<Vec3>> points;
  for (std::uint32_t t = 0; t < count; ++t) {
    std::uint32_t& at = place[find(t)];
    if (at == std::numeric_limits<std::uint32_t>::max()) {
      at = static_cast<std::uint32_t>(points.size());
      points.emplace_back();
    }
    for (const std::uint32_t v : mesh_.triangles[t]) points[at].push_back(mesh_.vertices[v]);
  }
  std::vector<ConvexHull> hulls(points.size());
  parallel_for(
      points.size(), 8,
      [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) hulls[i] = convex_hull(points[i]);
      },
      threads);
  return hulls;
}

}  // namespace tactus::detail::fit
