#pragma once

#include "tactus/rigid/exchange/exchange.hpp"

namespace tactus::detail {

/// The ranks of MPI's world, with messages over a communicator of its own. Where more than 8
/// ranks share a processor, one that waits sleeps in between, and leaves it to those that it waits
/// for.
class MpiExchange final : public Exchange {
 public:
  /// Starts MPI unless it was started.
  MpiExchange();
  ~MpiExchange() override;

  int rank() const override { return rank_; }
  int ranks() const override { return ranks_; }
  void trade(std::vector<std::string>& messages) override;
  void trade(std::span<const int> to, std::span<const int> from,
             std::vector<std::string>& messages) override;
  std::vector<std::string> gather(const std::string& mine) override;
  std::vector<std::string> gather_on_first(const std::string& mine) override;
  double most(double mine) override;
  [[noreturn]] void abort(int code) noexcept;

 private:
  class Waiting;
  struct Channel;
  Channel* channel_;  ///< keeps what MPI names out of this header
  bool started_ = false;
  int rank_ = 0, ranks_ = 1;
};

}  // namespace tactus::detail
