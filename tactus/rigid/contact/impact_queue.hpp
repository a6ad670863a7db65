#pragma once

#include <cstdint>
#include <vector>

namespace tactus::detail {

/// The looks at patches that a substep has before it, in their order; and how often each patch has
/// been looked at and has collided since the substep's start.
///
/// The order is that of moments, at the same moment of steps, then of patches. A moment never lies
/// before that of the look which asks for it, though the time of the look may; what is asked for at
/// the present moment comes a step later. So the looks taken rise in this order: two queues of
/// patches without a body in common, merged by it, take the looks that one queue would.
class ImpactQueue {
 public:
  struct Event {
    double time;  ///< of the look
    std::uint32_t patch;
    std::uint32_t version;
    double moment;
    std::uint32_t step;  ///< of what happens at one moment, one after the other
  };
  struct Track {
    std::uint32_t version = 0;  ///< events of older versions are void
    int looks = 0, impacts = 0;
    double looked = 0.0;  ///< the last time
    /// The last look came no later than the one before, though no velocity had changed since.
    bool again = false;
  };

  /// For so many patches, none of which has been looked at.
  void prepare(std::size_t patches);
  /// Forgets all events and looks.
  void begin_substep();

  std::size_t patches() const { return tracks_.size(); }
  const Track& track(std::uint32_t patch) const { return tracks_[patch]; }
  /// For changes to it, which the next substep forgets.
  Track& change(std::uint32_t patch);
  /// Notes a look at this time.
  void note_look(std::uint32_t patch, double time);
  /// All events of the patch so far are void.
  void renew(std::uint32_t patch) { ++change(patch).version; }
  void enter(std::uint32_t patch, double time);
  /// Takes the next event that is not void; false where there is none.
  bool next(Event& event);
  /// As `next`, but leaves the event where it is.
  bool peek(Event& event);
  /// Something happens elsewhere at this moment and step: what is entered now comes after it.
  void set_present(double moment, std::uint32_t step) {
    now_ = moment;
    step_ = step;
  }
  double present_moment() const { return now_; }
  std::uint32_t present_step() const { return step_; }

 private:
  static bool later(const Event& x, const Event& y);

  std::vector<Track> tracks_;           ///< by patch
  std::vector<std::uint32_t> tracked_;  ///< patches whose track is not that of the start
  std::vector<Event> events_;           ///< a heap, earliest first
  double now_ = 0.0;                    ///< moment and step of the look that is taken
  std::uint32_t step_ = 0;
};

}  // namespace tactus::detail
