#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "tactus/math.hpp"
#include "tactus/planar.hpp"
#include "tactus/query.hpp"
#include "tactus/shape.hpp"

namespace tactus {

/// Verdict of the checker on one claim of an answer.
enum class Proof : std::uint8_t {
  not_claimed,
  proved,    ///< follows from inequalities that the checker has evaluated itself
  unproved,  ///< may be true: the certificate does not show it
  refuted    ///< false, beyond the stated rounding
};
std::string_view to_string(Proof proof);

/// The claims of an answer; docs/guide/proofs.md says how each is proved.
enum class Claim : std::uint8_t {
  value,       ///< the distance lies in its bracket; times are in order
  lower,       ///< the signed distance is no less than `lower`
  upper,       ///< nor more than `upper`
  normal,      ///< a unit vector along which the bodies are `distance` apart
  points,      ///< point_a belongs to A, point_b to B
  relation,    ///< point_b - point_a = distance * normal
  parts,       ///< the parts exist, and the points belong to them
  triangles,   ///< so with triangles
  verdict,     ///< do the bodies meet
  time,        ///< they do not before `time`
  time_upper,  ///< but do at `time_upper`
  contacts     ///< the points of the patches: on both surfaces, as deep as they say, none too deep
};
inline constexpr int kClaims = 12;
std::string_view to_string(Claim claim);

/// Verdicts and residuals of an independent re-computation; lengths are absolute.
struct CheckReport {
  Proof claims[kClaims] = {};
  bool ok = false;      ///< everything that is claimed is proved
  std::string failure;  ///< the first claim that is not, and why; empty when ok

  double direction_residual = 0.0;  ///< |f(n) + distance|
  double witness_residual = 0.0;    ///< |point_b - point_a - distance * normal|
  /// How far the points lie outside their shapes.
  double membership_a = 0.0, membership_b = 0.0;

  Proof operator[](Claim claim) const { return claims[static_cast<int>(claim)]; }
  bool refuted() const;
};

/// The independent checker: what an answer claims is proved by inequalities that are evaluated here
/// from shapes, poses, claim and certificate alone, each with a bound of its rounding. It shares
/// the shapes with the search (their equations, support functions, faces of hulls) and nothing
/// else. Status, iteration counts and tolerances that were asked for widen nothing. What is called
/// proved is not false by more than 64 * 2^-53 * (size + offset): size is the sum of the radii of
/// balls about the origins of both bodies that hold them, offset the distance of the origins; for
/// points in the world, and for times, also the coordinates of the origins and the lengths of the
/// motions. Never throws. docs/guide/proofs.md lists the claims, their proofs, and what is trusted.

/// The claims of `distance`: value, lower, upper, normal, points, relation, parts, triangles.
/// A depth (a negative `upper`) needs the certificate, as do unions and meshes. An unbounded end
/// claims nothing. Cost: some support values; for certificates of kind `axes` and `ball` thousands;
/// for meshes a pass over the triangles per step.
/// @code{.cpp}
/// const Shape a = Cylinder(0.4, 1.0), b = Box({1.0, 0.6, 0.4});
/// const Pose pose_b = Pose::translation({0.5, 0.2, 0.4});
/// Certificate certificate;
/// QueryOptions options;
/// options.certificate = &certificate;
/// DistanceResult r = distance(a, {}, b, pose_b, options);
/// assert(check(a, {}, b, pose_b, r, &certificate).ok);
/// r.distance = r.lower = r.upper = r.lower - 1e-9;  // deeper than it is
/// assert(!check(a, {}, b, pose_b, r, &certificate).ok);
/// @endcode
CheckReport check(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                  const DistanceResult& result, const Certificate* certificate = nullptr) noexcept;

/// The verdict of `overlap` and the bracket that it rests on; its points and normal are no claims.
CheckReport check(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                  const OverlapResult& result, const Certificate* certificate = nullptr) noexcept;

/// The claims of `distance` and the patches of `contacts`: each normal is a unit vector, each point
/// lies on the surfaces of both bodies, is as deep as its points say, and none is deeper than what
/// is proved of the pair of parts along the normal. `margin`: as asked for; no gap is wider.
CheckReport check(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                  const ContactsResult& result, std::span<const Manifold> manifolds, double margin,
                  const Certificate* certificate = nullptr) noexcept;

/// The claims of `cast`: verdict, time, time_upper, and at `time` the points, and the normal, which
/// must separate the bodies up to then.
CheckReport check(const Shape& a, const Pose& pose_a, const Vec3& motion_a, const Shape& b,
                  const Pose& pose_b, const Vec3& motion_b, const CastResult& result,
                  const Certificate* certificate = nullptr) noexcept;

/// The claims of `impact`, by the certificate's directions for intervals of time.
CheckReport check(const Shape& a, const Pose& pose_a, const RigidMotion& motion_a, const Shape& b,
                  const Pose& pose_b, const RigidMotion& motion_b, const CastResult& result,
                  const Certificate* certificate = nullptr) noexcept;

}  // namespace tactus

namespace tactus::planar {

/// The claims of planar answers, in the same sense: size is the sum of the radii of discs about
/// both origins. All pairs of edges are evaluated, so that no certificate is needed. A status that
/// the bracket contradicts is refuted, and so is a missing answer but for poses that are not
/// finite. Never throws. Cost: O(n m) for the edges whose boxes are near.

/// The claims of `distance`: value, lower, upper, normal, points (on both boundaries), relation. A
/// depth is no more than -`lower` when B, moved by -`distance` along `normal`, is apart from A, and
/// no less than -`upper` when no cell of shorter shifts is free: O(k^2 n m) for k shifts at which a
/// corner slides along an edge; beyond some 1e7 steps it stays unproved.
CheckReport check(const PlanarShape& a, const Pose2& pose_a, const PlanarShape& b,
                  const Pose2& pose_b, const PlanarResult& result) noexcept;

/// The verdict of `overlap`.
CheckReport check_overlap(const PlanarShape& a, const Pose2& pose_a, const PlanarShape& b,
                          const Pose2& pose_b, bool overlap) noexcept;

/// The claims of `touches`: value (each is as deep as it says, within the margin), points (on
/// the named segment, at `part`, of its kind), normal (with its angle), and contacts: all places
/// where the distance is least are told, in order, and no others. Within rounding of the margin
/// a place may be told or not.
CheckReport check(const Circle& circle, const Pose2& pose_circle, const PlanarShape& other,
                  const Pose2& pose, std::span<const Touch> touches, double margin) noexcept;

/// The claims of `cast`: verdict, time, time_upper, and at `time` value (the distance), points,
/// relation and normal: one of an edge that touches there. Of turning motions `time` is proved by
/// steps no longer than the gap lasts.
CheckReport check(const PlanarShape& a, const Pose2& pose_a, const PlanarMotion& motion_a,
                  const PlanarShape& b, const Pose2& pose_b, const PlanarMotion& motion_b,
                  const PlanarCast& result) noexcept;

}  // namespace tactus::planar

// Names of 0.1, until 0.3.
#ifndef TACTUS_WITHOUT_DEPRECATED
namespace tactus {
using planar::check;
using planar::check_overlap;
}  // namespace tactus
#endif
