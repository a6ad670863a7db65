#pragma once

#include <string>
#include <vector>

namespace tactus::app {

/// Arguments of `tactus planar query`.
struct PlanarQueryCommand {
  std::vector<std::string> files;  ///< planar query files, one query per line; - is standard input
  /// Prove the answers anew, compare with the files' own right answers, print the worst errors.
  bool check = false;
  bool certificate = false;  ///< add the translation that shows a depth
  bool answers = false;      ///< with `check`: write the answers too
  bool json = false;         ///< with `check`: the figures as JSON
  std::string out;           ///< file for the answers; standard output when empty
};

/// Answers every line of the files, in order. Returns the exit code: 0; 1 when some lines were no
/// valid query or, with `check`, some answer contradicted the right one; 2 when a file could not be
/// read or written (named on standard error).
int run_planar_query(const PlanarQueryCommand& command);

}  // namespace tactus::app
