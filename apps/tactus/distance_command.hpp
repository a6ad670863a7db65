#pragma once

#include <limits>
#include <string>

namespace tactus::app {

/// Arguments of `tactus distance`.
struct DistanceCommand {
  std::string file_a, file_b;           ///< mesh files
  double scale_a = 1.0, scale_b = 1.0;  ///< multiply the files' coordinates
  std::string up;                       ///< axis of both files that is turned to z
  std::string tree_a, tree_b;           ///< files of the hierarchies; they are built when empty
  std::string pose_a, pose_b;           ///< JSON; the identity when empty
  std::string poses;                    ///< file of poses, one query per line; one query when empty
  std::string strategy = "auto", volume = "obb";
  double relative_error = 0.0;
  double max_distance = std::numeric_limits<double>::infinity();
  bool warm = false;  ///< each query starts from the triangles that the last one found
  bool json = false;  ///< one JSON object per query
};

/// Measures how far the surfaces of two meshes are apart and prints distance, bracket, points,
/// triangles, effort and time of every query, in order. Returns the exit code: 0; 1 when some lines
/// of the pose file were no poses (named on standard error, the others are answered); 2 when a file
/// cannot be read or an option is wrong (named on standard error).
int run_distance(const DistanceCommand& command);

}  // namespace tactus::app
