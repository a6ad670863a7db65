#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "tactus/core/growing.hpp"
#include "tactus/narrow/difference/warm_start.hpp"
#include "tactus/narrow/search/epa_result.hpp"

namespace tactus::detail {

/// The surface of an expanding polytope: triangles between support points of A - B, closed, each
/// with a lower bound of its distance from the origin. It grows by one point at a time and hands
/// out the nearest triangle; those that are farther away than a wanted distance stay out of that.
///
/// Made on the stack, nothing is cleared beforehand; one of more than `kFewVertices` allocates.
class PolytopeSurface {
 public:
  /// Concentric round hulls of a thousand vertices need some five hundred.
  static constexpr int kMaxVertices = 1024;
  static constexpr int kFewVertices = 64;

  struct Face {
    Vec3 across;      ///< product of two edges, outward: the normal, not of unit length
    double scale;     ///< makes it unit; zero where that is not needed
    double distance;  ///< lower bound of the triangle's distance, not positive when it is turned
                      ///< inwards
    double level;     ///< a point p is beyond the face when across . p exceeds it
    std::uint16_t neighbor[3];  ///< 4 face + edge, across the edge from vertex[i] to vertex[i + 1]
    std::uint16_t vertex[3];
    bool alive;
    bool final;   ///< part of the surface of A - B: nothing lies beyond it
    bool capped;  ///< left to a cap
    bool lifted;  ///< `distance` is that of the triangle, not of its plane
    bool made;    ///< false: of a kept face, known to be far, only the corners are set
    Vec3 normal() const { return across * scale; }
    bool holds_back(const Vec3& p) const { return !(dot(across, p) > level); }
  };

  // Storage is not cleared.
  // NOLINTNEXTLINE(modernize-use-equals-default,cppcoreguidelines-pro-type-member-init)
  PolytopeSurface() {}
  PolytopeSurface(const PolytopeSurface&) = delete;
  PolytopeSurface& operator=(const PolytopeSurface&) = delete;

  /// Empty again, for this pair. `known_below`: some f is known to be no larger.
  void prepare(const Cso& cso, double known_below);
  /// The first polytope: a tetrahedron of support points. False where A - B has no volume: `result`
  /// is then the answer.
  bool start(const Cso& cso, const Simplex& start, EpaResult& result);

  // From a surface that an earlier search has kept.
  /// The vertices on the present poses. False when a piece does not exist.
  bool place_vertices(const Cso& cso, const KeptSurface& surface);
  /// The triangle of three of the vertices, whatever its neighbours are.
  const Face& place_alone(std::uint16_t index, const std::array<std::uint8_t, 3>& corners);
  /// The triangles; those that lie too far to be searched only by their corners. False when one is
  /// not turned outwards, or an edge does not meet that of its neighbour in the opposite sense, one
  /// to one.
  bool place_faces(const KeptSurface& surface);
  void keep(KeptSurface& surface) const;
  void list_faces(std::vector<std::array<std::uint32_t, 3>>& out) const;

  /// Faces farther away than the least f, `value`, need no search.
  void want_below(double value, double rounding);
  double wanted() const { return wanted_; }

  /// For one more vertex and its faces: whatever refers to those before is void. False at the end.
  bool make_room();
  /// The face of the least distance among those that are yet to be searched.
  std::uint16_t nearest() const;
  /// Needs the face no search any more?
  bool is_settled(std::uint16_t face) const { return key_.item[face] == kSettled; }
  /// The least distance among faces that were passed over.
  double passed_over() const { return passed_over_; }
  /// The part of the sphere behind a face is proved by other means, to be no nearer than `lower`.
  void pass_over(std::uint16_t face, double lower);
  /// A triangle beside the origin's foot on its plane is farther away than the plane: at its
  /// nearest edge. True when that is so.
  bool lift(std::uint16_t face);
  /// A face whose distance has changed goes on in the search, or stays out of it.
  void offer(std::uint16_t face);
  /// A support point of the face joins the surface, or shows that the face is part of A - B's.
  /// False when the surface cannot take it.
  bool expand(std::uint16_t face, const SupportPoint& p);

  const Face& face(std::uint16_t index) const { return faces_.item[index]; }
  int face_count() const { return face_count_; }
  std::array<const Vec3*, 3> corners(const Face& f) const {
    return {&points_.item[f.vertex[0]], &points_.item[f.vertex[1]], &points_.item[f.vertex[2]]};
  }
  Simplex simplex(const Face& face) const;
  int vertex_count() const { return vertex_count_; }
  const SupportPoint* vertices() const { return vertices_.item; }
  /// The place of the next vertex.
  SupportPoint& next_vertex() { return vertices_.item[vertex_count_]; }

 private:
  /// Key of a face that needs no search.
  static constexpr double kSettled = std::numeric_limits<double>::infinity();
  static constexpr int kMaxFaces = 2 * kMaxVertices;
  static_assert(4 * kMaxFaces <= 65536, "a face and its edge are named by sixteen bits");

  struct HorizonEdge {
    std::uint16_t tail, head;
    std::uint16_t outside;  ///< 4 face + edge
  };

  Face& name_face(std::uint16_t index, std::uint16_t a, std::uint16_t b, std::uint16_t c);
  void make_face(std::uint16_t index, std::uint16_t a, std::uint16_t b, std::uint16_t c);
  void place_face(std::uint16_t index, const Vec3& across, double edges, const Vec3& corner);
  void place_near_face(std::uint16_t index, double square);
  bool is_far(double volume, double square) const;
  void settle(std::uint16_t face, double distance);
  bool insert(const SupportPoint& p, std::uint16_t face);
  bool find_horizon(const Vec3& p, std::uint16_t face);
  bool raise(Face& face, const Vec3& point) const;
  void remove(std::uint16_t face);

  static constexpr int kFewFaces = 2 * kFewVertices;
  int vertex_room_ = kFewVertices, face_room_ = kFewFaces;
  Growing<Vec3, kFewVertices> points_;            ///< the vertices' positions alone
  Growing<SupportPoint, kFewVertices> vertices_;  ///< and a place for the next one
  Growing<Face, kFewFaces> faces_;
  Growing<double, kFewFaces> key_;  ///< distance of the faces that are yet to be searched
  Growing<std::uint16_t, kFewFaces> removed_;
  Growing<HorizonEdge, kFewFaces> horizon_;
  int vertex_count_ = 0, face_count_ = 0, horizon_count_ = 0, removed_count_ = 0;
  bool unchanged_ = false;     ///< the surface is the kept one
  double wanted_ = 0.0;        ///< faces at least this far away need no search
  double known_below_ = 0.0;   ///< some f is no larger
  double far_ = 0.0;           ///< nor are those at least this far away as near within rounding
  double passed_over_ = 0.0;   ///< least distance among those
  double level_margin_ = 0.0;  ///< rounding of a corner's height over a face
  double volume_error_ = 0.0;  ///< rounding of the volume between a face and the origin
};

inline PolytopeSurface::Face& PolytopeSurface::name_face(std::uint16_t index, std::uint16_t a,
                                                         std::uint16_t b, std::uint16_t c) {
  Face& f = faces_.item[index];
  f.vertex[0] = a;
  f.vertex[1] = b;
  f.vertex[2] = c;
  f.alive = true;
  f.final = f.capped = f.lifted = false;
  return f;
}

// Does a face have its triangle at least `far_` away, by the volume that one corner makes with its
// product of edges, whose square is given?
inline bool PolytopeSurface::is_far(double volume, double square) const {
  const double least = volume - 2.0 * volume_error_;
  return least > 0.0 && least * least >= (far_ * far_) * square;
}

// Known to be so far away that it stays out of the search.
inline void PolytopeSurface::settle(std::uint16_t face, double distance) {
  faces_.item[face].distance = distance;
  passed_over_ = std::min(passed_over_, distance);
  key_.item[face] = kSettled;
}

}  // namespace tactus::detail
