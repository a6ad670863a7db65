#pragma once

#include "tactus/distributed.hpp"
#include "tactus/rigid/exchange/exchange.hpp"

namespace tactus::detail {

/// How ranks talk to each other, for programs that share out more than worlds.
struct RanksAccess {
  static Exchange& exchange(distributed::Ranks& ranks);
  /// The most that any rank has sent. A call for all ranks.
  static distributed::Ranks::Traffic most(Exchange& exchange, const Exchange::Traffic& sent);
};

}  // namespace tactus::detail
