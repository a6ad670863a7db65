#pragma once

#include <cstdint>

#include "tactus/query.hpp"

namespace tactus::detail {

/// The whole answer of one pair of simple cores, written where it is wanted: the way of a query
/// without its stages, which cost as much as the formula.
using Leaf = DistanceResult (*)(const Shape& a, const Pose& pose_a, const Shape& b,
                                const Pose& pose_b, const QueryOptions& options);

/// Rounding of a leaf's lengths, in kUnit of their sum: that of polytopes in `rounding_bound`.
inline constexpr double kLeafRoundings = 64.0;

/// Two spheres, a sphere and a box in both orders, two capsules, any other pair of these, and a
/// sphere with a cylinder, cone or ellipsoid.
DistanceResult leaf_spheres(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                            const QueryOptions& options);
DistanceResult leaf_sphere_box(const Shape& a, const Pose& pose_a, const Shape& b,
                               const Pose& pose_b, const QueryOptions& options);
DistanceResult leaf_box_sphere(const Shape& a, const Pose& pose_a, const Shape& b,
                               const Pose& pose_b, const QueryOptions& options);
DistanceResult leaf_capsules(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                             const QueryOptions& options);
DistanceResult leaf_formula(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                            const QueryOptions& options);
DistanceResult leaf_round(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                          const QueryOptions& options);

/// Leaves that are also there for several pairs at once, one in each lane of a register.
enum class LaneKind : std::uint8_t { spheres, sphere_box, box_sphere, capsules, none };

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
