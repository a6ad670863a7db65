#pragma once

#include "tactus/narrow/cap.hpp"

namespace tactus {

/// What is left to prove of a depth: f >= `level` behind triangles of the polytope, outside `caps`.
struct FaceProof {
  double level = 0.0;
  const Cap* caps = nullptr;
  int cap_count = 0;
  int budget = 0;  ///< pieces of the direction sphere that may still be looked at
  /// The least lower bound of the caps that were relied upon.
  double lower = std::numeric_limits<double>::infinity();
};

/// Proves f(m) >= level for every direction m that meets the triangle `corner` (points of A - B,
/// counter-clockwise from outside, the origin inside).
bool prove_face(const Cso& cso, const Vec3* const corner[3], FaceProof& proof);

}  // namespace tactus
