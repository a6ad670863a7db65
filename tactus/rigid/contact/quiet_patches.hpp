#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tactus/core.hpp"
#include "tactus/rigid/contact/contact_step.hpp"

namespace tactus::detail {

/// Tells from the motion of each body alone which patches need no look in a substep, and which
/// cannot touch in it: these are left out of the solver. Most patches are seen by nothing else.
class QuietPatches {
 public:
  /// A look that a patch wants.
  struct Soon {
    std::uint32_t patch;
    double time;
  };
  /// Wants of a few consecutive patches.
  struct Found {
    std::vector<std::uint32_t> stale;   ///< are to be detected again
    std::vector<Soon> soon;             ///< want a look within the substep
    std::vector<std::uint32_t> turned;  ///< patches that have become, or are no longer, far
    void clear() {
      stale.clear();
      soon.clear();
      turned.clear();
    }
  };

  /// `step` must outlive it.
  explicit QuietPatches(const ContactStep& step) : step_(step) {}

  /// For the patches of the solver: finds each patch's kind of contact, and the bounds on both
  /// bodies' motions up to which nothing need be looked at.
  void prepare();
  /// Calls `look(patch, found)` for all other patches, in parallel, where `found` takes what it
  /// finds.
  template <class Look>
  void look_at_others(const Look& look) {
    parallel_for(
        quiet_.size(), kLookedAtTogether,
        [&](std::size_t begin, std::size_t end) {
          Found& found = found_[begin / kLookedAtTogether];
          found.clear();
          for (std::size_t i = begin; i < end; ++i) {
            const auto patch = static_cast<std::uint32_t>(i);
            if (is_quiet(patch, found)) continue;
            look(patch, found);
          }
        },
        step_.settings->max_threads, Schedule::steady);
  }

  std::span<Found> found() { return found_; }

  /// The patch was detected again: its bodies have moved since the start, by more than it has since
  /// now, so that the bounds say nothing.
  void forget(std::uint32_t patch) {
    quiet_[patch].way = -1.0;
    quiet_[patch].room = 0.0;
  }
  /// The velocity of a body of the patch has changed: it can touch.
  void come_near(std::uint32_t patch);
  /// Tells the solver which patches to leave out.
  void leave_out_far();

 private:
  /// Grain size (patches) of the loops that look at all patches.
  static constexpr std::size_t kLookedAtTogether = 512;

  /// A patch that cannot touch in the substep at this multiple of its bodies' speeds is left out of
  /// the solver; the multiple leaves room for what the solver does to these speeds.
  static constexpr double kFarSpeed = 4.0;

  /// Bounds on its bodies' motion up to which a patch, as detected at the start, needs no look.
  struct Quiet {
    std::uint32_t body_a, body_b;
    double way;    ///< sum of what both have moved and turned, as lengths
    double speed;  ///< sum of the rates of it
    double room;   ///< way that leaves it open
  };
  bool is_quiet(std::uint32_t patch, Found& found);

  const ContactStep& step_;
  std::vector<Quiet> quiet_;            ///< by patch
  std::vector<char> far_;               ///< by patch: cannot touch in the substep
  std::vector<std::uint8_t> touching_;  ///< by body: patches that touch it, a few at most
  std::vector<Found> found_;            ///< of all patches
};

inline bool QuietPatches::is_quiet(std::uint32_t patch, Found& found) {
  const std::span<const MovingBodies::Motion> motions = step_.moving->motions();
  const Quiet& quiet = quiet_[patch];
  const MovingBodies::Motion &a = motions[quiet.body_a], &b = motions[quiet.body_b];
  const double way = a.way + b.way, speed = a.speed + b.speed;
  const bool far =
      way + kFarSpeed * speed * step_.substep < quiet.room && !step_.solver->pushes(patch);
  if (far != (far_[patch] != 0)) {
    far_[patch] = far;
    found.turned.push_back(patch);
  }
  return far || (way <= quiet.way && speed <= quiet.speed);
}

}  // namespace tactus::detail
