#include "tactus/core/cancellation.hpp"

namespace tactus::detail {
namespace {

thread_local Cancellation* current = nullptr;
// False on a thread that has lent itself to the chunks of another one.
thread_local bool may_ask = true;

}  // namespace

Cancellation::Cancellation(bool (*asked)()) noexcept : asked_(asked), outer_(current) {
  current = this;
}
Cancellation::~Cancellation() { current = outer_; }

bool Cancellation::look() noexcept {
  if (is_cancelled()) return true;
  if (!may_ask || !asked_()) return false;
  cancelled_.store(true, std::memory_order_relaxed);
  return true;
}

CancellationOfChunk::CancellationOfChunk(Cancellation* of_caller) noexcept
    : outer_(current), outer_asks_(may_ask) {
  may_ask = may_ask && of_caller == current;
  current = of_caller;
}
CancellationOfChunk::~CancellationOfChunk() {
  current = outer_;
  may_ask = outer_asks_;
}

Cancellation* current_cancellation() noexcept { return current; }

bool is_work_cancelled() noexcept { return current != nullptr && current->look(); }

void end_if_cancelled() {
  if (is_work_cancelled()) throw Cancelled();
}

}  // namespace tactus::detail
