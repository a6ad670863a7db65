#include "tactus/soft/model/model.hpp"

#include <algorithm>
#include <limits>

namespace tactus::detail {

void SoftModel::add_body(const Structure& s, double body_friction) {
  const auto base = static_cast<std::uint32_t>(masses.size());
  const auto body = static_cast<std::uint32_t>(stiffness.size());
  masses.insert(masses.end(), s.masses.begin(), s.masses.end());
  surfaces.body_of.resize(masses.size(), body);
  for (TetrahedronElement e : s.tetrahedra) {
    for (std::uint32_t& v : e.vertices) v += base;
    tetrahedra.push_back(e);
  }
  for (TieElement t : s.ties) {
    for (int k = 0; k < t.count; ++k) t.vertices[static_cast<std::size_t>(k)] += base;
    ties.push_back(t);
  }
  for (const auto& f : s.surface) surfaces.faces.push_back({f[0] + base, f[1] + base, f[2] + base});
  for (const auto& e : s.edges) surfaces.edges.push_back({e[0] + base, e[1] + base});
  stiffness.push_back(s.stiffness);
  friction.push_back(body_friction);
  surfaces.first_obstacle = body + 1;
}

void SoftModel::finish_bodies() {
  free_vertices = masses.size();
  const std::size_t n = free_vertices;
  corner_first.assign(n + 1, 0);
  tie_first.assign(n + 1, 0);
  for (const TetrahedronElement& e : tetrahedra) {
    for (const std::uint32_t v : e.vertices) ++corner_first[v + 1];
  }
  for (const TieElement& t : ties) {
    for (int k = 0; k < t.count; ++k) ++tie_first[t.vertices[static_cast<std::size_t>(k)] + 1];
  }
  for (std::size_t i = 0; i < n; ++i) {
    corner_first[i + 1] += corner_first[i];
    tie_first[i + 1] += tie_first[i];
  }
  corners.resize(corner_first[n]);
  tie_corners.resize(tie_first[n]);
  std::vector<std::uint32_t> next(corner_first.begin(), corner_first.end() - 1);
  for (const TetrahedronElement& e : tetrahedra) {
    for (int k = 0; k < 4; ++k)
      corners[next[e.vertices[static_cast<std::size_t>(k)]]++] = corner_of(e, k);
  }
  next.assign(tie_first.begin(), tie_first.end() - 1);
  for (std::uint32_t i = 0; i < ties.size(); ++i) {
    for (int k = 0; k < ties[i].count; ++k)
      tie_corners[next[ties[i].vertices[static_cast<std::size_t>(k)]]++] = {i, k};
  }
  for (std::uint32_t v = 0; v < n; ++v) {
    std::vector<std::uint32_t> mine;
    for (std::uint32_t c = corner_first[v]; c < corner_first[v + 1]; ++c)
      mine.insert(mine.end(), corners[c].others.begin(), corners[c].others.end());
    for (std::uint32_t c = tie_first[v]; c < tie_first[v + 1]; ++c) {
      const TieElement& t = ties[tie_corners[c].tie];
      mine.insert(mine.end(), t.vertices.begin(), t.vertices.begin() + t.count);
    }
    std::sort(mine.begin(), mine.end());
    mine.erase(std::unique(mine.begin(), mine.end()), mine.end());
    for (const std::uint32_t j : mine) {
      if (j != v) neighbors.items.push_back(j);
    }
    neighbors.first.push_back(static_cast<std::uint32_t>(neighbors.items.size()));
  }
  colors = color_vertices(n, [&](std::uint32_t i, const auto& take) {
    for (const std::uint32_t j : neighbors.of(i)) take(j);
  });
  std::vector<bool> used(n, false);
  for (const auto& f : surfaces.faces) used[f[0]] = used[f[1]] = used[f[2]] = true;
  for (std::uint32_t i = 0; i < n; ++i) {
    if (used[i]) surfaces.vertices.push_back(i);
    surfaces.kept_out.push_back(i);
  }
}

void SoftModel::add_obstacle(const TriangleMesh& mesh, double body_friction) {
  const auto base = static_cast<std::uint32_t>(surfaces.body_of.size());
  const auto body = static_cast<std::uint32_t>(stiffness.size());
  surfaces.body_of.resize(base + mesh.vertices.size(), body);
  std::vector<std::array<std::uint32_t, 2>> edges;
  std::vector<bool> used(mesh.vertices.size(), false);
  for (const auto& f : mesh.triangles) {
    surfaces.faces.push_back({f[0] + base, f[1] + base, f[2] + base});
    for (std::size_t k = 0; k < 3; ++k) {
      const auto [low, high] = std::minmax(f[k], f[(k + 1) % 3]);
      edges.push_back({low + base, high + base});
      used[f[k]] = true;
    }
  }
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  surfaces.edges.insert(surfaces.edges.end(), edges.begin(), edges.end());
  for (std::uint32_t i = 0; i < used.size(); ++i) {
    if (used[i]) surfaces.vertices.push_back(base + i);
  }
  stiffness.push_back(std::numeric_limits<double>::infinity());
  friction.push_back(body_friction);
}

void SoftModel::add_floor(const Vec3& normal, double offset, double body_friction) {
  surfaces.floors.push_back({normal, offset, static_cast<std::uint32_t>(stiffness.size())});
  stiffness.push_back(std::numeric_limits<double>::infinity());
  friction.push_back(body_friction);
}

}  // namespace tactus::detail
