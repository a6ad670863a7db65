#include "tactus/query/plan/methods.hpp"

#include <iterator>

#include "tactus/classic/chung_wang.hpp"
#include "tactus/classic/epa_classic.hpp"
#include "tactus/classic/mpr.hpp"
#include "tactus/classic/polytope_sat.hpp"
#include "tactus/classic/separating_plane.hpp"
#include "tactus/classic/v_clip.hpp"
#include "tactus/narrow/formula/closed_form.hpp"

namespace tactus::detail {
namespace {

bool any_pair(const Core&, const Core&) { return true; }
bool closed_form_pair(const Core& a, const Core& b) { return has_closed_form(a.kind, b.kind); }
bool box_pair(const Core& a, const Core& b) {
  return a.kind == CoreKind::box && b.kind == CoreKind::box;
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

// Boxes have fifteen axes and a search where these leave witnesses open.
ConvexAnswer by_axes(const Cso& cso, const ConvexOptions& options, Epa& epa) {
  return box_pair(cso.a, cso.b) ? solve_convex_pair(cso, options, epa)
                                : answer_by_polytope_axes(cso, options);
}

// A method that needs no working storage.
template <ConvexAnswer (*Answer)(const Cso&, const ConvexOptions&)>
ConvexAnswer by(const Cso& cso, const ConvexOptions& options, Epa&) {
  return Answer(cso, options);
}

struct Row {
  bool (*serves)(const Core& a, const Core& b);
  ConvexAnswer (*answer)(const Cso& cso, const ConvexOptions& options, Epa& epa);
};

// In the order of Method.
constexpr Row kRows[] = {
    {any_pair, solve_convex_pair},                 // automatic
    {closed_form_pair, solve_convex_pair},         // closed_form
    {any_pair, kGjk},                              // gjk
    {any_pair, kNesterov},                         // gjk_nesterov
    {any_pair, kSignedVolumes},                    // gjk_signed_volumes
    {any_pair, kGjk},                              // epa
    {any_pair, by<answer_epa_classic>},            // epa_classic
    {any_pair, by<answer_by_mpr>},                 // mpr
    {any_pair, by<answer_by_chung_wang>},          // chung_wang
    {has_polytope_axes, by_axes},                  // sat
    {has_face_planes, by<answer_by_face_planes>},  // separating_plane
    {is_polytope_pair, by<answer_by_v_clip>},      // v_clip
};
static_assert(std::size(kRows) == std::size(kMethods));

const Row& row(Method method) { return kRows[static_cast<int>(method)]; }

}  // namespace

bool serves(Method method, const Core& a, const Core& b) { return row(method).serves(a, b); }

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
