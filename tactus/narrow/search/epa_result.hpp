#pragma once

#include <cstdint>
#include <limits>

#include "tactus/narrow/difference/critical.hpp"
#include "tactus/observer.hpp"

namespace tactus::detail {

struct EpaOptions {
  double gap = 0.0;  ///< wanted width of the depth's bracket (absolute; never below rounding)
  bool stop_at_sign =
      false;             ///< stop once the origin is proved to be inside, or apart by `sign_at`
  double sign_at = 0.0;  ///< the radii that the cores are grown by
  int max_iterations = 190;
  /// Some f is known to be no larger: faces farther away need no search.
  double known_below = std::numeric_limits<double>::infinity();
  Observer* observer = nullptr;
};

enum class EpaOutcome : std::uint8_t {
  converged,        ///< the bracket is as narrow as asked
  iteration_limit,  ///< the cap or the capacity was reached
  precision_limit,  ///< no support point lies beyond the nearest face, although the bracket is
                    ///< wider than asked
  flat              ///< A - B has no volume: the depth along its normal is the answer
};

struct EpaResult {
  EpaOutcome outcome = EpaOutcome::flat;
  Critical best;  ///< direction of the least f found, finished by `polish`
  /// The origin is at least this far inside the hull of the support points; negative when it is
  /// outside.
  double lower = -std::numeric_limits<double>::infinity();
  bool by_caps = false;  ///< `lower` rests on second-order bounds (`prove_cap`) too
  bool unique = true;    ///< false when another, different face is as near
  int iterations = 0;    ///< support evaluations
};

}  // namespace tactus::detail
