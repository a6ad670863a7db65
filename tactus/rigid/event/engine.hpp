#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tactus/broad.hpp"
#include "tactus/impulse_world.hpp"
#include "tactus/rigid/body/pair_rules.hpp"
#include "tactus/rigid/body/periodic.hpp"
#include "tactus/rigid/event/collision.hpp"
#include "tactus/rigid/event/flight.hpp"
#include "tactus/rigid/event/pieces.hpp"

namespace tactus::detail {

/// Memory of a pair of near bodies, handed on from step to step.
struct NearPair {
  BodyId body_a = kNoBody, body_b = kNoBody;  ///< body_a < body_b
  Periods image{};                            ///< from B to its image that is meant
  QueryCache cache;
  /// Energy that micro-collisions may give back, as the momentum between the bodies that has it: a
  /// state holds momenta.
  double reserve_momentum = 0.0;
};

/// Bodies in flight, and the queue of the moments at which pairs are looked at.
///
/// Events come by time, then by the ids of the pair. An event is void when one of its bodies has
/// changed its path since (versions). A body that was hit is tested against the boxes of all others
/// for the rest of the step. In a periodic space a pair is a body and one image of another one; an
/// image flies as its body, a shift beside it.
class ImpulseEngine {
 public:
  /// Moves the bodies, ordered by id, on by `settings.time_step`, less where `max_events` or
  /// `until_impact` end it.
  void advance(std::vector<Body>& bodies, const ImpulseSettings& settings, const PairRules& rules,
               const PeriodicBox& space, double now, bool until_impact,
               ImpulseStatistics& statistics);

  /// Before a step changes anything; `undo` comes back to it.
  void remember();
  void undo() noexcept;

  std::span<const NearPair> pairs() const { return pairs_; }
  void set_pairs(std::vector<NearPair> pairs) { pairs_ = std::move(pairs); }
  void remove(std::span<const BodyId> ids);
  void forget();
  std::span<const Impact> impacts() const { return impacts_; }
  std::span<const Contact> contacts() const { return contacts_; }

 private:
  struct Event {
    double time;
    BodyId body_a, body_b;
    Periods image;
    std::uint32_t pair, version;
  };
  struct Track {
    std::uint32_t a = 0, b = 0;  ///< places of the bodies
    std::uint32_t version = 0;
    bool leaving = false;  ///< has just collided
    bool fresh = false;    ///< not known from the step before
    std::int32_t contact = -1;
    std::int64_t sibling = -1;  ///< while a body is `changed`: the next pair of the same bodies
  };
  static bool later(const Event& x, const Event& y);

  void take_off(std::span<const Body> bodies);
  void find_pairs();
  Aabb swept_box(std::uint32_t body, double time) const;
  /// The flight of the pair's second body, or of its image. Until the next call.
  const Flight& second_flight(std::uint32_t pair);
  std::uint32_t add_pair(std::uint32_t a, std::uint32_t b, NearPair pair, bool fresh);
  void schedule(std::uint32_t pair, double time);
  bool handle(const Event& event);
  void follow(std::uint32_t pair, double time);
  bool collide_at(std::uint32_t pair, double time, Impact& impact);
  void gather_points(std::uint32_t pair, double time, std::vector<Vec3>& places);
  CollisionLaw law(const Track& track, double inverse_mass) const;
  void changed(std::uint32_t body, double time);
  void meet(std::uint32_t body, std::uint32_t other, const Periods& image, double time);
  void note(std::uint32_t pair, const Impact& impact, double normal_impulse);
  void land(std::vector<Body>& bodies, double time);
  void bring_back(std::vector<Body>& bodies);
  double micro_gap(const Track& track) const;

  const ImpulseSettings* settings_ = nullptr;
  const PairRules* rules_ = nullptr;
  const PeriodicBox* space_ = nullptr;
  ImpulseStatistics* statistics_ = nullptr;
  double end_ = 0.0, now_ = 0.0;
  std::vector<Flight> flights_;
  std::vector<std::vector<BodyPart>> parts_;
  std::vector<Aabb> boxes_;
  std::vector<NearPair> pairs_;
  std::vector<Track> tracks_;                         ///< by pair
  std::vector<std::vector<std::uint32_t>> pairs_of_;  ///< by body
  std::vector<std::int64_t> partner_;                 ///< by body: a pair with the one looked at
  std::vector<Event> events_;                         ///< a heap, earliest first
  AutoBroadPhase broad_;
  PeriodicPairs periodic_;
  Flight image_;  ///< of `second_flight`
  std::vector<ImpactPoint> points_;
  std::vector<Manifold> manifolds_;
  std::vector<Impact> impacts_;
  std::vector<Contact> contacts_;
  std::vector<NearPair> pairs_before_;  ///< of `remember`
  std::vector<Impact> impacts_before_;
  std::vector<Contact> contacts_before_;
};

}  // namespace tactus::detail
