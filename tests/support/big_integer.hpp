#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "tactus/math.hpp"

namespace tactus::detail::test {

/// Whole number of any size, schoolbook arithmetic: the ground truth for exact predicates.
class BigInteger {
 public:
  BigInteger() = default;

  /// value * 2^shift, which must be whole.
  static BigInteger scaled(double value, int shift) {
    int exponent = 0;
    const double mantissa = std::frexp(value, &exponent);
    exponent += shift - 53;
    auto digits = static_cast<std::uint64_t>(std::ldexp(std::fabs(mantissa), 53));
    for (; digits != 0 && exponent < 0; ++exponent) digits >>= 1u;
    BigInteger result;
    if (digits == 0) return result;
    result.negative_ = value < 0.0;
    result.limbs_.assign(static_cast<std::size_t>(exponent / 32), 0);
    const auto offset = static_cast<unsigned>(exponent % 32);
    // 53 bits, shifted by up to 31, reach over three limbs.
    result.limbs_.push_back(static_cast<std::uint32_t>(digits << offset));
    result.limbs_.push_back(static_cast<std::uint32_t>((digits >> (32 - offset)) & 0xffffffffu));
    result.limbs_.push_back(static_cast<std::uint32_t>(offset == 0 ? 0 : digits >> (64 - offset)));
    result.trim();
    return result;
  }

  int sign() const { return limbs_.empty() ? 0 : (negative_ ? -1 : 1); }

  /// Rounded, times 2^-shift.
  long double value(int shift) const {
    long double sum = 0.0L;
    for (std::size_t i = limbs_.size(); i-- > 0;) {
      sum += std::ldexp(static_cast<long double>(limbs_[i]), static_cast<int>(32 * i) - shift);
    }
    return negative_ ? -sum : sum;
  }

  BigInteger operator-() const {
    BigInteger result = *this;
    result.negative_ = !negative_;
    return result;
  }
  friend BigInteger operator+(const BigInteger& a, const BigInteger& b) {
    if (a.negative_ == b.negative_) return with_sign(add(a.limbs_, b.limbs_), a.negative_);
    return less(a.limbs_, b.limbs_) ? with_sign(subtract(b.limbs_, a.limbs_), b.negative_)
                                    : with_sign(subtract(a.limbs_, b.limbs_), a.negative_);
  }
  friend BigInteger operator-(const BigInteger& a, const BigInteger& b) { return a + -b; }
  friend BigInteger operator*(const BigInteger& a, const BigInteger& b) {
    Limbs product(a.limbs_.size() + b.limbs_.size(), 0);
    for (std::size_t i = 0; i < a.limbs_.size(); ++i) {
      std::uint64_t carry = 0;
      for (std::size_t j = 0; j < b.limbs_.size(); ++j) {
        carry += std::uint64_t{a.limbs_[i]} * b.limbs_[j] + product[i + j];
        product[i + j] = static_cast<std::uint32_t>(carry);
        carry >>= 32u;
      }
      product[i + b.limbs_.size()] = static_cast<std::uint32_t>(carry);
    }
    return with_sign(product, a.negative_ != b.negative_);
  }

 private:
  using Limbs = std::vector<std::uint32_t>;  // least significant first

  static BigInteger with_sign(Limbs limbs, bool negative) {
    BigInteger result;
    result.limbs_ = std::move(limbs);
    result.negative_ = negative;
    result.trim();
    return result;
  }
  void trim() {
    while (!limbs_.empty() && limbs_.back() == 0) limbs_.pop_back();
  }
  static bool less(const Limbs& a, const Limbs& b) {
    if (a.size() != b.size()) return a.size() < b.size();
    for (std::size_t i = a.size(); i-- > 0;) {
      if (a[i] != b[i]) return a[i] < b[i];
    }
    return false;
  }
  static Limbs add(const Limbs& a, const Limbs& b) {
    Limbs sum;
    std::uint64_t carry = 0;
    for (std::size_t i = 0; i < a.size() || i < b.size() || carry != 0; ++i) {
      carry += (i < a.size() ? a[i] : 0u);
      carry += (i < b.size() ? b[i] : 0u);
      sum.push_back(static_cast<std::uint32_t>(carry));
      carry >>= 32u;
    }
    return sum;
  }
  static Limbs subtract(const Limbs& a, const Limbs& b) {
    Limbs difference = a;
    std::int64_t borrow = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      std::int64_t digit = std::int64_t{a[i]} - (i < b.size() ? b[i] : 0) - borrow;
      borrow = digit < 0 ? 1 : 0;
      difference[i] = static_cast<std::uint32_t>(digit + (borrow << 32));
    }
    return difference;
  }

  Limbs limbs_;
  bool negative_ = false;
};

/// Coordinates times 2^kShift, for numbers whose bits are all worth 2^-kShift or more.
struct BigVector {
  static constexpr int kShift = 300;
  BigInteger x, y, z;

  explicit BigVector(const Vec3& v)
      : x(BigInteger::scaled(v.x, kShift)),
        y(BigInteger::scaled(v.y, kShift)),
        z(BigInteger::scaled(v.z, kShift)) {}
  BigVector(BigInteger a, BigInteger b, BigInteger c)
      : x(std::move(a)), y(std::move(b)), z(std::move(c)) {}

  friend BigVector operator-(const BigVector& a, const BigVector& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
  }
  friend BigVector cross(const BigVector& a, const BigVector& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
  }
  friend BigInteger dot(const BigVector& a, const BigVector& b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
  }
};

/// (b-a) x (c-a), times 4^kShift.
inline BigVector true_cross(const Vec3& a, const Vec3& b, const Vec3& c) {
  const BigVector origin(a);
  return cross(BigVector(b) - origin, BigVector(c) - origin);
}

/// The sign that orient3d is to give.
inline int true_orient3d(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  return dot(true_cross(a, b, c), BigVector(d) - BigVector(a)).sign();
}

}  // namespace tactus::detail::test
