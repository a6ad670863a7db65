#pragma once

#include <atomic>

namespace tactus::detail::test {

/// How many allocations are left before memory runs out; none counted below zero. Read by the
/// `operator new` of failing_new.hpp.
inline std::atomic<long> allocations_left{-1};

/// From now on so many allocations succeed, and all later ones fail until `end`.
class FailingMemory {
 public:
  explicit FailingMemory(long allowed) { allocations_left = allowed; }
  FailingMemory(const FailingMemory&) = delete;
  FailingMemory& operator=(const FailingMemory&) = delete;
  ~FailingMemory() { end(); }
  void end() { allocations_left = -1; }
};

}  // namespace tactus::detail::test
