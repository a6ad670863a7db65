#include "lab/measure.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>

#include "tactus/core/constants.hpp"
#include "tactus/math/angle.hpp"

namespace tactus::detail::lab {
namespace {

// The bins begin here; smaller errors (relative to size or in degrees) count as this.
constexpr double kLeast = 1e-19;

}  // namespace

double thread_seconds() {
  std::timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

double degrees_between(const Vec3& a, const Vec3& b) { return angle_between(a, b) * kDegrees; }

void Errors::add(double error) {
  const double octaves = std::log2(std::max(error, kLeast)) - std::log2(kLeast);
  const double bin = std::min(std::floor(kPerOctave * octaves), kPerOctave * kOctaves - 1.0);
  ++bins_[static_cast<std::size_t>(bin)];
  ++count_;
  sum_ += error;
  largest_ = std::max(largest_, error);
}

Errors& Errors::operator+=(const Errors& other) {
  for (std::size_t i = 0; i < bins_.size(); ++i) bins_[i] += other.bins_[i];
  count_ += other.count_;
  sum_ += other.sum_;
  largest_ = std::max(largest_, other.largest_);
  return *this;
}

double Errors::quantile(double share) const {
  const double wanted = share * static_cast<double>(count_);
  double seen = 0.0;
  for (std::size_t i = 0; i < bins_.size(); ++i) {
    seen += static_cast<double>(bins_[i]);
    if (seen >= wanted && seen > 0.0) {
      const double end = kLeast * std::exp2(static_cast<double>(i + 1) / kPerOctave);
      return std::min(end, largest_);
    }
  }
  return largest_;
}

}  // namespace tactus::detail::lab
