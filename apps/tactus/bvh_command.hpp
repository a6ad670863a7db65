#pragma once

#include <string>

namespace tactus::app {

/// Arguments of `tactus bvh`.
struct BvhCommand {
  std::string file;  ///< mesh file
  std::string volume = "obb";
  std::string split = "mean";  ///< mean, median, middle: where triangles are parted
  std::string tree;            ///< file of the hierarchy; it is built when empty
  std::string up;              ///< axis of the file that is turned to z; empty: as it is
  std::string out;             ///< file that receives the hierarchy; none when empty
  std::string html;            ///< page for the picture of the levels; none when empty
  bool json = false;           ///< the figures as JSON
};

/// Builds the hierarchy of bounding volumes over a mesh, or reads it, and prints its size, depth,
/// memory and time. Returns the exit code: 0; 2 when a file cannot be read or written, or the
/// volume is unknown (named on standard error).
int run_bvh(const BvhCommand& command);

}  // namespace tactus::app
