#include "tactus/query/plan/halfspace.hpp"

#include <algorithm>
#include <cmath>

#include "tactus/core/constants.hpp"
#include "tactus/query/plan/lone_minimum.hpp"
#include "tactus/query/plan/range.hpp"
#include "tactus/query/plan/write_answer.hpp"

namespace tactus::detail {

DistanceResult answer_halfspace(const PairContext& pair) {
  const Placed &a = pair.a, &b = pair.b;
  const QueryOptions& options = pair.options;
  const HalfSpace& h = std::get<HalfSpace>(a.shape.geometry());
  const Core& core_b = core_of(b.shape);
  if (!in_range(core_b.reach + core_b.radius + std::fabs(h.offset()),
                b.pose.position() - a.pose.position()))
    return no_answer(Status::precision_limit);
  // A core with no extent carries the half-space's frame; the plane itself enters through the
  // answer.
  const Core origin;
  const Cso cso(origin, a.pose, core_b, b.pose);
  const SupportPoint p = cso.support(h.normal());
  ConvexAnswer answer;
  answer.n = h.normal();
  answer.core_b = p.b;
  answer.point_b = p.b - answer.n * cso.b.radius;
  answer.distance = dot(answer.n, answer.point_b) - h.offset();
  const double rounding = cso.error_bound + std::fabs(h.offset()) * kEpsilon;
  answer.lower = answer.distance - rounding;
  answer.upper = answer.distance + rounding;
  answer.point_a = answer.point_b - answer.n * answer.distance;
  answer.core_a = answer.point_a;
  answer.iterations = 1;
  DistanceResult r;
  write_result(answer, a.pose, Method::closed_form, r);
  // Several corners equally low: the witnesses are not unique.
  r.unique = count_lowest(cso, answer, rounding) <= 1;
  if (options.derivatives != nullptr) {
    const MinimumScale scale(core_b.extent, core_b.extent, rounding_in_world(a, b, rounding));
    r.unique = has_one_place(a, b, r, scale);
    fill_derivatives(r, a.pose, b.pose, *options.derivatives);
  }
  if (options.certificate != nullptr) {
    options.certificate->clear();
    options.certificate->kind = CertificateKind::axes;
    options.certificate->direction = r.normal;
  }
  if (pair.sink != nullptr && !(answer.distance > options.margin))
    emit(*pair.sink, make_plane_patch(cso, answer, std::max(options.margin, 0.0)),
         a.pose.direction_to_world(answer.n), a.pose);
  return r;
}

}  // namespace tactus::detail
