#include "tactus/fit/decomposition/mesh_split.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

namespace tactus::detail::fit {
namespace {

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

/// One half in the making: vertices are numbered when a triangle needs them.
class Half {
 public:
  explicit Half(std::size_t vertices) : number_(vertices, kNone) {}

  std::uint32_t old_vertex(const TriangleMesh& mesh, std::uint32_t v) {
    if (number_[v] == kNone) {
      number_[v] = static_cast<std::uint32_t>(mesh_.vertices.size());
      mesh_.vertices.push_back(mesh.vertices[v]);
    }
    return number_[v];
  }
  std::uint32_t cut_vertex(std::pair<std::uint32_t, std::uint32_t> edge, const Vec3& at) {
    const auto [place, added] =
        cuts_.try_emplace(edge, static_cast<std::uint32_t>(mesh_.vertices.size()));
    if (added) mesh_.vertices.push_back(at);
    return place->second;
  }
  void add(const std::uint32_t* corner, int count) {
    for (int i = 2; i < count; ++i)
      mesh_.triangles.push_back({corner[0], corner[i - 1], corner[i]});
  }
  TriangleMesh take() { return std::move(mesh_); }

 private:
  TriangleMesh mesh_;
  std::vector<std::uint32_t> number_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> cuts_;
};

}  // namespace

SplitMesh split_mesh(const TriangleMesh& mesh, const Plane& plane, double tolerance) {
  std::vector<double> height(mesh.vertices.size());
  for (std::size_t v = 0; v < height.size(); ++v) {
    height[v] = dot(plane.normal, mesh.vertices[v]) - plane.offset;
    if (std::fabs(height[v]) <= tolerance) height[v] = 0.0;
  }
  Half below(height.size()), above(height.size());
  for (const auto& triangle : mesh.triangles) {
    const double h[3] = {height[triangle[0]], height[triangle[1]], height[triangle[2]]};
    if (h[0] <= 0.0 && h[1] <= 0.0 && h[2] <= 0.0) {
      std::uint32_t corner[3];
      for (int k = 0; k < 3; ++k) corner[k] = below.old_vertex(mesh, triangle[k]);
      below.add(corner, 3);
      continue;
    }
    if (h[0] >= 0.0 && h[1] >= 0.0 && h[2] >= 0.0) {
      std::uint32_t corner[3];
      for (int k = 0; k < 3; ++k) corner[k] = above.old_vertex(mesh, triangle[k]);
      above.add(corner, 3);
      continue;
    }
    std::uint32_t low[4], high[4];
    int lows = 0, highs = 0;
    for (int k = 0; k < 3; ++k) {
      const std::uint32_t v = triangle[k], w = triangle[(k + 1) % 3];
      const double hv = h[k], hw = h[(k + 1) % 3];
      if (hv <= 0.0) low[lows++] = below.old_vertex(mesh, v);
      if (hv >= 0.0) high[highs++] = above.old_vertex(mesh, v);
      if (hv == 0.0 || hw == 0.0 || (hv < 0.0) == (hw < 0.0)) continue;
      // The cut point is computed from the lower vertex number on: equal whichever way the edge is
      // walked.
      const auto edge = std::minmax(v, w);
      const double first = height[edge.first], second = height[edge.second];
      const Vec3 &p = mesh.vertices[edge.first], &q = mesh.vertices[edge.second];
      const Vec3 at = p + (q - p) * (first / (first - second));
      low[lows++] = below.cut_vertex(edge, at);
      high[highs++] = above.cut_vertex(edge, at);
    }
    below.add(low, lows);
    above.add(high, highs);
  }
  return {below.take(), above.take()};
}

std::vector<TriangleMesh> connected_parts(const TriangleMesh& mesh) {
  std::vector<std::uint32_t> root(mesh.vertices.size());
  for (std::uint32_t v = 0; v < root.size(); ++v) root[v] = v;
  const auto find = [&](std::uint32_t v) {
    while (root[v] != v) v = root[v] = root[root[v]];
    return v;
  };
  for (const auto& [a, b, c] : mesh.triangles) {
    const std::uint32_t ra = find(a);
    root[find(b)] = ra;
    root[find(c)] = ra;
  }
  std::vector<std::uint32_t> part(mesh.vertices.size(), kNone), number(mesh.vertices.size(), kNone);
  std::vector<TriangleMesh> parts;
  for (const auto& triangle : mesh.triangles) {
    const std::uint32_t r = find(triangle[0]);
    if (part[r] == kNone) {
      part[r] = static_cast<std::uint32_t>(parts.size());
      parts.emplace_back();
    }
    TriangleMesh& out = parts[part[r]];
    std::array<std::uint32_t, 3> corner{};
    for (std::size_t k = 0; k < 3; ++k) {
      std::uint32_t& n = number[triangle[k]];
      if (n == kNone) {
        n = static_cast<std::uint32_t>(out.vertices.size());
        out.vertices.push_back(mesh.vertices[triangle[k]]);
      }
      corner[k] = n;
    }
    out.triangles.push_back(corner);
  }
  return parts;
}

}  // namespace tactus::detail::fit
