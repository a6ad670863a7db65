#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>

#include "tactus/shape.hpp"

namespace tactus::io {

/// Boxes of which steps are told, at most.
inline constexpr std::size_t kMostSweepSteps = 200;

/// The pairs of boxes that share a point, by sweep and prune, and the steps that lead to them:
/// `pairs` as `SweepAndPrune::find_pairs` answers, by the boxes' places in the list, and `steps`:
/// `axis` (chosen, with the variances of the centres; whether the order of `before` was `kept`),
/// `move` (insertion sort), `order`, then for each box `reach`, `compare` (with `meet`) and `pass`
/// (the first box that begins behind its end). `before`: boxes of an earlier call to the same
/// sweep, or none. Throws InvalidInput (`boxes`, `before`) for more than `kMostSweepSteps`.
nlohmann::ordered_json sweep_steps(std::span<const Aabb> boxes, std::span<const Aabb> before);

}  // namespace tactus::io
