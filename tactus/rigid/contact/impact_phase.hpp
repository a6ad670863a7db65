#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tactus/rigid/contact/contact_refresh.hpp"
#include "tactus/rigid/contact/contact_step.hpp"
#include "tactus/rigid/contact/impact_queue.hpp"
#include "tactus/rigid/contact/impact_time.hpp"
#include "tactus/rigid/contact/quiet_patches.hpp"

namespace tactus::detail {

class RankedImpacts;

/// Momentum that an impact has given a body that impacts do not move.
struct Blow {
  BodyId body = kNoBody;
  Vec3 impulse;
};

/// The impacts of a substep, one after the other in the order of their times, before contacts are
/// solved together.
///
/// A pair whose points approach faster than the threshold collides when its gap closes: both bodies
/// are moved there, the impact changes their velocities, and they are moved back with the new ones,
/// so that `integrate_positions` of the whole substep brings them where they belong. Patches that
/// have moved since they were detected are detected again at that moment, and so on until the time
/// holds still; bodies that turn fast are looked at again before they could have met. The number of
/// looks and impacts of a patch is bounded. A body that turns too fast for them is held for the
/// rest of the substep where it was seen last; all else that is left over is stopped by the solver.
/// A look that finds no impact leaves no trace in the bodies, and an impact none in a body that it
/// cannot push. Cost: linear in the points; per impact one or a few queries. Results don't depend
/// on the order of patches except for equal times, which go by patch. When a patch is looked at,
/// and which ones, say `ImpactTime`, `ImpactQueue` and `QuietPatches`; `ContactRefresh` detects it
/// again.
class ImpactPhase {
 public:
  ImpactPhase() = default;
  ImpactPhase(const ImpactPhase&) = delete;
  ImpactPhase& operator=(const ImpactPhase&) = delete;

  /// For a step's patches, bodies and constraints; what is passed must outlive the use.
  void prepare(std::span<const Body> bodies, MovingBodies& moving, ContactSet& contacts,
               ContactSolver& solver, const WorldSettings& settings);
  /// After outside forces have changed the velocities of the substep.
  void run();
  /// Blows on bodies with a servo since `forget_blows`, in the order of the impacts.
  std::span<const Blow> blows() const { return blows_; }
  void forget_blows() { blows_.clear(); }

 private:
  friend class RankedImpacts;
  void begin();
  void end();
  void follow(std::uint32_t body, double time);
  void list_patches();
  void find_stale();
  void enter_looks();
  void look_soon(std::uint32_t patch, QuietPatches::Found& found) const;
  double next_look(std::uint32_t patch) const;
  void schedule(std::uint32_t patch);
  void handle(const ImpactQueue::Event& event);
  void hold(std::uint32_t patch, double time);
  void collide_at(std::uint32_t patch, double time);
  bool collide_now(ContactConstraint& c, std::uint32_t patch, double time);
  void note_blow(std::uint32_t body, const SolverBody& other, const Vec3& before);

  ContactStep step_;
  ImpactQueue queue_;
  ImpactTime times_{step_};
  ContactRefresh refresh_{step_};
  QuietPatches quiet_{step_};
  std::vector<std::uint32_t> moved_;         ///< bodies that impacts have changed
  std::vector<double> changed_;              ///< by body: when an impact last changed its velocity
  std::vector<char> held_;                   ///< by body: stays where it is for the rest
  std::vector<std::uint32_t> first_, list_;  ///< by body: its patches; empty before impacts
  std::vector<Blow> blows_;
  std::vector<std::uint32_t> stale_;  ///< patches that are detected again at the start
};

}  // namespace tactus::detail
