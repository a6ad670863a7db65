#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>

namespace tactus::detail::bvh {

/// A node of each of two hierarchies, and a lower bound of the distance of what they hold.
struct NodePair {
  double bound;
  std::uint32_t a, b;
};

/// Pairs that wait, nearly the least bound first: those of a sixty-fourth of the nearest distance
/// so far count as equal, and the last to come goes first. No pair is gone into that another order
/// would spare, but for these. Unlike a heap it costs the same however many there are, and has no
/// branches on the bounds, which nobody could foretell.
class NodeQueue {
 public:
  NodeQueue() { std::fill(std::begin(first_), std::end(first_), kNone); }

  bool empty() const { return used_ == 0; }
  bool full() const { return free_ == kNone && fresh_ == kRoom; }
  /// Is no pair much nearer?
  bool is_least(double bound) const {
    return used_ == 0 || bucket(bound) <= __builtin_ctzll(used_);
  }

  /// The nearest distance so far.
  void scale(double upper) {
    if (!(upper < 0.5 * upper_)) return;
    upper_ = std::max(upper, kLeastUpper);
    per_distance_ = kBuckets / upper_;
    std::uint64_t used = used_;
    std::uint16_t first[kBuckets];
    std::copy(std::begin(first_), std::end(first_), first);
    std::fill(std::begin(first_), std::end(first_), kNone);
    used_ = 0;
    for (; used != 0; used &= used - 1) {
      for (std::uint16_t at = first[__builtin_ctzll(used)]; at != kNone;) {
        const std::uint16_t next = next_[at];
        link(at);
        at = next;
      }
    }
  }

  void push(const NodePair& pair) {
    std::uint16_t at = free_;
    if (at != kNone) {
      free_ = next_[at];
    } else {
      at = fresh_++;
    }
    at_[at] = pair;
    link(at);
  }

  NodePair pop() {
    const int b = __builtin_ctzll(used_);
    const std::uint16_t at = first_[b];
    first_[b] = next_[at];
    if (first_[b] == kNone) used_ &= used_ - 1;
    next_[at] = free_;
    free_ = at;
    return at_[at];
  }

 private:
  // Pairs of nodes that wait at the same time.
  static constexpr int kRoom = 1024;
  static constexpr int kBuckets = 64;
  static constexpr std::uint16_t kNone = kRoom;

  int bucket(double bound) const {
    // NaN where both `bound` and the nearest distance so far are infinite: takes the last bucket.
    const double place = bound * per_distance_;
    return place < kBuckets - 1.0 ? static_cast<int>(place) : kBuckets - 1;
  }
  void link(std::uint16_t at) {
    const int b = bucket(at_[at].bound);
    next_[at] = first_[b];
    first_[b] = at;
    used_ |= std::uint64_t{1} << b;
  }

  // Its inverse is far from infinite.
  static constexpr double kLeastUpper = 1e-290;

  double upper_ = std::numeric_limits<double>::infinity();
  double per_distance_ = 0.0;
  std::uint64_t used_ = 0;  ///< a bit for each bucket with pairs
  std::uint16_t first_[kBuckets], next_[kRoom];
  std::uint16_t free_ = kNone, fresh_ = 0;
  NodePair at_[kRoom];
};

}  // namespace tactus::detail::bvh
