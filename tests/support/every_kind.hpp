#pragma once

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "tactus/shape.hpp"
#include "tests/support/meshes.hpp"
#include "tests/support/random_shapes.hpp"

namespace tactus::detail::test {

/// A box known by its support function only.
class FlatThing : public SupportFunction {
 public:
  Vec3 support(const Vec3& d) const noexcept override {
    return {std::copysign(0.3, d.x), std::copysign(0.25, d.y), std::copysign(0.4, d.z)};
  }
};

struct NamedShape {
  std::string name;
  Shape shape;
};

/// A closed surface over a polygon, counter-clockwise, whose faces are fans about corner 3.
inline Mesh prism_mesh(const std::vector<Vec3>& polygon, double half_height) {
  TriangleMesh mesh;
  const auto n = static_cast<std::uint32_t>(polygon.size());
  for (const double z : {-half_height, half_height}) {
    for (const Vec3& p : polygon) mesh.vertices.push_back({p.x, p.y, z});
  }
  for (std::uint32_t i = 1; i + 1 < n; ++i) {
    const std::uint32_t p = (3 + i) % n, q = (4 + i) % n;
    mesh.triangles.push_back({3, q, p});
    mesh.triangles.push_back({n + 3, n + p, n + q});
  }
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint32_t j = (i + 1) % n;
    mesh.triangles.push_back({i, j, n + j});
    mesh.triangles.push_back({i, n + j, n + i});
  }
  return Mesh(mesh);
}

inline Mesh open_mesh() {
  TriangleMesh mesh;
  for (int i = 0; i < 16; ++i)
    mesh.vertices.push_back({0.4 * (i / 4) - 0.6, 0.4 * (i % 4) - 0.6, i % 5 == 1 ? 0.15 : 0.0});
  for (std::uint32_t i = 0; i < 11; ++i) {
    if (i % 4 == 3) continue;
    mesh.triangles.push_back({i, i + 4, i + 5});
    mesh.triangles.push_back({i, i + 5, i + 1});
  }
  return Mesh(mesh);
}

/// Every kind of shape, curved and flat, with and without volume, convex and not. Most have faces
/// and edges along the axes.
inline std::vector<NamedShape> every_kind(Random& random) {
  const auto box_corners = [](const Vec3& half) {
    std::vector<Vec3> corners;
    for (unsigned i = 0; i < 8; ++i)
      corners.push_back({(i & 1u) != 0 ? half.x : -half.x, (i & 2u) != 0 ? half.y : -half.y,
                         (i & 4u) != 0 ? half.z : -half.z});
    return corners;
  };
  std::vector<Vec3> round;
  for (int i = 0; i < 160; ++i) {
    const auto [sine, cosine] =
        std::pair(std::sin(0.07853981633974483 * i), std::cos(0.07853981633974483 * i));
    round.push_back({0.4 * cosine, 0.4 * sine, i < 80 ? -0.3 : 0.3});
  }
  const std::vector<Vec3> square{
      {-0.4, -0.25, 0}, {0.4, -0.25, 0}, {0.4, 0.25, 0}, {-0.4, 0.25, 0}};
  const std::vector<Vec3> ell{{-0.4, -0.4, 0}, {0.6, -0.4, 0}, {0.6, 0.0, 0},
                              {0.0, 0.0, 0},   {0.0, 0.6, 0},  {-0.4, 0.6, 0}};
  const auto leg = [](double x, double y) {
    return Compound::Part{Shape(Box({0.1, 0.1, 0.6})), Pose::translation({x, y, 0.0})};
  };
  return {
      {"sphere", Sphere(0.4)},
      {"point", Sphere(0.0)},
      {"box", Box({0.8, 0.5, 0.6})},
      {"capsule", Capsule(0.2, 0.6)},
      {"segment", Capsule(0.0, 0.7)},
      {"cylinder", Cylinder(0.3, 0.7)},
      {"disc", Cylinder(0.4, 0.0)},
      {"cone", Cone(0.4, 0.8)},
      {"ellipsoid", Ellipsoid({0.5, 0.3, 0.4})},
      {"hull", random_hull(random, 20)},
      {"box hull", Convex(box_corners({0.4, 0.25, 0.3}))},
      {"prism", Convex(round)},
      {"custom", CustomConvex(std::make_shared<RoundThing>())},
      {"custom box", CustomConvex(std::make_shared<FlatThing>())},
      {"rounded box", Shape(Box({0.5, 0.4, 0.3}), 0.1)},
      {"rounded cylinder", Shape(Cylinder(0.3, 0.4), 0.05)},
      {"rounded cone", Shape(Cone(0.3, 0.4), 0.1)},
      {"rounded triangle",
       Shape(Convex(std::vector<Vec3>{{0, 0, 0}, {0.7, 0, 0}, {0, 0.5, 0}}), 0.1)},
      {"flat hull", Convex(square)},
      {"half-space", HalfSpace({0.0, 0.0, 1.0}, -0.5)},
      {"round mesh", Mesh(sphere_mesh(1))},
      {"box mesh", prism_mesh(square, 0.3)},
      {"L mesh", prism_mesh(ell, 0.3)},
      {"open mesh", open_mesh()},
      {"compound",
       Compound({{Shape(Box({0.4, 0.3, 0.5})), Pose::translation({0.3, 0.0, 0.1})},
                 {Shape(Ellipsoid({0.3, 0.2, 0.4})), Pose::translation({-0.3, 0, 0})}})},
      {"table", Compound({{Shape(Box({1.0, 1.0, 0.1})), Pose::translation({0.0, 0.0, 0.35})},
                          leg(0.4, 0.4),
                          leg(-0.4, 0.4),
                          leg(0.4, -0.4),
                          leg(-0.4, -0.4)})},
  };
}

}  // namespace tactus::detail::test
