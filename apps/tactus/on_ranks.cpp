#include "apps/tactus/on_ranks.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <thread>

#include "apps/tactus/program.hpp"
#include "tactus/version.hpp"

namespace tactus::app {

int on_ranks(const std::string& command, const std::function<int(distributed::Ranks*)>& act) {
  if (distributed::launched_together() <= 1) return act(nullptr);
  if (!distributed::has_mpi()) {
    throw std::runtime_error(
        "started several times by mpirun, but built without MPI (TACTUS_WITH_MPI=OFF): each copy "
        "would do the whole work");
  }
  distributed::Ranks ranks;
  if (ranks.rank() != 0 && std::freopen("/dev/null", "w", stdout) == nullptr)
    throw std::runtime_error("cannot silence rank " + std::to_string(ranks.rank()));
  try {
    return act(&ranks);
  } catch (const std::exception& error) {
    // The others would wait for a rank that fails alone; where all fail, the first one tells.
    if (ranks.rank() == 0) {
      fmt::print(stderr, "tactus {}: {}\n", command, error.what());
    } else {
      std::this_thread::sleep_for(std::chrono::seconds(1));
      fmt::print(stderr, "tactus {}: rank {}: {}\n", command, ranks.rank(), error.what());
    }
    std::fflush(nullptr);
    ranks.abort(kCannotRun);
  }
}

bool begin_together(distributed::Ranks& ranks, const std::string& command, const std::string& error,
                    const std::string& task) {
  const std::string wrong = ranks.first_difference(
      error, error.empty() ? fmt::format("tactus {} {}", TACTUS_VERSION, task) : std::string());
  if (wrong.empty()) return true;
  if (ranks.rank() == 0) fmt::print(stderr, "tactus {}: {}\n", command, wrong);
  return false;
}

}  // namespace tactus::app
