#pragma once

#include <functional>
#include <string>

#include "tactus/distributed.hpp"

namespace tactus::app {

/// Runs a command, on all copies of the program that a launcher of MPI has started together: with
/// its ranks, and then the first one alone may print to standard output and write files; with null
/// where there is one copy. Returns what `act` returns. An exception of one rank ends all of them
/// with exit code 2, and is told on standard error, once where all ranks throw the same. Throws
/// std::runtime_error where ranks were started, but the library has no MPI.
int on_ranks(const std::string& command, const std::function<int(distributed::Ranks*)>& act);

/// Have all ranks been asked to do the same, with the same version, and none of them an `error`?
/// Else the first one tells which rank differs. A call for all ranks.
bool begin_together(distributed::Ranks& ranks, const std::string& command, const std::string& error,
                    const std::string& task);

}  // namespace tactus::app
