#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tactus/ccd.hpp"

namespace tactus::app {

/// Arguments of `tactus ccd`.
struct CcdCommand {
  std::vector<std::string> vertex_face;  ///< files of the public benchmark's format
  std::vector<std::string> edge_edge;
  /// Files of a surface at the start and at the end of its motion; at most two surfaces.
  std::vector<std::pair<std::string, std::string>> meshes;
  std::string up;  ///< axis of the meshes that is turned to z; empty: as they are
  std::string broad = "tree";
  bool self = false;  ///< of two surfaces, also what each does to itself
  int threads = 0;
  std::string method = "conservative";
  double min_separation = 0.0;
  int max_intervals = 2000;
  bool check = false;  ///< compare with the files' truth and time each query
  bool json = false;   ///< with `check`: the table as JSON
  std::string out;     ///< file for the answers; standard output when empty
};

/// Answers every query of the files, or finds all contacts of moving surfaces. Returns the exit
/// code: 0; 1 when, with `check`, a hit was missed; 2 when a file could not be used (named on
/// standard error).
int run_ccd(const CcdCommand& command);

}  // namespace tactus::app
