#pragma once

#include <cstdint>
#include <cstring>
#include <limits>

#if defined(__SSE2__)
#include <emmintrin.h>
#elif defined(__wasm_simd128__)
#include <wasm_simd128.h>
#endif

namespace tactus::detail {

/// Two doubles at once: a register of SSE2, NEON and WebAssembly.
using Pair = double __attribute__((vector_size(16)));
using PairMarks = std::int64_t __attribute__((vector_size(16)));

inline Pair both(double x) { return Pair{x, x}; }
inline Pair load_pair(const double* p) {
  Pair x;
  std::memcpy(&x, p, sizeof x);
  return x;
}
inline void store_pair(Pair x, double* p) { std::memcpy(p, &x, sizeof x); }
inline Pair lesser(Pair a, Pair b) {
#if defined(__SSE2__)
  return (Pair)_mm_min_pd((__m128d)a, (__m128d)b);
#elif defined(__wasm_simd128__)
  return (Pair)wasm_f64x2_pmin((v128_t)b, (v128_t)a);
#else
  return a < b ? a : b;
#endif
}
inline Pair greater(Pair a, Pair b) {
#if defined(__SSE2__)
  return (Pair)_mm_max_pd((__m128d)a, (__m128d)b);
#elif defined(__wasm_simd128__)
  return (Pair)wasm_f64x2_pmax((v128_t)b, (v128_t)a);
#else
  return a > b ? a : b;
#endif
}
inline Pair magnitude(Pair x) {
  return (Pair)((PairMarks)x & std::numeric_limits<std::int64_t>::max());
}
// By name, since compilers take comparisons of vectors apart.
inline PairMarks less(Pair a, Pair b) {
#if defined(__SSE2__)
  return (PairMarks)_mm_cmplt_pd((__m128d)a, (__m128d)b);
#else
  return a < b;
#endif
}
inline PairMarks at_most(Pair a, Pair b) {
#if defined(__SSE2__)
  return (PairMarks)_mm_cmple_pd((__m128d)a, (__m128d)b);
#else
  return a <= b;
#endif
}
/// A bit for each of the two that is marked.
inline unsigned bits_of(PairMarks marks) {
#if defined(__SSE2__)
  return static_cast<unsigned>(_mm_movemask_pd((__m128d)marks));
#elif defined(__wasm_simd128__)
  return static_cast<unsigned>(wasm_i64x2_bitmask((v128_t)marks));
#else
  return (marks[0] < 0 ? 1U : 0U) | (marks[1] < 0 ? 2U : 0U);
#endif
}

}  // namespace tactus::detail
