#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "tactus/math.hpp"
#include "tactus/query/way/shortest_within.hpp"

namespace tactus::detail {

/// A polytope inside of a convex set, grown by support points of the set.
///
/// What lies outside of the set lies beyond one of the faces: the surface of triangles is closed,
/// and all of it is turned outwards as seen from one point, `centre`, so that a ray from there
/// leaves it through a face and is beyond the plane of that from there on. Convexity is not needed
/// for it, so that rounding takes nothing away. Faces are never renumbered: those that are
/// superseded die, new ones come after.
class InnerPolytope {
 public:
  struct Face {
    std::array<std::uint32_t, 3> corner;  ///< counter-clockwise from outside
    Beyond plane;
    bool alive = true;
  };

  /// From support points of the set, of which some must span a volume: false when none do by more
  /// than `least` (a length).
  bool start(std::span<const Vec3> points, std::span<const Vec3> directions, double least);
  /// One more point, found along a direction. False when nothing changes: it is not beyond any
  /// face, or its faces would not be turned outwards.
  bool insert(const Vec3& point, const Vec3& direction);

  const std::vector<Face>& faces() const { return faces_; }
  /// The corners of the faces that are alive.
  std::vector<std::array<std::uint32_t, 3>> living() const;
  const std::vector<Vec3>& points() const { return points_; }
  /// The direction along which each point was found.
  const std::vector<Vec3>& directions() const { return directions_; }
  /// In other axes. `mirrored`: these have another sense.
  template <class Map>
  void transform(const Map& map, bool mirrored) {
    for (Vec3& p : points_) p = map(p);
    for (Vec3& n : directions_) n = map(n);
    centre_ = map(centre_);
    for (Face& f : faces_) {
      f.plane.n = map(f.plane.n);
      if (mirrored) std::swap(f.corner[1], f.corner[2]);
    }
  }

 private:
  bool make_face(std::uint32_t a, std::uint32_t b, std::uint32_t c, Face& out) const;

  std::vector<Vec3> points_, directions_;
  std::vector<Face> faces_;
  Vec3 centre_;
  double rounding_ = 0.0;
};

}  // namespace tactus::detail
