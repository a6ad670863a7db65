#include "tactus/mesh/surface/topology.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <tuple>

namespace tactus::detail {
namespace {

struct Side {
  std::uint32_t low, high, side;
  bool operator<(const Side& o) const {
    return low != o.low ? low < o.low : high != o.high ? high < o.high : side < o.side;
  }
};

std::uint32_t tail_of(const TriangleMesh& mesh, std::uint32_t side) {
  return mesh.triangles[side / 3][side % 3];
}

// Smallest triangle that is joined to t, with the paths halved on the way.
std::uint32_t root_of(std::vector<std::uint32_t>& parent, std::uint32_t t) {
  while (parent[t] != t) t = parent[t] = parent[parent[t]];
  return t;
}

void find_edges(const TriangleMesh& mesh, MeshTopology& out) {
  std::vector<Side> all;
  all.reserve(3 * mesh.triangles.size());
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    for (std::size_t k = 0; k < 3; ++k) {
      const auto [low, high] =
          std::minmax(mesh.triangles[t][k], mesh.triangles[t][k == 2 ? 0 : k + 1]);
      all.push_back({low, high, static_cast<std::uint32_t>(3 * t + k)});
    }
  }
  std::sort(all.begin(), all.end());
  out.sides.resize(all.size());
  out.edge_of_side.resize(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto at = static_cast<std::uint32_t>(i);
    if (i == 0 || all[i].low != all[i - 1].low || all[i].high != all[i - 1].high)
      out.edges.push_back({all[i].low, all[i].high, at, 0});
    ++out.edges.back().count;
    out.sides[i] = all[i].side;
    out.edge_of_side[all[i].side] = static_cast<std::uint32_t>(out.edges.size() - 1);
  }
  for (const MeshTopology::Edge& edge : out.edges) {
    if (edge.count == 1) ++out.boundary_edges;
    if (edge.count > 2) ++out.branching_edges;
    std::ptrdiff_t more = 0;
    for (const std::uint32_t side : out.sides_of(edge))
      more += tail_of(mesh, side) == edge.tail ? 1 : -1;
    if (more != 0) ++out.unbalanced_edges;
    if (edge.count == 2 &&
        tail_of(mesh, out.sides[edge.first]) == tail_of(mesh, out.sides[edge.first + 1])) {
      ++out.twisted_edges;
    }
  }
}

void find_components(const TriangleMesh& mesh, MeshTopology& out) {
  std::vector<std::uint32_t> parent(mesh.triangles.size());
  std::iota(parent.begin(), parent.end(), 0u);
  for (const MeshTopology::Edge& edge : out.edges) {
    const std::uint32_t a = root_of(parent, out.sides[edge.first] / 3);
    for (const std::uint32_t side : out.sides_of(edge)) {
      const std::uint32_t b = root_of(parent, side / 3);
      const std::uint32_t root = root_of(parent, a);
      if (b != root) parent[std::max(b, root)] = std::min(b, root);
    }
  }
  out.component.resize(parent.size());
  for (std::uint32_t t = 0; t < parent.size(); ++t) {
    const std::uint32_t root = root_of(parent, t);
    out.component[t] = root == t ? out.components++ : out.component[root];
  }
}

void find_stars(const TriangleMesh& mesh, MeshTopology& out) {
  out.vertex_first.assign(mesh.vertices.size() + 1, 0);
  // A degenerate triangle meets a vertex once, however often it names it.
  const auto each_corner = [&](auto&& visit) {
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
      const auto& [a, b, c] = mesh.triangles[t];
      visit(a, t);
      if (b != a) visit(b, t);
      if (c != a && c != b) visit(c, t);
    }
  };
  each_corner([&](std::uint32_t v, std::uint32_t) { ++out.vertex_first[v + 1]; });
  std::partial_sum(out.vertex_first.begin(), out.vertex_first.end(), out.vertex_first.begin());
  out.triangles_of.resize(out.vertex_first.back());
  std::vector<std::uint32_t> next(out.vertex_first.begin(), out.vertex_first.end() - 1);
  each_corner([&](std::uint32_t v, std::uint32_t t) { out.triangles_of[next[v]++] = t; });
}

}  // namespace

MeshTopology make_topology(const TriangleMesh& mesh) {
  MeshTopology out;
  find_edges(mesh, out);
  find_components(mesh, out);
  find_stars(mesh, out);
  return out;
}

std::vector<std::uint32_t> first_at_place(const TriangleMesh& mesh) {
  std::vector<std::uint32_t> order(mesh.vertices.size()), first(mesh.vertices.size());
  std::iota(order.begin(), order.end(), 0u);
  const auto place = [&](std::uint32_t i) {
    const Vec3& v = mesh.vertices[i];
    return std::tuple(v.x, v.y, v.z);
  };
  std::sort(order.begin(), order.end(), [&](std::uint32_t i, std::uint32_t j) {
    return place(i) != place(j) ? place(i) < place(j) : i < j;
  });
  for (std::size_t i = 0; i < order.size(); ++i) {
    const bool same = i > 0 && place(order[i]) == place(order[i - 1]);
    first[order[i]] = same ? first[order[i - 1]] : order[i];
  }
  return first;
}

}  // namespace tactus::detail
