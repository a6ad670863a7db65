#include "tactus/fit/decomposition/exact_decomposition.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "tactus/core/random.hpp"
#include "tactus/fit/decomposition/concavity.hpp"
#include "tactus/fit/decomposition/solid.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/solids.hpp"

namespace tactus::detail::fit {
namespace {

using test::GridCell;

std::vector<ConvexHull> exact(const TriangleMesh& mesh) {
  const Solid solid(mesh);
  return exact_decomposition(solid, [] { return true; }).value_or(std::vector<ConvexHull>{});
}

double volume_of(const std::vector<ConvexHull>& parts) {
  double sum = 0.0;
  for (const ConvexHull& part : parts) sum += mass_properties(part).volume;
  return sum;
}

TriangleMesh turned(TriangleMesh mesh) {
  const Mat3 rotation = to_matrix(Quat{0.5, 0.31, -0.62, 0.2});
  for (Vec3& v : mesh.vertices) v = (rotation * v) * 3.7 + Vec3{5.0, -2.0, 1.0};
  return mesh;
}

double above(const ConvexHull& hull, const Vec3& p) {
  double most = -1e300;
  for (const ConvexHull::Face& face : hull.faces)
    most = std::max(most, dot(face.normal, p) - face.offset);
  return most;
}

TriangleMesh stairs(int steps) {
  std::vector<std::array<double, 2>> outline{{0.0, 0.0}};
  outline.push_back({static_cast<double>(steps), 0.0});
  for (int i = 0; i < steps; ++i) {
    outline.push_back({static_cast<double>(steps - i), i + 1.0});
    outline.push_back({static_cast<double>(steps - i - 1), i + 1.0});
  }
  return test::extruded_mesh(outline, 1.0);
}

// A cube of 4 with a pocket from above, or a hollow, two wide.
TriangleMesh hollowed(bool open) {
  std::set<GridCell> cells;
  for (int i = 0; i < 64; ++i) {
    const GridCell cell{i % 4, i / 4 % 4, i / 16};
    const auto middle = [](int x) { return x == 1 || x == 2; };
    const bool high = open ? cell[2] > 0 : middle(cell[2]);
    if (!(middle(cell[0]) && middle(cell[1]) && high)) cells.insert(cell);
  }
  return test::grid_mesh(cells, test::unit_grid(4));
}

struct Case {
  const char* name;
  TriangleMesh mesh;
  std::size_t parts;
};

std::vector<Case> cases() {
  using Outline = std::vector<std::array<double, 2>>;
  const auto prism = [](const Outline& outline) { return test::extruded_mesh(outline, 1.5); };
  return {
      {"L", prism({{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}}), 2},
      {"T", prism({{0, 0}, {1, 0}, {1, 2}, {2, 2}, {2, 3}, {-1, 3}, {-1, 2}, {0, 2}}), 2},
      {"U", prism({{0, 0}, {4, 0}, {4, 3}, {3, 3}, {3, 1}, {1, 1}, {1, 3}, {0, 3}}), 3},
      {"H",
       prism({{0, 0},
              {1, 0},
              {1, 1.2},
              {2, 1.2},
              {2, 0},
              {3, 0},
              {3, 3},
              {2, 3},
              {2, 2},
              {1, 2},
              {1, 3},
              {0, 3}}),
       3},
      {"plus",
       prism({{1, 0},
              {2, 0},
              {2, 1},
              {3, 1},
              {3, 2},
              {2, 2},
              {2, 3},
              {1, 3},
              {1, 2},
              {0, 2},
              {0, 1},
              {1, 1}}),
       3},
      {"E",
       prism({{0, 0},
              {3, 0},
              {3, 1},
              {1, 1},
              {1, 2},
              {3, 2},
              {3, 3},
              {1, 3},
              {1, 4},
              {3, 4},
              {3, 5},
              {0, 5}}),
       4},
      {"pocket", hollowed(true), 5},
      {"hollow", hollowed(false), 6},
      {"stairs of 3", stairs(3), 3},
      {"stairs of 10", stairs(10), 10},
      {"gear", test::gear_mesh(12, 1.0), 13},
      {"pointed gear", test::gear_mesh(12, 0.6), 13},
  };
}

TEST(ExactDecomposition, PlainSolidsHaveTheFewestParts) {
  TACTUS_LONG_TEST();
  for (const Case& c : cases()) {
    for (const bool turn : {false, true}) {
      const TriangleMesh mesh = turn ? turned(c.mesh) : c.mesh;
      const std::vector<ConvexHull> parts = exact(mesh);
      EXPECT_EQ(parts.size(), c.parts) << c.name << (turn ? ", turned" : "");
      const double volume = mass_properties(mesh).volume;
      EXPECT_NEAR(volume_of(parts), volume, 1e-12 * volume) << c.name;
      if (turn || c.parts > 6) continue;
      // The boundary of a union is made with gaps of 1e-8 of the unit.
      const Solid solid(mesh);
      EXPECT_LE(measure_concavity(solid, parts, 1e-3 * solid.unit()).lower(), 1e-7 * solid.unit())
          << c.name;
    }
  }
}

// --- a law over random solids

struct Blocks {
  std::set<GridCell> cells;
  std::array<std::vector<double>, 3> at;
  std::size_t runs = 0;  ///< of neighbours along x: boxes that fill it
  double volume = 0.0;

  explicit Blocks(Random& random) {
    const std::uint32_t size = 2 + random.below(3);
    for (auto& axis : at) {
      axis.push_back(0.0);
      for (std::uint32_t i = 0; i < size; ++i) axis.push_back(axis.back() + random.uniform(0.3, 1));
    }
    const auto edge = static_cast<int>(size);
    // A union of boxes, and corners that touch along edges alone where two of them lie so.
    for (std::uint32_t box = 0; box < 2 + size; ++box) {
      GridCell low{}, high{};
      for (std::size_t k = 0; k < 3; ++k) {
        low[k] = static_cast<int>(random.below(size));
        high[k] = std::min(edge, low[k] + 1 + static_cast<int>(random.below(size)));
      }
      for (int x = low[0]; x < high[0]; ++x) {
        for (int y = low[1]; y < high[1]; ++y) {
          for (int z = low[2]; z < high[2]; ++z) cells.insert({x, y, z});
        }
      }
    }
    for (const GridCell& cell : cells) {
      if (cells.count({cell[0] - 1, cell[1], cell[2]}) == 0) ++runs;
      double v = 1.0;
      for (std::size_t k = 0; k < 3; ++k) {
        const auto i = static_cast<std::size_t>(cell[k]);
        v *= at[k][i + 1] - at[k][i];
      }
      volume += v;
    }
  }

  bool holds(const Vec3& p) const {
    GridCell cell{};
    for (std::size_t k = 0; k < 3; ++k) {
      const auto place = std::upper_bound(at[k].begin(), at[k].end(), p[static_cast<int>(k)]);
      cell[k] = static_cast<int>(place - at[k].begin()) - 1;
    }
    return cells.count(cell) > 0;
  }
};

TEST(ExactDecomposition, FillsRandomUnionsOfBoxesWithFewParts) {
  Random random(43, 4);
  for (int trial = 0; trial < test::effort(20); ++trial) {
    const Blocks blocks(random);
    const TriangleMesh mesh = test::grid_mesh(blocks.cells, blocks.at);
    const std::vector<ConvexHull> parts = exact(mesh);
    ASSERT_FALSE(parts.empty()) << trial;
    EXPECT_NEAR(volume_of(parts), blocks.volume, 1e-9 * blocks.volume) << trial;
    EXPECT_LE(parts.size(), blocks.runs) << trial;
    EXPECT_EQ(exact(turned(mesh)).size(), parts.size()) << trial;
    for (int i = 0; i < 200; ++i) {
      Vec3 p;
      for (int k = 0; k < 3; ++k) {
        const auto& axis = blocks.at[static_cast<std::size_t>(k)];
        p[k] = random.uniform(axis.front() - 0.1, axis.back() + 0.1);
      }
      double least = 1e300;
      for (const ConvexHull& part : parts) least = std::min(least, above(part, p));
      if (std::fabs(least) < 1e-9) continue;
      EXPECT_EQ(least < 0.0, blocks.holds(p)) << trial;
    }
  }
}

TEST(ExactDecomposition, OverlappingBodiesAreCutAsTheirUnion) {
  // Two bars that cross: their surfaces run through each other, and no edge lies where they meet.
  const auto bar = [](const GridCell& low, const GridCell& high) {
    std::array<std::vector<double>, 3> at;
    for (std::size_t k = 0; k < 3; ++k)
      at[k] = {static_cast<double>(low[k]), static_cast<double>(high[k])};
    return test::grid_mesh({{0, 0, 0}}, at);
  };
  TriangleMesh mesh = bar({0, 1, 0}, {3, 2, 1});
  const TriangleMesh other = bar({1, 0, 0}, {2, 3, 1});
  const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
  mesh.vertices.insert(mesh.vertices.end(), other.vertices.begin(), other.vertices.end());
  for (const auto& [a, b, c] : other.triangles)
    mesh.triangles.push_back({first + a, first + b, first + c});
  const std::vector<ConvexHull> parts = exact(mesh);
  EXPECT_EQ(parts.size(), 3u);
  EXPECT_NEAR(volume_of(parts), 5.0, 1e-9);
}

TEST(ExactDecomposition, AnOpenBoxIsFlatWalls) {
  // A cube without its upper side; one wall has a notch.
  TriangleMesh mesh;
  mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0},   {0, 1, 0},     {0, 0, 1},     {1, 0, 1},
                   {1, 1, 1}, {0, 1, 1}, {1, 0.7, 1}, {1, 0.7, 0.5}, {1, 0.3, 0.5}, {1, 0.3, 1}};
  mesh.triangles = {{0, 2, 1}, {0, 3, 2}, {0, 1, 5},  {0, 5, 4},  {2, 3, 7},
                    {2, 7, 6}, {3, 0, 4}, {3, 4, 7},  {1, 2, 9},  {1, 9, 10},
                    {2, 6, 9}, {6, 8, 9}, {1, 10, 5}, {5, 10, 11}};
  const std::vector<ConvexHull> parts = exact(mesh);
  EXPECT_EQ(parts.size(), 7u);
  double area = 0.0;
  for (const ConvexHull& part : parts) {
    ASSERT_EQ(part.dimension, 2);
    const auto corner = part.corners(part.faces[0]);
    for (std::size_t i = 2; i < corner.size(); ++i) {
      const Vec3& a = part.vertices[corner[0]];
      area += 0.5 * norm(cross(part.vertices[corner[i - 1]] - a, part.vertices[corner[i]] - a));
    }
  }
  EXPECT_NEAR(area, 4.8, 1e-9);
}

TEST(ExactDecomposition, RefusesWhatHasManyPlanes) {
  EXPECT_TRUE(exact(test::gear_mesh(150, 1.0)).empty());
}

}  // namespace
}  // namespace tactus::detail::fit
