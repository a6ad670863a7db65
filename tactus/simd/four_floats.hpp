#pragma once

#include <cstdint>
#include <cstring>

/// Four floats at once: a register of SSE2, NEON and WebAssembly.
namespace tactus::detail::four_floats {
#define TACTUS_GROUPS 1
#include "tactus/simd/floats.inc"
#undef TACTUS_GROUPS
[[maybe_unused]] inline Lanes all(float x) { return Lanes{x, x, x, x}; }
}  // namespace tactus::detail::four_floats
