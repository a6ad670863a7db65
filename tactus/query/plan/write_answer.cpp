#include "tactus/query/plan/write_answer.hpp"

#include <cmath>
#include <utility>

namespace tactus::detail {

void swap_roles(DistanceResult& r) {
  r.normal = -r.normal;
  std::swap(r.point_a, r.point_b);
  std::swap(r.part_a, r.part_b);
  std::swap(r.triangle_a, r.triangle_b);
}

void swap_roles(Manifold& m) {
  m.normal = -m.normal;
  std::swap(m.part_a, m.part_b);
  for (int i = 0; i < m.count; ++i) std::swap(m.points[i].point_a, m.points[i].point_b);
}

void swap_roles(Derivatives& d) {
  std::swap(d.linear_a, d.linear_b);
  std::swap(d.angular_a, d.angular_b);
}

namespace {

void fill_certificate(const Cso& cso, const ConvexAnswer& answer, const Pose& pose_a,
                      const Epa* epa, Certificate& out) {
  out.clear();
  out.direction = pose_a.direction_to_world(answer.n);
  out.shrink_a = cso.a.radius;
  out.shrink_b = cso.b.radius;
  out.core_point_a = answer.core_a;
  const auto to_b = [&](const Vec3& p) {
    return transpose_times(cso.rotation, p - cso.translation);
  };
  out.core_point_b = to_b(answer.core_b);
  switch (answer.proof) {
    case ConvexProof::none:
      break;
    case ConvexProof::separation:
      out.kind = CertificateKind::separation;
      break;
    case ConvexProof::axes:
      out.kind = CertificateKind::axes;
      // Where the axes tell no overlap beyond rounding: a witness of the simpler core is in both.
      if (answer.distance < 0.0 && cso.a.kind < cso.b.kind) out.core_point_b = to_b(answer.core_a);
      if (answer.distance < 0.0 && cso.b.kind < cso.a.kind) out.core_point_a = answer.core_b;
      break;
    case ConvexProof::ball:
      out.kind = CertificateKind::ball;
      break;
    case ConvexProof::faces:
      out.kind = CertificateKind::faces;
      for (int i = 0; i < epa->vertex_count(); ++i) {
        const SupportPoint& p = epa->vertex(i);
        out.supports.push_back({p.a, to_b(p.b)});
      }
      epa->list_faces(out.faces);
      break;
  }
}

void start(Manifold& m, const Vec3& normal, int count) {
  m.normal = normal;
  m.count = count;
  m.part_a = m.part_b = -1;
}

}  // namespace

void write_result(const ConvexAnswer& answer, const Pose& pose_a, Method method,
                  DistanceResult& r) {
  r.distance = answer.distance;
  r.lower = answer.lower;
  r.upper = answer.upper;
  r.normal = pose_a.direction_to_world(answer.n);
  r.point_a = pose_a.to_world(answer.point_a);
  r.point_b = pose_a.to_world(answer.point_b);
  r.status = answer.status;
  r.method = method;
  r.unique = answer.unique;
  r.iterations = answer.iterations;
}

void emit(ManifoldSink& sink, const Patch& patch, const Vec3& normal, const Pose& pose) {
  Manifold* const m = sink.next();
  if (m == nullptr) return;
  start(*m, normal, patch.count);
  for (int i = 0; i < patch.count; ++i) {
    const PatchPoint& p = patch.point[i];
    m->points[i] = {pose.to_world(p.a), pose.to_world(p.b), p.depth, p.feature};
  }
}

void put_witness(const DistanceResult& r, Manifold& out) {
  start(out, r.normal, 1);
  out.points[0] = {r.point_a, r.point_b, dot(r.normal, r.point_a - r.point_b), kWitnessFeature};
}

void emit_witness(const PairContext& pair, const DistanceResult& r) {
  if (r.distance > pair.options.margin) return;
  if (Manifold* const m = pair.sink->next()) put_witness(r, *m);
}

void fill_extras(const PairContext& pair, const Cso& cso, const ConvexAnswer& answer,
                 const Epa* epa) {
  const QueryOptions& options = pair.options;
  if (options.certificate != nullptr)
    fill_certificate(cso, answer, pair.a.pose, epa, *options.certificate);
  if (pair.sink == nullptr || answer.distance > options.margin) return;
  Patch patch = make_patch(cso, answer, options.margin);
  // The witnesses of a search may be farther apart than it believes the bodies to be.
  const double least = -(options.margin + 0.5 * cso.error_bound);
  int kept = 0;
  for (int i = 0; i < patch.count; ++i) {
    if (patch.point[i].depth >= least) patch.point[kept++] = patch.point[i];
  }
  patch.count = kept;
  // Faces that hardly differ show nothing near enough: what the search has found still touches.
  const double depth = dot(answer.n, answer.point_a - answer.point_b);
  if (kept == 0 && depth >= least) {
    patch.count = 1;
    patch.point[0] = {answer.point_a, answer.point_b, depth, kWitnessFeature};
  }
  if (patch.count == 0) return;
  emit(*pair.sink, patch, pair.a.pose.direction_to_world(answer.n), pair.a.pose);
}

void fill_derivatives(const DistanceResult& r, const Pose& pose_a, const Pose& pose_b,
                      Derivatives& out) {
  out = {};
  if (!std::isfinite(r.distance)) return;
  out.linear_a = -r.normal;
  out.linear_b = r.normal;
  out.angular_a = -cross(r.point_a - pose_a.position(), r.normal);
  out.angular_b = cross(r.point_b - pose_b.position(), r.normal);
  out.smooth = r.unique;
}

void report_answer(const PairContext& pair, const DistanceResult& r) {
  const Placed &a = pair.a, &b = pair.b;
  const auto radius = [](const Shape& s) { return s.is_convex_body() ? core_of(s).radius : 0.0; };
  const double of_a = radius(a.shape), of_b = radius(b.shape);
  const Vec3 core_a = a.pose.to_local(r.point_a - r.normal * of_a);
  const Vec3 core_b = a.pose.to_local(r.point_b + r.normal * of_b);
  const SearchState state{"answer", r.iterations, r.lower + (of_a + of_b), r.upper + (of_a + of_b),
                          of_a + of_b};
  pair.options.observer->segment(
      {state, core_a, core_b, a.pose.direction_to_local(r.normal), {}, {}});
}

}  // namespace tactus::detail
