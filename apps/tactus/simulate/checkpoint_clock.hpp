#pragma once

#include <algorithm>
#include <chrono>

namespace tactus::app {

/// When the next checkpoint is due: work is lost for a few seconds at most, and a twentieth of the
/// time at most is spent on it.
class CheckpointClock {
 public:
  /// `interval`: seconds between checkpoints; 0: each time.
  explicit CheckpointClock(double interval) : interval_(interval), last_(Clock::now()) {}

  bool is_due() const {
    return interval_ <= 0.0 || seconds_since(last_) >= std::max(interval_, kLeastShare * cost_);
  }
  template <class Save>
  void save(const Save& save) {
    last_ = Clock::now();
    save();
    cost_ = seconds_since(last_);
  }

 private:
  using Clock = std::chrono::steady_clock;
  static double seconds_since(Clock::time_point then) {
    return std::chrono::duration<double>(Clock::now() - then).count();
  }
  static constexpr double kLeastShare = 20.0;
  double interval_, cost_ = 0.0;
  Clock::time_point last_;
};

}  // namespace tactus::app
