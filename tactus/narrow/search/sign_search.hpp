#pragma once

#include "tactus/math.hpp"
#include "tactus/narrow/difference/core.hpp"

namespace tactus::detail {

/// Bracket and witnesses of a search for the sign of the distance alone; A's frame. `lower` and
/// `upper` bracket the signed distance and lie on one side of zero.
struct SignAnswer {
  double lower = 0.0, upper = 0.0;
  Vec3 n;                 ///< unit; where `lower` is positive it separates the bodies
  Vec3 point_a, point_b;  ///< points of the bodies
  int iterations = 0;     ///< support evaluations of A - B
};

struct SignOptions {
  Vec3 start;          ///< first direction, A's frame, of any length; zero: from centre to centre
  int max_iterations;  ///< most support evaluations
  bool steps = false;  ///< smooth cores: ask `search_smooth_sign` first
};

/// Do two convex bodies meet? The boolean form of GJK: a few support points of A - B, without their
/// origins, weights and lengths, until one proves a separating direction or four of them hold the
/// origin. Each is taken for proved when it stands clear of rounding; false, and `out` without
/// meaning, where a few steps did not decide: bodies that nearly touch are left to the search for
/// the distance. Cost: some 400 instructions a step, two to six steps. Source: gilbert1988gjk;
/// ericson2004rtcd, section 9.5.
bool search_sign(const Core& a, const Pose& pose_a, const Core& b, const Pose& pose_b,
                 const SignOptions& options, SignAnswer& out);

}  // namespace tactus::detail
