#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tactus/shape/shape.hpp"

namespace tactus::bench {

/// The question put to every library.
enum class Question { distance, depth, overlap };

/// Random placed pairs of shapes of one type. The shapes are a pool that the pairs share.
struct PairSet {
  struct Pair {
    std::uint32_t a, b;  ///< into `shapes`
    Pose pose_a, pose_b;
    double separation;  ///< gap, or minus the length of a known translation that separates (an
                        ///< upper bound of the depth)
  };
  ShapeType type;
  Question question;
  std::vector<Shape> shapes;
  std::vector<Pair> pairs;
};

/// `count` pairs, dimensions 0.3..1, random rotations: gaps log-uniform in 1e-3..1 (distance),
/// depths in 1e-4..0.3 (depth), or both by turns (overlap).
PairSet make_pairs(ShapeType type, Question question, int count);

/// One library under test.
class Peer {
 public:
  virtual ~Peer() = default;
  virtual std::string name() const = 0;
  /// Builds the library's own shapes and placements, outside of the clock. False when it has no
  /// answer to the question.
  virtual bool prepare(const PairSet& set) = 0;
  /// One answer per pair: the gap, the depth, or 1 for overlap and 0 for none.
  virtual void answer(std::span<double> out) = 0;
};

std::unique_ptr<Peer> make_ours();
std::unique_ptr<Peer> make_bullet();
std::unique_ptr<Peer> make_fcl();
std::unique_ptr<Peer> make_ccd();
std::unique_ptr<Peer> make_ode();

}  // namespace tactus::bench
