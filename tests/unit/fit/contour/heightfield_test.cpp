// Surfaces of heightfields, by the heights that they were made of.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tactus/core/random.hpp"
#include "tactus/fit.hpp"
#include "tactus/query.hpp"
#include "tactus/shape.hpp"

namespace tactus::detail {
namespace {

tactus::fit::Heightfield random_field(std::uint64_t seed, tactus::fit::HeightDiagonal diagonal) {
  Random random(seed);
  tactus::fit::Heightfield field;
  field.columns = 7;
  field.rows = 5;
  for (int i = 0; i < 35; ++i) field.heights.push_back(random.uniform(-0.5, 0.5));
  field.spacing_x = 0.4;
  field.spacing_y = 0.7;
  field.diagonal = diagonal;
  return field;
}

constexpr tactus::fit::HeightDiagonal kDiagonals[] = {
    tactus::fit::HeightDiagonal::automatic, tactus::fit::HeightDiagonal::rising,
    tactus::fit::HeightDiagonal::falling, tactus::fit::HeightDiagonal::alternate};

double height_of(const Mesh& mesh, double x, double y) {
  const CastResult r = ray_cast(mesh, Pose(), {x, y, 5.0}, {0, 0, -1}, 20.0);
  EXPECT_NE(r.hit, Overlap::no) << x << " " << y;
  EXPECT_GT(r.normal.z, 0.0);
  return 5.0 - r.time;
}

TEST(Heightfield, PassesThroughItsHeightsAndKeepsToItsDiagonals) {
  for (const tactus::fit::HeightDiagonal diagonal : kDiagonals) {
    const tactus::fit::Heightfield field = random_field(3, diagonal);
    const Mesh mesh(tactus::fit::make_heightfield(field));
    EXPECT_FALSE(mesh.closed());
    EXPECT_EQ(mesh.mesh().triangles.size(), 2u * 6 * 4);
    const auto at = [&](int i, int j) {
      return field.heights[static_cast<std::size_t>(j * 7 + i)];
    };
    for (int j = 0; j < 4; ++j) {
      for (int i = 0; i < 6; ++i) {
        const double x = 0.4 * (i - 3.0), y = 0.7 * (j - 2.0);
        // Near the corner, and on the middle of the cell, where the diagonals differ.
        EXPECT_NEAR(height_of(mesh, x + 1e-7, y + 2e-7), at(i, j), 1e-5);
        const double rise = 0.5 * (at(i, j) + at(i + 1, j + 1));
        const double fall = 0.5 * (at(i + 1, j) + at(i, j + 1));
        const bool rises =
            diagonal == tactus::fit::HeightDiagonal::rising ||
            (diagonal == tactus::fit::HeightDiagonal::alternate && (i + j) % 2 == 0) ||
            (diagonal == tactus::fit::HeightDiagonal::automatic &&
             std::fabs(at(i + 1, j + 1) - at(i, j)) <= std::fabs(at(i, j + 1) - at(i + 1, j)));
        EXPECT_NEAR(height_of(mesh, x + 0.2 + 1e-7, y + 0.35), rises ? rise : fall, 1e-5);
      }
    }
  }
}

TEST(Heightfield, WithAThicknessIsABody) {
  for (const tactus::fit::HeightDiagonal diagonal : kDiagonals) {
    tactus::fit::Heightfield field = random_field(4, diagonal);
    field.thickness = 0.25;
    const Mesh mesh(tactus::fit::make_heightfield(field));
    EXPECT_TRUE(mesh.closed());
    EXPECT_FALSE(mesh.inward());
    const double low = *std::min_element(field.heights.begin(), field.heights.end());
    EXPECT_TRUE(mesh.holds({0.01, 0.02, low - 0.1}));
    EXPECT_FALSE(mesh.holds({0.01, 0.02, low - 0.26}));
    // The volume: a prism below each triangle.
    double volume = 0.0;
    const TriangleMesh top = tactus::fit::make_heightfield(random_field(4, diagonal));
    for (const auto& t : top.triangles) {
      double mean = 0.0;
      for (const std::uint32_t corner : t) mean += top.vertices[corner].z / 3.0;
      volume += 0.5 * 0.4 * 0.7 * (mean - (low - 0.25));
    }
    EXPECT_NEAR(mass_properties(mesh.mesh()).volume, volume, 1e-12);
  }
}

TEST(Heightfield, RefusesWhatIsNone) {
  const auto refused = [](auto change) {
    tactus::fit::Heightfield field = random_field(5, tactus::fit::HeightDiagonal::automatic);
    change(field);
    try {
      tactus::fit::make_heightfield(field);
    } catch (const InvalidInput& error) {
      return error.field();
    }
    return std::string();
  };
  EXPECT_EQ(refused([](tactus::fit::Heightfield& f) { f.columns = 1; }), "columns");
  EXPECT_EQ(refused([](tactus::fit::Heightfield& f) { f.rows = 6; }), "heights");
  EXPECT_EQ(refused([](tactus::fit::Heightfield& f) { f.rows = 1; }), "rows");
  EXPECT_EQ(refused([](tactus::fit::Heightfield& f) { f.spacing_x = 0.0; }), "spacing_x");
  EXPECT_EQ(refused([](tactus::fit::Heightfield& f) { f.spacing_y = std::nan(""); }), "spacing_y");
  EXPECT_EQ(refused([](tactus::fit::Heightfield& f) { f.thickness = -1.0; }), "thickness");
  EXPECT_EQ(refused([](tactus::fit::Heightfield& f) {
              f.heights[3] = std::numeric_limits<double>::infinity();
            }),
            "heights[3]");
}

}  // namespace
}  // namespace tactus::detail
