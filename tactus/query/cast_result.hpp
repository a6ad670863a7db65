#pragma once

#include "tactus/query/overlap.hpp"
#include "tactus/query/result.hpp"

namespace tactus {

/// First contact of two bodies in motion (`cast`, `impact`), with its proof: no contact before
/// `time`, and for a hit some contact up to `time_upper`.
struct CastResult {
  /// `yes`: contact is proved; `no`: proved apart during the whole motion, both times are then
  /// infinite; `undecided`: from `time` on they may touch, but come no closer than rounding can
  /// tell (sliding, grazing, leaving a touch).
  Overlap hit = Overlap::undecided;
  double time = 0.0, time_upper = std::numeric_limits<double>::infinity();
  /// Signed distance at `time`: zero within rounding, or minus the depth of a start in overlap;
  /// infinite without contact or answer.
  double distance = std::numeric_limits<double>::infinity();
  /// Unit, world, from A to B. Of a cast, the direction alone proves `time`: along it the bodies
  /// are apart at all times before. For a start in overlap, the direction of the depth.
  Vec3 normal{0.0, 0.0, 1.0};
  Vec3 point_a, point_b;  ///< world, at `time`; not set when there is no contact
  Status status = Status::unsupported;
  Method method = Method::automatic;
  bool unique = true;           ///< false where several normals or points are equally good
  std::int32_t iterations = 0;  ///< support evaluations of A - B; of an impact, poses looked at
  std::int32_t part_a = -1, part_b = -1;  ///< the parts of compounds that touch first
};

}  // namespace tactus
