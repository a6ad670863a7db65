#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "tactus/world.hpp"

namespace tactus::detail {
struct RanksAccess;
}

/// Worlds that several copies of a program share, its *ranks*, which MPI connects: of the component
/// `distributed`, for programs that `mpirun` starts.
namespace tactus::distributed {

/// How many copies of this program a launcher of MPI has started together, as it says in their
/// environment; 1 without one. Asks no MPI, and never fails.
int launched_together() noexcept;
/// Was the library built with MPI?
bool has_mpi() noexcept;

/// The ranks of a program. One object at a time, which outlives the worlds that are shared out.
/// @code{.cpp}
/// World world;  // every rank makes the same
/// BodyDefinition ball{Sphere(0.5)};
/// ball.linear_velocity = {1, 0, 0};
/// const BodyId id = world.add(ball);
/// std::unique_ptr<distributed::Ranks> ranks;
/// if (distributed::has_mpi()) {
///   ranks = std::make_unique<distributed::Ranks>();
///   ranks->share_out(world);
/// }
/// require_done(world.step());
/// if (ranks) ranks->collect(world);
/// assert(world.body(id).pose().position().x > 0.0);
/// @endcode
class Ranks {
 public:
  /// Starts MPI, unless the program has. Throws std::runtime_error where the library has none.
  Ranks();
  ~Ranks();
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  /// This one, from 0 on, and how many there are.
  int rank() const noexcept;
  int count() const noexcept;

  /// Shares a world out among the ranks, each of which has made the same one: from now on each
  /// moves its region, and the state has the bits that it has on one rank. All ranks make the same
  /// calls that change or step the world or ask for its state, in the same order. What tells of
  /// bodies, contacts and touches tells of those that this rank knows; statistics and `contains` of
  /// all.
  void share_out(World& world);
  /// From now on, until the next step, every rank has all bodies of the world, and all contacts of
  /// the last one. A call for all ranks.
  void collect(World& world);
  /// As `collect`, on rank 0 alone, for what one rank writes: `World::save` then gives the state to
  /// it alone, too, and the others keep what they know. A call for all ranks.
  void collect_on_first(World& world);
  /// Does it hold on any rank? A call for all ranks.
  bool any(bool mine);
  /// Why the ranks cannot begin together, the same on all of them; empty where they can. `error` is
  /// that of this rank, if it has any; `task` tells what it was asked to do, which must be the same
  /// everywhere. A call for all ranks.
  std::string first_difference(const std::string& error, const std::string& task);
  /// The most that any rank has told the others so far: messages to single ones, their bytes, and
  /// questions to all at once; how long that took, with waiting for them; and rounds: sweeps, and
  /// how often ranks went through impacts and loads.
  struct Traffic {
    std::uint64_t messages = 0, bytes = 0, questions = 0;
    double seconds = 0.0;
    std::uint64_t rounds = 0;
  };
  /// A call for all ranks.
  Traffic traffic();
  /// Ends all ranks at once, when one of them cannot go on.
  [[noreturn]] void abort(int code) noexcept;

 private:
  friend struct detail::RanksAccess;
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace tactus::distributed
