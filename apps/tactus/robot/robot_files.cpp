#include "apps/tactus/robot/robot_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>
#include <set>
#include <utility>

#include "apps/tactus/robot/decomposed.hpp"
#include "tactus/core.hpp"
#include "tactus/io/file/line_scanner.hpp"

namespace tactus::app {
namespace {

io::RobotReadOptions read_options(const RobotFiles& files, std::vector<std::string>* warnings) {
  io::RobotReadOptions options;
  options.visual = files.visual;
  options.hulls = files.hulls;
  options.warnings = warnings;
  options.model = files.model;
  for (const std::string& package : files.packages) {
    const std::size_t at = package.find('=');
    if (at == 0 || at == package.npos)
      throw InvalidInput("--package", "'" + package + "' is not NAME=DIR");
    options.packages.emplace_back(package.substr(0, at), package.substr(at + 1));
  }
  return options;
}

/// X,Y,Z or X,Y,Z,ROLL,PITCH,YAW.
Pose pose_in(const std::string& text) {
  std::vector<double> numbers;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const auto number = io::number_in(text.substr(begin, end - begin));
    if (!number || !std::isfinite(*number))
      throw InvalidInput("--place", "'" + text + "' holds no finite numbers");
    numbers.push_back(*number);
    begin = end + 1;
  }
  if (numbers.size() != 3 && numbers.size() != 6)
    throw InvalidInput("--place", "'" + text + "' is neither X,Y,Z nor X,Y,Z,ROLL,PITCH,YAW");
  numbers.resize(6, 0.0);
  const auto turn = [&](std::size_t i, const Vec3& axis) {
    return Pose::from_axis_angle({}, axis, numbers[i]);
  };
  return Pose::translation({numbers[0], numbers[1], numbers[2]}) * turn(5, {0, 0, 1}) *
         turn(4, {0, 1, 0}) * turn(3, {1, 0, 0});
}

/// The robot that stands in the world, and those beside it.
struct Robots {
  Robot world;                   ///< all of them
  std::vector<RobotPart> parts;  ///< the first is the robot itself, which is called nothing
};

/// [NAME=]VALUE, whose robot is one of `parts`: its place among them, and the value. Without a name
/// it is the robot itself.
std::pair<std::size_t, std::string> named_part(const char* option, const std::string& text,
                                               const std::vector<RobotPart>& parts) {
  const std::size_t at = text.find('=');
  const std::string name = at == text.npos ? std::string() : text.substr(0, at);
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (parts[i].name == name) return {i, at == text.npos ? text : text.substr(at + 1)};
  throw InvalidInput(option, "no robot stands beside that is called '" + name + "'");
}

/// One robot alone that stands in the origin is as its file says.
Robots read_robots(const RobotFiles& files) {
  Robot robot = read_robot_file(files);
  if (files.base == "fixed" && files.beside.empty() && files.places.empty())
    return {robot, {{robot, ""}}};
  const std::optional<RobotJointType> base = from_string<RobotJointType>(files.base);
  if (!base) throw InvalidInput("--base", "there is no joint of the kind '" + files.base + "'");
  std::vector<RobotPart> parts{{robot, "", {}, *base}};
  for (const std::string& other : files.beside) {
    const std::size_t at = other.find('=');
    if (at == 0 || at == other.npos)
      throw InvalidInput("--beside", "'" + other + "' is not NAME=FILE");
    RobotFiles own = files;
    own.file = other.substr(at + 1);
    own.model.clear();
    parts.push_back({read_robot_file(own), other.substr(0, at)});
  }
  for (const std::string& place : files.places) {
    const auto [part, pose] = named_part("--place", place, parts);
    parts[part].pose = pose_in(pose);
  }
  Robot world = join_robots(robot.name(), parts);
  return {std::move(world), std::move(parts)};
}

using LinkPairs = std::set<std::pair<std::uint32_t, std::uint32_t>>;

/// Adds the pairs that a file disables, as links of `world`, lower index first. Its names are those
/// of `robot`, whose links are called `prefix` and their own name in the world.
void add_disabled(const std::string& file, const Robot& robot, const std::string& prefix,
                  const Robot& world, LinkPairs& disabled) {
  std::vector<std::string> warnings;
  const auto link = [&](std::uint32_t own) {
    return *world.find_link(prefix + robot.links()[own].name);
  };
  for (const RobotPair& pair : io::read_disabled_pairs(file, robot, &warnings))
    disabled.insert(std::minmax({link(pair.a), link(pair.b)}));
  for (const std::string& warning : warnings) fmt::print(stderr, "{}\n", warning);
}

/// A file without a robot's name may pair the links of all robots, as they are called in the world.
std::vector<RobotPair> asked_pairs(const Robots& robots, const Robot& world,
                                   const std::vector<std::string>& srdfs) {
  LinkPairs disabled;
  for (const std::string& srdf : srdfs) {
    const auto [part, file] = named_part("--srdf", srdf, robots.parts);
    if (part == 0) {
      add_disabled(file, world, "", world, disabled);
    } else {
      const RobotPart& beside = robots.parts[part];
      add_disabled(file, beside.robot, beside.name + "/", world, disabled);
    }
  }
  std::vector<RobotPair> pairs = movable_pairs(world);
  std::erase_if(pairs, [&](const RobotPair& p) { return disabled.contains({p.a, p.b}); });
  return pairs;
}

}  // namespace

Robot read_robot_file(const RobotFiles& files, std::vector<std::string>* warnings) {
  std::vector<std::string> own;
  io::RobotReadOptions options = read_options(files, warnings != nullptr ? warnings : &own);
  options.leave_out_missing = warnings != nullptr;
  Robot robot = io::read_robot(files.file, options);
  for (const std::string& warning : own) fmt::print(stderr, "{}\n", warning);
  if (!files.decompose) return robot;
  return decomposed(robot, *files.decompose,
                    files.file == "-" ? std::string() : files.file + ".parts.json");
}

std::vector<RobotPair> asked_pairs(const Robot& robot, const std::string& srdf) {
  std::vector<std::string> srdfs;
  if (!srdf.empty()) srdfs.push_back("=" + srdf);
  return asked_pairs(Robots{robot, {{robot, ""}}}, robot, srdfs);
}

RobotCollision read_collision(const RobotFiles& files) {
  io::SceneObstacles obstacles;
  if (!files.obstacles.empty()) obstacles = io::scene_obstacles(io::read_scene(files.obstacles));
  const Robots robots = read_robots(files);
  const Robot world = add_obstacles(robots.world, obstacles.moving);
  return {world, asked_pairs(robots, world, files.srdfs), std::move(obstacles.resting)};
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
