#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tactus/io.hpp"
#include "tactus/robot.hpp"

namespace tactus::app {

/// Options by which all commands on robots read their files.
struct RobotFiles {
  std::string file;                   ///< URDF, MJCF or SDF; - is standard input
  std::string model;                  ///< of an SDF file that holds several
  std::string obstacles;              ///< a scene whose bodies are obstacles
  std::vector<std::string> packages;  ///< NAME=DIR
  std::string base = "fixed";         ///< joint on which the robot stands
  std::vector<std::string> beside;    ///< NAME=FILE: further robots
  /// Where robots stand: X,Y,Z or X,Y,Z,ROLL,PITCH,YAW, with NAME= in front for one of `beside`.
  std::vector<std::string> places;
  /// Files whose disabled pairs are left out, with NAME= in front for one of `beside`.
  std::vector<std::string> srdfs;
  bool visual = false, hulls = false;
  std::optional<double> decompose;  ///< concavity of convex parts in place of meshes
};

/// The robot, its warnings on standard error or, for the report, gathered in `warnings`: then
/// missing meshes are left out. Throws FileError and InvalidInput.
Robot read_robot_file(const RobotFiles& files, std::vector<std::string>* warnings = nullptr);

/// The pairs of a robot that can move against each other, less those that an SRDF file disables, if
/// any.
std::vector<RobotPair> asked_pairs(const Robot& robot, const std::string& srdf);
/// All robots of `files` in one world, and obstacles at rest and in motion.
RobotCollision read_collision(const RobotFiles& files);

/// `link 'a' and link 'b'`, or the obstacle's name.
std::string pair_name(const RobotCollision& collision, const RobotDistance& pair);
/// The name of B.
std::string name_of_b(const RobotCollision& collision, const RobotDistance& pair);

}  // namespace tactus::app
