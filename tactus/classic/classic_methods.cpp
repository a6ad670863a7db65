#include "tactus/classic.hpp"
#include "tactus/classic/chung_wang.hpp"
#include "tactus/classic/epa_classic.hpp"
#include "tactus/classic/mpr.hpp"
#include "tactus/classic/polytope_sat.hpp"
#include "tactus/classic/separating_plane.hpp"
#include "tactus/classic/v_clip.hpp"
#include "tactus/narrow/pair/measure_pair.hpp"
#include "tactus/query.hpp"
#include "tactus/query/plan/methods.hpp"

namespace tactus {
using namespace detail;
namespace {

bool any_pair(const PairRow&, const Core&, const Core&) { return true; }

// A method that looks at the cores alone.
template <bool (*Serves)(const Core&, const Core&)>
bool cores(const PairRow&, const Core& a, const Core& b) {
  return Serves(a, b);
}

// A method that needs no working storage.
template <ConvexAnswer (*Answer)(const Cso&, const ConvexOptions&)>
ConvexAnswer by(const Cso& cso, const ConvexOptions& options, Epa&) {
  return Answer(cso, options);
}

// As `by`, for a method with a first direction: that of the pair's last answer, if `warm` has one.
template <ConvexAnswer (*Answer)(const Cso&, const ConvexOptions&)>
ConvexAnswer from_last(const Cso& cso, const ConvexOptions& options, Epa&) {
  if (options.warm == nullptr) return Answer(cso, options);
  ConvexOptions again = options;
  if (!(options.warm->direction == Vec3{})) again.start = normalized(options.warm->direction);
  const ConvexAnswer answer = Answer(cso, again);
  options.warm->forget();
  options.warm->direction = answer.n;
  options.warm->overlapping = answer.upper < 0.0;
  return answer;
}

// Boxes have fifteen axes and a search where these leave witnesses open.
ConvexAnswer by_axes(const Cso& cso, const ConvexOptions& options, Epa& epa) {
  return cso.a.kind == CoreKind::box && cso.b.kind == CoreKind::box
             ? measure_pair(cso, PairFormula::axes, options, epa)
             : from_last<answer_by_polytope_axes>(cso, options, epa);
}

constexpr detail::MethodTable table() {
  detail::MethodTable t = {};
  const auto at = [&](Method method) -> detail::MethodRow& {
    return t[static_cast<std::size_t>(method)];
  };
  at(Method::epa_classic) = {any_pair, by<answer_epa_classic>};
  at(Method::mpr) = {any_pair, by<answer_by_mpr>};
  at(Method::chung_wang) = {any_pair, from_last<answer_by_chung_wang>};
  at(Method::sat) = {cores<has_polytope_axes>, by_axes};
  at(Method::separating_plane) = {cores<has_face_planes>, from_last<answer_by_face_planes>};
  at(Method::v_clip) = {cores<is_polytope_pair>, from_last<answer_by_v_clip>};
  return t;
}
constexpr detail::MethodTable kTable = table();

}  // namespace

void enable_classic_methods() { detail::add_methods(kTable); }

}  // namespace tactus
