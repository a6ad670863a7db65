#pragma once

#include <string>

#include "apps/tactus/robot/robot_files.hpp"

namespace tactus::app {

/// Arguments of `tactus robot`.
struct RobotCommand {
  RobotFiles files;
  std::string srdf;    ///< pairs that it disables are left out; with `pairs`, it receives them
  bool pairs = false;  ///< sort the pairs of links by whether they can touch
  int samples = 1000, boxes = 20000;
  double clearance = 0.0;      ///< `never` asks for more than this distance
  std::string configurations;  ///< table whose clearances are printed in place of the report
  int threads = 0;
  bool json = false;
};

/// Tells what a robot is made of and what is wrong with it. Returns the exit code: 0; 1 when
/// something is wrong; 2 when the file cannot be read (named on standard error).
int run_robot(const RobotCommand& command);

/// Arguments of `tactus robot clearance`.
struct RobotClearanceCommand {
  RobotFiles files;
  std::string configurations;   ///< table of configurations, a row each
  std::string joints;           ///< one configuration: numbers, or NAME=VALUE, between commas
  std::optional<double> below;  ///< tell all pairs nearer than this
  bool gradient = false, json = false;
};

/// Prints the least distance of each configuration. Returns the exit code: 0; 1 when bodies of some
/// configuration overlap; 2 when a file cannot be read (named on standard error).
int run_robot_clearance(const RobotClearanceCommand& command);

/// Arguments of `tactus robot path`.
struct RobotPathCommand {
  RobotFiles files;
  std::string path;  ///< table of configurations in the order of time
  double clearance = 0.0, tolerance = 1e-6;
  std::string interpolation = "linear";
  bool claims = false;      ///< prove free segments again by their claims
  std::string certificate;  ///< file that receives what proves a free path
  std::string html;         ///< page that shows the robot along its path
  int threads = 0;
  bool json = false;
};

/// Proves a path free, or finds the first time at which it is not. Returns the exit code: 0 when it
/// is free; 1 when it is not, or undecided; 2 when a file cannot be read.
int run_robot_path(const RobotPathCommand& command);

}  // namespace tactus::app
