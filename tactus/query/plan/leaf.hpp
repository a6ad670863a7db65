#pragma once

#include <cstdint>

#include "tactus/query.hpp"

namespace tactus::detail {

/// The whole answer of one pair of simple cores, written where it is wanted: the way of a query
/// without its stages, which cost as much as the formula.
using Leaf = DistanceResult (*)(const Shape& a, const Pose& pose_a, const Shape& b,
                                const Pose& pose_b, const QueryOptions& options);
/// Answer and patch likewise, into `r`. False where the formula does not serve.
using LeafTouch = bool (*)(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                           const QueryOptions& options, std::span<Manifold> out, ContactsResult& r);

/// Rounding of a leaf's lengths, in kUnit of their sum: that of polytopes in `rounding_bound`.
inline constexpr double kLeafRoundings = 64.0;

/// Pairs that have a leaf: two spheres, a sphere and a box in both orders, two capsules, any other
/// pair of these, and a sphere with a cylinder, cone or ellipsoid.
namespace leaves {
struct Spheres;
struct SphereAndBox;
struct BoxAndSphere;
struct Capsules;
struct AnyForm;
struct SphereAndRound;
}  // namespace leaves

/// The leaves of such a pair, `Leaf` and `LeafTouch`.
template <class Pair>
struct LeafOf {
  static DistanceResult answer(const Shape& a, const Pose& pose_a, const Shape& b,
                               const Pose& pose_b, const QueryOptions& options);
  static bool touch(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                    const QueryOptions& options, std::span<Manifold> out, ContactsResult& r);
};

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

}  // namespace tactus::detail
