#include "lab/meshes.hpp"

#include <cmath>

#include "fuzz/random_values.hpp"
#include "tactus/core/constants.hpp"
#include "tactus/mesh.hpp"

namespace tactus::detail::lab {
namespace {

constexpr int kBumps = 12;
constexpr double kBumpHeight = 0.2, kBumpWidth = 0.5;

}  // namespace

TriangleMesh globe(std::uint32_t around, std::uint32_t bands) {
  TriangleMesh mesh;
  for (std::uint32_t i = 1; i < bands; ++i) {
    const double v = 0.5 * kTwoPi * i / bands;
    for (std::uint32_t j = 0; j < around; ++j) {
      const double u = kTwoPi * j / around;
      mesh.vertices.push_back({std::sin(v) * std::cos(u), std::sin(v) * std::sin(u), std::cos(v)});
    }
  }
  const std::uint32_t north = around * (bands - 1), south = north + 1;
  mesh.vertices.push_back({0.0, 0.0, 1.0});
  mesh.vertices.push_back({0.0, 0.0, -1.0});
  const auto at = [around](std::uint32_t i, std::uint32_t j) { return i * around + j % around; };
  for (std::uint32_t j = 0; j < around; ++j) {
    mesh.triangles.push_back({north, at(0, j), at(0, j + 1)});
    for (std::uint32_t i = 0; i + 2 < bands; ++i) {
      mesh.triangles.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
      mesh.triangles.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
    }
    mesh.triangles.push_back({at(bands - 2, j), south, at(bands - 2, j + 1)});
  }
  return mesh;
}

TriangleMesh spiral_sphere(std::uint32_t count) {
  const double golden = kTwoPi * (2.0 - 0.5 * (1.0 + std::sqrt(5.0)));
  std::vector<Vec3> points;
  points.reserve(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    const double z = 1.0 - (2.0 * i + 1.0) / count;
    const double r = std::sqrt(1.0 - z * z);
    points.push_back({r * std::cos(golden * i), r * std::sin(golden * i), z});
  }
  const ConvexHull hull = convex_hull(points);
  TriangleMesh mesh;
  mesh.vertices = hull.vertices;
  for (const ConvexHull::Face& face : hull.faces) {
    const auto corner = hull.corners(face);
    for (std::size_t i = 2; i < corner.size(); ++i)
      mesh.triangles.push_back({corner[0], corner[i - 1], corner[i]});
  }
  return mesh;
}

TriangleMesh bumpy_globe(std::uint32_t around, std::uint32_t bands, Random& random) {
  TriangleMesh mesh = globe(around, bands);
  Vec3 middle[kBumps];
  double height[kBumps];
  for (int i = 0; i < kBumps; ++i) {
    middle[i] = fuzz::direction(random);
    height[i] = random.uniform(-kBumpHeight, kBumpHeight);
  }
  for (Vec3& v : mesh.vertices) {
    double radius = 1.0;
    for (int i = 0; i < kBumps; ++i) {
      const double near = squared_norm(v - middle[i]) / (kBumpWidth * kBumpWidth);
      radius += height[i] * std::exp(-near);
    }
    v = v * radius;
  }
  return mesh;
}

TriangleMesh ring(std::uint32_t around, std::uint32_t across, double tube) {
  TriangleMesh mesh;
  for (std::uint32_t i = 0; i < around; ++i) {
    const double u = kTwoPi * i / around;
    for (std::uint32_t j = 0; j < across; ++j) {
      const double v = kTwoPi * j / across;
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

}  // namespace tactus::detail::lab
