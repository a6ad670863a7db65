#pragma once

#include <cstdint>
#include <vector>

namespace tactus::detail {

/// The looks at patches that a substep has before it, earliest first, equal times by patch; and how
/// often each patch has been looked at and has collided since the substep's start.
class ImpactQueue {
 public:
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

 private:
  static bool later(const Event& x, const Event& y);

  std::vector<Track> tracks_;           ///< by patch
  std::vector<std::uint32_t> tracked_;  ///< patches whose track is not that of the start
  std::vector<Event> events_;           ///< a heap, earliest first
};

}  // namespace tactus::detail
