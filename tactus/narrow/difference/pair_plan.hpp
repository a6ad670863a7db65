#pragma once

#include "tactus/shape.hpp"

namespace tactus::detail {

/// The stages that serve a pair of cores. Each goes on where the one before leaves the pair open: a
/// formula that does not serve the pose, steps that do not converge.
struct PairPlan {
  enum class Formula : unsigned char {
    none,
    closed,  ///< `closed_form`
    axes     ///< the separating axes of two boxes
  };
  enum class Sign : unsigned char {
    none,     ///< the whole search
    simplex,  ///< `search_sign`
    steps     ///< the same, by second-order steps first
  };
  enum class Search : unsigned char {
    simplex,  ///< GJK; the expanding polytope where the cores overlap, whose faces are the proof
    finish,   ///< the same, ended by second-order steps; the faces are proved with caps
    steps     ///< second-order steps from the start, proved on the sphere of directions
  };
  enum class Patch : unsigned char {
    witness,  ///< one point: a core without edges and faces
    features  ///< the faces and edges that look along the normal, clipped by each other
  };
  Formula formula;
  Sign sign;
  Search search;
  Patch patch;
};

inline constexpr int kCoreKinds = 9;

namespace plans {

using F = PairPlan::Formula;
using S = PairPlan::Sign;
using Q = PairPlan::Search;
using P = PairPlan::Patch;
inline constexpr PairPlan kPoint{F::closed, S::simplex, Q::simplex, P::witness};
inline constexpr PairPlan kForm{F::closed, S::simplex, Q::simplex, P::features};
inline constexpr PairPlan kBoxes{F::axes, S::simplex, Q::simplex, P::features};
inline constexpr PairPlan kFlat{F::none, S::simplex, Q::simplex, P::features};
inline constexpr PairPlan kDot{F::none, S::simplex, Q::simplex, P::witness};
inline constexpr PairPlan kPointToRound{F::closed, S::steps, Q::steps, P::witness};
inline constexpr PairPlan kRound{F::none, S::steps, Q::steps, P::features};
inline constexpr PairPlan kEgg{F::none, S::steps, Q::steps, P::witness};
inline constexpr PairPlan kMixed{F::none, S::simplex, Q::finish, P::features};
inline constexpr PairPlan kHullToEgg{F::none, S::simplex, Q::finish, P::witness};
inline constexpr PairPlan kCustom{F::none, S::none, Q::finish, P::witness};

}  // namespace plans

/// One row and column for each CoreKind, in its order. Symmetric.
inline constexpr PairPlan kPlans[kCoreKinds][kCoreKinds] = {
#define PO plans::kPoint
#define FO plans::kForm
#define BB plans::kBoxes
#define FL plans::kFlat
#define DO plans::kDot
#define PR plans::kPointToRound
#define RO plans::kRound
#define EG plans::kEgg
#define MI plans::kMixed
#define HE plans::kHullToEgg
#define CU plans::kCustom
    // point segment box triangle polytope cylinder cone ellipsoid custom
    {PO, PO, PO, DO, DO, PR, PR, PR, CU},  // point
    {PO, FO, FO, FL, FL, RO, RO, EG, CU},  // segment
    {PO, FO, BB, FL, FL, RO, RO, EG, CU},  // box
    {DO, FL, FL, FL, FL, MI, MI, HE, CU},  // triangle
    {DO, FL, FL, FL, FL, MI, MI, HE, CU},  // polytope
    {PR, RO, RO, MI, MI, RO, RO, EG, CU},  // cylinder
    {PR, RO, RO, MI, MI, RO, RO, EG, CU},  // cone
    {PR, EG, EG, HE, HE, EG, EG, EG, CU},  // ellipsoid
    {CU, CU, CU, CU, CU, CU, CU, CU, CU},  // custom
#undef PO
#undef FO
#undef BB
#undef FL
#undef DO
#undef PR
#undef RO
#undef EG
#undef MI
#undef HE
#undef CU
};

constexpr const PairPlan& plan_of(CoreKind a, CoreKind b) {
  return kPlans[static_cast<int>(a)][static_cast<int>(b)];
}

}  // namespace tactus::detail
