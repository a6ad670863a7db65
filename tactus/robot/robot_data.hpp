#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tactus/robot.hpp"

namespace tactus::detail {

/// Motion of a frame by one coordinate.
enum class FrameMotion : std::uint8_t { none, turn, shift };

/// A step of the way from the root to the links: the frame of `parent`, moved by `origin`, then
/// turned about `axis` or shifted along it. A joint of several coordinates is as many frames.
struct Frame {
  std::int32_t parent = -1;  ///< a lower index; -1 the world
  Pose origin;
  FrameMotion motion = FrameMotion::none;
  Vec3 axis;  ///< unit
  std::uint32_t coordinate = 0;
  double multiplier = 1.0, offset = 0.0;

  double value(const double* configuration) const {
    return multiplier * configuration[coordinate] + offset;
  }
};

struct RobotData {
  std::string name;
  std::vector<RobotLink> links;
  std::vector<RobotJoint> joints;
  std::vector<RobotCoordinate> coordinates;
  std::uint32_t root = 0;
  std::vector<Frame> frames;              ///< parents first
  std::vector<std::uint32_t> link_frame;  ///< of each link
  std::vector<std::uint32_t> depth;       ///< of each frame: frames above it
  /// Sum of the offsets above each frame, a bound of how far its origin is from the world's
  /// without what shifts add.
  std::vector<double> length;
  std::vector<std::int32_t> joint_above;  ///< of each link, -1 of the root
  std::vector<std::uint32_t> links_by_name, joints_by_name;
};

struct RobotAccess {
  static const RobotData& data(const Robot& robot) { return *robot.data_; }
  static const CollisionData& data(const RobotCollision& collision) { return *collision.data_; }
};

/// Poses of all frames; `configuration` has a value for each coordinate, all finite.
void frame_poses(const RobotData& robot, const double* configuration, std::vector<Pose>& poses);

/// Bound of the magnitude of every frame's value where no coordinate's exceeds that in `farthest`.
double largest_value(const RobotData& robot, std::span<const double> farthest);

/// Throws InvalidInput (`configuration`) unless there is one finite value for each coordinate.
void require_configuration(const RobotData& robot, std::span<const double> configuration);

/// The group of links of each link that no joint moves against each other: the lowest frame above
/// it that moves, or -1.
std::vector<std::int32_t> rigid_groups(const RobotData& robot);

}  // namespace tactus::detail
