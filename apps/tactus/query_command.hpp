#pragma once

#include <string>
#include <vector>

namespace tactus::app {

/// Arguments of `tactus query`.
struct QueryCommand {
  std::vector<std::string> files;  ///< query files, one query per line
  bool check = false;    ///< compare with the files' own right answers and print the worst errors
  bool answers = false;  ///< with `check`: write the answers too
  bool certificate = false;  ///< add to each answer what re-proves its bracket
  bool json = false;         ///< with `check`: the table as JSON
  std::string out;           ///< file for the answers; standard output when empty
  int threads = 0;           ///< 0: all processors
};

/// Answers every line of the files, in order, on standard output (or in `out`, written whole or not
/// at all). Returns the exit code: 0; 1 when some lines were no valid query or, with `check`, some
/// answer contradicted the right one; 2 when a file could not be read or written (named on standard
/// error).
int run_query(const QueryCommand& command);

}  // namespace tactus::app
