#pragma once

#include <string>

namespace tactus::app {

/// Arguments of `tactus export`.
struct ExportCommand {
  std::string run;       ///< recording, or the checkpoint of a run that has not ended
  std::string csv;       ///< file for poses and velocities; none when empty
  std::string contacts;  ///< file for contact points and forces; none when empty
  std::string vtk;       ///< folder for VTU and PVD files; none when empty
  std::string scene;     ///< the run's scene, for what its recording does not hold
  std::string bodies;    ///< file for shapes and masses; none when empty
};

/// Writes the pictures of a run in formats of other programs. Returns the exit code: 0; 2 when a
/// file cannot be read or written or nothing was asked for (named on standard error).
int run_export(const ExportCommand& command);

}  // namespace tactus::app
