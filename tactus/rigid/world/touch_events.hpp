#pragma once

#include <span>
#include <vector>

#include "tactus/rigid/contact/contact_set.hpp"
#include "tactus/rigid/ranks/region.hpp"
#include "tactus/rigid/solver/contact_solver.hpp"
#include "tactus/world.hpp"

namespace tactus::detail {

/// Pairs of bodies that touch in a step, and those that begin and end to: contacts that push or
/// overlap in any detection of the step, and overlaps with sensors at its end.
class TouchEvents {
 public:
  /// Pairs by ids; `touching` without bodies that were removed since the step.
  std::span<const TouchingPair> touching() const { return now_.touching; }
  std::span<const TouchingPair> begun() const { return now_.begun; }
  std::span<const TouchingPair> ended() const { return now_.ended; }

  /// Before a step changes anything; `undo` comes back to it, without memory.
  void remember() noexcept { now_.swap(before_); }
  void undo() noexcept { now_.swap(before_); }

  /// A step begins to touch.
  void begin_step() { touched_.clear(); }
  /// Adds the pairs that touch in the last detection, as the solver has left them.
  void note(std::span<const Body> bodies, const ContactSet& contacts, const ContactSolver& solver);
  /// At the end of the step: adds overlaps with sensors, and finds which touches begin and end.
  /// Where there are other ranks, each finds that for some pairs, wherever their bodies are.
  void end_step(std::span<const Body> bodies, const ContactSet& contacts,
                const Region* region = nullptr);

  /// Forgets the pairs of bodies.
  void forget(std::span<const BodyId> ids);
  void clear();

 private:
  struct Lists {
    /// `known`: all pairs that touched in the step.
    std::vector<TouchingPair> touching, known, begun, ended;
    void swap(Lists& other) noexcept;
  };
  void share(const Region& region);
  std::vector<TouchingPair> touched_;  ///< in this step so far
  Lists now_, before_;                 ///< `before_`: those of the step before
};

}  // namespace tactus::detail
