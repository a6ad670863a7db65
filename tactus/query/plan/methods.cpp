#include "tactus/query/plan/methods.hpp"

#include <atomic>

#include "tactus/narrow/difference/pair_plan.hpp"

namespace tactus::detail {
namespace {

bool any_pair(const Core&, const Core&) { return true; }
bool closed_form_pair(const Core& a, const Core& b) {
  return plan_of(a.kind, b.kind).formula == PairPlan::Formula::closed;
}
bool box_pair(const Core& a, const Core& b) {
  return plan_of(a.kind, b.kind).formula == PairPlan::Formula::axes;
}

template <SubAlgorithm Sub, Acceleration Momentum>
ConvexAnswer by_gjk(const Cso& cso, const ConvexOptions& options, Epa& epa) {
  ConvexOptions iterative = options;
  iterative.iterative = true;
  iterative.gjk = {Sub, Momentum};
  return solve_convex_pair(cso, iterative, epa);
}
constexpr auto kGjk = by_gjk<SubAlgorithm::voronoi, Acceleration::none>;
constexpr auto kNesterov = by_gjk<SubAlgorithm::voronoi, Acceleration::nesterov>;
constexpr auto kSignedVolumes = by_gjk<SubAlgorithm::signed_volumes, Acceleration::none>;

// In the order of Method.
constexpr MethodTable kOwn = {{
    {any_pair, solve_convex_pair},          // automatic
    {closed_form_pair, solve_convex_pair},  // closed_form
    {any_pair, kGjk},                       // gjk
    {any_pair, kNesterov},                  // gjk_nesterov
    {any_pair, kSignedVolumes},             // gjk_signed_volumes
    {any_pair, kGjk},                       // epa
    {},                                     // epa_classic
    {},                                     // mpr
    {},                                     // chung_wang
    {box_pair, solve_convex_pair},          // sat
    {},                                     // separating_plane
    {},                                     // v_clip
}};

// The table of the classic floor, once a program has asked for it.
std::atomic<const MethodTable*> classic = nullptr;

const MethodRow& row(Method method) {
  const auto index = static_cast<std::size_t>(method);
  const MethodTable* const more = classic.load(std::memory_order_acquire);
  return more != nullptr && (*more)[index].answer != nullptr ? (*more)[index] : kOwn[index];
}

}  // namespace

void add_methods(const MethodTable& table) { classic.store(&table, std::memory_order_release); }

bool serves(Method method, const Core& a, const Core& b) {
  const MethodRow& r = row(method);
  return r.answer != nullptr && r.serves(a, b);
}

ConvexAnswer answer_by(Method method, const Cso& cso, const ConvexOptions& options, Epa& epa) {
  // The default is called directly, so that nothing stands between it and its inlining.
  if (method == Method::automatic) return solve_convex_pair(cso, options, epa);
  return row(method).answer(cso, options, epa);
}

Method method_of(Method asked, const ConvexAnswer& answer, const Cso& cso) {
  switch (asked) {
    case Method::automatic:
    case Method::closed_form:
    case Method::gjk:
    case Method::gjk_nesterov:
    case Method::gjk_signed_volumes:
    case Method::epa:
      if (answer.closed_form)
        return cso.a.kind == CoreKind::box ? Method::sat : Method::closed_form;
      if (answer.proof == ConvexProof::faces || answer.proof == ConvexProof::ball)
        return Method::epa;
      return asked == Method::gjk_nesterov || asked == Method::gjk_signed_volumes ? asked
                                                                                  : Method::gjk;
    case Method::sat:
      return box_pair(cso.a, cso.b) ? method_of(Method::automatic, answer, cso) : asked;
    case Method::epa_classic:
    case Method::mpr:
    case Method::chung_wang:
    case Method::separating_plane:
    case Method::v_clip:
      break;
  }
  return asked;
}

}  // namespace tactus::detail
