#include <algorithm>
#include <atomic>
#include <exception>

#include "tactus/core.hpp"
#include "tactus/core/cancellation.hpp"

#if defined(TACTUS_THREADS_TBB)
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <map>
#include <mutex>
#elif defined(TACTUS_THREADS_STD)
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>
#endif

namespace tactus::detail {
namespace {

#if defined(TACTUS_THREADS_TBB) || defined(TACTUS_THREADS_STD)
using Mutex = std::mutex;
using Lock = std::lock_guard<std::mutex>;
#else
struct Mutex {};
struct Lock {
  explicit Lock(Mutex&) {}
};
#endif

/// Keeps the exception of the lowest chunk, so that the error too does not depend on the threads.
class FirstError {
 public:
  void store(std::size_t chunk, std::exception_ptr error) {
    const Lock lock(mutex_);
    if (error_ && chunk_ < chunk) return;
    chunk_ = chunk;
    error_ = std::move(error);
  }
  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  Mutex mutex_;
  std::size_t chunk_ = 0;
  std::exception_ptr error_;
};

// The program's own threads, once it has named some.
std::atomic<Executor*> executor = nullptr;

#if defined(TACTUS_THREADS_TBB)
/// Arenas take a thousand times as long to make as to use: one is kept for each number of threads.
tbb::task_arena& arena_of(int threads) {
  static std::mutex mutex;
  static std::map<int, tbb::task_arena> arenas;
  const std::lock_guard<std::mutex> lock(mutex);
  return arenas.try_emplace(threads, threads).first->second;
}
#endif

template <class RunChunk>
void dispatch(std::size_t chunks, const RunChunk& run, [[maybe_unused]] int max_threads,
              [[maybe_unused]] Schedule schedule) {
#if defined(TACTUS_THREADS_TBB)
  const auto loop = [&] {
    if (schedule == Schedule::steady) {
      tbb::parallel_for(std::size_t{0}, chunks, run, tbb::static_partitioner());
    } else {
      tbb::parallel_for(std::size_t{0}, chunks, run);
    }
  };
  if (max_threads > 0 && max_threads < tbb::this_task_arena::max_concurrency()) {
    arena_of(max_threads).execute(loop);
  } else {
    loop();
  }
#elif defined(TACTUS_THREADS_STD)
  const std::size_t wanted = most_threads(max_threads);
  const std::size_t helpers = (wanted < chunks ? wanted : chunks) - (wanted > 0 ? 1 : 0);
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t chunk = next++; chunk < chunks; chunk = next++) run(chunk);
  };
  std::vector<std::thread> threads;
  threads.reserve(helpers);
  try {
    for (std::size_t i = 0; i < helpers; ++i) threads.emplace_back(work);
  } catch (const std::system_error&) {
    // The system grants no more threads: those that run, and the caller, do all the work.
  }
  work();
  for (std::thread& thread : threads) thread.join();
#else
  for (std::size_t chunk = 0; chunk < chunks; ++chunk) run(chunk);
#endif
}

}  // namespace

std::size_t most_threads(int max_threads) {
  if (max_threads > 0) return static_cast<std::size_t>(max_threads);
#if defined(TACTUS_THREADS_TBB)
  return static_cast<std::size_t>(tbb::this_task_arena::max_concurrency());
#elif defined(TACTUS_THREADS_STD)
  return std::max(std::thread::hardware_concurrency(), 1u);
#else
  return 1;
#endif
}

void run_chunks(std::size_t chunks, void (*call)(void*, std::size_t), void* body, int max_threads,
                Schedule schedule) {
  if (chunks == 0) return;
  FirstError error;
  Cancellation* const cancellation = current_cancellation();
  const auto is_cancelled = [&] { return cancellation != nullptr && cancellation->is_cancelled(); };
  const auto run = [&](std::size_t chunk) {
    if (is_cancelled()) return;
    try {
      const CancellationOfChunk on_this_thread(cancellation);
      if (!is_work_cancelled()) call(body, chunk);
    } catch (...) {
      error.store(chunk, std::current_exception());
    }
  };
  // One chunk, or one thread: the caller does it all, without waking anyone.
  if (chunks == 1 || max_threads == 1) {
    for (std::size_t chunk = 0; chunk < chunks; ++chunk) run(chunk);
  } else if (Executor* const own = executor.load(std::memory_order_acquire)) {
    own->run(chunks, run, max_threads);
  } else {
    dispatch(chunks, run, max_threads, schedule);
  }
  if (is_cancelled()) throw Cancelled();
  error.rethrow();
}

}  // namespace tactus::detail

namespace tactus {

void use_executor(Executor* executor) noexcept {
  detail::executor.store(executor, std::memory_order_release);
}

}  // namespace tactus
