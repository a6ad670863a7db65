#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tactus/core.hpp"
#include "tactus/rigid/joint/joint_island.hpp"
#include "tactus/world.hpp"

namespace tactus::detail {

/// Energies of islands of joints that nothing but gravity acts on: a step has changed their sum by
/// mistake alone, which tells whether its substeps were short enough for a whip.
class SwingEnergy {
 public:
  /// At the start of a step. `carried` are bodies as `JointSet::spread` has left them. Islands with
  /// motors, drives, springs, damping, outside forces or a moving anchor are left out.
  void note(std::span<const JointIsland> islands, std::span<const SteppedJoint> joints,
            std::span<const Body> bodies, std::span<const Carried> carried, const Vec3& gravity,
            double time_step);
  /// A step begins; until `note`, all islands are left out.
  void forget() { before_.clear(); }
  /// Leaves out islands with a body that contacts or impacts have pushed within the step, and those
  /// whose limits push in the present substep.
  void leave_out(std::span<const JointIsland> islands, std::span<const SteppedJoint> joints,
                 std::span<const Carried> pushed);
  void leave_out_limited(std::span<const JointIsland> islands,
                         std::span<const SteppedJoint> joints);
  /// At its end, of the same islands: by how much the sum of energies has changed, relative to the
  /// larger kinetic one, or to that of a free fall for a step if that is more; the most of all
  /// islands that are still not carried. What is lost in the rounding of heights is no mistake.
  double most_error(std::span<const JointIsland> islands, std::span<const SteppedJoint> joints,
                    std::span<const Body> bodies, std::span<const Carried> carried) const;

 private:
  struct Energy {
    double kinetic = 0.0, potential = 0.0;
    /// Kinetic energy that is as good as none: what a free fall gains in a step, and roundings.
    double rest = 0.0;
    bool known = false;
  };
  Energy of(const JointIsland& island, std::span<const SteppedJoint> joints,
            std::span<const Body> bodies, std::span<const Carried> carried) const;

  std::vector<Energy> before_;
  Vec3 gravity_;
  double time_step_ = 0.0;
};

}  // namespace tactus::detail
