#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace tactus::detail::lab {

/// Whole numbers of 127 bits, for coordinates of up to 18 bits.
__extension__ using Int128 = __int128;

/// Whole number of 511 bits and a sign, in two's complement; products of more bits wrap.
class Whole {
 public:
  Whole() = default;
  explicit Whole(Int128 value) {
    limbs_.fill(value < 0 ? ~std::uint64_t{0} : 0);
    limbs_[0] = static_cast<std::uint64_t>(value);
    limbs_[1] = static_cast<std::uint64_t>(value >> 64);
  }

  int sign() const {
    if ((limbs_.back() >> 63U) != 0) return -1;
    for (const std::uint64_t limb : limbs_) {
      if (limb != 0) return 1;
    }
    return 0;
  }

  Whole operator-() const {
    Whole out;
    std::uint64_t carry = 1;
    for (std::size_t i = 0; i < kLimbs; ++i) {
      const Double sum = Double{~limbs_[i]} + carry;
      out.limbs_[i] = static_cast<std::uint64_t>(sum);
      carry = static_cast<std::uint64_t>(sum >> 64U);
    }
    return out;
  }
  friend Whole operator+(const Whole& a, const Whole& b) {
    Whole out;
    std::uint64_t carry = 0;
    for (std::size_t i = 0; i < kLimbs; ++i) {
      const Double sum = Double{a.limbs_[i]} + b.limbs_[i] + carry;
      out.limbs_[i] = static_cast<std::uint64_t>(sum);
      carry = static_cast<std::uint64_t>(sum >> 64U);
    }
    return out;
  }
  friend Whole operator-(const Whole& a, const Whole& b) { return a + -b; }
  friend Whole operator*(const Whole& a, const Whole& b) {
    const bool negative = (a.sign() < 0) != (b.sign() < 0);
    const Whole x = a.sign() < 0 ? -a : a, y = b.sign() < 0 ? -b : b;
    const std::size_t used_x = x.used(), used_y = y.used();
    Whole out;
    for (std::size_t i = 0; i < used_x; ++i) {
      std::uint64_t carry = 0;
      for (std::size_t j = 0; j < used_y && i + j < kLimbs; ++j) {
        const Double sum = Double{x.limbs_[i]} * y.limbs_[j] + out.limbs_[i + j] + carry;
        out.limbs_[i + j] = static_cast<std::uint64_t>(sum);
        carry = static_cast<std::uint64_t>(sum >> 64U);
      }
      if (i + used_y < kLimbs) out.limbs_[i + used_y] = carry;
    }
    return negative ? -out : out;
  }

 private:
  __extension__ using Double = unsigned __int128;
  static constexpr std::size_t kLimbs = 8;

  std::size_t used() const {
    std::size_t n = kLimbs;
    while (n > 0 && limbs_[n - 1] == 0) --n;
    return n;
  }
  friend long double to_real(const Whole& w);

  std::array<std::uint64_t, kLimbs> limbs_{};  // least significant first
};

inline int sign_of(const Whole& w) { return w.sign(); }
inline int sign_of(Int128 v) { return v > 0 ? 1 : (v < 0 ? -1 : 0); }

inline long double to_real(Int128 v) { return static_cast<long double>(v); }
inline long double to_real(const Whole& w) {
  const bool negative = w.sign() < 0;
  const Whole x = negative ? -w : w;
  long double sum = 0.0L;
  for (std::size_t i = Whole::kLimbs; i-- > 0;) {
    sum = sum * 18446744073709551616.0L + static_cast<long double>(x.limbs_[i]);
  }
  return negative ? -sum : sum;
}

}  // namespace tactus::detail::lab
