#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tactus/robot.hpp"
#include "tactus/robot/capsule.hpp"
#include "tactus/robot/robot_data.hpp"

namespace tactus::detail {

/// A body that is measured, of a link or an obstacle.
struct CollisionItem {
  const Shape* shape = nullptr;
  Pose pose;  ///< in its frame
  std::uint32_t frame = 0;
  std::int32_t link = -1;  ///< -1: an obstacle
  std::uint32_t body = 0;
  BoundingCapsule capsule;  ///< in the frame
  double size = 0.0;  ///< no point is farther from the frame's origin; infinite of a half-space
  bool mesh = false;
  bool bare = false;  ///< an open mesh: its surface alone
};

/// The frames that move B against A: on the way from A up to the frame that both hang on, then from
/// B up to it.
struct FrameChain {
  std::vector<std::uint32_t> of_a, of_b;
};

struct ItemPair {
  std::uint32_t a = 0, b = 0, chain = 0;
};

struct CollisionData {
  CollisionData(Robot r, std::vector<RobotPair> p, std::vector<RobotBody> o)
      : robot(std::move(r)), pairs(std::move(p)), obstacles(std::move(o)) {}

  Robot robot;
  std::vector<RobotPair> pairs;
  std::vector<RobotBody> obstacles;
  std::vector<CollisionItem> items;
  std::vector<ItemPair> item_pairs;
  std::vector<FrameChain> chains;
};

/// A configuration: where everything is.
struct PlacedRobot {
  std::vector<Pose> frames;
  std::vector<BoundingCapsule> capsules;  ///< of the items, in the world
};

void place(const CollisionData& data, const double* configuration, PlacedRobot& out);

/// The bracket of a pair of items; `error` bounds what rounding of the kinematics adds to it.
DistanceResult measure(const CollisionData& data, const PlacedRobot& at, const ItemPair& pair,
                       const QueryOptions& options, QueryCache* cache);

/// The distance of the surfaces, of pairs with a mesh: it ends at the first triangles that are as
/// near as `most`, where a depth that nobody asks for would cost a hundred times as much. No less
/// than the signed distance. Of other pairs, infinite.
DistanceResult measure_surfaces(const CollisionData& data, const PlacedRobot& at,
                                const ItemPair& pair, double most, QueryCache* cache);

/// Largest error of the distance of a pair by the rounding of poses, in a configuration where
/// `most` is a `largest_value`.
double placement_error(const CollisionData& data, const ItemPair& pair, double most);

/// The pair as users see it.
RobotDistance named(const CollisionData& data, const ItemPair& pair,
                    const DistanceResult& distance);

}  // namespace tactus::detail
