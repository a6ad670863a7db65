#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "tactus/robot.hpp"

namespace tactus::io {

/// How robot descriptions are read.
struct RobotReadOptions {
  bool visual = false;  ///< shapes of the visual elements in place of those for collision
  bool hulls = false;   ///< of each mesh its convex hull
  /// A mesh that is missing or broken is left out and noted; else it is an error.
  bool leave_out_missing = false;
  /// Folders of packages by name, for `package://NAME/...` and `model://NAME/...`.
  std::vector<std::pair<std::string, std::filesystem::path>> packages;
  /// Receives a line `file:line: text` for all that was left out or not understood. Null: nobody is
  /// told.
  std::vector<std::string>* warnings = nullptr;
  std::string model = {};  ///< the one of an SDF file that holds several; empty where it holds one
};

/// Was this library built with the reader of XML that robot descriptions take?
bool reads_robots() noexcept;
/// Was this library built with libsdformat, which reads SDF?
bool reads_sdf() noexcept;

/// Reads a robot from URDF, MJCF or SDF, known by the root element. Of URDF it takes links with
/// their shapes (box, sphere, cylinder, capsule, mesh), joints, limits and mimics; inertia,
/// materials, transmissions and what simulators add are not looked at. Of MJCF it takes bodies,
/// joints, geoms, classes of defaults, mesh assets and included files; of SDF one model with nested
/// and included ones, frames, joints, limits and mimics. docs/guide/robots.md tells how they become
/// links and joints.
///
/// Of URDF and SDF a mesh is taken as `read_mesh` gives it, times its scale, which may be negative.
/// It is looked for, if its name begins with `package://NAME/` or `model://NAME/`, in the package
/// that the options name, in the folders of ROS_PACKAGE_PATH, GZ_SIM_RESOURCE_PATH and SDF_PATH,
/// and in the description's folder and those above; else from the description's folder. Bodies have
/// the name of their element, or its kind and line.
///
/// Throws FileError naming file, line, link or joint, and element: broken XML, what is missing or
/// no number, names given twice or of nothing, meshes that cannot be read, and all that the
/// constructor of Robot refuses.
/// @code{.cpp}
/// const Robot robot = io::read_robot("player/tests/arm.urdf");
/// assert(robot.links().size() == robot.joints().size() + 1);
/// @endcode
Robot read_robot(const std::filesystem::path& file, const RobotReadOptions& options = {});

/// The pairs of links that an SRDF file disables or MJCF excludes, lower index first, in the order
/// of the file. Links that the robot does not have are noted in `warnings`. Throws FileError.
std::vector<RobotPair> read_disabled_pairs(const std::filesystem::path& file, const Robot& robot,
                                           std::vector<std::string>* warnings = nullptr);

/// Configurations of a robot, a row each, from a table of comma-separated values.
struct ConfigurationTable {
  std::vector<double> times;              ///< a row's; its place from 0 on where the table has none
  std::vector<std::vector<double>> rows;  ///< a value for each coordinate of the robot
  std::vector<std::size_t> lines;         ///< of the file
  bool timed = false;                     ///< has the table a column of times?
};

/// Reads a table whose first line names the columns: coordinates of the robot in any order, those
/// left out are as in `Robot::zero_configuration`; `time` or `t`, in strictly ascending order.
/// Without such a line the columns are all coordinates in their order, one more in front is the
/// time. A coordinate that is called `time` (see `add_obstacles`) has no column: its value is the
/// row's time. Empty lines, and from `#` on all of a line, are skipped. Throws FileError naming the
/// line.
ConfigurationTable read_configurations(const std::filesystem::path& file, const Robot& robot);

}  // namespace tactus::io
