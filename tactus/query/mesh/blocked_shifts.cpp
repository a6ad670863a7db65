#include "tactus/query/mesh/blocked_shifts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tactus/bvh/point_query.hpp"
#include "tactus/core/cancellation.hpp"
#include "tactus/query/mesh/meshes_depth.hpp"
#include "tactus/shape/mesh_data.hpp"

namespace tactus::detail {
namespace {

// Triangles, or pairs of them, that meet after a shift, beyond which it is given up.
constexpr std::size_t kMostMeeting = 512;

void sort_deepest_first(std::vector<BlockedBy>& found) {
  std::sort(found.begin(), found.end(), [](const BlockedBy& x, const BlockedBy& y) {
    return x.depth != y.depth ? x.depth > y.depth : x.set < y.set;
  });
}

// Farthest corner of a triangle along n: the first among equals.
std::size_t corner_along(const Triangle& t, const Vec3& n) {
  const double p = dot(n, t.corner[0]), q = dot(n, t.corner[1]), r = dot(n, t.corner[2]);
  if (p >= q && p >= r) return 0;
  return q >= r ? 1 : 2;
}

const Vec3& vertex_of(const Mesh& mesh, std::uint32_t triangle, std::size_t corner) {
  return mesh.mesh().vertices[mesh.mesh().triangles[triangle][corner]];
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

}  // namespace

void HeldBalls::add(const Ball& ball, const Vec3& out, std::vector<BlockedBy>& found) {
  balls_.push_back(ball);
  found.push_back(
      {static_cast<std::uint32_t>(kFirst + balls_.size() - 1), ball.radius, normalized(out)});
}

Certificate::Cover HeldBalls::cover(const InnerSet& inner, const Pose& axes,
                                    const Vec3& world) const {
  const Ball& ball = (*this)[inner.set];
  Certificate::Cover cover;
  cover.faces = inner.polytope.living();
  cover.held = true;
  cover.held_in_a = !ball.of_a;
  cover.point = axes.to_world(ball.point) + world;
  cover.shift = axes.direction_to_world(ball.shift);
  for (const Vec3& p : inner.polytope.points())
    cover.supports.push_back({axes.direction_to_world(p), {}});
  return cover;
}

ShiftsOfBody::ShiftsOfBody(const MeshAndBody& pair, std::span<const TriangleAnswer> first,
                           const MeshAndBody::Options& search)
    : pair_(pair), first_(first), search_(search) {
  search_.within = pair.rounding();
  search_.most = kMostMeeting;
  search_.max_distance = 0.0;
}

bool ShiftsOfBody::meeting(const Vec3& shift, std::vector<BlockedBy>& found) {
  const bool unmoved = shift == Vec3{} && !first_.empty();
  const MeshAndBody there = pair_.moved(shift);
  const double rounding = there.rounding();
  std::vector<TriangleAnswer> list;
  if (!unmoved) {
    MeshAndBody::Options options = search_;
    options.near = &list;
    if (!there.search(options).all_listed) return false;
  }
  for (const TriangleAnswer& t : unmoved ? first_ : std::span<const TriangleAnswer>(list)) {
    if (t.answer.lower - rounding > 0.0) continue;
    found.push_back({t.triangle, std::max(-t.answer.distance, 0.0), t.answer.n});
  }
  sort_deepest_first(found);
  if (!found.empty() || !there.holds_center()) return true;
  const Vec3 centre = there.center_in_mesh();
  const bvh::SurfacePoint s = bvh::nearest_point(view_of(pair_.mesh()), centre);
  balls_.add({shift, s.distance - 4.0 * rounding, centre - shift, false}, s.point - centre, found);
  return true;
}

Vec3 ShiftsOfBody::support(std::uint32_t set, const Vec3& n) const {
  if (balls_.holds(set)) return balls_.support(set, n);
  const Triangle t = pair_.triangle(set);
  return t.corner[corner_along(t, n)] - pair_.body_point(-n);
}

Certificate::Support ShiftsOfBody::supports(std::uint32_t set, const Vec3& n) const {
  return {vertex_of(pair_.mesh(), set, corner_along(pair_.triangle(set), n)),
          transpose_times(pair_.rotation(), pair_.body_point(-n))};
}

Certificate::Cover ShiftsOfBody::cover(const InnerSet& inner, const Pose& axes,
                                       const Vec3& world) const {
  if (balls_.holds(inner.set)) return balls_.cover(inner, axes, world);
  Certificate::Cover cover;
  cover.faces = inner.polytope.living();
  cover.triangle_a = static_cast<std::int32_t>(inner.set);
  for (const Vec3& n : inner.polytope.directions())
    cover.supports.push_back(supports(inner.set, n));
  return cover;
}

ShiftsOfMesh::ShiftsOfMesh(const Mesh& a, const Mesh& b, const Pose& pose, std::int64_t max_visits)
    : a_(a), b_(b), pose_(pose), visits_(max_visits), rounding_(rounding_of(a, b, pose)) {}

Triangle ShiftsOfMesh::triangle_a(std::uint32_t t) const {
  const auto& c = a_.mesh().triangles[t];
  const auto& v = a_.mesh().vertices;
  return {{v[c[0]], v[c[1]], v[c[2]]}};
}

Triangle ShiftsOfMesh::triangle_b(std::uint32_t t) const {
  const auto& c = b_.mesh().triangles[t];
  const auto& v = b_.mesh().vertices;
  return {{pose_.to_world(v[c[0]]), pose_.to_world(v[c[1]]), pose_.to_world(v[c[2]])}};
}

std::uint32_t ShiftsOfMesh::number_of(const bvh::TrianglePair& pair) {
  const auto place = std::lower_bound(numbers_.begin(), numbers_.end(), pair,
                                      [](const auto& x, const auto& y) { return x.first < y; });
  if (place != numbers_.end() && place->first == pair) return place->second;
  const auto number = static_cast<std::uint32_t>(pairs_.size());
  numbers_.insert(place, {pair, number});
  pairs_.push_back(pair);
  return number;
}

bool ShiftsOfMesh::meeting(const Vec3& shift, std::vector<BlockedBy>& found) {
  const Pose there = detail::unchecked_pose(pose_.position() + shift, pose_.rotation());
  const bvh::MeetingTriangles meeting =
      bvh::meeting_triangles(view_of(a_), Pose(), view_of(b_), there, visits_);
  if (!meeting.all || meeting.pairs.size() > kMostMeeting) return false;
  Epa epa;
  for (const bvh::TrianglePair& pair : meeting.pairs) {
    if (is_work_cancelled()) return false;
    Triangle ta = triangle_a(pair.a), tb = triangle_b(pair.b);
    const Vec3 origin = ta.corner[0];
    for (int k = 0; k < 3; ++k) {
      ta.corner[k] -= origin;
      tb.corner[k] += shift - origin;
    }
    const ConvexAnswer answer = search_pair(Cso(core_of(ta), Pose(), core_of(tb), Pose()), {}, epa);
    found.push_back({number_of(pair), std::max(-answer.distance, 0.0), answer.n});
  }
  sort_deepest_first(found);
  if (!found.empty()) return true;
  // Nothing meets for exact arithmetic on rounded corners: the gap must cover their rounding.
  const bvh::MeshDistance gap =
      bvh::mesh_distance(view_of(a_), Pose(), view_of(b_), there, {.max_tests = visits_});
  if (!(gap.lower > rounding_)) return false;
  const std::optional<HeldPoint> held = held_point(a_, b_, there);
  if (!held) return true;
  const Mesh& holder = held->of_a ? b_ : a_;
  const Vec3 point = held->of_a ? there.to_local(held->point) : held->point;
  const bvh::SurfacePoint near = bvh::nearest_point(view_of(holder), point);
  const Vec3 out = near.point - point;
  balls_.add({shift, near.distance - 4.0 * rounding_,
              held->of_a ? held->point : held->point - shift, held->of_a},
             held->of_a ? -pose_.direction_to_world(out) : out, found);
  return true;
}

Vec3 ShiftsOfMesh::support(std::uint32_t set, const Vec3& n) const {
  if (balls_.holds(set)) return balls_.support(set, n);
  const bvh::TrianglePair& p = pairs_[set];
  const Triangle a = triangle_a(p.a), b = triangle_b(p.b);
  return a.corner[corner_along(a, n)] - b.corner[corner_along(b, -n)];
}

Certificate::Support ShiftsOfMesh::supports(std::uint32_t set, const Vec3& n) const {
  const bvh::TrianglePair& p = pairs_[set];
  return {vertex_of(a_, p.a, corner_along(triangle_a(p.a), n)),
          vertex_of(b_, p.b, corner_along(triangle_b(p.b), -n))};
}

Certificate::Cover ShiftsOfMesh::cover(const InnerSet& inner, const Pose& axes,
                                       const Vec3& world) const {
  Certificate::Cover cover;
  if (balls_.holds(inner.set)) {
    cover = balls_.cover(inner, axes, world);
    const HeldBalls::Ball& ball = balls_[inner.set];
    if (ball.of_a) {
      cover.triangle_a = triangle_with(a_.mesh(), ball.point);
    } else {
      cover.triangle_b = triangle_with(b_.mesh(), pose_.to_local(ball.point));
    }
    return cover;
  }
  cover.faces = inner.polytope.living();
  cover.triangle_a = static_cast<std::int32_t>(pairs_[inner.set].a);
  cover.triangle_b = static_cast<std::int32_t>(pairs_[inner.set].b);
  for (const Vec3& n : inner.polytope.directions())
    cover.supports.push_back(supports(inner.set, n));
  return cover;
}

}  // namespace tactus::detail
