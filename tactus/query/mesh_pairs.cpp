#include "tactus/query/mesh_pairs.hpp"

#include <algorithm>
#include <cmath>

#include "tactus/query/mesh_contacts.hpp"
#include "tactus/query/mesh_depth.hpp"

namespace tactus::detail {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// Triangles that meet, beyond which the way out is not followed through each of them.
constexpr std::size_t kMostNear = 1024;
// A bracket of this many roundings is as narrow as it gets.
constexpr double kDone = 64.0;
// Lengths of a pair that are computed: see dispatch.cpp.
constexpr double kMostLength = 1e50;

DistanceResult failed(Status status) {
  DistanceResult r;
  r.status = status;
  return r;
}

std::int32_t to_id(std::uint32_t triangle) {
  return triangle == bvh::MeshPairCache::kNone ? -1 : static_cast<std::int32_t>(triangle);
}

// Where a search stopped, and what proves what it found.
void remember(QueryCache* cache, const Vec3& direction, std::uint32_t a, std::uint32_t b) {
  if (cache == nullptr) return;
  *cache = {};
  cache->direction = direction;
  cache->count = 1;
  cache->piece_a[0] = a;
  cache->piece_b[0] = b;
}

void certify(Certificate* certificate, const DistanceResult& r, CertificateKind kind) {
  if (certificate == nullptr) return;
  certificate->clear();
  certificate->kind = kind;
  certificate->direction = r.normal;
}

// Width of the bracket, judged.
void judge(DistanceResult& r, double tolerance) {
  r.status = r.upper - r.lower <= tolerance ? Status::converged : Status::precision_limit;
}

// The answer of a depth, points of which are seen from `origin` (world).
void take_depth(const MeshDepth& d, double rounding, const Pose& axes, const Vec3& origin,
                DistanceResult& r) {
  r.distance = -d.most;
  r.lower = -d.most - rounding;
  r.upper = std::max(-d.least, r.distance);
  r.normal = axes.direction_to_world(d.n);
  r.point_a = origin + axes.direction_to_world(d.point_a);
  r.point_b = origin + axes.direction_to_world(d.point_b);
  r.triangle_a = to_id(d.triangle_a);
  r.triangle_b = to_id(d.triangle_b);
  r.unique = false;
}

DistanceResult against_body(const Mesh& mesh, const Pose& pose_a, const Shape& b,
                            const Pose& pose_b, const QueryOptions& options, QueryCache* cache,
                            Ask ask, std::vector<TriangleAnswer>* listed) {
  const MeshAndBody pair(mesh, pose_a, b, pose_b);
  if (!(pair.size() <= kMostLength)) return failed(Status::precision_limit);
  MeshAndBody::Options search;
  search.leaf.tolerance = options.tolerance;
  search.leaf.max_iterations = options.max_iterations;
  search.max_distance = options.max_distance;
  search.sign_only = ask == Ask::sign;
  if (cache != nullptr && cache->count > 0) search.start = cache->piece_a[0];
  // Triangles that meet are listed for the depth, those within the threshold for contacts.
  std::vector<TriangleAnswer> meeting;
  std::vector<TriangleAnswer>& near = listed != nullptr ? *listed : meeting;
  if (ask == Ask::distance) {
    search.near = &near;
    search.within = pair.rounding();
    if (listed != nullptr) search.within += std::max(options.threshold, 0.0);
    search.most = kMostNear;
  }
  const MeshSearchResult found = pair.search(search);
  const ConvexAnswer& nearest = found.nearest.answer;
  remember(cache, nearest.n, found.nearest.triangle, 0);

  DistanceResult r;
  r.iterations = found.iterations;
  r.method = Method::gjk;
  const double tolerance =
      std::max(options.tolerance * std::max(b.core().extent, mesh.view().tree.reach()),
               kDone * pair.rounding());
  r.lower = found.lower;
  r.upper = std::max(found.upper, found.lower);
  r.distance = std::clamp(nearest.distance, r.lower, r.upper);
  r.normal = pose_a.direction_to_world(nearest.n);
  r.point_a = pose_b.position() + pose_a.direction_to_world(nearest.point_a);
  r.point_b = pose_b.position() + pose_a.direction_to_world(nearest.point_b);
  r.triangle_a = to_id(found.nearest.triangle);
  r.unique = nearest.unique;
  r.status = nearest.status;
  const bool inside = pair.holds_center();
  if (found.lower > 0.0 && !inside) {
    if (nearest.closed_form) r.method = Method::closed_form;
    certify(options.certificate, r, CertificateKind::none);
    return r;
  }
  if (ask == Ask::sign && found.upper < 0.0) {
    r.lower = -pair.surely_out();
    r.distance = std::max(r.distance, r.lower);
    r.status = Status::converged;
    certify(options.certificate, r, CertificateKind::none);
    return r;
  }
  if (mesh.hull() != nullptr) {
    // Bodies that are convex have a depth that is known.
    const DistanceResult of_hull = answer_pair(Shape(*mesh.hull()), pose_a, b, pose_b, options,
                                               nullptr, Ask::distance, nullptr);
    r = of_hull;
    r.lower -= pair.rounding();
    r.upper += pair.rounding();
    r.triangle_a = to_id(found.nearest.triangle);
    r.iterations += found.iterations;
    return r;
  }
  bool all = found.all_listed;
  if (ask == Ask::sign) {
    search.sign_only = false;
    search.near = &near;
    search.within = pair.rounding();
    search.most = kMostNear;
    search.max_distance = kInfinity;
    all = pair.search(search).all_listed;
  }
  const MeshDepth depth = mesh_depth(pair, near, all);
  const double touching = r.upper;
  take_depth(depth, pair.rounding(), pose_a, pose_b.position(), r);
  // Surfaces that touch from outside: nothing shows a depth.
  if (!inside && touching >= 0.0) r.upper = std::max(std::min(r.upper, touching), r.distance);
  judge(r, tolerance);
  certify(options.certificate, r, CertificateKind::none);
  return r;
}

DistanceResult against_mesh(const Mesh& a, const Pose& pose_a, const Mesh& b, const Pose& pose_b,
                            const QueryOptions& options, QueryCache* cache, Ask ask) {
  const Pose pose = relative(pose_a, pose_b);
  const double rounding = rounding_of(a, b, pose);
  if (!(rounding <= kMostLength)) return failed(Status::precision_limit);
  bvh::MeshDistanceOptions search;
  search.max_distance =
      ask == Ask::sign ? std::min(options.max_distance, rounding) : options.max_distance;
  bvh::MeshPairCache triangles;
  if (cache != nullptr && cache->count > 0) triangles = {cache->piece_a[0], cache->piece_b[0]};
  // About A's position, as for every pair: far from the world's origin nothing is lost.
  const Pose near_a = Pose::unchecked(pose_a.rotation(), {});
  const Pose near_b = Pose::unchecked(pose_b.rotation(), pose_b.position() - pose_a.position());
  const bvh::MeshDistance found = bvh::mesh_distance(a.view(), near_a, b.view(), near_b, search,
                                                     cache != nullptr ? &triangles : nullptr);
  DistanceResult r;
  r.method = Method::gjk;
  r.iterations = static_cast<std::int32_t>(std::min<std::int64_t>(
      found.triangle_tests + found.volume_tests, std::numeric_limits<std::int32_t>::max()));
  remember(cache, found.normal, found.triangle_a, found.triangle_b);
  const double tolerance = std::max(
      options.tolerance * std::max(a.view().tree.reach(), b.view().tree.reach()), kDone * rounding);
  r.lower = std::max(found.lower - rounding, 0.0);
  r.upper = found.upper + rounding;
  r.distance = std::clamp(found.distance, r.lower, r.upper);
  r.normal = found.normal != Vec3{} ? found.normal : r.normal;
  r.point_a = pose_a.position() + found.point_a;
  r.point_b = pose_a.position() + found.point_b;
  r.triangle_a = to_id(found.triangle_a);
  r.triangle_b = to_id(found.triangle_b);
  r.unique = false;
  r.status = Status::converged;
  const bool held = !found.meets && one_holds_other(a, b, pose);
  if (!held && !found.meets && r.lower > 0.0) {
    certify(options.certificate, r, CertificateKind::none);
    return r;
  }
  if (b.hull() != nullptr || a.hull() != nullptr) {
    const bool by_b = b.hull() != nullptr;
    DistanceResult of_hull = by_b ? against_body(a, pose_a, Shape(*b.hull()), pose_b, options,
                                                 nullptr, Ask::distance, nullptr)
                                  : against_body(b, pose_b, Shape(*a.hull()), pose_a, options,
                                                 nullptr, Ask::distance, nullptr);
    if (!by_b) {
      of_hull.normal = -of_hull.normal;
      std::swap(of_hull.point_a, of_hull.point_b);
      std::swap(of_hull.triangle_a, of_hull.triangle_b);
      if (options.certificate != nullptr) swap_roles(*options.certificate);
    }
    if (of_hull.triangle_a < 0) of_hull.triangle_a = r.triangle_a;
    if (of_hull.triangle_b < 0) of_hull.triangle_b = r.triangle_b;
    of_hull.iterations += r.iterations;
    return of_hull;
  }
  const MeshDepth depth = mesh_depth(a, b, pose);
  take_depth(depth, rounding, pose_a, pose_a.position(), r);
  if (!held && !found.meets) r.upper = std::max(r.upper, found.upper + rounding);
  if (ask == Ask::sign && r.upper <= 0.0) {
    r.status = Status::converged;
  } else {
    judge(r, tolerance);
  }
  certify(options.certificate, r, CertificateKind::none);
  return r;
}

// The half-space holds B's side; the mesh's lowest vertex decides.
DistanceResult against_halfspace(const Mesh& mesh, const Pose& pose_a, const HalfSpace& h,
                                 const Pose& pose_b, const QueryOptions& options) {
  const Pose pose = relative(pose_a, pose_b);
  const Vec3 n = pose.direction_to_world(h.normal());
  const bvh::MeshView view = mesh.view();
  const double rounding = kDone * std::numeric_limits<double>::epsilon() *
                          (norm(pose.position()) + norm(view.tree.middle()) + view.tree.reach() +
                           std::fabs(h.offset()));
  const FarthestVertex low = farthest_vertex(mesh, -n, rounding);
  const Vec3& vertex = mesh.mesh().vertices[low.vertex];
  DistanceResult r;
  r.method = Method::closed_form;
  r.iterations = 1;
  r.distance = dot(n, vertex - pose.position()) - h.offset();
  r.lower = r.distance - rounding;
  r.upper = r.distance + rounding;
  // From the mesh into the half-space.
  r.normal = -pose_b.direction_to_world(h.normal());
  r.point_a = pose_a.to_world(vertex);
  r.point_b = r.point_a + r.normal * r.distance;
  r.triangle_a = to_id(low.triangle);
  r.unique = low.others == 0;
  r.status = rounding <= kMostLength ? Status::converged : Status::precision_limit;
  certify(options.certificate, r, CertificateKind::axes);
  return r;
}

void contacts_with_body(const Mesh& mesh, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                        std::vector<TriangleAnswer>& near, const DistanceResult& whole,
                        double threshold, ManifoldSink& sink) {
  std::sort(near.begin(), near.end(), [](const TriangleAnswer& x, const TriangleAnswer& y) {
    return x.triangle < y.triangle;
  });
  mesh_contacts(MeshAndBody(mesh, pose_a, b, pose_b), pose_a, pose_b.position(), near, whole,
                threshold, sink);
}

// A mesh whose body is its hull has the faces of that.
void contacts_of_meshes(const Mesh& a, const Pose& pose_a, const Mesh& b, const Pose& pose_b,
                        const DistanceResult& whole, const QueryOptions& given,
                        ManifoldSink& sink) {
  QueryOptions options = given;
  options.certificate = nullptr;
  options.derivatives = nullptr;
  if (a.hull() != nullptr && b.hull() != nullptr) {
    answer_pair(Shape(*a.hull()), pose_a, Shape(*b.hull()), pose_b, options, nullptr, Ask::distance,
                &sink);
  } else if (b.hull() != nullptr) {
    const Shape hull = *b.hull();
    std::vector<TriangleAnswer> near;
    against_body(a, pose_a, hull, pose_b, options, nullptr, Ask::distance, &near);
    contacts_with_body(a, pose_a, hull, pose_b, near, whole, options.threshold, sink);
  } else if (a.hull() != nullptr) {
    const int before = sink.count;
    DistanceResult swapped = whole;
    swapped.normal = -whole.normal;
    std::swap(swapped.point_a, swapped.point_b);
    std::swap(swapped.triangle_a, swapped.triangle_b);
    contacts_of_meshes(b, pose_b, a, pose_a, swapped, given, sink);
    for (int i = before; i < sink.count; ++i) swap_roles(sink.out[static_cast<std::size_t>(i)]);
  } else {
    mesh_contacts(a, pose_a, b, pose_b, whole, options.threshold, sink);
  }
}

}  // namespace

DistanceResult mesh_pair(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                         const QueryOptions& options, QueryCache* cache, Ask ask,
                         ManifoldSink* sink) {
  const Mesh& mesh = std::get<Mesh>(a.geometry());
  if (options.method != Method::automatic) return failed(Status::unsupported);
  DistanceResult r;
  std::vector<TriangleAnswer> near;
  if (const auto* h = std::get_if<HalfSpace>(&b.geometry())) {
    r = against_halfspace(mesh, pose_a, *h, pose_b, options);
  } else if (const auto* other = std::get_if<Mesh>(&b.geometry())) {
    r = against_mesh(mesh, pose_a, *other, pose_b, options, cache, ask);
  } else {
    r = against_body(mesh, pose_a, b, pose_b, options, cache, ask,
                     sink != nullptr ? &near : nullptr);
  }
  if (!std::isfinite(r.lower + r.upper) || !is_finite(r.point_a + r.point_b))
    return failed(Status::precision_limit);
  if (sink == nullptr || r.distance > options.threshold) return r;
  if (const auto* h = std::get_if<HalfSpace>(&b.geometry())) {
    mesh_contacts(mesh, pose_a, *h, pose_b, r, options.threshold, *sink);
  } else if (const auto* other = std::get_if<Mesh>(&b.geometry())) {
    contacts_of_meshes(mesh, pose_a, *other, pose_b, r, options, *sink);
  } else {
    contacts_with_body(mesh, pose_a, b, pose_b, near, r, options.threshold, *sink);
  }
  return r;
}

}  // namespace tactus::detail
