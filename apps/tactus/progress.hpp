#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace tactus::app {

/// A line on a terminal that shows how far a run is and when it will end. Without a terminal on
/// standard error, and with `--quiet`, it shows nothing, so that logs hold plain lines alone.
class Progress {
 public:
  /// `done` of `total` units were made before; they don't count for the speed.
  Progress(std::uint64_t done, std::uint64_t total, std::string_view unit = "steps");
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Call as often as you like: it draws some ten times per second.
  void update(std::uint64_t done);
  /// Prints a line to standard output, above the bar.
  void print(std::string_view line);

 private:
  using Clock = std::chrono::steady_clock;

  void draw(std::uint64_t done) const;
  void clear() const;

  bool terminal_;
  std::uint64_t first_, total_;
  std::string_view unit_;
  Clock::time_point start_, last_;
};

}  // namespace tactus::app
