#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tactus/body.hpp"
#include "tactus/rigid/solver/contact_constraint.hpp"

namespace tactus::detail {

/// How softly bodies stand on one another.
struct Softness {
  double overlap = 0.0;  ///< of the patch that overlaps most under its load
  /// Sink of the body that sinks most: the sum of overlaps of all patches on the way from it down
  /// to bodies that nothing moves; where it stands on several patches, the mean by their loads.
  double sink = 0.0;
};

/// Overlaps of contact springs under their loads, in sizes of the smaller body, summed up from
/// below. A tower sinks by the sum of all its overlaps, which grows with the square of its
/// height, as what it takes to keep it from buckling nearly does; a pile of the same height and
/// overlap sinks by far less, since loads spread.
class LoadSink {
 public:
  /// `overlaps`: of each patch under its load. `loads`: of any unit. Without gravity nothing sinks.
  /// Cost: that of sorting the bodies by height.
  Softness find(std::span<const ContactPatch> patches, std::span<const double> loads,
                std::span<const double> overlaps, std::span<const Body> bodies,
                const Vec3& gravity);

 private:
  void list_supports(std::span<const ContactPatch> patches, std::span<const double> loads,
                     std::span<const Body> bodies, const Vec3& up);

  /// A patch that carries a body.
  struct Support {
    std::uint32_t patch = 0, below = 0;
    double weight = 0.0;
  };
  std::vector<std::uint32_t> first_, order_;
  std::vector<Support> supports_;  ///< by body, from `first_` on
  std::vector<double> heights_, sinks_;
};

}  // namespace tactus::detail
