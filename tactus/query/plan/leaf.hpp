#pragma once

#include "tactus/query.hpp"

namespace tactus::detail {

/// The whole answer of one pair of simple cores, written where it is wanted: the way of a query
/// without its stages, which cost as much as the formula.
using Leaf = DistanceResult (*)(const Shape& a, const Pose& pose_a, const Shape& b,
                                const Pose& pose_b, const QueryOptions& options);

/// Rounding of a leaf's lengths, in kUnit of their sum: that of polytopes in `rounding_bound`.
inline constexpr double kLeafRoundings = 64.0;

/// Spheres, boxes and capsules, in the order of ShapeType; null for two boxes.
inline constexpr unsigned kLeafTypes = 3;
extern const Leaf kLeaves[kLeafTypes][kLeafTypes];

/// The leaf of a pair of which nothing is asked beyond the answer by its formula, or null.
///
/// It looks at the poses' entries that enter the answer, and at those only through the answer: what
/// is not finite there, out of range or not decided by the formula goes the way of every query.
inline Leaf leaf_of(const Shape& a, const Shape& b, const QueryOptions& options) {
  const auto type_a = static_cast<unsigned>(a.type()), type_b = static_cast<unsigned>(b.type());
  if (type_a >= kLeafTypes || type_b >= kLeafTypes || options.method > Method::closed_form ||
      options.certificate != nullptr || options.derivatives != nullptr ||
      options.observer != nullptr) {
    return nullptr;
  }
  return kLeaves[type_a][type_b];
}

/// Are the witnesses of a pair that has a leaf mostly the whole patch?
inline bool is_mostly_witness(const Shape& a, const Shape& b) {
  const ShapeType type_a = a.type(), type_b = b.type();
  return type_a == ShapeType::sphere || type_b == ShapeType::sphere || type_a == type_b;
}

/// Verdict on an overlap that a bracket proves.
inline Overlap sign_of(const DistanceResult& proof) {
  if (proof.lower > 0.0) return Overlap::no;
  return proof.upper <= 0.0 ? Overlap::yes : Overlap::undecided;
}

/// The patch of a pair that a leaf has answered, if its witnesses are the whole of it: into the
/// caller's places, counted in `r`. False where edges or faces may touch.
bool leaf_contacts(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                   double threshold, std::span<Manifold> out, ContactsResult& r);

/// Answer and patch of a capsule and a box, which often touch along an edge or face. Not `decided`
/// where the formula does not serve.
ContactsResult formula_contacts(const Shape& a, const Pose& pose_a, const Shape& b,
                                const Pose& pose_b, const QueryOptions& options,
                                std::span<Manifold> out, bool& decided);

}  // namespace tactus::detail
