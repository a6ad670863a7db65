#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "tactus/math/vec3.hpp"

namespace tactus {

/// What a lower bound of a depth (a negative `upper`) rests on, for one pair of convex pieces,
/// whose cores are the pieces shrunk by `shrink_a` and `shrink_b`.
enum class CertificateKind : std::uint8_t {
  none,
  /// `core_point_a`, `core_point_b` are points of the cores: depth >= the shrinks less their
  /// distance. Also of bodies apart, where their points in the world are rounded.
  separation,
  /// One body is a half-space; or both cores are small polytopes that overlap, and the least f over
  /// all face normals and pairs of edges is the depth; or one core is a point, and the shape's
  /// equations say how deep it is in the other. Else as `separation`.
  axes,
  /// A closed surface of triangles between points of the cores' difference winds around the origin:
  /// the least distance of the triangles is a depth of the cores.
  faces,
  /// As `faces`, except for directions about curved minima, where such a surface falls short of the
  /// bodies: the depth is proved anew from the support functions, starting at `direction`.
  ball,
  /// `inside_point` lies in one body, and a ball about it of radius `inside_radius` in that body;
  /// it is as deep as the depth, less that radius, inside the other one, a closed mesh.
  inside
};
std::string_view to_string(CertificateKind kind);

/// Filled by a query on request, owned by the caller: what `check` needs to re-prove the answer
/// without a search (docs/guide/proofs.md). It is bound to the shapes and poses of the query, and
/// to nothing else: whatever it says, it never makes a false claim proved. Grows as needed.
struct Certificate {
  // The lower bound of the depth.
  CertificateKind kind = CertificateKind::none;
  /// The pieces that `kind` speaks of: parts of compounds, triangles of meshes; -1 the body itself.
  std::int32_t part_a = -1, part_b = -1, triangle_a = -1, triangle_b = -1;
  Vec3 direction;  ///< unit, world, from A to B: that of the answer
  double shrink_a = 0.0, shrink_b = 0.0;
  /// Points of the shrunk pieces, each in the frame of its own part.
  struct Support {
    Vec3 point_a, point_b;
  };
  Vec3 core_point_a, core_point_b;                  ///< (`separation`)
  std::vector<Support> supports;                    ///< (`faces`)
  std::vector<std::array<std::uint32_t, 3>> faces;  ///< triangles over `supports` (`faces`)
  Vec3 inside_point;                                ///< world (`inside`)
  double inside_radius = 0.0;
  bool inside_of_a = false;  ///< the point is one of B, inside of the mesh A

  // The lower bound of the distance.
  /// A step of a walk over (pieces of A) x (pieces of B) x (time): see `Apart`.
  struct Step {
    enum class Kind : std::uint8_t { apart, split_a, split_b, split_time };
    Kind kind = Kind::apart;
    std::uint32_t count = 0;  ///< `split_a`, `split_b`: pieces of the first half
    double time = 0.0;        ///< `split_time`: end of the first half
    Vec3 direction;           ///< `apart`: unit, world, from A to B
  };
  /// One part of A is apart from one part of B after B has moved by `shift`: a walk in pre-order,
  /// beginning with all triangles of both (a convex part is one piece) and all of the time. At each
  /// step what is looked at is apart along one direction, or cut in two, of which the first comes
  /// first.
  struct Apart {
    std::int32_t part_a = -1, part_b = -1;
    Vec3 shift;  ///< world
    std::vector<Step> steps;
  };
  std::vector<Apart> apart;  ///< pairs of parts that are not listed are apart along `direction`
  /// The order in which the steps count triangles: those of the mesh of that part.
  struct Order {
    std::int32_t part = -1;
    std::vector<std::uint32_t> triangles;
  };
  std::vector<Order> order_a, order_b;  ///< of meshes without, the order is their own

  // The end of a motion.
  bool touches = false;
  Vec3 touch_a, touch_b;  ///< world: points of A and B that coincide at `time_upper`

  /// Forgets everything, and keeps the storage.
  void clear();
};

/// The certificate of (B, A) from that of (A, B).
void swap_roles(Certificate& certificate);

}  // namespace tactus
