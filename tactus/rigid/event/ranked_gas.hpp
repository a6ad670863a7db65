#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tactus/rigid/event/sphere_gas.hpp"
#include "tactus/rigid/exchange/exchange.hpp"

namespace tactus::detail {

/// A gas that several ranks share: each moves the spheres of its own box, to the bits of
/// `SphereGas`.
///
/// Time goes on in windows, so short that no sphere flies farther than `kFarthest` radii in them;
/// one in which a sphere does is tried again, half as long. A rank knows the spheres near its box,
/// and so all that its own can meet in a window. It goes through its events with the collisions
/// that the homes of the others have found, tells its own, and goes through them again when it
/// hears something new. When nobody does, all have what one rank finds: the first collision that
/// were otherwise would follow from earlier ones alone, which are the same, and so each round
/// settles one collision at least.
class RankedGas {
 public:
  /// A gas as for `SphereGas`, which all ranks give alike. `exchange` must outlive it. All its
  /// members are calls for all ranks.
  RankedGas(Exchange& exchange, double radius, double edge, const std::vector<Vec3>& positions,
            const std::vector<Vec3>& velocities);

  void advance(double time);
  double time() const { return time_; }
  std::uint64_t collisions() const { return sum(collisions_); }
  std::uint64_t crossings() const { return sum(crossings_); }
  /// Velocities of all spheres, by id.
  std::vector<Vec3> velocities() const;
  double energy() const { return energy_of(velocities()); }

  /// Since the start: windows, those that were tried again, rounds of all, and the most of a
  /// window; spheres that ranks knew beside their own, in all windows.
  struct Counts {
    std::uint64_t windows = 0, again = 0, rounds = 0, most_rounds = 0, ghosts = 0;
  };
  const Counts& counts() const { return counts_; }

 private:
  /// A sphere of this rank, and who knows it in a window.
  struct Own {
    std::uint32_t id = 0;
    SphereFlight flight;
    std::vector<int> knowers;
  };
  int home_of(const Vec3& place) const;
  std::uint64_t sum(std::uint64_t mine) const;
  double gap(const Vec3& place, int rank) const;
  double longest_window() const;
  SphereGas begin_window();
  SphereGas settle(const SphereGas& start, double until);
  std::vector<std::string> tell(const SphereGas& gas) const;

  Exchange& exchange_;
  double radius_, edge_, time_ = 0.0, shorter_ = 1.0;
  std::size_t count_;
  int boxes_[3] = {1, 1, 1};  ///< along the axes
  std::vector<Own> own_;      ///< by id
  std::uint64_t collisions_ = 0, crossings_ = 0;
  Counts counts_;
};

}  // namespace tactus::detail
