#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tactus/shape.hpp"

namespace tactus::detail::bench {

/// The question put to every library.
enum class Question { distance, depth, overlap, contacts };

/// One row of the tables: which shapes meet, and the time Bullet takes for the distance on the
/// machine for which the goals are stated (ns); goals scale with it.
struct PairClass {
  const char* name;
  ShapeType a, b;
  int vertices;  ///< of hulls
  double bullet_distance;
  double goal_distance, goal_depth, goal_overlap;
};

inline constexpr std::array kPairClasses{
    PairClass{"sphere-sphere", ShapeType::sphere, ShapeType::sphere, 0, 140, 15, 15, 9},
    PairClass{"sphere-box", ShapeType::sphere, ShapeType::box, 0, 306, 28, 28, 28},
    PairClass{"capsule-capsule", ShapeType::capsule, ShapeType::capsule, 0, 392, 36, 36, 36},
    PairClass{"capsule-box", ShapeType::capsule, ShapeType::box, 0, 566, 110, 150, 100},
    PairClass{"box-box", ShapeType::box, ShapeType::box, 0, 948, 200, 300, 80},
    PairClass{"cylinder-cylinder", ShapeType::cylinder, ShapeType::cylinder, 0, 2042, 500, 1200,
              120},
    PairClass{"cone-box", ShapeType::cone, ShapeType::box, 0, 1406, 400, 900, 110},
    PairClass{"ellipsoid-ellipsoid", ShapeType::ellipsoid, ShapeType::ellipsoid, 0, 1525, 350, 1200,
              110},
    PairClass{"hull-16", ShapeType::convex, ShapeType::convex, 16, 893, 300, 800, 120},
    PairClass{"hull-64", ShapeType::convex, ShapeType::convex, 64, 1918, 600, 1300, 250},
    PairClass{"hull-256", ShapeType::convex, ShapeType::convex, 256, 6501, 900, 1900, 400},
    PairClass{"hull-1024", ShapeType::convex, ShapeType::convex, 1024, 26579, 1400, 3000, 700},
};

/// Random placed pairs of one class. The shapes are pools that the pairs share.
struct PairSet {
  struct Pair {
    std::uint32_t a, b;  ///< into `shapes`
    Pose pose_a, pose_b;
    double separation;  ///< gap, or minus the length of a known translation that separates (an
                        ///< upper bound of the depth)
  };
  Question question;
  std::vector<Shape> shapes;
  std::vector<Pair> pairs;
};

/// Shapes of either side that pairs are drawn from: more than the caches of the processor hold,
/// where they are large hulls, or so few that they stay in it.
inline constexpr std::uint32_t kColdPool = 100, kHotPool = 4;

/// `count` pairs, dimensions 0.3..1, random rotations: gaps log-uniform in 1e-3..1 (distance),
/// depths in 1e-4..0.3 (depth, contacts), or both by turns (overlap).
PairSet make_pairs(const PairClass& kind, Question question, int count,
                   std::uint32_t pool = kColdPool);

/// `count` poses of one pair along a smooth motion: 0.5 % of the size and 0.5 degrees per step,
/// kept apart (distance) or in overlap (depth).
PairSet make_motion(const PairClass& kind, Question question, int count);

/// One library under test.
class Peer {
 public:
  virtual ~Peer() = default;
  virtual std::string name() const = 0;
  /// Builds the library's own shapes and placements, outside of the clock. False when it has no
  /// answer to the question.
  virtual bool prepare(const PairSet& set) = 0;
  /// One answer per pair: the gap, the depth, 1 for overlap and 0 for none, or the depth of the
  /// deepest of up to four contact points.
  virtual void answer(std::span<double> out) = 0;
};

std::unique_ptr<Peer> make_ours(bool warm = false);
std::unique_ptr<Peer> make_bullet();
std::unique_ptr<Peer> make_fcl();
std::unique_ptr<Peer> make_ccd();
std::unique_ptr<Peer> make_ode();

}  // namespace tactus::detail::bench
