#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tactus/rigid/joint/joined_contacts.hpp"
#include "tactus/rigid/joint/joint_island.hpp"

namespace tactus::detail {

/// The islands of joints with the contacts of their bodies: what hangs together by joints, or by a
/// contact between two islands, is one system. Joints and contacts of a system are solved in turns
/// until neither changes the other; contacts see what the joints answer (`JoinedContacts`), so that
/// a turn is enough unless a limit or motor comes to its bound. A system that nothing touches is
/// solved as an island alone. Systems go one after the other, each as if it were alone.
class JointSystems {
 public:
  /// At the start of a step.
  void set_islands(std::vector<JointIsland> islands);
  std::span<JointIsland> islands() { return islands_; }
  std::span<const JointIsland> islands() const { return islands_; }
  /// Takes the patches of the islands' moving bodies from the solver, and marks all bodies that
  /// these push.
  void take_contacts(std::span<const SteppedJoint> joints, ContactSolver& solver,
                     std::span<const SolverBody> bodies, std::span<char> pushed);

  /// As the functions of `JointIsland`, with contacts.
  void solve(std::span<SteppedJoint> joints, MovingBodies& moving, ContactSolver& solver,
             double substep);
  void relax(std::span<SteppedJoint> joints, MovingBodies& moving, ContactSolver& solver);

 private:
  using Phase = JoinedContacts::Phase;
  struct System {
    std::vector<std::uint32_t> islands;
    JoinedContacts contacts;  ///< the first parts are those of the islands, in order
  };
  /// Solves the contacts of a system, and lets its joints answer. `again`: not for the first time
  /// in the substep.
  void push(System& system, Phase phase, bool again, std::span<SteppedJoint> joints,
            ContactSolver& solver, std::span<SolverBody> bodies);
  bool came_to_bound(const System& system, std::span<const SteppedJoint> joints) const;

  std::vector<JointIsland> islands_;
  std::vector<System> systems_;
};

}  // namespace tactus::detail
