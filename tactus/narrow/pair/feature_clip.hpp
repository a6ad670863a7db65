#pragma once

#include "tactus/core/uncleared.hpp"
#include "tactus/narrow/pair/supporting_feature.hpp"

namespace tactus::detail {

/// A point of the incident feature, with what of both features it is on (-1: nothing).
struct ClipPoint {
  Vec3 point;
  int corner = -1;       ///< of the incident feature
  int edge = -1;         ///< of the incident feature
  int reference = -1;    ///< edge of the reference feature (or end of a line) that clipped it
  int reference_2 = -1;  ///< another one
  int leads_along = -1;  ///< edge of the incident feature to the next point; -2 - i: of the other
  std::uint32_t incident = 0;
  bool beside = false;  ///< perhaps beside the reference feature, by less than the margin
};

struct ClipList {
  static constexpr int kCapacity = 2 * Feature::kMaxCorners + 7;
  Uncleared<ClipPoint, kCapacity> item;
  int count = 0;
  void add(const ClipPoint& p) {
    if (count < kCapacity) item[count++] = p;
  }
};

/// All corners of the incident feature. `beside`: perhaps beside the reference feature.
void add_corners(const Feature& incident, bool beside, ClipList& list);

/// The incident feature clipped by the side planes of the reference feature. Planes stand on the
/// edges (or the ends of a line) along n. Source: ericson2004rtcd.
void clip_feature(const Feature& reference, const Feature& incident, const Vec3& n, double margin,
                  ClipList& list);

/// The point of the reference feature over x along n. Lines that cross at a small angle leave each
/// other sideways: there, the point of the line beside that place, which is as high.
Vec3 point_over(const Feature& reference, const Vec3& n, const ClipPoint& c);

/// The polygon that stands for a disc is a little inside it. Cut by the edges of another polygon,
/// it takes the crossings of these with the rim, and of a segment beyond which the centre lies, two
/// points of its arc: with the ends of the chord, nearly the largest quadrangle.
void round_off(const Feature& reference, const Feature& disc, const Vec3& n, ClipList& list);

/// Common part of two discs: corners of either's polygon that are inside the other disc, and
/// where the rims cross, the crossings and the points of the rims that are deepest in the other
/// disc. Discs that nearly touch from inside count as one in the other.
void common_of_discs(const Feature& reference, const Feature& incident, const Vec3& n,
                     double margin, ClipList& list);

}  // namespace tactus::detail
