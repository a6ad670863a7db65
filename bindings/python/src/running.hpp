#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <future>
#include <type_traits>

#include "tactus/core/cancellation.hpp"

namespace tactus::python {

namespace py = pybind11;

/// Lets other threads of Python run. Where the interpreter ends meanwhile, the thread stops here
/// for good: it could not come back into an interpreter that is gone.
class Released {
 public:
  Released();
  ~Released();
  Released(const Released&) = delete;
  Released& operator=(const Released&) = delete;

 private:
  PyThreadState* state_;
};

/// Looks at signals, at most fifty times a second and on the interpreter's main thread alone, and
/// keeps the error that Ctrl-C raises. True when there is one.
bool is_interrupted();
/// Raises what has been kept (convert.hpp).
void raise_kept_error();

/// Runs `action`, whose long work Ctrl-C cancels: then raises KeyboardInterrupt.
template <class Action>
auto heard(const Action& action) {
  const detail::Cancellation by_ctrl_c(&is_interrupted);
  try {
    if constexpr (std::is_void_v<decltype(action())>) {
      action();
      raise_kept_error();
    } else {
      auto value = action();
      raise_kept_error();
      return value;
    }
  } catch (const detail::Cancelled&) {
    raise_kept_error();
    throw;
  }
}

/// As `heard`, while other threads of Python may run.
template <class Action>
auto released(const Action& action) {
  return heard([&] {
    const Released run;
    return action();
  });
}

/// True when the interpreter is about to end: long work stops at the next good place.
bool is_ending() noexcept;
/// Called once, when the module is made.
void watch_the_end();

/// Runs `part(i)` for i in [0, count), many of them between two looks at signals: Ctrl-C ends it
/// within a tenth of a second and what one part takes. Gives the number that were run; raises
/// KeyboardInterrupt. `part` gives how many it has done from i on.
template <class Part>
void run_parts(std::uint64_t count, const Part& part) {
  using Clock = std::chrono::steady_clock;
  for (std::uint64_t i = 0; i < count;) {
    {
      const Released run;
      const auto until = Clock::now() + std::chrono::milliseconds(50);
      do {
        i += part(i);
      } while (i < count && !is_ending() && Clock::now() < until);
    }
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  }
}

/// Runs `work(cancel)` in a thread of its own, while this one looks at signals: Ctrl-C sets
/// `cancel`, and raises KeyboardInterrupt when the work has ended.
template <class Work>
auto interruptible(const Work& work) {
  std::atomic<bool> cancel = false;
  auto found = std::async(std::launch::async, [&] { return work(cancel); });
  for (bool ready = false; !ready;) {
    ready = released(
        [&] { return found.wait_for(std::chrono::milliseconds(20)) == std::future_status::ready; });
    if (!ready && !cancel && PyErr_CheckSignals() != 0) cancel = true;
  }
  const bool interrupted = PyErr_Occurred() != nullptr;
  if (interrupted) throw py::error_already_set();
  return found.get();
}

/// Marks a world as in use while other threads of Python may run: they are refused it.
class InUse {
 public:
  explicit InUse(const void* world);
  ~InUse();
  InUse(const InUse&) = delete;
  InUse& operator=(const InUse&) = delete;

 private:
  const void* world_;
};
/// Throws std::runtime_error where it is in use.
void require_idle(const void* world);

}  // namespace tactus::python
