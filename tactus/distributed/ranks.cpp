#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

#include "tactus/distributed.hpp"
#include "tactus/distributed/ranks_access.hpp"
#include "tactus/rigid/body/step_fault.hpp"

#if defined(TACTUS_WITH_MPI)
#include "tactus/distributed/mpi_exchange.hpp"
#endif

namespace tactus::distributed {

/// Variables in which launchers say how many they have started: Open MPI, MPICH and those that
/// follow it, Slurm's srun with either of them.
int launched_together() noexcept {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MPI_LOCALNRANKS"}) {
    const char* text = std::getenv(name);
    const int count = text != nullptr ? std::atoi(text) : 0;
    if (count > 0) return count;
  }
  return 1;
}

#if defined(TACTUS_WITH_MPI)

struct Ranks::Data {
  detail::MpiExchange exchange;
};

bool has_mpi() noexcept { return true; }
Ranks::Ranks() : data_(std::make_unique<Data>()) {}
int Ranks::rank() const noexcept { return data_->exchange.rank(); }
int Ranks::count() const noexcept { return data_->exchange.ranks(); }
void Ranks::share_out(World& world) { detail::StepUndo::share_out(world, data_->exchange); }
void Ranks::collect(World& world) { detail::StepUndo::collect(world); }
void Ranks::collect_on_first(World& world) { detail::StepUndo::collect_on_first(world); }
bool Ranks::any(bool mine) { return data_->exchange.any(mine); }
Ranks::Traffic Ranks::traffic() {
  return detail::RanksAccess::most(data_->exchange, data_->exchange.traffic());
}
std::string Ranks::first_difference(const std::string& error, const std::string& task) {
  const std::vector<std::string> errors = data_->exchange.gather(error),
                                 tasks = data_->exchange.gather(task);
  for (const std::string& text : errors)
    if (!text.empty()) return text;
  for (std::size_t i = 1; i < tasks.size(); ++i)
    if (tasks[i] != tasks[0])
      return "rank " + std::to_string(i) + " runs \"" + tasks[i] + "\", rank 0 \"" + tasks[0] + '"';
  return {};
}
void Ranks::abort(int code) noexcept { data_->exchange.abort(code); }

#else

struct Ranks::Data {};

bool has_mpi() noexcept { return false; }
Ranks::Ranks() {
  throw std::runtime_error("this library was built without MPI (TACTUS_WITH_MPI=OFF)");
}
int Ranks::rank() const noexcept { return 0; }
int Ranks::count() const noexcept { return 1; }
void Ranks::share_out(World& /*world*/) {}
void Ranks::collect(World& /*world*/) {}
void Ranks::collect_on_first(World& /*world*/) {}
bool Ranks::any(bool mine) { return mine; }
Ranks::Traffic Ranks::traffic() { return {}; }
std::string Ranks::first_difference(const std::string& error, const std::string& /*task*/) {
  return error;
}
void Ranks::abort(int code) noexcept { std::_Exit(code); }

#endif

Ranks::~Ranks() = default;

}  // namespace tactus::distributed

namespace tactus::detail {

distributed::Ranks::Traffic RanksAccess::most(Exchange& exchange, const Exchange::Traffic& sent) {
  const auto most = [&](std::uint64_t count) {
    return static_cast<std::uint64_t>(exchange.most(static_cast<double>(count)));
  };
  distributed::Ranks::Traffic all;
  all.messages = most(sent.messages);
  all.bytes = most(sent.bytes);
  all.questions = most(sent.questions);
  all.rounds = most(sent.rounds);
  all.seconds = exchange.most(sent.seconds);
  return all;
}

Exchange& RanksAccess::exchange(distributed::Ranks& ranks) {
#if defined(TACTUS_WITH_MPI)
  return ranks.data_->exchange;
#else
  (void)ranks;
  throw std::logic_error("no ranks without MPI");
#endif
}

}  // namespace tactus::detail
