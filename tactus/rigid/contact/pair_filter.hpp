#pragma once

#include <cstddef>

#include "tactus/rigid/body/periodic.hpp"

namespace tactus::detail {

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

}  // namespace tactus::detail
