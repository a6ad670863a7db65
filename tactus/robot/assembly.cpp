#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "tactus/core.hpp"
#include "tactus/robot.hpp"

namespace tactus {
namespace {

/// Links and joints that grow to a robot.
struct Assembly {
  std::vector<RobotLink> links;
  std::vector<RobotJoint> joints;

  void hang(std::string name, RobotJointType type, std::uint32_t parent, std::uint32_t child,
            const Pose& origin, const Vec3& axis) {
    RobotJoint joint;
    joint.name = std::move(name);
    joint.type = type;
    joint.parent = parent;
    joint.child = child;
    joint.origin = origin;
    joint.axis = axis;
    joints.push_back(std::move(joint));
  }
};

void add_part(const RobotPart& part, Assembly& all) {
  const std::string prefix = part.name.empty() ? std::string() : part.name + "/";
  const auto first_link = static_cast<std::uint32_t>(all.links.size());
  all.hang(prefix + "base", part.base, 0, first_link + part.robot.root(), part.pose, {0, 0, 1});
  const auto first_joint = static_cast<std::uint32_t>(all.joints.size());
  for (RobotLink link : part.robot.links()) {
    link.name.insert(0, prefix);
    all.links.push_back(std::move(link));
  }
  for (RobotJoint joint : part.robot.joints()) {
    joint.name.insert(0, prefix);
    joint.parent += first_link;
    joint.child += first_link;
    if (joint.mimic) joint.mimic->joint += first_joint;
    all.joints.push_back(std::move(joint));
  }
}

/// Links and joints of a body that goes from its start as the joint `time` tells: along its linear
/// velocity, then about its angular one.
void add_even_motion(const MovingObstacle& obstacle, std::uint32_t root, std::uint32_t time,
                     const Pose& start, RobotLink link, Assembly& all) {
  std::uint32_t parent = root;
  Pose origin = start;
  const auto step = [&](const char* suffix, RobotJointType type, const Vec3& velocity, bool last) {
    const auto child = static_cast<std::uint32_t>(all.links.size());
    const std::string name = link.name + suffix;
    if (!last) all.links.push_back({name, {}, true});
    all.hang(name, type, parent, child, origin, velocity);
    all.joints.back().mimic = RobotMimic{time, norm(velocity), 0.0};
    parent = child;
    origin = Pose();
  };
  const bool turns = max_abs(obstacle.angular_velocity) > 0.0;
  if (max_abs(obstacle.linear_velocity) > 0.0)
    step("/way", RobotJointType::prismatic, obstacle.linear_velocity, !turns);
  if (turns) step("/turn", RobotJointType::continuous, obstacle.angular_velocity, true);
  all.links.push_back(std::move(link));
}

}  // namespace

Robot join_robots(std::string name, const std::vector<RobotPart>& parts) {
  if (parts.empty()) throw InvalidInput("parts", "there is none");
  Assembly all;
  std::string world = "world";
  const auto taken = [&](const RobotPart& part) {
    return part.name.empty() && part.robot.find_link(world).has_value();
  };
  while (std::any_of(parts.begin(), parts.end(), taken)) world += "_";
  all.links.push_back({world});
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (!is_finite(parts[i].pose))
      throw InvalidInput("parts[" + std::to_string(i) + "].pose", "not finite");
    add_part(parts[i], all);
  }
  return {std::move(name), std::move(all.links), std::move(all.joints)};
}

Robot add_obstacles(const Robot& robot, const std::vector<MovingObstacle>& obstacles) {
  Assembly all{robot.links(), robot.joints()};
  const std::uint32_t root = robot.root();
  const auto is_even = [](const MovingObstacle& o) {
    return max_abs(o.linear_velocity) > 0.0 || max_abs(o.angular_velocity) > 0.0;
  };
  for (std::size_t i = 0; i < obstacles.size(); ++i) {
    const MovingObstacle& o = obstacles[i];
    if (!is_finite(o.body.pose) || !is_finite(o.center) ||
        !std::isfinite(norm(o.linear_velocity)) || !std::isfinite(norm(o.angular_velocity)))
      throw InvalidInput("obstacles[" + std::to_string(i) + "]", "not finite");
  }
  // The time is the value of a joint that moves nothing.
  const auto time = static_cast<std::uint32_t>(all.joints.size());
  if (std::any_of(obstacles.begin(), obstacles.end(), is_even)) {
    all.hang("time", RobotJointType::prismatic, root, static_cast<std::uint32_t>(all.links.size()),
             {}, {1, 0, 0});
    all.links.push_back({"time", {}, true});
  }
  for (const MovingObstacle& o : obstacles) {
    const Pose start = Pose::translation(o.body.pose.to_world(o.center));
    RobotBody body = o.body;
    body.pose = inverse(start) * o.body.pose;
    RobotLink link{o.body.name, {std::move(body)}, true};
    if (is_even(o)) {
      add_even_motion(o, root, time, start, std::move(link), all);
    } else {
      all.hang(link.name, RobotJointType::floating, root,
               static_cast<std::uint32_t>(all.links.size()), start, {0, 0, 1});
      all.links.push_back(std::move(link));
    }
  }
  return {robot.name(), std::move(all.links), std::move(all.joints)};
}

}  // namespace tactus
