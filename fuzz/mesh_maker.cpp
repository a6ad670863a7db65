#include "fuzz/mesh_maker.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "fuzz/random_values.hpp"
#include "tactus/core/constants.hpp"

namespace tactus::detail::fuzz {
namespace {

using Index = std::uint32_t;

void add_triangle(TriangleMesh& mesh, const Vec3& a, const Vec3& b, const Vec3& c) {
  const auto first = static_cast<Index>(mesh.vertices.size());
  mesh.vertices.insert(mesh.vertices.end(), {a, b, c});
  mesh.triangles.push_back({first, first + 1, first + 2});
}

/// Every triangle cut into four, new corners on the unit sphere.
TriangleMesh finer_ball(const TriangleMesh& mesh) {
  TriangleMesh finer;
  for (const auto& t : mesh.triangles) {
    const Vec3 a = mesh.vertices[t[0]], b = mesh.vertices[t[1]], c = mesh.vertices[t[2]];
    const Vec3 ab = normalized(a + b), bc = normalized(b + c), ca = normalized(c + a);
    add_triangle(finer, a, ab, ca);
    add_triangle(finer, ab, b, bc);
    add_triangle(finer, ca, bc, c);
    add_triangle(finer, ab, bc, ca);
  }
  return finer;
}

/// A ball with bumps and dents that are a function of the place, so that equal corners stay equal.
TriangleMesh bumpy_ball(Random& random) {
  TriangleMesh mesh;
  mesh.vertices = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  mesh.triangles = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4},
                    {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
  for (Index level = random.below(3); level > 0; --level) mesh = finer_ball(mesh);
  const double height = chance(random, 4) ? 0.0 : random.uniform(0.05, 0.6);
  const Vec3 wave = direction(random) * random.uniform(1.0, 8.0);
  for (Vec3& v : mesh.vertices) v = v * (0.5 + 0.5 * height * std::sin(dot(wave, v)));
  return mesh;
}

/// A ring about z.
TriangleMesh tube(Random& random) {
  const Index around = 3 + random.below(8), across = 3 + random.below(4);
  const double thick = random.uniform(0.05, 0.2);
  TriangleMesh mesh;
  for (Index i = 0; i < around; ++i) {
    for (Index j = 0; j < across; ++j) {
      const double u = kTwoPi * i / around, v = kTwoPi * j / across;
      const double r = 0.3 + thick * std::cos(v);
      mesh.vertices.push_back({r * std::cos(u), r * std::sin(u), thick * std::sin(v)});
    }
  }
  const auto at = [&](Index i, Index j) { return (i % around) * across + j % across; };
  for (Index i = 0; i < around; ++i) {
    for (Index j = 0; j < across; ++j) {
      mesh.triangles.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
      mesh.triangles.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
    }
  }
  return mesh;
}

constexpr int kCells = 3;
using Grid = std::array<bool, static_cast<std::size_t>(kCells* kCells* kCells)>;

bool filled(const Grid& grid, int x, int y, int z) {
  const auto inside = [](int k) { return k >= 0 && k < kCells; };
  const int cell = (z * kCells + y) * kCells + x;
  return inside(x) && inside(y) && inside(z) && grid[static_cast<std::size_t>(cell)];
}

/// The side of the cell at `low` whose outward normal is `sign` times an axis.
void add_side(TriangleMesh& mesh, const Vec3& low, int axis, int sign) {
  const int next = (axis + 1) % 3, last = (axis + 2) % 3;
  Vec3 corner = low, along, up;
  if (sign > 0) corner[axis] += 1.0;
  along[sign > 0 ? next : last] = 1.0;
  up[sign > 0 ? last : next] = 1.0;
  add_triangle(mesh, corner, corner + along, corner + along + up);
  add_triangle(mesh, corner, corner + along + up, corner + up);
}

/// The surface of some cells of a grid; cells that meet in an edge or a corner alone are common.
TriangleMesh cells(Random& random) {
  Grid grid{};
  for (Index left = 1 + random.below(6); left > 0; --left)
    grid[random.below(kCells * kCells * kCells)] = true;
  TriangleMesh mesh;
  for (int i = 0; i < kCells * kCells * kCells; ++i) {
    const int at[3] = {i % kCells, i / kCells % kCells, i / (kCells * kCells)};
    if (!filled(grid, at[0], at[1], at[2])) continue;
    for (int side = 0; side < 6; ++side) {
      const int axis = side / 2, sign = side % 2 == 0 ? 1 : -1;
      int beyond[3] = {at[0], at[1], at[2]};
      beyond[axis] += sign;
      if (filled(grid, beyond[0], beyond[1], beyond[2])) continue;
      add_side(mesh, {at[0] - 1.0, at[1] - 1.0, at[2] - 1.0}, axis, sign);
    }
  }
  return mesh;
}

/// Heights in quarters over a square grid.
TriangleMesh sheet(Random& random) {
  const Index wide = 1 + random.below(5);
  const Index most = chance(random, 3) ? 1 : 4;
  TriangleMesh mesh;
  for (Index y = 0; y <= wide; ++y) {
    for (Index x = 0; x <= wide; ++x) {
      mesh.vertices.push_back(
          {0.5 * x - 0.25 * wide, 0.5 * y - 0.25 * wide, 0.25 * random.below(most)});
    }
  }
  for (Index y = 0; y < wide; ++y) {
    for (Index x = 0; x < wide; ++x) {
      const Index i = y * (wide + 1) + x;
      mesh.triangles.push_back({i, i + 1, i + wide + 2});
      mesh.triangles.push_back({i, i + wide + 2, i + wide + 1});
    }
  }
  return mesh;
}

TriangleMesh loose_triangles(Random& random, Style style) {
  TriangleMesh mesh;
  for (Index left = 1 + random.below(12); left > 0; --left) {
    Vec3 corners[3];
    const Vec3 centre = vector_in(random, -0.5, 0.5);
    for (Vec3& c : corners) {
      c = centre + vector_in(random, -0.5, 0.5);
      if (style == Style::exact) {
        for (int k = 0; k < 3; ++k) c[k] = 0.25 * std::floor(4.0 * c[k]);
      }
    }
    add_triangle(mesh, corners[0], corners[1], corners[2]);
  }
  return mesh;
}

/// Triangles without an area and pairs of opposite ones: they leave a closed surface closed.
void add_degenerate(TriangleMesh& mesh, Random& random) {
  for (Index left = 1 + random.below(3); left > 0; --left) {
    const auto t = mesh.triangles[random.below(static_cast<Index>(mesh.triangles.size()))];
    switch (random.below(3)) {
      case 0:
        mesh.triangles.push_back({t[0], t[0], t[0]});
        break;
      case 1:
        mesh.triangles.push_back({t[0], t[1], t[0]});
        break;
      default:
        mesh.triangles.push_back({t[0], t[1], t[2]});
        mesh.triangles.push_back({t[0], t[2], t[1]});
        break;
    }
  }
}

Vec3 extents(Random& random, Style style) {
  Vec3 size;
  for (int k = 0; k < 3; ++k) {
    size[k] = style == Style::exact ? 0.25 * (1.0 + random.below(4)) : random.uniform(0.3, 1.5);
    if (style == Style::sliver && chance(random, 2)) size[k] *= power_of_ten(random, -8.0, 0.0);
  }
  if (style == Style::zero_size) size[static_cast<int>(random.below(3))] = 0.0;
  return size;
}

TriangleMesh closed_surface(Random& random, Style style) {
  if (style == Style::exact) return cells(random);
  switch (random.below(3)) {
    case 0:
      return cells(random);
    case 1:
      return tube(random);
    default:
      return bumpy_ball(random);
  }
}

TriangleMesh open_surface(Random& random, Style style) {
  switch (random.below(3)) {
    case 0:
      return sheet(random);
    case 1:
      return loose_triangles(random, style);
    default:
      break;
  }
  TriangleMesh mesh = closed_surface(random, style);
  const auto count = static_cast<Index>(mesh.triangles.size());
  mesh.triangles.resize(1 + random.below(count - 1));
  return mesh;
}

template <class Predicate>
bool any_part(const Shape& shape, Predicate&& holds) {
  const auto* compound = std::get_if<Compound>(&shape.geometry());
  if (compound == nullptr) return holds(shape);
  return std::any_of(compound->parts().begin(), compound->parts().end(),
                     [&](const Compound::Part& part) { return any_part(part.shape, holds); });
}

}  // namespace

Shape make_mesh(Random& random, Style style, bool closed) {
  TriangleMesh mesh = closed ? closed_surface(random, style) : open_surface(random, style);
  if (chance(random, 4)) add_degenerate(mesh, random);
  const Vec3 size = extents(random, style);
  for (Vec3& v : mesh.vertices) v = component_product(v, size);
  if (chance(random, 5)) {
    for (auto& t : mesh.triangles) std::swap(t[1], t[2]);
  }
  return Mesh(std::move(mesh));
}

Shape make_mesh(Random& random, Style style) {
  const bool closed = !chance(random, 3);
  return make_mesh(random, style, closed);
}

bool has_open_mesh(const Shape& shape) {
  return any_part(shape, [](const Shape& part) {
    const auto* mesh = std::get_if<Mesh>(&part.geometry());
    return mesh != nullptr && !mesh->closed();
  });
}

bool has_mesh(const Shape& shape) {
  return any_part(shape, [](const Shape& part) { return part.type() == ShapeType::mesh; });
}

}  // namespace tactus::detail::fuzz
