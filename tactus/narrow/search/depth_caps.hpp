#pragma once

#include <array>

#include "tactus/core/uncleared.hpp"
#include "tactus/narrow/proof/face_proof.hpp"
#include "tactus/observer.hpp"

namespace tactus::detail {

/// Proves parts of the sphere of directions without support points: by second-order bounds around
/// the minima that a search has met, its caps, and by the formulas of f.
class DepthCaps {
 public:
  static constexpr int kMaxCaps = 8;

  // Storage is not cleared.
  // NOLINTNEXTLINE(modernize-use-equals-default,cppcoreguidelines-pro-type-member-init)
  DepthCaps() {}
  DepthCaps(const DepthCaps&) = delete;
  DepthCaps& operator=(const DepthCaps&) = delete;

  void prepare(Observer* observer);
  /// Keeps the patch of the sphere around a minimum that its second-order bound proves. `poor`: how
  /// far its bound may stay below the minimum, else it would hide what a finer search finds.
  void keep(const Cso& cso, const Critical& critical, double poor);
  bool is_empty() const { return count_ == 0; }
  bool is_full() const { return count_ == kMaxCaps; }
  /// Has the basin around this direction been searched?
  bool is_near(const Vec3& n, double cosine) const;
  /// Is there a cap as low as `level` whose direction differs from n by more than that?
  bool has_rival(const Vec3& n, double cosine, double level) const;

  /// Is the part of the sphere behind the corners proved by one of the caps? `lower` is then the
  /// bound that holds there.
  bool cover(const std::array<const Vec3*, 3>& corners, double level, double& lower) const;
  /// Is it proved by the formulas of f? That is dearer than some more support points where f rises
  /// steeply, but not where it is nearly level along one direction.
  bool prove(const Cso& cso, const std::array<const Vec3*, 3>& corners, FaceProof& proof,
             double& lower) const;

 private:
  Uncleared<Cap, kMaxCaps> caps_;
  Observer* observer_ = nullptr;
  int count_ = 0;
};

}  // namespace tactus::detail
