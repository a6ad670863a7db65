#pragma once

#include <array>
#include <vector>

#include "tactus/mesh/surface/topology.hpp"

namespace tactus::detail {

/// A cone of directions about a triangle's outward normal.
struct ExtremeCone {
  std::array<float, 3> axis{};  ///< the normal, unit to single precision; zero where there is none
  float cosine = -1.0f;         ///< at most that of the half angle; -1: any direction
  float sine = 1.0f;            ///< at least that of the half angle, 1 from a right angle on
  bool flat = false;            ///< nothing around the triangle bends: the normal alone

  /// Can a direction of this cone be opposite to one of the other? `other_axis` is the axis of that
  /// one in this one's frame.
  bool can_face(const Vec3& other_axis, const ExtremeCone& other) const {
    if (cosine < 0.0f || other.cosine < 0.0f) return true;
    const double between = -(static_cast<double>(axis[0]) * other_axis.x +
                             static_cast<double>(axis[1]) * other_axis.y +
                             static_cast<double>(axis[2]) * other_axis.z);
    return between >= static_cast<double>(cosine) * static_cast<double>(other.cosine) -
                          static_cast<double>(sine) * static_cast<double>(other.sine);
  }
};

/// For each triangle the directions along which one of its points can lie farther than all of the
/// surface around it: those of its normal, of the wedges of its edges that bend outwards, and of
/// the normal cones of its corners. Two surfaces come nearest to each other only at points whose
/// directions to each other lie in both cones. `inward`: the triangles are seen clockwise from
/// outside. Slopes below 1e-6 count as level. No bound for triangles at edges that have not two
/// sides, for degenerate ones and for corners of more than 32 edges.
/// Cost: some 0.3 microseconds per triangle. Source: johnson2001cones.
std::vector<ExtremeCone> extreme_cones(const TriangleMesh& mesh, const MeshTopology& topology,
                                       bool inward);

}  // namespace tactus::detail
