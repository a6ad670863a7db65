#pragma once

#include <string>

namespace tactus::app {

/// Arguments of `tactus mesh`.
struct MeshCommand {
  std::string file;
  std::string other;    ///< a second mesh, to cross with; or empty
  bool clean = false;   ///< mend what can be mended without a choice, then report
  double scale = 1.0;   ///< multiplies the coordinates
  std::string units;    ///< of the file, turned into metres; empty: as they are
  std::string up;       ///< axis of the files that is turned to z; empty: as they are
  std::string out;      ///< file that receives the mesh
  std::string nearest;  ///< file of points: the nearest point of the surface to each
  std::string winding;  ///< file of points: how often the surface winds around each
  std::string pose_b;   ///< where the second mesh stands, as JSON
  bool json = false;
};

/// Tells what a surface is made of and what is wrong with it; cleans, scales and converts it;
/// answers for points, and which triangles of two surfaces meet. Returns the exit code: 0, or 2
/// when a file or option cannot be used (named on standard error).
int run_mesh(const MeshCommand& command);

}  // namespace tactus::app
