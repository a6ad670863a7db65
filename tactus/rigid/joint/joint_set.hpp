#pragma once

#include <span>
#include <vector>

#include "tactus/rigid/body/pair_rules.hpp"
#include "tactus/rigid/body/periodic.hpp"
#include "tactus/rigid/joint/joint_systems.hpp"
#include "tactus/rigid/joint/swing_energy.hpp"
#include "tactus/rigid/motion/moving_bodies.hpp"
#include "tactus/world.hpp"

namespace tactus::detail {

/// The joints of a world: what they are, what they remember from step to step, and their part in a
/// step.
class JointSet {
 public:
  /// In a space that outlives it.
  explicit JointSet(const PeriodicBox& space) : space_(space) {}

  /// By id.
  std::span<const Joint> joints() const { return joints_; }
  bool contains(JointId id) const;
  /// Throws InvalidInput (`id`) when there is none.
  const Joint& at(JointId id) const;
  /// A valid definition with an id of its own, and the bodies it names. Throws InvalidInput as
  /// `take_near_anchors` and `nearest_image`.
  void add(const JointDefinition& definition, const Body& a, const Body& b);
  void remove(JointId id);
  void remove_of_bodies(std::span<const BodyId> bodies);
  /// From a valid motor or drive.
  void set_motor(JointId id, const std::optional<JointMotor>& motor);
  void set_drive(JointId id, const std::optional<JointDrive>& drive);
  /// The bodies of all joints, by id, each once.
  std::vector<BodyId> bodies() const;
  /// Memory of the joints, in their order.
  const std::vector<JointMemory>& memory() const { return memory_; }
  void take_memory(std::vector<JointMemory> memory) { memory_ = std::move(memory); }
  /// Pairs of bodies that their joints keep from touching, sorted, each once.
  std::vector<IdPair> untouchable() const;

  /// Before a step changes anything; `undo` comes back to it.
  void remember();
  void undo() noexcept;
  /// Throws StepFault (`joint`) for a joint whose impulses are no numbers.
  void require_finite() const;
  /// After the bodies have moved: throws StepFault (`joint`) for anchors that the step has torn
  /// apart.
  void require_held(std::span<const Body> bodies) const;
  /// Throws StepFault (`place`) for bodies that lie too many periods apart to count.
  void check_places(std::span<const Body> bodies) const;
  /// After bodies have been brought back into a periodic space: by how many periods, for each of
  /// them.
  void wrap(std::span<const Body> bodies, std::span<const Periods> periods);
  /// At the start of a step: which bodies hang together.
  void begin_step(std::span<const Body> bodies);
  /// Within a step: the bodies have other places in their list.
  void find_again(std::span<const Body> bodies);
  /// The bodies that joints hold, with 1.
  void mark(std::span<char> bodies) const;
  /// Takes the contacts of these bodies from the solver, and marks all bodies that they push.
  void take_contacts(ContactSolver& solver, std::span<const SolverBody> bodies,
                     std::span<char> pushed);
  /// A body that a contact carries also carries what hangs on it by joints; limits and motors carry
  /// as well.
  void spread(std::span<Carried> carried) const;
  /// Takes the joints where the bodies are now. `settings` are those of the step, `scale` turns
  /// what was remembered into impulses of a substep.
  void load(const MovingBodies& moving, const WorldSettings& settings, double scale);
  /// After outside forces have been taken back by half a substep: what the joints of bodies that
  /// are not carried did meanwhile.
  void to_middle(MovingBodies& moving, std::span<const Carried> carried);
  /// Before and after outside forces act for half a substep: what the same joints do meanwhile.
  void note_pulls(const MovingBodies& moving);
  void to_end(MovingBodies& moving, std::span<const Carried> carried);

  /// Before and after the bodies have moved by a step: by how much it has changed the energy of
  /// what swings (`SwingEnergy::most_error`).
  void note_energy(std::span<const Body> bodies, std::span<const Carried> carried,
                   const WorldSettings& settings);
  /// The step may change the energy of bodies that contacts or impacts have pushed.
  void leave_out_energy(std::span<const Carried> pushed);
  double energy_error(std::span<const Body> bodies, std::span<const Carried> carried) const;

  // The parts of a substep, in this order; the bodies move before `relax`. `solve` and `relax` also
  // solve the contacts that were taken, and note what these push. What joints change is no push of
  // contacts: those of others begin again after it. The bodies are `MovingBodies::apart`.
  void note_springs(const MovingBodies& moving);
  void start(MovingBodies& moving) const;
  void solve(MovingBodies& moving, ContactSolver& solver);
  void relax(MovingBodies& moving, ContactSolver& solver);

  /// The largest pull of any joint in the last substep: how far it would move its two bodies within
  /// one, in sizes.
  double pull() const;
  /// Remembers the impulses of the last substep.
  void store(double scale);
  /// Sums of a joint's impulses of a step on B, of those that can break: along and about.
  struct Pull {
    Vec3 impulse, turning;
  };
  const std::vector<Pull>& pulls() const { return pulls_; }
  void take_pulls(std::vector<Pull> pulls) { pulls_ = std::move(pulls); }
  bool can_break() const;
  /// After `report`: the joints whose mean force or torque of the step, of this time, was more than
  /// they hold, with both.
  std::vector<Joint> broken(double time) const;
  /// Updates positions and forces in `joints()`. `substep`: the time in which the remembered
  /// impulses acted.
  void report(std::span<const Body> bodies, double substep);

  void save(WorldState& state) const;
  /// Throws InvalidInput (`joints`) and changes nothing when the state names one that is not here.
  void check(const WorldState& state) const;
  /// Takes over what `save` wrote, after `check`; other joints are removed.
  void restore(const WorldState& state);

 private:
  void add_pulls();
  void forget_impulses(JointId id);
  bool is_carried(const JointIsland& island, std::span<const Carried> carried) const;

  const PeriodicBox& space_;
  std::vector<Joint> joints_;
  std::vector<JointMemory> memory_;   ///< in their order
  std::vector<Joint> joints_before_;  ///< of `remember`
  std::vector<JointMemory> memory_before_;
  std::vector<SteppedJoint> stepped_;  ///< likewise, within a step
  std::vector<Pull> pulls_;            ///< likewise
  JointSystems systems_;
  SwingEnergy energy_;
  double substep_ = 0.0;
};

}  // namespace tactus::detail
