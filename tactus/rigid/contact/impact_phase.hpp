#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tactus/rigid/contact/contact_set.hpp"
#include "tactus/rigid/motion/moving_bodies.hpp"
#include "tactus/rigid/solver/contact_solver.hpp"

namespace tactus::detail {

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
/// Cost: linear in the points; per impact one or a few queries. Results don't depend on the order
/// of patches except for equal times, which go by patch.
class ImpactPhase {
 public:
  /// For a step's patches, bodies and constraints; what is passed must outlive the use.
  void prepare(std::span<const Body> bodies, MovingBodies& moving, ContactSet& contacts,
               ContactSolver& solver, const WorldSettings& settings);
  /// After outside forces have changed the velocities of the substep.
  void run();

 private:
  struct Event {
    double time;
    std::uint32_t patch;
    std::uint32_t version;
  };
  struct Track {
    std::uint32_t version = 0;  ///< events of older versions are void
    int looks = 0, impacts = 0;
    double looked = 0.0;  ///< the last time
    /// The last look came no later than the one before, though no velocity had changed since.
    bool again = false;
  };
  /// Bounds on its bodies' motion up to which a patch, as detected at the start, needs no look.
  struct Quiet {
    std::uint32_t body_a, body_b;
    double way;    ///< sum of what both have moved and turned, as lengths
    double speed;  ///< sum of the rates of it
    double room;   ///< way that leaves it open
  };
  /// Results of one thread's look at a few consecutive patches.
  struct Looks {
    std::vector<std::uint32_t> stale;   ///< are to be detected again
    std::vector<Event> soon;            ///< want a look within the substep
    std::vector<std::uint32_t> turned;  ///< patches whose `far_` has changed
    void clear() {
      stale.clear();
      soon.clear();
      turned.clear();
    }
  };
  static bool later(const Event& x, const Event& y);

  void list_patches();
  void find_quiet();
  void look_at_all();
  void look_soon(std::uint32_t patch, Looks& looks) const;
  bool stale(std::uint32_t patch) const;
  void detect_stale();
  double next_look(std::uint32_t patch) const;
  void schedule(std::uint32_t patch);
  void enter(std::uint32_t patch, double time);
  double next_impact(const ContactConstraint& c, const Track& track, double from) const;
  static double look_again(const ContactConstraint& c, const SolverBody& a, const SolverBody& b);
  double next_turn(const ContactConstraint& c, const Track& track, double from) const;
  void handle(const Event& event);
  void detect_again(std::uint32_t patch, double time, bool with_impulses,
                    std::vector<Manifold>& scratch);
  void detect_rolling(std::uint32_t patch, std::vector<Manifold>& scratch);
  void take_over(std::uint32_t patch, const ContactConstraint::Impulse& before);
  void hold(std::uint32_t patch, double time);
  void collide_at(std::uint32_t patch, double time);
  double threshold(const ContactConstraint& c) const;

  std::span<const Body> bodies_;
  MovingBodies* moving_ = nullptr;
  ContactSet* contacts_ = nullptr;
  ContactSolver* solver_ = nullptr;
  const WorldSettings* settings_ = nullptr;
  double substep_ = 0.0;
  std::vector<Track> tracks_;                ///< by patch
  std::vector<Quiet> quiet_;                 ///< by patch
  std::vector<char> far_;                    ///< by patch: cannot touch in the substep
  std::vector<Looks> looks_;                 ///< of all patches
  std::vector<std::uint32_t> tracked_;       ///< patches whose track is not that of the start
  std::vector<std::uint32_t> moved_;         ///< bodies that impacts have changed
  std::vector<double> changed_;              ///< by body: when an impact last changed its velocity
  std::vector<char> held_;                   ///< by body: stays where it is for the rest
  std::vector<std::uint32_t> first_, list_;  ///< by body: its patches; empty before impacts
  std::vector<std::uint32_t> stale_;         ///< patches that are detected again at the start
  std::vector<ContactConstraint::Impulse> before_;  ///< what they did until then
  std::vector<Manifold> scratch_;
  std::vector<Event> events_;  ///< a heap, earliest first
};

}  // namespace tactus::detail
