#pragma once

#include <span>
#include <vector>

#include "tactus/rigid/contact/contact_set.hpp"
#include "tactus/rigid/ranks/rank_region.hpp"
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
  void begin_step(std::span<const Body> bodies, const RankRegion* region = nullptr);
  /// Adds the pairs that touch in the last detection, as the solver has left them.
  void note(std::span<const Body> bodies, const ContactSet& contacts, const ContactSolver& solver);
  /// At the end of the step: adds overlaps with sensors, and finds which touches begin and end.
  /// Where there are other ranks, each finds that for some pairs, wherever their bodies are.
  void end_step(std::span<const Body> bodies, const RankRegion* region = nullptr);

  /// Forgets the pairs of bodies.
  void forget(std::span<const BodyId> ids);
  void clear();

 private:
  struct Lists {
    /// `known`: all pairs that touched in the step.
    std::vector<TouchingPair> touching, known, begun, ended;
    void swap(Lists& other) noexcept;
  };
  /// A pair with a sensor that may overlap in the step, by ids, and the shift from B to its image
  /// that is meant.
  struct Sensed {
    BodyId a = kNoBody, b = kNoBody;
    Vec3 shift;
    friend bool operator==(const Sensed&, const Sensed&) = default;
  };
  /// Where a body is at the start of the step or at its end.
  struct Place {
    BodyId body = kNoBody;
    Pose pose;
    bool told = false;  ///< to other ranks that ask
  };
  using Places = std::vector<Place>;  ///< by id
  static bool before_id(const Place& place, BodyId id);
  static const Place* find(const Places& places, BodyId id);
  static Places places_of(std::span<const Body> bodies, const RankRegion* region);
  /// One of the bodies of a sensed pair.
  struct Way {
    const Shape& shape;
    const Pose &start, &end;
  };
  static bool passes(const Way& a, const Way& b, const Vec3& shift);
  void look_at_sensors(std::span<const Body> bodies, const RankRegion* region);
  void ask_for_others(const RankRegion& region, std::span<const BodyId> wanted);
  void share(const RankRegion& region);

  std::vector<TouchingPair> touched_;  ///< in this step so far
  bool senses_ = false;                ///< there are sensors
  Places starts_, ends_;               ///< of the bodies that are known here
  std::vector<Sensed> sensed_;         ///< by all detections of the step
  Lists now_, before_;                 ///< `before_`: those of the step before
};

}  // namespace tactus::detail
