#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tactus::detail {

/// How the ranks of one world talk to each other: several copies of a program, each of which moves
/// the bodies of its own region. All ranks make the same calls in the same order. Every function
/// waits until those that it talks to have called it too, and throws std::runtime_error when one of
/// them has given up.
class Exchange {
 public:
  Exchange() = default;
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;
  virtual ~Exchange() = default;

  virtual int rank() const = 0;
  virtual int ranks() const = 0;
  /// Hands `messages[r]` to each rank r, empty ones too, and puts there what r had for this one.
  virtual void trade(std::vector<std::string>& messages) = 0;
  /// Sends `messages[k]` to `to[k]`, and puts there what those of `from` have sent; both in
  /// ascending order. Each of `to` must await this rank, and each of `from` send to it.
  virtual void trade(std::span<const int> to, std::span<const int> from,
                     std::vector<std::string>& messages) = 0;
  /// Trade among neighbours alone, each of which must name this rank as its neighbour.
  void trade(std::span<const int> neighbours, std::vector<std::string>& messages) {
    trade(neighbours, neighbours, messages);
  }
  /// Messages of all ranks to all, by rank.
  virtual std::vector<std::string> gather(const std::string& mine) = 0;
  /// The greatest value of all ranks; values are numbers.
  virtual double most(double mine) = 0;

  /// Does it hold on any rank?
  bool any(bool mine) { return most(mine ? 1.0 : 0.0) > 0.0; }

  /// Sent by this rank since it began: messages to single ranks, their bytes, and questions
  /// to all ranks at once.
  struct Traffic {
    std::uint64_t messages = 0, bytes = 0, questions = 0;
  };
  const Traffic& traffic() const { return traffic_; }

 protected:
  void count(std::size_t bytes) {
    ++traffic_.messages;
    traffic_.bytes += bytes;
  }
  void count_question() { ++traffic_.questions; }

 private:
  Traffic traffic_;
};

}  // namespace tactus::detail
