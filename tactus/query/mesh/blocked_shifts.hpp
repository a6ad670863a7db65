#pragma once

#include <optional>
#include <vector>

#include "tactus/bvh/mesh_overlap.hpp"
#include "tactus/query.hpp"
#include "tactus/query/mesh/mesh_search.hpp"
#include "tactus/query/way/shortest_way.hpp"

namespace tactus::detail {

/// Balls of translations after which a point of one body lies inside of the other, a closed mesh:
/// numbered from `kFirst` on, after the sets of triangles.
class HeldBalls {
 public:
  static constexpr std::uint32_t kFirst = 0x80000000u;

  struct Ball {
    Vec3 shift;           ///< its centre
    double radius = 0.0;  ///< less than the point's distance from the surface
    Vec3 point;           ///< that is held, before the translation; axes of the mesh A
    bool of_a = false;    ///< the point is one of A, and B holds it
  };

  /// The new ball as the one set that the translation lies in. `out`: towards the surface.
  void add(const Ball& ball, const Vec3& out, std::vector<BlockedBy>& found);
  bool holds(std::uint32_t set) const { return set >= kFirst; }
  const Ball& operator[](std::uint32_t set) const { return balls_[set - kFirst]; }
  Vec3 support(std::uint32_t set, const Vec3& n) const {
    return (*this)[set].shift + n * (*this)[set].radius;
  }
  /// `axes`: the frame of the translations, in the world about `world`.
  Certificate::Cover cover(const InnerSet& inner, const Pose& axes, const Vec3& world) const;

 private:
  std::vector<Ball> balls_;
};

/// Translations of a convex body after which it meets a mesh, axes of the mesh. Sets are numbered
/// as triangles.
class ShiftsOfBody : public ProvedShifts {
 public:
  /// `first`: the triangles that meet without a translation, all of them, or nothing.
  /// `max_iterations` bounds each search.
  ShiftsOfBody(const MeshAndBody& pair, std::span<const TriangleAnswer> first,
               const MeshAndBody::Options& search);

  bool meeting(const Vec3& shift, std::vector<BlockedBy>& found) override;
  Vec3 support(std::uint32_t set, const Vec3& n) const override;
  Certificate::Cover cover(const InnerSet& inner, const Pose& axes,
                           const Vec3& world) const override;

 private:
  // The points of mesh and body whose difference is the support of a triangle's set, each in its
  // own frame.
  Certificate::Support supports(std::uint32_t set, const Vec3& n) const;

  const MeshAndBody& pair_;
  std::span<const TriangleAnswer> first_;
  MeshAndBody::Options search_;
  HeldBalls balls_;
};

/// Translations of a mesh B after which it meets a mesh A, in the frame of A. Sets are pairs of
/// triangles, in the order in which they were met.
class ShiftsOfMesh : public ProvedShifts {
 public:
  /// `pose` is that of B in A's frame; `max_visits` bounds each walk over what meets.
  ShiftsOfMesh(const Mesh& a, const Mesh& b, const Pose& pose, std::int64_t max_visits);

  bool meeting(const Vec3& shift, std::vector<BlockedBy>& found) override;
  Vec3 support(std::uint32_t set, const Vec3& n) const override;
  Certificate::Cover cover(const InnerSet& inner, const Pose& axes,
                           const Vec3& world) const override;

 private:
  Triangle triangle_a(std::uint32_t t) const;
  Triangle triangle_b(std::uint32_t t) const;
  // The corners whose difference is the support of the set of a pair of triangles, each in its own
  // frame.
  Certificate::Support supports(std::uint32_t set, const Vec3& n) const;
  std::uint32_t number_of(const bvh::TrianglePair& pair);

  const Mesh& a_;
  const Mesh& b_;
  const Pose& pose_;
  std::int64_t visits_;
  double rounding_;
  std::vector<bvh::TrianglePair> pairs_;                              ///< as numbered
  std::vector<std::pair<bvh::TrianglePair, std::uint32_t>> numbers_;  ///< ascending
  HeldBalls balls_;
};

}  // namespace tactus::detail
