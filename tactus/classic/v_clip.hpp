#pragma once

#include "tactus/narrow/difference/polytope.hpp"
#include "tactus/narrow/pair/convex_pair.hpp"

namespace tactus::detail {

/// A vertex, edge or face of a polytope.
struct VClipFeature {
  enum class Kind : std::uint8_t { vertex, edge, face };
  Kind kind = Kind::vertex;
  std::uint32_t index = 0;
  friend bool operator==(const VClipFeature&, const VClipFeature&) = default;
};

enum class VClipOutcome : std::uint8_t {
  closest,      ///< neither feature's Voronoi region wants a neighbour
  penetrating,  ///< a point that both bodies hold was met
  cycling       ///< a pair of features was met again, or the cap ended the walk
};

struct VClipResult {
  VClipOutcome outcome = VClipOutcome::cycling;
  Vec3 point_a, point_b;  ///< of the features, A's frame; equal when penetrating
  Vec3 normal;            ///< unit, from A to B: what the features say
  int steps = 0;
};

/// Closest features of two polytope cores by walking from feature to neighbouring feature: each is
/// clipped against the planes of the other's Voronoi region, and moves to the neighbour across the
/// plane that shows a nearer one. `a` and `b` are where the walk starts (any feature; a pair found
/// before makes the next walk short) and where it ended. In overlap it stops at a common point and
/// tells no depth. The caller verifies: a walk among rounded planes may stop early. Cost: some
/// dozen products per step; steps grow with the features in between. Source: mirtich1998vclip;
/// departures: docs/algorithms/v-clip.md.
VClipResult v_clip(const Cso& cso, VClipFeature& a, VClipFeature& b, int max_steps,
                   Observer* observer = nullptr);

/// True when both cores are polytopes.
bool is_polytope_pair(const Core& a, const Core& b);

/// The answer of `v_clip`, started from the support vertices along `options.start`, as what its
/// direction and points prove.
ConvexAnswer answer_by_v_clip(const Cso& cso, const ConvexOptions& options);

}  // namespace tactus::detail
