#include "tactus/query/plan/methods.hpp"

#include <atomic>

#include "tactus/narrow/pair/measure_pair.hpp"

namespace tactus::detail {
namespace {

bool any_pair(const PairRow&, const Core&, const Core&) { return true; }
bool with_closed_form(const PairRow& row, const Core&, const Core&) {
  return row.formula == PairFormula::closed;
}
bool with_axes(const PairRow& row, const Core&, const Core&) {
  return row.formula == PairFormula::axes;
}

template <SubAlgorithm Sub, Acceleration Momentum>
ConvexAnswer by_gjk(const Cso& cso, const ConvexOptions& options, Epa& epa) {
  ConvexOptions by_simplex = options;
  by_simplex.steps = false;
  by_simplex.gjk = {Sub, Momentum};
  return search_pair(cso, by_simplex, epa);
}
ConvexAnswer by_axes(const Cso& cso, const ConvexOptions& options, Epa& epa) {
  return measure_pair(cso, PairFormula::axes, options, epa);
}
constexpr auto kGjk = by_gjk<SubAlgorithm::voronoi, Acceleration::none>;
constexpr auto kNesterov = by_gjk<SubAlgorithm::voronoi, Acceleration::nesterov>;
constexpr auto kSignedVolumes = by_gjk<SubAlgorithm::signed_volumes, Acceleration::none>;

// In the order of Method.
constexpr MethodTable kOwn = {{
    {any_pair, search_pair},          // automatic
    {with_closed_form, search_pair},  // closed_form
    {any_pair, kGjk},                 // gjk
    {any_pair, kNesterov},            // gjk_nesterov
    {any_pair, kSignedVolumes},       // gjk_signed_volumes
    {any_pair, kGjk},                 // epa
    {},                               // epa_classic
    {},                               // mpr
    {},                               // chung_wang
    {with_axes, by_axes},             // sat
    {},                               // separating_plane
    {},                               // v_clip
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

const MethodRow* method_for(Method method, const PairRow& pair, const Core& a, const Core& b) {
  const MethodRow& r = row(method);
  return r.answer != nullptr && r.serves(pair, a, b) ? &r : nullptr;
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
      return cso.a.kind == CoreKind::box && cso.b.kind == CoreKind::box
                 ? method_of(Method::automatic, answer, cso)
                 : asked;
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
