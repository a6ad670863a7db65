#include <cstdlib>
#include <stdexcept>

#include "tactus/distributed.hpp"
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
void Ranks::require_same(const std::string& text) {
  const auto all = data_->exchange.gather(text);
  for (std::size_t i = 1; i < all.size(); ++i)
    if (all[i] != all[0])
      throw std::runtime_error("rank " + std::to_string(i) +
                               " was asked to do something else than rank 0");
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
void Ranks::require_same(const std::string& /*text*/) {}
void Ranks::abort(int code) noexcept { std::_Exit(code); }

#endif

Ranks::~Ranks() = default;

}  // namespace tactus::distributed
