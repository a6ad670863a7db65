#pragma once

#if defined(__SSE2__)
#include <immintrin.h>
#elif defined(__wasm_simd128__)
#include <wasm_simd128.h>
#endif

/// Code compiled a second time for registers of four numbers (AVX2), for sources that choose at run
/// time: where TACTUS_WIDE is defined, what stands between TACTUS_BEGIN_WIDE and TACTUS_END_WIDE
/// may run if `kHasWide`. The instruction set has no products fused with sums, so that the bits
/// are those of the narrow code.
#if defined(__x86_64__)
#define TACTUS_WIDE
#if defined(__clang__)
#define TACTUS_BEGIN_WIDE \
  _Pragma("clang attribute push(__attribute__((target(\"avx2\"))), apply_to = function)")
#define TACTUS_END_WIDE _Pragma("clang attribute pop")
#else
#define TACTUS_BEGIN_WIDE _Pragma("GCC push_options") _Pragma("GCC target(\"avx2\")")
#define TACTUS_END_WIDE _Pragma("GCC pop_options")
#endif
#endif

namespace tactus::detail {

#if defined(TACTUS_WIDE)
inline const bool kHasWide = __builtin_cpu_supports("avx2") != 0;
#else
inline constexpr bool kHasWide = false;
#endif

}  // namespace tactus::detail
