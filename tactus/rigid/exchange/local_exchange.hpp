#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tactus/rigid/exchange/exchange.hpp"

namespace tactus::detail {

/// Ranks that are threads of one program. What all hand to all lies on a table, where it stays
/// until the next but one table is laid: who has met the others once may go on, since nobody lays
/// that table before all have met again. Messages to single ranks lie in the box of who awaits
/// them, and nobody else waits.
class LocalHub {
 public:
  explicit LocalHub(int ranks)
      : ranks_(ranks),
        tables_{Table(count() * count()), Table(count() * count())},
        boxes_(std::make_unique<Box[]>(count())) {
    for (int rank = 0; rank < ranks; ++rank)
      boxes_[static_cast<std::size_t>(rank)].from.resize(count());
  }

  int ranks() const { return ranks_; }
  /// Message that a rank leaves for another one, on the table of its `meeting`.
  std::string& slot(std::uint64_t meeting, int from, int to) {
    return tables_[meeting % 2]
                  [static_cast<std::size_t>(from) * count() + static_cast<std::size_t>(to)];
  }
  /// Waits for all ranks.
  void meet() {
    const int turn = turn_.load();
    refuse_failed();
    if (waiting_.fetch_add(1) + 1 == ranks_) {
      waiting_.store(0);
      turn_.fetch_add(1);
      turn_.notify_all();
    } else {
      const Idle idle(*this);
      while (turn_.load() == turn) turn_.wait(turn);
    }
    refuse_failed();
  }
  void send(int from, int to, std::string message) {
    Box& box = boxes_[static_cast<std::size_t>(to)];
    {
      const std::lock_guard lock(box.mutex);
      box.from[static_cast<std::size_t>(from)].push_back(std::move(message));
    }
    ++moves_;
    box.arrived.notify_one();
  }
  /// Waits for the next message of a rank. Throws std::logic_error where all wait for ever.
  std::string receive(int from, int to) {
    Box& box = boxes_[static_cast<std::size_t>(to)];
    std::unique_lock lock(box.mutex);
    std::deque<std::string>& messages = box.from[static_cast<std::size_t>(from)];
    const Idle idle(*this);
    const auto done = [&] { return !messages.empty() || failed_; };
    int still = 0;
    for (std::uint64_t moves = moves_; !box.arrived.wait_for(lock, kPatience, done);) {
      const std::uint64_t before = std::exchange(moves, moves_.load());
      still = moves == before && idle_ == ranks_ ? still + 1 : 0;
      if (still == kPatient) throw std::logic_error("a rank awaits a message that nobody sends");
    }
    refuse_failed();
    ++moves_;
    std::string message = std::move(messages.front());
    messages.pop_front();
    return message;
  }
  /// All who wait, or are going to, throw.
  void fail() {
    failed_.store(true);
    turn_.fetch_add(1);
    turn_.notify_all();
    for (std::size_t rank = 0; rank < count(); ++rank) {
      const std::lock_guard lock(boxes_[rank].mutex);
      boxes_[rank].arrived.notify_all();
    }
  }
  /// A rank does nothing, until the end of the object.
  class Idle {
   public:
    explicit Idle(LocalHub& hub) : hub_(hub) { ++hub_.idle_; }
    Idle(const Idle&) = delete;
    Idle& operator=(const Idle&) = delete;
    ~Idle() { --hub_.idle_; }

   private:
    LocalHub& hub_;
  };
  /// A rank has come to its end.
  void end() { ++idle_; }
  /// Has everything been read that was sent?
  bool is_clear() const {
    for (std::size_t rank = 0; rank < count(); ++rank)
      for (const std::deque<std::string>& messages : boxes_[rank].from)
        if (!messages.empty()) return false;
    return true;
  }

 private:
  /// Who has waited so long asks whether anybody has done anything since, so many times.
  static constexpr std::chrono::seconds kPatience{5};
  static constexpr int kPatient = 3;
  using Table = std::vector<std::string>;
  /// Messages to a rank, by sender.
  struct Box {
    std::mutex mutex;
    std::condition_variable arrived;
    std::vector<std::deque<std::string>> from;
  };
  std::size_t count() const { return static_cast<std::size_t>(ranks_); }
  void refuse_failed() const {
    if (failed_.load()) throw std::runtime_error("another rank has failed");
  }

  int ranks_;
  std::array<Table, 2> tables_;
  std::unique_ptr<Box[]> boxes_;
  std::atomic<int> waiting_{0}, turn_{0}, idle_{0};
  std::atomic<std::uint64_t> moves_{0};  ///< messages sent and taken
  std::atomic<bool> failed_{false};
};

class LocalExchange final : public Exchange {
 public:
  LocalExchange(LocalHub& hub, int rank) : hub_(hub), rank_(rank) {}

  int rank() const override { return rank_; }
  int ranks() const override { return hub_.ranks(); }
  void trade(std::vector<std::string>& messages) override {
    for (int to = 0; to < ranks(); ++to) leave(to, std::move(messages[place(to)]));
    meet();
    for (int from = 0; from < ranks(); ++from)
      messages[place(from)] = std::move(hub_.slot(meeting_, from, rank_));
  }
  void trade(std::span<const int> to, std::span<const int> from,
             std::vector<std::string>& messages) override {
    for (std::size_t k = 0; k < to.size(); ++k) {
      count(messages[k].size());
      hub_.send(rank_, to[k], std::move(messages[k]));
    }
    messages.resize(from.size());
    for (std::size_t k = 0; k < from.size(); ++k) messages[k] = hub_.receive(from[k], rank_);
  }
  std::vector<std::string> gather(const std::string& mine) override {
    leave(rank_, mine);
    meet();
    std::vector<std::string> messages;
    messages.reserve(place(ranks()));
    for (int from = 0; from < ranks(); ++from) messages.push_back(hub_.slot(meeting_, from, from));
    return messages;
  }
  std::vector<std::string> gather_on_first(const std::string& mine) override {
    leave(0, mine);
    meet();
    std::vector<std::string> messages;
    for (int from = 0; rank_ == 0 && from < ranks(); ++from)
      messages.push_back(std::move(hub_.slot(meeting_, from, 0)));
    return messages;
  }
  double most(double mine) override {
    leave(rank_, std::string(reinterpret_cast<const char*>(&mine), sizeof mine));
    meet();
    double result = mine;
    for (int from = 0; from < ranks(); ++from) {
      double value = 0.0;
      std::memcpy(&value, hub_.slot(meeting_, from, from).data(), sizeof value);
      result = std::max(result, value);
    }
    return result;
  }

 private:
  static std::size_t place(int rank) { return static_cast<std::size_t>(rank); }
  /// On the table of the next meeting.
  void leave(int to, std::string message) {
    hub_.slot(meeting_ + 1, rank_, to) = std::move(message);
  }
  void meet() {
    count_question();
    ++meeting_;
    hub_.meet();
  }

  LocalHub& hub_;
  int rank_;
  std::uint64_t meeting_ = 0;
};

/// Runs `act(exchange)` on so many ranks; throws what the first of them threw that failed by
/// itself.
template <class Act>
void run_on_ranks(int ranks, const Act& act) {
  LocalHub hub(ranks);
  std::exception_ptr first;
  std::mutex mutex;
  std::vector<std::thread> threads;
  threads.reserve(static_cast<std::size_t>(ranks));
  for (int rank = 0; rank < ranks; ++rank) {
    threads.emplace_back([&, rank] {
      LocalExchange exchange(hub, rank);
      try {
        act(exchange);
        hub.end();
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
  if (!hub.is_clear()) throw std::logic_error("a rank has sent a message that nobody awaits");
}

}  // namespace tactus::detail
