#pragma once

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
  /// Trade among neighbours alone: `messages[k]` for `neighbours[k]`, in ascending order. Each
  /// of them must name this rank as its neighbour.
  virtual void trade(std::span<const int> neighbours, std::vector<std::string>& messages) = 0;
  /// Messages of all ranks to all, by rank.
  virtual std::vector<std::string> gather(const std::string& mine) = 0;
  /// The greatest value of all ranks; values are numbers.
  virtual double most(double mine) = 0;

  /// Does it hold on any rank?
  bool any(bool mine) { return most(mine ? 1.0 : 0.0) > 0.0; }
};

}  // namespace tactus::detail
