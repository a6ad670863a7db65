#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <cstring>
#include <exception>
#include <functional>
#include <mutex>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tactus/rigid/exchange/exchange.hpp"

namespace tactus::detail {

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
    count_question();
    for (int to = 0; to < ranks(); ++to)
      hub_.slot(rank_, to) = std::move(messages[static_cast<std::size_t>(to)]);
    hub_.meet();
    for (int from = 0; from < ranks(); ++from)
      messages[static_cast<std::size_t>(from)] =
          std::exchange(hub_.slot(from, rank_), std::string());
    hub_.meet();
  }
  void trade(std::span<const int> to, std::span<const int> from,
             std::vector<std::string>& messages) override {
    for (std::size_t k = 0; k < to.size(); ++k) {
      count(messages[k].size());
      // Who does not await a message takes none.
      hub_.slot(rank_, to[k]) = 'm' + messages[k];
    }
    hub_.meet();
    messages.resize(from.size());
    for (std::size_t k = 0; k < from.size(); ++k) {
      std::string& sent = hub_.slot(from[k], rank_);
      if (sent.empty()) throw std::logic_error("a rank awaits a message that nobody sends");
      messages[k] = sent.substr(1);
      sent.clear();
    }
    hub_.meet();
    for (int other = 0; other < ranks(); ++other)
      if (!hub_.slot(rank_, other).empty())
        throw std::logic_error("a rank sends a message that nobody awaits");
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
  threads.reserve(static_cast<std::size_t>(ranks));
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

}  // namespace tactus::detail
