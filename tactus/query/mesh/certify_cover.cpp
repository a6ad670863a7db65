#include "tactus/query/mesh/certify_cover.hpp"

#include <algorithm>
#include <utility>

#include "tactus/query/mesh/blocked_shifts.hpp"
#include "tactus/query/mesh/mesh_depth.hpp"
#include "tactus/shape/mesh_data.hpp"

namespace tactus::detail {
namespace {

// Nodes of the search, as of a depth that nothing hurries.
constexpr int kMostNodes = 1000;

std::vector<InnerSet> search(BlockedShifts& blocked, double wanted, double known, double rounding) {
  ShortestWayOptions options;
  options.known = known;
  options.width = std::max(known - wanted, 0.0);
  options.clear = kClearOfTouch * rounding;
  options.rounding = rounding;
  options.max_nodes = kMostNodes;
  std::vector<InnerSet> sets;
  // What the search takes off for rounding, the checker takes off by itself.
  if (!(shortest_way(blocked, options, &sets).least >= wanted - 2.0 * rounding)) sets.clear();
  return sets;
}

Certificate::Cover faces_of(const InnerPolytope& polytope) {
  Certificate::Cover cover;
  for (const InnerPolytope::Face& f : polytope.faces()) {
    if (f.alive) cover.faces.push_back(f.corner);
  }
  return cover;
}

// `axes`: those of the translations.
Certificate::Cover held_cover(const InnerPolytope& polytope, const HeldBalls::Ball& ball,
                              const Pose& axes, const Vec3& world) {
  Certificate::Cover cover = faces_of(polytope);
  cover.held = true;
  cover.held_in_a = !ball.of_a;
  cover.point = axes.to_world(ball.point) + world;
  cover.shift = axes.direction_to_world(ball.shift);
  for (const Vec3& p : polytope.points())
    cover.supports.push_back({axes.direction_to_world(p), {}});
  return cover;
}

// A triangle of a mesh that has a corner at a place.
std::int32_t triangle_with(const TriangleMesh& mesh, const Vec3& corner) {
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    for (const std::uint32_t v : mesh.triangles[t]) {
      if (norm(mesh.vertices[v] - corner) <= 1e-12 * (1.0 + norm(corner)))
        return static_cast<std::int32_t>(t);
    }
  }
  return -1;
}

std::vector<Certificate::Cover> cover_of_meshes(const Mesh& a, const Pose& in_world_a,
                                                const Mesh& b, const Pose& in_world_b,
                                                double wanted, double known, const Vec3& world) {
  const Pose pose = relative(in_world_a, in_world_b);
  ShiftsOfMesh blocked(a, b, pose, most_visits(kMostNodes));
  std::vector<Certificate::Cover> covers;
  for (const InnerSet& s : search(blocked, wanted, known, rounding_of(a, b, pose))) {
    if (blocked.balls().holds(s.set)) {
      const HeldBalls::Ball& ball = blocked.balls()[s.set];
      covers.push_back(held_cover(s.polytope, ball, in_world_a, world));
      if (ball.of_a) {
        covers.back().triangle_a = triangle_with(a.mesh(), ball.point);
      } else {
        covers.back().triangle_b = triangle_with(b.mesh(), pose.to_local(ball.point));
      }
      continue;
    }
    covers.push_back(faces_of(s.polytope));
    covers.back().triangle_a = static_cast<std::int32_t>(blocked.pair(s.set).a);
    covers.back().triangle_b = static_cast<std::int32_t>(blocked.pair(s.set).b);
    for (const Vec3& n : s.polytope.directions())
      covers.back().supports.push_back(blocked.supports(s.set, n));
  }
  return covers;
}

}  // namespace

std::vector<Certificate::Cover> cover_depth(const Part& a, const Pose& pose_a, const Part& b,
                                            const Pose& pose_b, double wanted, double known,
                                            const Vec3& world) {
  const Pose in_world_a = pose_a * a.in_body, in_world_b = pose_b * b.in_body;
  if (b.mesh != nullptr)
    return cover_of_meshes(*a.mesh, in_world_a, *b.mesh, in_world_b, wanted, known, world);
  const MeshAndBody pair(*a.mesh, in_world_a, *b.shape, in_world_b);
  ShiftsOfBody blocked(pair, {}, search_options({}));
  std::vector<Certificate::Cover> covers;
  for (const InnerSet& s : search(blocked, wanted, known, pair.rounding())) {
    if (blocked.balls().holds(s.set)) {
      covers.push_back(held_cover(s.polytope, blocked.balls()[s.set], in_world_a, world));
      continue;
    }
    covers.push_back(faces_of(s.polytope));
    covers.back().triangle_a = static_cast<std::int32_t>(s.set);
    for (const Vec3& n : s.polytope.directions())
      covers.back().supports.push_back(blocked.supports(s.set, n));
  }
  return covers;
}

}  // namespace tactus::detail
