#pragma once

#include <cstdint>

#include "tactus/narrow/formula/pair_formula.hpp"
#include "tactus/query/plan/leaf.hpp"
#include "tactus/shape.hpp"
#include "tactus/shape/access.hpp"

namespace tactus::detail {

/// Family of pairs that one function answers.
enum class PairKind : std::uint8_t {
  convex,       ///< core + radius: `answer_convex`
  halfspace,    ///< one support evaluation: `answer_halfspace`
  compound,     ///< search over the parts: `answer_compound`
  mesh,         ///< branch and bound over the triangles: `answer_mesh`
  unsupported,  ///< no answer: half-space against half-space
};

/// Search of a convex pair that no formula answers.
enum class PairSearch : std::uint8_t {
  polytope,  ///< GJK; the expanding polytope where the cores overlap
  steps,     ///< second-order steps on smooth cores, then the same
  custom     ///< as `polytope`, from the sign on: support functions that nothing is known of
};

/// How a pair of shapes is answered. Each member goes on where the one before leaves the pair open:
/// a leaf that is asked for more than the answer, a formula that does not serve the pose.
struct PairRow {
  Leaf leaf;            ///< whole answer in one function, or null
  LeafTouch touch;      ///< with the patch, likewise
  PairKind kind;        ///< the rest is of convex pairs
  PairFormula formula;  ///< before any search
  PairSearch search;
  LaneKind lanes;  ///< the leaf for several pairs at once
};

namespace rows {

using K = PairKind;
using F = PairFormula;
using S = PairSearch;
using L = LaneKind;
template <class Pair>
constexpr PairRow with_leaf(PairSearch search, LaneKind lanes) {
  return {LeafOf<Pair>::answer, LeafOf<Pair>::touch, K::convex, F::closed, search, lanes};
}
constexpr PairRow searched(PairFormula formula, PairSearch search) {
  return {nullptr, nullptr, K::convex, formula, search, L::none};
}
inline constexpr PairRow kSpheres = with_leaf<leaves::Spheres>(S::polytope, L::spheres);
inline constexpr PairRow kSphereBox = with_leaf<leaves::SphereAndBox>(S::polytope, L::sphere_box);
inline constexpr PairRow kBoxSphere = with_leaf<leaves::BoxAndSphere>(S::polytope, L::box_sphere);
inline constexpr PairRow kCapsules = with_leaf<leaves::Capsules>(S::polytope, L::capsules);
inline constexpr PairRow kFormula = with_leaf<leaves::AnyForm>(S::polytope, L::none);
inline constexpr PairRow kSphereRound = with_leaf<leaves::SphereAndRound>(S::steps, L::none);
inline constexpr PairRow kBoxes = searched(F::axes, S::polytope);
inline constexpr PairRow kRound = searched(F::none, S::steps);
inline constexpr PairRow kHull = searched(F::none, S::polytope);
inline constexpr PairRow kCustom = searched(F::none, S::custom);
constexpr PairRow other(PairKind kind) {
  return {nullptr, nullptr, kind, F::none, S::polytope, L::none};
}

}  // namespace rows

/// The one table that decides: distance, overlap, contacts and casts read it. The order of rows and
/// columns is ShapeType. (B, A) is answered as (A, B) is.
inline constexpr PairRow kPairTable[kShapeTypes][kShapeTypes] = {
#define OO rows::kSpheres
#define OB rows::kSphereBox
#define BO rows::kBoxSphere
#define CC rows::kCapsules
#define FO rows::kFormula
#define BB rows::kBoxes
#define OR rows::kSphereRound
#define RR rows::kRound
#define HU rows::kHull
#define CU rows::kCustom
#define ME rows::other(PairKind::mesh)
#define HS rows::other(PairKind::halfspace)
#define CO rows::other(PairKind::compound)
#define NO rows::other(PairKind::unsupported)
    // sphere box capsule cylinder cone ellipsoid convex mesh halfspace compound custom
    {OO, OB, FO, OR, OR, OR, HU, ME, HS, CO, CU},  // sphere
    {BO, BB, FO, RR, RR, RR, HU, ME, HS, CO, CU},  // box
    {FO, FO, CC, RR, RR, RR, HU, ME, HS, CO, CU},  // capsule
    {OR, RR, RR, RR, RR, RR, HU, ME, HS, CO, CU},  // cylinder
    {OR, RR, RR, RR, RR, RR, HU, ME, HS, CO, CU},  // cone
    {OR, RR, RR, RR, RR, RR, HU, ME, HS, CO, CU},  // ellipsoid
    {HU, HU, HU, HU, HU, HU, HU, ME, HS, CO, CU},  // convex
    {ME, ME, ME, ME, ME, ME, ME, ME, ME, CO, ME},  // mesh
    {HS, HS, HS, HS, HS, HS, HS, ME, NO, CO, HS},  // halfspace
    {CO, CO, CO, CO, CO, CO, CO, CO, CO, CO, CO},  // compound
    {CU, CU, CU, CU, CU, CU, CU, ME, HS, CO, CU},  // custom
#undef OO
#undef OB
#undef BO
#undef CC
#undef FO
#undef BB
#undef OR
#undef RR
#undef HU
#undef CU
#undef ME
#undef HS
#undef CO
#undef NO
};

constexpr const PairRow& pair_row(ShapeType a, ShapeType b) {
  return kPairTable[static_cast<unsigned>(a)][static_cast<unsigned>(b)];
}
/// The type whose row a shape has: an ellipsoid with equal radii is a sphere.
inline ShapeType row_type(const Shape& shape) {
  const bool ball = shape.type() == ShapeType::ellipsoid && core_of(shape).kind == CoreKind::point;
  return ball ? ShapeType::sphere : shape.type();
}
inline const PairRow& pair_row(const Shape& a, const Shape& b) {
  return pair_row(row_type(a), row_type(b));
}

/// The leaf of a pair of which nothing is asked beyond the answer by its formula, or null: by the
/// types alone.
///
/// It looks at the poses' entries that enter the answer, and at those only through the answer: what
/// is not finite there, out of range or not decided by the formula goes the way of every query.
inline Leaf leaf_of(const Shape& a, const Shape& b, const QueryOptions& options) {
  const bool more = options.method > Method::closed_form || options.certificate != nullptr ||
                    options.derivatives != nullptr || options.observer != nullptr;
  return more ? nullptr : pair_row(a.type(), b.type()).leaf;
}

}  // namespace tactus::detail
