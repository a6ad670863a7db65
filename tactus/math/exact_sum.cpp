#include "tactus/math/exact_sum.hpp"

#include <cmath>
#include <cstring>
#include <limits>

namespace tactus::detail {
namespace {

static_assert(std::numeric_limits<double>::is_iec559);

constexpr int kDigitBits = 32, kFractionBits = 52;
constexpr std::uint64_t kDigitMask = 0xffffffff;
constexpr std::uint64_t kFractionMask = (std::uint64_t{1} << kFractionBits) - 1;
constexpr std::uint64_t kInfinityBits = std::uint64_t{0x7ff} << kFractionBits;

double from_bits(std::uint64_t bits) {
  double result = 0.0;
  std::memcpy(&result, &bits, sizeof(result));
  return result;
}

}  // namespace

void ExactSum::add(double summand) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &summand, sizeof(bits));
  const std::uint64_t size = bits & ~(std::uint64_t{1} << 63u);
  if (size >= kInfinityBits) {
    not_a_number_ = not_a_number_ || size > kInfinityBits;
    infinite_ = infinite_ || summand > 0.0;
    minus_infinite_ = minus_infinite_ || summand < 0.0;
    return;
  }
  // Subnormal numbers are as many units as their bits say, as are the least normal ones.
  const std::uint64_t power = size >> kFractionBits;
  const std::uint64_t whole =
      power == 0 ? size : (size & kFractionMask) + (std::uint64_t{1} << kFractionBits);
  const std::uint64_t shift = power == 0 ? 0 : power - 1;
  const std::size_t first = shift / kDigitBits, offset = shift % kDigitBits;
  const auto low = static_cast<std::int64_t>(whole << offset & kDigitMask);
  const std::uint64_t rest = whole >> (kDigitBits - offset);
  const auto middle = static_cast<std::int64_t>(rest & kDigitMask);
  const auto high = static_cast<std::int64_t>(rest >> kDigitBits);
  const std::int64_t sign = bits != size ? -1 : 1;
  digits_[first] += sign * low;
  digits_[first + 1] += sign * middle;
  digits_[first + 2] += sign * high;
  if (--room_ == 0) carry();
}

void ExactSum::add(const ExactSum& other) {
  ExactSum carried = other;
  carried.carry();
  for (std::size_t i = 0; i < kDigits; ++i) digits_[i] += carried.digits_[i];
  infinite_ = infinite_ || other.infinite_;
  minus_infinite_ = minus_infinite_ || other.minus_infinite_;
  not_a_number_ = not_a_number_ || other.not_a_number_;
  if (--room_ == 0) carry();
}

/// Brings all digits but the last into [0, 2^32).
void ExactSum::carry() {
  for (std::size_t i = 0; i + 1 < kDigits; ++i) {
    const std::int64_t over = digits_[i] >> kDigitBits;
    digits_[i] &= static_cast<std::int64_t>(kDigitMask);
    digits_[i + 1] += over;
  }
  room_ = kRoom;
}

void ExactSum::negate() {
  for (std::int64_t& digit : digits_) digit = -digit;
  carry();
}

double ExactSum::value() const {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (not_a_number_ || (infinite_ && minus_infinite_))
    return std::fabs(std::numeric_limits<double>::quiet_NaN());
  if (infinite_ || minus_infinite_) return infinite_ ? kInfinity : -kInfinity;
  ExactSum sum = *this;
  sum.carry();
  const bool negative = sum.digits_.back() < 0;
  if (negative) sum.negate();
  std::size_t last = kDigits - 1;
  while (last > 0 && sum.digits_[last] == 0) --last;
  // The leading bits fill a word; of what lies below it only whether it is there counts.
  const auto digit = [&](std::size_t below_last) {
    return below_last <= last ? static_cast<std::uint64_t>(sum.digits_[last - below_last]) : 0;
  };
  int shift = 0;  // of the leading digit to the left
  while (shift < kDigitBits && (digit(0) << shift & std::uint64_t{1} << 31u) == 0) ++shift;
  if (shift == kDigitBits) return 0.0;
  const std::uint64_t third = digit(2) << shift;
  std::uint64_t word = (digit(0) << kDigitBits | digit(1)) << shift | third >> kDigitBits;
  bool below = (third & kDigitMask) != 0;
  for (std::size_t i = 3; i <= last; ++i) below = below || digit(i) != 0;
  // Its leading bit is 2^(top - 1074).
  const int top = kDigitBits * static_cast<int>(last) + (kDigitBits - 1) - shift;
  if (top <= kFractionBits) {
    const double size = from_bits(word >> (63 - top));
    return negative ? -size : size;
  }
  const int dropped = 63 - kFractionBits;
  const std::uint64_t half = std::uint64_t{1} << (dropped - 1);
  const std::uint64_t rest = word & (2 * half - 1);
  word >>= dropped;
  if (rest > half || (rest == half && (below || word % 2 != 0))) ++word;
  // A carry out of the fraction raises the power, up to infinity.
  const auto power = static_cast<std::uint64_t>(top - kFractionBits);
  const std::uint64_t bits = (power << kFractionBits) + word;
  const double size = from_bits(bits < kInfinityBits ? bits : kInfinityBits);
  return negative ? -size : size;
}

}  // namespace tactus::detail
