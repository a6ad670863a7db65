#include "tactus/narrow/mesh_ray.hpp"

#include <algorithm>
#include <cmath>

namespace tactus {
namespace {

// Roundings of a triple product of differences that went through a rotation, with a margin of two.
constexpr double kRoundings = 32.0 * std::numeric_limits<double>::epsilon();

}  // namespace

MeshRay cast_ray(const TriangleMesh& mesh, const Vec3& origin, const Vec3& direction, double last) {
  MeshRay first;
  const double speed = norm(direction);
  for (const auto& triangle : mesh.triangles) {
    const Vec3& corner = mesh.vertices[triangle[0]];
    const Vec3 u = mesh.vertices[triangle[1]] - corner, v = mesh.vertices[triangle[2]] - corner;
    const Vec3 from_corner = origin - corner;
    const Vec3 p = cross(direction, v);
    const Vec3 q = cross(from_corner, u);
    const double side = dot(u, p) < 0.0 ? -1.0 : 1.0;
    const double volume = side * dot(u, p);
    const double across_u = side * dot(from_corner, p);
    const double across_v = side * dot(direction, q);
    const double ahead = side * dot(v, q);
    const double reach = norm(from_corner) + norm(u) + norm(v);
    const double error = kRoundings * speed * reach * reach;
    const double least = std::min({across_u, across_v, volume - across_u - across_v});
    const double ahead_error = kRoundings * reach * reach * reach;
    if (!(volume > error) || least < -error || ahead + ahead_error < 0.0) continue;
    const double time = std::max((ahead - ahead_error) / (volume + error), 0.0);
    const double upper = std::max((ahead + ahead_error) / (volume - error), 0.0);
    if (time > last) continue;
    if (first.outcome == CastOutcome::miss) first.outcome = CastOutcome::undecided;
    if (time < first.time) {
      first.time = time;
      first.normal = normalized(cross(u, v)) * side;
    }
    if (least > error && upper <= last) {
      first.outcome = CastOutcome::hit;
      first.time_upper = std::min(first.time_upper, upper);
    }
  }
  return first;
}

}  // namespace tactus
