#pragma once

#include <atomic>
#include <stdexcept>

namespace tactus::detail {

/// Thrown by hulls, hierarchies and parallel loops that were cancelled.
class Cancelled : public std::runtime_error {
 public:
  Cancelled() : std::runtime_error("cancelled") {}
};

/// While it lives, long work of the thread that made it, and of the chunks that this work hands to
/// other threads, can be cancelled. Hulls, hierarchies and parallel loops then throw `Cancelled`;
/// queries, which never throw, return early. An answer that was given after `is_cancelled` is to be
/// thrown away. One in another hides it.
class Cancellation {
 public:
  /// `asked` is called every some ten microseconds of long work, by the thread that made this one.
  /// True cancels the work. It must not throw.
  explicit Cancellation(bool (*asked)()) noexcept;
  ~Cancellation();
  Cancellation(const Cancellation&) = delete;
  Cancellation& operator=(const Cancellation&) = delete;

  bool is_cancelled() const noexcept { return cancelled_.load(std::memory_order_relaxed); }

 private:
  friend class CancellationOfChunk;
  friend bool is_work_cancelled() noexcept;
  bool look() noexcept;

  bool (*asked_)();
  std::atomic<bool> cancelled_ = false;
  Cancellation* outer_;
};

/// The cancellation of the caller, for a chunk of its work that may run on another thread.
class CancellationOfChunk {
 public:
  explicit CancellationOfChunk(Cancellation* of_caller) noexcept;
  ~CancellationOfChunk();
  CancellationOfChunk(const CancellationOfChunk&) = delete;
  CancellationOfChunk& operator=(const CancellationOfChunk&) = delete;

 private:
  Cancellation* outer_;
  bool outer_asks_;
};

/// Steps of a search through hierarchies between two questions whether it is cancelled.
inline constexpr int kVisitsUnasked = 64;

/// The innermost one of this thread; null where work runs to its end.
Cancellation* current_cancellation() noexcept;

/// Is the work of this thread cancelled? Cost: nanoseconds where nobody can cancel it.
bool is_work_cancelled() noexcept;
/// Throws `Cancelled` where it is.
void end_if_cancelled();

}  // namespace tactus::detail
