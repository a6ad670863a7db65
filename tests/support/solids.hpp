#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "tactus/mesh.hpp"

namespace tactus::detail::test {

using GridCell = std::array<int, 3>;

/// The surface of a union of cells of a grid whose planes lie at `at[axis][i]`: closed and outward;
/// vertices are shared, so that edges may have four triangles.
inline TriangleMesh grid_mesh(const std::set<GridCell>& cells,
                              const std::array<std::vector<double>, 3>& at) {
  TriangleMesh mesh;
  std::map<GridCell, std::uint32_t> number;
  const auto vertex = [&](const GridCell& p) {
    const auto [place, added] =
        number.try_emplace(p, static_cast<std::uint32_t>(mesh.vertices.size()));
    if (added) {
      mesh.vertices.push_back({at[0][static_cast<std::size_t>(p[0])],
                               at[1][static_cast<std::size_t>(p[1])],
                               at[2][static_cast<std::size_t>(p[2])]});
    }
    return place->second;
  };
  for (const GridCell& cell : cells) {
    for (std::size_t k = 0; k < 3; ++k) {
      for (const int side : {0, 1}) {
        GridCell beside = cell;
        beside[k] += side == 0 ? -1 : 1;
        if (cells.count(beside) > 0) continue;
        std::array<std::uint32_t, 4> v{};
        for (std::size_t i = 0; i < 4; ++i) {
          GridCell p = cell;
          p[k] += side;
          p[(k + 1) % 3] += i == 1 || i == 2 ? 1 : 0;
          p[(k + 2) % 3] += i > 1 ? 1 : 0;
          v[side == 1 ? i : 3 - i] = vertex(p);
        }
        mesh.triangles.push_back({v[0], v[1], v[2]});
        mesh.triangles.push_back({v[0], v[2], v[3]});
      }
    }
  }
  return mesh;
}

/// Planes at the whole numbers.
inline std::array<std::vector<double>, 3> unit_grid(int size) {
  std::array<std::vector<double>, 3> at;
  for (int i = 0; i <= size; ++i) {
    for (auto& axis : at) axis.push_back(i);
  }
  return at;
}

/// The prism over a simple counter-clockwise polygon, from z = 0 to `height`, its lids cut into
/// triangles by taking off ears.
inline TriangleMesh extruded_mesh(const std::vector<std::array<double, 2>>& outline,
                                  double height) {
  TriangleMesh mesh;
  const auto n = static_cast<std::uint32_t>(outline.size());
  for (const double z : {0.0, height}) {
    for (const auto& p : outline) mesh.vertices.push_back({p[0], p[1], z});
  }
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint32_t j = (i + 1) % n;
    mesh.triangles.push_back({i, j, j + n});
    mesh.triangles.push_back({i, j + n, i + n});
  }
  const auto turn = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    const auto &p = outline[a], &q = outline[b], &r = outline[c];
    return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]);
  };
  std::vector<std::uint32_t> left;
  for (std::uint32_t i = 0; i < n; ++i) left.push_back(i);
  const auto add = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    mesh.triangles.push_back({a, c, b});
    mesh.triangles.push_back({a + n, b + n, c + n});
  };
  while (left.size() > 3) {
    const std::size_t before = left.size();
    for (std::size_t k = 0; k < left.size(); ++k) {
      const std::uint32_t a = left[(k + left.size() - 1) % left.size()], b = left[k],
                          c = left[(k + 1) % left.size()];
      bool ear = turn(a, b, c) > 1e-12;
      for (const std::uint32_t p : left) {
        if (p == a || p == b || p == c) continue;
        ear = ear && !(turn(a, b, p) >= 0.0 && turn(b, c, p) >= 0.0 && turn(c, a, p) >= 0.0);
      }
      if (!ear) continue;
      add(a, b, c);
      left.erase(left.begin() + static_cast<std::ptrdiff_t>(k));
      break;
    }
    if (left.size() == before) return {};
  }
  add(left[0], left[1], left[2]);
  return mesh;
}

/// A wheel with teeth that become narrower outwards by `taper`.
inline TriangleMesh gear_mesh(int teeth, double taper) {
  constexpr double kTurn = 6.283185307179586;
  std::vector<std::array<double, 2>> outline;
  for (int i = 0; i < teeth; ++i) {
    const double middle = kTurn * i / teeth, half = kTurn / teeth * 0.25;
    for (const auto& [radius, angle] :
         {std::pair{0.75, -half}, {1.0, -half * taper}, {1.0, half * taper}, {0.75, half}})
      outline.push_back({radius * std::cos(middle + angle), radius * std::sin(middle + angle)});
  }
  return extruded_mesh(outline, 0.3);
}

}  // namespace tactus::detail::test
