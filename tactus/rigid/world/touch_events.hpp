#pragma once

#include <span>
#include <vector>

#include "tactus/rigid/contact/contact_set.hpp"
#include "tactus/rigid/solver/contact_solver.hpp"
#include "tactus/world.hpp"

namespace tactus::detail {

/// Pairs of bodies that touch in a step, and those that begin and end to: contacts that push or
/// overlap in any detection of the step, and overlaps with sensors at its end or on the way there.
class TouchEvents {
 public:
  /// Pairs by ids; `touching` without bodies that were removed since the step.
  std::span<const TouchingPair> touching() const { return now_.touching; }
  std::span<const TouchingPair> begun() const { return now_.begun; }
  std::span<const TouchingPair> ended() const { return now_.ended; }

  /// Before a step changes anything; `undo` comes back to it, without memory.
  void remember() noexcept { now_.swap(before_); }
  void undo() noexcept { now_.swap(before_); }

  /// A step begins to touch: where there are sensors, notes where the bodies are.
  void begin_step(std::span<const Body> bodies);
  /// Adds the pairs that touch in the last detection, as the solver has left them.
  void note(std::span<const Body> bodies, const ContactSet& contacts, const ContactSolver& solver);
  /// At the end of the step: adds overlaps with sensors, and finds which touches begin and end.
  void end_step(std::span<const Body> bodies);

  /// Forgets the pairs of bodies.
  void forget(std::span<const BodyId> ids);
  void clear();

 private:
  struct Lists {
    /// `known`: all pairs that touched in the step.
    std::vector<TouchingPair> touching, known, begun, ended;
    void swap(Lists& other) noexcept;
  };
  /// A pair with a sensor that may overlap in the step: places in the list of bodies, and the shift
  /// from B to its image that is meant.
  struct Sensed {
    std::uint64_t a = 0, b = 0;
    Vec3 shift;
  };
  bool passes(const Sensed& pair, std::span<const Body> bodies) const;

  std::vector<TouchingPair> touched_;  ///< in this step so far
  std::vector<Pose> starts_;           ///< of all bodies; empty without sensors
  std::vector<Sensed> sensed_;         ///< by all detections of the step
  Lists now_, before_;                 ///< `before_`: those of the step before
};

}  // namespace tactus::detail
