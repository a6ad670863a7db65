#pragma once

#include <span>
#include <vector>

#include "tactus/broad.hpp"
#include "tactus/rigid/body/pair_rules.hpp"
#include "tactus/rigid/body/periodic.hpp"
#include "tactus/world.hpp"

namespace tactus::detail {

/// How a body may move within the time of a detection.
struct Outlook {
  Vec3 acceleration;     ///< by outside forces
  double turning = 0.0;  ///< how far any point of it comes by its rotation
  double aside = 0.0;    ///< by how much it may leave the way that its velocities foresee
};

/// Tells which of the pairs that could meet are looked at here, and which by another rank.
class PairFilter {
 public:
  PairFilter() = default;
  PairFilter(const PairFilter&) = delete;
  PairFilter& operator=(const PairFilter&) = delete;
  virtual ~PairFilter() = default;

  /// Positions in the list of bodies, and the image of the second body that is meant.
  virtual bool owns(std::size_t a, std::size_t b, const Periods& image) const = 0;
};

Outlook look_ahead(const Body& body, const WorldSettings& settings, double time);
/// The box of a body over the time, grown by the contact threshold.
Aabb swept_box(const Body& body, const WorldSettings& settings, const Outlook& ahead, double time);

/// The broad phase of a world: which pairs of bodies, and which images of them in a periodic space,
/// could meet within a time, by boxes of the space that each body may pass.
class CandidatePairs {
 public:
  /// `max_threads`: of the world; 0 takes all processors.
  explicit CandidatePairs(int max_threads) : broad_(max_threads) {}

  /// Finds the pairs, at the bodies' present poses; `bodies` are ordered by id. Throws StepFault
  /// (`crowded`) when so many are near each other that their memory would run out.
  void find(std::span<const Body> bodies, const WorldSettings& settings, const PairRules& rules,
            double time);
  /// Time since the start at which the next search looks; only a space under shear asks for it.
  void set_now(double now) noexcept { now_ = now; }
  /// Keeps only the pairs that the filter owns; null: all. It must outlive the use.
  void filter(const PairFilter* filter) { filter_ = filter; }
  bool is_filtered() const { return filter_ != nullptr; }
  /// The next search starts anew: what the last one has kept may be half done.
  void begin_anew() noexcept { anew_ = true; }

  /// Pairs that push each other: positions in the list of bodies.
  std::span<const BroadPair> pushing() const { return pushing_; }
  /// The image of the second body of a pair in `pushing()` that is meant.
  Periods image(std::size_t pair) const { return images_.empty() ? Periods{} : images_[pair]; }
  /// Pairs with a sensor.
  std::span<const BroadPair> sensed() const { return sensed_; }
  /// Shift from the second body of a pair in `sensed()` to its image that is meant.
  Vec3 sensed_shift(std::size_t pair) const {
    return sensed_images_.empty() ? Vec3{} : space_.shift(sensed_images_[pair]);
  }
  const Outlook& outlook(std::size_t body) const { return outlooks_[body]; }
  const PeriodicBox& space() const { return space_; }

 private:
  void find_near(std::size_t most);
  void sort_out(std::span<const Body> bodies, const PairRules& rules);

  AutoBroadPhase broad_;
  PeriodicBox space_;
  PeriodicPairs periodic_;
  double now_ = 0.0;
  bool anew_ = false;
  const PairFilter* filter_ = nullptr;
  std::vector<BroadEntry> entries_;
  std::vector<Outlook> outlooks_;  ///< of the bodies
  std::vector<BroadPair> pushing_, sensed_;
  std::vector<Periods> images_, sensed_images_;  ///< of both; empty unless the space is periodic
};

}  // namespace tactus::detail
