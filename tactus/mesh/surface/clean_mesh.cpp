#include "tactus/mesh/surface/clean_mesh.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "tactus/math/predicates.hpp"
#include "tactus/mesh/surface/topology.hpp"

namespace tactus::detail {
namespace {

bool lower(const Vec3& a, const Vec3& b) {
  return a.x != b.x ? a.x < b.x : a.y != b.y ? a.y < b.y : a.z < b.z;
}

// The first vertex with the same coordinates, for each.
std::size_t merge_vertices(TriangleMesh& mesh) {
  std::vector<std::uint32_t> order(mesh.vertices.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](std::uint32_t i, std::uint32_t j) {
    const Vec3 &a = mesh.vertices[i], &b = mesh.vertices[j];
    return lower(a, b) || (!lower(b, a) && i < j);
  });
  std::vector<std::uint32_t> first(mesh.vertices.size());
  std::size_t merged = 0;
  for (std::size_t k = 0; k < order.size(); ++k) {
    const bool same = k > 0 && mesh.vertices[order[k]] == mesh.vertices[order[k - 1]];
    first[order[k]] = same ? first[order[k - 1]] : order[k];
    merged += same ? 1 : 0;
  }
  for (auto& triangle : mesh.triangles) {
    for (std::uint32_t& index : triangle) index = first[index];
  }
  return merged;
}

bool has_area(const TriangleMesh& mesh, const std::array<std::uint32_t, 3>& t) {
  return t[0] != t[1] && t[1] != t[2] && t[2] != t[0] &&
         !collinear(mesh.vertices[t[0]], mesh.vertices[t[1]], mesh.vertices[t[2]]);
}

// Takes out triangles that have the vertices of an earlier one, in any order.
// Of triangles with the same corners, one of the sense that there is more of; one of either where
// there are as many: the two sides of a sheet without thickness. So winding numbers stay.
std::size_t drop_duplicates(TriangleMesh& mesh) {
  struct Key {
    std::array<std::uint32_t, 3> corners;
    std::size_t at;
    bool turned;
    bool operator<(const Key& o) const {
      return corners != o.corners ? corners < o.corners : at < o.at;
    }
  };
  std::vector<Key> keys;
  keys.reserve(mesh.triangles.size());
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    auto corners = mesh.triangles[t];
    std::rotate(corners.begin(), std::min_element(corners.begin(), corners.end()), corners.end());
    const bool turned = corners[1] > corners[2];
    if (turned) std::swap(corners[1], corners[2]);
    keys.push_back({corners, t, turned});
  }
  std::sort(keys.begin(), keys.end());
  std::vector<bool> repeated(mesh.triangles.size(), true);
  for (std::size_t first = 0, end = 0; first < keys.size(); first = end) {
    std::ptrdiff_t more = 0;
    for (end = first; end < keys.size() && keys[end].corners == keys[first].corners; ++end)
      more += keys[end].turned ? -1 : 1;
    bool keep[2] = {more >= 0, more <= 0};  // of those as they are, and those turned round
    for (std::size_t k = first; k < end; ++k) {
      bool& wanted = keep[keys[k].turned ? 1 : 0];
      repeated[keys[k].at] = !wanted;
      wanted = false;
    }
  }
  std::size_t kept = 0;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    if (!repeated[t]) mesh.triangles[kept++] = mesh.triangles[t];
  }
  const std::size_t dropped = mesh.triangles.size() - kept;
  mesh.triangles.resize(kept);
  return dropped;
}

std::size_t drop_unreferenced(TriangleMesh& mesh) {
  std::vector<std::uint32_t> place(mesh.vertices.size(), 0);
  for (const auto& triangle : mesh.triangles) {
    for (const std::uint32_t index : triangle) place[index] = 1;
  }
  std::uint32_t kept = 0;
  for (std::size_t v = 0; v < place.size(); ++v) {
    if (place[v] == 0) continue;
    mesh.vertices[kept] = mesh.vertices[v];
    place[v] = kept++;
  }
  const std::size_t dropped = mesh.vertices.size() - kept;
  mesh.vertices.resize(kept);
  for (auto& triangle : mesh.triangles) {
    for (std::uint32_t& index : triangle) index = place[index];
  }
  return dropped;
}

// Does the side run from the edge's lower vertex to its higher one, its triangle's turn counted?
bool forward(const TriangleMesh& mesh, const MeshTopology::Edge& edge, std::uint32_t side,
             bool turned) {
  return (mesh.triangles[side / 3][side % 3] == edge.tail) != turned;
}

}  // namespace

CleanReport clean_mesh(TriangleMesh& mesh) {
  CleanReport report;
  report.merged_vertices = merge_vertices(mesh);
  const std::size_t before = mesh.triangles.size();
  mesh.triangles.erase(
      std::remove_if(mesh.triangles.begin(), mesh.triangles.end(),
                     [&](const std::array<std::uint32_t, 3>& t) { return !has_area(mesh, t); }),
      mesh.triangles.end());
  report.degenerate_triangles = before - mesh.triangles.size();
  report.duplicate_triangles = drop_duplicates(mesh);
  report.unreferenced_vertices = drop_unreferenced(mesh) - report.merged_vertices;
  return report;
}

CleanReport orient_mesh(TriangleMesh& mesh) {
  CleanReport report;
  const MeshTopology topology = make_topology(mesh);
  const std::size_t count = mesh.triangles.size();
  std::vector<bool> seen(count, false), turned(count, false);
  for (std::uint32_t start = 0; start < count; ++start) {
    if (seen[start]) continue;
    // A patch: what is joined by edges of two sides.
    std::vector<std::uint32_t> patch{start};
    seen[start] = true;
    bool closed = true;
    for (std::size_t i = 0; i < patch.size(); ++i) {
      const std::uint32_t t = patch[i];
      for (std::uint32_t side = 3 * t; side < 3 * t + 3; ++side) {
        const MeshTopology::Edge& edge = topology.edges[topology.edge_of_side[side]];
        closed = closed && edge.count == 2;
        if (edge.count != 2) continue;
        const auto sides = topology.sides_of(edge);
        const std::uint32_t other = sides[0] == side ? sides[1] : sides[0];
        if (seen[other / 3]) continue;
        seen[other / 3] = true;
        turned[other / 3] =
            forward(mesh, edge, other, false) == forward(mesh, edge, side, turned[t]);
        patch.push_back(other / 3);
      }
    }
    // Six times the volume about a corner of the patch.
    const Vec3 origin = mesh.vertices[mesh.triangles[start][0]];
    double volume = 0.0;
    for (const std::uint32_t t : patch) {
      auto& corners = mesh.triangles[t];
      if (turned[t]) std::swap(corners[1], corners[2]);
      report.turned_triangles += turned[t] ? 1 : 0;
      volume += dot(mesh.vertices[corners[0]] - origin,
                    cross(mesh.vertices[corners[1]] - origin, mesh.vertices[corners[2]] - origin));
    }
    if (closed && volume < 0.0) {
      ++report.turned_components;
      for (const std::uint32_t t : patch) std::swap(mesh.triangles[t][1], mesh.triangles[t][2]);
    }
  }
  return report;
}

}  // namespace tactus::detail
