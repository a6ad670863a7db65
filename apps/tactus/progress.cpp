#include "apps/tactus/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "apps/tactus/output.hpp"

namespace tactus::app {
namespace {

constexpr std::chrono::milliseconds kRedraw{100};
constexpr std::uint64_t kWidth = 32;

std::string duration(double seconds) {
  const auto whole = static_cast<std::uint64_t>(std::llround(seconds));
  return whole < 3600 ? fmt::format("{}:{:02}", whole / 60, whole % 60)
                      : fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

}  // namespace

Progress::Progress(std::uint64_t done, std::uint64_t total, std::string_view unit)
    : terminal_(!is_quiet() && ::isatty(STDERR_FILENO) != 0),
      first_(done),
      total_(total),
      unit_(unit),
      start_(Clock::now()),
      last_(start_) {}

Progress::~Progress() { clear(); }

void Progress::update(std::uint64_t done) {
  if (!terminal_ || Clock::now() - last_ < kRedraw) return;
  last_ = Clock::now();
  draw(done);
}

void Progress::print(std::string_view line) {
  clear();
  fmt::print("{}\n", line);
  std::fflush(stdout);
}

void Progress::draw(std::uint64_t done) const {
  const double elapsed = std::chrono::duration<double>(last_ - start_).count();
  const std::uint64_t filled = total_ == 0 ? kWidth : std::min(kWidth, done * kWidth / total_);
  const std::string eta = done > first_ ? duration(elapsed * static_cast<double>(total_ - done) /
                                                   static_cast<double>(done - first_))
                                        : "?";
  fmt::print(stderr, "\r\033[K[{:#<{}}{:.<{}}] {} of {} {}, {} left", "", filled, "",
             kWidth - filled, done, total_, unit_, eta);
  std::fflush(stderr);
}

void Progress::clear() const {
  if (!terminal_) return;
  fmt::print(stderr, "\r\033[K");
  std::fflush(stderr);
}

}  // namespace tactus::app
