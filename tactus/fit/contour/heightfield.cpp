#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>

#include "tactus/fit.hpp"

namespace tactus::fit {
namespace {

void check(const Heightfield& field) {
  const auto require = [](bool fine, const std::string& name, const char* reason) {
    if (!fine) throw InvalidInput(name, reason);
  };
  require(field.columns >= 2, "columns", "must be at least 2");
  require(field.rows >= 2, "rows", "must be at least 2");
  const std::uint64_t points = std::uint64_t{field.columns} * field.rows;
  require(points <= std::numeric_limits<std::uint32_t>::max() / 2, "rows", "are too many");
  require(points == field.heights.size(), "heights", "must have one number for each point");
  const auto positive = [](double x) { return x > 0.0 && std::isfinite(x); };
  require(positive(field.spacing_x), "spacing_x", "must be finite and positive");
  require(positive(field.spacing_y), "spacing_y", "must be finite and positive");
  require(!field.thickness || positive(*field.thickness), "thickness",
          "must be finite and positive");
  for (std::size_t i = 0; i < field.heights.size(); ++i) {
    if (!std::isfinite(field.heights[i]))
      throw InvalidInput("heights[" + std::to_string(i) + "]", "must be finite");
  }
}

/// Builds the surface point by point and cell by cell.
class Builder {
 public:
  explicit Builder(const Heightfield& field) : field_(field) {}

  TriangleMesh build() {
    for (std::uint32_t j = 0; j < field_.rows; ++j)
      for (std::uint32_t i = 0; i < field_.columns; ++i)
        mesh_.vertices.push_back(point(i, j, field_.heights[index(i, j)]));
    for (std::uint32_t j = 0; j + 1 < field_.rows; ++j)
      for (std::uint32_t i = 0; i + 1 < field_.columns; ++i) add_cell(i, j);
    if (field_.thickness) close(*field_.thickness);
    return std::move(mesh_);
  }

 private:
  std::uint32_t index(std::uint32_t i, std::uint32_t j) const { return j * field_.columns + i; }
  Vec3 point(std::uint32_t i, std::uint32_t j, double height) const {
    return {(i - 0.5 * (field_.columns - 1)) * field_.spacing_x,
            (j - 0.5 * (field_.rows - 1)) * field_.spacing_y, height};
  }

  bool rises(std::uint32_t i, std::uint32_t j) const {
    switch (field_.diagonal) {
      case HeightDiagonal::rising:
        return true;
      case HeightDiagonal::falling:
        return false;
      case HeightDiagonal::alternate:
        return (i + j) % 2 == 0;
      case HeightDiagonal::automatic:
        break;
    }
    const auto height = [&](std::uint32_t x, std::uint32_t y) {
      return field_.heights[index(x, y)];
    };
    return std::fabs(height(i + 1, j + 1) - height(i, j)) <=
           std::fabs(height(i, j + 1) - height(i + 1, j));
  }

  void add_cell(std::uint32_t i, std::uint32_t j) {
    const std::uint32_t a = index(i, j), b = index(i + 1, j), c = index(i + 1, j + 1),
                        d = index(i, j + 1);
    if (rises(i, j)) {
      mesh_.triangles.push_back({a, b, c});
      mesh_.triangles.push_back({a, c, d});
    } else {
      mesh_.triangles.push_back({a, b, d});
      mesh_.triangles.push_back({b, c, d});
    }
  }

  /// A floor of a cell for each cell above it, and a wall below each edge of the rim.
  void close(double thickness) {
    const double low = *std::min_element(field_.heights.begin(), field_.heights.end());
    const double floor = low - thickness;
    const auto count = static_cast<std::uint32_t>(mesh_.vertices.size());
    const std::size_t above = mesh_.triangles.size();
    for (std::uint32_t k = 0; k < count; ++k) {
      const Vec3 top = mesh_.vertices[k];
      mesh_.vertices.push_back({top.x, top.y, floor});
    }
    for (std::size_t k = 0; k < above; ++k) {
      const auto [a, b, c] = mesh_.triangles[k];
      mesh_.triangles.push_back({a + count, c + count, b + count});
    }
    const auto wall = [&](std::uint32_t from, std::uint32_t to) {
      mesh_.triangles.push_back({from, from + count, to + count});
      mesh_.triangles.push_back({from, to + count, to});
    };
    const std::uint32_t right = field_.columns - 1, back = field_.rows - 1;
    for (std::uint32_t i = 0; i < right; ++i) {
      wall(index(i, 0), index(i + 1, 0));
      wall(index(i + 1, back), index(i, back));
    }
    for (std::uint32_t j = 0; j < back; ++j) {
      wall(index(right, j), index(right, j + 1));
      wall(index(0, j + 1), index(0, j));
    }
  }

  const Heightfield& field_;
  TriangleMesh mesh_;
};

}  // namespace

TriangleMesh make_heightfield(const Heightfield& field) {
  check(field);
  return Builder(field).build();
}

}  // namespace tactus::fit
