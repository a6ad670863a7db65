#pragma once

#include <array>
#include <cstdint>

#include "tactus/math.hpp"

namespace tactus::detail::lab {

/// Processor time of the calling thread in seconds: not disturbed by other programs as the clock on
/// the wall is.
double thread_seconds();

/// Angle between unit vectors in degrees.
double degrees_between(const Vec3& a, const Vec3& b);

/// Largest, mean and quantiles of many positive errors, in fixed storage: counts in bins of a
/// twentieth of a power of two. Sums of histograms are exact, whatever their order, but for `sum`.
class Errors {
 public:
  void add(double error);
  Errors& operator+=(const Errors& other);

  std::uint64_t count() const { return count_; }
  double largest() const { return largest_; }
  double mean() const { return count_ > 0 ? sum_ / static_cast<double>(count_) : 0.0; }
  /// Upper end of the bin that holds the quantile, 0 < share < 1; at most 3.5 % above the truth.
  double quantile(double share) const;

 private:
  static constexpr int kPerOctave = 20, kOctaves = 80;
  std::array<std::uint64_t, kPerOctave * kOctaves> bins_{};
  std::uint64_t count_ = 0;
  double largest_ = 0.0, sum_ = 0.0;
};

}  // namespace tactus::detail::lab
