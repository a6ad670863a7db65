#pragma once

#include "tactus/narrow/difference/simplex.hpp"

namespace tactus::detail {

/// A critical direction of f with the pieces that carry it.
struct Critical {
  Simplex simplex;  ///< at most three points; their weighted sum is (nearly) f(n) n
  Vec3 n;           ///< unit
  double value = std::numeric_limits<double>::infinity();  ///< f(n) over the whole of A - B
  SupportPoint extreme;  ///< the support point that attained it: outside the active pieces when
                         ///< these were the wrong ones
  int iterations = 0;    ///< support evaluations of A - B
};

}  // namespace tactus::detail
