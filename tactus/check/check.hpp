#pragma once

#include <span>

#include "tactus/check/report.hpp"
#include "tactus/math/rigid_motion.hpp"
#include "tactus/query/cast_result.hpp"
#include "tactus/query/contacts.hpp"
#include "tactus/query/overlap.hpp"
#include "tactus/query/result.hpp"
#include "tactus/shape/shape.hpp"

namespace tactus {

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
CheckReport check(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                  const DistanceResult& result, const Certificate* certificate = nullptr) noexcept;

/// The verdict of `overlap` and the bracket that it rests on; its points and normal are no claims.
CheckReport check(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                  const OverlapResult& result, const Certificate* certificate = nullptr) noexcept;

/// The claims of `distance` and the patches of `contacts`: each normal is a unit vector, each point
/// lies on the surfaces of both bodies, is as deep as its points say, and none is deeper than what
/// is proved of the pair of parts along the normal. `threshold`: as asked for; no gap is wider.
CheckReport check(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                  const ContactsResult& result, std::span<const Manifold> manifolds,
                  double threshold, const Certificate* certificate = nullptr) noexcept;

/// The claims of `cast`: verdict, time, time_upper, and at `time` the points, and the normal, which
/// must separate the bodies up to then.
CheckReport check(const Shape& a, const Pose& pose_a, const Vec3& motion_a, const Shape& b,
                  const Pose& pose_b, const Vec3& motion_b, const CastResult& result,
                  const Certificate* certificate = nullptr) noexcept;

/// The same of `impact`, by the certificate's directions for intervals of time.
CheckReport check(const Shape& a, const Pose& pose_a, const RigidMotion& motion_a, const Shape& b,
                  const Pose& pose_b, const RigidMotion& motion_b, const CastResult& result,
                  const Certificate* certificate = nullptr) noexcept;

}  // namespace tactus
