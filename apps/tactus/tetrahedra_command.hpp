#pragma once

#include <string>
#include <vector>

namespace tactus::app {

/// Arguments of `tactus tetrahedra`.
struct TetrahedraCommand {
  std::string file;         ///< a closed surface to be filled, or tetrahedra
  std::vector<double> box;  ///< size of a box instead
  double sphere = 0.0;      ///< radius of a ball instead
  double edge = 0.0;        ///< 0: a twelfth of the longest side
  std::string out;          ///< file for the tetrahedra; none when empty
  std::string surface;      ///< file for their surface; none when empty
  std::string up;           ///< axis of the surface that is turned to z; empty: as it is
  bool json = false;
};

/// Makes or reads tetrahedra and prints how well shaped they are. Returns the exit code: 0; 2 when
/// a file cannot be read or written or an option is wrong (named on standard error).
int run_tetrahedra(const TetrahedraCommand& command);

}  // namespace tactus::app
