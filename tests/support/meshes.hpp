#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <utility>

#include "tactus/core/random.hpp"
#include "tactus/mesh.hpp"

namespace tactus::detail::test {

/// The cube from -1 to 1, two triangles a side.
inline TriangleMesh cube_mesh() {
  return {{{-1, -1, -1},
           {-1, -1, 1},
           {-1, 1, -1},
           {-1, 1, 1},
           {1, -1, -1},
           {1, -1, 1},
           {1, 1, -1},
           {1, 1, 1}},
          {{0, 1, 3},
           {0, 3, 2},
           {4, 6, 7},
           {4, 7, 5},
           {0, 4, 5},
           {0, 5, 1},
           {2, 3, 7},
           {2, 7, 6},
           {0, 2, 6},
           {0, 6, 4},
           {1, 5, 7},
           {1, 7, 3}}};
}

/// A regular octahedron whose triangles are cut into four `levels` times and blown up to the unit
/// sphere: 8 * 4^levels triangles, closed, outward.
inline TriangleMesh sphere_mesh(int levels) {
  TriangleMesh mesh;
  mesh.vertices = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  mesh.triangles = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4},
                    {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
  for (int level = 0; level < levels; ++level) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> halves;
    const auto half = [&](std::uint32_t i, std::uint32_t j) {
      const auto [place, added] =
          halves.try_emplace(std::minmax(i, j), static_cast<std::uint32_t>(mesh.vertices.size()));
      if (added) mesh.vertices.push_back(normalized(mesh.vertices[i] + mesh.vertices[j]));
      return place->second;
    };
    TriangleMesh finer;
    for (const auto& [a, b, c] : mesh.triangles) {
      const std::uint32_t ab = half(a, b), bc = half(b, c), ca = half(c, a);
      finer.triangles.insert(finer.triangles.end(),
                             {{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}});
    }
    mesh.triangles = std::move(finer.triangles);
  }
  return mesh;
}

/// A sphere with bumps and dents: not convex, all triangles different.
inline TriangleMesh bumpy_mesh(int levels, double height, Random& random) {
  TriangleMesh mesh = sphere_mesh(levels);
  for (Vec3& v : mesh.vertices) v = v * (1.0 + height * random.uniform(-1.0, 1.0));
  return mesh;
}

/// A closed box of edge length 1 whose top and bottom are grids of n x n squares; the middle of the
/// top is lowered, so that it is not convex.
inline TriangleMesh dented_box_mesh(std::uint32_t n) {
  TriangleMesh mesh;
  const std::uint32_t row = n + 1, top = row * row;
  for (const double z : {-0.5, 0.5}) {
    for (std::uint32_t j = 0; j <= n; ++j) {
      for (std::uint32_t i = 0; i <= n; ++i) {
        const double x = static_cast<double>(i) / n - 0.5, y = static_cast<double>(j) / n - 0.5;
        const bool dent = z > 0.0 && std::max(std::fabs(x), std::fabs(y)) < 0.25;
        mesh.vertices.push_back({x, y, dent ? 0.3 : z});
      }
    }
  }
  for (std::uint32_t j = 0; j < n; ++j) {
    for (std::uint32_t i = 0; i < n; ++i) {
      const std::uint32_t a = j * row + i, b = a + top;
      mesh.triangles.push_back({a, a + row + 1, a + 1});
      mesh.triangles.push_back({a, a + row, a + row + 1});
      mesh.triangles.push_back({b, b + 1, b + row + 1});
      mesh.triangles.push_back({b, b + row + 1, b + row});
    }
    // Along the four sides.
    const std::uint32_t side[4][2] = {{j, j + 1},
                                      {j * row + n, (j + 1) * row + n},
                                      {n * row + j + 1, n * row + j},
                                      {(j + 1) * row, j * row}};
    for (const auto& [a, b] : side) {
      mesh.triangles.push_back({a, b, b + top});
      mesh.triangles.push_back({a, b + top, a + top});
    }
  }
  return mesh;
}

/// A ring about z: radius 1 to the middle of the tube, `tube` of the tube.
inline TriangleMesh torus_mesh(std::uint32_t around, std::uint32_t across, double tube) {
  constexpr double kTurn = 6.283185307179586;
  TriangleMesh mesh;
  for (std::uint32_t i = 0; i < around; ++i) {
    const double u = kTurn * i / around;
    for (std::uint32_t j = 0; j < across; ++j) {
      const double v = kTurn * j / across;
      const double r = 1.0 + tube * std::cos(v);
      mesh.vertices.push_back({r * std::cos(u), r * std::sin(u), tube * std::sin(v)});
    }
  }
  const auto at = [&](std::uint32_t i, std::uint32_t j) {
    return (i % around) * across + j % across;
  };
  for (std::uint32_t i = 0; i < around; ++i) {
    for (std::uint32_t j = 0; j < across; ++j) {
      mesh.triangles.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
      mesh.triangles.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
    }
  }
  return mesh;
}

}  // namespace tactus::detail::test
