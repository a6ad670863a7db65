#include "apps/tactus/robot/robot_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <set>

#include "tactus/core.hpp"

namespace tactus::app {
namespace {

std::vector<RobotBody> read_obstacles(const std::string& file) {
  std::vector<RobotBody> obstacles;
  if (file.empty()) return obstacles;
  const io::Scene scene = io::read_scene(file);
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const BodyDefinition& body = scene.bodies[i].definition;
    obstacles.push_back({body.shape, body.pose, scene.bodies[i].name});
  }
  return obstacles;
}

}  // namespace

Robot read_robot_file(const RobotFiles& files, std::vector<std::string>* warnings) {
  io::RobotReadOptions options;
  std::vector<std::string> own;
  options.visual = files.visual;
  options.hulls = files.hulls;
  options.leave_out_missing = warnings != nullptr;
  options.warnings = warnings != nullptr ? warnings : &own;
  for (const std::string& package : files.packages) {
    const std::size_t at = package.find('=');
    if (at == 0 || at == package.npos)
      throw InvalidInput("--package", "'" + package + "' is not NAME=DIR");
    options.packages.emplace_back(package.substr(0, at), package.substr(at + 1));
  }
  Robot robot = io::read_robot(files.file, options);
  for (const std::string& warning : own) fmt::print(stderr, "{}\n", warning);
  return robot;
}

std::vector<RobotPair> asked_pairs(const Robot& robot, const std::string& srdf) {
  std::vector<RobotPair> pairs = movable_pairs(robot);
  if (srdf.empty()) return pairs;
  std::vector<std::string> warnings;
  std::set<std::pair<std::uint32_t, std::uint32_t>> disabled;
  for (const RobotPair& pair : io::read_disabled_pairs(srdf, robot, &warnings))
    disabled.emplace(pair.a, pair.b);
  for (const std::string& warning : warnings) fmt::print(stderr, "{}\n", warning);
  std::erase_if(pairs, [&](const RobotPair& p) { return disabled.contains({p.a, p.b}); });
  return pairs;
}

RobotCollision read_collision(const RobotFiles& files) {
  const Robot robot = read_robot_file(files);
  return {robot, asked_pairs(robot, files.srdf), read_obstacles(files.obstacles)};
}

std::string name_of_b(const RobotCollision& collision, const RobotDistance& pair) {
  return pair.link_b < 0 ? collision.obstacles()[pair.body_b].name
                         : collision.robot().links()[static_cast<std::size_t>(pair.link_b)].name;
}

std::string pair_name(const RobotCollision& collision, const RobotDistance& pair) {
  if (pair.link_a < 0) return "no pair";
  return collision.robot().links()[static_cast<std::size_t>(pair.link_a)].name + " " +
         name_of_b(collision, pair);
}

}  // namespace tactus::app
