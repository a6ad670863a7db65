#include "tactus/query/mesh/mesh_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "tactus/bvh/point_query.hpp"
#include "tactus/core/constants.hpp"
#include "tactus/query/mesh/mesh_contacts.hpp"
#include "tactus/query/mesh/mesh_minimum.hpp"
#include "tactus/query/mesh/meshes_depth.hpp"
#include "tactus/query/mesh/shown_overlap.hpp"
#include "tactus/query/plan/common_point.hpp"
#include "tactus/query/plan/convex.hpp"
#include "tactus/query/plan/pair_state.hpp"
#include "tactus/query/plan/range.hpp"
#include "tactus/shape/mesh_data.hpp"

namespace tactus::detail {
namespace {

// Distance, of the lengths, up to which a point is on a surface: its rounding.
constexpr double kOnSurface = 16.0 * kEpsilon;
// Triangles that meet, beyond which the way out is not followed through each of them.
constexpr std::size_t kMostNear = 1024;
// Triangles near a body of which contacts are made.
constexpr std::size_t kMostListed = 16384;
// A bracket of this many roundings is as narrow as it gets.
constexpr double kLeastMeshWidth = 32.0;
// Components of two meshes from which on a plane between them is tried first.
constexpr std::size_t kManyComponents = 8;
// Contacts that may be told again are found up to this part of the smaller extent, and of the
// margin, more than the margin that is asked for: it changes with the velocities.
constexpr double kKeptBeyond = 8e-4, kKeptMore = 0.05;
// Bound of the rounding of a vertex's height, in units of epsilon times the lengths.
constexpr double kVertex = 64.0;

void reset_certificate(Certificate* certificate, const DistanceResult& r, CertificateKind kind) {
  if (certificate == nullptr) return;
  certificate->clear();
  certificate->kind = kind;
  certificate->direction = r.normal;
}

// Width of the bracket, judged. A wide one whose searches were `unfinished` is their fault.
void judge(DistanceResult& r, double width, Status unfinished) {
  if (r.upper - r.lower <= width) {
    r.status = Status::converged;
  } else {
    r.status = unfinished != Status::converged ? unfinished : Status::local_minimum;
  }
}

// The answer of a depth, points of which are seen from `origin` (world).
void take_depth(const MeshDepth& d, double rounding, const Pose& axes, const Vec3& origin,
                DistanceResult& r) {
  r.distance = -d.length;
  r.lower = -std::max(d.most, d.length) - rounding;
  r.upper = std::max(-d.least, r.distance);
  r.normal = axes.direction_to_world(d.n);
  r.point_a = origin + axes.direction_to_world(d.point_a);
  r.point_b = origin + axes.direction_to_world(d.point_b);
  r.triangle_a = to_id(d.triangle_a);
  r.triangle_b = to_id(d.triangle_b);
  r.unique = false;
}

// The widest bracket of two meshes, or a mesh and a body, that is as narrow as asked.
double widest(const QueryOptions& options, double extent_a, double extent_b, double rounding) {
  return std::max(options.tolerance * std::max(extent_a, extent_b), kLeastMeshWidth * rounding);
}

// Nodes of a search for the shortest way: in a step of a simulation, of two meshes, which meet in
// many pairs of triangles, and of others.
constexpr int kNodesInStep = 24, kNodesOfMeshes = 96, kNodesOfBody = 1000;

/// Question about a mesh and another body, and whether every step of a simulation asks it.
struct Question {
  Ask ask = Ask::distance;
  bool in_step = false;
  bool deepest = false;  ///< of bodies that overlap: the answer of their deepest triangle alone
};

DepthEffort effort_of(const QueryOptions& options, double width, bool in_step, int nodes) {
  const int most = std::min(in_step ? kNodesInStep : nodes, options.max_iterations);
  return {width, std::max(most, 1)};
}

// An open surface that meets a body: 0 away, at a point of both, seen from `origin` (world).
void take_meeting(const MeshAndBody& pair, const MeshSearchResult& found, const Pose& axes,
                  const Vec3& origin, double width, DistanceResult& r) {
  r.lower = 0.0;
  r.distance = std::max(r.distance, 0.0);
  if (found.upper > 0.0) return;
  const Triangle t = pair.triangle(found.nearest.triangle);
  const Core& core = core_of(pair.body());
  const CommonPoint common =
      common_point(Cso(core_of(t), Pose(), core, detail::unchecked_pose({}, pair.rotation())));
  r.distance = 0.0;
  r.upper = std::max(norm(common.b - common.a) - core.radius, 0.0) + pair.rounding();
  r.point_a = r.point_b = origin + axes.direction_to_world(common.a);
  r.unique = false;
  judge(r, width, found.status);
}

// The triangle that a point of the surface lies on; none for one inside of a hull.
std::int32_t triangle_at(const Mesh& mesh, const Pose& pose, const Vec3& point) {
  const bvh::SurfacePoint s = bvh::nearest_point(detail::view_of(mesh), pose.to_local(point));
  const double size =
      detail::view_of(mesh).tree.reach() + norm(detail::view_of(mesh).tree.middle());
  return s.distance <= kOnSurface * (size + norm(pose.position())) ? to_id(s.triangle) : -1;
}

// Answer by the depth of convex bodies, which is exact; A is a convex mesh, taken as its hull.
DistanceResult against_hull(const Mesh& mesh, const Pose& pose_a, const Shape& b,
                            const Pose& pose_b, const QueryOptions& options, double rounding,
                            const MeshSearchResult& found) {
  DistanceResult r;
  answer_convex({{*mesh.hull(), pose_a}, {b, pose_b}, options}, r);
  r.lower -= rounding;
  r.upper += rounding;
  r.triangle_a = triangle_at(mesh, pose_a, r.point_a);
  r.iterations += found.iterations;
  return r;
}

// Points of the triangle that is nearest, and of the body.
void take_points(const MeshSearchResult& found, const Pose& axes, const Vec3& origin,
                 DistanceResult& r) {
  const ConvexAnswer& nearest = found.nearest.answer;
  r.point_a = origin + axes.direction_to_world(nearest.point_a);
  r.point_b = origin + axes.direction_to_world(nearest.point_b);
  r.triangle_a = to_id(found.nearest.triangle);
}

// The nearest triangle and the bracket around it, whichever sign it has.
DistanceResult nearest_triangle(const MeshSearchResult& found, const Pose& pose_a,
                                const Pose& pose_b, double width) {
  const ConvexAnswer& nearest = found.nearest.answer;
  DistanceResult r;
  r.iterations = found.iterations;
  r.method = Method::gjk;
  r.lower = found.lower;
  r.upper = std::max(found.upper, found.lower);
  r.distance = std::clamp(nearest.distance, r.lower, r.upper);
  r.normal = pose_a.direction_to_world(nearest.n);
  take_points(found, pose_a, pose_b.position(), r);
  r.unique = nearest.unique;
  // Narrow, or all that is wide about it was asked for; else what was not finished is to blame.
  r.status = Status::converged;
  if (r.upper - r.lower > width) r.status = found.capped ? Status::iteration_limit : found.status;
  return r;
}

// The search of a step looks at the triangles around the body alone, where these are no crowd.
void look_around(const MeshAndBody& pair, NearestTriangle& last, MeshAndBody::Options& search) {
  const double needed = std::max(search.within, search.max_distance) + 2.0 * pair.rounding();
  const LocalTriangles& around = pair.triangles_around(needed, last.around);
  if (around.crowded) return;
  search.around = &around.triangles;
  search.beyond = needed;
}

DistanceResult against_body(const Mesh& mesh, const Pose& pose_a, const Shape& b,
                            const Pose& pose_b, const QueryOptions& options, QueryCache* cache,
                            Question question, std::vector<TriangleAnswer>* listed) {
  const Ask ask = question.ask;
  const MeshAndBody pair(mesh, pose_a, b, pose_b);
  if (!(pair.size() <= kMostLength)) return no_answer(Status::precision_limit);
  MeshAndBody::Options search = search_options(options);
  search.leaf.over_face = question.deepest;
  search.max_distance = options.max_distance;
  search.sign_only = ask == Ask::sign;
  NearestTriangle* const last = recall<NearestTriangle>(cache);
  if (last != nullptr) search.start = last->triangle;
  // Triangles that meet are listed for the depth, those within the threshold for contacts.
  std::vector<TriangleAnswer> meeting;
  std::vector<TriangleAnswer>& near = listed != nullptr ? *listed : meeting;
  if (ask == Ask::distance) {
    search.near = &near;
    search.within = pair.rounding();
    if (listed != nullptr) search.within += std::max(options.margin, 0.0);
    search.most = listed != nullptr ? kMostListed : kMostNear;
  }
  if (question.in_step && last != nullptr) look_around(pair, *last, search);
  const MeshSearchResult found = pair.search(search);
  if (last != nullptr) last->triangle = found.nearest.triangle;
  const double width =
      widest(options, core_of(b).extent, detail::view_of(mesh).tree.reach(), pair.rounding());
  DistanceResult r = nearest_triangle(found, pose_a, pose_b, width);
  const bool inside = pair.holds_center();
  if (found.lower > 0.0 && !inside) {
    if (ask == Ask::sign) r.status = Status::converged;
    if (found.nearest.answer.closed_form) r.method = Method::closed_form;
    reset_certificate(options.certificate, r, CertificateKind::none);
    return r;
  }
  if (ask == Ask::unsigned_distance) {
    take_meeting(pair, found, pose_a, pose_b.position(), width, r);
    reset_certificate(options.certificate, r, CertificateKind::none);
    return r;
  }
  if (ask == Ask::sign && options.certificate == nullptr && inside &&
      shows_overlap(pair, pose_a, pose_b.position(), r)) {
    return r;
  }
  if (ask == Ask::sign && found.upper < 0.0) {
    r.lower = -norm(pair.surely_out());
    r.distance = std::max(r.distance, r.lower);
    r.status = Status::converged;
    reset_certificate(options.certificate, r, CertificateKind::none);
    return r;
  }
  if (mesh.hull() != nullptr)
    return against_hull(mesh, pose_a, b, pose_b, options, pair.rounding(), found);
  if (question.deepest && found.all_listed && !inside) return r;
  bool all = found.all_listed;
  if (ask == Ask::sign) {
    search.sign_only = false;
    search.near = &near;
    search.within = pair.rounding();
    search.most = kMostNear;
    search.max_distance = kInfinity;
    all = pair.search(search).all_listed;
  }
  const DepthEffort effort = effort_of(options, width, question.in_step, kNodesOfBody);
  const std::size_t followed = std::min(near.size(), kMostNear);
  const MeshDepth depth = mesh_depth(pair, std::span(near).first(followed),
                                     all && followed == near.size(), effort, options);
  const double touching = r.upper;
  const Status unfinished = found.capped ? Status::iteration_limit : found.status;
  take_depth(depth, pair.rounding(), pose_a, pose_b.position(), r);
  // Surfaces that touch from outside: nothing shows a depth.
  if (!inside && touching >= 0.0) r.upper = std::max(std::min(r.upper, touching), r.distance);
  // A plane between them, which searches of single triangles that ended early had not found.
  if (!inside && r.distance > 0.0) take_points(found, pose_a, pose_b.position(), r);
  judge(r, width, unfinished);
  reset_certificate(options.certificate, r, CertificateKind::none);
  return r;
}

// The depth of two meshes of which one is its hull.
DistanceResult against_hull_of_mesh(const Mesh& a, const Pose& pose_a, const Mesh& b,
                                    const Pose& pose_b, const QueryOptions& options, bool in_step,
                                    const DistanceResult& surfaces) {
  const Question question{Ask::distance, in_step};
  DistanceResult r;
  if (b.hull() != nullptr) {
    r = against_body(a, pose_a, *b.hull(), pose_b, options, nullptr, question, nullptr);
  } else {
    r = against_body(b, pose_b, *a.hull(), pose_a, options, nullptr, question, nullptr);
    swap_roles(r);
    if (options.certificate != nullptr) swap_roles(*options.certificate);
  }
  if (r.triangle_a < 0) r.triangle_a = triangle_at(a, pose_a, r.point_a);
  if (r.triangle_b < 0) r.triangle_b = triangle_at(b, pose_b, r.point_b);
  r.iterations += surfaces.iterations;
  return r;
}

// A corner of a triangle near the middle of a mesh.
const Vec3& middle_corner(const Mesh& mesh, std::uint32_t& triangle) {
  using Tree = bvh::Hierarchy<bvh::OrientedBox>;
  const bvh::OrientedBox* const nodes = detail::view_of(mesh).tree.nodes().data();
  std::uint32_t node = Tree::is_leaf(nodes[0]) ? 0 : nodes[0].link;
  while (!Tree::is_leaf(nodes[node])) ++node;
  triangle = Tree::triangle(nodes[node]);
  return mesh.mesh().vertices[mesh.mesh().triangles[triangle][0]];
}

// Any points of both, for a search that has stopped before it had some.
void take_corners(const Mesh& a, const Pose& pose_a, const Mesh& b, const Pose& pose_b,
                  bvh::MeshDistance& found) {
  found.point_a = pose_a.to_world(middle_corner(a, found.triangle_a));
  found.point_b = pose_b.to_world(middle_corner(b, found.triangle_b));
  found.distance = found.upper = norm(found.point_b - found.point_a);
  found.normal = normalized(found.point_b - found.point_a);
}

// The nearest triangles and the bracket around them; 0 where they meet.
DistanceResult nearest_triangles(const bvh::MeshDistance& found, const Vec3& origin,
                                 double rounding, double width) {
  DistanceResult r;
  r.method = Method::gjk;
  r.iterations = static_cast<std::int32_t>(std::min<std::int64_t>(
      found.triangle_tests + found.volume_tests, std::numeric_limits<std::int32_t>::max()));
  r.lower = std::max(found.lower - rounding, 0.0);
  r.upper = found.upper + rounding;
  r.distance = std::clamp(found.distance, r.lower, r.upper);
  r.normal = found.normal != Vec3{} ? found.normal : r.normal;
  r.point_a = origin + found.point_a;
  r.point_b = origin + found.point_b;
  r.triangle_a = to_id(found.triangle_a);
  r.triangle_b = to_id(found.triangle_b);
  r.unique = false;
  const bool wide = found.capped && r.upper - r.lower > width;
  r.status = wide ? Status::iteration_limit : Status::converged;
  return r;
}

// Does a plane show that nothing of one body lies inside of the other: across the way between their
// middles, or half way between the nearest points? It saves asking for each component. `pose` is
// that of B in A's frame; `found` is seen from A in the world's axes.
bool lies_beside(const Mesh& a, const Mesh& b, const Pose& pose, const Mat3& rotation_a,
                 const bvh::MeshDistance& found, double rounding) {
  if (a.component_vertices().size() + b.component_vertices().size() < kManyComponents) return false;
  const auto separates = [&](const Vec3& n, double middle) {
    return !reaches(a, n, middle - rounding) &&
           !reaches(b, -pose.direction_to_local(n), dot(n, pose.position()) - middle - rounding);
  };
  const auto &tree_a = view_of(a).tree, &tree_b = view_of(b).tree;
  const Vec3 middle_a = tree_a.middle(), middle_b = pose.to_world(tree_b.middle());
  const Vec3 between = normalized(middle_b - middle_a);
  if (separates(between,
                0.5 * (dot(between, middle_a + middle_b) + (tree_a.reach() - tree_b.reach())))) {
    return true;
  }
  return found.normal != Vec3{} &&
         separates(transpose_times(rotation_a, found.normal),
                   dot(found.normal, (found.point_a + found.point_b) * 0.5));
}

DistanceResult against_mesh(const Mesh& a, const Pose& pose_a, const Mesh& b, const Pose& pose_b,
                            const QueryOptions& options, QueryCache* cache, Question question) {
  const Ask ask = question.ask;
  const Pose pose = relative(pose_a, pose_b);
  const double rounding = rounding_of(a, b, pose);
  if (!(rounding <= kMostLength)) return no_answer(Status::precision_limit);
  const double reach_a = detail::view_of(a).tree.reach(), reach_b = detail::view_of(b).tree.reach();
  const double width = widest(options, reach_a, reach_b, rounding);
  // Meshes that are farther apart than `clear`, in spite of rounding, are known to be apart.
  const double clear = 2.0 * rounding;
  bvh::MeshDistanceOptions search;
  search.max_distance = ask == Ask::sign ? clear : std::max(options.max_distance, clear);
  search.absolute_error = options.tolerance * std::max(reach_a, reach_b);
  search.max_tests = most_visits(options.max_iterations);
  // About A's position, as for every pair: far from the world's origin nothing is lost.
  const Pose near_a = detail::unchecked_pose({}, pose_a.rotation());
  const Pose near_b =
      detail::unchecked_pose(pose_b.position() - pose_a.position(), pose_b.rotation());
  const bvh::MeshView view_a = view_of(a), view_b = view_of(b);
  bvh::MeshFront* const front = recall<bvh::MeshFront>(cache);
  bvh::MeshDistance found = front != nullptr
                                ? bvh::mesh_distance(view_a, near_a, view_b, near_b, *front, search)
                                : bvh::mesh_distance(view_a, near_a, view_b, near_b, search);
  if (found.triangle_a == bvh::MeshPairCache::kNone) take_corners(a, near_a, b, near_b, found);
  DistanceResult r = nearest_triangles(found, pose_a.position(), rounding, width);
  const bool beside = found.meets || lies_beside(a, b, pose, pose_a.rotation(), found, rounding);
  const std::optional<HeldPoint> held = beside ? std::nullopt : held_point(a, b, pose);
  if (!held && !found.meets && r.lower > 0.0) {
    if (ask == Ask::sign) r.status = Status::converged;
    reset_certificate(options.certificate, r, CertificateKind::none);
    return r;
  }
  if (ask == Ask::unsigned_distance) {
    r.lower = 0.0;
    if (held) {
      r.distance = 0.0;
      r.upper = rounding;
      r.point_a = r.point_b = pose_a.to_world(held->point);
      r.status = Status::converged;
    }
    reset_certificate(options.certificate, r, CertificateKind::none);
    return r;
  }
  if (ask == Ask::sign && options.certificate == nullptr &&
      shows_overlap(a, pose_a, b, pose, found, held, r)) {
    return r;
  }
  if (b.hull() != nullptr || a.hull() != nullptr)
    return against_hull_of_mesh(a, pose_a, b, pose_b, options, question.in_step, r);
  const MeshDepth depth = meshes_depth(
      a, b, pose, effort_of(options, width, question.in_step, kNodesOfMeshes), options);
  take_depth(depth, rounding, pose_a, pose_a.position(), r);
  if (!held && !found.meets) r.upper = std::max(r.upper, found.upper + rounding);
  // A plane between them, which a search that ended early had not found.
  if (!held && r.distance > 0.0) {
    r.point_a = pose_a.position() + found.point_a;
    r.point_b = pose_a.position() + found.point_b;
    r.triangle_a = to_id(found.triangle_a);
    r.triangle_b = to_id(found.triangle_b);
  }
  judge(r, ask == Ask::sign && r.upper <= 0.0 ? kInfinity : width,
        found.capped ? Status::iteration_limit : Status::local_minimum);
  reset_certificate(options.certificate, r, CertificateKind::none);
  return r;
}

// The half-space holds B's side; the mesh's lowest vertex decides.
DistanceResult against_halfspace(const Mesh& mesh, const Pose& pose_a, const HalfSpace& h,
                                 const Pose& pose_b, const QueryOptions& options, Ask ask) {
  const Pose pose = relative(pose_a, pose_b);
  const Vec3 n = pose.direction_to_world(h.normal());
  const bvh::MeshView view = detail::view_of(mesh);
  const double rounding = kVertex * kEpsilon *
                          (norm(pose.position()) + norm(view.tree.middle()) + view.tree.reach() +
                           std::fabs(h.offset()));
  const FarthestVertex low = farthest_vertex(mesh, -n, rounding);
  const Vec3& vertex = mesh.mesh().vertices[low.vertex];
  DistanceResult r;
  r.method = Method::closed_form;
  r.iterations = 1;
  r.distance = dot(n, vertex - pose.position()) - h.offset();
  // The vertex of a surface that meets the half-space is a point of both.
  if (ask == Ask::unsigned_distance) r.distance = std::max(r.distance, 0.0);
  r.lower = r.distance - rounding;
  r.upper = r.distance + rounding;
  if (ask == Ask::unsigned_distance) r.lower = std::max(r.lower, 0.0);
  // From the mesh into the half-space.
  r.normal = -pose_b.direction_to_world(h.normal());
  r.point_a = pose_a.to_world(vertex);
  r.point_b = r.point_a + r.normal * r.distance;
  r.triangle_a = to_id(low.triangle);
  r.unique = low.others == 0;
  r.status = rounding <= kMostLength ? Status::converged : Status::precision_limit;
  reset_certificate(options.certificate, r, CertificateKind::axes);
  return r;
}

void sort_by_number(std::vector<TriangleAnswer>& near) {
  std::sort(near.begin(), near.end(), [](const TriangleAnswer& x, const TriangleAnswer& y) {
    return x.triangle < y.triangle;
  });
}

void contacts_with_body(const Mesh& mesh, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                        std::vector<TriangleAnswer>& near, const DistanceResult& whole,
                        double threshold, ManifoldSink& sink) {
  sort_by_number(near);
  mesh_contacts(MeshAndBody(mesh, pose_a, b, pose_b), pose_a, pose_b.position(), near, whole,
                threshold, sink);
}

// Contacts of a mesh and a body for a step of a simulation, where the deepest triangle's depth
// tells enough for them: no way out is searched for. False where it does not.
bool answer_in_step(const PairContext& pair, const Mesh& mesh, const QueryOptions& options,
                    DistanceResult& r) {
  const Shape& b = pair.b.shape;
  std::vector<TriangleAnswer> near;
  r = against_body(mesh, pair.a.pose, b, pair.b.pose, options, pair.cache,
                   {Ask::distance, true, true}, &near);
  if (!std::isfinite(r.lower + r.upper)) return false;
  if (r.distance > options.margin) return true;
  sort_by_number(near);
  return shallow_contacts(MeshAndBody(mesh, pair.a.pose, b, pair.b.pose), pair.a.pose,
                          pair.b.pose.position(), near, r, options.margin, *pair.sink);
}

// A mesh whose body is its hull has the faces of that.
void contacts_of_meshes(const Mesh& a, const Pose& pose_a, const Mesh& b, const Pose& pose_b,
                        const DistanceResult& whole, const QueryOptions& given,
                        ManifoldSink& sink) {
  QueryOptions options = given;
  options.certificate = nullptr;
  options.derivatives = nullptr;
  if (a.hull() != nullptr && b.hull() != nullptr) {
    DistanceResult r;
    answer_convex(
        {{*a.hull(), pose_a}, {*b.hull(), pose_b}, options, Ask::distance, nullptr, &sink}, r);
  } else if (b.hull() != nullptr) {
    const Shape& hull = *b.hull();
    std::vector<TriangleAnswer> near;
    against_body(a, pose_a, hull, pose_b, options, nullptr, {Ask::distance, true}, &near);
    contacts_with_body(a, pose_a, hull, pose_b, near, whole, options.margin, sink);
  } else if (a.hull() != nullptr) {
    const int before = sink.count;
    DistanceResult mirrored = whole;
    swap_roles(mirrored);
    contacts_of_meshes(b, pose_b, a, pose_a, mirrored, given, sink);
    for (Manifold& m : sink.since(before)) swap_roles(m);
  } else {
    mesh_contacts(a, pose_a, b, pose_b, whole, options.margin, sink);
  }
}

}  // namespace

bool second_goes_first(const Placed& a, const Placed& b) {
  const auto* mesh_a = std::get_if<Mesh>(&a.shape.geometry());
  const auto* mesh_b = std::get_if<Mesh>(&b.shape.geometry());
  const Pose &pose_a = a.pose, &pose_b = b.pose;
  if (mesh_a == nullptr || mesh_b == nullptr) return false;
  const std::uint64_t key_a = detail::view_of(*mesh_a).tree.fingerprint();
  const std::uint64_t key_b = detail::view_of(*mesh_b).tree.fingerprint();
  if (key_a != key_b) return key_b < key_a;
  for (int i = 0; i < 3; ++i) {
    if (pose_a.position()[i] != pose_b.position()[i])
      return pose_b.position()[i] < pose_a.position()[i];
  }
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const double x = pose_a.rotation()(i, j), y = pose_b.rotation()(i, j);
      if (x != y) return y < x;
    }
  }
  return false;
}

namespace {

DistanceResult answer_anew(const PairContext& pair) {
  const Mesh& mesh = std::get<Mesh>(pair.a.shape.geometry());
  const Shape& b = pair.b.shape;
  const Pose &pose_a = pair.a.pose, &pose_b = pair.b.pose;
  QueryOptions options = pair.options;
  options.derivatives = nullptr;
  ManifoldSink* const sink = pair.sink;
  if (!in_range(length_of(pair.a.shape) + length_of(b), pose_b.position() - pose_a.position()))
    return no_answer(Status::precision_limit);
  if (options.method != Method::automatic) return no_answer(Status::unsupported);
  const auto* mesh_b = std::get_if<Mesh>(&b.geometry());
  const bool open = !mesh.closed() || (mesh_b != nullptr && !mesh_b->closed());
  if (open && pair.ask == Ask::signed_distance) return no_answer(Status::unsupported);
  const bool has_sign = !open && pair.ask != Ask::sign;
  const Ask ask = has_sign ? Ask::distance : pair.ask;
  const Question question{ask, sink != nullptr && sink->in_step};
  DistanceResult r;
  std::vector<TriangleAnswer> near;
  if (const auto* h = std::get_if<HalfSpace>(&b.geometry())) {
    r = against_halfspace(mesh, pose_a, *h, pose_b, options, ask);
  } else if (mesh_b != nullptr) {
    r = against_mesh(mesh, pose_a, *mesh_b, pose_b, options, pair.cache, question);
  } else {
    if (question.in_step && ask == Ask::distance && answer_in_step(pair, mesh, options, r))
      return r;
    r = against_body(mesh, pose_a, b, pose_b, options, pair.cache, question,
                     sink != nullptr ? &near : nullptr);
  }
  if (!std::isfinite(r.lower + r.upper) || !is_finite(r.point_a + r.point_b))
    return no_answer(Status::precision_limit);
  if (pair.options.derivatives != nullptr) derive_mesh(pair, r);
  if (sink == nullptr || r.distance > options.margin) return r;
  if (const auto* h = std::get_if<HalfSpace>(&b.geometry())) {
    mesh_contacts(mesh, pose_a, *h, pose_b, r, options.margin, *sink);
  } else if (mesh_b != nullptr) {
    contacts_of_meshes(mesh, pose_a, *mesh_b, pose_b, r, options, *sink);
  } else {
    contacts_with_body(mesh, pose_a, b, pose_b, near, r, options.margin, *sink);
  }
  return r;
}

// Contacts of a step, as the last steps have found them or anew.
DistanceResult answer_kept(const PairContext& pair) {
  const Mesh& mesh = std::get<Mesh>(pair.a.shape.geometry());
  const MeshAndBody bodies(mesh, pair.a.pose, pair.b.shape, pair.b.pose);
  const CorePlace place = bodies.core_place();
  const double extent = bodies.smaller_extent();
  const std::uint64_t key = view_of(mesh).tree.fingerprint();
  DistanceResult r;
  NearestTriangle& kept = *recall<NearestTriangle>(pair.cache);
  if (kept.contacts.tell(pair.a.pose, pair.b.pose, place, pair.options.margin,
                         pair.sink->kept_while * extent, key, r, *pair.sink))
    return r;
  QueryOptions options = pair.options;
  options.margin = (1.0 + kKeptMore) * std::max(options.margin, 0.0) + kKeptBeyond * extent;
  options.max_distance = std::max(options.max_distance, options.margin);
  const int before = pair.sink->count;
  r = answer_anew({pair.a, pair.b, options, pair.ask, pair.cache, pair.sink});
  kept.contacts.clear();
  if (std::isfinite(r.lower + r.upper) && !pair.sink->truncated)
    kept.contacts.keep(pair.a.pose, pair.b.pose, place, options.margin, key, r,
                       pair.sink->since(before));
  return r;
}

}  // namespace

DistanceResult answer_mesh(const PairContext& pair) {
  const Shape& b = pair.b.shape;
  const bool may_keep = pair.sink != nullptr && pair.sink->kept_while > 0.0 &&
                        pair.cache != nullptr && pair.ask == Ask::distance && b.is_convex_body();
  return may_keep ? answer_kept(pair) : answer_anew(pair);
}

}  // namespace tactus::detail
