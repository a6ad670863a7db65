#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <cstring>
#include <exception>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "tactus/rigid/exchange/exchange.hpp"

namespace tactus::detail::test {

/// Ranks that are threads of one program: they leave messages for each other in a table.
class LocalHub {
 public:
  explicit LocalHub(int ranks)
      : ranks_(ranks), table_(static_cast<std::size_t>(ranks) * static_cast<std::size_t>(ranks)) {}

  int ranks() const { return ranks_; }
  std::string& slot(int from, int to) {
    return table_[static_cast<std::size_t>(from) * static_cast<std::size_t>(ranks_) +
                  static_cast<std::size_t>(to)];
  }
  /// Waits for all ranks.
  void meet() {
    std::unique_lock lock(mutex_);
    const std::uint64_t turn = turn_;
    if (++waiting_ == ranks_) {
      waiting_ = 0;
      ++turn_;
      all_.notify_all();
    } else {
      all_.wait(lock, [&] { return turn_ != turn || failed_; });
    }
    if (failed_) throw std::runtime_error("another rank has failed");
  }
  void fail() {
    const std::lock_guard lock(mutex_);
    failed_ = true;
    all_.notify_all();
  }

 private:
  int ranks_;
  std::vector<std::string> table_;
  std::mutex mutex_;
  std::condition_variable all_;
  int waiting_ = 0;
  std::uint64_t turn_ = 0;
  bool failed_ = false;
};

class LocalExchange final : public Exchange {
 public:
  LocalExchange(LocalHub& hub, int rank) : hub_(hub), rank_(rank) {}

  int rank() const override { return rank_; }
  int ranks() const override { return hub_.ranks(); }
  void trade(std::vector<std::string>& messages) override {
    for (int to = 0; to < ranks(); ++to)
      hub_.slot(rank_, to) = std::move(messages[static_cast<std::size_t>(to)]);
    hub_.meet();
    for (int from = 0; from < ranks(); ++from)
      messages[static_cast<std::size_t>(from)] = std::move(hub_.slot(from, rank_));
    hub_.meet();
  }
  void trade(std::span<const int> neighbours, std::vector<std::string>& messages) override {
    for (std::size_t k = 0; k < neighbours.size(); ++k)
      hub_.slot(rank_, neighbours[k]) = std::move(messages[k]);
    hub_.meet();
    for (std::size_t k = 0; k < neighbours.size(); ++k)
      messages[k] = std::move(hub_.slot(neighbours[k], rank_));
    hub_.meet();
  }
  std::vector<std::string> gather(const std::string& mine) override {
    std::vector<std::string> messages(static_cast<std::size_t>(ranks()), mine);
    trade(messages);
    return messages;
  }
  double most(double mine) override {
    double result = mine;
    std::string bytes(sizeof mine, '\0');
    std::memcpy(bytes.data(), &mine, sizeof mine);
    for (const std::string& message : gather(bytes)) {
      double value = 0.0;
      std::memcpy(&value, message.data(), sizeof value);
      result = std::max(result, value);
    }
    return result;
  }

 private:
  LocalHub& hub_;
  int rank_;
};

/// Runs `act(exchange)` on so many ranks; throws what the first of them threw that failed by
/// itself.
template <class Act>
void run_on_ranks(int ranks, const Act& act) {
  LocalHub hub(ranks);
  std::vector<std::exception_ptr> errors(static_cast<std::size_t>(ranks));
  std::exception_ptr first;
  std::mutex mutex;
  std::vector<std::thread> threads;
  for (int rank = 0; rank < ranks; ++rank) {
    threads.emplace_back([&, rank] {
      LocalExchange exchange(hub, rank);
      try {
        act(exchange);
      } catch (...) {
        {
          const std::lock_guard lock(mutex);
          if (!first) first = std::current_exception();
        }
        hub.fail();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  if (first) std::rethrow_exception(first);
}

}  // namespace tactus::detail::test
