#include "tactus/query/mesh/mesh_minimum.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "tactus/bvh/near_leaves.hpp"
#include "tactus/core/constants.hpp"
#include "tactus/mesh/surface/triangle_distance.hpp"
#include "tactus/query/mesh/mesh_depth.hpp"
#include "tactus/query/mesh/mesh_pairs.hpp"
#include "tactus/query/plan/convex.hpp"
#include "tactus/query/plan/lone_minimum.hpp"
#include "tactus/query/plan/range.hpp"
#include "tactus/query/plan/write_answer.hpp"
#include "tactus/shape/mesh_data.hpp"

namespace tactus::detail {
namespace {

// Bound of the rounding of a mesh's coordinates, relative to its size.
constexpr double kRounding = 64.0 * kEpsilon;
// Part of a step at which surfaces are looked at that touch.
constexpr double kBeside = 0.5;
// Minima that are farther by more steps than this are no rivals, whatever their normals and
// witnesses: three times the size is the most these differ by.
constexpr double kReach = 4.0;
// More triangles than this are not near one pair of witnesses.
constexpr std::size_t kMostNear = 4096;

const Mesh& mesh_of(const Placed& body) { return std::get<Mesh>(body.shape.geometry()); }

// The convex body that a shape is, or null.
const Shape* hull_of(const Shape& shape) {
  if (const auto* mesh = std::get_if<Mesh>(&shape.geometry())) return mesh->hull();
  return shape.is_convex_body() ? &shape : nullptr;
}

double rounding_in(const PairContext& pair) {
  const Vec3 between = pair.b.pose.position() - pair.a.pose.position();
  return kRounding * (length_of(pair.a.shape) + length_of(pair.b.shape) + norm(between));
}

bool is_lone_minimum_of_hulls(const PairContext& pair, const Shape& a, const Shape& b,
                              const DistanceResult& r, const MinimumScale& scale) {
  Derivatives derivatives;
  QueryOptions options = narrowed(pair.options);
  options.derivatives = &derivatives;
  DistanceResult of_hulls;
  answer_convex({{a, pair.a.pose}, {b, pair.b.pose}, options}, of_hulls);
  return of_hulls.unique && compare_minima(r, of_hulls, 0.0, scale) == Rivalry::same;
}

// The vertices that are as low as the lowest.
bool is_lone_vertex(const PairContext& pair, const DistanceResult& r, const MinimumScale& scale) {
  const Mesh& mesh = mesh_of(pair.a);
  const Vec3 n = pair.a.pose.direction_to_local(r.normal);
  const Vec3 at = pair.a.pose.to_local(r.point_a);
  std::vector<Vec3> low;
  for (const std::uint32_t i : far_vertices(mesh, n, dot(n, at) - scale.step))
    low.push_back(mesh.mesh().vertices[i]);
  FreeDirections free(n, scale.circle, scale.noise);
  free.stay_in(low, n, at);
  return free.none();
}

// A mesh and a convex body that are apart.
bool is_lone_triangle(const PairContext& pair, const DistanceResult& r, const MinimumScale& scale) {
  const MeshAndBody bodies(mesh_of(pair.a), pair.a.pose, pair.b.shape, pair.b.pose);
  std::vector<TriangleAnswer> near;
  const QueryOptions options = narrowed(pair.options);
  MeshAndBody::Options search = search_options(options);
  search.near = &near;
  search.within = r.distance + kReach * scale.step;
  search.most = kMostNear;
  if (!bodies.search(search).all_listed) return false;
  const Core& core = core_of(pair.b.shape);
  const Vec3 n = pair.a.pose.direction_to_local(r.normal);
  const auto in_mesh = [&](const Vec3& point) {
    return pair.a.pose.direction_to_local(point - pair.b.pose.position());
  };
  DistanceResult best;
  best.normal = n;
  best.point_a = in_mesh(r.point_a);
  best.point_b = in_mesh(r.point_b);
  return std::all_of(near.begin(), near.end(), [&](const TriangleAnswer& t) {
    DistanceResult other;
    other.normal = t.answer.n;
    other.point_a = t.answer.point_a;
    other.point_b = t.answer.point_b;
    const Rivalry rivalry = compare_minima(best, other, t.answer.distance - r.distance, scale);
    if (rivalry != Rivalry::same) return rivalry == Rivalry::farther;
    const Triangle triangle = bodies.triangle(t.triangle);
    FreeDirections free(n, scale.circle, scale.noise);
    free.stay_on(core_of(triangle), Mat3::identity(), n, t.answer.core_a);
    free.stay_on(core, bodies.rotation(), -n, transpose_times(bodies.rotation(), t.answer.core_b));
    return free.none();
  });
}

// Two meshes that are apart.
bool is_lone_pair(const PairContext& pair, const DistanceResult& r, const MinimumScale& scale) {
  const Mesh &a = mesh_of(pair.a), &b = mesh_of(pair.b);
  const Pose pose = relative(pair.a.pose, pair.b.pose);
  const bvh::MeshView view_a = view_of(a), view_b = view_of(b);
  const double within = r.distance + kReach * scale.step;
  const bvh::Placement placement(pose.rotation(),
                                 pose.to_world(view_b.tree.middle()) - view_a.tree.middle(),
                                 view_a.tree.reach(), view_b.tree.reach());
  DistanceResult best;
  best.normal = pair.a.pose.direction_to_local(r.normal);
  best.point_a = pair.a.pose.to_local(r.point_a);
  best.point_b = pair.a.pose.to_local(r.point_b);
  bool lone = true;
  const auto visit = [&](const bvh::TrianglePair& triangles) {
    const auto corners = [](const Mesh& mesh, std::uint32_t index, const auto& place) {
      Triangle t;
      for (std::size_t i = 0; i < 3; ++i)
        t.corner[i] = place(mesh.mesh().vertices[mesh.mesh().triangles[index][i]]);
      return t;
    };
    const Triangle of_a = corners(a, triangles.a, [](const Vec3& v) { return v; });
    const Triangle of_b = corners(b, triangles.b, [&](const Vec3& v) { return pose.to_world(v); });
    const TriangleDistance d = triangle_to_triangle(of_a, of_b);
    if (d.distance > within) return true;
    DistanceResult other;
    other.normal = d.n;
    other.point_a = d.a;
    other.point_b = d.b;
    const Rivalry rivalry = compare_minima(best, other, d.distance - r.distance, scale);
    lone = rivalry != Rivalry::rival;
    if (rivalry != Rivalry::same) return lone;
    FreeDirections free(best.normal, scale.circle, scale.noise);
    free.stay_on(core_of(of_a), Mat3::identity(), best.normal, d.a);
    free.stay_on(core_of(of_b), Mat3::identity(), -best.normal, d.b);
    lone = free.none();
    return lone;
  };
  return bvh::visit_near_leaves(view_a.tree, view_b.tree, placement, within, visit) && lone;
}

bool is_lone_apart(const PairContext& pair, const DistanceResult& r, const MinimumScale& scale) {
  return pair.b.shape.type() == ShapeType::mesh ? is_lone_pair(pair, r, scale)
                                                : is_lone_triangle(pair, r, scale);
}

// The answer of the pair with B moved by `shift`; `moved` is B's pose then.
DistanceResult answer_moved(const PairContext& pair, const Vec3& shift, Pose& moved) {
  const Pose& pose = pair.b.pose;
  moved = unchecked_pose(pose.position() + shift, pose.rotation());
  const QueryOptions options = narrowed(pair.options);
  return answer_mesh({pair.a, {pair.b.shape, moved}, options, pair.ask});
}

// As `is_lone_apart`, for surfaces that meet, or nearly so.
bool is_lone_depth(const PairContext& pair, const DistanceResult& r, const MinimumScale& scale) {
  Pose moved;
  for (const double steps : kInwardWays) {
    const double way = steps * scale.step;
    if (!stays_deepest(r, answer_moved(pair, -r.normal * way, moved), way, scale)) return false;
  }
  const double gap = kBeside * scale.step;
  const DistanceResult apart = answer_moved(pair, r.normal * (gap - r.distance), moved);
  if (!(std::fabs(apart.distance - gap) <= kOpenPart * scale.step)) return false;
  DistanceResult back = apart;
  back.point_b -= r.normal * (gap - r.distance);
  if (compare_minima(r, back, 0.0, scale) != Rivalry::same) return false;
  return is_lone_apart({pair.a, {pair.b.shape, moved}, pair.options, pair.ask}, apart, scale);
}

bool is_lone_minimum(const PairContext& pair, const DistanceResult& r, const MinimumScale& scale) {
  if (!(r.upper - r.lower <= scale.circle)) return false;
  const bool has_sign = pair.ask != Ask::unsigned_distance;
  if (pair.b.shape.type() == ShapeType::halfspace)
    return (has_sign || r.distance > scale.step) && is_lone_vertex(pair, r, scale);
  const Shape *const a = hull_of(pair.a.shape), *const b = hull_of(pair.b.shape);
  if (a != nullptr && b != nullptr) return is_lone_minimum_of_hulls(pair, *a, *b, r, scale);
  const double radius = pair.b.shape.is_convex_body() ? core_of(pair.b.shape).radius : 0.0;
  const bool apart = r.distance > scale.step || (has_sign && r.distance > 0.0);
  if (apart && r.distance + radius > scale.step) return is_lone_apart(pair, r, scale);
  return has_sign && is_lone_depth(pair, r, scale);
}

}  // namespace

void derive_mesh(const PairContext& pair, DistanceResult& r) {
  const double rounding = rounding_in(pair);
  const MinimumScale scale(extent(pair.a.shape), extent(pair.b.shape),
                           rounding_in_world(pair.a, pair.b, rounding));
  DistanceResult best =
      narrowest(pair, r, kNarrowBracket * rounding,
                [](const PairContext& narrow, DistanceResult& out) { out = answer_mesh(narrow); });
  best.unique = std::isfinite(best.distance) && is_lone_minimum(pair, best, scale);
  r.unique = best.unique;
  fill_derivatives(best, pair.a.pose, pair.b.pose, *pair.options.derivatives);
}

}  // namespace tactus::detail
