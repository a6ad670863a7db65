#include "tactus/classic/separating_plane.hpp"

#include "tactus/classic/proved_answer.hpp"

namespace tactus::detail {

bool has_face_planes(const Core& a, const Core& b) {
  return a.is_polytope() && b.is_polytope() &&
         (Polytope(a).face_count() > 0 || Polytope(b).face_count() > 0);
}

void try_face_planes(const Cso& cso, const Polytope& a, const Polytope& b, AxisSearch& search) {
  for (std::uint32_t f = 0; f < a.face_count() && !search.done(); ++f) {
    const Vec3 n = a.normal(f);
    const Vec3 p = support(cso.b, -transpose_times(cso.rotation, n)).point;
    search.consider(n, a.vertex(a.corners(f)[0]) - (cso.rotation * p + cso.translation));
  }
  for (std::uint32_t f = 0; f < b.face_count() && !search.done(); ++f) {
    const Vec3 n = -(cso.rotation * b.normal(f));
    const Vec3 corner = cso.rotation * b.vertex(b.corners(f)[0]) + cso.translation;
    search.consider(n, support(cso.a, n).point - corner);
  }
}

ConvexAnswer answer_by_face_planes(const Cso& cso, const ConvexOptions& options) {
  AxisSearch search(cso, enough_separation(cso, options), options.max_iterations,
                    "separating_plane", options.observer);
  search.consider_first(options.start);
  try_face_planes(cso, Polytope(cso.a), Polytope(cso.b), search);
  const SupportPoint s = cso.support(search.best().n);
  ConvexAnswer r = proved_answer(cso, search.best().n, search.best().separation, s.a, s.b,
                                 absolute_tolerance(cso, options));
  r.unique = search.best().unique;
  r.iterations = search.evaluations();
  return r;
}

}  // namespace tactus::detail
