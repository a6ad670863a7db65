#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "tactus/ccd.hpp"
#include "tactus/ccd/moving_hash.hpp"

namespace tactus::detail {

/// Receives the steps of `surface_impacts` by the hash: for each vertex what becomes of the faces
/// that lie in the cells on its way. Override what is of interest.
class HashObserver {
 public:
  using Kind = ccd::SurfaceImpact::Kind;
  virtual ~HashObserver() = default;

  /// The faces stand in the hash, which numbers them in the order of `faces`. `kind`: whose they
  /// are: `vertex_face` those of the second surface, `face_vertex` those of the first.
  virtual void table(Kind /*kind*/, const MovingHash&, std::span<const std::uint32_t> /*faces*/) {}
  /// The cells on the way of a vertex, in the order in which they are looked at.
  virtual void way(std::uint32_t /*vertex*/, std::span<const MovingHash::Cell>) {}
  /// A face in the place of a cell, by its number in the surface.
  virtual void found(std::uint32_t /*vertex*/, std::uint32_t /*face*/, const MovingHash::Cell&,
                     HashEnd) {}
  /// The question of a pair that all filters kept.
  virtual void answered(std::uint32_t /*vertex*/, std::uint32_t /*face*/, const CcdResult&) {}
};

/// `surface_impacts` by the hash on one thread, whose steps the observer is told of; the same
/// answer. It is compiled apart: a search without an observer has no trace of these calls.
ccd::SurfaceImpacts observed_impacts(const ccd::MovingSurface& a, const ccd::MovingSurface& b,
                                     const ccd::CcdOptions& options, HashObserver& observer);

}  // namespace tactus::detail
