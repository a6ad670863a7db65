#include "running.hpp"

#include <atomic>
#include <set>
#include <stdexcept>
#include <thread>

#include "convert.hpp"

namespace tactus::python {
namespace {

std::atomic<bool> ending = false;
/// The thread that ends the interpreter: it may still ask what it likes.
std::atomic<std::thread::id> last_thread;
/// Threads that work without the interpreter, or wait to come back to it.
std::atomic<int> outside = 0;

/// Lets the threads that are outside come back or stop, before the interpreter ends.
void end() {
  last_thread = std::this_thread::get_id();
  ending = true;
  const py::gil_scoped_release run;
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (outside > 0 && std::chrono::steady_clock::now() < until)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

/// The end of a thread that is outside while the interpreter ends: it can neither come back nor be
/// ended.
[[noreturn]] void stop_for_ever() {
  --outside;
  for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
}

unsigned long main_thread = 0;  // the interpreter's

std::set<const void*>& in_use() {
  static auto* const worlds = new std::set<const void*>();
  return *worlds;
}

}  // namespace

Released::Released() : state_(nullptr) {
  ++outside;
  state_ = PyEval_SaveThread();
  // Work that begins now would go on while the library is taken down.
  if (ending && last_thread.load() != std::this_thread::get_id()) stop_for_ever();
}

Released::~Released() {
  if (ending && last_thread.load() != std::this_thread::get_id()) stop_for_ever();
  PyEval_RestoreThread(state_);
  --outside;
}

bool is_ending() noexcept { return ending; }

void watch_the_end() {
  py::module_::import("atexit").attr("register")(py::cpp_function(&end));
  main_thread =
      py::module_::import("threading").attr("main_thread")().attr("ident").cast<unsigned long>();
}

bool is_interrupted() {
  using Clock = std::chrono::steady_clock;
  // Signals are handled on the main thread only.
  thread_local const bool is_main = PyThread_get_thread_ident() == main_thread;
  thread_local Clock::time_point next;
  if (!is_main || is_ending()) return false;
  const auto now = Clock::now();
  if (now < next) return false;
  next = now + std::chrono::milliseconds(20);
  const py::gil_scoped_acquire hold;
  if (PyErr_CheckSignals() == 0) return false;
  py::error_already_set error;
  keep_error(error);
  return true;
}

InUse::InUse(const void* world) : world_(world) {
  require_idle(world);
  in_use().insert(world);
}
InUse::~InUse() { in_use().erase(world_); }

void require_idle(const void* world) {
  if (!in_use().empty() && in_use().count(world) != 0)
    throw std::runtime_error("another thread is stepping this world");
}

}  // namespace tactus::python
