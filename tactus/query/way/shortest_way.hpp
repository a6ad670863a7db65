#pragma once

#include <cstdint>
#include <vector>

#include "tactus/math.hpp"
#include "tactus/query.hpp"
#include "tactus/query/way/inner_polytope.hpp"

namespace tactus::detail {

/// A convex set of translations that a translation lies in.
struct BlockedBy {
  std::uint32_t set = 0;
  double depth = 0.0;  ///< of the translation in the set
  Vec3 n;              ///< unit, the shortest way out of the set
};

/// The translations of B after which two bodies still meet, as a union of convex sets: of each
/// triangle and a convex body, of each pair of triangles, and balls of translations after which
/// a point of one lies inside of the other.
class BlockedShifts {
 public:
  BlockedShifts() = default;
  BlockedShifts(const BlockedShifts&) = delete;
  BlockedShifts& operator=(const BlockedShifts&) = delete;
  virtual ~BlockedShifts() = default;

  /// The sets that a translation lies in, deepest first; none where it frees the bodies by more
  /// than rounding. False when that could not be told.
  virtual bool meeting(const Vec3& shift, std::vector<BlockedBy>& found) = 0;
  /// The farthest point of a set along n, unit.
  virtual Vec3 support(std::uint32_t set, const Vec3& n) const = 0;
};

/// The inner polytope of a set that a search has met, by its number.
struct InnerSet {
  std::uint32_t set = 0;
  InnerPolytope polytope;
};

/// Blocked translations that a certificate can show.
class ProvedShifts : public BlockedShifts {
 public:
  /// Proof that the bodies meet after each translation of an inner polytope. `axes`: the frame of
  /// the translations, in the world about `world`.
  virtual Certificate::Cover cover(const InnerSet& inner, const Pose& axes,
                                   const Vec3& world) const = 0;
};

struct ShortestWay {
  double least = 0.0;  ///< proved: no shorter translation frees the bodies
  double most = 0.0;   ///< this one does
  Vec3 way;            ///< of that length
  Vec3 touching;       ///< the same, less `clear`: the bodies touch after it
  bool found = false;  ///< `way` is a better one than was known before
};

struct ShortestWayOptions {
  double known = 0.0;  ///< length of a translation that is known to free the bodies
  double least = 0.0;  ///< no shorter one than that does, as is known
  double width = 0.0;  ///< of a bracket that is narrow enough
  double clear = 0.0;  ///< translations are longer by it, so that the gap that they leave is seen
  double rounding = 0.0;  ///< of the points of the sets
  int max_nodes = 1000;   ///< of the search
};

/// The shortest translation outside of all sets, by best-first branch and bound: a free translation
/// lies beyond one of the faces of each set's inner polytope. A node holds one face of each of
/// some sets; its bound is the length of the shortest vector beyond them. Where that vector lies in
/// one more set, the node is divided by the faces of that; where it lies between a set and its
/// polytope, the polytope grows. The least node whose vector is free is the answer, and all nodes
/// together are the proof: `sets`, when given, receives what it rests on.
///
/// On the way, free translations are found from each node's vector: beyond the planes that support
/// the sets it lies in, across their own ways out, until none is left (sequential projection; each
/// set keeps to one side of its plane, so that what is found is free). Allocates. Source:
/// docs/algorithms/mesh-queries.md.
ShortestWay shortest_way(BlockedShifts& blocked, const ShortestWayOptions& options,
                         std::vector<InnerSet>* sets = nullptr);

}  // namespace tactus::detail
