#include "tactus/check/containment.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "tactus/core/constants.hpp"
#include "tactus/math/predicates.hpp"
#include "tactus/shape/access.hpp"

namespace tactus::detail {
namespace {

bool before(const Vec3& p, const Vec3& q) {
  if (p.x != q.x) return p.x < q.x;
  return p.y != q.y ? p.y < q.y : p.z < q.z;
}

// The first vertex, in the order of coordinates, at the place of each vertex.
std::vector<std::uint32_t> places_of(const TriangleMesh& mesh) {
  std::vector<std::uint32_t> order(mesh.vertices.size()), place(mesh.vertices.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](std::uint32_t i, std::uint32_t j) {
    return before(mesh.vertices[i], mesh.vertices[j]) ||
           (mesh.vertices[i] == mesh.vertices[j] && i < j);
  });
  for (std::size_t i = 0; i < order.size(); ++i) {
    const bool same = i > 0 && mesh.vertices[order[i]] == mesh.vertices[order[i - 1]];
    place[order[i]] = same ? place[order[i - 1]] : order[i];
  }
  return place;
}

std::uint32_t root_of(std::vector<std::uint32_t>& parent, std::uint32_t i) {
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
}

// A vertex of each connected component.
std::vector<std::uint32_t> vertices_of_components(const TriangleMesh& mesh) {
  std::vector<std::uint32_t> parent = places_of(mesh);
  for (const auto& t : mesh.triangles) {
    const std::uint32_t first = root_of(parent, t[0]);
    for (const std::uint32_t other : {t[1], t[2]}) parent[root_of(parent, other)] = first;
  }
  std::vector<char> seen(mesh.vertices.size(), 0);
  std::vector<std::uint32_t> vertices;
  for (const auto& t : mesh.triangles) {
    const std::uint32_t root = root_of(parent, t[0]);
    if (!seen[root]) vertices.push_back(t[0]);
    seen[root] = 1;
  }
  return vertices;
}

// A point in the world about A's origin.
Vec3 to_world(const Pose& body, const Part& part, const Vec3& local) {
  return body.to_world(part.in_body.to_world(local));
}
Vec3 to_local(const Pose& body, const Part& part, const Vec3& world) {
  return part.in_body.to_local(body.to_local(world));
}

// Does the closed mesh `outer` hold a point of a component of `inner`?
bool holds_some(const Pose& pose, const Part& outer, const Pose& pose_inner, const Part& inner) {
  // Nothing bounded holds a half-space.
  if (outer.mesh == nullptr || inner.is(ShapeType::halfspace)) return false;
  // A bare surface has no inside, be it closed.
  if (ShapeAccess::facts(*outer.mesh).closed && !outer.mesh->closed()) return false;
  if (!is_closed(outer.mesh->mesh())) return false;
  const auto holds = [&](const Vec3& local) {
    return winds_around(outer.mesh->mesh(),
                        to_local(pose, outer, to_world(pose_inner, inner, local)));
  };
  if (inner.mesh == nullptr) return holds(core_of(*inner.shape).center);
  const TriangleMesh& mesh = inner.mesh->mesh();
  const auto vertices = vertices_of_components(mesh);
  return std::any_of(vertices.begin(), vertices.end(),
                     [&](std::uint32_t v) { return holds(mesh.vertices[v]); });
}

// Solid angle of a triangle seen from `eye`, divided by 4 pi: positive where the triangle is
// clockwise seen from there. Source: vanoosterom1983solid.
double solid_angle(const Vec3& eye, const Vec3& p, const Vec3& q, const Vec3& r) {
  const Vec3 a = p - eye, b = q - eye, c = r - eye;
  const double la = norm(a), lb = norm(b), lc = norm(c);
  const double volume = std::fabs(dot(a, cross(b, c)));
  const double below = la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb;
  // Only the sign must be right next to the triangle's plane: there the angle jumps.
  return orient3d(p, q, r, eye) * 2.0 * std::atan2(volume, below) / (2.0 * kTwoPi);
}

}  // namespace

bool winds_around(const TriangleMesh& mesh, const Vec3& point) {
  double turns = 0.0;
  for (const auto& t : mesh.triangles)
    turns += solid_angle(point, mesh.vertices[t[0]], mesh.vertices[t[1]], mesh.vertices[t[2]]);
  return std::fabs(turns) > 0.5;
}

bool is_closed(const TriangleMesh& mesh) {
  const std::vector<std::uint32_t> place = places_of(mesh);
  // Sides by their edge, with the sense in which they run.
  std::vector<std::pair<std::uint64_t, int>> sides;
  sides.reserve(3 * mesh.triangles.size());
  for (const auto& t : mesh.triangles) {
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint64_t tail = place[t[k]], head = place[t[k == 2 ? 0 : k + 1]];
      if (tail == head) continue;
      const std::uint64_t low = std::min(tail, head), high = std::max(tail, head);
      sides.emplace_back(low << 32u | high, tail < head ? 1 : -1);
    }
  }
  std::sort(sides.begin(), sides.end());
  for (std::size_t i = 0; i < sides.size();) {
    int balance = 0;
    const std::uint64_t edge = sides[i].first;
    for (; i < sides.size() && sides[i].first == edge; ++i) balance += sides[i].second;
    if (balance != 0) return false;
  }
  return !mesh.triangles.empty();
}

bool none_inside(const Pair& pair, const Part& a, const Part& b) {
  return !holds_some(pair.a, a, pair.b, b) && !holds_some(pair.b, b, pair.a, a);
}

}  // namespace tactus::detail
