#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tactus::detail {

/// How the ranks of one world talk to each other: several copies of a program, each of which moves
/// the bodies of its own region. All ranks make the same calls in the same order. Every function
/// waits until those that it talks to have called it too, and throws std::runtime_error when one of
/// them has given up.
class Exchange {
 public:
  /// Parts of a step, between which traffic is told apart.
  enum class Topic : std::uint8_t {
    rest,     ///< sums, states, faults, sleep
    bodies,   ///< who knows which bodies and pairs, and their seams
    start,    ///< of sweeps: who sweeps what, impulses to start from
    sweeps,   ///< velocities between turns; a round is a sweep
    impacts,  ///< a round goes through all looks
    choice,   ///< of substeps; a round adds up what bodies sink
  };
  static constexpr std::size_t kTopics = 6;

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
  /// Messages of all ranks to the first one, by rank; the others get nothing.
  virtual std::vector<std::string> gather_on_first(const std::string& mine) = 0;
  /// The greatest value of all ranks; values are numbers.
  virtual double most(double mine) = 0;

  /// Does it hold on any rank?
  bool any(bool mine) { return most(mine ? 1.0 : 0.0) > 0.0; }

  /// Sent by this rank since it began: messages to single ranks, their bytes, and questions
  /// to all ranks at once; rounds; and seconds of talk, with waiting, where they are measured.
  struct Traffic {
    std::uint64_t messages = 0, bytes = 0, questions = 0, rounds = 0;
    double seconds = 0.0;
    Traffic& operator+=(const Traffic& other) {
      messages += other.messages;
      bytes += other.bytes;
      questions += other.questions;
      rounds += other.rounds;
      seconds += other.seconds;
      return *this;
    }
  };
  const Traffic& traffic(Topic topic) const { return traffic_[static_cast<std::size_t>(topic)]; }
  Traffic traffic() const {
    Traffic sum;
    for (const Traffic& part : traffic_) sum += part;
    return sum;
  }
  /// Messages from now on are about that, until the end of the object.
  class About {
   public:
    About(Exchange& exchange, Topic topic)
        : exchange_(exchange), before_(std::exchange(exchange.topic_, topic)) {}
    About(const About&) = delete;
    About& operator=(const About&) = delete;
    ~About() { exchange_.topic_ = before_; }

   private:
    Exchange& exchange_;
    Topic before_;
  };
  void count_round() { ++now().rounds; }

 protected:
  void count(std::size_t bytes) {
    ++now().messages;
    now().bytes += bytes;
  }
  void count_question() { ++now().questions; }
  void count_seconds(double seconds) { now().seconds += seconds; }

 private:
  Traffic& now() { return traffic_[static_cast<std::size_t>(topic_)]; }

  std::array<Traffic, kTopics> traffic_{};
  Topic topic_ = Topic::rest;
};

}  // namespace tactus::detail
