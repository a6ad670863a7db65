#pragma once

#include <span>
#include <vector>

#include "tactus/rigid/ranks/rank_region.hpp"
#include "tactus/rigid/solver/load_sink.hpp"

namespace tactus::detail {

/// The load sink of a world that several ranks share (`LoadSink`): the chains of supports pass from
/// rank to rank. The home of a body hears of all patches that carry it, in their order, and adds up
/// as `LoadSink` does; sinks of bodies whose home is elsewhere are told until none changes, as
/// often as a chain crosses ranks at most.
class RankedSink {
 public:
  explicit RankedSink(RankRegion& region) : region_(region) {}
  /// As `LoadSink::find`, for the patches of this rank; the answer is that of the whole world.
  Softness find(const ContactSet& contacts, std::span<const double> loads,
                std::span<const double> overlaps, std::span<const Body> bodies,
                const Vec3& gravity);

 private:
  /// A patch that carries a body, as its home hears of it.
  struct Support {
    bool rests = false;  ///< patches of pairs that rest come last
    BodyId body_a = kNoBody, body_b = kNoBody;
    Periods image{};
    std::uint32_t place = 0;  ///< of the patch in its pair
    BodyId above = kNoBody, below = kNoBody;
    int below_home = -1;  ///< -1 of a body that does not sink
    double height_above = 0.0, height_below = 0.0, weight = 0.0, overlap = 0.0;
  };
  void hear_supports(const ContactSet& contacts, std::span<const double> loads,
                     std::span<const double> overlaps, std::span<const Body> bodies,
                     const Vec3& up);
  void ask();
  bool add_up();

  RankRegion& region_;
  std::vector<Support> supports_;  ///< from below, then by body, then in the order of patches
  std::vector<BodyId> ids_;        ///< of which sinks are known here, in order
  std::vector<double> sinks_;      ///< of these
  std::vector<std::vector<BodyId>> asked_, wanted_;  ///< by rank: of it, and by it
};

}  // namespace tactus::detail
