#include <algorithm>
#include <cmath>
#include <string>

#include "tactus/deform.hpp"

namespace tactus::soft {
namespace {

// Most steps `n` of the directions that are asked; the factor of rounding of support function and
// hull.
constexpr int kMostFrequency = 150;
constexpr double kRounding = 1.0 + 1e-12;

/// Unit vectors on the faces of an octahedron, `n` steps to an edge: 4 n^2 + 2 of them.
std::vector<Vec3> directions(int n) {
  std::vector<Vec3> out;
  for (int i = -n; i <= n; ++i) {
    const int rest = n - std::abs(i);
    for (int j = -rest; j <= rest; ++j) {
      const int k = rest - std::abs(j);
      const auto x = static_cast<double>(i), y = static_cast<double>(j), z = static_cast<double>(k);
      out.push_back(normalized(Vec3{x, y, z}));
      if (k > 0) out.push_back(normalized(Vec3{x, y, -z}));
    }
  }
  return out;
}

TriangleMesh triangles_of(const ConvexHull& hull) {
  TriangleMesh mesh;
  mesh.vertices = hull.vertices;
  for (const ConvexHull::Face& face : hull.faces) {
    const std::span<const std::uint32_t> corners = hull.corners(face);
    for (std::size_t k = 2; k < corners.size(); ++k)
      mesh.triangles.push_back({corners[0], corners[k - 1], corners[k]});
  }
  return mesh;
}

Vec3 mean(std::span<const Vec3> points) {
  Vec3 sum;
  for (const Vec3& p : points) sum += p;
  return sum / static_cast<double>(points.size());
}

/// How much larger about `center` the hull must be to hold the shape: each of its faces is moved
/// out to the shape's supporting plane at least.
double factor_to_hold(const ConvexHull& hull, const Shape& shape, const Vec3& center) {
  double factor = 1.0;
  for (const ConvexHull::Face& face : hull.faces) {
    const double inside = face.offset - dot(face.normal, center);
    const double needed = support_value(shape, face.normal) - dot(face.normal, center);
    if (inside > 0.0) factor = std::fmax(factor, needed / inside);
  }
  return factor * kRounding;
}

Tessellation of_convex(const Shape& shape, double tolerance) {
  const double size = extent(shape);
  for (int n = 4; n <= kMostFrequency; n += n / 2) {
    std::vector<Vec3> points;
    for (const Vec3& d : directions(n)) points.push_back(support(shape, d));
    const ConvexHull hull = convex_hull(points);
    if (hull.dimension < 3) throw InvalidInput("shape", "has no volume");
    const Vec3 center = mean(hull.vertices);
    const double factor = factor_to_hold(hull, shape, center);
    double reach = 0.0;
    for (const Vec3& v : hull.vertices) reach = std::fmax(reach, norm(v - center));
    const double beyond = (factor - 1.0) * reach;
    if (beyond > tolerance * size) continue;
    Tessellation t{triangles_of(hull), beyond};
    for (Vec3& v : t.mesh.vertices) v = center + (v - center) * factor;
    return t;
  }
  throw InvalidInput("tolerance", "takes more than 1e5 directions");
}

void append(const TriangleMesh& from, const Pose& pose, TriangleMesh& to) {
  const auto base = static_cast<std::uint32_t>(to.vertices.size());
  for (const Vec3& v : from.vertices) to.vertices.push_back(pose.to_world(v));
  for (const auto& t : from.triangles)
    to.triangles.push_back({t[0] + base, t[1] + base, t[2] + base});
}

}  // namespace

Tessellation tessellate(const Shape& shape, double tolerance) {
  if (!(tolerance >= 1e-4 && tolerance <= 0.5))
    throw InvalidInput("tolerance", "must lie in [1e-4, 0.5]");
  if (shape.type() == ShapeType::halfspace)
    throw InvalidInput("shape", "a half-space has no surface of triangles");
  if (const auto* mesh = std::get_if<Mesh>(&shape.geometry())) return {mesh->mesh(), 0.0};
  if (const auto* compound = std::get_if<Compound>(&shape.geometry())) {
    Tessellation all;
    for (const Compound::Part& part : compound->parts()) {
      const Tessellation t = tessellate(part.shape, tolerance);
      append(t.mesh, part.pose, all.mesh);
      all.beyond = std::fmax(all.beyond, t.beyond);
    }
    return all;
  }
  if (shape.rounding_radius() == 0.0) {
    if (const auto* convex = std::get_if<Convex>(&shape.geometry())) {
      if (convex->hull().dimension < 3) throw InvalidInput("shape", "has no volume");
      return {triangles_of(convex->hull()), 0.0};
    }
    if (const auto* box = std::get_if<Box>(&shape.geometry())) {
      const Vec3 h = box->half();
      std::vector<Vec3> corners;
      corners.reserve(8);
      for (int i = 0; i < 8; ++i)
        corners.push_back(
            {(i & 1) != 0 ? h.x : -h.x, (i & 2) != 0 ? h.y : -h.y, (i & 4) != 0 ? h.z : -h.z});
      const ConvexHull hull = convex_hull(corners);
      if (hull.dimension < 3) throw InvalidInput("shape", "has no volume");
      return {triangles_of(hull), 0.0};
    }
  }
  return of_convex(shape, tolerance);
}

}  // namespace tactus::soft
