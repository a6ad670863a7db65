#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "tactus/simd/wide.hpp"

/// Two doubles at once: a register of SSE2, NEON and WebAssembly.
namespace tactus::detail::two_doubles {
#define TACTUS_LANES 2
#include "tactus/simd/doubles.inc"
#undef TACTUS_LANES
#undef TACTUS_LANE
#undef TACTUS_OF_LANES
#undef TACTUS_LOAD_COLUMNS
}  // namespace tactus::detail::two_doubles
