#pragma once

#include <cstdint>

namespace tactus::detail {

/// Reproducible random numbers: PCG32 (XSH-RR), the same sequence on every machine and compiler.
/// Source: oneill2014pcg.
class Random {
 public:
  explicit Random(std::uint64_t seed = 0, std::uint64_t stream = 0)
      : state_(0), increment_((stream << 1u) | 1u) {
    next();
    state_ += seed;
    next();
  }

  /// 32 uniform random bits.
  std::uint32_t next() {
    const std::uint64_t old = state_;
    state_ = old * 6364136223846793005ULL + increment_;
    const auto xorshifted = static_cast<std::uint32_t>(((old >> 18u) ^ old) >> 27u);
    const auto rotation = static_cast<std::uint32_t>(old >> 59u);
    return (xorshifted >> rotation) | (xorshifted << ((32u - rotation) & 31u));
  }

  /// Uniform in [0, 1), 53 random bits.
  double uniform() {
    const std::uint64_t high = next() >> 5u;
    const std::uint64_t low = next() >> 6u;
    return static_cast<double>(high * 67108864ULL + low) * (1.0 / 9007199254740992.0);
  }

  /// Uniform in [low, high).
  double uniform(double low, double high) { return low + (high - low) * uniform(); }

  /// Uniform integer in [0, count); count > 0. (Multiply-shift; bias below 2^-32 * count.)
  std::uint32_t below(std::uint32_t count) {
    return static_cast<std::uint32_t>((static_cast<std::uint64_t>(next()) * count) >> 32u);
  }

  std::uint64_t state() const { return state_; }
  std::uint64_t increment() const { return increment_; }

 private:
  std::uint64_t state_;
  std::uint64_t increment_;
};

}  // namespace tactus::detail
