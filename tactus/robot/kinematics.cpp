#include <algorithm>
#include <cmath>

#include "tactus/math/sine.hpp"
#include "tactus/robot/robot_data.hpp"

namespace tactus::detail {
namespace {

/// Turn about a unit axis: c I + s [a] + (1 - c) a a^T.
Mat3 turn_about(const Vec3& a, double angle) {
  const auto [s, c] = sine_cosine(angle);
  const double d = 1.0 - c;
  const double xy = d * a.x * a.y, xz = d * a.x * a.z, yz = d * a.y * a.z;
  return {{{c + d * a.x * a.x, xy - s * a.z, xz + s * a.y},
           {xy + s * a.z, c + d * a.y * a.y, yz - s * a.x},
           {xz - s * a.y, yz + s * a.x, c + d * a.z * a.z}}};
}

}  // namespace

void frame_poses(const RobotData& robot, const double* configuration, std::vector<Pose>& poses) {
  poses.resize(robot.frames.size());
  for (std::size_t i = 0; i < poses.size(); ++i) {
    const Frame& frame = robot.frames[i];
    const Pose placed = frame.parent < 0
                            ? frame.origin
                            : poses[static_cast<std::size_t>(frame.parent)] * frame.origin;
    if (frame.motion == FrameMotion::none) {
      poses[i] = placed;
    } else if (frame.motion == FrameMotion::turn) {
      poses[i] =
          unchecked_pose(placed.position(),
                         placed.rotation() * turn_about(frame.axis, frame.value(configuration)));
    } else {
      poses[i] = unchecked_pose(
          placed.position() + placed.rotation() * (frame.axis * frame.value(configuration)),
          placed.rotation());
    }
  }
}

double largest_value(const RobotData& robot, std::span<const double> farthest) {
  double most = 0.0;
  for (const Frame& frame : robot.frames) {
    if (frame.motion == FrameMotion::none) continue;
    const double value = std::fabs(frame.multiplier) * farthest[frame.coordinate];
    most = std::max(most, value + std::fabs(frame.offset));
  }
  return most;
}

void require_configuration(const RobotData& robot, std::span<const double> configuration) {
  if (configuration.size() != robot.coordinates.size())
    throw InvalidInput("configuration", std::to_string(configuration.size()) + " values for " +
                                            std::to_string(robot.coordinates.size()) +
                                            " coordinates");
  for (std::size_t i = 0; i < configuration.size(); ++i)
    if (!std::isfinite(configuration[i]))
      throw InvalidInput("configuration",
                         "the value of '" + robot.coordinates[i].name + "' is not finite");
}

std::vector<std::int32_t> rigid_groups(const RobotData& robot) {
  std::vector<std::int32_t> of_frame(robot.frames.size(), -1);
  for (std::size_t i = 0; i < of_frame.size(); ++i) {
    const Frame& frame = robot.frames[i];
    if (frame.motion != FrameMotion::none) {
      of_frame[i] = static_cast<std::int32_t>(i);
    } else if (frame.parent >= 0) {
      of_frame[i] = of_frame[static_cast<std::size_t>(frame.parent)];
    }
  }
  std::vector<std::int32_t> of_link(robot.links.size());
  for (std::size_t i = 0; i < of_link.size(); ++i) of_link[i] = of_frame[robot.link_frame[i]];
  return of_link;
}

}  // namespace tactus::detail
