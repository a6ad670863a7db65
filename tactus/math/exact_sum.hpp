#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace tactus::detail {

/// The sum of doubles without rounding: its value does not depend on the order of the summands, nor
/// on how they are shared out among sums that are added up. A whole number of many digits, which
/// spans the range of doubles; carries wait until digits run out of room. Cost: three integer
/// additions per summand, a pass over 68 digits per value.
class ExactSum {
 public:
  void add(double summand);
  void add(const ExactSum& other);
  /// The double nearest to the sum, of two the one whose last bit is 0; infinity beyond the largest
  /// one. Infinity or NaN where summands were, as IEEE 754 adds them; NaN without its sign.
  double value() const;

 private:
  /// 2098 bits hold every double as a multiple of the least one, 64 more their sums.
  static constexpr std::size_t kDigits = 68;
  /// Additions until digits below 2^32 could leave 63 bits.
  static constexpr std::uint32_t kRoom = 1u << 30;

  void carry();
  void negate();

  /// To the base 2^32, lowest first, in units of 2^-1074. Signed: all but the last are at least 0
  /// when nothing is carried.
  std::array<std::int64_t, kDigits> digits_{};
  std::uint32_t room_ = kRoom;
  bool infinite_ = false, minus_infinite_ = false, not_a_number_ = false;  ///< summands
};

}  // namespace tactus::detail
