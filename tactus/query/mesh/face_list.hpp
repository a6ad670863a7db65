#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "tactus/mesh/surface/triangle_distance.hpp"
#include "tactus/shape.hpp"

namespace tactus::detail {

/// Sine of the angle by which a neighbour may rise above the plane across a contact's normal.
inline constexpr double kLeastSlope = 1e-6;

/// A triangle with its plane; the normal outwards, or towards the other body.
struct Face {
  Triangle corners;
  std::uint32_t triangle = 0;
  Vec3 n;  ///< zero for a degenerate triangle
  double offset = 0.0;
  Aabb box;
  bool thin = false;  ///< its normal is not known to rounding
};

/// `outward`: -1 for a closed surface whose triangles are turned inwards, 1 for one that is turned
/// outwards, 0 for an open one: the normal then goes to the side of `toward`.
Face make_face(const Triangle& corners, std::uint32_t triangle, int outward, const Vec3& toward);

/// Does the face come up to `same_place` near to a point?
bool reaches(const Face& face, const Vec3& p, double same_place);
/// The place of a face that is nearest to a point, which the face reaches up to `same_place`.
Vec3 on_face(const Face& face, const Vec3& p);
/// Is the face in the plane of another one?
bool same_plane(const Face& f, const Face& plane, double same_place);

/// Faces of one surface near a place. Lengths up to `same_place` are none.
class FaceList {
 public:
  FaceList() = default;
  FaceList(std::vector<Face> faces, double same_place);

  const std::vector<Face>& faces() const { return faces_; }
  const Face& operator[](std::size_t i) const { return faces_[i]; }

  /// A face of the plane that reaches the point of it, the first in the list; null where there is
  /// none.
  const Face* covering(const Face& plane, const Vec3& p) const;
  /// Is a point of a plane over its faces, or beyond a crease from which they rise: where another
  /// face that `counts` rises in front of them, and they in front of that one? Else it is beside
  /// them.
  bool over_or_beyond_crease(const Face& plane, const Vec3& p,
                             const std::function<bool(const Face&)>& counts) const;
  /// Does nothing of the surface around p rise above the plane across n, unit?
  bool outermost(const Vec3& p, const Vec3& n) const;

 private:
  // Visits the faces whose boxes reach p, until `visit(index)` returns false.
  template <class Visit>
  void at(const Vec3& p, Visit&& visit) const;

  std::vector<Face> faces_;
  double same_place_ = 0.0;
  int axis_ = 0;  ///< the list's longest one
  /// Numbers of the faces, ascending by their lower ends along the axis; empty of few faces.
  std::vector<std::uint32_t> order_;
  std::vector<double> lower_;  ///< these ends
  std::vector<double> upper_;  ///< the highest upper end up to each of the order
};

}  // namespace tactus::detail
