#pragma once

#include <algorithm>

#include "tactus/narrow/formula/sat.hpp"
#include "tactus/narrow/pair/patch_points.hpp"

namespace tactus::detail {

/// Is the box certainly neither flat nor narrow? Its faces are then rectangles that `make_patch`
/// takes as they are, and no edge is one with another within rounding.
inline bool is_wide_box(const Vec3& half, double rounding) {
  const double least = std::min(std::min(half.x, half.y), half.z);
  const double most = std::max(std::max(half.x, half.y), half.z);
  return most < 100.0 * least && least > 500.0 * rounding;
}

/// Outcome of `make_box_patch`.
enum class BoxPatchKind : std::uint8_t {
  undecided,  ///< `make_patch` knows
  witness,    ///< no face looks along the normal: the witness pair
  points
};

/// A patch in the frame of the reference face: u and v along its sides, w outwards.
struct BoxPatch {
  Patch patch;
  bool of_b = false;        ///< whose face it is
  int first, second, axis;  ///< the axes of that box
  double side;              ///< 1 or -1: where along `axis` the face lies
  /// From the axes of the box: those of the face.
  Mat3 turned(const Mat3& rotation) const {
    const auto row = [&](const Vec3& r) {
      const double x[3] = {r.x, r.y, r.z};
      return Vec3{x[first], side * x[second], side * x[axis]};
    };
    return {{row(rotation.row[0]), row(rotation.row[1]), row(rotation.row[2])}};
  }
};

/// An answer about two boxes, in A's frame.
struct BoxAnswer {
  Vec3 n;           ///< unit, from A to B
  double distance;  ///< along n
  double size;      ///< of the smaller box
};

/// The patch of two boxes without balls, by the rules of `make_patch`, in the frame of the face
/// that is the reference. There, the face's edges are planes of a coordinate each, what is clipped
/// stays a convex polygon, and no list is searched for its hull. Left undecided are boxes that are
/// flat or narrow, and pairs whose deepest points are not among the clipped ones or farther apart
/// than the threshold.
/// Source: ericson2004rtcd (clipping); docs/algorithms/contacts.md.
BoxPatchKind make_box_patch(const BoxPair& boxes, const BoxAnswer& answer, double threshold,
                            BoxPatch& out);

}  // namespace tactus::detail
