#pragma once

#include "tactus/broad/broad_phase.hpp"

namespace tactus {

/// Every box against every other: the yardstick of all broad phases. Cost: n^2 / 2 box tests.
class BruteForce {
 public:
  void find_pairs(std::span<const BroadEntry> entries, std::vector<BroadPair>& out) const;
};
static_assert(BroadPhase<BruteForce>);

}  // namespace tactus
